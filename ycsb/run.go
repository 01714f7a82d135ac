package ycsb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// Load runs the load phase of w against db: it prepares the table, empties it if Options.Drop
// says so, refuses one that is not empty unless Options.Append does, lets the workers load,
// makes the rows durable and counts them, as far as the driver can. Every step of the workers
// is done: Operations and Warmup are ignored.
//
// The Result is nil only when nothing was measured. Else it comes with the error, if any,
// that ended the phase early: interruption of ctx, a fault of the workload, a panic of the
// driver (with its stack), operations that did not come back, rows that are missing. Failed
// operations are counted, not returned.
func Load(ctx context.Context, db DB, w Workload, o *Options) (*Result, error) {
	return newPhase("load", db, w, o).run(ctx)
}

// Run runs the run phase of w against db, until Options.Operations are done, Options.Duration
// has passed, the workers have no more work, or ctx ends. Result and error are those of [Load].
func Run(ctx context.Context, db DB, w Workload, o *Options) (*Result, error) {
	return newPhase("run", db, w, o).run(ctx)
}

// newSeed draws a seed that JSON readers with 53-bit numbers can hold.
func newSeed() uint64 { return 1 + rand.Uint64N(1<<53-1) }

const (
	drainTime   = 100 * time.Millisecond // that operations under way at the end have at least, before they are cancelled
	connecting  = 32                     // connections opened at once
	firstPause  = time.Millisecond       // after an operation that found the server unavailable
	longestWait = time.Second
	largeChunk  = 32                     // steps taken from the budget at once
	chunkTime   = 100 * time.Microsecond // that they may take

	shortOperation = 2 * time.Microsecond // beside which telling of it takes long
)

// phase is a phase of a benchmark.
type phase struct {
	Phase
	opts     Options // Phase.Options, its defaults filled in
	err      error   // of the options
	db       DB
	workload Workload
	load     bool
	rows     int64 // of the table before it is loaded

	base     time.Time     // origin of the phase's clock
	started  atomic.Bool   // base is set
	begin    time.Duration // when measurement begins: the end of the warm-up
	rec      *recorder
	sched    *schedule // nil without a plan
	budget   budget
	retries  atomic.Int64
	madeGood atomic.Int64
	failures atomic.Int64 // operations that Options.MaxErrors counts
	workers  []*worker

	stop      chan struct{} // closed at the end
	stopped   atomic.Bool   // the same, cheaper to ask
	cut       chan struct{} // closed when operations were told to come back
	over      atomic.Bool   // the Result is made: what comes late is told to nobody
	cancelled atomic.Bool   // operations were told to come back
	ending    struct {
		sync.Mutex
		reason string // "" before the end
		at     time.Duration
		err    error
		cancel context.CancelFunc // of the operations
		drain  *time.Timer
	}
}

// worker is one worker of a phase.
type worker struct {
	c        *Client
	w        Worker
	size     int64         // operations that its steps do
	began    bool          // it has asked the schedule for a step
	late     time.Duration // by which that came late by the client's own doing
	refilled time.Duration // when it last took from the budget
	chunk    int64         // how much it took
	done     int64         // steps, of which others learn by the counter
	ended    atomic.Int64  // when it did its last step
	steps    atomic.Int64
	failed   atomic.Int64
	errors   atomic.Int64
	_        [40]byte // the counters change with every step: no neighbour on their cache line
}

func newWorker(c *Client, w Worker) *worker {
	size := 1
	if s, ok := w.(StepSizer); ok {
		size = min(max(s.StepSize(), 1), mostTaken)
	}
	return &worker{c: c, w: w, size: int64(size)}
}

// budget is what is left of Options.Operations.
type budget struct {
	_       [64]byte // its cache line is shared by all workers, and by nothing else
	left    atomic.Int64
	limited bool
	_       [48]byte
}

// take takes up to n operations.
func (b *budget) take(n int64) int64 {
	if !b.limited || n <= 0 {
		return n
	}
	for {
		left := b.left.Load()
		n = min(n, left)
		if n <= 0 {
			return 0
		}
		if b.left.CompareAndSwap(left, left-n) {
			return n
		}
	}
}

func newPhase(name string, db DB, w Workload, o *Options) *phase {
	p := &phase{err: o.Validate(), db: db, workload: w, load: name == "load", stop: make(chan struct{}), cut: make(chan struct{})}
	if db == nil || w == nil {
		p.err = errors.Join(p.err, errors.New("ycsb: no database or no workload"))
	}
	if p.err != nil {
		return p
	}
	p.Phase = Phase{Name: name, Options: o.withDefaults()}
	if p.load {
		p.Options.Operations, p.Options.Warmup = 0, 0
	}
	p.opts = p.Options
	p.Total = p.opts.Operations
	p.begin = p.opts.Warmup
	p.rec = newRecorder(min(max(p.opts.Threads, 1), max(8, 2*runtime.GOMAXPROCS(0))))
	p.budget.limited = p.opts.Operations > 0
	p.budget.left.Store(p.opts.Operations)
	p.base = time.Now()
	p.progress = p.howFar
	return p
}

// now reads the phase's clock: the monotonic one alone.
func (p *phase) now() time.Duration { return time.Since(p.base) }

// end ends the phase. The first reason counts, and the first error. An interrupt that comes
// later only hastens what is under way.
func (p *phase) end(reason string, err error) {
	e := &p.ending
	e.Lock()
	defer e.Unlock()
	switch {
	case e.reason == "":
		e.reason, e.err, e.at = reason, err, p.now()
		p.stopped.Store(true)
		d := drainTime
		if reason == EndedDuration {
			d = max(d, min(2*p.rec.longest(), p.opts.Grace))
		}
		e.drain = time.AfterFunc(d, p.cancelOperations)
		close(p.stop)
	case reason == EndedError && e.err == nil:
		e.reason, e.err = reason, err
	}
	if reason == EndedInterrupted || reason == EndedError {
		e.drain.Reset(0)
	}
}

// ended tells how the phase ended.
func (p *phase) ended() (reason string, at time.Duration, err error) {
	p.ending.Lock()
	defer p.ending.Unlock()
	return p.ending.reason, p.ending.at, p.ending.err
}

// cancelOperations tells operations under way to come back.
func (p *phase) cancelOperations() {
	if p.cancelled.Swap(true) {
		return
	}
	p.ending.Lock()
	defer p.ending.Unlock()
	p.ending.cancel()
	close(p.cut)
}

// run runs the phase.
func (p *phase) run(ctx context.Context) (*Result, error) {
	if p.err != nil {
		return nil, p.err
	}
	if ctx.Err() != nil {
		return nil, interruption(ctx)
	}
	if err := p.bounded(ctx, "prepare", func() error { return p.prepare(ctx) }); err != nil {
		return nil, err
	}
	if err := p.bounded(ctx, "connect", func() error { return p.connect(ctx) }); err != nil {
		return nil, err
	}
	info := p.describe(ctx)
	if p.opts.Hooks.Start != nil {
		p.opts.Hooks.Start(&p.Phase)
	}
	res := p.measure(ctx)
	res.Database = info
	reason, _, err := p.ended()
	res.Ended = reason
	if p.opts.Hooks.End != nil {
		p.opts.Hooks.End(res)
	}
	return res, err
}

// bounded calls f, which calls the driver. When ctx ends f has the grace time to come back. A
// panic becomes an error with the stack.
func (p *phase) bounded(ctx context.Context, what string, f func() error) error {
	done := make(chan error, 1)
	go func() {
		err := errors.New(what + ": the goroutine was ended") // by runtime.Goexit
		defer func() { done <- err }()
		err = contain(f)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(p.opts.Grace):
		return fmt.Errorf("%s: the driver did not come back within %v: %w", what, p.opts.Grace, interruption(ctx))
	}
}

// interruption returns the error of a context that has ended, with its cause.
func interruption(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// later returns a + b, at most the longest time.
func later(a, b time.Duration) time.Duration {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// prepare makes the database and the workload ready.
func (p *phase) prepare(ctx context.Context) error {
	if table := p.workload.Schema().Table; p.load && table != "" {
		if err := p.makeTable(ctx, table); err != nil {
			return err
		}
	}
	if s, ok := p.workload.(Starter); ok && ctx.Err() == nil {
		return s.Start(ctx, &p.Phase)
	}
	return ctx.Err()
}

// makeTable creates the table, or finds it fit to be loaded.
func (p *phase) makeTable(ctx context.Context, table string) error {
	if d, ok := p.db.(Preparer); ok {
		if err := d.Prepare(ctx, p.workload.Schema()); err != nil {
			return fmt.Errorf("prepare table %s: %w", table, err)
		}
	}
	if ctx.Err() != nil { // nobody waits any more: nothing is to be emptied now
		return ctx.Err()
	}
	if p.opts.Drop {
		d, ok := p.db.(Truncater)
		if !ok {
			return fmt.Errorf("dropdata: driver %s cannot empty a table: %w", driverName(p.db), ErrUnsupported)
		}
		if err := d.Truncate(ctx, table); err != nil {
			return fmt.Errorf("empty table %s: %w", table, err)
		}
	}
	if d, ok := p.db.(Counter); ok {
		n, err := d.Count(ctx, table)
		if err != nil {
			return fmt.Errorf("count table %s: %w", table, err)
		}
		if p.rows = n; n > 0 && !p.opts.Append {
			return fmt.Errorf("table %s holds %d rows: empty it (dropdata) or allow loading into it (load.append): %w",
				table, n, ErrExists)
		}
	}
	return nil
}

// connect makes the workers, with their connections.
func (p *phase) connect(ctx context.Context) error {
	conns, err := p.dial(ctx)
	for i := 0; i < len(conns) && err == nil; i++ {
		err = contain(func() error {
			c := newClient(p, i, conns[i])
			w, err := p.workload.NewWorker(c)
			if err == nil && w == nil {
				err = fmt.Errorf("workload %s made no worker", workloadName(p.workload))
			}
			p.workers = append(p.workers, newWorker(c, w))
			return err
		})
	}
	if err == nil {
		err = ctx.Err() // nobody waits any more
	}
	if err == nil {
		return nil
	}
	errs := []error{err}
	for _, conn := range conns {
		if conn != nil {
			errs = append(errs, contain(conn.Close))
		}
	}
	return errors.Join(errs...)
}

// dial opens the connections of all workers, several at once. After the first error those under
// way have the grace time to come back; what comes later is closed.
func (p *phase) dial(ctx context.Context) ([]Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type dialed struct {
		worker int
		conn   Conn
		err    error
	}
	done := make(chan dialed, p.opts.Threads)
	open := func(worker int) {
		d := dialed{worker: worker, err: errors.New("connect: the goroutine was ended")} // by runtime.Goexit
		defer func() { done <- d }()
		d.err = contain(func() (err error) {
			d.conn, err = p.db.Conn(ctx, worker)
			if err == nil && d.conn == nil {
				err = fmt.Errorf("driver %s returned no connection", driverName(p.db))
			}
			return err
		})
	}
	conns := make([]Conn, p.opts.Threads)
	var first error
	var grace <-chan time.Time
	next, underWay := 0, 0
	for {
		for ; first == nil && next < len(conns) && underWay < connecting; next++ {
			underWay++
			go open(next)
		}
		if underWay == 0 {
			return conns, first
		}
		select {
		case d := <-done:
			underWay--
			conns[d.worker] = d.conn
			if d.err != nil && first == nil {
				first = d.err
				cancel()
				grace = time.After(p.opts.Grace)
			}
		case <-grace:
			go func() {
				for range underWay {
					if d := <-done; d.conn != nil {
						_ = contain(d.conn.Close) // the phase is over, and had an error
					}
				}
			}()
			return conns, first
		}
	}
}

// contain calls f and returns a panic of it as an error with the stack.
func contain(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = panicError(v)
		}
	}()
	return f()
}

func panicError(v any) error {
	if err, ok := v.(error); ok {
		return fmt.Errorf("panic: %w\n%s", err, debug.Stack())
	}
	return fmt.Errorf("panic: %v\n%s", v, debug.Stack())
}

// describe asks the driver what it is.
func (p *phase) describe(ctx context.Context) Info {
	d, ok := p.db.(Describer)
	if !ok {
		return Info{}
	}
	told := make(chan Info, 1)
	err := p.bounded(ctx, "describe", func() error {
		info, err := d.Describe(ctx)
		told <- info
		return err
	})
	if err != nil {
		p.opts.Logger.Warn("the database does not describe itself", "err", err)
		return Info{}
	}
	return <-told
}

// measure lets the workers work and returns what was measured.
func (p *phase) measure(ctx context.Context) *Result {
	opsCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	p.ending.cancel = cancel
	returned := false
	defer func() {
		if !returned { // a hook, a pacer or the workload panicked
			p.end(EndedError, errors.New("panic"))
		}
	}()

	p.base = time.Now()
	p.started.Store(true)
	if p.opts.Pacer != nil {
		p.sched = newSchedule(&p.opts, p.begin)
	}
	defer context.AfterFunc(ctx, func() { p.end(EndedInterrupted, interruption(ctx)) })()
	if p.opts.Duration > 0 {
		defer time.AfterFunc(later(p.begin, p.opts.Duration), func() { p.end(EndedDuration, nil) }).Stop()
	}

	looped, closed, open := p.startWorkers(opsCtx)
	var intervals intervals
	end := p.begin
	inTime := p.watch(looped, &intervals)
	used := usage().since(intervals.first)
	if inTime {
		for _, w := range p.workers {
			end = max(end, time.Duration(w.ended.Load()))
		}
		select {
		case <-closed:
		case <-time.After(p.opts.Grace):
		}
	} else {
		_, end, _ = p.ended() // what did not come back adds nothing
	}
	abandoned := open.Load()
	if abandoned > 0 {
		p.end(EndedError, fmt.Errorf("%d operations did not come back within %v", abandoned, p.opts.Grace))
	}
	if p.load {
		end += p.sync(ctx)
	}
	p.over.Store(true)
	intervals.next(p, end, true)

	r := &Result{
		Version: ResultVersion, Phase: p.Name, Driver: driverName(p.db), Workload: workloadName(p.workload),
		Start: p.base.Add(p.begin).UTC().Round(0), Elapsed: max(end-p.begin, 0),
		Client: used, Settings: p.settings(), Seed: p.opts.Seed,
		Retries: p.retries.Load(), MadeGood: p.madeGood.Load(), Abandoned: abandoned,
		Intervals: intervals.list, Runtime: intervals.samples, Ops: p.rec.total.results(histogramDigits),
	}
	r.Steps, r.Failed = p.steps()
	for _, w := range p.workers {
		r.Errors += w.errors.Load()
	}
	r.Achieved = perSecond(r.Steps, r.Elapsed)
	r.Sustained = abandoned == 0
	if p.sched != nil {
		p.tellSchedule(r)
	}
	if p.load {
		p.verify(ctx, r)
	}
	returned = true
	return r
}

// startWorkers starts the workers. looped is closed when all of them have done their last step,
// closed when they have closed their connections too, which open have not.
func (p *phase) startWorkers(ctx context.Context) (looped, closed <-chan struct{}, open *atomic.Int64) {
	var looping atomic.Int64
	open = new(atomic.Int64)
	looping.Store(int64(len(p.workers)))
	open.Store(int64(len(p.workers)))
	allLooped, allClosed := make(chan struct{}), make(chan struct{})
	for _, w := range p.workers {
		go func() {
			defer func() { // even if a driver ends the goroutine
				if open.Add(-1) == 0 {
					close(allClosed)
				}
			}()
			func() {
				defer func() {
					if looping.Add(-1) == 0 {
						p.end(p.exhausted(), nil) // unless there was a reason before
						close(allLooped)
					}
				}()
				w.loop(ctx, p)
			}()
			w.close(p)
		}()
	}
	return allLooped, allClosed, open
}

// tellSchedule tells how the schedule was kept up with.
func (p *phase) tellSchedule(r *Result) {
	reason, stop, _ := p.ended()
	if reason == EndedOperations || reason == EndedDone {
		stop = -1
	}
	s := p.sched
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Offered = s.finishLocked(stop)
	r.Dropped = s.dropped
	r.Sustained = r.Sustained && s.sustained(r.Elapsed)
	r.Lateness = s.late.histogram(histogramDigits)
}

// exhausted tells why workers that nobody stopped have nothing more to do.
func (p *phase) exhausted() string {
	if p.budget.limited && p.budget.left.Load() <= 0 {
		return EndedOperations
	}
	return EndedDone
}

// watch closes interval after interval until done is closed. It returns false when the workers
// did not come back in time after they were told to.
func (p *phase) watch(done <-chan struct{}, iv *intervals) bool {
	iv.first = usage()
	iv.client = iv.first
	var warm <-chan time.Time
	if p.begin > 0 {
		t := time.NewTimer(p.begin)
		defer t.Stop()
		warm = t.C
	}
	tick := time.NewTimer(later(p.begin, p.opts.Interval))
	defer tick.Stop()
	cut := p.cut
	var grace <-chan time.Time
	for {
		select {
		case <-done:
			return true
		case <-warm:
			iv.first = usage()
			iv.client = iv.first
		case <-tick.C:
			iv.next(p, p.now(), false)
			now := p.now()
			n := (now-p.begin)/p.opts.Interval + 1
			tick.Reset(later(p.begin, n*p.opts.Interval) - now)
		case <-cut:
			cut = nil
			t := time.NewTimer(p.opts.Grace)
			defer t.Stop()
			grace = t.C
		case <-grace:
			return false
		}
	}
}

// intervals are the intervals of a phase so far.
type intervals struct {
	list    []IntervalResult
	at      time.Duration // end of the last one, from the begin of measurement
	steps   int64         // until then
	first   ClientUsage   // until measurement began
	client  ClientUsage   // until the end of the last one, when Options.TrackRuntime
	samples []RuntimeSample
}

// next ends an interval at the time now of the phase's clock; with final it is the last one.
func (iv *intervals) next(p *phase, now time.Duration, final bool) {
	latest := p.rec.snapshot()
	steps, _ := p.steps()
	at := max(now-p.begin, iv.at)
	r := IntervalResult{
		Offset: iv.at, Length: at - iv.at, Steps: steps - iv.steps,
		Ops: latest.results(intervalDigits),
	}
	iv.at, iv.steps = at, steps
	var sample *RuntimeSample
	if p.opts.TrackRuntime {
		now := usage()
		sample = sampleRuntime(at, now.since(iv.client))
		iv.client = now
		iv.samples = append(iv.samples, *sample)
	}
	if p.opts.Hooks.Status != nil {
		p.opts.Hooks.Status(Status{
			Phase: p.Name, Runtime: sample, Time: time.Now(), Elapsed: at, Length: r.Length, Steps: steps, Recent: r.Steps,
			Planned: p.Total, Final: final,
			Total: p.rec.total.results(histogramDigits), Latest: latest.results(histogramDigits),
		})
	}
	if len(r.Ops) == 0 && r.Length == 0 {
		return
	}
	for _, o := range r.Ops {
		for _, oc := range o.Outcomes {
			for _, h := range []*Histogram{oc.Service, oc.Response} {
				if h == nil {
					continue
				}
				if err := h.compact(); err != nil {
					p.opts.Logger.Warn("an interval's histogram is kept as it is", "err", err)
				}
			}
		}
	}
	iv.list = append(iv.list, r)
}

// steps returns the steps done since measurement began, and the failed ones among them.
func (p *phase) steps() (done, failed int64) {
	for _, w := range p.workers {
		failed += w.failed.Load() // first, lest it exceed done
		done += w.steps.Load()
	}
	return done, failed
}

// howFar is Phase.Progress.
func (p *phase) howFar() Progress {
	if !p.started.Load() {
		return Progress{}
	}
	now := p.now()
	if reason, at, _ := p.ended(); reason != "" {
		now = at
	}
	done, failed := p.steps()
	return Progress{Elapsed: max(now-p.begin, 0), Warmup: now < p.begin, Steps: done, Failed: failed}
}

// settings collects what is needed to repeat the phase.
func (p *phase) settings() map[string]string {
	all := make(map[string]string)
	for _, prop := range properties.Encode(&p.opts) {
		all[prop.Key] = prop.Value
	}
	if c, ok := p.workload.(Configured); ok {
		maps.Copy(all, c.Settings())
	}
	maps.Copy(all, p.opts.Settings)
	if p.opts.Target == 0 && p.opts.Pacer != nil {
		all["pacer"] = fmt.Sprint(p.opts.Pacer)
	}
	all["seed"] = strconv.FormatUint(p.opts.Seed, 10)
	return all
}

// sync makes durable what was loaded, unless the load failed, and returns the time that it took.
func (p *phase) sync(ctx context.Context) time.Duration {
	d, ok := p.db.(Syncer)
	if _, _, err := p.ended(); !ok || err != nil {
		return 0
	}
	begin := p.now()
	if err := p.bounded(ctx, "sync", func() error { return d.Sync(ctx) }); err != nil {
		p.end(EndedError, fmt.Errorf("sync: %w", err))
	}
	return p.now() - begin
}

// verify compares the rows that the table got with the inserts that were acknowledged, where the
// driver can count.
func (p *phase) verify(ctx context.Context, r *Result) {
	d, ok := p.db.(Counter)
	table := p.workload.Schema().Table
	if _, _, err := p.ended(); !ok || table == "" || err != nil {
		return
	}
	counted := make(chan int64, 1)
	err := p.bounded(ctx, "count", func() error {
		n, err := d.Count(ctx, table)
		counted <- n
		return err
	})
	if err != nil {
		p.end(EndedError, fmt.Errorf("count table %s: %w", table, err))
		return
	}
	r.Rows = <-counted
	inserts, _ := r.Op(OpInsert)
	_, inTx := r.Op(OpTx) // some inserts may have been rolled back
	acked := int64(inserts.Outcome(OutcomeOK).Count) + r.MadeGood
	switch more := r.Rows - p.rows; {
	case inTx || acked == 0 || more == acked:
	case more > acked:
		p.opts.Logger.Info("the table got more rows than this load inserted: others load too, or inserts were stored that were not acknowledged",
			"table", table, "rows", more, "inserts", acked)
	case p.opts.Append: // inserts may have replaced rows
		p.opts.Logger.Warn("the table got fewer rows than inserts were acknowledged", "table", table, "rows", more, "inserts", acked)
	default:
		p.end(EndedError, fmt.Errorf("load is incomplete: table %s holds %d rows after %d acknowledged inserts", table, r.Rows, acked))
	}
}

// loop does steps until the phase ends or there is nothing more to do.
func (w *worker) loop(ctx context.Context, p *phase) {
	returned := false
	defer func() {
		if v := recover(); v != nil {
			p.end(EndedError, panicError(v))
		} else if !returned {
			p.end(EndedError, errors.New("a step ended its goroutine")) // by runtime.Goexit
		}
		w.giveBack(p)
		w.steps.Store(w.done)
		w.ended.Store(int64(p.now()))
	}()
	step := w.w.Run
	if p.load {
		step = w.w.Load
	}
	var pause time.Duration
	c := w.c
	c.warm = p.begin > 0
	for w.next(p) {
		c.records, c.bad, c.errors, c.counted, c.down = 1, 0, 0, nil, false
		err := step(ctx)
		if err == nil && c.errors == 0 {
			pause = 0
			if !c.warm {
				w.count(c.records)
			}
			continue
		}
		if !w.unsuccessful(p, err) {
			break
		}
		if c.down {
			pause = min(max(2*pause, firstPause), longestWait)
			if c.Sleep(ctx, pause) != nil {
				break
			}
		}
	}
	returned = true
}

// count counts n steps. Others learn of them at once, or when the worker has done what it took
// from the budget, if operations are that short.
func (w *worker) count(n int64) {
	w.done += n
	if w.c.quota == 0 || w.c.latency > shortOperation {
		w.steps.Store(w.done)
	}
}

// unsuccessful counts a step that ended with err, or that had operations that failed. It returns
// false when the worker has no more to do.
func (w *worker) unsuccessful(p *phase, err error) bool {
	c := w.c
	var fatal *fatalError
	switch {
	case errors.As(err, &fatal):
		p.end(EndedError, err)
	case errors.Is(err, ErrDone):
		c.quota += c.records
		return false
	}
	if c.errors == 0 && c.counted == nil && classify(err, p.cancelled.Load()).failure() {
		c.errors = c.records // of its own making
	}
	if failures := p.failures.Add(c.errors); p.opts.MaxErrors > 0 && c.errors > 0 && failures >= p.opts.MaxErrors {
		p.end(EndedError, fmt.Errorf("%d operations failed, the last one with: %w", failures, cmp.Or(err, c.counted)))
	}
	if !c.warm {
		w.count(c.records)
		w.errors.Store(w.errors.Load() + c.errors)
		if err != nil {
			failed := c.records
			if c.bad > 0 {
				failed = min(failed, c.bad)
			}
			w.failed.Store(w.failed.Load() + failed)
		}
	}
	return fatal == nil
}

// next waits until the worker may do a step. It returns false when there is none to do.
func (w *worker) next(p *phase) bool {
	c := w.c
	switch {
	case p.stopped.Load():
		return false
	case p.sched != nil:
		w.giveBack(p)
		due, kind := p.sched.wait(p, w)
		c.due, c.warm = due, kind == slotWarm
		return kind != slotEnd
	case c.warm:
		if p.now() < p.begin {
			return true
		}
		w.giveBack(p) // what a step of the warm-up gave back was never taken
		c.warm = false
	case c.quota > 0 && c.latency > chunkTime: // the database has become slow
		w.giveBack(p)
		w.chunk = 1
	}
	if c.quota == 0 && !w.refill(p) {
		return false
	}
	c.quota--
	return true
}

// refill takes steps from the budget: several at once when they are short, lest workers wait for
// one another's cache line, and few when little is left, lest one worker ends long after the
// others.
func (w *worker) refill(p *phase) bool {
	now := p.now()
	switch took := now - w.refilled; {
	case took < chunkTime:
		w.chunk = min(2*w.chunk, largeChunk)
	case took > 4*chunkTime:
		w.chunk = w.chunk / 2
	}
	w.chunk = max(w.chunk, 1)
	w.refilled = now
	n := w.chunk
	if p.budget.limited {
		n = min(n, p.budget.left.Load()/int64(2*len(p.workers))+1)
	}
	w.c.quota = p.budget.take(n)
	return w.c.quota > 0
}

// giveBack returns to the budget and the schedule what the worker took and did not use.
func (w *worker) giveBack(p *phase) {
	if w.c.quota > 0 && p.sched != nil {
		p.sched.skips.Add(-w.c.quota)
	}
	if w.c.quota > 0 && !w.c.warm {
		p.budget.left.Add(w.c.quota)
	}
	w.c.quota = 0
}

// takeMore is Client.Take.
func (p *phase) takeMore(c *Client, n int64) int64 {
	n = min(n, mostTaken)
	if n <= 0 {
		return 0
	}
	got := min(n, c.quota)
	c.quota -= got
	more := n - got
	if !c.warm {
		more = p.budget.take(more)
	}
	if p.sched != nil {
		p.sched.skips.Add(more)
	}
	return got + more
}

// close closes the worker's connection, measured as CLEANUP.
func (w *worker) close(p *phase) {
	c := w.c
	c.warm, c.errors = false, 0
	err := contain(func() error {
		start := p.now()
		if p.sched != nil {
			c.due = start
		}
		err := contain(c.conn.Close)
		_ = c.Op(OpCleanup).finish(start, p.now(), err, nil)
		return nil
	})
	if err != nil {
		p.end(EndedError, err)
	}
	w.errors.Store(w.errors.Load() + c.errors)
}
