package ycsb_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// fakeDB is a database whose operations do what the test says. It counts calls.
type fakeDB struct {
	do      func(ctx context.Context, op string) error // of every operation; nil succeeds
	connect func(ctx context.Context, worker int) error
	close   func() error // of a connection
	calls   atomic.Int64
	open    atomic.Int64 // connections
}

func (db *fakeDB) Conn(ctx context.Context, worker int) (ycsb.Conn, error) {
	if db.connect != nil {
		if err := db.connect(ctx, worker); err != nil {
			return nil, err
		}
	}
	db.open.Add(1)
	return &fakeConn{db}, nil
}

func (db *fakeDB) Close() error { return nil }

func (db *fakeDB) call(ctx context.Context, op string) error {
	db.calls.Add(1)
	if db.do == nil {
		return nil
	}
	return db.do(ctx, op)
}

type fakeConn struct{ db *fakeDB }

func (c *fakeConn) Read(ctx context.Context, _ string, _ []byte, _ []string, _ *ycsb.Record) error {
	return c.db.call(ctx, ycsb.OpRead)
}

func (c *fakeConn) Insert(ctx context.Context, _ string, _ []byte, _ *ycsb.Record) error {
	return c.db.call(ctx, ycsb.OpInsert)
}

func (c *fakeConn) Update(ctx context.Context, _ string, _ []byte, _ *ycsb.Record) error {
	return c.db.call(ctx, ycsb.OpUpdate)
}

func (c *fakeConn) Delete(ctx context.Context, _ string, _ []byte) error {
	return c.db.call(ctx, ycsb.OpDelete)
}

func (c *fakeConn) Close() error {
	c.db.open.Add(-1)
	if c.db.close != nil {
		return c.db.close()
	}
	return nil
}

// steps is a workload of which every step is do.
type steps func(ctx context.Context, c *ycsb.Client) error

func (s steps) Schema() ycsb.Schema { return ycsb.Schema{Table: "t", Fields: []string{"field0"}} }

func (s steps) NewWorker(c *ycsb.Client) (ycsb.Worker, error) { return &stepsWorker{c, s}, nil }

type stepsWorker struct {
	c  *ycsb.Client
	do steps
}

func (w *stepsWorker) Load(ctx context.Context) error { return w.do(ctx, w.c) }
func (w *stepsWorker) Run(ctx context.Context) error  { return w.do(ctx, w.c) }

// reads is a workload of reads.
var reads = steps(func(ctx context.Context, c *ycsb.Client) error {
	return c.Read(ctx, "t", []byte("k"), nil, nil)
})

// wait waits d, or until ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// taking is a database whose operations take d.
func taking(d time.Duration) *fakeDB {
	return &fakeDB{do: func(ctx context.Context, _ string) error { return wait(ctx, d) }}
}

func mustRun(t *testing.T, db ycsb.DB, w ycsb.Workload, o *ycsb.Options) *ycsb.Result {
	t.Helper()
	res, err := ycsb.Run(t.Context(), db, w, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func mustOp(t *testing.T, res *ycsb.Result, name string) ycsb.OpResult {
	t.Helper()
	op, ok := res.Op(name)
	if !ok {
		t.Fatalf("no operation %s in %v", name, res.Ops)
	}
	return op
}

// operations adds up the outcomes of all operations but the closing of connections.
func operations(res *ycsb.Result) int64 {
	var n uint64
	for _, o := range res.Ops {
		if o.Name != ycsb.OpCleanup {
			n += o.Count()
		}
	}
	return int64(n)
}

// near tells whether got is want within a histogram's precision of three digits.
func near(got, want time.Duration) bool {
	d := got - want
	return max(d, -d) <= want/500
}
