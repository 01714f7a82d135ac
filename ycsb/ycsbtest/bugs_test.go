package ycsbtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// bug is a mistake in a driver. The functions put it in a model that is right.
type bug struct {
	name    string
	rules   string // that have to find it, separated by blanks
	db      func(d *fakeDB)
	conn    func(c *fakeConn)
	tx      func(t *fakeTx)
	refused func(d *fakeDB) (ycsb.DB, error) // Suite.OpenRefused
	suite   func(s *Suite)
	hangs   bool // the rule has to lose patience
}

var errBug = errors.New("bug")

var bugs = []bug{
	// Records.
	{name: "read of nothing succeeds", rules: "read-missing delete", conn: func(c *fakeConn) {
		c.read = not(c.read, ycsb.ErrNotFound)
	}},
	{name: "read of nothing is some error", rules: "read-missing", conn: func(c *fakeConn) {
		c.read = instead(c.read, ycsb.ErrNotFound, errBug)
	}},
	{name: "read of nothing appends", rules: "read-missing", conn: func(c *fakeConn) {
		read := c.read
		c.read = func(a args) error {
			err := read(a)
			if err != nil {
				a.rec.Append("field0", nil)
			}
			return err
		}
	}},
	{name: "update of nothing succeeds", rules: "update-missing tx-not-found", conn: func(c *fakeConn) {
		c.update = not(c.update, ycsb.ErrNotFound)
	}, tx: func(t *fakeTx) {
		t.update = not(t.update, ycsb.ErrNotFound)
	}},
	{name: "update creates", rules: "update-missing delete", conn: func(c *fakeConn) {
		update := c.update
		c.update = func(a args) error {
			err := update(a)
			if errors.Is(err, ycsb.ErrNotFound) {
				return errors.Join(c.insert(a), err)
			}
			return err
		}
	}},
	{name: "update of no fields succeeds", rules: "update-missing", conn: func(c *fakeConn) {
		update := c.update
		c.update = func(a args) error {
			if a.rec.Len() == 0 {
				return a.ctx.Err()
			}
			return update(a)
		}
	}},
	{name: "delete of nothing succeeds", rules: "delete-missing delete", conn: func(c *fakeConn) {
		c.del = not(c.del, ycsb.ErrNotFound)
	}},
	{name: "the last field is lost", rules: "insert-read", conn: func(c *fakeConn) {
		c.insert = onValues(c.insert, func(r row) row { return r.without("field9") })
	}},
	{name: "long keys are cut", rules: "keys-text", conn: func(c *fakeConn) {
		onKeys(c, func(key string) string { return key[:min(len(key), 64)] })
	}},
	{name: "fields that lack become empty", rules: "insert-some-fields read-lacking-field", conn: func(c *fakeConn) {
		c.insert = onValues(c.insert, func(r row) row {
			all := make(row)
			for _, f := range schema("", 0).Fields {
				all[f] = ""
			}
			return all.plus(r)
		})
	}},
	{name: "insert statements are cached by the number of fields", rules: "insert-some-fields", conn: func(c *fakeConn) {
		c.insert = cachedShape(c.insert)
	}},
	{name: "insert of no fields stores nothing", rules: "insert-empty", conn: func(c *fakeConn) {
		insert := c.insert
		c.insert = func(a args) error {
			if a.rec.Len() == 0 {
				return a.ctx.Err()
			}
			return insert(a)
		}
	}},
	{name: "insert of a taken key replaces", rules: "insert-taken insert-race batch-taken", conn: func(c *fakeConn) {
		insert := c.insert
		c.insert = func(a args) error {
			err := insert(a)
			if errors.Is(err, ycsb.ErrExists) {
				return c.update(a)
			}
			return err
		}
	}},
	{name: "insert of a taken key is some error", rules: "insert-taken", conn: func(c *fakeConn) {
		c.insert = instead(c.insert, ycsb.ErrExists, errBug)
	}},
	{name: "insert of a taken key merges, and returns ErrExists", rules: "insert-taken", conn: func(c *fakeConn) {
		insert := c.insert
		c.insert = func(a args) error {
			err := insert(a)
			if errors.Is(err, ycsb.ErrExists) {
				return errors.Join(err, c.update(a))
			}
			return err
		}
	}},
	{name: "a connection knows only the keys that it inserted", rules: "insert-race", conn: func(c *fakeConn) {
		insert, mine := c.insert, make(map[string]bool)
		c.insert = func(a args) error {
			err := insert(a)
			if errors.Is(err, ycsb.ErrExists) && !mine[string(a.key)] {
				return c.update(a)
			}
			mine[string(a.key)] = true
			return err
		}
	}},
	{
		name: "upsert keeps old fields", rules: "insert-replaces", suite: func(s *Suite) { s.Upsert = true },
		conn: func(c *fakeConn) {
			insert := c.insert
			c.insert = func(a args) error {
				if err := c.update(a); !errors.Is(err, ycsb.ErrNotFound) {
					return err
				}
				return insert(a)
			}
		},
	},
	{name: "read resets the record", rules: "read-appends batch-read", conn: func(c *fakeConn) {
		read := c.read
		c.read = func(a args) error {
			a.rec.Reset()
			return read(a)
		}
	}},
	{name: "read hands out the connection's memory", rules: "read-copies", conn: func(c *fakeConn) {
		read, buf := c.read, make([]byte, 1<<17)
		c.read = func(a args) error {
			from := a.rec.Len()
			err := read(a)
			b := buf
			for i := range a.rec.Fields()[from:] {
				f := &a.rec.Fields()[from+i]
				n := copy(b, f.Value)
				f.Value, b = b[:n:n], b[n:]
			}
			return err
		}
	}},
	{name: "read ignores fields", rules: "read-fields read-lacking-field batch-read", conn: func(c *fakeConn) {
		read := c.read
		c.read = func(a args) error {
			a.fields = nil
			return read(a)
		}
	}},
	{name: "read statements are cached by the number of fields", rules: "read-fields", conn: func(c *fakeConn) {
		read, cache := c.read, make(map[int][]string)
		c.read = func(a args) error {
			if cache[len(a.fields)] == nil {
				cache[len(a.fields)] = slices.Clone(a.fields)
			}
			a.fields = cache[len(a.fields)]
			return read(a)
		}
	}},
	{name: "read statements are cached by the memory of the fields", rules: "read-fields", conn: func(c *fakeConn) {
		read, cache := c.read, make(map[*string][]string)
		c.read = func(a args) error {
			if len(a.fields) > 0 {
				p := &a.fields[0]
				if cache[p] == nil {
					cache[p] = slices.Clone(a.fields)
				}
				a.fields = cache[p]
			}
			return read(a)
		}
	}},
	{name: "read of an unknown field is an error", rules: "read-unknown-field", conn: func(c *fakeConn) {
		read := c.read
		c.read = func(a args) error {
			for _, f := range a.fields {
				if !strings.HasPrefix(f, "field") {
					return errBug
				}
			}
			return read(a)
		}
	}},
	{name: "update replaces the record", rules: "update-fields update-length update-adds-field", conn: func(c *fakeConn) {
		update := c.update
		c.update = func(a args) error {
			if err := update(a); err != nil {
				return err
			}
			return errors.Join(c.del(a), c.insert(a))
		}
	}},
	{name: "update statements are cached by the number of fields", rules: "update-fields", conn: func(c *fakeConn) {
		c.update = cachedShape(c.update)
	}},
	{name: "update counts changed rows, not found ones", rules: "update-same-value", conn: func(c *fakeConn) {
		update := c.update
		c.update = func(a args) error {
			var old ycsb.Record
			if err := c.read(args{ctx: a.ctx, table: a.table, key: a.key, rec: &old}); err != nil {
				return err
			}
			before, _ := rowOf(&old)
			change, _ := rowOf(a.rec)
			if maps.Equal(before, before.plus(change)) {
				return ycsb.ErrNotFound
			}
			return update(a)
		}
	}},
	{name: "update keeps the old length", rules: "update-length", conn: func(c *fakeConn) {
		update := c.update
		c.update = func(a args) error {
			var old ycsb.Record
			if err := c.read(args{ctx: a.ctx, table: a.table, key: a.key, rec: &old}); err != nil {
				return err
			}
			rec := new(ycsb.Record)
			for name, v := range a.rec.All() {
				if o, ok := old.Get(name); ok {
					o = slices.Clone(o)
					copy(o, v)
					v = o
				}
				rec.Append(name, v)
			}
			a.rec = rec
			return update(a)
		}
	}},
	{name: "update ignores fields that are not there", rules: "update-adds-field", conn: func(c *fakeConn) {
		update := c.update
		c.update = func(a args) error {
			var old ycsb.Record
			if err := c.read(args{ctx: a.ctx, table: a.table, key: a.key, rec: &old}); err != nil {
				return err
			}
			rec := new(ycsb.Record)
			for name, v := range a.rec.All() {
				if _, ok := old.Get(name); ok {
					rec.Append(name, v)
				}
			}
			a.rec = rec
			return update(a)
		}
	}},
	{name: "delete does nothing", rules: "delete batch-kinds count", conn: func(c *fakeConn) {
		c.del = func(a args) error {
			return c.read(args{ctx: a.ctx, table: a.table, key: a.key, rec: new(ycsb.Record)})
		}
	}},
	{name: "delete takes the key for a prefix", rules: "delete-one", conn: func(c *fakeConn) {
		del := c.del
		c.del = func(a args) error {
			err := del(a)
			b := a
			b.key = append(bytes.Clone(a.key), '0')
			return errors.Join(err, not(del, ycsb.ErrNotFound)(b))
		}
	}},
	{name: "a deleted record's fields come back", rules: "delete-insert", conn: func(c *fakeConn) {
		del, insert, graves := c.del, c.insert, make(map[string]row)
		c.del = func(a args) error {
			var old ycsb.Record
			if c.read(args{ctx: a.ctx, table: a.table, key: a.key, rec: &old}) == nil {
				graves[string(a.key)], _ = rowOf(&old)
			}
			return del(a)
		}
		c.insert = func(a args) error {
			return onValues(insert, func(r row) row { return graves[string(a.key)].plus(r) })(a)
		}
	}},
	{name: "inserts are carried out later, with the caller's memory", rules: "nothing-retained", conn: func(c *fakeConn) {
		c.insert = later(c, c.insert)
	}},
	{name: "the fields of updates are read later", rules: "nothing-retained", conn: func(c *fakeConn) {
		c.update = later(c, c.update)
	}},
	{name: "deletes keep the key", rules: "nothing-retained", conn: func(c *fakeConn) {
		c.del = later(c, c.del)
	}},
	{name: "all tables are one", rules: "tables scan-table truncate count", db: func(d *fakeDB) {
		conn := d.conn
		d.conn = func(ctx context.Context, worker int) (*fakeConn, error) {
			c, err := conn(ctx, worker)
			if err != nil {
				return nil, err
			}
			for _, o := range c.ops() {
				next := *o
				*o = func(a args) error {
					a.table = strings.TrimSuffix(a.table, "2")
					return next(a)
				}
			}
			return c, nil
		}
		count := d.count
		d.count = func(ctx context.Context, table string) (int64, error) {
			return count(ctx, strings.TrimSuffix(table, "2"))
		}
	}},
	{name: "statements are cached without the table", rules: "tables", conn: func(c *fakeConn) {
		update, table := c.update, ""
		c.update = func(a args) error {
			if table == "" {
				table = a.table
			}
			a.table = table
			return update(a)
		}
	}},

	// Keys and values.
	{name: "values are trimmed", rules: "values-text", conn: func(c *fakeConn) {
		onEachValue(c, func(v string) string { return strings.TrimRight(v, " ") })
	}},
	{name: "values are escaped", rules: "values-text", conn: func(c *fakeConn) {
		onEachValue(c, html.EscapeString)
	}},
	{name: "empty values are none", rules: "values-text update-length", conn: func(c *fakeConn) {
		keep := func(r row) row {
			maps.DeleteFunc(r, func(_, v string) bool { return v == "" })
			return r
		}
		c.insert, c.update = onValues(c.insert, keep), onValues(c.update, keep)
	}},
	{name: "values are made UTF-8", rules: "values-binary", conn: func(c *fakeConn) {
		onEachValue(c, func(v string) string { return strings.ToValidUTF8(v, "\ufffd") })
	}},
	{name: "values end at NUL", rules: "values-binary", conn: func(c *fakeConn) {
		onEachValue(c, func(v string) string { v, _, _ = strings.Cut(v, "\x00"); return v })
	}},
	{name: "values lose trailing NULs", rules: "values-binary", conn: func(c *fakeConn) {
		onEachValue(c, func(v string) string { return strings.TrimRight(v, "\x00") })
	}},
	{name: "values end after 65,535 bytes", rules: "values-long", conn: func(c *fakeConn) {
		onEachValue(c, func(v string) string { return v[:min(len(v), 1<<16-1)] })
	}},
	{name: "keys ignore case", rules: "keys-text", conn: func(c *fakeConn) {
		onKeys(c, strings.ToLower)
	}},
	{name: "keys ignore blanks at the end", rules: "keys-text read-missing", conn: func(c *fakeConn) {
		onKeys(c, func(key string) string { return strings.TrimRight(key, " ") })
	}},
	{name: "keys are normalised", rules: "keys-text", conn: func(c *fakeConn) {
		onKeys(c, func(key string) string { return strings.ReplaceAll(key, "e\u0301", "é") })
	}},
	{name: "keys lose backslashes", rules: "keys-text", conn: func(c *fakeConn) {
		onKeys(c, func(key string) string { return strings.ReplaceAll(key, `\\`, `\`) })
	}},
	{name: "keys are paths", rules: "keys-text", conn: func(c *fakeConn) {
		onKeys(c, func(key string) string { return strings.ReplaceAll(key, "//", "/") })
	}},
	{name: "keys are numbers where they look so", rules: "keys-text", conn: func(c *fakeConn) {
		onKeys(c, func(key string) string {
			if strings.Trim(key, "0") == "" {
				return "0"
			}
			return key
		})
	}},
	{name: "keys end at NUL", rules: "keys-binary", conn: func(c *fakeConn) {
		onKeys(c, func(key string) string { key, _, _ = strings.Cut(key, "\x00"); return key })
	}},
	{name: "keys are made UTF-8", rules: "keys-binary", conn: func(c *fakeConn) {
		onKeys(c, func(key string) string { return strings.ToValidUTF8(key, "\ufffd") })
	}},

	// Connections.
	{name: "a connection keeps a cache", rules: "connections", conn: func(c *fakeConn) {
		read, cache := c.read, make(map[string]row)
		c.read = func(a args) error {
			if r, ok := cache[a.table+string(a.key)]; ok {
				r.appendTo(a.rec, a.fields)
				return nil
			}
			err := read(a)
			if err == nil && len(a.fields) == 0 {
				cache[a.table+string(a.key)], _ = rowOf(a.rec)
			}
			return err
		}
	}},
	{name: "updates of the fourth connection are lost", rules: "concurrency", db: func(d *fakeDB) {
		conn := d.conn
		d.conn = func(ctx context.Context, worker int) (*fakeConn, error) {
			c, err := conn(ctx, worker)
			if worker == 3 {
				c.update = func(args) error { return nil }
			}
			return c, err
		}
	}},
	{name: "closing a connection twice is an error", rules: "close-conn", conn: func(c *fakeConn) {
		c.close = once(c.close)
	}},
	{name: "closing a connection closes the DB", rules: "close-conn use-after-close", db: func(d *fakeDB) {
		conn := d.conn
		d.conn = func(ctx context.Context, worker int) (*fakeConn, error) {
			c, err := conn(ctx, worker)
			if err == nil {
				c.close = d.close
			}
			return c, err
		}
	}},
	{name: "closing a DB twice is an error", rules: "close-db", db: func(d *fakeDB) {
		d.close = once(d.close)
	}},
	{name: "a closed connection works", rules: "use-after-close", conn: func(c *fakeConn) {
		c.close = func() error { return nil }
	}},
	{name: "a closed DB works", rules: "use-after-close", db: func(d *fakeDB) {
		d.close = func() error { return nil }
	}},
	{name: "a connection of a closed DB works", rules: "use-after-close", db: func(d *fakeDB) {
		var closed atomic.Bool
		conn := d.conn
		d.close = func() error { closed.Store(true); return nil }
		d.conn = func(ctx context.Context, worker int) (*fakeConn, error) {
			if closed.Load() {
				return nil, errClosed
			}
			return conn(ctx, worker)
		}
	}},
	{name: "a closed connection panics", rules: "use-after-close", conn: func(c *fakeConn) {
		c.del = instead(c.del, errClosed, nil)
		del := c.del
		c.del = func(a args) error {
			if err := del(a); err == nil {
				panic("nil pointer")
			}
			return nil
		}
	}},
	{name: "a closed connection waits for ever", rules: "use-after-close", hangs: true, conn: func(c *fakeConn) {
		scan := c.scan
		c.scan = func(a args) error {
			err := scan(a)
			if errors.Is(err, errClosed) {
				<-a.ctx.Done()
			}
			return err
		}
	}},

	{name: "methods of the DB disturb each other", rules: "db-concurrency", db: func(d *fakeDB) {
		var busy atomic.Int64
		count, size := d.count, d.size
		alone := func() error {
			defer busy.Add(-1)
			if busy.Add(1) > 1 {
				return errBug
			}
			time.Sleep(time.Millisecond)
			return nil
		}
		d.count = func(ctx context.Context, table string) (int64, error) {
			n, err := count(ctx, table)
			return n, errors.Join(alone(), err)
		}
		d.size = func(ctx context.Context, table string) (ycsb.Size, error) {
			s, err := size(ctx, table)
			return s, errors.Join(alone(), err)
		}
	}},

	// Contexts.
	{name: "contexts are ignored", rules: "cancelled-before cancelled-meanwhile deadline batch-cancelled", conn: func(c *fakeConn) {
		onContext(c, context.WithoutCancel)
	}},
	{name: "the context is looked at afterwards", rules: "cancelled-before deadline", conn: func(c *fakeConn) {
		for _, o := range c.ops() {
			next := *o
			*o = func(a args) error {
				ctx := a.ctx
				a.ctx = context.WithoutCancel(ctx)
				return errors.Join(next(a), ctx.Err())
			}
		}
	}},
	{name: "cancellation is some error", rules: "cancelled-before", conn: func(c *fakeConn) {
		c.update = instead(c.update, context.Canceled, errBug)
	}},
	{name: "a cancelled call ends the connection", rules: "cancelled-before", conn: func(c *fakeConn) {
		c.update = lastAfter(c, c.update, func(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) })
	}},
	{name: "the end of a deadline is some error", rules: "deadline", conn: func(c *fakeConn) {
		c.update = instead(c.update, context.DeadlineExceeded, errBug)
	}},
	{name: "cancellation breaks the DB", rules: "cancelled-before cancelled-meanwhile", db: func(d *fakeDB) {
		conn := d.conn
		d.conn = func(ctx context.Context, worker int) (*fakeConn, error) {
			c, err := conn(ctx, worker)
			if err != nil {
				return nil, err
			}
			read := c.read
			c.read = func(a args) error {
				err := read(a)
				if errors.Is(err, context.Canceled) {
					err = errors.Join(err, d.close())
				}
				return err
			}
			return c, nil
		}
	}},
	{name: "cancellation makes an operation wait", rules: "cancelled-meanwhile", hangs: true, conn: func(c *fakeConn) {
		read, end := c.read, make(chan struct{})
		c.read = func(a args) error {
			err := read(a)
			if errors.Is(err, context.Canceled) {
				<-end // of the test binary, as in a driver that is stuck
			}
			return err
		}
	}},
	{name: "a call after its deadline ends the connection", rules: "deadline", conn: func(c *fakeConn) {
		c.insert = lastAfter(c, c.insert, late)
	}},
	{name: "a connection that ran out of time stays broken", rules: "deadline-meanwhile deadline", conn: func(c *fakeConn) {
		c.read = lastAfter(c, c.read, late)
	}},
	{name: "a connection hears of its first context for ever", rules: "context-each", conn: func(c *fakeConn) {
		var first context.Context
		onContext(c, func(ctx context.Context) context.Context {
			if first == nil && ctx.Done() != nil {
				if _, ok := ctx.Deadline(); ok {
					first = ctx
				}
			}
			if first != nil {
				return first
			}
			return ctx
		})
	}},

	// Scans.
	{name: "scans ignore case in the order", rules: "scan-order", conn: func(c *fakeConn) {
		c.scan = rescan(c.scan, func(found []entry) []entry {
			slices.SortStableFunc(found, func(a, b entry) int {
				return strings.Compare(strings.ToLower(a.key), strings.ToLower(b.key))
			})
			return found
		})
	}},
	{name: "scans go down", rules: "scan-order scan-start scan-limit scan-many", conn: func(c *fakeConn) {
		c.scan = rescan(c.scan, func(found []entry) []entry { slices.Reverse(found); return found })
	}},
	{name: "a scan's record accumulates fields", rules: "scan-order scan-fields", conn: func(c *fakeConn) {
		scan := c.scan
		c.scan = func(a args) error {
			each, all := a.each, new(ycsb.Record)
			a.each = func(key []byte, rec *ycsb.Record) error {
				for name, v := range rec.All() {
					all.Append(name, v)
				}
				return each(key, all)
			}
			return scan(a)
		}
	}},
	{name: "scans pass over the start", rules: "scan-start", conn: func(c *fakeConn) {
		scan := c.scan
		c.scan = func(a args) error {
			a.key = append(bytes.Clone(a.key), 0)
			return scan(a)
		}
	}},
	{name: "scans want the start to exist", rules: "scan-start", conn: func(c *fakeConn) {
		scan := c.scan
		c.scan = func(a args) error {
			if err := c.read(args{ctx: a.ctx, table: a.table, key: a.key, rec: new(ycsb.Record)}); err != nil {
				return not(func(args) error { return err }, ycsb.ErrNotFound)(a)
			}
			return scan(a)
		}
	}},
	{name: "a scan of nothing is an error", rules: "scan-start scan-limit scan-table", conn: func(c *fakeConn) {
		scan := c.scan
		c.scan = func(a args) error {
			found := false
			each := a.each
			a.each = func(key []byte, rec *ycsb.Record) error { found = true; return each(key, rec) }
			err := scan(a)
			if err == nil && !found {
				return ycsb.ErrNotFound
			}
			return err
		}
	}},
	{name: "scans pass one more", rules: "scan-limit", conn: func(c *fakeConn) {
		c.scan = onLimit(c.scan, func(n int) int { return n + 1 })
	}},
	{name: "a scan of no records is one of all", rules: "scan-limit", conn: func(c *fakeConn) {
		c.scan = onLimit(c.scan, func(n int) int {
			if n == 0 {
				return 1 << 30
			}
			return n
		})
	}},
	{name: "a scan of fewer than no records is one of all", rules: "scan-limit", conn: func(c *fakeConn) {
		c.scan = onLimit(c.scan, func(n int) int {
			if n < 0 {
				return 1 << 30
			}
			return n
		})
	}},
	{name: "scans end after a thousand records", rules: "scan-many", conn: func(c *fakeConn) {
		c.scan = onLimit(c.scan, func(n int) int { return min(n, 1000) })
	}},
	{name: "a scan loses a record between chunks", rules: "scan-many", conn: func(c *fakeConn) {
		c.scan = rescan(c.scan, func(found []entry) []entry {
			if len(found) > 512 {
				found = slices.Delete(found, 512, 513)
			}
			return found
		})
	}},
	{name: "scans ignore fields", rules: "scan-fields", conn: func(c *fakeConn) {
		scan := c.scan
		c.scan = func(a args) error { a.fields = nil; return scan(a) }
	}},
	{name: "scans leave out records without the fields", rules: "scan-fields", conn: func(c *fakeConn) {
		c.scan = rescan(c.scan, func(found []entry) []entry {
			return slices.DeleteFunc(found, func(e entry) bool { return len(e.row) == 0 })
		})
	}},
	{name: "scans drop the error of each", rules: "scan-stops", conn: func(c *fakeConn) {
		scan := c.scan
		c.scan = func(a args) error {
			err := scan(a)
			if err != nil && a.ctx.Err() == nil {
				return nil
			}
			return err
		}
	}},
	{name: "scans hide the error of each", rules: "scan-stops", conn: func(c *fakeConn) {
		scan := c.scan
		c.scan = func(a args) error {
			if err := scan(a); err != nil {
				return fmt.Errorf("scan: %v", err)
			}
			return nil
		}
	}},
	{name: "scans wrap the error of each", rules: "scan-stops", conn: func(c *fakeConn) {
		scan := c.scan
		c.scan = func(a args) error {
			if err := scan(a); err != nil {
				return fmt.Errorf("scan: %w", err)
			}
			return nil
		}
	}},
	{name: "scans go on after an error of each", rules: "scan-stops", conn: func(c *fakeConn) {
		scan := c.scan
		c.scan = func(a args) error {
			var errs []error
			each := a.each
			a.each = func(key []byte, rec *ycsb.Record) error { errs = append(errs, each(key, rec)); return nil }
			return errors.Join(scan(a), errors.Join(errs...))
		}
	}},
	{name: "a scan that was stopped keeps the connection busy", rules: "scan-stops", conn: func(c *fakeConn) {
		scan, read, busy := c.scan, c.read, false
		c.scan = func(a args) error {
			err := scan(a)
			busy = err != nil
			return err
		}
		c.read = func(a args) error {
			if busy {
				return errBug
			}
			return read(a)
		}
	}},
	{name: "scans pass deleted records", rules: "scan-changes", conn: func(c *fakeConn) {
		del := c.del
		c.del = func(a args) error {
			if err := del(a); err != nil {
				return err
			}
			return c.insert(args{ctx: a.ctx, table: a.table, key: a.key, rec: new(ycsb.Record)})
		}
	}},
	{name: "scans pass records as they were inserted", rules: "scan-changes", conn: func(c *fakeConn) {
		insert, inserted := c.insert, make(map[string]row)
		c.insert = func(a args) error {
			inserted[string(a.key)], _ = rowOf(a.rec)
			return insert(a)
		}
		c.scan = rescan(c.scan, func(found []entry) []entry {
			for i, e := range found {
				found[i].row = inserted[e.key]
			}
			return found
		})
	}},

	// Batches.
	{name: "a batch is of its first item's kind", rules: "batch-kinds batch-retains-nothing", conn: func(c *fakeConn) {
		c.batch = onItems(c.batch, func(items []ycsb.BatchItem) []ycsb.BatchItem {
			return slices.DeleteFunc(items, func(it ycsb.BatchItem) bool { return it.Kind != items[0].Kind })
		})
	}},
	{name: "reads of a batch have the first one's fields", rules: "batch-read", conn: func(c *fakeConn) {
		c.batch = onItems(c.batch, func(items []ycsb.BatchItem) []ycsb.BatchItem {
			for i := range items {
				items[i].Fields = items[0].Fields
			}
			return items
		})
	}},
	{name: "a batch stops at the first error", rules: "batch-partial batch-taken", conn: func(c *fakeConn) {
		c.batch = func(a args) error {
			for i := range a.items {
				if a.items[i].Err = c.item(a, i); a.items[i].Err != nil {
					break
				}
			}
			return nil
		}
	}},
	{name: "Batch returns an item's error", rules: "batch-partial", conn: func(c *fakeConn) {
		batch := c.batch
		c.batch = func(a args) error {
			err := batch(a)
			for _, it := range a.items {
				err = errors.Join(err, it.Err)
			}
			return err
		}
	}},
	{name: "a batch drops items' errors", rules: "batch-partial batch-taken batch-twice", conn: func(c *fakeConn) {
		batch := c.batch
		c.batch = func(a args) error {
			err := batch(a)
			for i := range a.items {
				a.items[i].Err = err
			}
			return err
		}
	}},
	{name: "an empty batch is an error", rules: "batch-empty", conn: func(c *fakeConn) {
		batch := c.batch
		c.batch = func(a args) error {
			if len(a.items) == 0 {
				return errBug
			}
			return batch(a)
		}
	}},
	{name: "an empty batch panics", rules: "batch-empty", conn: func(c *fakeConn) {
		batch := c.batch
		c.batch = func(a args) error {
			_ = a.items[0]
			return batch(a)
		}
	}},
	{name: "a batch loses an item between chunks", rules: "batch-large", conn: func(c *fakeConn) {
		c.batch = onItems(c.batch, func(items []ycsb.BatchItem) []ycsb.BatchItem {
			if len(items) > 999 {
				items = items[:999]
			}
			return items
		})
	}},
	{name: "a batch of many items is an error", rules: "batch-large", conn: func(c *fakeConn) {
		batch := c.batch
		c.batch = func(a args) error {
			if len(a.items) > 500 {
				return errBug
			}
			return batch(a)
		}
	}},
	{name: "a batch reads a key once", rules: "batch-twice", conn: func(c *fakeConn) {
		c.batch = onItems(c.batch, func(items []ycsb.BatchItem) []ycsb.BatchItem {
			seen := make(map[string]bool)
			return slices.DeleteFunc(items, func(it ycsb.BatchItem) bool {
				twice := seen[string(it.Key)]
				seen[string(it.Key)] = true
				return twice
			})
		})
	}},
	{name: "batches are carried out later", rules: "batch-retains-nothing", conn: func(c *fakeConn) {
		c.batch = later(c, c.batch)
	}},
	{name: "a cancelled batch reads", rules: "batch-cancelled", conn: func(c *fakeConn) {
		batch := c.batch
		c.batch = func(a args) error {
			if err := a.ctx.Err(); err != nil {
				for _, it := range a.items {
					if it.Kind == ycsb.KindRead {
						it.Record.Append("field0", nil)
					}
				}
				return err
			}
			return batch(a)
		}
	}},
	{name: "Batch tells only items of cancellation", rules: "batch-cancelled", conn: func(c *fakeConn) {
		c.batch = not(c.batch, context.Canceled)
	}},

	// Transactions.
	{name: "a transaction writes at once", rules: "tx-commit tx-rollback", conn: func(c *fakeConn) {
		c.begin = func(context.Context) (*fakeTx, error) {
			own := *c
			own.close = func() error { return nil }
			return &fakeTx{&own, func(context.Context) error { return nil }}, nil
		}
	}},
	{name: "a transaction does not see its writes", rules: "tx-commit", conn: func(c *fakeConn) {
		begin := c.begin
		c.begin = func(ctx context.Context) (*fakeTx, error) {
			tx, err := begin(ctx)
			if err == nil {
				tx.read = c.read
			}
			return tx, err
		}
	}},
	{name: "Commit loses the writes", rules: "tx-commit tx-close tx-not-found", tx: func(t *fakeTx) {
		t.commit = func(context.Context) error { return t.close() }
	}},
	{name: "Close commits", rules: "tx-rollback", tx: func(t *fakeTx) {
		end := t.close
		t.close = func() error {
			_ = t.commit(context.Background())
			return end()
		}
	}},
	{name: "closing a connection commits", rules: "tx-rollback", conn: func(c *fakeConn) {
		begin, end := c.begin, c.close
		var last *fakeTx
		c.begin = func(ctx context.Context) (*fakeTx, error) {
			tx, err := begin(ctx)
			last = tx
			return tx, err
		}
		c.close = func() error {
			if last != nil {
				_ = last.commit(context.Background())
			}
			return end()
		}
	}},
	{name: "closing a transaction after Commit is an error", rules: "tx-close tx-commit", tx: func(t *fakeTx) {
		commit, end, done := t.commit, t.close, false
		t.commit = func(ctx context.Context) error { done = true; return commit(ctx) }
		t.close = func() error {
			if done {
				return errBug
			}
			return end()
		}
	}},
	{name: "closing a transaction twice is an error", rules: "tx-close", tx: func(t *fakeTx) {
		t.close = once(t.close)
	}},
	{name: "Commit after Close succeeds", rules: "tx-close", tx: func(t *fakeTx) {
		t.commit = notAfter(t.commit, errClosed)
	}},
	{name: "a closed transaction works", rules: "tx-close", tx: func(t *fakeTx) {
		commit, closed := t.commit, false
		t.commit = func(ctx context.Context) error {
			if closed {
				return errClosed
			}
			return commit(ctx)
		}
		t.close = func() error { closed = true; return nil }
	}},
	{name: "ErrNotFound ends a transaction", rules: "tx-not-found", tx: func(t *fakeTx) {
		read := t.read
		t.read = func(a args) error {
			err := read(a)
			if errors.Is(err, ycsb.ErrNotFound) {
				return errors.Join(err, t.close())
			}
			return err
		}
	}},
	{name: "a conflict is some error", rules: "tx-conflict", tx: func(t *fakeTx) {
		commit := t.commit
		t.commit = func(ctx context.Context) error {
			err := commit(ctx)
			if errors.Is(err, ycsb.ErrConflict) {
				return errBug
			}
			return err
		}
	}},
	{name: "Commit hides that the transaction was aborted", rules: "tx-conflict tx-lost", tx: func(t *fakeTx) {
		t.commit = notAfter(t.commit, ycsb.ErrConflict)
	}},
	{name: "a transaction that lost was committed", rules: "tx-conflict", conn: func(c *fakeConn) {
		begin := c.begin
		c.begin = func(ctx context.Context) (*fakeTx, error) {
			tx, err := begin(ctx)
			if err != nil {
				return nil, err
			}
			update, commit := tx.update, tx.commit
			var last args
			tx.update = func(a args) error {
				last = a
				r, _ := rowOf(a.rec)
				last.rec = row{"field0": r["field0"] + "."}.record()
				return update(a)
			}
			tx.commit = func(ctx context.Context) error {
				err := commit(ctx)
				if errors.Is(err, ycsb.ErrConflict) {
					return errors.Join(err, c.update(last))
				}
				return err
			}
			return tx, nil
		}
	}},

	// Queries.
	{name: "queries ignore the value", rules: "query-equal query-order query-fields", conn: func(c *fakeConn) {
		onQuery(c, func(q *ycsb.Query) { q.Where = "" })
	}},
	{name: "queries ignore case", rules: "query-equal", conn: func(c *fakeConn) {
		onQuery(c, func(q *ycsb.Query) { q.Equal = bytes.ToLower(q.Equal) })
	}},
	{name: "a query for the empty value is one for all", rules: "query-equal", conn: func(c *fakeConn) {
		onQuery(c, func(q *ycsb.Query) {
			if len(q.Equal) == 0 {
				q.Where = ""
			}
		})
	}},
	{name: "queries ignore the order", rules: "query-order query-skip-limit", conn: func(c *fakeConn) {
		query := c.query
		c.query = func(a args) error {
			if a.q.Order != "" {
				a.q.Order = "field9"
			}
			return query(a)
		}
	}},
	{name: "queries do not go down", rules: "query-order", conn: func(c *fakeConn) {
		onQuery(c, func(q *ycsb.Query) { q.Desc = false })
	}},
	{name: "queries ignore skip", rules: "query-skip-limit", conn: func(c *fakeConn) {
		onQuery(c, func(q *ycsb.Query) { q.Skip = 0 })
	}},
	{name: "queries count the skipped ones to the limit", rules: "query-skip-limit", conn: func(c *fakeConn) {
		onQuery(c, func(q *ycsb.Query) {
			if q.Limit > 0 {
				q.Limit = max(q.Limit-q.Skip, 1)
			}
		})
	}},
	{name: "queries ignore the limit", rules: "query-skip-limit", conn: func(c *fakeConn) {
		onQuery(c, func(q *ycsb.Query) { q.Limit = 0 })
	}},
	{name: "queries ignore fields", rules: "query-fields", conn: func(c *fakeConn) {
		onQuery(c, func(q *ycsb.Query) { q.Fields = nil })
	}},
	{name: "queries drop the error of each", rules: "query-stops", conn: func(c *fakeConn) {
		query := c.query
		c.query = func(a args) error {
			if err := a.ctx.Err(); err != nil {
				return err
			}
			_ = query(a)
			return nil
		}
	}},
	{name: "queries wrap the error of each", rules: "query-stops", conn: func(c *fakeConn) {
		query := c.query
		c.query = func(a args) error {
			if err := query(a); err != nil {
				return fmt.Errorf("query: %w", err)
			}
			return nil
		}
	}},
	{name: "queries go on after an error of each", rules: "query-stops", conn: func(c *fakeConn) {
		query := c.query
		c.query = func(a args) error {
			var errs []error
			each := a.each
			a.each = func(key []byte, rec *ycsb.Record) error { errs = append(errs, each(key, rec)); return nil }
			return errors.Join(query(a), errors.Join(errs...))
		}
	}},

	// Abilities of the DB.
	{name: "Prepare empties the table", rules: "prepare-twice", db: func(d *fakeDB) {
		prepare := d.prepare
		d.prepare = func(ctx context.Context, s ycsb.Schema) error {
			return errors.Join(prepare(ctx, s), d.truncate(ctx, s.Table))
		}
	}},
	{name: "Prepare of what is there is an error", rules: "prepare-twice", db: func(d *fakeDB) {
		prepare, there := d.prepare, make(map[string]bool)
		d.prepare = func(ctx context.Context, s ycsb.Schema) error {
			if there[s.Table] {
				return ycsb.ErrExists
			}
			there[s.Table] = true
			return prepare(ctx, s)
		}
	}},
	{name: "Truncate does nothing", rules: "truncate", db: func(d *fakeDB) {
		truncate := d.truncate
		d.truncate = func(ctx context.Context, table string) error {
			if strings.HasSuffix(table, "4") {
				return truncate(ctx, table)
			}
			return nil
		}
	}},
	{name: "Truncate empties all tables", rules: "truncate", db: func(d *fakeDB) {
		truncate := d.truncate
		d.truncate = func(ctx context.Context, table string) error {
			_ = truncate(ctx, table+"2")
			return truncate(ctx, table)
		}
	}},
	{name: "Truncate of an empty table is an error", rules: "truncate", db: func(d *fakeDB) {
		truncate := d.truncate
		d.truncate = func(ctx context.Context, table string) error {
			if n, _ := d.count(ctx, table); n == 0 {
				return errBug
			}
			return truncate(ctx, table)
		}
	}},
	{name: "Truncate empties what is not its own", rules: "truncate-foreign", db: func(d *fakeDB) {
		d.truncate = func(context.Context, string) error { return nil }
	}},
	{name: "Truncate of a missing table succeeds", rules: "truncate-foreign", db: func(d *fakeDB) {
		truncate := d.truncate
		d.truncate = func(ctx context.Context, table string) error {
			if n, _ := d.count(ctx, table); n == 0 {
				return nil
			}
			return truncate(ctx, table)
		}
	}},
	{name: "Prepare makes a foreign table its own", rules: "truncate-foreign", db: func(d *fakeDB) {
		prepare, truncate, own := d.prepare, d.truncate, make(map[string]bool)
		d.prepare = func(ctx context.Context, s ycsb.Schema) error {
			own[s.Table] = true
			return prepare(ctx, s)
		}
		d.truncate = func(ctx context.Context, table string) error {
			if own[table] {
				return nil
			}
			return truncate(ctx, table)
		}
	}},
	{name: "Truncate does not say what it refuses", rules: "truncate-foreign", db: func(d *fakeDB) {
		truncate := d.truncate
		d.truncate = func(ctx context.Context, table string) error {
			if truncate(ctx, table) != nil {
				return errBug
			}
			return nil
		}
	}},
	{name: "Count estimates", rules: "count", db: func(d *fakeDB) {
		count := d.count
		d.count = func(ctx context.Context, table string) (int64, error) {
			n, err := count(ctx, table)
			return (n + 5) / 10 * 10, err
		}
	}},
	{name: "Count of a missing table is an error", rules: "count-missing", db: func(d *fakeDB) {
		count := d.count
		d.count = func(ctx context.Context, table string) (int64, error) {
			if strings.HasSuffix(table, "4") {
				return 0, ycsb.ErrNotFound
			}
			return count(ctx, table)
		}
	}},
	{name: "Size is constant", rules: "size", db: func(d *fakeDB) {
		d.size = func(context.Context, string) (ycsb.Size, error) {
			return ycsb.Size{Storage: 1 << 20, Index: 1 << 10, Data: -1}, nil
		}
	}},
	{name: "Size knows nothing", rules: "size", db: func(d *fakeDB) {
		d.size = func(context.Context, string) (ycsb.Size, error) {
			return ycsb.Size{Storage: -1, Index: -1, Data: -1}, nil
		}
	}},
	{name: "Size is negative", rules: "size", db: func(d *fakeDB) {
		size := d.size
		d.size = func(ctx context.Context, table string) (ycsb.Size, error) {
			s, err := size(ctx, table)
			s.Index = -4096
			return s, err
		}
	}},
	{name: "Size leaves the indexes out of the storage", rules: "size", db: func(d *fakeDB) {
		size := d.size
		d.size = func(ctx context.Context, table string) (ycsb.Size, error) {
			s, err := size(ctx, table)
			s.Storage, s.Index = s.Data, s.Data+1
			return s, err
		}
	}},
	{name: "Size of a missing table is an error", rules: "size-missing", db: func(d *fakeDB) {
		size := d.size
		d.size = func(ctx context.Context, table string) (ycsb.Size, error) {
			if strings.HasSuffix(table, "4") {
				return ycsb.Size{}, ycsb.ErrNotFound
			}
			return size(ctx, table)
		}
	}},
	{name: "a missing table takes some bytes", rules: "size-missing", db: func(d *fakeDB) {
		size := d.size
		d.size = func(ctx context.Context, table string) (ycsb.Size, error) {
			s, err := size(ctx, table)
			s.Data += 4096
			return s, err
		}
	}},
	{name: "Sync is an error", rules: "sync", db: func(d *fakeDB) {
		d.sync = func(context.Context) error { return errBug }
	}},
	{name: "Sync loses what it should keep", rules: "sync", db: func(d *fakeDB) {
		d.sync = func(ctx context.Context) error { return d.truncate(ctx, "usertable") }
	}},
	{name: "Compact loses what it should keep", rules: "compact", db: func(d *fakeDB) {
		d.compact = func(ctx context.Context, table string) error { return d.truncate(ctx, table) }
	}},
	{name: "there is no product", rules: "describe", db: func(d *fakeDB) {
		d.describe = func(context.Context) (ycsb.Info, error) { return ycsb.Info{Version: "1"}, nil }
	}},
	{name: "the password is among the settings", rules: "describe", db: func(d *fakeDB) {
		d.describe = func(context.Context) (ycsb.Info, error) {
			return ycsb.Info{Product: "model", Settings: map[string]string{"dsn": "root:" + secret + "@tcp(db)/"}}, nil
		}
	}},
	{name: "any password will do", rules: "wrong-password", refused: func(d *fakeDB) (ycsb.DB, error) {
		return d, nil
	}},
	{name: "the error quotes the password", rules: "wrong-password", refused: func(d *fakeDB) (ycsb.DB, error) {
		d.conn = func(context.Context, int) (*fakeConn, error) {
			return nil, errors.New("access denied: root:" + secret + "@tcp(db)/")
		}
		return d, nil
	}},
	{name: "an operation's error quotes the password", rules: "secrets", conn: func(c *fakeConn) {
		c.insert = instead(c.insert, ycsb.ErrExists, fmt.Errorf("root:%s@tcp(db)/: %w", secret, ycsb.ErrExists))
	}},
	{name: "a closed DB's error quotes the password", rules: "secrets", db: func(d *fakeDB) {
		conn := d.conn
		d.conn = func(ctx context.Context, worker int) (*fakeConn, error) {
			c, err := conn(ctx, worker)
			if err != nil {
				return nil, fmt.Errorf("root:%s@tcp(db)/: %w", secret, err)
			}
			return c, nil
		}
	}},
}

// ops returns the operations of a connection but Query.
func (c *fakeConn) ops() []*op {
	return []*op{&c.read, &c.insert, &c.update, &c.del, &c.scan, &c.batch}
}

// instead returns an operation that returns other instead of target.
func instead(next op, target, other error) op {
	return func(a args) error {
		err := next(a)
		if errors.Is(err, target) {
			return other
		}
		return err
	}
}

// not returns an operation that returns nil instead of target.
func not(next op, target error) op { return instead(next, target, nil) }

// lastAfter returns an operation after which the connection carries out nothing any more, if it
// was the last one by its context.
func lastAfter(c *fakeConn, do op, last func(context.Context) bool) op {
	over := false
	for _, o := range c.ops() {
		next := *o
		*o = func(a args) error {
			if over {
				return errBug
			}
			return next(a)
		}
	}
	return func(a args) error {
		if over {
			return errBug
		}
		err := do(a)
		over = last(a.ctx)
		return err
	}
}

// late tells whether the deadline of a context has passed.
func late(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ok && !time.Now().Before(deadline)
}

// notAfter is not for a Commit.
func notAfter(next func(context.Context) error, target error) func(context.Context) error {
	return func(ctx context.Context) error {
		err := next(ctx)
		if errors.Is(err, target) {
			return nil
		}
		return err
	}
}

// once returns a function that returns an error when it is called again.
func once(next func() error) func() error {
	var mu sync.Mutex
	called := false
	return func() error {
		mu.Lock()
		defer mu.Unlock()
		if called {
			return errBug
		}
		called = true
		return next()
	}
}

func (r row) without(name string) row {
	o := maps.Clone(r)
	delete(o, name)
	return o
}

// onValues returns a write of what change makes of the fields.
func onValues(next op, change func(row) row) op {
	return func(a args) error {
		r, err := rowOf(a.rec)
		if err != nil {
			return err
		}
		a.rec = change(r).record()
		return next(a)
	}
}

func onEachValue(c *fakeConn, change func(string) string) {
	all := func(r row) row {
		for name, v := range r {
			r[name] = change(v)
		}
		return r
	}
	c.insert, c.update = onValues(c.insert, all), onValues(c.update, all)
}

func onKeys(c *fakeConn, change func(string) string) {
	for _, o := range c.ops()[:4] {
		next := *o
		*o = func(a args) error {
			a.key = []byte(change(string(a.key)))
			return next(a)
		}
	}
}

func onContext(c *fakeConn, change func(context.Context) context.Context) {
	for _, o := range c.ops() {
		next := *o
		*o = func(a args) error {
			a.ctx = change(a.ctx)
			return next(a)
		}
	}
}

func onLimit(next op, change func(int) int) op {
	return func(a args) error {
		a.n = change(a.n)
		return next(a)
	}
}

func onQuery(c *fakeConn, change func(*ycsb.Query)) {
	next := c.query
	c.query = func(a args) error {
		change(&a.q)
		return next(a)
	}
}

// onItems returns a batch of what change makes of a copy of the items. What was read reaches the
// caller by the items' records; errors do not.
func onItems(next op, change func([]ycsb.BatchItem) []ycsb.BatchItem) op {
	return func(a args) error {
		if len(a.items) > 0 {
			a.items = change(slices.Clone(a.items))
		}
		return next(a)
	}
}

// rescan returns a scan of what change makes of the records found.
func rescan(next op, change func([]entry) []entry) op {
	return func(a args) error {
		var found []entry
		each := a.each
		a.each = collect(&found)
		if err := next(a); err != nil {
			return err
		}
		a.each = each
		a.fields = nil
		return pass(change(found), a)
	}
}

// cachedShape returns a write whose values go to the fields of the first record that had as
// many.
func cachedShape(next op) op {
	cache := make(map[int][]string)
	return func(a args) error {
		var names []string
		for name := range a.rec.All() {
			names = append(names, name)
		}
		if cache[len(names)] == nil {
			cache[len(names)] = names
		}
		rec := new(ycsb.Record)
		for i, f := range a.rec.Fields() {
			rec.Append(cache[len(names)][i], f.Value)
		}
		a.rec = rec
		return next(a)
	}
}

// later returns an operation that succeeds, and is carried out before the next one of c.
func later(c *fakeConn, do op) op {
	var pending []args
	for _, o := range c.ops() {
		next := *o
		*o = func(a args) error {
			queue := pending
			pending = nil
			for _, p := range queue {
				_ = do(p)
			}
			return next(a)
		}
	}
	return func(a args) error {
		if err := a.ctx.Err(); err != nil {
			return err
		}
		pending = append(pending, a)
		return nil
	}
}
