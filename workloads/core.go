package workloads

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/generator"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// operation is one of the operations of the core workload.
type operation uint8

const (
	opRead operation = iota
	opUpdate
	opInsert
	opScan
	opReadModifyWrite
	opDelete
)

// Core is the core workload of YCSB. One phase at a time may use it. Load phases begin anew;
// run phases go on with new records where the one before ended.
type Core struct {
	config  CoreConfig
	name    string
	keys    generator.KeyNames
	numbers generator.KeyNames // keys without their prefix, which coreWorker.key holds already
	prefix  int                // its length
	fields  []string
	lengths generator.Source // of values; nil when constant
	longest int64            // value
	pick    generator.Source // of the proportions
	scans   generator.Source // lengths

	_      [64]byte     // the counter shares no cache line with what workers read
	loaded atomic.Int64 // records of the load phase handed out
	_      [56]byte

	records *generator.Sequence // indexes of the records that may be read
	seed    uint64              // of the phase
	request generator.Source    // of indexes; nil for latest and exponential
	drawn   uint64              // the indexes that are drawn are below it
	back    generator.Source    // of distances from the newest, for exponential
	zipf    generator.Zipf      // for latest
}

var (
	_ ycsb.Workload   = (*Core)(nil)
	_ ycsb.Starter    = (*Core)(nil)
	_ ycsb.Configured = (*Core)(nil)
)

// NewCore returns the workload with the given parameters, or every fault of them, joined.
func NewCore(c CoreConfig) (*Core, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("workloads: %w", err)
	}
	w := &Core{config: c, name: c.name(), keys: c.keyNames(), fields: make([]string, c.FieldCount)}
	w.numbers, w.prefix = w.keys, len(c.KeyPrefix)
	w.numbers.Prefix = ""
	for i := range w.fields {
		w.fields[i] = c.FieldNamePrefix + strconv.Itoa(i)
	}
	weights := make([]float64, 0, 6)
	for _, p := range c.proportions() {
		weights = append(weights, p.weight)
	}
	var errs [3]error
	if w.lengths, w.longest, errs[0] = c.fieldLengths(); errs[0] != nil {
		errs[0] = fmt.Errorf("fieldlengthhistogram: %w", errs[0])
	}
	w.pick, errs[1] = generator.Discrete(weights...)
	w.scans, errs[2] = c.scanLengths()
	if err := errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("workloads: %w", err)
	}
	w.reset()
	return w, nil
}

// reset forgets the records of run phases.
func (w *Core) reset() {
	w.loaded.Store(0)
	w.records = generator.NewSequence(uint64(w.config.insertCount()))
}

// String returns the workload's name: "a" to "f" when its proportions and distribution are those
// of a standard mix, else "core".
func (w *Core) String() string { return w.name }

// Config returns the parameters.
func (w *Core) Config() CoreConfig { return w.config }

// Settings returns the parameters as properties.
func (w *Core) Settings() map[string]string {
	all := map[string]string{"workload": "core"}
	for _, p := range properties.Encode(&w.config) {
		all[p.Key] = p.Value
	}
	return all
}

// Schema describes the records.
func (w *Core) Schema() ycsb.Schema {
	return ycsb.Schema{
		Table: w.config.Table, Fields: w.fields, FieldLength: int(w.longest),
		KeyLength: len(w.config.KeyPrefix) + max(20, w.config.ZeroPadding),
	}
}

// NextRecord returns the number of the record that the next insert of a run phase would make:
// the recordcount with which another run can go on. It is negative when there is no more.
func (w *Core) NextRecord() int64 {
	first, inserted := w.config.insertStartRun(), int64(w.records.Peek())-w.config.insertCount()
	if inserted > math.MaxInt64-first {
		return -1
	}
	return first + inserted
}

// Start makes the workload ready for a phase.
func (w *Core) Start(_ context.Context, p *ycsb.Phase) error {
	w.seed = p.Options.Seed
	if p.Name == "load" {
		w.reset()
		p.Total = w.config.insertCount()
		return nil
	}
	if !w.config.normal() {
		p.Options.Logger.Info("the proportions do not add up to 1: they are taken as weights", "sum", w.config.weights())
	}
	// What the run before left unsettled, since it panicked or was abandoned, never will be read.
	for i := w.records.Limit(); i < w.records.Peek(); i++ {
		_ = w.records.Fail(i) // an error is that it is settled
	}
	return w.startRequests(p)
}

// startRequests makes the distribution of the records that are asked for, over indexes: i below
// insertcount is record insertstart+i, and from there on come the inserts of run phases. Those of
// runs before count among the records there are.
func (w *Core) startRequests(p *ycsb.Phase) (err error) {
	c := &w.config
	n := w.records.Limit()
	items := n
	if new := 2 * float64(p.Options.Operations) * c.insertShare(); new >= 1<<52 {
		return fmt.Errorf("workloads: %g expected inserts are too many", new)
	} else if c.RequestDistribution == "zipfian" || c.RequestDistribution == "zipfian_exact" {
		// Room for the records to come, as in Java: the places of those there are depend on it.
		items += uint64(new) + 1
		if (items-1)/10 >= n { // items > 10 n, which may overflow
			p.Options.Logger.Warn("most of the records that are asked for do not exist at first: they are drawn again",
				"records", n, "expected", items)
		}
	}
	w.request, w.back, w.drawn = nil, nil, n
	switch c.RequestDistribution {
	case "uniform":
		w.request, err = generator.Uniform(0, n-1)
	case "sequential":
		w.request, err = generator.Sequential(0, n-1)
	case "hotspot":
		w.request, err = generator.Hotspot(0, n-1, c.HotspotDataFraction, c.HotspotOpFraction)
	case "zipfian":
		w.drawn = items
		w.request, err = generator.Scrambled(0, items-1, c.ZipfianTheta)
	case "zipfian_exact":
		w.drawn = items
		w.request, err = generator.NewExact(items, c.ZipfianTheta)
	case "exponential":
		w.drawn = math.MaxInt64
		w.back, err = generator.Exponential(c.ExponentialPercentile, float64(n)*c.ExponentialFrac)
	case "latest":
		w.drawn = math.MaxInt64
		w.zipf, err = generator.NewZipf(n, c.ZipfianTheta)
	}
	if err != nil {
		return fmt.Errorf("workloads: %w", err)
	}
	return nil
}

// NewWorker returns a worker.
func (w *Core) NewWorker(c *ycsb.Client) (ycsb.Worker, error) {
	var needs []ycsb.Ability
	if w.config.Scan > 0 && c.Phase().Name == "run" {
		needs = append(needs, ycsb.AbilityScan)
	}
	if w.config.BatchSize > 1 {
		needs = append(needs, ycsb.AbilityBatch)
	}
	if err := c.Need(w.name, needs...); err != nil {
		return nil, err
	}
	k := &coreWorker{
		core: w, config: &w.config, c: c, r: c.Rand(), zipf: w.zipf,
		verified: c.Op(ycsb.OpVerify), perRecord: c.Op(ycsb.OpScanPerRecord),
		key: []byte(w.config.KeyPrefix),
	}
	if w.config.ReadAllFieldsByName || w.config.DataIntegrity {
		k.names = w.fields
	}
	k.lengths = rand.New(&k.lengthsPCG)
	k.each = func([]byte, *ycsb.Record) error {
		k.scanned++
		return nil
	}
	if n := w.config.BatchSize; n > 1 {
		k.batch = make([]batched, n)
	}
	return k, nil
}

// coreWorker is one worker of a Core.
type coreWorker struct {
	core   *Core
	config *CoreConfig
	c      *ycsb.Client
	r      *rand.Rand
	names  []string // of the fields that a read of all fields asks for; nil is all
	zipf   generator.Zipf

	verified, perRecord *ycsb.Op

	// Scratch memory.
	lengthsPCG rand.PCG
	lengths    *rand.Rand // of lengthsPCG, seeded for each record
	key        []byte
	one        [1]string
	read       ycsb.Record
	values     ycsb.Record
	expected   []byte
	each       func([]byte, *ycsb.Record) error
	scanned    int
	batch      []batched
	items      []ycsb.BatchItem // of batch, not sent yet
	inserts    int              // of items
}

// batched is an operation of a batch, and its memory.
type batched struct {
	index  uint64 // of the record
	key    []byte
	one    [1]string
	record ycsb.Record
}

// StepSize returns the operations of a batch.
func (k *coreWorker) StepSize() int { return int(max(k.config.BatchSize, 1)) }

// number returns the number of the record with an index.
func (k *coreWorker) number(index uint64) int64 {
	if n := uint64(k.config.insertCount()); index >= n {
		return k.config.insertStartRun() + int64(index-n)
	}
	return k.config.InsertStart + int64(index)
}

var (
	// errNoRecord ends a run in which nothing can be asked for any more.
	errNoRecord = errors.New("workloads: no readable record is left")
	// errNoNumber ends a run that inserted the last record that has a number.
	errNoNumber = fmt.Errorf("workloads: there is no record beyond number %d", int64(math.MaxInt64))
	// errUnsent: there will be a readable record when the batch is sent.
	errUnsent = errors.New("workloads: the batch has to be sent first")
)

// mostDraws bounds the draws of a record that may be read. Then the next one at hand is taken, if
// there is one among those that the distribution can draw.
const mostDraws = 1000

// notBegun tells whether an error means that there was no operation.
func notBegun(err error) bool {
	return errors.Is(err, errNoRecord) || errors.Is(err, errNoNumber) || errors.Is(err, ycsb.ErrDone)
}

// choose draws the index of a record that may be read. When there is none, now or ever, the
// operation is given back.
func (k *coreWorker) choose(ctx context.Context) (uint64, error) {
	w := k.core
	for range mostDraws {
		var i uint64
		switch {
		case w.request != nil:
			i = w.request.Next(k.r)
		case w.back != nil:
			limit, back := w.records.Limit(), w.back.Next(k.r)
			if back >= limit {
				continue
			}
			i = limit - 1 - back
		default:
			limit := w.records.Limit()
			if k.zipf.N() != limit {
				k.zipf = k.zipf.Grow(limit)
			}
			i = limit - 1 - k.zipf.Next(k.r)
		}
		if w.records.Readable(i) {
			return i, nil
		}
	}
	for {
		limit, handedOut := w.records.Limit(), w.records.Peek()
		for _, end := range [2]uint64{min(w.drawn, limit), limit} {
			if i, ok := w.records.Nearest(k.r.Uint64N(end), end); ok {
				return i, nil
			}
		}
		switch {
		case limit == handedOut:
			k.c.GiveBack(1)
			return 0, ycsb.Fatal(errNoRecord)
		case k.inserts > 0:
			return 0, errUnsent
		case k.c.Sleep(ctx, time.Millisecond) != nil: // others' inserts are under way
			k.c.GiveBack(1)
			return 0, ycsb.ErrDone
		}
	}
}

// Load inserts the next record, or batch of records.
func (k *coreWorker) Load(ctx context.Context) error {
	n := k.core.loaded.Add(max(k.config.BatchSize, 1)) - max(k.config.BatchSize, 1)
	left := k.config.insertCount() - n
	if left <= 0 {
		return ycsb.ErrDone
	}
	first := k.config.InsertStart + n
	if k.config.BatchSize > 1 {
		return k.loadBatch(ctx, first, min(left, k.config.BatchSize))
	}
	k.key = k.core.numbers.Append(k.key[:k.core.prefix], first)
	k.newRecord(&k.values, k.key, first)
	err := k.retry(ctx, k.key, func(again bool) error {
		err := k.c.Insert(ctx, k.config.Table, k.key, &k.values)
		if again && errors.Is(err, ycsb.ErrExists) { // an earlier try succeeded after all
			k.c.MadeGood(1)
			return nil
		}
		return err
	})
	if err != nil {
		k.core.records.Remove(uint64(n))
	}
	return err
}

// loadBatch inserts n records at once, those that fail again.
func (k *coreWorker) loadBatch(ctx context.Context, first, n int64) error {
	k.c.Take(int(n) - 1)
	k.items = k.items[:0]
	for i := range n {
		b := &k.batch[i]
		b.index = uint64(first + i - k.config.InsertStart)
		b.key = k.core.keys.Append(b.key[:0], first+i)
		k.newRecord(&b.record, b.key, first+i)
		k.items = append(k.items, ycsb.BatchItem{Kind: ycsb.KindInsert, Key: b.key, Record: &b.record})
	}
	err := k.retry(ctx, k.items[0].Key, func(again bool) error {
		err := k.c.Batch(ctx, k.config.Table, k.items)
		failed := k.items[:0]
		for _, it := range k.items {
			switch {
			case it.Err == nil:
			case again && errors.Is(it.Err, ycsb.ErrExists):
				k.c.MadeGood(1)
			default:
				failed = append(failed, it)
			}
		}
		k.items = failed
		if len(failed) == 0 {
			return nil
		}
		return err
	})
	if err == nil {
		return nil
	}
	b := k.batch
	for _, it := range k.items { // in the order of the batch
		for &b[0].record != it.Record {
			b = b[1:]
		}
		k.core.records.Remove(b[0].index)
	}
	return err
}

// retry inserts until it succeeds, as often as the properties allow. It tells insert whether it
// is called again.
func (k *coreWorker) retry(ctx context.Context, key []byte, insert func(again bool) error) error {
	for tries := int64(0); ; tries++ {
		err := insert(tries > 0)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return err
		case tries < k.config.InsertionRetryLimit:
			pause := min(float64(k.config.InsertionRetryInterval)*(0.8+0.4*k.r.Float64()), 1<<62)
			if stop := k.c.Retry(ctx, time.Duration(pause)); stop != nil {
				return err
			}
		case k.config.KeepGoingOnInsertErrors:
			return err
		default:
			return ycsb.Fatal(fmt.Errorf("load: insert of %s, tried %d times: %w", key, tries+1, err))
		}
	}
}

// Run does one operation, or a batch of operations.
func (k *coreWorker) Run(ctx context.Context) error {
	if k.config.BatchSize > 1 {
		return k.runBatch(ctx)
	}
	return k.do(ctx, operation(k.core.pick.Next(k.r)))
}

func (k *coreWorker) do(ctx context.Context, op operation) error {
	if op == opInsert {
		return k.doInsert(ctx)
	}
	index, err := k.choose(ctx)
	if err != nil {
		return err
	}
	n := k.number(index)
	k.key = k.core.numbers.Append(k.key[:k.core.prefix], n)
	switch op {
	case opUpdate:
		k.update(&k.values, k.key)
		return k.c.Update(ctx, k.config.Table, k.key, &k.values)
	case opScan:
		return k.doScan(ctx)
	case opReadModifyWrite:
		fields := k.readFields(&k.one)
		k.update(&k.values, k.key)
		k.read.Reset()
		err := k.c.ReadModifyWrite(ctx, k.config.Table, k.key, fields, &k.read, &k.values)
		if !k.config.DataIntegrity || k.read.Len() == 0 && !k.mayVerify(err) {
			return err
		}
		return errors.Join(err, k.verify(k.key, fields, &k.read))
	case opDelete:
		for !k.core.records.Remove(index) {
			if index, err = k.choose(ctx); err != nil {
				return err
			}
		}
		k.key = k.core.numbers.Append(k.key[:k.core.prefix], k.number(index))
		return k.c.Delete(ctx, k.config.Table, k.key)
	default:
		fields := k.readFields(&k.one)
		k.read.Reset()
		err := k.c.Read(ctx, k.config.Table, k.key, fields, &k.read)
		if !k.mayVerify(err) {
			return err
		}
		return errors.Join(err, k.verify(k.key, fields, &k.read))
	}
}

// next returns the index of a new record. When numbers are used up the operation is given back.
func (k *coreWorker) next() (uint64, error) {
	index := k.core.records.Next()
	if k.number(index) >= 0 {
		return index, nil
	}
	k.c.GiveBack(1)
	return 0, errors.Join(ycsb.Fatal(errNoNumber), k.core.records.Fail(index))
}

func (k *coreWorker) doInsert(ctx context.Context) error {
	index, err := k.next()
	if err != nil {
		return err
	}
	n := k.number(index)
	k.key = k.core.numbers.Append(k.key[:k.core.prefix], n)
	k.newRecord(&k.values, k.key, n)
	if err := k.c.Insert(ctx, k.config.Table, k.key, &k.values); err != nil {
		return errors.Join(err, k.core.records.Fail(index))
	}
	return k.core.records.Ack(index)
}

func (k *coreWorker) doScan(ctx context.Context) error {
	n := int(k.core.scans.Next(k.r))
	fields := k.readFields(&k.one)
	k.scanned = 0
	err := k.c.Scan(ctx, k.config.Table, k.key, n, fields, k.each)
	if err == nil && k.scanned > 0 {
		k.perRecord.Record(k.c.Latency() / time.Duration(k.scanned))
	}
	return err
}

// runBatch does as many operations as a batch holds, fewer when the budget ends or there are no
// more to be had: the next step finds that again.
func (k *coreWorker) runBatch(ctx context.Context) error {
	n := 1 + k.c.Take(int(k.config.BatchSize)-1)
	k.items, k.inserts = k.items[:0], 0
	var errs []error
	note := func(err error) {
		if err != nil { // lest errs be allocated
			errs = append(errs, err)
		}
	}
	for i := range n {
		op := operation(k.core.pick.Next(k.r))
		err := k.add(ctx, op)
		if err == errUnsent { //nolint:errorlint // never wrapped
			note(k.send(ctx))
			err = k.add(ctx, op)
		}
		if notBegun(err) {
			k.c.GiveBack(n - 1 - i)
			if i == 0 {
				return err
			}
			break
		}
		note(err)
	}
	note(k.send(ctx))
	return errors.Join(errs...)
}

// add adds an operation to the batch, or does one that cannot be batched: scans and
// read-modify-writes.
func (k *coreWorker) add(ctx context.Context, op operation) error {
	if op == opScan || op == opReadModifyWrite {
		err := k.do(ctx, op)
		if err != nil && err != errUnsent && !notBegun(err) { //nolint:errorlint // never wrapped
			k.c.Failed(1)
		}
		return err
	}
	item, err := k.item(ctx, &k.batch[len(k.items)], op)
	if err != nil {
		return err
	}
	k.items = append(k.items, item)
	if op == opInsert {
		k.inserts++
	}
	return nil
}

// send sends the batch.
func (k *coreWorker) send(ctx context.Context) error {
	err := k.c.Batch(ctx, k.config.Table, k.items)
	for i, it := range k.items {
		switch {
		case it.Kind == ycsb.KindInsert && it.Err != nil:
			err = errors.Join(err, k.core.records.Fail(k.batch[i].index))
		case it.Kind == ycsb.KindInsert:
			err = errors.Join(err, k.core.records.Ack(k.batch[i].index))
		case it.Kind == ycsb.KindRead && k.mayVerify(it.Err):
			if bad := k.verify(it.Key, it.Fields, it.Record); bad != nil {
				if it.Err == nil { // else the item has failed as it is
					k.c.Failed(1)
				}
				err = errors.Join(err, bad)
			}
		}
	}
	k.items, k.inserts = k.items[:0], 0
	return err
}

// item makes an operation of a batch.
func (k *coreWorker) item(ctx context.Context, b *batched, op operation) (item ycsb.BatchItem, err error) {
	if op == opInsert {
		b.index, err = k.next()
	} else {
		b.index, err = k.choose(ctx)
	}
	for op == opDelete && err == nil && !k.core.records.Remove(b.index) {
		b.index, err = k.choose(ctx)
	}
	if err != nil {
		return item, err
	}
	n := k.number(b.index)
	b.key = k.core.keys.Append(b.key[:0], n)
	item = ycsb.BatchItem{Key: b.key, Record: &b.record}
	switch op {
	case opInsert:
		item.Kind = ycsb.KindInsert
		k.newRecord(&b.record, b.key, n)
	case opUpdate:
		item.Kind = ycsb.KindUpdate
		k.update(&b.record, b.key)
	case opDelete:
		item.Kind, item.Record = ycsb.KindDelete, nil
	default:
		item.Kind = ycsb.KindRead
		item.Fields = k.readFields(&b.one)
		b.record.Reset()
	}
	return item, nil
}

// readFields returns the fields that a read asks for: one drawn, or all.
func (k *coreWorker) readFields(one *[1]string) []string {
	if k.config.ReadAllFields {
		return k.names
	}
	one[0] = k.core.fields[k.r.IntN(len(k.core.fields))]
	return one[:]
}

// mayVerify tells whether a read that ended with err says something of the record's integrity: a
// record that is gone though nobody deletes any is not as it was written.
func (k *coreWorker) mayVerify(err error) bool {
	return k.config.DataIntegrity && (err == nil || k.config.Delete == 0 && errors.Is(err, ycsb.ErrNotFound))
}

// verify compares what was read, and counts the outcome as VERIFY.
func (k *coreWorker) verify(key []byte, fields []string, rec *ycsb.Record) error {
	start := k.verified.Start()
	var err error
	k.expected, err = verify(rec, key, fields, int(k.config.FieldLength), k.expected)
	k.verified.RecordOutcome(start.Elapsed(), err)
	return err
}

// newRecord makes the values of record n, which depend on the seed and n alone.
func (k *coreWorker) newRecord(rec *ycsb.Record, key []byte, n int64) {
	rec.Reset()
	w := k.core
	length := int(w.longest)
	if w.lengths != nil {
		k.lengthsPCG.Seed(w.seed, uint64(n))
	}
	for i, name := range w.fields {
		if w.lengths != nil {
			length = int(w.lengths.Next(k.lengths))
		}
		if k.config.DataIntegrity {
			k.integrityValue(rec, key, name)
			continue
		}
		generator.Fill(rec.Grow(name, length), generator.Seed(w.seed, uint64(n), i))
	}
}

// update makes the values of an update: of one field drawn, or of all.
func (k *coreWorker) update(rec *ycsb.Record, key []byte) {
	rec.Reset()
	fields := k.core.fields
	if !k.config.WriteAllFields {
		i := k.r.IntN(len(fields))
		fields = fields[i : i+1]
	}
	for _, name := range fields {
		if k.config.DataIntegrity {
			k.integrityValue(rec, key, name)
			continue
		}
		length := int(k.core.longest)
		if k.core.lengths != nil {
			length = int(k.core.lengths.Next(k.r))
		}
		generator.Fill(rec.Grow(name, length), k.r.Uint64())
	}
}

func (k *coreWorker) integrityValue(rec *ycsb.Record, key []byte, name string) {
	k.expected = deterministicValue(k.expected[:0], key, name, int(k.config.FieldLength))
	rec.Append(name, k.expected)
}
