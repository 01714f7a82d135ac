package workloads_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/generator"
)

func TestReadModifyWrite(t *testing.T) {
	w := newCore(t, standard(t, "f", func(c *workloads.CoreConfig) { c.Read = 0 }))
	db := loaded(t, w)
	res := flawless(t, ycsb.Run, db, w, seeded(1000, 1))
	equal(t, "steps", res.Steps, 1000)
	for _, op := range []string{ycsb.OpRead, ycsb.OpUpdate, ycsb.OpReadModifyWrite} {
		equal(t, op, count(res, op, ycsb.OutcomeOK), 1000)
	}
	calls := db.calls()
	equal(t, "calls", len(calls), 2000)
	for pair := range slices.Chunk(calls, 2) {
		equalLists(t, "operations of a step", []string{pair[0].op, pair[1].op}, []string{ycsb.OpRead, ycsb.OpUpdate})
		equal(t, "key of the update", pair[1].key, pair[0].key)
	}
}

func TestReadModifyWriteOfAFailedRead(t *testing.T) {
	tests := []struct {
		name    string
		err     error
		outcome string
	}{
		{"no record", ycsb.ErrNotFound, ycsb.OutcomeNotFound},
		{"busy", errServer, ycsb.OutcomeError},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newCore(t, standard(t, "f", func(c *workloads.CoreConfig) { c.Read = 0 }))
			db := loaded(t, w)
			db.before = func(_ context.Context, c *call) error {
				if c.key == keyOf(hottest) {
					return tt.err
				}
				return nil
			}
			res := must(t, ycsb.Run, db, w, seeded(1000, 1))
			reads := 0
			for _, c := range db.calls() {
				if c.key == keyOf(hottest) {
					equal(t, "operation on it", c.op, ycsb.OpRead)
					reads++
				}
			}
			equal(t, "some reads failed", reads > 0, true)
			equal(t, "failed reads", count(res, ycsb.OpRead, tt.outcome), reads)
			equal(t, "failed read-modify-writes", count(res, ycsb.OpReadModifyWrite, tt.outcome), reads)
			equal(t, "updates", total(res, ycsb.OpUpdate), 1000-reads)
			equal(t, "failed steps", res.Failed, int64(reads))
		})
	}
}

// TestMixes holds 100,000 operations of each standard mix against its proportions.
func TestMixes(t *testing.T) {
	want := map[string]map[string]float64{
		"a": {ycsb.OpRead: .5, ycsb.OpUpdate: .5},
		"b": {ycsb.OpRead: .95, ycsb.OpUpdate: .05},
		"c": {ycsb.OpRead: 1},
		"d": {ycsb.OpRead: .95, ycsb.OpInsert: .05},
		"e": {ycsb.OpScan: .95, ycsb.OpInsert: .05},
		"f": {ycsb.OpRead: .5, ycsb.OpReadModifyWrite: .5},
	}
	for _, name := range workloads.Standards() {
		t.Run(name, func(t *testing.T) {
			w := newCore(t, standard(t, name))
			res := flawless(t, ycsb.Run, newTally(), w, seeded(100_000, 1))
			got := make(map[string]float64)
			for _, op := range res.Ops {
				got[op.Name] = float64(op.Count()) / 100_000
			}
			rmw := got[ycsb.OpReadModifyWrite]
			got[ycsb.OpRead] -= rmw
			got[ycsb.OpUpdate] -= rmw
			delete(got, ycsb.OpCleanup)
			for op, share := range got {
				near(t, "share of "+op, share, want[name][op], .01)
			}
		})
	}
}

func TestScanLengths(t *testing.T) {
	scans := func(change change) map[int]int {
		db := newTally()
		flawless(t, ycsb.Run, db, newCore(t, standard(t, "e", change)), seeded(100_000, 1))
		return db.lengths
	}

	uniform := scans(func(*workloads.CoreConfig) {})
	equalLists(t, "lengths", slices.Sorted(maps.Keys(uniform)), numbers(1, 100))
	near(t, "mean", mean(uniform), 50.5, .5)

	zipfian := scans(func(c *workloads.CoreConfig) { c.ScanLengthDistribution = "zipfian" })
	equalLists(t, "zipfian lengths", slices.Sorted(maps.Keys(zipfian)), numbers(1, 100))
	near(t, "share of length 1", share(zipfian, 1), 1/generator.Zeta(100, generator.Theta), .01)

	bounded := scans(func(c *workloads.CoreConfig) { c.MinScanLength, c.MaxScanLength = 7, 9 })
	equalLists(t, "bounded lengths", slices.Sorted(maps.Keys(bounded)), numbers(7, 9))

	one := scans(func(c *workloads.CoreConfig) { c.MinScanLength, c.MaxScanLength = 5, 5 })
	equalLists(t, "constant lengths", slices.Sorted(maps.Keys(one)), numbers(5, 5))
}

// numbers returns the numbers from lo to hi.
func numbers(lo, hi int) []int {
	var list []int
	for n := lo; n <= hi; n++ {
		list = append(list, n)
	}
	return list
}

// mean returns the mean of counted numbers.
func mean(counts map[int]int) float64 {
	var sum, n float64
	for v, c := range counts {
		sum += float64(v) * float64(c)
		n += float64(c)
	}
	return sum / n
}

// share returns the share of a counted thing.
func share[K comparable](counts map[K]int, key K) float64 {
	var n float64
	for _, c := range counts {
		n += float64(c)
	}
	return float64(counts[key]) / n
}

func TestFieldsOfReads(t *testing.T) {
	var all []string
	for i := range 10 {
		all = append(all, fmt.Sprintf("field%d", i))
	}
	tests := []struct {
		name   string
		change change
		want   []string // of each read, or nil for one drawn
		one    bool
	}{
		{"all", func(*workloads.CoreConfig) {}, nil, false},
		{"all by name", func(c *workloads.CoreConfig) { c.ReadAllFieldsByName = true }, all, false},
		{"verified", func(c *workloads.CoreConfig) { c.DataIntegrity = true }, all, false},
		{"one", func(c *workloads.CoreConfig) { c.ReadAllFields = false }, nil, true},
		{"one, by name", func(c *workloads.CoreConfig) { c.ReadAllFields, c.ReadAllFieldsByName = false, true }, nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newCore(t, standard(t, "c", tt.change, func(c *workloads.CoreConfig) { c.Scan, c.ReadModifyWrite = 1, 1 }))
			db := loaded(t, w)
			flawless(t, ycsb.Run, db, w, seeded(600, 1))
			seen := make(map[string]int)
			for _, c := range db.calls(ycsb.OpRead, ycsb.OpScan) {
				want := tt.want
				if tt.one {
					equal(t, "fields", len(c.fields), 1)
					seen[c.fields[0]]++
					want = c.fields
				}
				equalLists(t, "fields of a "+c.op, c.fields, want)
			}
			if tt.one {
				equalLists(t, "fields drawn", slices.Sorted(maps.Keys(seen)), all)
			}
		})
	}
}

func TestFieldsOfUpdates(t *testing.T) {
	for _, tt := range []struct {
		all  bool
		want int
	}{{false, 1}, {true, 10}} {
		w := newCore(t, standard(t, "f", func(c *workloads.CoreConfig) { c.Update, c.WriteAllFields = .5, tt.all }))
		db := loaded(t, w)
		flawless(t, ycsb.Run, db, w, seeded(600, 1))
		seen := make(map[string]int)
		values := make(map[string]int)
		for _, c := range db.calls(ycsb.OpUpdate) {
			equal(t, "fields of an update", len(c.values), tt.want)
			for _, f := range c.values {
				seen[f.name]++
				values[f.value]++
				equal(t, "length of a value", len(f.value), 100)
			}
		}
		equal(t, "fields updated", len(seen), 10)
		equal(t, "values are new", len(values), len(db.calls(ycsb.OpUpdate))*tt.want)
	}
}

func TestNamesOfFields(t *testing.T) {
	w := newCore(t, standard(t, "a", func(c *workloads.CoreConfig) {
		c.FieldNamePrefix, c.FieldCount, c.Table, c.KeyPrefix, c.RecordCount = "f_", 2, "things", "k:", 1
	}))
	for key, row := range loaded(t, w).table() {
		equal(t, "key", key, "k:"+keyOf(0)[len("user"):])
		equal(t, "first field", row[0].name, "f_0")
		equal(t, "second field", row[1].name, "f_1")
	}
	s := w.Schema()
	equal(t, "table", s.Table, "things")
	equalLists(t, "fields", s.Fields, []string{"f_0", "f_1"})
	equal(t, "bytes of a value", s.FieldLength, 100)
}

func TestFieldLengths(t *testing.T) {
	tests := []struct {
		name   string
		change change
		want   []int // lengths there are
		mean   float64
		off    float64
	}{
		{"constant", func(*workloads.CoreConfig) {}, []int{100}, 100, 0},
		{"uniform", func(c *workloads.CoreConfig) { c.FieldLengthDistribution = "uniform" }, numbers(1, 100), 50.5, 1},
		{"uniform from 90", func(c *workloads.CoreConfig) {
			c.FieldLengthDistribution, c.MinFieldLength = "uniform", 90
		}, numbers(90, 100), 95, .2},
		{"uniform from 0", func(c *workloads.CoreConfig) {
			c.FieldLengthDistribution, c.MinFieldLength, c.FieldLength = "uniform", 0, 3
		}, numbers(0, 3), 1.5, .1},
		{"zipfian", func(c *workloads.CoreConfig) { c.FieldLengthDistribution = "zipfian" }, numbers(1, 100), zipfMean(100), 1.5},
		{"histogram", func(c *workloads.CoreConfig) {
			c.FieldLengthDistribution, c.FieldLengthHistogram = "histogram", "testdata/hist-example.txt"
		}, []int{0, 10, 30, 40}, 33, .5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newCore(t, standard(t, "a", tt.change, func(c *workloads.CoreConfig) { c.WriteAllFields = true }))
			db := newMemDB()
			flawless(t, ycsb.Load, db, w, seeded(0, 2))
			flawless(t, ycsb.Run, db, w, seeded(2000, 1))
			for _, op := range []string{ycsb.OpInsert, ycsb.OpUpdate} {
				lengths := make(map[int]int)
				for _, c := range db.calls(op) {
					for _, f := range c.values {
						lengths[len(f.value)]++
					}
				}
				equalLists(t, "lengths of "+op, slices.Sorted(maps.Keys(lengths)), tt.want)
				near(t, "mean length of "+op, mean(lengths), tt.mean, tt.off)
			}
			equal(t, "greatest length", w.Schema().FieldLength, slices.Max(tt.want))
		})
	}
}

// zipfMean returns the mean of Gray's zipfian lengths from 1 to n, which is close to the true one.
func zipfMean(n uint64) float64 {
	var sum float64
	for k := range n {
		sum += float64(k+1) * math.Pow(float64(k+1), -generator.Theta)
	}
	return sum / generator.Zeta(n, generator.Theta)
}

func TestBadHistograms(t *testing.T) {
	_, err := workloads.NewCore(standard(t, "a", func(c *workloads.CoreConfig) {
		c.FieldLengthDistribution, c.FieldLengthHistogram = "histogram", "testdata/none.txt"
	}))
	fails(t, "NewCore", err, "workloads: fieldlengthhistogram: open testdata/none.txt: no such file")

	_, err = workloads.NewCore(standard(t, "a", func(c *workloads.CoreConfig) {
		c.FieldLengthDistribution, c.FieldLengthHistogram = "histogram", "testdata/README.md"
	}))
	fails(t, "NewCore", err, "workloads: fieldlengthhistogram: testdata/README.md: ", "line 1")

	file := filepath.Join(t.TempDir(), "long.txt")
	if err := os.WriteFile(file, []byte("BlockSize\t1048576\n1\t1\n1025\t1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = workloads.NewCore(standard(t, "a", func(c *workloads.CoreConfig) {
		c.FieldLengthDistribution, c.FieldLengthHistogram = "histogram", file
	}))
	fails(t, "NewCore", err, "workloads: fieldlengthhistogram: "+file+": length 1074790400: want at most 1073741824")
}

func TestScansNeedADriverWithScans(t *testing.T) {
	db := newMemDB()
	db.plain = true
	w := newCore(t, standard(t, "e"))
	flawless(t, ycsb.Load, db, w, seeded(0, 1))
	db.forgetCalls()
	_, err := ycsb.Run(t.Context(), db, w, seeded(1000, 4))
	fails(t, "run", err, "workload e needs scans: driver workloads_test has none")
	equal(t, "the error is ErrUnsupported", errors.Is(err, ycsb.ErrUnsupported), true)
	equal(t, "calls", len(db.calls()), 0)
}

func TestBatchesNeedADriverWithBatches(t *testing.T) {
	db := newMemDB()
	db.plain = true
	w := newCore(t, standard(t, "a", func(c *workloads.CoreConfig) { c.BatchSize = 2 }))
	for name, phase := range map[string]phase{"load": ycsb.Load, "run": ycsb.Run} {
		_, err := phase(t.Context(), db, w, seeded(1000, 4))
		fails(t, name, err, "workload a needs batches: driver workloads_test has none")
		equal(t, "the error is ErrUnsupported", errors.Is(err, ycsb.ErrUnsupported), true)
	}
	equal(t, "calls", len(db.calls()), 0)
}

func TestPlainDriverIsEnoughForTheOthers(t *testing.T) {
	for _, name := range []string{"a", "b", "c", "d", "f"} {
		db := newMemDB()
		db.plain = true
		w := newCore(t, standard(t, name))
		flawless(t, ycsb.Load, db, w, seeded(0, 1))
		flawless(t, ycsb.Run, db, w, seeded(100, 1))
	}
}

func TestNames(t *testing.T) {
	for _, name := range workloads.Standards() {
		equal(t, "name", newCore(t, standard(t, name)).String(), name)
	}
	equal(t, "name of another mix", newCore(t, standard(t, "e", func(c *workloads.CoreConfig) { c.Scan = .9 })).String(), "core")
	equal(t, "name of the default", newCore(t, workloads.Default()).String(), "core")
}

// TestEmptyScans has scans that find nothing: they are no failures, and no time of a record is made up.
func TestEmptyScans(t *testing.T) {
	w := newCore(t, standard(t, "e"))
	db := newMemDB() // without a load
	db.before = func(_ context.Context, c *call) error {
		if c.op == ycsb.OpInsert {
			return errServer // it stays empty
		}
		return nil
	}
	res := must(t, ycsb.Run, db, w, seeded(1000, 2))
	equal(t, "steps", res.Steps, 1000)
	equal(t, "scans", count(res, ycsb.OpScan, ycsb.OutcomeOK), len(db.calls(ycsb.OpScan)))
	equal(t, "times of a record", total(res, ycsb.OpScanPerRecord), 0)

	full := loaded(t, w)
	res = flawless(t, ycsb.Run, full, w, seeded(1000, 2))
	equal(t, "times of a record", total(res, ycsb.OpScanPerRecord), total(res, ycsb.OpScan))

	half := newMemDB()
	middle := "user5"
	for n := range int64(1000) {
		if keyOf(n) < middle {
			half.setRow(keyOf(n), []field{{"field0", "v"}})
		}
	}
	last := half.mu.keys[len(half.mu.keys)-1]
	half.before = db.before
	w = newCore(t, standard(t, "e"))
	res = must(t, ycsb.Run, half, w, seeded(1000, 2))
	found := 0
	for _, c := range half.calls(ycsb.OpScan) {
		if c.key <= last {
			found++
		}
	}
	equal(t, "times of a record", total(res, ycsb.OpScanPerRecord), found)
	equal(t, "some scans found nothing", found < total(res, ycsb.OpScan), true)
}

func TestFewerOperationsThanWorkers(t *testing.T) {
	w := newCore(t, standard(t, "a"))
	db := loaded(t, w)
	res := flawless(t, ycsb.Run, db, w, seeded(3, 8))
	equal(t, "steps", res.Steps, 3)
	equal(t, "operations", len(db.calls()), 3)
}

// TestRunsWithoutABudget end with their time, or when they are told to.
func TestRunsWithoutABudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newCore(t, standard(t, "a"))
		db := loaded(t, w)
		db.before = func(context.Context, *call) error {
			time.Sleep(time.Millisecond)
			return nil
		}
		o := seeded(0, 2)
		o.Duration = time.Second
		res := flawless(t, ycsb.Run, db, w, o)
		equal(t, "end", res.Ended, ycsb.EndedDuration)
		near(t, "steps", float64(res.Steps), 2000, 2)

		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		res, err := ycsb.Run(ctx, db, w, seeded(0, 2))
		equal(t, "the context's error is returned", errors.Is(err, context.DeadlineExceeded), true)
		equal(t, "end", res.Ended, ycsb.EndedInterrupted)
		near(t, "steps", float64(res.Steps), 120_000, 2)
	})
}
