package ycsbtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// concurrently calls do once for each of n workers, each with a connection of its own, and
// reports the errors.
func (f *fixture) concurrently(n int, do func(g *fixture, worker int) error) {
	f.Helper()
	f.must(f.start(n, do)())
}

// start is concurrently without the wait: that is what its result does, and returns the errors.
func (f *fixture) start(n int, do func(g *fixture, worker int) error) (wait func() error) {
	f.Helper()
	workers := make([]*fixture, n)
	for i := range workers {
		workers[i] = f.connect()
	}
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i, g := range workers {
		wg.Go(func() {
			if err := do(g, i); err != nil {
				errs[i] = fmt.Errorf("worker %d: %w", i, err)
			}
		})
	}
	return func() error {
		wg.Wait()
		return errors.Join(errs...)
	}
}

// retry calls do again, a number of times, while it returns ErrConflict.
func retry(do func() error) error {
	err := do()
	for range 100 {
		if !errors.Is(err, ycsb.ErrConflict) {
			break
		}
		err = do()
	}
	return err
}

func connections(f *fixture) {
	g := f.connect()
	f.must(f.insert("k", newRow("k")))
	g.wantRow("k", newRow("k"))
	g.must(g.update("k", newRow("changed")))
	f.wantRow("k", newRow("changed"))
	f.must(f.delete("k"))
	g.wantMissing("k")
}

func concurrency(f *fixture) {
	const workers, rounds = 8, 25
	want := make([]map[string]row, workers) // what is left, each worker's
	f.concurrently(workers, func(g *fixture, worker int) error {
		want[worker] = make(map[string]row)
		for i := range rounds {
			key := fmt.Sprintf("key%d-%d", i, worker) // neighbours of other workers' keys
			r, err := g.workOn(key, i)
			if err != nil {
				return err
			}
			want[worker][key] = r
		}
		return nil
	})
	for _, rows := range want {
		for key, r := range rows {
			if r == nil {
				f.wantMissing(key)
			} else {
				f.wantRow(key, r)
			}
		}
	}
}

// workOn inserts, reads, updates and, every third time, deletes a record. It returns what is
// left, nil for nothing.
func (s session) workOn(key string, i int) (row, error) {
	r := newRow(key)
	if err := retry(func() error { return s.insert(key, r) }); err != nil {
		return nil, err
	}
	if err := s.check(key, r); err != nil {
		return nil, err
	}
	change := newRow(key+" changed").only("field1", fmt.Sprint("field", i%10))
	if err := retry(func() error { return s.update(key, change) }); err != nil {
		return nil, err
	}
	r = r.plus(change)
	if err := s.check(key, r); err != nil {
		return nil, err
	}
	if i%3 != 0 {
		return r, nil
	}
	if err := retry(func() error { return s.delete(key) }); err != nil {
		return nil, err
	}
	if _, err := s.read(key); !errors.Is(err, ycsb.ErrNotFound) {
		return nil, fmt.Errorf("read %s after its delete: error %v; want ErrNotFound", key, err)
	}
	return nil, nil
}

func closeConn(f *fixture) {
	f.insertAll("k")
	g := f.connectAs(7)
	g.wantRow("k", newRow("k"))
	for i := range 2 {
		if err := g.conn.Close(); err != nil {
			f.Errorf("Conn.Close, call %d: %v", i+1, err)
		}
	}
	f.wantRow("k", newRow("k"))
	f.connectAs(7).wantRow("k", newRow("k"))
}

func closeDB(f *fixture) {
	if err := f.conn.Close(); err != nil {
		f.Errorf("Conn.Close: %v", err)
	}
	for i := range 2 {
		if err := f.db.Close(); err != nil {
			f.Errorf("DB.Close, call %d: %v", i+1, err)
		}
	}
}

func useAfterClose(f *fixture) {
	f.insertAll("k")
	closed := f.connect()
	f.must(closed.conn.Close())
	f.wantClosed("a closed connection", closed.session)
	f.wantRow("k", newRow("k"))

	open, err := f.db.Conn(f.ctx, 7)
	f.must(err)
	f.must(f.conn.Close())
	f.must(f.db.Close())
	f.wantClosed("an open connection of a closed DB", session{f.ctx, open, f.table})
	_ = open.Close() // which may be an error
	err = f.returns("Conn of a closed DB", func() error {
		conn, err := f.db.Conn(f.ctx, 1)
		if err != nil {
			return err
		}
		f.session.conn = conn
		err = errors.Join(f.insert("new", newRow("new")), conn.Close())
		return err
	})
	if err == nil {
		f.Errorf("a closed DB returned a connection that works")
	}
}

// wantClosed reports methods of a connection that return no error.
func (f *fixture) wantClosed(what string, s session) {
	f.Helper()
	for _, c := range s.calls() {
		if err := f.returns(c.name+" of "+what, c.do); err == nil {
			f.Errorf("%s of %s returned no error", c.name, what)
		}
	}
}

// dbConcurrency calls each method of the DB by two workers, and all at once.
func dbConcurrency(f *fixture) {
	f.in(f.table+"2").prepare(f.table+"2", shortValues)
	f.insertAll("k")
	calls := f.dbCalls()
	wait := f.start(2*len(calls), func(g *fixture, worker int) error {
		c := calls[worker/2]
		for range 5 {
			if err := c.do(); err != nil && !errors.Is(err, ycsb.ErrUnsupported) {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			if err := g.check("k", newRow("k")); err != nil {
				return err
			}
		}
		return nil
	})
	f.must(f.returns("the methods of the DB", wait))
}

// dbCalls returns a call of each method of the DB that the driver has, but Close: the table has
// one record. That of Truncate is for another table.
func (f *fixture) dbCalls() []call {
	other := f.in(f.table + "2")
	var worker atomic.Int64
	list := []call{{"Conn", func() error {
		conn, err := f.db.Conn(f.ctx, 100+int(worker.Add(1)))
		if err != nil {
			return err
		}
		return conn.Close()
	}}}
	if d, ok := f.db.(ycsb.Preparer); ok {
		list = append(list, call{"Prepare", func() error { return d.Prepare(f.ctx, schema(other.table, shortValues)) }})
	}
	if _, ok := f.db.(ycsb.Truncater); ok {
		list = append(list, call{"Truncate", other.truncate})
	}
	if d, ok := f.db.(ycsb.Syncer); ok {
		list = append(list, call{"Sync", func() error { return d.Sync(f.ctx) }})
	}
	if d, ok := f.db.(ycsb.Sizer); ok {
		list = append(list, call{"Size", func() error { _, err := d.Size(f.ctx, f.table); return err }})
	}
	if d, ok := f.db.(ycsb.Compacter); ok {
		list = append(list, call{"Compact", func() error { return d.Compact(f.ctx, f.table) }})
	}
	if d, ok := f.db.(ycsb.Counter); ok {
		list = append(list, call{"Count", func() error {
			n, err := d.Count(f.ctx, f.table)
			if err == nil && n != 1 {
				err = fmt.Errorf("%d records; want 1", n)
			}
			return err
		}})
	}
	if d, ok := f.db.(ycsb.Describer); ok {
		list = append(list, call{"Describe", func() error { _, err := d.Describe(f.ctx); return err }})
	}
	return list
}

// call is an operation with arguments.
type call struct {
	name string
	do   func() error
}

// calls returns a call of each method of the connection: a record k is there and none under
// new. Scans and batches are among them where there are such.
func (s session) calls() []call {
	list := []call{
		{"Read", func() error { _, err := s.read("k"); return err }},
		{"Insert", func() error { return s.insert("new", newRow("new")) }},
		{"Update", func() error { return s.update("k", row{"field0": "x"}) }},
		{"Delete", func() error { return s.delete("k") }},
	}
	each := func([]byte, *ycsb.Record) error { return nil }
	if c, ok := s.conn.(ycsb.Scanner); ok {
		list = append(list, call{"Scan", func() error { return c.Scan(s.ctx, s.table, []byte("a"), 5, nil, each) }})
	}
	if c, ok := s.conn.(ycsb.Batcher); ok {
		list = append(list, call{"Batch", func() error {
			return c.Batch(s.ctx, s.table, []ycsb.BatchItem{
				{Kind: ycsb.KindInsert, Key: []byte("new"), Record: newRow("new").record()},
				{Kind: ycsb.KindDelete, Key: []byte("k")},
			})
		}})
	}
	if c, ok := s.conn.(ycsb.Queryer); ok {
		list = append(list, call{"Query", func() error {
			return c.Query(s.ctx, ycsb.Query{Table: s.table, Where: "field0", Equal: []byte("a")}, each)
		}})
	}
	if c, ok := s.conn.(ycsb.Transactor); ok {
		list = append(list, call{"Begin", func() error {
			tx, err := c.Begin(s.ctx)
			if err != nil {
				return err
			}
			_, err = session{s.ctx, tx, s.table}.read("k")
			return errors.Join(err, tx.Close())
		}})
	}
	return list
}

func cancelledBefore(f *fixture) {
	f.insertAll("k")
	ctx, cancel := context.WithCancel(f.ctx)
	cancel()
	f.wantNothingDone(ctx, "with a cancelled context", context.Canceled)
}

// wantNothingDone reports when methods of the connection do anything with a context that has ended
// with target, or when it does not work afterwards.
func (f *fixture) wantNothingDone(ctx context.Context, how string, target error) {
	f.Helper()
	for _, c := range f.with(ctx).calls() {
		err := f.returns(c.name+" "+how, c.do)
		if !errors.Is(err, ycsb.ErrUnsupported) {
			f.wantEnded(c.name+" "+how, err, target)
		}
		f.wantRow("k", newRow("k"))
	}
	f.wantMissing("new")
}

func cancelledMeanwhile(f *fixture) {
	const workers, before = 4, 100
	f.insertAll("k")
	ctx, cancel := context.WithCancel(f.ctx)
	defer cancel()
	var ops atomic.Int64
	wait := f.start(workers, func(g *fixture, _ int) error {
		s := g.with(ctx)
		for i := 0; ; i++ {
			cancelled := ctx.Err() != nil
			err := s.check("k", newRow("k"))
			if err == nil && i%4 == 0 {
				err = s.update("k", newRow("k"))
			}
			switch {
			case err == nil && cancelled:
				return errors.New("an operation began after its context was cancelled, and succeeded")
			case err == nil || errors.Is(err, ycsb.ErrConflict):
				if ops.Add(1) == before {
					cancel()
				}
			case ctx.Err() != nil:
				return nil
			default:
				return err
			}
		}
	})
	f.must(f.returns("operations whose context was cancelled", wait))
	f.wantRow("k", newRow("k"))
	f.must(f.insert("new", newRow("new")))
	f.wantRow("new", newRow("new"))
}

func deadline(f *fixture) {
	f.insertAll("k")
	ctx, cancel := context.WithDeadline(f.ctx, time.Now().Add(-time.Second))
	defer cancel()
	f.wantNothingDone(ctx, "after its deadline", context.DeadlineExceeded)
}

// deadlineMeanwhile gives operations too little time, more and more. A connection may break by
// that, and notice when it is used again, but then it has to connect again by itself.
func deadlineMeanwhile(f *fixture) {
	f.insertAll("k")
	for i := range 40 {
		deadline := time.Now().Add(time.Microsecond<<(i%14) - time.Microsecond) // now, at first
		ctx, cancel := context.WithDeadline(f.ctx, deadline)
		s := f.with(ctx)
		err := s.check("k", newRow("k"))
		if err == nil {
			err = s.update("k", newRow("k"))
		}
		late := !time.Now().Before(deadline) // ctx may hear of it later than the connection
		cancel()
		if err != nil && !late {
			f.Fatalf("an operation that had time left: %v", err)
		}
		for tries := 0; late && tries < 3; tries++ {
			if err = f.check("k", newRow("k")); err == nil {
				break
			}
		}
		if err != nil {
			f.Fatalf("the third operation on the connection after one that ran out of time: %v", err)
		}
	}
}

func contextEach(f *fixture) {
	f.insertAll("k")
	for i := range 20 {
		ctx, cancel := context.WithTimeout(f.ctx, time.Hour)
		s := f.with(ctx)
		key := fmt.Sprint("key", i)
		f.must(s.insert(key, newRow(key)))
		cancel()

		ctx, cancel = context.WithCancel(f.ctx)
		err := f.with(ctx).check(key, newRow(key))
		cancel()
		f.must(err)
	}
	f.wantRow("k", newRow("k"))
}

func wrongPassword(f *fixture) {
	db, err := f.suite.OpenRefused(f.TB)
	if err == nil {
		g := *f
		g.db = db
		err = g.tryConn(f.ctx)
		f.must(db.Close())
	}
	if err == nil {
		f.Fatal("a wrong password was no error")
	}
	f.wantNoSecret("the error", err)
}

// wantNoSecret reports when the text of v has a secret in it.
func (f *fixture) wantNoSecret(what string, v any) {
	f.Helper()
	for _, text := range []string{fmt.Sprintf("%v", v), fmt.Sprintf("%+v", v)} {
		for i, secret := range f.suite.Secrets {
			if secret != "" && strings.Contains(text, secret) {
				f.Errorf("%s tells secret %d: %s", what, i, strings.ReplaceAll(text, secret, "***"))
				return
			}
		}
	}
}

func secrets(f *fixture) {
	f.insertAll("k")
	see := func(what string, err error) {
		f.Helper()
		f.wantNoSecret("the error of "+what, err)
	}
	see("Insert of a key that is taken", f.insert("k", newRow("k")))
	see("Delete of a missing record", f.delete("missing"))
	for _, c := range f.in(f.table + "4").calls() {
		see(c.name+" of a missing table", c.do())
	}
	if _, ok := f.db.(ycsb.Truncater); ok {
		see("Truncate of a table that Prepare did not create", f.in(f.table+"4").truncate())
	}
	ctx, cancel := context.WithCancel(f.ctx)
	cancel()
	for _, c := range f.with(ctx).calls() {
		see(c.name+" with a cancelled context", c.do())
	}
	see("Conn with a cancelled context", f.tryConn(ctx))
	f.must(f.conn.Close())
	for _, c := range f.calls() {
		see(c.name+" of a closed connection", c.do())
	}
	f.must(f.db.Close())
	see("Conn of a closed DB", f.tryConn(f.ctx))
}

// tryConn returns the error of a connection that is closed at once.
func (f *fixture) tryConn(ctx context.Context) error {
	conn, err := f.db.Conn(ctx, 1)
	if err != nil {
		return err
	}
	return conn.Close()
}
