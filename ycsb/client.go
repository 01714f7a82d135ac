package ycsb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// Client is how one worker reaches the database. What is done through it is measured: the
// clock is read right before and right after the driver's call. One goroutine uses a Client.
// What is done through it before the first step, in NewWorker, is not measured.
type Client struct {
	p          *phase
	worker     int
	pcg        rand.PCG
	rng        *rand.Rand // of pcg
	conn       Conn
	scanner    Scanner
	batcher    Batcher
	transactor Transactor
	queryer    Queryer
	timeout    time.Duration
	hook       func(string, time.Duration, error)
	tx         *Client // what Tx hands out, made at its first use

	read, insert, update, del, scan, rmw *Op
	ops                                  map[string]*Op

	// State of a scan or query.
	each    func(key []byte, rec *Record) error // the caller's
	eachErr error                               // what it returned
	calling func(key []byte, rec *Record) error // callEach

	// State of the current step.
	due     time.Duration // negative without a schedule
	warm    bool          // not measured
	latency time.Duration // of the last operation
	down    bool          // an operation found the server unavailable
	records int64         // operations that the step stands for: 1 and what Take took
	bad     int64         // of which failed, as far as is known
	errors  int64         // failures that were not tried again or made good
	counted error         // the last of them
	quota   int64         // operations taken from the budget and not begun

	_ [64]byte // what a worker writes shares no cache line with another's
}

func newClient(p *phase, worker int, conn Conn) *Client {
	c := &Client{
		p: p, worker: worker,
		pcg:     *rand.NewPCG(p.opts.Seed, uint64(worker)),
		timeout: p.opts.Timeout,
		hook:    p.opts.Hooks.Op,
		due:     -1,
		warm:    true,
		ops:     make(map[string]*Op),
	}
	c.rng = rand.New(&c.pcg)
	c.calling = c.callEach
	c.setConn(conn)
	c.read, c.insert, c.update = c.Op(OpRead), c.Op(OpInsert), c.Op(OpUpdate)
	c.del, c.scan, c.rmw = c.Op(OpDelete), c.Op(OpScan), c.Op(OpReadModifyWrite)
	return c
}

func (c *Client) setConn(conn Conn) {
	c.conn = conn
	c.scanner, _ = conn.(Scanner)
	c.batcher, _ = conn.(Batcher)
	c.transactor, _ = conn.(Transactor)
	c.queryer, _ = conn.(Queryer)
}

// Worker returns the number of the worker: 0 <= Worker < Workers.
func (c *Client) Worker() int { return c.worker }

// Workers returns the number of workers in the phase.
func (c *Client) Workers() int { return c.p.opts.Threads }

// Phase returns the phase that the worker works in.
func (c *Client) Phase() *Phase { return &c.p.Phase }

// Rand returns the worker's source of random numbers, seeded from Options.Seed and Worker.
func (c *Client) Rand() *rand.Rand { return c.rng }

// Conn returns the driver's connection. What is done through it is not measured.
func (c *Client) Conn() Conn { return c.conn }

// Need returns nil when the driver has all the abilities, else an error that wraps
// [ErrUnsupported] and names workload, driver and what it lacks. A workload's NewWorker calls
// it, so that the phase ends before its first operation.
func (c *Client) Need(workload string, abilities ...Ability) error {
	var errs []error
	for _, a := range abilities {
		has := map[Ability]bool{
			AbilityScan: c.scanner != nil, AbilityBatch: c.batcher != nil,
			AbilityTx: c.transactor != nil, AbilityQuery: c.queryer != nil,
		}[a]
		if !has {
			errs = append(errs, fmt.Errorf("workload %s needs %v: driver %s has none: %w",
				workload, a, driverName(c.p.db), ErrUnsupported))
		}
	}
	return errors.Join(errs...)
}

// driverName returns what a DB calls itself, else the name of its package: "pebble" for a
// *pebble.DB.
func driverName(db DB) string {
	if s, ok := db.(fmt.Stringer); ok {
		return s.String()
	}
	name := strings.TrimLeft(fmt.Sprintf("%T", db), "*")
	name, _, _ = strings.Cut(name, ".")
	return name
}

// Latency returns the service time of the last operation done through the Client.
func (c *Client) Latency() time.Duration { return c.latency }

// workloadName returns what a workload calls itself, else its type.
func workloadName(w Workload) string {
	if s, ok := w.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", w)
}

// Read reads a record as [Conn] does, measured as READ.
func (c *Client) Read(ctx context.Context, table string, key []byte, fields []string, rec *Record) error {
	ctx, lim := c.limit(ctx)
	start := c.p.now()
	err := c.conn.Read(ctx, table, key, fields, rec)
	return c.read.finish(start, c.p.now(), err, lim)
}

// Insert inserts a record as [Conn] does, measured as INSERT.
func (c *Client) Insert(ctx context.Context, table string, key []byte, rec *Record) error {
	ctx, lim := c.limit(ctx)
	start := c.p.now()
	err := c.conn.Insert(ctx, table, key, rec)
	return c.insert.finish(start, c.p.now(), err, lim)
}

// Update updates a record as [Conn] does, measured as UPDATE.
func (c *Client) Update(ctx context.Context, table string, key []byte, rec *Record) error {
	ctx, lim := c.limit(ctx)
	start := c.p.now()
	err := c.conn.Update(ctx, table, key, rec)
	return c.update.finish(start, c.p.now(), err, lim)
}

// Delete deletes a record as [Conn] does, measured as DELETE.
func (c *Client) Delete(ctx context.Context, table string, key []byte) error {
	ctx, lim := c.limit(ctx)
	start := c.p.now()
	err := c.conn.Delete(ctx, table, key)
	return c.del.finish(start, c.p.now(), err, lim)
}

// ReadModifyWrite reads a record into rec and then updates it with values, which were built
// before. It is measured as READ, as UPDATE and, both together, as READ-MODIFY-WRITE. When the
// read fails rec is empty, no update is sent, and the whole ended as the read did.
func (c *Client) ReadModifyWrite(ctx context.Context, table string, key []byte, fields []string, rec, values *Record) error {
	rctx, readLim := c.limit(ctx)
	start := c.p.now()
	err := c.conn.Read(rctx, table, key, fields, rec)
	readEnd := c.p.now()
	err, readCut := readLim.end(err)
	if err != nil {
		if rec != nil {
			rec.Reset() // nothing was read
		}
		c.read.finishCut(start, readEnd, err, readCut)
		c.rmw.finishCut(start, readEnd, err, readCut)
		return err
	}
	uctx, lim := c.limit(ctx)
	updateStart := c.p.now()
	err = c.conn.Update(uctx, table, key, values)
	end := c.p.now()
	err, cut := lim.end(err)
	c.read.ok(start, readEnd) // not before: it would be part of the whole
	if err == nil {
		c.update.ok(updateStart, end)
		c.rmw.ok(start, end)
		return nil
	}
	c.update.finishCut(updateStart, end, err, cut)
	c.rmw.finishCut(start, end, err, cut)
	return err
}

// Scan scans as [Scanner] does, measured as SCAN. It returns [ErrUnsupported] when the driver
// has no scans.
func (c *Client) Scan(ctx context.Context, table string, start []byte, n int, fields []string,
	each func(key []byte, rec *Record) error,
) error {
	if c.scanner == nil {
		return c.Need("of this step", AbilityScan)
	}
	ctx, lim := c.limit(ctx)
	c.each, c.eachErr = each, nil
	begin := c.p.now()
	err := c.scanner.Scan(ctx, table, start, n, fields, c.calling)
	return c.finishEach(c.scan, begin, c.p.now(), err, lim)
}

// callEach calls each and remembers its error, which says nothing about the database.
func (c *Client) callEach(key []byte, rec *Record) error {
	err := c.each(key, rec)
	if err != nil {
		c.eachErr = err
	}
	return err
}

// finishEach is finish for an operation that called each.
func (c *Client) finishEach(op *Op, start, end time.Duration, err error, lim *timeLimit) error {
	c.each = nil
	if c.eachErr == nil || !errors.Is(err, c.eachErr) {
		return op.finish(start, end, err, lim)
	}
	_, _ = lim.end(nil)
	op.count(outcomeError, start, end, err)
	return err
}

// Query reads through an index as [Queryer] does, measured as QUERY. It returns
// [ErrUnsupported] when the driver has no queries.
func (c *Client) Query(ctx context.Context, q Query, each func(key []byte, rec *Record) error) error {
	if c.queryer == nil {
		return c.Need("of this step", AbilityQuery)
	}
	op := c.Op(OpQuery)
	ctx, lim := c.limit(ctx)
	c.each, c.eachErr = each, nil
	start := c.p.now()
	err := c.queryer.Query(ctx, q, c.calling)
	return c.finishEach(op, start, c.p.now(), err, lim)
}

// Batch carries out a batch as [Batcher] does. The round trip is measured as BATCH, and each
// item by its own outcome as READ, INSERT, UPDATE or DELETE, with the time of the round trip,
// which is what it waited. Batch returns the items' errors, joined; each is in its item's Err.
// It returns [ErrUnsupported] when the driver has no batches.
func (c *Client) Batch(ctx context.Context, table string, items []BatchItem) error {
	if c.batcher == nil {
		return c.Need("of this step", AbilityBatch)
	}
	if len(items) == 0 {
		return nil
	}
	for i := range items {
		items[i].Err = nil
	}
	op := c.Op(OpBatch)
	ctx, lim := c.limit(ctx)
	start := c.p.now()
	err := c.batcher.Batch(ctx, table, items)
	end := c.p.now()
	err = op.finish(start, end, err, lim)
	var errs []error
	for i := range items {
		it := &items[i]
		if err != nil && it.Err == nil {
			it.Err = err
		}
		it.Err = c.kind(it.Kind).finish(start, end, it.Err, nil)
		if it.Err != nil {
			c.bad++
			errs = append(errs, it.Err)
		}
	}
	return errors.Join(errs...)
}

func (c *Client) kind(k Kind) *Op {
	switch k {
	case KindRead:
		return c.read
	case KindInsert:
		return c.insert
	case KindUpdate:
		return c.update
	default:
		return c.del
	}
}

// Tx runs fn in a transaction, measured as TX from begin to commit; what fn does through tx is
// measured as usual. The transaction is rolled back when fn returns an error, which Tx
// returns. tx is for fn alone. It returns [ErrUnsupported] when the driver has no transactions.
func (c *Client) Tx(ctx context.Context, fn func(tx *Client) error) error {
	if c.transactor == nil {
		return c.Need("of this step", AbilityTx)
	}
	t := c.Op(OpTx).Start()
	err := c.inTx(ctx, fn)
	t.Done(err)
	return err
}

func (c *Client) inTx(ctx context.Context, fn func(tx *Client) error) (err error) {
	bctx, lim := c.limit(ctx)
	tx, err := c.transactor.Begin(bctx)
	if err, _ = lim.end(err); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Close()) }()
	if c.tx == nil {
		c.tx = newClient(c.p, c.worker, tx)
		c.tx.rng = c.rng
	}
	c.tx.setConn(tx)
	c.tx.due, c.tx.warm, c.tx.bad, c.tx.errors, c.tx.counted, c.tx.down = c.due, c.warm, 0, 0, nil, false
	c.tx.records, c.tx.quota = c.records, c.quota // of the same step
	err = fn(c.tx)
	t := c.tx
	c.bad, c.errors, c.down = c.bad+t.bad, c.errors+t.errors, c.down || t.down
	c.records, c.quota = t.records, t.quota
	c.counted = cmp.Or(t.counted, c.counted)
	if err != nil {
		return err
	}
	cctx, lim := c.limit(ctx)
	err, _ = lim.end(tx.Commit(cctx))
	return err
}

// limit applies Options.Timeout. The timeLimit is nil without one.
func (c *Client) limit(ctx context.Context) (context.Context, *timeLimit) {
	if c.timeout == 0 {
		return ctx, nil
	}
	return c.limited(ctx)
}

// limited is the part of limit that is too long to be inlined.
func (c *Client) limited(ctx context.Context) (context.Context, *timeLimit) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	return ctx, &timeLimit{ctx, cancel}
}

// timeLimit is the Options.Timeout of one operation.
type timeLimit struct {
	ctx    context.Context
	cancel context.CancelFunc
}

// end frees the limit and returns the operation's error, as ErrTimeout when the limit passed: a
// driver may only know that its connection broke. passed tells whether it did.
func (l *timeLimit) end(err error) (_ error, passed bool) {
	if l == nil {
		return err, false
	}
	passed = errors.Is(l.ctx.Err(), context.DeadlineExceeded)
	l.cancel()
	if err != nil && passed && !errors.Is(err, ErrTimeout) {
		err = fmt.Errorf("%w: %w", ErrTimeout, err)
	}
	return err, passed
}

// Take takes up to n more operations of the budget for the step that is under way, because it
// does several at once, and returns how many there were: the step then counts as 1 and so many.
// With a schedule they are the ones due next.
func (c *Client) Take(n int) int {
	got := c.p.takeMore(c, int64(n))
	c.records += got
	return int(got)
}

// GiveBack gives back to the budget n of the step's operations, at most as many as it counts as:
// they were not begun. A step of which nothing is left has to return an error that ends the run.
func (c *Client) GiveBack(n int) {
	back := min(max(int64(n), 0), c.records)
	c.records -= back
	c.quota += back
}

// Retry notes that what has just failed is tried again, an operation or the items of a batch, and
// waits d. It returns ctx's error, or ErrDone when the phase is over: then nothing is to be tried
// again.
func (c *Client) Retry(ctx context.Context, d time.Duration) error {
	if err := c.Sleep(ctx, d); err != nil {
		return err
	}
	if !c.warm {
		c.p.retries.Add(max(c.bad, 1))
	}
	c.bad, c.errors, c.counted, c.down = 0, 0, nil, false
	return nil
}

// MadeGood notes that n operations of the step failed because what they were to do was done
// already: an insert, for one, that finds on another try that the first one succeeded after all.
// Result.Errors leaves them out.
func (c *Client) MadeGood(n int) {
	c.bad = max(c.bad-int64(n), 0)
	c.errors = max(c.errors-int64(n), 0)
	if !c.warm {
		c.p.madeGood.Add(int64(n))
	}
}

// Failed tells how many operations failed of a step that does several. Items of batches are known
// without it. Of a step that returns an error and of which nothing is known, all count as failed.
func (c *Client) Failed(n int) { c.bad += int64(n) }

// Sleep waits d. It returns early with ctx's error when ctx ends, or with ErrDone when the
// phase is over.
func (c *Client) Sleep(ctx context.Context, d time.Duration) error {
	if c.p.stopped.Load() {
		return cmp.Or(ctx.Err(), ErrDone)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-c.p.stop:
		return cmp.Or(ctx.Err(), ErrDone)
	}
}

// Op returns the operation with the given name, which has a series of its own for the rest of the
// phase. A worker asks for it once, in NewWorker.
func (c *Client) Op(name string) *Op {
	op := c.ops[name]
	if op == nil {
		op = &Op{c: c, name: name, cells: c.p.rec.op(name, c.worker), composite: name == OpBatch || name == OpReadModifyWrite}
		c.ops[name] = op
	}
	return op
}

// Op is a named operation of one worker.
type Op struct {
	c         *Client
	name      string
	cells     *opCells
	composite bool // of operations that are counted themselves
}

// Start reads the clock. The pattern is
//
//	t := op.Start()
//	err := …
//	t.Done(err)
func (o *Op) Start() Timing { return Timing{o, o.c.p.now()} }

// Record records an operation that succeeded and took d, measured elsewhere. It has no response
// time.
func (o *Op) Record(d time.Duration) { o.RecordOutcome(d, nil) }

// RecordOutcome records an operation that took d, measured elsewhere, and ended with err. It has
// no response time.
func (o *Op) RecordOutcome(d time.Duration, err error) {
	if !o.cells.elsewhere.Load() {
		o.cells.elsewhere.Store(true)
	}
	due := o.c.due
	o.c.due = -1
	o.own(0, d, err)
	o.c.due = due
}

// Timing is a measurement under way.
type Timing struct {
	op    *Op
	start time.Duration
}

// Elapsed returns the time since Start.
func (t Timing) Elapsed() time.Duration { return t.op.c.p.now() - t.start }

// Done ends the measurement. err tells the outcome, as an error of a [Conn] does.
func (t Timing) Done(err error) {
	t.op.own(t.start, t.op.c.p.now(), err)
}

// own counts an operation of the workload's own making. When it ended with an error that an
// operation of the driver has been counted with, it says nothing new about the database.
func (o *Op) own(start, end time.Duration, err error) {
	c := o.c
	repeated := err != nil && c.counted != nil && errors.Is(err, c.counted)
	out := classify(err, c.p.cancelled.Load())
	if out.failure() && !repeated {
		c.errors++
		c.counted = err
	}
	o.record(out, start, end, err)
}

// finish counts what a driver did between two readings of the clock and returns its error. lim,
// if any, is the operation's own time limit.
func (o *Op) finish(start, end time.Duration, err error, lim *timeLimit) error {
	if err == nil && lim == nil {
		o.ok(start, end)
		return nil
	}
	err, passed := lim.end(err)
	o.finishCut(start, end, err, passed)
	return err
}

// ok is count and record for what nearly every operation is.
func (o *Op) ok(start, end time.Duration) {
	c := o.c
	c.latency = end - start
	cell := o.cells.cells[outcomeOK].Load()
	if c.warm || cell == nil || c.hook != nil {
		o.record(outcomeOK, start, end, nil)
		return
	}
	cell.service.add(int64(end - start))
	if c.due >= 0 {
		load(&cell.response).add(int64(end - c.due))
	}
}

// finishCut is finish after the time limit, which the operation passed or did not.
func (o *Op) finishCut(start, end time.Duration, err error, passed bool) {
	o.count(classify(err, !passed && o.c.p.cancelled.Load()), start, end, err)
}

// count counts an operation of the driver. Those that are made of others are recorded alone.
func (o *Op) count(out outcome, start, end time.Duration, err error) {
	c := o.c
	c.latency = end - start
	if err != nil {
		c.down = c.down || out == outcomeUnavailable
		if out.failure() && !o.composite {
			c.errors++
			c.counted = err
		}
	}
	o.record(out, start, end, err)
}

// record records an operation, unless it belongs to the warm-up.
func (o *Op) record(out outcome, start, end time.Duration, err error) {
	c := o.c
	if c.warm {
		return
	}
	response := int64(-1)
	if c.due >= 0 {
		response = int64(end - c.due)
	}
	o.cells.record(out, int64(end-start), response)
	if err != nil && out != outcomeNotFound && out != outcomeCancelled {
		o.cells.countError(err.Error())
	}
	if c.hook != nil && !c.p.over.Load() {
		c.hook(o.name, end-start, err)
	}
}
