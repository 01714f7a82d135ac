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
		if err := errors.Join(c.Close(), db.handle.Close()); err != nil {
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

// TestFullServer has room for three statements, one of which another connection holds.
func TestFullServer(t *testing.T) {
	f := &fake{room: 3}
	db := f.db(true)
	db.dialect.Full = func(err error) bool { return errors.Is(err, errFull) }
	first, c := connOf(t, db), connOf(t, db)
	if err := first.Delete(t.Context(), "t", nil); err != nil {
		t.Fatal(err)
	}
	for i := range 8 { // which makes two in the end
		if err := c.Insert(t.Context(), "t", nil, record(fmt.Sprint("f", i))); err != nil {
			t.Errorf("insert %d: %v", i, err)
		}
	}
	if err := connOf(t, db).Delete(t.Context(), "t", nil); !errors.Is(err, errFull) {
		t.Errorf("delete without room: %v; want %v", err, errFull)
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
			f.hang, f.hung = make(chan struct{}), make(chan struct{}, 1)
			f.mu.Unlock()
			go func() {
				<-f.hung
				cancel()
			}()
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

// TestBrokenInTheBeginning has a client that breaks a new connection because the context of the
// operation ends.
func TestBrokenInTheBeginning(t *testing.T) {
	for _, watched := range []bool{true, false} {
		f := new(fake)
		c := connOf(t, f.db(watched))
		c.drop()
		ctx, cancel := context.WithCancel(t.Context())
		f.connect = func(c *fakeConn) {
			cancel()
			c.Interrupt()
		}
		if err := c.Insert(ctx, "t", nil, record("a")); !errors.Is(err, context.Canceled) {
			t.Errorf("watched %t: insert that connects: %v; want %v", watched, err, context.Canceled)
		}
		f.connect = nil
		if err := c.Insert(t.Context(), "t", nil, record("a")); err != nil || f.conns != 3 {
			t.Errorf("watched %t: the next insert: %v, with connection %d; want success with the third", watched, err, f.conns)
		}
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

// waiting counts the goroutines that database/sql has for the contexts of rows.
func waiting() int {
	stacks := make([]byte, 1<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "\ncreated by database/sql.(*Rows).initContextClose ")
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
		for waiting() > 0 { // those of the read end soon
			time.Sleep(time.Millisecond)
		}
		during := 0
		err := c.Query(ctx, ycsb.Query{Table: "t"}, func([]byte, *ycsb.Record) error {
			during = waiting()
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if during != tt.want {
			t.Errorf("watched %t: %d goroutines for a query; want %d", tt.watched, during, tt.want)
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

// TestScanStopsAtTheEnd has the context of a scan end in the caller's function, which returns an
// error of its own.
func TestScanStopsAtTheEnd(t *testing.T) {
	for _, watched := range []bool{true, false} {
		f, client := new(fake), (*fakeConn)(nil)
		f.connect = func(c *fakeConn) { client = c }
		c := connOf(t, f.db(watched))
		ctx, cancel := context.WithCancel(t.Context())
		stop := errors.New("stop")
		err := c.Scan(ctx, "t", nil, 10, []string{"a"}, func([]byte, *ycsb.Record) error {
			cancel()
			if !watched {
				time.Sleep(10 * time.Millisecond) // until database/sql has heard of it
				client.Interrupt()
			}
			<-client.broken
			return stop
		})
		if err != stop { //nolint:errorlint // the very same
			t.Errorf("watched %t: scan: %v; want %v", watched, err, stop)
		}
		if err := c.Insert(t.Context(), "t", nil, record("a")); err != nil || f.conns != 2 {
			t.Errorf("watched %t: the next insert: %v, with connection %d; want success with the second", watched, err, f.conns)
		}
	}
}

// TestTransactionIsOver uses a transaction that was committed or closed while the connection's
// next one is open.
func TestTransactionIsOver(t *testing.T) {
	k := []byte("k")
	each := func([]byte, *ycsb.Record) error { return nil }
	for _, tt := range []struct {
		name string
		end  func(tx ycsb.Tx) error
	}{
		{"Commit", func(tx ycsb.Tx) error { return tx.Commit(t.Context()) }},
		{"Close", func(tx ycsb.Tx) error { return tx.Close() }},
	} {
		f := new(fake)
		c := connOf(t, f.db(true))
		begin := func() *tx {
			next, err := c.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return next.(*tx)
		}
		old := begin()
		if err := tt.end(old); err != nil {
			t.Fatal(err)
		}
		next := begin()
		sent := len(f.texts)
		for name, err := range map[string]error{
			"Read":   old.Read(t.Context(), "t", k, nil, record()),
			"Insert": old.Insert(t.Context(), "t", k, record("a")),
			"Update": old.Update(t.Context(), "t", k, record("a")),
			"Delete": old.Delete(t.Context(), "t", k),
			"Scan":   old.Scan(t.Context(), "t", k, 1, nil, each),
			"Query":  old.Query(t.Context(), ycsb.Query{Table: "t"}, each),
			"Batch":  old.Batch(t.Context(), "t", []ycsb.BatchItem{{Kind: ycsb.KindDelete, Key: k}}),
			"Commit": old.Commit(t.Context()),
		} {
			if err == nil {
				t.Errorf("%s after %s returned no error", name, tt.name)
			}
		}
		if err := old.Close(); err != nil {
			t.Errorf("Close after %s: %v", tt.name, err)
		}
		if more := f.texts[sent:]; len(more) > 0 {
			t.Errorf("after %s %q was sent; want nothing", tt.name, more)
		}
		if err := errors.Join(next.Insert(t.Context(), "t", k, record("a")), next.Commit(t.Context())); err != nil {
			t.Errorf("the transaction after %s: %v", tt.name, err)
		}
	}
}

func TestClosedDB(t *testing.T) {
	ctx, each := t.Context(), func([]byte, *ycsb.Record) error { return nil }
	f := new(fake)
	db := f.db(true)
	db.dialect.Size = func(context.Context, Querier, string) (ycsb.Size, error) { return ycsb.Size{}, nil }
	db.dialect.Compact = func(context.Context, Querier, string) error { return nil }
	db.dialect.Describe = func(context.Context, Querier) (ycsb.Info, error) { return ycsb.Info{}, nil }
	c := connOf(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		do   func() error
	}{
		{"Conn", func() error { _, err := db.Conn(ctx, 1); return err }},
		{"Prepare", func() error { return db.Prepare(ctx, ycsb.Schema{Table: "t"}) }},
		{"Truncate", func() error { return db.Truncate(ctx, "t") }},
		{"Count", func() error { _, err := db.Count(ctx, "t"); return err }},
		{"Size", func() error { _, err := db.Size(ctx, "t"); return err }},
		{"Compact", func() error { return db.Compact(ctx, "t") }},
		{"Describe", func() error { _, err := db.Describe(ctx); return err }},
		{"Read", func() error { return c.Read(ctx, "t", nil, nil, record()) }},
		{"Insert", func() error { return c.Insert(ctx, "t", nil, record("a")) }},
		{"Update", func() error { return c.Update(ctx, "t", nil, record("a")) }},
		{"Delete", func() error { return c.Delete(ctx, "t", nil) }},
		{"Scan", func() error { return c.Scan(ctx, "t", nil, 1, nil, each) }},
		{"Scan of none", func() error { return c.Scan(ctx, "t", nil, 0, nil, each) }},
		{"Query", func() error { return c.Query(ctx, ycsb.Query{Table: "t"}, each) }},
		{"Batch", func() error { return c.Batch(ctx, "t", []ycsb.BatchItem{{Kind: ycsb.KindDelete}}) }},
		{"empty Batch", func() error { return c.Batch(ctx, "t", nil) }},
		{"Begin", func() error { _, err := c.Begin(ctx); return err }},
	} {
		if err := tt.do(); !errors.Is(err, errClosed) {
			t.Errorf("%s of a closed DB: %v; want %v", tt.name, err, errClosed)
		}
	}
	if len(f.texts) > 0 {
		t.Errorf("%q was sent; want nothing", f.texts)
	}
}

func TestBatchUnknownKind(t *testing.T) {
	c := connOf(t, new(fake).db(true))
	items := []ycsb.BatchItem{{Kind: 99}, {Kind: 99}, {}, {}, {Kind: ycsb.KindInsert, Record: record("a")}}
	if err := c.Batch(t.Context(), "t", items); err != nil {
		t.Fatal(err)
	}
	for i, it := range items[:4] {
		if !errors.Is(it.Err, ycsb.ErrUnsupported) {
			t.Errorf("item %d of kind %d: Err %v; want %v", i, it.Kind, it.Err, ycsb.ErrUnsupported)
		}
	}
	if err := items[4].Err; err != nil {
		t.Errorf("an insert among them: %v", err)
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
