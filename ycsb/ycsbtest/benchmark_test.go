package ycsbtest

import (
	"context"
	"errors"
	"flag"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// letters is a workload: its load phase inserts rows and its run phase reads them.
type letters struct {
	rows  int64
	loads *atomic.Int64 // load steps done
}

func (letters) Schema() ycsb.Schema { return schema("letters", 10) }

func (w letters) NewWorker(c *ycsb.Client) (ycsb.Worker, error) {
	return &lettersWorker{w: w, c: c, next: int64(c.Worker())}, nil
}

type lettersWorker struct {
	w    letters
	c    *ycsb.Client
	next int64
	rec  ycsb.Record
}

func (w *lettersWorker) key() []byte {
	key := []byte{'a' + byte(w.next%w.w.rows)}
	w.next += int64(w.c.Workers())
	return key
}

func (w *lettersWorker) Load(ctx context.Context) error {
	if w.next >= w.w.rows {
		return ycsb.ErrDone
	}
	w.w.loads.Add(1)
	key := w.key()
	w.rec.Reset()
	w.rec.Append("field0", key)
	return w.c.Insert(ctx, "letters", key, &w.rec)
}

func (w *lettersWorker) Run(ctx context.Context) error {
	w.rec.Reset()
	return w.c.Read(ctx, "letters", w.key(), nil, &w.rec)
}

// benchtime sets the flag of that name for a test.
func benchtime(t *testing.T, value string) {
	t.Helper()
	f := flag.Lookup("test.benchtime")
	old := f.Value.String()
	if err := f.Value.Set(value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Value.Set(old); err != nil {
			t.Error(err)
		}
	})
}

func TestBenchmark(t *testing.T) {
	benchtime(t, "1000x")
	w := letters{rows: 20, loads: new(atomic.Int64)}
	for i := range 2 { // the same database again: it is emptied
		db := newModel(false).db()
		steps := int64(0)
		r := testing.Benchmark(func(b *testing.B) {
			Benchmark(b, db, w, &ycsb.Options{Threads: 4, Duration: time.Nanosecond, Hooks: &ycsb.Hooks{
				End: func(r *ycsb.Result) {
					if r.Phase == "run" {
						steps = r.Steps
					}
				},
			}})
		})
		if got := w.loads.Swap(0); got != w.rows {
			t.Errorf("benchmark %d: %d rows were loaded; want %d", i, got, w.rows)
		}
		if r.N == 0 || steps != 1000 {
			t.Errorf("benchmark %d: N = %d, the last run had %d steps; want 1000", i, r.N, steps)
		}
	}
}

func TestBenchmarkReloads(t *testing.T) {
	benchtime(t, "10x")
	w := letters{rows: 20, loads: new(atomic.Int64)}
	db := newModel(false).db()
	for range 2 {
		testing.Benchmark(func(b *testing.B) { Benchmark(b, db, w, nil) })
	}
	n, err := db.Count(t.Context(), "letters")
	if got := w.loads.Load(); got != 2*w.rows || n != w.rows || err != nil {
		t.Errorf("%d rows were loaded and there are %d (%v); want %d and %d", got, n, err, 2*w.rows, w.rows)
	}
}

func TestBenchmarkMetrics(t *testing.T) {
	benchtime(t, "1000x")
	key := []byte("a")
	for _, c := range []struct {
		name string
		do   func(ctx context.Context, c *ycsb.Client) error
	}{
		{"by the client", func(ctx context.Context, c *ycsb.Client) error {
			return c.Scan(ctx, "letters", key, 1, nil, nil)
		}},
		{"by the workload", func(ctx context.Context, c *ycsb.Client) error {
			return c.Conn().(ycsb.Scanner).Scan(ctx, "letters", key, 1, nil, nil)
		}},
	} {
		mix := ycsb.Mix{{Name: "OWN", Weight: 1, Do: c.do}}
		r := testing.Benchmark(func(b *testing.B) { run(b, newModel(false).db(), mix, &ycsb.Options{Threads: 2}) })
		if r.N != 1000 {
			t.Errorf("%s: N = %d; want 1000", c.name, r.N)
		}
		p50, p95, p99 := r.Extra["p50-ns"], r.Extra["p95-ns"], r.Extra["p99-ns"]
		if !(0 < p50 && p50 <= p95 && p95 <= p99) {
			t.Errorf("%s: p50 %v, p95 %v, p99 %v; want them positive and ascending", c.name, p50, p95, p99)
		}
	}
}

// TestBenchmarkOfOneStep has the first run, of one step, find nothing.
func TestBenchmarkOfOneStep(t *testing.T) {
	benchtime(t, "1x")
	w := letters{rows: 3, loads: new(atomic.Int64)}
	ok := false
	r := testing.Benchmark(func(b *testing.B) {
		b.Cleanup(func() { ok = !b.Failed() })
		run(b, newModel(false).db(), w, nil)
	})
	if !ok || len(r.Extra) > 0 {
		t.Errorf("the benchmark succeeded: %v, and reported %v; want it to, and to report nothing", ok, r.Extra)
	}
}

func TestServiceTimes(t *testing.T) {
	outcome := func(name string, d time.Duration) ycsb.Outcome {
		h := new(ycsb.Histogram)
		h.Record(d)
		return ycsb.Outcome{Name: name, Count: 1, Service: h}
	}
	op := func(name string, outcomes ...ycsb.Outcome) ycsb.OpResult {
		return ycsb.OpResult{Name: name, Outcomes: outcomes}
	}
	ok := func(d time.Duration) ycsb.Outcome { return outcome(ycsb.OutcomeOK, d) }
	for _, c := range []struct {
		name     string
		ops      []ycsb.OpResult
		count    uint64
		min, max time.Duration
	}{
		{"none", nil, 0, 0, 0},
		{"cleanup alone", []ycsb.OpResult{op(ycsb.OpCleanup, ok(9))}, 0, 0, 0},
		{"reads and scans", []ycsb.OpResult{op(ycsb.OpRead, ok(2)), op(ycsb.OpScan, ok(7)), op(ycsb.OpCleanup, ok(9))}, 2, 2, 7},
		{"failed ones", []ycsb.OpResult{op(ycsb.OpRead, ok(2), outcome(ycsb.OutcomeError, 9))}, 1, 2, 2},
		{"parts of a whole", []ycsb.OpResult{
			op(ycsb.OpRead, ok(2)), op(ycsb.OpUpdate, ok(3)), op(ycsb.OpReadModifyWrite, ok(5)), op(ycsb.OpTx, ok(6)), op("OWN", ok(8)),
		}, 2, 2, 3},
		{"own", []ycsb.OpResult{op("OWN", ok(8)), op(ycsb.OpCleanup, ok(9))}, 1, 8, 8},
	} {
		h := serviceTimes(&ycsb.Result{Ops: c.ops})
		if h.Count() != c.count || h.Min() != c.min || h.Max() != c.max {
			t.Errorf("%s: %d times from %v to %v; want %d from %v to %v", c.name, h.Count(), h.Min(), h.Max(), c.count, c.min, c.max)
		}
	}
}

func TestBenchmarkFails(t *testing.T) {
	benchtime(t, "10x")
	bad := errors.New("no space")
	for _, c := range []struct {
		name string
		bug  func(c *fakeConn)
		want int // runs begun
	}{
		{"load", func(c *fakeConn) { c.insert = func(args) error { return bad } }, 0},
		{"run", func(c *fakeConn) { c.read = func(args) error { return bad } }, 1},
		{"nothing found", func(c *fakeConn) { c.read = func(args) error { return ycsb.ErrNotFound } }, 2},
	} {
		d := newModel(false).db()
		d.conn = buggyConns(d.conn, bug{conn: c.bug})
		w := letters{rows: 3, loads: new(atomic.Int64)}
		runs, ok := 0, true
		testing.Benchmark(func(b *testing.B) {
			b.Cleanup(func() { ok = !b.Failed() })
			Benchmark(b, d, w, &ycsb.Options{Hooks: &ycsb.Hooks{Start: func(p *ycsb.Phase) {
				runs += strings.Count(p.Name, "run")
			}}})
		})
		if ok || runs != c.want {
			t.Errorf("%s: the benchmark succeeded: %v, after %d runs; want it to fail after %d", c.name, ok, runs, c.want)
		}
	}
}
