package ycsbtest

import (
	"slices"
	"testing"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// Benchmark loads w into db and measures its run phase as the sub-benchmark "run", an iteration
// of which is one step of one of the workers:
//
//	func BenchmarkWorkload(b *testing.B) {
//		db := memory.New()
//		defer db.Close()
//		ycsbtest.Benchmark(b, db, w, &ycsb.Options{Threads: 8})
//	}
//
// The load phase is done once, however often the run phase is repeated with a larger b.N, and
// is not timed. It empties the table first where the driver can, which is for tables alone that
// the driver made, and is left out for a workload without a table, such as a [ycsb.Mix].
//
// Besides ns/op, which is the time by the wall clock divided by the number of steps, it reports
// the quantiles p50-ns, p95-ns and p99-ns of the service times of all reads, inserts, updates,
// deletes, scans and queries that succeeded. Series made up of these, such as BATCH, TX and those
// of a Mix, count only where w measures nothing else.
//
// o holds for both phases, except that Operations is b.N and that Duration, Warmup and Drop are
// not heeded. o is not changed and may be nil. b fails when a phase does and when an operation
// failed with anything but ErrNotFound; in the load phase, when any did. It also fails
// when none of several operations succeeded; a single one, as in the first run of each benchmark,
// may find nothing, and then there are no quantiles.
//
// Benchmark is driven by b.N and calls [testing.B.Run], so it is not for the body of a b.Loop,
// and whoever calls it does nothing else with b.
func Benchmark(b *testing.B, db ycsb.DB, w ycsb.Workload, o *ycsb.Options) {
	b.Helper()
	load(b, db, w, o)
	b.Run("run", func(b *testing.B) {
		b.Helper()
		run(b, db, w, o)
	})
}

// load does the load phase.
func load(b *testing.B, db ycsb.DB, w ycsb.Workload, o *ycsb.Options) {
	b.Helper()
	if w.Schema().Table == "" {
		return
	}
	opts := options(o)
	_, opts.Drop = db.(ycsb.Truncater)
	res, err := ycsb.Load(b.Context(), db, w, &opts)
	if err != nil {
		b.Fatalf("load: %v", err)
	}
	if res.Failed > 0 {
		report(b, res)
		b.Fatalf("load: %d of %d steps failed", res.Failed, res.Steps)
	}
}

// run does b.N steps of the run phase. The timer runs while the workers do.
func run(b *testing.B, db ycsb.DB, w ycsb.Workload, o *ycsb.Options) {
	b.Helper()
	opts := options(o)
	opts.Operations = int64(b.N)
	opts.Drop = false
	var hooks ycsb.Hooks
	if opts.Hooks != nil {
		hooks = *opts.Hooks
	}
	start, end := hooks.Start, hooks.End
	hooks.Start = func(p *ycsb.Phase) {
		if start != nil {
			start(p)
		}
		b.ResetTimer()
	}
	hooks.End = func(r *ycsb.Result) {
		b.StopTimer()
		if end != nil {
			end(r)
		}
	}
	opts.Hooks = &hooks

	res, err := ycsb.Run(b.Context(), db, w, &opts)
	b.StopTimer()
	if err != nil {
		b.Fatalf("run: %v", err)
	}
	if n := res.Errors; n > 0 {
		report(b, res)
		b.Fatalf("run: %d operations failed", n)
	}
	h := serviceTimes(res)
	if h.Count() == 0 {
		if b.N > 1 {
			report(b, res)
			b.Fatalf("run: none of %d operations succeeded", res.Steps)
		}
		return
	}
	for _, q := range []struct {
		unit string
		q    float64
	}{{"p50-ns", .5}, {"p95-ns", .95}, {"p99-ns", .99}} {
		b.ReportMetric(float64(h.Quantile(q.q)), q.unit)
	}
}

// options returns a copy of o for a phase of a benchmark.
func options(o *ycsb.Options) ycsb.Options {
	var opts ycsb.Options
	if o != nil {
		opts = *o
	}
	opts.Duration, opts.Warmup = 0, 0
	if opts.Interval == 0 {
		opts.Interval = time.Hour // nobody looks at intervals
	}
	return opts
}

// report logs the errors of a phase.
func report(b *testing.B, res *ycsb.Result) {
	b.Helper()
	for _, op := range res.Ops {
		for _, e := range op.Errors {
			b.Logf("%s: %d times: %s", op.Name, e.Count, e.Message)
		}
	}
}

// serviceTimes returns the service times of the operations that succeeded.
func serviceTimes(res *ycsb.Result) *ycsb.Histogram {
	single := []string{ycsb.OpRead, ycsb.OpInsert, ycsb.OpUpdate, ycsb.OpDelete, ycsb.OpScan, ycsb.OpQuery}
	h, own := new(ycsb.Histogram), new(ycsb.Histogram)
	for _, op := range res.Ops {
		times := op.Outcome(ycsb.OutcomeOK).Service
		switch {
		case slices.Contains(single, op.Name):
			h.Merge(times)
		case op.Name != ycsb.OpCleanup:
			own.Merge(times)
		}
	}
	if h.Count() == 0 {
		return own
	}
	return h
}
