package workloads_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

// trace returns what a run asks for, in order, each operation with its key, fields and values.
func trace(calls []call) []string {
	var lines []string
	for _, c := range calls {
		lines = append(lines, fmt.Sprint(c.op, " ", c.key, " ", c.fields, " ", c.values, " ", c.n))
	}
	return lines
}

// one returns the trace of a load and a run with one worker.
func one(t *testing.T, c workloads.CoreConfig, seed uint64) []string {
	t.Helper()
	w := newCore(t, c)
	db := newMemDB()
	flawless(t, ycsb.Load, db, w, &ycsb.Options{Seed: seed})
	flawless(t, ycsb.Run, db, w, &ycsb.Options{Operations: 200, Seed: seed})
	return trace(db.calls())
}

func TestSeedRepeatsATrace(t *testing.T) {
	tests := map[string]change{
		"as it is":     func(*workloads.CoreConfig) {},
		"deletes":      func(c *workloads.CoreConfig) { c.Delete = .1 },
		"one field":    func(c *workloads.CoreConfig) { c.ReadAllFields = false },
		"all fields":   func(c *workloads.CoreConfig) { c.WriteAllFields = true },
		"lengths":      func(c *workloads.CoreConfig) { c.FieldLengthDistribution = "zipfian" },
		"batches":      func(c *workloads.CoreConfig) { c.BatchSize = 40 },
		"verified":     func(c *workloads.CoreConfig) { c.DataIntegrity = true },
		"few records":  func(c *workloads.CoreConfig) { c.RecordCount = 3 },
		"exact zipf":   func(c *workloads.CoreConfig) { c.RequestDistribution = "zipfian_exact" },
		"hotspot":      func(c *workloads.CoreConfig) { c.RequestDistribution = "hotspot" },
		"exponential":  func(c *workloads.CoreConfig) { c.RequestDistribution = "exponential" },
		"sequential":   func(c *workloads.CoreConfig) { c.RequestDistribution = "sequential" },
		"ordered keys": func(c *workloads.CoreConfig) { c.InsertOrder = "ordered" },
	}
	for name, f := range tests {
		t.Run(name, func(t *testing.T) {
			for _, letter := range workloads.Standards() {
				c := standard(t, letter, func(c *workloads.CoreConfig) { c.RecordCount = 30 }, f)
				first := one(t, c, 1)
				equal(t, "a trace of "+letter+" is repeated", slices.Equal(one(t, c, 1), first), true)
			}
		})
	}
}

func TestAnotherSeedHasAnotherTrace(t *testing.T) {
	for _, letter := range workloads.Standards() {
		c := standard(t, letter)
		equal(t, "two seeds have the same trace of "+letter, slices.Equal(one(t, c, 1), one(t, c, 2)), false)
	}
}

func TestWorkersHaveFixedSequences(t *testing.T) {
	w := newCore(t, standard(t, "c"))
	db := loaded(t, w)
	sequences := func(operations int64) map[int][]string {
		db.forgetCalls()
		flawless(t, ycsb.Run, db, w, seeded(operations, 4))
		byWorker := make(map[int][]string)
		for _, c := range db.calls() {
			byWorker[c.worker] = append(byWorker[c.worker], trace([]call{c})...)
		}
		return byWorker
	}
	first, second := sequences(4000), sequences(12_000)
	for worker := range 4 {
		a, b := first[worker], second[worker]
		n := min(len(a), len(b))
		equal(t, fmt.Sprintf("worker %d repeats itself", worker), slices.Equal(a[:n], b[:n]), true)
	}
	n := min(len(second[0]), len(second[1]))
	equal(t, "two workers do the same", slices.Equal(second[0][:n], second[1][:n]) && n > 0, false)
}

func TestNoSeed(t *testing.T) {
	w := newCore(t, standard(t, "a"))
	var seeds []uint64
	var traces [][]string
	for range 2 {
		db := newMemDB()
		res := flawless(t, ycsb.Load, db, w, nil)
		equal(t, "seed in the settings", res.Settings["seed"], strconv.FormatUint(res.Seed, 10))
		seeds, traces = append(seeds, res.Seed), append(traces, trace(db.calls()))

		again := newMemDB()
		flawless(t, ycsb.Load, again, w, &ycsb.Options{Seed: res.Seed})
		equal(t, "the seed told repeats the trace", slices.Equal(trace(again.calls()), traces[len(traces)-1]), true)
	}
	equal(t, "two runs have the same seed", seeds[0] == seeds[1], false)
	equal(t, "two runs do the same", slices.Equal(traces[0], traces[1]), false)
}
