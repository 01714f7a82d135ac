package sqldb

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

func connOf(t testing.TB, db *DB) *conn {
	t.Helper()
	c, err := db.Conn(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c.(*conn)
}

func record(names ...string) *ycsb.Record {
	rec := new(ycsb.Record)
	for _, n := range names {
		rec.Append(n, []byte("v"))
	}
	return rec
}

func TestStatements(t *testing.T) {
	k := []byte("k")
	each := func([]byte, *ycsb.Record) error { return nil }
	for _, tt := range []struct {
		name string
		do   func(ctx context.Context, c *conn) error
		want string
	}{
		{
			"read", func(ctx context.Context, c *conn) error { return c.Read(ctx, "t", k, []string{"a"}, record()) },
			`SELECT "a" FROM "t" WHERE "YCSB_KEY" = ?`,
		},
		{
			"insert", func(ctx context.Context, c *conn) error { return c.Insert(ctx, "t", k, record("a", `b"`)) },
			`INSERT INTO "t" ("YCSB_KEY", "a", "b""") VALUES (?, ?, ?)`,
		},
		{
			"update", func(ctx context.Context, c *conn) error { return c.Update(ctx, "t", k, record("a", "b")) },
			`UPDATE "t" SET "a" = ?, "b" = ? WHERE "YCSB_KEY" = ?`,
		},
		{
			"update of nothing", func(ctx context.Context, c *conn) error { return c.Update(ctx, "t", k, record()) },
			`SELECT 1 FROM "t" WHERE "YCSB_KEY" = ?`,
		},
		{
			"delete", func(ctx context.Context, c *conn) error { return c.Delete(ctx, "t", k) },
			`DELETE FROM "t" WHERE "YCSB_KEY" = ?`,
		},
		{"query", func(ctx context.Context, c *conn) error {
			return c.Query(ctx, ycsb.Query{Table: "t", Where: "a", Order: "b", Desc: true, Fields: []string{"a"}}, each)
		}, `SELECT "YCSB_KEY", "a" FROM "t" WHERE "a" = ? ORDER BY "b" DESC LIMIT ? OFFSET ?`},
		{"batch", func(ctx context.Context, c *conn) error {
			return c.Batch(ctx, "t", []ycsb.BatchItem{
				{Kind: ycsb.KindInsert, Key: k, Record: record("a")}, {Kind: ycsb.KindInsert, Key: k, Record: record("a")},
			})
		}, `INSERT INTO "t" ("YCSB_KEY", "a") VALUES (?, ?), (?, ?)`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := new(fake)
			c := connOf(t, f.db(true))
			for range 3 {
				if err := tt.do(t.Context(), c); err != nil {
					t.Fatal(err)
				}
			}
			if want := []string{tt.want}; !slices.Equal(f.texts, want) {
				t.Errorf("prepared %q; want %q, once", f.texts, want)
			}
		})
	}
}

func TestFewStatementsAreKept(t *testing.T) {
	c := connOf(t, new(fake).db(true))
	for i := range 3 * maxStatements {
		if err := c.Insert(t.Context(), "t", nil, record(fmt.Sprint("f", i))); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.statements) > maxStatements {
		t.Errorf("%d statements; want no more than %d", len(c.statements), maxStatements)
	}
}

func TestInterrupt(t *testing.T) {
	for _, before := range []int{0, 1, 2, 3} { // operations with the same context
		t.Run(fmt.Sprint(before), func(t *testing.T) {
			f := new(fake)
			c := connOf(t, f.db(true))
			ctx, cancel := context.WithCancel(t.Context())
			for range before {
				if err := c.Insert(ctx, "t", nil, record("a")); err != nil {
					t.Fatal(err)
				}
			}
			f.mu.Lock()
			f.hang = make(chan struct{})
			f.mu.Unlock()
			time.AfterFunc(5*time.Millisecond, cancel)
			if err := c.Insert(ctx, "t", nil, record("a")); !errors.Is(err, context.Canceled) {
				t.Errorf("interrupted insert: %v; want %v", err, context.Canceled)
			}
			if err := c.Insert(ctx, "t", nil, record("a")); !errors.Is(err, context.Canceled) {
				t.Errorf("insert after the end: %v; want %v", err, context.Canceled)
			}
			close(f.hang)
			if err := c.Insert(t.Context(), "t", nil, record("a")); err != nil {
				t.Errorf("insert with a new context: %v", err)
			}
			if f.conns != 2 {
				t.Errorf("%d connections were made; want 2", f.conns)
			}
		})
	}
}

// TestBrokenInTheEnd has a client that breaks its connection because the context of an operation
// ends, which succeeds all the same.
func TestBrokenInTheEnd(t *testing.T) {
	f := new(fake)
	c := connOf(t, f.db(false))
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		f.after = func(c *fakeConn) {
			cancel()
			c.Interrupt()
		}
		if err := c.Insert(ctx, "t", nil, record("a")); err != nil {
			t.Errorf("insert: %v", err)
		}
	}
	if f.conns != 3 {
		t.Errorf("%d connections were made; want 3", f.conns)
	}
}

// TestOwnContexts cancels each operation's context right after it, which must not touch the next
// operation.
func TestOwnContexts(t *testing.T) {
	f := new(fake)
	c := connOf(t, f.db(true))
	for range 20000 {
		ctx, cancel := context.WithCancel(t.Context())
		if err := c.Insert(ctx, "t", nil, record("a")); err != nil {
			t.Fatal(err)
		}
		cancel()
	}
	ctx, cancel := context.WithCancel(t.Context())
	for range 20000 { // two operations with each context: the watch goes on when it is cancelled
		for range 3 {
			if err := c.Insert(ctx, "t", nil, record("a")); err != nil {
				t.Fatal(err)
			}
		}
		cancel()
		ctx, cancel = context.WithCancel(t.Context())
	}
	cancel()
	if f.conns != 1 {
		t.Errorf("%d connections were made; want 1", f.conns)
	}
}

// TestNoGoroutines counts the goroutines during a query whose context can be cancelled:
// database/sql starts one.
func TestNoGoroutines(t *testing.T) {
	for _, tt := range []struct {
		watched bool
		want    int
	}{{true, 0}, {false, 1}} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		c := connOf(t, new(fake).db(tt.watched))
		if err := c.Read(ctx, "t", nil, []string{"a"}, record()); err != nil {
			t.Fatal(err)
		}
		before, during := runtime.NumGoroutine(), 0
		err := c.Query(ctx, ycsb.Query{Table: "t"}, func([]byte, *ycsb.Record) error {
			during = runtime.NumGoroutine()
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := during - before; got != tt.want {
			t.Errorf("watched %t: %d goroutines for a query; want %d", tt.watched, got, tt.want)
		}
	}
}

func TestErrors(t *testing.T) {
	own := errors.New("of the dialect")
	db := new(fake).db(false)
	db.dialect.Error = func(err error) error {
		if errors.Is(err, own) {
			return ycsb.ErrExists
		}
		return nil
	}
	for _, tt := range []struct{ err, want error }{
		{driver.ErrBadConn, ycsb.ErrUnavailable},
		{fmt.Errorf("x: %w", io.EOF), ycsb.ErrUnavailable},
		{&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, ycsb.ErrTimeout},
		{&net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}, ycsb.ErrTimeout},
		{&net.OpError{Op: "dial", Err: errors.New("refused")}, ycsb.ErrUnavailable},
		{fmt.Errorf("x: %w", own), ycsb.ErrExists},
		{fmt.Errorf("x: %w", ycsb.ErrConflict), ycsb.ErrConflict},
		{context.Canceled, nil},
		{errors.New("other"), nil},
	} {
		got := db.fault(tt.err)
		if db.kind(tt.err) != tt.want || !errors.Is(got, tt.err) || tt.want != nil && !errors.Is(got, tt.want) {
			t.Errorf("fault(%v) = %v; want it wrapped in %v", tt.err, got, tt.want)
		}
	}
}

func TestScanStopsWithTheCallersError(t *testing.T) {
	c := connOf(t, new(fake).db(true))
	stop := fmt.Errorf("stop: %w", io.EOF)
	err := c.leave(errUser{stop})
	if err != stop || c.conn == nil { //nolint:errorlint // the very same
		t.Errorf("error %v, connected: %t; want %v and a connection that is kept", err, c.conn != nil, stop)
	}
}

func TestNew(t *testing.T) {
	f := new(fake)
	db := f.db(true)
	for name, err := range map[string]error{
		"no handle":     second(New(nil, Dialect{Name: "x", Lookup: f.lookup}, Config{})),
		"Name and":      second(New(db.handle, Dialect{Lookup: f.lookup}, Config{})),
		"Name and Look": second(New(db.handle, Dialect{Name: "x"}, Config{})),
		"unsupported":   second(New(db.handle, Dialect{Name: "x", Lookup: f.lookup}, Config{Upsert: true})),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("New: error %v; want %q", err, name)
		}
	}
}

func second(_ *DB, err error) error { return err }

func BenchmarkWatch(b *testing.B) {
	for _, watched := range []bool{true, false} {
		for _, own := range []bool{false, true} {
			b.Run(fmt.Sprintf("own=%t/watch=%t", own, watched), func(b *testing.B) {
				c := connOf(b, new(fake).db(watched))
				phase, cancel := context.WithCancel(b.Context())
				defer cancel()
				rec, fields := record(), []string{"a"}
				b.ReportAllocs()
				for b.Loop() {
					ctx, done := phase, context.CancelFunc(func() {})
					if own {
						ctx, done = context.WithCancel(phase)
					}
					rec.Reset()
					if err := c.Read(ctx, "t", nil, fields, rec); err != nil {
						b.Fatal(err)
					}
					done()
				}
			})
		}
	}
}
