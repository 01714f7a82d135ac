package workloads_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

func TestKeysOfALoadAreJavas(t *testing.T) {
	type naming struct{ order, padding string }
	keys := make(map[naming]map[int64]string)
	for _, row := range golden(t, "keynames.tsv") {
		n, err := strconv.ParseInt(row[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		names := naming{row[1], row[2]}
		if keys[names] == nil {
			keys[names] = make(map[int64]string)
		}
		if n >= 0 && n < math.MaxInt64 { // others no load can have
			keys[names][n] = row[3]
		}
	}
	for names, keys := range keys {
		t.Run(names.order+","+names.padding, func(t *testing.T) {
			for n := range keys {
				if _, ok := keys[n-1]; !ok {
					loadKeys(t, names.order, names.padding, n, keys)
				}
			}
		})
	}
}

// loadKeys loads the records from start on that have keys.
func loadKeys(t *testing.T, order, padding string, start int64, keys map[int64]string) {
	t.Helper()
	var want []string
	n := start
	for ; keys[n] != ""; n++ {
		want = append(want, keys[n])
	}
	digits, err := strconv.Atoi(padding)
	if err != nil {
		t.Fatal(err)
	}
	db := newMemDB()
	flawless(t, ycsb.Load, db, newCore(t, small(func(c *workloads.CoreConfig) {
		c.Read, c.RecordCount, c.InsertStart = 1, n, start
		c.InsertOrder, c.ZeroPadding = order, digits
	})), seeded(0, 1))
	var got []string
	for _, c := range db.calls() {
		got = append(got, c.key)
	}
	equalLists(t, fmt.Sprintf("keys from record %d on", start), got, want)
}

func TestKeysOfGoYCSB(t *testing.T) {
	w := newCore(t, standard(t, "c", func(c *workloads.CoreConfig) { c.InsertStart, c.RecordCount, c.KeyHash = 1, 2, "go-ycsb" }))
	equalLists(t, "keys", slices.Collect(maps.Keys(loaded(t, w).table())), []string{"user6284782960179005422"})
}

func TestRecordsOfALoad(t *testing.T) {
	w := newCore(t, standard(t, "a"))
	db := newMemDB()
	res := flawless(t, ycsb.Load, db, w, seeded(0, 4))
	equal(t, "steps", res.Steps, 1000)
	equal(t, "inserts", len(db.calls()), 1000)
	table := db.table()
	for key := range keysOf(0, 1000) {
		checkRecord(t, key, table[key])
	}
	equal(t, "records", len(table), 1000)
}

// checkRecord checks that a record has field0 … field9 of 100 printable bytes.
func checkRecord(t *testing.T, key string, record []field) {
	t.Helper()
	equal(t, "fields of "+key, len(record), 10)
	for i, f := range record {
		equal(t, "name of a field of "+key, f.name, "field"+strconv.Itoa(i))
		equal(t, "length of a field of "+key, len(f.value), 100)
	}
}

func TestValuesArePrintable(t *testing.T) {
	w := newCore(t, standard(t, "a"))
	db := newMemDB()
	flawless(t, ycsb.Load, db, w, seeded(0, 1))
	flawless(t, ycsb.Run, db, w, seeded(1000, 1))
	var seen [256]int
	for _, c := range db.calls(ycsb.OpInsert, ycsb.OpUpdate) {
		for _, f := range c.values {
			for _, b := range []byte(f.value) {
				seen[b]++
			}
		}
	}
	for b, n := range seen {
		equal(t, fmt.Sprintf("%#x is in the values", b), n > 0, b >= 0x3f && b <= 0x7e)
	}
}

func TestBatchesOfALoad(t *testing.T) {
	w := newCore(t, standard(t, "a", func(c *workloads.CoreConfig) { c.BatchSize = 300 }))
	db := newMemDB()
	res := flawless(t, ycsb.Load, db, w, seeded(0, 1))
	equal(t, "steps", res.Steps, 1000)
	equalLists(t, "batches", sizes(db.calls(ycsb.OpBatch)), []int{300, 300, 300, 100})
	for key, record := range db.table() {
		checkRecord(t, key, record)
	}
	equal(t, "inserts measured", count(res, ycsb.OpInsert, ycsb.OutcomeOK), 1000)
}

func sizes(calls []call) []int {
	var n []int
	for _, c := range calls {
		n = append(n, c.n)
	}
	return n
}

func TestTwoLoadsOfOneTable(t *testing.T) {
	db := newMemDB()
	var parts [2]map[string]bool
	for i, start := range []int64{0, 500} {
		count := int64(500)
		w := newCore(t, standard(t, "a", func(c *workloads.CoreConfig) { c.InsertStart, c.InsertCount = start, &count }))
		db.forgetCalls()
		o := seeded(0, 2)
		o.Append = true
		flawless(t, ycsb.Load, db, w, o)
		parts[i] = make(map[string]bool)
		for _, c := range db.calls() {
			parts[i][c.key] = true
		}
	}
	both := maps.Clone(parts[0])
	maps.Copy(both, parts[1])
	equal(t, "keys of the first load", len(parts[0]), 500)
	equal(t, "keys of the second load", len(parts[1]), 500)
	equal(t, "keys of both", len(both), 1000)
	equal(t, "rows", len(db.table()), 1000)
}

func TestLoadIsTheSameWhoeverLoads(t *testing.T) {
	lengths := map[string]change{
		"constant": func(*workloads.CoreConfig) {},
		"uniform":  func(c *workloads.CoreConfig) { c.FieldLengthDistribution = "uniform" },
		"zipfian":  func(c *workloads.CoreConfig) { c.FieldLengthDistribution = "zipfian" },
		"histogram": func(c *workloads.CoreConfig) {
			c.FieldLengthDistribution, c.FieldLengthHistogram = "histogram", "testdata/hist-example.txt"
		},
	}
	for name, length := range lengths {
		t.Run(name, func(t *testing.T) {
			table := func(seed uint64, threads int, batch int64) map[string][]field {
				w := newCore(t, standard(t, "a", length, func(c *workloads.CoreConfig) { c.BatchSize = batch }))
				db := newMemDB()
				o := seeded(0, threads)
				o.Seed = seed
				flawless(t, ycsb.Load, db, w, o)
				return db.table()
			}
			want := table(1, 1, 1)
			equal(t, "8 loaders make the same table", sameTables(table(1, 8, 1), want), true)
			equal(t, "batches make the same table", sameTables(table(1, 3, 70), want), true)
			equal(t, "another seed makes the same table", sameTables(table(2, 1, 1), want), false)
		})
	}
}

func sameTables(a, b map[string][]field) bool {
	return maps.EqualFunc(a, b, func(a, b []field) bool { return slices.Equal(a, b) })
}

func TestInsertOfARunIsThatOfALoad(t *testing.T) {
	db := newMemDB()
	flawless(t, ycsb.Load, db, newCore(t, standard(t, "a", func(c *workloads.CoreConfig) { c.RecordCount = 20 })), seeded(0, 1))
	grown := newMemDB()
	w := newCore(t, standard(t, "a", func(c *workloads.CoreConfig) {
		c.RecordCount, c.Read, c.Update, c.Insert = 10, 0, 0, 1
	}))
	flawless(t, ycsb.Load, grown, w, seeded(0, 1))
	flawless(t, ycsb.Run, grown, w, seeded(10, 1))
	equal(t, "10 records loaded and 10 inserted are 20 loaded", sameTables(grown.table(), db.table()), true)
}

// errServer is a failure that may pass.
var errServer = errors.New("server is busy")

// failing makes the inserts of the keys for which of is true fail the first n times.
func failing(n int, of func(key string) bool) func(context.Context, *call) error {
	tries := make(map[string]int)
	return func(_ context.Context, c *call) error {
		if c.op != ycsb.OpInsert || !of(c.key) {
			return nil
		}
		if tries[c.key]++; tries[c.key] <= n {
			return errServer
		}
		return nil
	}
}

func only(n int64) func(string) bool { return func(key string) bool { return key == keyOf(n) } }

// retrying returns a load of 10 records in which an insert is tried up to 3 times.
func retrying(t *testing.T, changes ...change) *workloads.Core {
	return newCore(t, small(append([]change{func(c *workloads.CoreConfig) {
		c.Read, c.RecordCount, c.InsertionRetryLimit = 1, 10, 2
	}}, changes...)...))
}

func TestRetryOfATransientFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newMemDB()
		db.before = failing(1, only(4))
		res := must(t, ycsb.Load, db, retrying(t), seeded(0, 1))
		equal(t, "rows", len(db.table()), 10)
		equal(t, "calls", len(db.calls()), 11)
		equal(t, "retries", res.Retries, 1)
		equal(t, "errors", res.Errors, 0)
		equal(t, "failed steps", res.Failed, 0)
		equal(t, "steps", res.Steps, 10)
	})
}

func TestRetriesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newMemDB()
		db.before = failing(100, only(4))
		res, err := ycsb.Load(t.Context(), db, retrying(t), seeded(0, 1))
		fails(t, "load", err, "tried 3 times", errServer.Error())
		equal(t, "the cause is there", errors.Is(err, errServer), true)
		equal(t, "rows", len(db.table()), 4)
		equal(t, "calls", len(db.calls()), 7)
		equal(t, "retries", res.Retries, 2)
		equal(t, "errors", res.Errors, 1)
		equal(t, "end", res.Ended, ycsb.EndedError)
	})
}

func TestNoRetryWithoutLimit(t *testing.T) {
	db := newMemDB()
	db.before = failing(1, only(4))
	_, err := ycsb.Load(t.Context(), db, retrying(t, func(c *workloads.CoreConfig) { c.InsertionRetryLimit = 0 }), seeded(0, 1))
	fails(t, "load", err, "tried 1 times", errServer.Error())
	equal(t, "calls", len(db.calls()), 5)
}

func TestRetryIntervals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newMemDB()
		db.before = failing(200, only(4))
		w := retrying(t, func(c *workloads.CoreConfig) { c.InsertionRetryLimit = 200 })
		must(t, ycsb.Load, db, w, seeded(0, 1))
		tries := slices.DeleteFunc(db.calls(), func(c call) bool { return c.key != keyOf(4) })
		lo, hi := time.Hour, time.Duration(0)
		for i := range tries[1:] {
			d := tries[i+1].time.Sub(tries[i].time)
			lo, hi = min(lo, d), max(hi, d)
		}
		equal(t, "tries", len(tries), 201)
		near(t, "shortest pause", lo.Seconds(), 2.4, 0.05)
		near(t, "longest pause", hi.Seconds(), 3.6, 0.05)
		equal(t, "pauses are within 0.8 to 1.2 times 3 s", lo >= 2400*time.Millisecond && hi <= 3600*time.Millisecond, true)
	})
}

func TestKeepGoing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newMemDB()
		db.before = failing(100, func(key string) bool { return key == keyOf(4) || key == keyOf(7) })
		w := retrying(t, func(c *workloads.CoreConfig) { c.KeepGoingOnInsertErrors, c.Read = true, 1 })
		res := must(t, ycsb.Load, db, w, seeded(0, 1))
		equal(t, "rows", len(db.table()), 8)
		equal(t, "steps", res.Steps, 10)
		equal(t, "failed steps", res.Failed, 2)
		equal(t, "retries", res.Retries, 4)
		equal(t, "errors", res.Errors, 2)

		// What could not be loaded is not asked for.
		res = must(t, ycsb.Run, db, w, seeded(1000, 1))
		equal(t, "misses", count(res, ycsb.OpRead, ycsb.OutcomeNotFound), 0)
	})
}

func TestCancelledWhileItWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newMemDB()
		db.before = failing(100, only(4))
		w := retrying(t, func(c *workloads.CoreConfig) { c.InsertionRetryInterval = time.Minute })
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		start := time.Now()
		res, err := ycsb.Load(ctx, db, w, seeded(0, 1))
		equal(t, "time", time.Since(start), 10*time.Second)
		equal(t, "the context's error is returned", errors.Is(err, context.DeadlineExceeded), true)
		equal(t, "calls", len(db.calls()), 5)
		equal(t, "retries", res.Retries, 0)
		equal(t, "end", res.Ended, ycsb.EndedInterrupted)
	})
}

func TestRetryOfABatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newMemDB()
		db.before = failing(1, func(key string) bool { return key == keyOf(4) || key == keyOf(7) })
		w := retrying(t, func(c *workloads.CoreConfig) { c.BatchSize = 10 })
		res := must(t, ycsb.Load, db, w, seeded(0, 1))
		equal(t, "rows", len(db.table()), 10)
		equalLists(t, "batches", sizes(db.calls(ycsb.OpBatch)), []int{10, 2})
		equal(t, "inserts", len(db.calls(ycsb.OpInsert)), 12)
		equal(t, "retries", res.Retries, 2)
		equal(t, "errors", res.Errors, 0)
		equal(t, "steps", res.Steps, 10)
		equal(t, "failed steps", res.Failed, 0)
	})
}

func TestRetryOfAWholeBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newMemDB()
		failures := 0
		db.before = func(_ context.Context, c *call) error {
			if c.op == ycsb.OpBatch && failures == 0 {
				failures++
				return errServer
			}
			return nil
		}
		w := retrying(t, func(c *workloads.CoreConfig) { c.BatchSize = 10 })
		res := must(t, ycsb.Load, db, w, seeded(0, 1))
		equal(t, "rows", len(db.table()), 10)
		equal(t, "retries", res.Retries, 10)
		equal(t, "errors", res.Errors, 0)
		equalLists(t, "batches", sizes(db.calls(ycsb.OpBatch)), []int{10, 10})
	})
}

// lossy carries out the first insert of each of the keys and tells nothing of it but an error.
func lossy(of func(string) bool) func(context.Context, *call) error {
	lost := make(map[string]bool)
	return func(_ context.Context, c *call) error {
		if c.op != ycsb.OpInsert || !of(c.key) || lost[c.key] {
			return nil
		}
		lost[c.key] = true
		return ycsb.ErrTimeout
	}
}

func TestRetryThatFindsTheRecord(t *testing.T) {
	for _, batch := range []int64{1, 10} {
		t.Run(fmt.Sprintf("batch=%d", batch), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				db := uncounted{newMemDB()}
				db.after = lossy(only(4))
				w := retrying(t, func(c *workloads.CoreConfig) { c.BatchSize = batch })
				res := must(t, ycsb.Load, db, w, seeded(0, 1))
				equal(t, "rows", len(db.table()), 10)
				equal(t, "tries of others", count(res, ycsb.OpInsert, ycsb.OutcomeOK), 9)
				equal(t, "inserts that found the record", count(res, ycsb.OpInsert, ycsb.OutcomeExists), 1)
				equal(t, "failed steps", res.Failed, 0)
				equal(t, "made good", res.MadeGood, 1)
				equal(t, "errors", res.Errors, 0)
			})
		})
	}
}

// uncounted is a database that cannot count its rows.
type uncounted struct{ *memDB }

func (uncounted) Count() {}

func TestRetryThatFindsOneRecordOfABatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := uncounted{newMemDB()}
		db.before = failing(2, only(7))
		db.after = lossy(only(4))
		w := retrying(t, func(c *workloads.CoreConfig) { c.BatchSize = 10 })
		must(t, ycsb.Load, db, w, seeded(0, 1))
		equal(t, "rows", len(db.table()), 10)
		equalLists(t, "batches", sizes(db.calls(ycsb.OpBatch)), []int{10, 2, 1})
	})
}

func TestFirstInsertThatFindsTheRecord(t *testing.T) {
	db := newMemDB()
	db.setRow(keyOf(4), nil)
	o := seeded(0, 1)
	o.Append = true
	_, err := ycsb.Load(t.Context(), db, retrying(t, func(c *workloads.CoreConfig) { c.InsertionRetryLimit = 0 }), o)
	equal(t, "the error is ErrExists", errors.Is(err, ycsb.ErrExists), true)
}

// TestStoredInsertThatTimedOut has an insert that is stored though it fails, and is found when
// it is tried again: nothing is missing, and nothing failed.
func TestStoredInsertThatTimedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newMemDB()
		db.after = lossy(only(4))
		res, err := ycsb.Load(t.Context(), db, retrying(t), seeded(0, 1))
		if err != nil {
			t.Fatal(err)
		}
		if res.Errors != 0 || res.Failed != 0 || res.MadeGood != 1 || res.Rows != res.Steps {
			t.Errorf("Errors, Failed, MadeGood, Rows = %d, %d, %d, %d; want 0, 0, 1 and all", res.Errors, res.Failed, res.MadeGood, res.Rows)
		}
	})
}
