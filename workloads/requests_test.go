package workloads_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

func TestReadsOfAPartOfTheTable(t *testing.T) {
	for _, d := range distributions {
		t.Run(d, func(t *testing.T) {
			part := int64(100)
			w := newCore(t, small(func(c *workloads.CoreConfig) {
				c.Read, c.RequestDistribution, c.InsertStart, c.InsertCount = 1, d, 500, &part
			}))
			db := loaded(t, w)
			res := flawless(t, ycsb.Run, db, w, seeded(1000, 2))
			numbers := keysOf(500, 600)
			for _, c := range db.calls() {
				if _, ok := numbers[c.key]; !ok {
					t.Errorf("read of %s; want records 500 to 599 only", c.key)
				}
			}
			equal(t, "reads that found their record", count(res, ycsb.OpRead, ycsb.OutcomeOK), 1000)
		})
	}
}

func TestOneRecord(t *testing.T) {
	for _, d := range distributions {
		t.Run(d, func(t *testing.T) {
			w := newCore(t, small(func(c *workloads.CoreConfig) {
				c.Read, c.Update, c.Scan, c.ReadModifyWrite, c.RequestDistribution, c.RecordCount = 1, 1, 1, 1, d, 1
			}))
			db := loaded(t, w)
			res := flawless(t, ycsb.Run, db, w, seeded(1000, 2))
			equal(t, "steps", res.Steps, 1000)
			for _, c := range db.calls() {
				equal(t, "key", c.key, keyOf(0))
			}
		})
	}
}

// acknowledged is a set of keys whose inserts have returned.
type acknowledged struct {
	sync.Mutex
	keys map[string]bool
}

func (a *acknowledged) add(key string) {
	a.Lock()
	defer a.Unlock()
	a.keys[key] = true
}

func (a *acknowledged) has(key string) bool {
	a.Lock()
	defer a.Unlock()
	return a.keys[key]
}

// TestReadsOfAcknowledgedInsertsOnly delays inserts by random times before and after they are
// carried out.
func TestReadsOfAcknowledgedInsertsOnly(t *testing.T) {
	for _, d := range distributions {
		t.Run(d, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newCore(t, small(func(c *workloads.CoreConfig) { c.Read, c.Insert, c.RequestDistribution = .5, .5, d }))
				db := loaded(t, w)
				acked := acknowledged{keys: make(map[string]bool)}
				for key := range db.table() {
					acked.add(key)
				}
				wait := func() { time.Sleep(rand.N(time.Millisecond)) }
				db.before = func(_ context.Context, c *call) error {
					if c.op == ycsb.OpRead && !acked.has(c.key) {
						t.Errorf("read of %s, which is not acknowledged", c.key)
					}
					wait()
					return nil
				}
				db.after = func(_ context.Context, c *call) error {
					if c.op == ycsb.OpInsert {
						wait()
						acked.add(c.key)
					}
					return nil
				}
				res := flawless(t, ycsb.Run, db, w, seeded(10_000, 32))
				equal(t, "steps", res.Steps, 10_000)
				equal(t, "rows", len(db.table()), 1000+total(res, ycsb.OpInsert))
				near(t, "inserts", float64(total(res, ycsb.OpInsert)), 5000, 250)
			})
		})
	}
}

// TestInsertsThatFail has inserts that fail, that time out and that time out after they were
// carried out. None is ever read, and later inserts are.
func TestInsertsThatFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newCore(t, small(func(c *workloads.CoreConfig) {
			c.Read, c.Insert, c.RequestDistribution, c.RecordCount = .5, .5, "latest", 10
		}))
		db := loaded(t, w)
		lost := acknowledged{keys: make(map[string]bool)}
		hang := func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}
		var n atomic.Int64
		db.before = func(ctx context.Context, c *call) error {
			time.Sleep(rand.N(time.Millisecond))
			if c.op == ycsb.OpRead {
				if lost.has(c.key) {
					t.Errorf("read of %s, whose insert failed", c.key)
				}
				return nil
			}
			switch n.Add(1) % 6 {
			case 1:
				lost.add(c.key)
				return errServer
			case 2:
				lost.add(c.key)
				return hang(ctx)
			}
			return nil
		}
		db.after = func(ctx context.Context, c *call) error {
			if c.op == ycsb.OpInsert && n.Add(1)%6 == 3 {
				lost.add(c.key)
				return hang(ctx)
			}
			return nil
		}
		o := seeded(4000, 16)
		o.Timeout = 20 * time.Millisecond
		res := must(t, ycsb.Run, db, w, o)
		equal(t, "reads that found their record", count(res, ycsb.OpRead, ycsb.OutcomeOK), total(res, ycsb.OpRead))
		equal(t, "some inserts failed", count(res, ycsb.OpInsert, ycsb.OutcomeError) > 100, true)
		equal(t, "some inserts timed out", count(res, ycsb.OpInsert, ycsb.OutcomeTimeout) > 100, true)
		last := keysOf(w.NextRecord()-200, w.NextRecord())
		reads := 0
		for _, c := range db.calls(ycsb.OpRead) {
			if _, ok := last[c.key]; ok {
				reads++
			}
		}
		equal(t, "the last inserts were read", reads > 0, true)
	})
}

func TestInsertsOfTwoClients(t *testing.T) {
	client := func(start int64) *workloads.Core {
		return newCore(t, small(func(c *workloads.CoreConfig) { c.Insert, c.InsertStartRun = 1, &start }))
	}
	clients := []*workloads.Core{client(1000), client(3500)}
	db := loaded(t, clients[0])
	var both sync.WaitGroup
	for _, w := range clients {
		both.Go(func() {
			if res, err := ycsb.Run(t.Context(), db, w, seeded(2500, 4)); err != nil || res.Failed > 0 {
				t.Errorf("%d inserts failed, error %v; want none", res.Failed, err)
			}
		})
	}
	both.Wait()
	equal(t, "rows", len(db.table()), 6000)
	equal(t, "inserts", len(db.calls(ycsb.OpInsert)), 5000)
	equal(t, "next record of the first client", clients[0].NextRecord(), 3500)
	equal(t, "next record of the second client", clients[1].NextRecord(), 6000)
}

func TestRunsGoOn(t *testing.T) {
	w := newCore(t, small(func(c *workloads.CoreConfig) {
		c.Read, c.Insert, c.RequestDistribution, c.RecordCount = .5, .5, "latest", 100
	}))
	db := loaded(t, w)
	equal(t, "next record", w.NextRecord(), 100)
	next := int64(100)
	for i := range 3 {
		db.forgetCalls()
		flawless(t, ycsb.Run, db, w, seeded(1000, 1))
		for _, c := range db.calls(ycsb.OpInsert) {
			equal(t, fmt.Sprintf("key of an insert of run %d", i), c.key, keyOf(next))
			next++
		}
		equal(t, "next record", w.NextRecord(), next)
	}
	equal(t, "rows", len(db.table()), int(next))

	again := newMemDB()
	flawless(t, ycsb.Load, again, w, seeded(0, 1))
	equal(t, "rows of a second load", len(again.table()), 100)
	equal(t, "next record after it", w.NextRecord(), 100)
}

func TestDeletedRecordsAreNotRead(t *testing.T) {
	for _, batch := range []int64{1, 7} {
		for _, d := range distributions {
			t.Run(fmt.Sprintf("%s,batch=%d", d, batch), func(t *testing.T) {
				w := newCore(t, small(func(c *workloads.CoreConfig) {
					c.Read, c.Delete, c.RequestDistribution, c.RecordCount, c.BatchSize = .7, .3, d, 500, batch
				}))
				db := loaded(t, w)
				res := flawless(t, ycsb.Run, db, w, seeded(1400, 1))
				equal(t, "operations that found their record", count(res, ycsb.OpRead, ycsb.OutcomeOK)+
					count(res, ycsb.OpDelete, ycsb.OutcomeOK), 1400)
				equal(t, "rows", len(db.table()), 500-total(res, ycsb.OpDelete))
			})
		}
	}
}

func TestAllDeleted(t *testing.T) {
	for _, batch := range []int64{1, 7} {
		for _, d := range distributions {
			t.Run(fmt.Sprintf("%s,batch=%d", d, batch), func(t *testing.T) {
				w := newCore(t, small(func(c *workloads.CoreConfig) {
					c.Delete, c.RequestDistribution, c.RecordCount, c.BatchSize = 1, d, 500, batch
				}))
				db := loaded(t, w)
				res, err := ycsb.Run(t.Context(), db, w, seeded(2000, 4))
				fails(t, "run", err, "no readable record is left")
				equal(t, "end", res.Ended, ycsb.EndedError)
				equal(t, "rows", len(db.table()), 0)
				equal(t, "deletes that found their record", count(res, ycsb.OpDelete, ycsb.OutcomeOK), 500)
				equal(t, "deletes sent", len(db.calls(ycsb.OpDelete)), 500)
				equal(t, "steps", res.Steps, 500)
				equal(t, "steps that failed", res.Failed+res.Errors, 0)
			})
		}
	}
}

// TestAllDeletedButInserts deletes more than it inserts, until nothing is left but what workers have
// yet to send, which must not wait for itself.
func TestAllDeletedButInserts(t *testing.T) {
	for _, threads := range []int{1, 2, 8} {
		for _, d := range distributions {
			t.Run(fmt.Sprintf("%s,threads=%d", d, threads), func(t *testing.T) {
				w := newCore(t, small(func(c *workloads.CoreConfig) {
					c.Insert, c.Delete, c.RequestDistribution, c.RecordCount, c.BatchSize = .4, .6, d, 20, 50
				}))
				db := loaded(t, w)
				res, err := ycsb.Run(t.Context(), db, w, seeded(20_000, threads))
				fails(t, "run", err, "no readable record is left")
				inserts, deletes := count(res, ycsb.OpInsert, ycsb.OutcomeOK), count(res, ycsb.OpDelete, ycsb.OutcomeOK)
				equal(t, "rows", len(db.table()), 20+inserts-deletes)
				equal(t, "steps", res.Steps, int64(inserts+deletes))
				equal(t, "steps that failed", res.Failed+res.Errors, 0)
			})
		}
	}
}

// TestRangeAfterDeletes deletes more and more of the records: the others of the range are drawn, and
// only when none is left those beyond.
func TestRangeAfterDeletes(t *testing.T) {
	for _, d := range []string{"uniform", "hotspot", "sequential"} {
		w := newCore(t, small(func(c *workloads.CoreConfig) {
			c.Read, c.Insert, c.Delete, c.RequestDistribution, c.RecordCount = .5, .3, .2, d, 50
		}))
		db := loaded(t, w)
		flawless(t, ycsb.Run, db, w, seeded(1000, 1))
		left := keysOf(0, 50)
		for _, c := range db.calls(ycsb.OpRead, ycsb.OpDelete) {
			if _, ok := left[c.key]; !ok && len(left) > 0 {
				t.Errorf("%s: %s of %s, with %d records left of the range", d, c.op, c.key, len(left))
			}
			if c.op == ycsb.OpDelete {
				delete(left, c.key)
			}
		}
		equal(t, d+": records left", len(left), 0)
	}
}

// TestRunsKnowInsertsBefore has runs ask for the records that runs before have inserted.
func TestRunsKnowInsertsBefore(t *testing.T) {
	for _, d := range distributions {
		w := newCore(t, small(func(c *workloads.CoreConfig) {
			c.Read, c.Insert, c.RequestDistribution, c.RecordCount = .9, .1, d, 100
		}))
		db := loaded(t, w)
		flawless(t, ycsb.Run, db, w, seeded(9000, 1))
		before := keysOf(100, w.NextRecord())
		db.forgetCalls()
		flawless(t, ycsb.Run, db, w, seeded(9000, 1))
		reads := 0
		for _, c := range db.calls(ycsb.OpRead) {
			if _, ok := before[c.key]; ok {
				reads++
			}
		}
		equal(t, fmt.Sprintf("%s: %d of 8000 reads are of the %d records inserted before", d, reads, len(before)), reads > 1000, true)
	}
}

// TestRunAfterAPanic has an insert of which nobody knows whether it succeeded: it is never read, and
// later ones are.
func TestRunAfterAPanic(t *testing.T) {
	w := newCore(t, small(func(c *workloads.CoreConfig) {
		c.Read, c.Insert, c.RequestDistribution, c.RecordCount = .5, .5, "latest", 100
	}))
	db := loaded(t, w)
	db.before = func(_ context.Context, c *call) error {
		if c.op == ycsb.OpInsert {
			panic("a fault of the driver")
		}
		return nil
	}
	_, err := ycsb.Run(t.Context(), db, w, seeded(1000, 1))
	fails(t, "run", err, "panic: a fault of the driver")
	db.before = nil
	db.forgetCalls()
	flawless(t, ycsb.Run, db, w, seeded(1000, 1))
	later, reads := keysOf(101, w.NextRecord()), 0
	for _, c := range db.calls(ycsb.OpRead) {
		if _, ok := later[c.key]; ok {
			reads++
		}
		equal(t, "the insert that panicked is read", c.key == keyOf(100), false)
	}
	equal(t, fmt.Sprintf("many reads of %d are of later inserts", reads), reads > 200, true)
}

// TestNumbersEnd inserts up to the last number there is.
func TestNumbersEnd(t *testing.T) {
	for _, batch := range []int64{1, 7} {
		last := int64(math.MaxInt64) - 9
		w := newCore(t, small(func(c *workloads.CoreConfig) {
			c.Insert, c.RecordCount, c.InsertStartRun, c.InsertOrder, c.BatchSize = 1, 5, &last, "ordered", batch
		}))
		db := loaded(t, w)
		res, err := ycsb.Run(t.Context(), db, w, seeded(100, 1))
		fails(t, "run", err, "there is no record beyond number 9223372036854775807")
		equal(t, "steps", res.Steps, 10)
		equal(t, "steps that failed", res.Failed+res.Errors, 0)
		equal(t, "rows", len(db.table()), 15)
		equal(t, "next record", w.NextRecord(), -1)
		for _, c := range db.calls(ycsb.OpInsert) {
			equal(t, "sign in "+c.key, strings.Contains(c.key, "-"), false)
		}
	}
}

func TestNoRecordIsDeletedTwice(t *testing.T) {
	w := newCore(t, small(func(c *workloads.CoreConfig) {
		c.Delete, c.Insert, c.RequestDistribution, c.RecordCount = .6, .4, "latest", 5000
	}))
	db := loaded(t, w)
	flawless(t, ycsb.Run, db, w, seeded(4000, 16))
	seen := make(map[string]bool)
	for _, c := range db.calls(ycsb.OpDelete) {
		if seen[c.key] {
			t.Errorf("%s is deleted twice", c.key)
		}
		seen[c.key] = true
	}
	equal(t, "deletes", len(seen) > 2000, true)
}

func TestBatchesOfARun(t *testing.T) {
	tests := []struct {
		name   string
		all    bool
		fields int
	}{
		{"one field", false, 1},
		{"all fields", true, 10},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newCore(t, standard(t, "a", func(c *workloads.CoreConfig) {
				c.Insert, c.BatchSize, c.WriteAllFields = .5, 300, tt.all
			}))
			db := loaded(t, w)
			res := flawless(t, ycsb.Run, db, w, seeded(1000, 1))
			equalLists(t, "batches", sizes(db.calls(ycsb.OpBatch)), []int{300, 300, 300, 100})
			equal(t, "steps", res.Steps, 1000)
			equal(t, "operations", len(db.calls(ycsb.OpRead, ycsb.OpUpdate, ycsb.OpInsert)), 1000)
			for _, c := range db.calls(ycsb.OpUpdate) {
				equal(t, "fields of an update", len(c.values), tt.fields)
			}
			inserts := db.calls(ycsb.OpInsert)
			for _, c := range inserts {
				checkRecord(t, c.key, c.values)
			}
			near(t, "inserts", float64(len(inserts)), 1000./3, 70)
		})
	}
}

func TestBatchesNeverOvershoot(t *testing.T) {
	for _, operations := range []int64{1, 299, 300, 301, 1000} {
		w := newCore(t, standard(t, "a", func(c *workloads.CoreConfig) { c.BatchSize = 300 }))
		db := loaded(t, w)
		res := flawless(t, ycsb.Run, db, w, seeded(operations, 8))
		equal(t, "steps", res.Steps, operations)
		equal(t, "operations", int64(len(db.calls(ycsb.OpRead, ycsb.OpUpdate))), operations)
	}
}

func TestBatchesWithWhatCannotBeBatched(t *testing.T) {
	w := newCore(t, standard(t, "e", func(c *workloads.CoreConfig) {
		c.Scan, c.ReadModifyWrite, c.Read, c.Insert, c.Update, c.Delete, c.BatchSize = 1, 1, 1, 1, 1, 1, 50
	}))
	db := loaded(t, w)
	res := flawless(t, ycsb.Run, db, w, seeded(3000, 1))
	equal(t, "steps", res.Steps, 3000)
	rmw := total(res, ycsb.OpReadModifyWrite)
	equal(t, "operations", len(db.calls())-len(db.calls(ycsb.OpBatch)), 3000+rmw)
	for _, op := range []string{ycsb.OpRead, ycsb.OpUpdate} {
		near(t, "share of "+op, float64(total(res, op)-rmw)/3000, 1./6, .03)
	}
	for _, op := range []string{ycsb.OpInsert, ycsb.OpScan, ycsb.OpReadModifyWrite, ycsb.OpDelete} {
		near(t, "share of "+op, float64(total(res, op))/3000, 1./6, .03)
	}
}

func TestInsertsOfABatchThatFail(t *testing.T) {
	w := newCore(t, small(func(c *workloads.CoreConfig) {
		c.Read, c.Insert, c.RequestDistribution, c.BatchSize, c.RecordCount = .5, .5, "latest", 20, 10
	}))
	db := loaded(t, w)
	var n atomic.Int64
	db.before = func(_ context.Context, c *call) error {
		if c.op == ycsb.OpInsert && n.Add(1)%3 == 0 || c.op == ycsb.OpBatch && n.Add(1)%5 == 0 {
			return errServer
		}
		return nil
	}
	res := must(t, ycsb.Run, db, w, seeded(4000, 4))
	equal(t, "misses", count(res, ycsb.OpRead, ycsb.OutcomeNotFound), 0)
	equal(t, "inserts that failed", count(res, ycsb.OpInsert, ycsb.OutcomeError) > 500, true)
	equal(t, "rows", len(db.table()), 10+count(res, ycsb.OpInsert, ycsb.OutcomeOK))
}

func TestPartBeyondTheTable(t *testing.T) {
	n := int64(200)
	_, err := workloads.NewCore(small(func(c *workloads.CoreConfig) { c.Read, c.InsertStart, c.InsertCount = 1, 900, &n }))
	fails(t, "NewCore", err, "insertstart 900 and insertcount 200 exceed recordcount 1000")
	equal(t, "lines after the first", strings.Count(err.Error(), "\n"), 0)
}
