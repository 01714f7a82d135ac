package workloads_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ycsbkit/ycsbkit/drivers/noop"
	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

// mallocs returns the allocations that f makes.
func mallocs(f func()) int64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.Mallocs - before.Mallocs)
}

// TestAllocations compares the allocations of phases of different lengths: what an operation adds.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	type test struct {
		name, standard string
		load           bool
		o              ycsb.Options
		change         change
	}
	tests := []test{
		{name: "load", standard: "a", load: true},
		{name: "load of batches", standard: "a", load: true, change: func(c *workloads.CoreConfig) { c.BatchSize = 10 }},
		{name: "a with a target", standard: "a", o: ycsb.Options{Target: 1e9}},
		{name: "a with a warm-up", standard: "a", o: ycsb.Options{Warmup: 5 * time.Millisecond}},
		{name: "f with hooks", standard: "f", o: ycsb.Options{Hooks: countingHooks()}},
		{name: "f in batches", standard: "f", change: func(c *workloads.CoreConfig) { c.Insert, c.BatchSize = .5, 10 }},
		{name: "f without everything", standard: "f", change: func(c *workloads.CoreConfig) { c.ReadAllFields = false }},
		{name: "a of all fields", standard: "a", change: func(c *workloads.CoreConfig) { c.WriteAllFields = true }},
		{name: "a of zipfian lengths", standard: "a", change: func(c *workloads.CoreConfig) { c.FieldLengthDistribution = "zipfian" }},
		{name: "deletes", standard: "c", change: func(c *workloads.CoreConfig) { c.Delete, c.Insert = .2, .4 }},
	}
	for _, name := range workloads.Standards() {
		tests = append(tests, test{name: name, standard: name})
	}
	for _, d := range distributions {
		tests = append(tests, test{name: d, standard: "c", change: func(c *workloads.CoreConfig) { c.RequestDistribution = d }})
	}
	const n = 60_000
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			phase, records := ycsb.Run, func(int64) int64 { return 1_000_000 }
			if tt.load {
				phase, records = ycsb.Load, func(operations int64) int64 { return operations }
			}
			if tt.change == nil {
				tt.change = func(*workloads.CoreConfig) {}
			}
			mallocsOf := func(operations int64) int64 {
				w := newCore(t, standard(t, tt.standard, func(c *workloads.CoreConfig) {
					c.RecordCount = records(operations)
				}, tt.change))
				o := tt.o
				o.Seed, o.Operations, o.Threads = 42, operations, 2
				return mallocs(func() { flawless(t, phase, noop.New(), w, &o) })
			}
			short, long := mallocsOf(n), mallocsOf(6*n)
			if perOp := float64(long-short) / (5 * n); perOp > .02 { // histograms take some as they widen
				t.Errorf("%d allocations for %d operations, %d for %d: %.4f an operation; want none", short, n, long, 6*n, perOp)
			}
		})
	}
}

// countingHooks returns hooks that do little.
func countingHooks() *ycsb.Hooks {
	var ops atomic.Int64
	return &ycsb.Hooks{
		Start:  func(*ycsb.Phase) {},
		Status: func(ycsb.Status) {},
		Op:     func(string, time.Duration, error) { ops.Add(1) },
		End:    func(*ycsb.Result) {},
	}
}
