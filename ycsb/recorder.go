package ycsb

import (
	"math/bits"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The engine records latencies in counts of its own, which have the buckets of an
// HdrHistogram of three digits but take memory only where latencies fell. They live in a
// bounded number of shards, each behind a lock that its few workers take for some
// nanoseconds, and become Histograms when a phase or an interval ends.

const (
	segmentBits = 10 // an HdrHistogram of three digits has 2^11 sub-buckets, in halves
	segmentLen  = 1 << segmentBits
	segments    = 64 - segmentBits
)

// counts counts latencies. Its segments, laid end to end, are the counts array of an
// HdrHistogram with unit magnitude 0 and three significant digits.
type counts struct {
	segs  [segments]*[segmentLen]uint64
	total uint64
}

// add counts a latency of v nanoseconds n times.
func (c *counts) add(v int64, n uint64) {
	v = max(v, 0)
	shift := max(bits.Len64(uint64(v))-(segmentBits+1), 0)
	sub := uint64(v) >> shift
	seg := shift + int(sub>>segmentBits)
	p := c.segs[seg]
	if p == nil {
		p = new([segmentLen]uint64)
		c.segs[seg] = p
	}
	p[sub&(segmentLen-1)] += n
	c.total += n
}

// merge adds o.
func (c *counts) merge(o *counts) {
	for i, from := range o.segs {
		if from == nil {
			continue
		}
		if c.segs[i] == nil {
			c.segs[i] = new([segmentLen]uint64)
		}
		for j, n := range from {
			c.segs[i][j] += n
		}
	}
	c.total += o.total
}

// clear forgets all latencies and keeps the memory.
func (c *counts) clear() {
	for _, p := range c.segs {
		if p != nil {
			*p = [segmentLen]uint64{}
		}
	}
	c.total = 0
}

// highest returns the lowest value of the highest bucket in use.
func (c *counts) highest() int64 {
	for seg := segments - 1; seg >= 0; seg-- {
		if c.segs[seg] == nil {
			continue
		}
		for sub := segmentLen - 1; sub >= 0; sub-- {
			if c.segs[seg][sub] != 0 {
				return bucketValue(seg, sub)
			}
		}
	}
	return 0
}

// bucketValue returns the lowest value that add counts in a bucket.
func bucketValue(seg, sub int) int64 {
	if seg == 0 {
		return int64(sub)
	}
	return int64(sub+segmentLen) << (seg - 1)
}

// histogram returns the latencies as a Histogram of the given number of digits.
func (c *counts) histogram(digits int) *Histogram {
	h := newHDR(c.highest(), digits)
	if digits == histogramDigits {
		s := h.Export()
		for seg, p := range c.segs {
			if p == nil {
				continue
			}
			for sub, n := range p {
				if n != 0 {
					s.Counts[seg*segmentLen+sub] = int64(n)
				}
			}
		}
		return &Histogram{h: hdrhistogram.Import(s)}
	}
	out := &Histogram{h: h}
	for seg, p := range c.segs {
		if p == nil {
			continue
		}
		for sub, n := range p {
			if n != 0 {
				out.RecordN(time.Duration(bucketValue(seg, sub)), n)
			}
		}
	}
	return out
}

// cell is what is recorded of one outcome of one operation.
type cell struct {
	n        uint64
	service  counts
	response *counts // nil without a schedule
}

func (c *cell) record(service, response int64, n uint64) {
	c.n += n
	c.service.add(service, n)
	if response >= 0 {
		if c.response == nil {
			c.response = new(counts)
		}
		c.response.add(response, n)
	}
}

func (c *cell) merge(o *cell) {
	c.n += o.n
	c.service.merge(&o.service)
	if o.response != nil {
		if c.response == nil {
			c.response = new(counts)
		}
		c.response.merge(o.response)
	}
}

func (c *cell) clear() {
	c.n = 0
	c.service.clear()
	if c.response != nil {
		c.response.clear()
	}
}

// opBank holds the outcomes of one operation.
type opBank struct {
	cells  [outcomes]*cell
	errors map[string]uint64 // messages, folded; at most maxErrorMessages
}

// bank holds operations by their number.
type bank struct{ ops []*opBank }

func (b *bank) op(id int) *opBank {
	for len(b.ops) <= id {
		b.ops = append(b.ops, new(opBank))
	}
	return b.ops[id]
}

func (o *opBank) cell(out outcome) *cell {
	if o.cells[out] == nil {
		o.cells[out] = new(cell)
	}
	return o.cells[out]
}

// maxErrorMessages bounds the distinct messages kept of one operation.
const maxErrorMessages = 64

func (o *opBank) countError(message string, n uint64) {
	if o.errors == nil {
		o.errors = make(map[string]uint64)
	}
	if _, ok := o.errors[message]; !ok && len(o.errors) >= maxErrorMessages {
		message = otherErrors
	}
	o.errors[message] += n
}

// otherErrors stands for the messages beyond the first maxErrorMessages.
const otherErrors = "(other errors)"

// merge adds o.
func (b *bank) merge(o *bank) {
	for id, from := range o.ops {
		to := b.op(id)
		for out, c := range from.cells {
			if c != nil && c.n > 0 {
				to.cell(outcome(out)).merge(c)
			}
		}
		for message, n := range from.errors {
			to.countError(message, n)
		}
	}
}

func (b *bank) clear() {
	for _, o := range b.ops {
		for _, c := range o.cells {
			if c != nil {
				c.clear()
			}
		}
		clear(o.errors)
	}
}

// shard records for some of the workers.
type shard struct {
	mu     sync.Mutex
	bank   *bank
	closed bool     // the phase is over: what comes late is not counted
	_      [40]byte // a cache line of its own
}

// record counts n operations of the same latency. A negative response means that there was
// no schedule.
func (s *shard) record(op int, out outcome, service, response int64, n uint64) {
	s.mu.Lock()
	if !s.closed {
		s.bank.op(op).cell(out).record(service, response, n)
	}
	s.mu.Unlock()
}

func (s *shard) countError(op int, message string) {
	s.mu.Lock()
	if !s.closed {
		s.bank.op(op).countError(message, 1)
	}
	s.mu.Unlock()
}

// recorder holds everything that a phase records.
type recorder struct {
	shards []shard

	names struct {
		sync.Mutex
		list []string
		ids  map[string]int
	}

	// What follows belongs to the goroutine that takes snapshots.
	total bank  // of all snapshots
	spare *bank // empty, to be swapped in
}

func newRecorder(shards int) *recorder {
	r := &recorder{shards: make([]shard, shards), spare: new(bank)}
	r.names.ids = make(map[string]int)
	for i := range r.shards {
		r.shards[i].bank = new(bank)
	}
	return r
}

// op returns the number of the named operation.
func (r *recorder) op(name string) int {
	r.names.Lock()
	defer r.names.Unlock()
	id, ok := r.names.ids[name]
	if !ok {
		id = len(r.names.list)
		r.names.list = append(r.names.list, name)
		r.names.ids[name] = id
	}
	return id
}

func (r *recorder) opNames() []string {
	r.names.Lock()
	defer r.names.Unlock()
	return r.names.list[:len(r.names.list):len(r.names.list)]
}

// snapshot moves what was recorded since the last snapshot into total and returns it apart.
// With last, nothing is recorded any more. Workers wait only for the swap of a pointer.
func (r *recorder) snapshot(last bool) *bank {
	latest := new(bank)
	for i := range r.shards {
		s := &r.shards[i]
		s.mu.Lock()
		full := s.bank
		s.bank = r.spare
		s.closed = last
		s.mu.Unlock()
		latest.merge(full)
		full.clear()
		r.spare = full
	}
	r.total.merge(latest)
	return latest
}

// results returns a bank as results of operations, those without samples left out.
func (r *recorder) results(b *bank, digits int) []OpResult {
	var list []OpResult
	names := r.opNames()
	for id, o := range b.ops {
		res := OpResult{Name: names[id]}
		for out, c := range o.cells {
			if c == nil || c.n == 0 {
				continue
			}
			oc := Outcome{Name: outcomeNames[out], Count: c.n, Service: c.service.histogram(digits)}
			if c.response != nil && c.response.total > 0 {
				oc.Response = c.response.histogram(digits)
			}
			res.Outcomes = append(res.Outcomes, oc)
		}
		if len(res.Outcomes) == 0 {
			continue
		}
		res.Errors = errorCounts(o.errors)
		list = append(list, res)
	}
	return list
}
