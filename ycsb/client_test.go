package ycsb_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// ableDB is a fakeDB whose connections can do everything.
type ableDB struct {
	fakeDB
	commits, rollbacks atomic.Int64
}

func (db *ableDB) Conn(ctx context.Context, worker int) (ycsb.Conn, error) {
	c, err := db.fakeDB.Conn(ctx, worker)
	if err != nil {
		return nil, err
	}
	return &ableConn{c.(*fakeConn), db}, nil
}

type ableConn struct {
	*fakeConn
	able *ableDB
}

func (c *ableConn) Scan(ctx context.Context, _ string, _ []byte, n int, _ []string, each func([]byte, *ycsb.Record) error) error {
	for range n {
		if err := each(nil, nil); err != nil {
			return err
		}
	}
	return c.db.call(ctx, ycsb.OpScan)
}

func (c *ableConn) Batch(ctx context.Context, _ string, items []ycsb.BatchItem) error {
	for i := range items {
		if string(items[i].Key) == "missing" {
			items[i].Err = ycsb.ErrNotFound
		}
	}
	return c.db.call(ctx, ycsb.OpBatch)
}

func (c *ableConn) Query(ctx context.Context, _ ycsb.Query, _ func([]byte, *ycsb.Record) error) error {
	return c.db.call(ctx, ycsb.OpQuery)
}

func (c *ableConn) Begin(ctx context.Context) (ycsb.Tx, error) {
	return &ableTx{fakeConn: c.fakeConn, able: c.able}, c.db.call(ctx, "begin")
}

type ableTx struct {
	*fakeConn
	able *ableDB
	done bool
}

func (t *ableTx) Commit(ctx context.Context) error {
	err := t.db.call(ctx, "commit")
	if err == nil {
		t.done = true
		t.able.commits.Add(1)
	}
	return err
}

func (t *ableTx) Close() error {
	if !t.done {
		t.able.rollbacks.Add(1)
	}
	return nil
}

// counts tells the outcomes of all operations: "READ OK=2, UPDATE ERROR=1".
func counts(res *ycsb.Result) string {
	var list []string
	for _, op := range res.Ops {
		if op.Name == ycsb.OpCleanup {
			continue
		}
		for _, oc := range op.Outcomes {
			list = append(list, fmt.Sprintf("%s %s=%d", op.Name, oc.Name, oc.Count))
		}
	}
	return strings.Join(list, ", ")
}

func TestClientMeasuresWhatItDoes(t *testing.T) {
	ctx := context.Background()
	key := []byte("k")
	for _, tt := range []struct {
		name string
		fail string // the call that fails
		do   func(c *ycsb.Client) error
		want string
	}{
		{"read", "", func(c *ycsb.Client) error { return c.Read(ctx, "t", key, nil, nil) }, "READ OK=1"},
		{"insert", "", func(c *ycsb.Client) error { return c.Insert(ctx, "t", key, nil) }, "INSERT OK=1"},
		{"update", "", func(c *ycsb.Client) error { return c.Update(ctx, "t", key, nil) }, "UPDATE OK=1"},
		{"delete", "", func(c *ycsb.Client) error { return c.Delete(ctx, "t", key) }, "DELETE OK=1"},
		{"scan", "", func(c *ycsb.Client) error {
			return c.Scan(ctx, "t", key, 3, nil, func([]byte, *ycsb.Record) error { return nil })
		}, "SCAN OK=1"},
		{"scan that its caller stops", "", func(c *ycsb.Client) error {
			return c.Scan(ctx, "t", key, 3, nil, func([]byte, *ycsb.Record) error { return errBoom })
		}, "SCAN ERROR=1"},
		{"query", "", func(c *ycsb.Client) error { return c.Query(ctx, ycsb.Query{}, nil) }, "QUERY OK=1"},
		{"read-modify-write", "", func(c *ycsb.Client) error {
			return c.ReadModifyWrite(ctx, "t", key, nil, nil, nil)
		}, "READ OK=1, UPDATE OK=1, READ-MODIFY-WRITE OK=1"},
		{"read-modify-write without read", ycsb.OpRead, func(c *ycsb.Client) error {
			return c.ReadModifyWrite(ctx, "t", key, nil, nil, nil)
		}, "READ ERROR=1, READ-MODIFY-WRITE ERROR=1"},
		{"read-modify-write without update", ycsb.OpUpdate, func(c *ycsb.Client) error {
			return c.ReadModifyWrite(ctx, "t", key, nil, nil, nil)
		}, "READ OK=1, UPDATE ERROR=1, READ-MODIFY-WRITE ERROR=1"},
		{"batch", "", func(c *ycsb.Client) error {
			return c.Batch(ctx, "t", []ycsb.BatchItem{
				{Kind: ycsb.KindRead},
				{Kind: ycsb.KindInsert},
				{Kind: ycsb.KindUpdate},
				{Kind: ycsb.KindDelete},
				{Kind: ycsb.KindRead, Key: []byte("missing")},
			})
		}, "READ OK=1, READ NOT_FOUND=1, INSERT OK=1, UPDATE OK=1, DELETE OK=1, BATCH OK=1"},
		{"batch that fails", ycsb.OpBatch, func(c *ycsb.Client) error {
			return c.Batch(ctx, "t", []ycsb.BatchItem{{Kind: ycsb.KindInsert}, {Kind: ycsb.KindInsert}})
		}, "INSERT ERROR=2, BATCH ERROR=1"},
		{"empty batch", "", func(c *ycsb.Client) error { return c.Batch(ctx, "t", nil) }, ""},
		{"transaction", "", func(c *ycsb.Client) error {
			return c.Tx(ctx, func(tx *ycsb.Client) error { return tx.Read(ctx, "t", key, nil, nil) })
		}, "READ OK=1, TX OK=1"},
		{"transaction that fails", "", func(c *ycsb.Client) error {
			return c.Tx(ctx, func(*ycsb.Client) error { return errBoom })
		}, "TX ERROR=1"},
		{"transaction that does not begin", "begin", func(c *ycsb.Client) error {
			return c.Tx(ctx, func(*ycsb.Client) error { return nil })
		}, "TX ERROR=1"},
		{"transaction that does not commit", "commit", func(c *ycsb.Client) error {
			return c.Tx(ctx, func(*ycsb.Client) error { return nil })
		}, "TX ERROR=1"},
		{"op", "", func(c *ycsb.Client) error {
			tm := c.Op("MINE").Start()
			tm.Done(ycsb.ErrCorrupt)
			c.Op("MINE").Record(time.Second)
			return nil
		}, "MINE OK=1, MINE UNEXPECTED_STATE=1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := new(ableDB)
			db.do = func(_ context.Context, op string) error {
				if op == tt.fail {
					return errBoom
				}
				return nil
			}
			w := steps(func(_ context.Context, c *ycsb.Client) error { return tt.do(c) })
			if got := counts(mustRun(t, db, w, &ycsb.Options{Operations: 1})); got != tt.want {
				t.Errorf("measured %s; want %s", got, tt.want)
			}
		})
	}
}

func TestTxRollsBack(t *testing.T) {
	db := new(ableDB)
	n := 0
	w := steps(func(ctx context.Context, c *ycsb.Client) error {
		return c.Tx(ctx, func(*ycsb.Client) error {
			if n++; n%2 == 0 {
				return errBoom
			}
			return nil
		})
	})
	res := mustRun(t, db, w, &ycsb.Options{Operations: 10})
	if db.commits.Load() != 5 || db.rollbacks.Load() != 5 || res.Failed != 5 {
		t.Errorf("commits, rollbacks, failed = %d, %d, %d; want 5 each", db.commits.Load(), db.rollbacks.Load(), res.Failed)
	}
}

func TestPartlyFailedBatchCountsItsItems(t *testing.T) {
	w := steps(func(ctx context.Context, c *ycsb.Client) error {
		c.Take(2)
		return c.Batch(ctx, "t", []ycsb.BatchItem{
			{Kind: ycsb.KindUpdate}, {Kind: ycsb.KindUpdate, Key: []byte("missing")}, {Kind: ycsb.KindUpdate},
		})
	})
	res := mustRun(t, new(ableDB), w, &ycsb.Options{Operations: 30})
	if res.Steps != 30 || res.Failed != 10 {
		t.Errorf("Steps, Failed = %d, %d; want 30, 10", res.Steps, res.Failed)
	}
}

func TestBatchSharesItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := new(ableDB)
		db.do = func(ctx context.Context, _ string) error { return wait(ctx, 40*time.Millisecond) }
		w := steps(func(ctx context.Context, c *ycsb.Client) error {
			return c.Batch(ctx, "t", []ycsb.BatchItem{{Kind: ycsb.KindInsert}, {Kind: ycsb.KindInsert}})
		})
		res := mustRun(t, db, w, &ycsb.Options{Operations: 1})
		for _, name := range []string{ycsb.OpBatch, ycsb.OpInsert} {
			if got := mustOp(t, res, name).Outcome(ycsb.OutcomeOK).Service.Min(); !near(got, 40*time.Millisecond) {
				t.Errorf("%s took %v; want 40ms", name, got)
			}
		}
	})
}

func TestMissingAbilities(t *testing.T) {
	db := new(fakeDB)
	_, err := ycsb.Run(t.Context(), db, needy{}, &ycsb.Options{Operations: 1})
	for _, want := range []string{
		"workload e needs scans: driver ycsb_test has none: ycsb: unsupported",
		"needs batches", "needs transactions", "needs queries",
	} {
		if !errors.Is(err, ycsb.ErrUnsupported) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %q", err, want)
		}
	}
	if db.calls.Load() != 0 || db.open.Load() != 0 {
		t.Error("something was sent, or a connection left open")
	}
	if res := mustRun(t, new(ableDB), needy{}, &ycsb.Options{Operations: 1}); res.Steps != 1 {
		t.Errorf("an able driver did %d steps; want 1", res.Steps)
	}
}

type needy struct{}

func (needy) Schema() ycsb.Schema { return ycsb.Schema{} }

func (needy) NewWorker(c *ycsb.Client) (ycsb.Worker, error) {
	return &stepsWorker{c, func(context.Context, *ycsb.Client) error { return nil }},
		c.Need("e", ycsb.AbilityScan, ycsb.AbilityBatch, ycsb.AbilityTx, ycsb.AbilityQuery)
}

func TestMix(t *testing.T) {
	do := func(ctx context.Context, c *ycsb.Client) error { return c.Read(ctx, "t", nil, nil, nil) }
	res := mustRun(t, new(fakeDB), ycsb.Mix{
		{Name: "OFTEN", Weight: 3, Do: do},
		{Name: "SELDOM", Weight: 1, Do: do},
		{Name: "NEVER", Weight: 0, Do: do},
	}, &ycsb.Options{Operations: 100_000, Threads: 4, Seed: 1})
	often, seldom := mustOp(t, res, "OFTEN").Count(), mustOp(t, res, "SELDOM").Count()
	if often+seldom != 100_000 || often < 74_000 || often > 76_000 {
		t.Errorf("OFTEN, SELDOM = %d, %d; want 3:1 of 100000", often, seldom)
	}
	if got := mustOp(t, res, ycsb.OpRead).Count(); got != 100_000 {
		t.Errorf("%d reads; want 100000", got)
	}
	if _, ok := res.Op("NEVER"); ok {
		t.Error("NEVER was done")
	}
}

func TestMixThatIsDone(t *testing.T) {
	left := 10
	res := mustRun(t, new(fakeDB), ycsb.Mix{{Name: "STEP", Weight: 1, Do: func(context.Context, *ycsb.Client) error {
		if left == 0 {
			return ycsb.ErrDone
		}
		left--
		return nil
	}}}, nil)
	if got := counts(res); got != "STEP OK=10" || res.Steps != 10 {
		t.Errorf("measured %s, %d steps; want STEP OK=10, 10", got, res.Steps)
	}
}

func TestBadMix(t *testing.T) {
	do := func(context.Context, *ycsb.Client) error { return nil }
	for name, m := range map[string]ycsb.Mix{
		"empty":        {},
		"no weight":    {{Name: "a", Do: do}},
		"negative":     {{Name: "a", Weight: -1, Do: do}, {Name: "b", Weight: 1, Do: do}},
		"no name":      {{Weight: 1, Do: do}},
		"nothing":      {{Name: "a", Weight: 1}},
		"not a number": {{Name: "a", Weight: nan(), Do: do}},
	} {
		if _, err := ycsb.Run(t.Context(), new(fakeDB), m, &ycsb.Options{Operations: 1}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func nan() float64 {
	var zero float64
	return zero / zero
}
