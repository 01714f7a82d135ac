package ycsbtest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// begin begins a transaction and returns it as a session, too.
func (s session) begin() (ycsb.Tx, session, error) {
	tx, err := s.conn.(ycsb.Transactor).Begin(s.ctx)
	if err != nil {
		return nil, s, fmt.Errorf("begin: %w", err)
	}
	s.conn = tx
	return tx, s, nil
}

// others tells what another connection reads under key, nil for nothing, while a transaction
// may be open: ok is false when the database makes it wait.
func (f *fixture) others(g *fixture, key string) (r row, ok bool) {
	f.Helper()
	ctx, cancel := context.WithTimeout(f.ctx, time.Second)
	defer cancel()
	r, err := g.with(ctx).read(key)
	switch {
	case errors.Is(err, ycsb.ErrNotFound):
		return nil, true
	case err != nil:
		f.Logf("another connection waits for the transaction: %v", err)
		return nil, false
	}
	return r, true
}

func txCommit(f *fixture) {
	f.insertAll("a", "b")
	g := f.connect()
	tx, s, err := f.begin()
	f.must(err)
	f.must(s.insert("new", newRow("new")))
	f.must(s.update("a", newRow("changed")))
	f.must(s.delete("b"))
	f.must(s.check("new", newRow("new")))
	f.must(s.check("a", newRow("changed")))
	if _, err := s.read("b"); !errors.Is(err, ycsb.ErrNotFound) {
		f.Errorf("Read of what the transaction deleted: error %v; want ErrNotFound", err)
	}
	if r, ok := f.others(g, "new"); ok && r != nil {
		f.Errorf("another connection sees what was not committed: %v", r)
	}
	f.must(tx.Commit(f.ctx))
	f.must(tx.Close())
	g = f.connect()
	g.wantRow("new", newRow("new"))
	g.wantRow("a", newRow("changed"))
	g.wantMissing("b")
	f.wantRow("a", newRow("changed"))
}

func txRollback(f *fixture) {
	f.insertAll("a", "b")
	for range 2 {
		tx, s, err := f.begin()
		f.must(err)
		f.must(s.insert("new", newRow("new")))
		f.must(s.update("a", newRow("changed")))
		f.must(s.delete("b"))
		f.must(tx.Close())
		f.wantMissing("new")
		f.wantRow("a", newRow("a"))
		f.wantRow("b", newRow("b"))
	}
	f.connect().wantMissing("new")

	g := f.connect()
	tx, s, err := g.begin()
	f.must(err)
	f.must(s.insert("new", newRow("new")))
	f.must(f.returns("closing a connection with an open transaction", g.conn.Close))
	f.wantMissing("new")
	_ = tx.Close() // which may be an error
	f.must(f.insert("new", newRow("new")))
}

func txClose(f *fixture) {
	f.insertAll("k")
	tx, s, err := f.begin()
	f.must(err)
	f.must(s.insert("committed", newRow("committed")))
	f.must(tx.Commit(f.ctx))
	for i := range 2 {
		if err := tx.Close(); err != nil {
			f.Errorf("Tx.Close after Commit, call %d: %v", i+1, err)
		}
	}
	f.wantRow("committed", newRow("committed"))
	f.wantClosed("a transaction that was committed and closed", s)

	tx, s, err = f.begin()
	f.must(err)
	for i := range 2 {
		if err := tx.Close(); err != nil {
			f.Errorf("Tx.Close without Commit, call %d: %v", i+1, err)
		}
	}
	if err := f.returns("Commit after Close", func() error { return tx.Commit(f.ctx) }); err == nil {
		f.Error("Commit after Close returned no error")
	}
	f.wantClosed("a closed transaction", s)
	f.wantRow("k", newRow("k"))
	f.wantMissing("new")
}

func txNotFound(f *fixture) {
	f.insertAll("a")
	tx, s, err := f.begin()
	f.must(err)
	_, err = s.read("missing")
	f.wantErr("Read of a missing record", err, ycsb.ErrNotFound)
	f.wantErr("Update of a missing record", s.update("missing", newRow("x")), ycsb.ErrNotFound)
	f.wantErr("Delete of a missing record", s.delete("missing"), ycsb.ErrNotFound)
	f.must(s.check("a", newRow("a")))
	f.must(s.insert("new", newRow("new")))
	f.must(tx.Commit(f.ctx))
	f.must(tx.Close())
	f.wantRow("new", newRow("new"))
}

// txConflict lets two transactions add to a number at once.
func txConflict(f *fixture) {
	f.must(f.insert("k", row{"field0": "."}))
	ctx, cancel := context.WithTimeout(f.ctx, f.suite.patience)
	defer cancel()
	first, second := f.with(ctx), f.connect().with(ctx)

	read, done := make(chan struct{}), make(chan error, 1)
	tx, s, err := first.begin()
	f.must(err)
	before, err := s.read("k")
	f.must(err)
	go func() { // the database may make it wait anywhere
		done <- second.addDot("second", func() { close(read) })
	}()
	timer := time.NewTimer(min(time.Second, f.suite.patience/4))
	defer timer.Stop()
	select {
	case <-read:
	case <-timer.C:
	}
	errs := [2]error{s.update("k", row{"field0": before["field0"] + "."})}
	if errs[0] == nil {
		errs[0] = s.insert("first", newRow("first"))
	}
	if errs[0] == nil {
		errs[0] = tx.Commit(ctx)
	}
	f.must(tx.Close())
	errs[1] = <-done

	added := 0
	for i, err := range errs {
		switch {
		case err == nil:
			added++
		case !errors.Is(err, ycsb.ErrConflict) && !errors.Is(err, ycsb.ErrTimeout):
			f.Errorf("transaction %d of two that update one record: error %v; want ErrConflict", i+1, err)
		}
	}
	f.wantWhole([]string{"first", "second"}, errs[:])
	got, err := f.connect().read("k")
	f.must(err)
	if n := len(got["field0"]) - 1; n != added {
		f.Logf("%d transactions were committed, but %d updates are there: the isolation allows lost updates", added, n)
		if n > added || n == 0 {
			f.Errorf("%d updates are there after %d commits", n, added)
		}
	}
}

// wantWhole reports transactions that were committed without the record that each inserted, and
// those that left one though they were not.
func (f *fixture) wantWhole(keys []string, errs []error) {
	f.Helper()
	g := f.connect()
	for i, key := range keys {
		switch {
		case errs[i] == nil:
			g.wantRow(key, newRow(key))
		case !errors.Is(errs[i], ycsb.ErrTimeout): // of which nobody knows
			g.wantMissing(key)
		}
	}
}

// txLost has two transactions update two records, in different orders, and both go on whatever
// comes of it. One that was not committed leaves nothing, one that was is whole.
func txLost(f *fixture) {
	f.insertAll("k", "l")
	ctx, cancel := context.WithTimeout(f.ctx, f.suite.patience)
	defer cancel()
	keys := []string{"first", "second"}
	arrived := [2]chan struct{}{make(chan struct{}), make(chan struct{})}
	errs := make([]error, 2)
	wait := f.start(2, func(g *fixture, i int) error {
		tx, s, err := g.with(ctx).begin()
		if err != nil {
			return err
		}
		order := []string{"k", "l"}
		err = s.update(order[i], row{"field0": keys[i]})
		close(arrived[i])
		select {
		case <-arrived[1-i]:
		case <-time.After(min(time.Second, f.suite.patience/4)): // the database may make it wait anywhere
		}
		if err == nil {
			err = s.update(order[1-i], row{"field0": keys[i]})
		}
		if ierr := s.insert(keys[i], newRow(keys[i])); err == nil {
			err = ierr
		}
		if err == nil {
			err = tx.Commit(ctx)
		}
		errs[i] = err
		return tx.Close()
	})
	f.must(f.returns("two transactions", wait))
	for i, err := range errs {
		if err != nil && !errors.Is(err, ycsb.ErrConflict) && !errors.Is(err, ycsb.ErrTimeout) {
			f.Errorf("transaction %d of two that update the same records: error %v; want ErrConflict", i+1, err)
		}
	}
	f.wantWhole(keys, errs)
}

// addDot appends a dot to a field and inserts a record in a transaction of its own.
func (s session) addDot(key string, afterRead func()) error {
	tx, s, err := s.begin()
	if err != nil {
		return err
	}
	r, err := s.read("k")
	afterRead()
	if err == nil {
		err = s.update("k", row{"field0": r["field0"] + "."})
	}
	if err == nil {
		err = s.insert(key, newRow(key))
	}
	if err == nil {
		err = tx.Commit(s.ctx)
	}
	return errors.Join(err, tx.Close())
}
