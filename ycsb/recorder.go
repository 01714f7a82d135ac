package ycsb

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The engine records latencies in counters of its own. They have the buckets of an HdrHistogram
// of three digits, but take memory only where latencies fell, and a record is one atomic
// addition. They live in a bounded number of shards, each shared by a few workers. Counters only
// grow: what an interval measured is the difference of two snapshots, which no worker waits for.

const (
	segmentBits = 10 // an HdrHistogram of three digits has 2^11 sub-buckets, in halves
	segmentLen  = 1 << segmentBits
	segments    = 64 - segmentBits
)

// bucket returns where a latency of v nanoseconds is counted. The segments, laid end to end, are
// the counts array of an HdrHistogram with unit magnitude 0 and three significant digits.
func bucket(v int64) (segment, index int) {
	u := uint64(max(v, 0))
	shift := max(bits.Len64(u)-(segmentBits+1), 0)
	u >>= shift
	return shift + int(u>>segmentBits), int(u & (segmentLen - 1))
}

// bucketValue returns the lowest value that is counted in a bucket.
func bucketValue(segment, index int) int64 {
	if segment == 0 {
		return int64(index)
	}
	return int64(index+segmentLen) << (segment - 1)
}

// counters count latencies, for several workers at once.
type counters struct {
	segments [segments]atomic.Pointer[[segmentLen]atomic.Uint64]
}

func (c *counters) add(v int64) {
	seg, i := bucket(v)
	p := c.segments[seg].Load()
	if p == nil {
		p = load(&c.segments[seg])
	}
	p[i].Add(1)
}

// load returns what p points to, a new T at first.
func load[T any](p *atomic.Pointer[T]) *T {
	if p.Load() == nil {
		p.CompareAndSwap(nil, new(T))
	}
	return p.Load()
}

// addTo adds what was counted to t.
func (c *counters) addTo(t *tally) {
	for seg := range c.segments {
		p := c.segments[seg].Load()
		if p == nil {
			continue
		}
		to := t.segment(seg)
		for i := range p {
			n := p[i].Load()
			to[i] += n
			t.total += n
		}
	}
}

// tally holds counts of latencies; one goroutine uses it.
type tally struct {
	segments [segments]*[segmentLen]uint64
	total    uint64
}

func (t *tally) segment(seg int) *[segmentLen]uint64 {
	if t.segments[seg] == nil {
		t.segments[seg] = new([segmentLen]uint64)
	}
	return t.segments[seg]
}

// add counts a latency of v nanoseconds.
func (t *tally) add(v int64) {
	seg, i := bucket(v)
	t.segment(seg)[i]++
	t.total++
}

// since returns the counts that t has more than o, an earlier one.
func (t *tally) since(o *tally) *tally {
	d := &tally{total: t.total - o.total}
	if d.total == 0 {
		return d
	}
	for seg, p := range t.segments {
		if p == nil {
			continue
		}
		before := o.segments[seg]
		if before == nil {
			before = new([segmentLen]uint64)
		}
		to := d.segment(seg)
		for i, n := range p {
			to[i] = n - before[i]
		}
	}
	return d
}

// highest returns the lowest value of the highest bucket in use.
func (t *tally) highest() int64 {
	for seg := segments - 1; seg >= 0; seg-- {
		if t.segments[seg] == nil {
			continue
		}
		for i := segmentLen - 1; i >= 0; i-- {
			if t.segments[seg][i] != 0 {
				return bucketValue(seg, i)
			}
		}
	}
	return 0
}

// histogram returns the latencies as a Histogram of the given number of digits.
func (t *tally) histogram(digits int) *Histogram {
	h := &Histogram{h: newHDR(t.highest(), digits)}
	s := h.h.Export()
	for seg, p := range t.segments {
		if p == nil {
			continue
		}
		for i, n := range p {
			switch {
			case n == 0:
			case digits == histogramDigits:
				s.Counts[seg*segmentLen+i] = int64(n)
			default:
				h.RecordN(time.Duration(bucketValue(seg, i)), n)
			}
		}
	}
	if digits == histogramDigits {
		h.h = hdrhistogram.Import(s)
	}
	return h
}

// cell is what is recorded of one outcome of one operation in a shard.
type cell struct {
	service  counters
	response atomic.Pointer[counters] // nil without a schedule
}

// opCells are the outcomes of one operation in a shard.
type opCells struct {
	cells     [outcomes]atomic.Pointer[cell]
	elsewhere atomic.Bool // measured by others

	mu struct {
		sync.Mutex
		errors errorTally // at most maxErrorMessages and one
	}
}

// record counts an operation. A negative response means that there was no schedule.
func (o *opCells) record(out outcome, service, response int64) {
	c := load(&o.cells[out])
	c.service.add(service)
	if response >= 0 {
		load(&c.response).add(response)
	}
}

// maxErrorMessages bounds the distinct messages kept of one operation; otherErrors stands for
// those beyond.
const (
	maxErrorMessages = 64
	otherErrors      = "(other errors)"
)

func (o *opCells) countError(text string) {
	e := ErrCount{Message: foldMessage(text), Count: 1}
	o.mu.Lock()
	defer o.mu.Unlock()
	switch _, ok := o.mu.errors[e.Message]; {
	case !ok && len(o.mu.errors) >= maxErrorMessages:
		e.Message = otherErrors
	case !ok:
		if full := oneLine(text); full != e.Message {
			e.Example = full
		}
	}
	o.mu.errors.add(e)
}

// errorTally counts errors by their folded messages. Nil is an empty one.
type errorTally map[string]ErrCount

// add counts e, whose example is kept if there is none.
func (t *errorTally) add(e ErrCount) {
	if *t == nil {
		*t = make(errorTally)
	}
	sum := (*t)[e.Message]
	e.Count += sum.Count
	e.Example = cmp.Or(sum.Example, e.Example)
	(*t)[e.Message] = e
}

// recorder holds everything that a phase records.
type recorder struct {
	mu struct {
		sync.Mutex
		names  []string              // of operations, by their number
		shards []map[string]*opCells // by name of the operation
	}
	total bank // of all snapshots; belongs to the goroutine that takes them
}

func newRecorder(shards int) *recorder {
	r := new(recorder)
	for range shards {
		r.mu.shards = append(r.mu.shards, make(map[string]*opCells))
	}
	return r
}

// op returns what records the named operation for a worker.
func (r *recorder) op(name string, worker int) *opCells {
	r.mu.Lock()
	defer r.mu.Unlock()
	shard := r.mu.shards[worker%len(r.mu.shards)]
	o := shard[name]
	if o == nil {
		o = new(opCells)
		shard[name] = o
		if !slices.Contains(r.mu.names, name) {
			r.mu.names = append(r.mu.names, name)
		}
	}
	return o
}

// bank is a snapshot: what was recorded of each operation.
type bank []opBank

type opBank struct {
	name   string
	cells  [outcomes]*cellBank
	errors errorTally
}

type cellBank struct {
	service  tally
	response *tally // nil without a schedule
}

// snapshot returns what was recorded since the last snapshot, and adds it to total.
func (r *recorder) snapshot() (latest bank) {
	now := r.read()
	for i, o := range now {
		before := opBank{}
		if i < len(r.total) {
			before = r.total[i]
		}
		latest = append(latest, o.since(before))
	}
	r.total = now
	return latest
}

// read reads all shards.
func (r *recorder) read() bank {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := make(bank, len(r.mu.names))
	for i, name := range r.mu.names {
		b[i].name = name
		for _, shard := range r.mu.shards {
			if o := shard[name]; o != nil {
				o.addTo(&b[i])
			}
		}
	}
	return b
}

// longest returns the longest service time that was measured here, less than a hundredth too short.
func (r *recorder) longest() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all tally
	for _, shard := range r.mu.shards {
		for _, o := range shard {
			for out := range o.cells {
				if c := o.cells[out].Load(); c != nil && !o.elsewhere.Load() {
					c.service.addTo(&all)
				}
			}
		}
	}
	return time.Duration(all.highest())
}

func (o *opCells) addTo(b *opBank) {
	for out := range o.cells {
		c := o.cells[out].Load()
		if c == nil {
			continue
		}
		if b.cells[out] == nil {
			b.cells[out] = new(cellBank)
		}
		to := b.cells[out]
		c.service.addTo(&to.service)
		if response := c.response.Load(); response != nil {
			if to.response == nil {
				to.response = new(tally)
			}
			response.addTo(to.response)
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, e := range o.mu.errors {
		b.errors.add(e) // their number is bounded in each shard, and in the results
	}
}

// since returns what o has more than before.
func (o opBank) since(before opBank) opBank {
	d := opBank{name: o.name}
	for out, c := range o.cells {
		if c == nil {
			continue
		}
		prev := before.cells[out]
		if prev == nil {
			prev = new(cellBank)
		}
		d.cells[out] = &cellBank{service: *c.service.since(&prev.service)}
		if c.response != nil {
			none := prev.response
			if none == nil {
				none = new(tally)
			}
			d.cells[out].response = c.response.since(none)
		}
	}
	for message, e := range o.errors {
		if n := e.Count - before.errors[message].Count; n > 0 {
			d.errors.add(ErrCount{Message: message, Count: n}) // one example is enough
		}
	}
	return d
}

// results returns the operations that have samples.
func (b bank) results(digits int) []OpResult {
	var list []OpResult
	for _, o := range b {
		res := OpResult{Name: o.name}
		for out, c := range o.cells {
			if c == nil || c.service.total == 0 {
				continue
			}
			oc := Outcome{Name: outcomeNames[out], Count: c.service.total, Service: c.service.histogram(digits)}
			if c.response != nil && c.response.total > 0 {
				oc.Response = c.response.histogram(digits)
			}
			res.Outcomes = append(res.Outcomes, oc)
		}
		if len(res.Outcomes) > 0 {
			res.Errors = o.errors.list()
			list = append(list, res)
		}
	}
	return list
}
