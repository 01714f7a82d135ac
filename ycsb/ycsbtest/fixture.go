package ycsbtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// fixture is what a rule is tested with: a database of its own, with an empty table, and a
// connection.
type fixture struct {
	testing.TB
	session
	suite   Suite
	db      ycsb.DB
	workers *int // numbers that were given to connections
}

// session is a connection in use. Its methods return errors that name the call.
type session struct {
	ctx   context.Context
	conn  ycsb.Conn
	table string
}

// row holds the fields of a record.
type row map[string]string

// entry is a row that was scanned.
type entry struct {
	key string
	row row
}

// open opens a database, prepares the table and connects.
func (s Suite) open(t testing.TB) *fixture {
	t.Helper()
	db := s.Open(t)
	if db == nil {
		t.Fatal("Suite.Open returned no database")
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("DB.Close: %v", err)
		}
	})
	f := &fixture{TB: t, suite: s, db: db, workers: new(int), session: session{ctx: t.Context(), table: s.Table}}
	f.prepare(s.Table, shortValues)
	return f.connect()
}

// prepare prepares a table, where the driver can.
func (f *fixture) prepare(table string, fieldLength int) {
	f.Helper()
	if d, ok := f.db.(ycsb.Preparer); ok {
		if err := d.Prepare(f.ctx, schema(table, fieldLength)); err != nil {
			f.Fatalf("Prepare(%s): %v", table, err)
		}
	}
}

// connect returns a copy of f with the connection of another worker.
func (f *fixture) connect() *fixture {
	f.Helper()
	worker := *f.workers
	*f.workers++
	return f.connectAs(worker)
}

// connectAs returns a copy of f with a connection of the given worker.
func (f *fixture) connectAs(worker int) *fixture {
	f.Helper()
	conn, err := f.db.Conn(f.ctx, worker)
	if err != nil {
		f.Fatalf("Conn(%d): %v", worker, err)
	}
	if conn == nil {
		f.Fatalf("Conn(%d) returned no connection", worker)
	}
	f.Cleanup(func() {
		if err := conn.Close(); err != nil {
			f.Errorf("Conn.Close: %v", err)
		}
	})
	g := *f
	g.conn = conn
	return &g
}

// in returns a copy of f that uses another table.
func (f *fixture) in(table string) *fixture {
	g := *f
	g.table = table
	return &g
}

// with returns a copy of s that uses another context.
func (s session) with(ctx context.Context) session {
	s.ctx = ctx
	return s
}

// probe returns what the driver can do. It is no subtest: go test -run would leave it out.
func (s Suite) probe(t testing.TB) set {
	t.Helper()
	sc := &scope{TB: t}
	defer sc.end()
	has := s.open(sc).abilities()
	has[refuser] = s.OpenRefused != nil
	has[inserter], has[replacer] = !s.Upsert, s.Upsert
	has[binaryKey], has[binary] = !s.TextKeys, !s.TextValues
	has[freeForm] = !s.Columns
	return has
}

// scope is a part of a test, at whose end its cleanups are done.
type scope struct {
	testing.TB
	cleanups []func()
}

// Cleanup remembers f for the end of the scope.
func (s *scope) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }

func (s *scope) end() {
	for _, f := range slices.Backward(s.cleanups) {
		f()
	}
}

// abilities returns the abilities of the driver: the interfaces whose methods are there and do
// not say that they are unsupported. Other errors are for the rules to find.
func (f *fixture) abilities() set {
	has := make(set)
	can := func(a ability, err error) { has[a] = !errors.Is(err, ycsb.ErrUnsupported) }

	_, has[preparer] = f.db.(ycsb.Preparer)
	if d, ok := f.db.(ycsb.Truncater); ok {
		can(truncater, d.Truncate(f.ctx, f.table))
	}
	if d, ok := f.db.(ycsb.Syncer); ok {
		can(syncer, d.Sync(f.ctx))
	}
	if d, ok := f.db.(ycsb.Sizer); ok {
		_, err := d.Size(f.ctx, f.table)
		can(sizer, err)
	}
	if d, ok := f.db.(ycsb.Compacter); ok {
		can(compacter, d.Compact(f.ctx, f.table))
	}
	if d, ok := f.db.(ycsb.Counter); ok {
		_, err := d.Count(f.ctx, f.table)
		can(counter, err)
	}
	if d, ok := f.db.(ycsb.Describer); ok {
		_, err := d.Describe(f.ctx)
		can(describer, err)
	}
	each := func([]byte, *ycsb.Record) error { return nil }
	if c, ok := f.conn.(ycsb.Scanner); ok {
		can(scanner, c.Scan(f.ctx, f.table, []byte("a"), 1, nil, each))
	}
	if c, ok := f.conn.(ycsb.Batcher); ok {
		can(batcher, c.Batch(f.ctx, f.table, []ycsb.BatchItem{
			{Kind: ycsb.KindRead, Key: []byte("a"), Record: new(ycsb.Record)},
		}))
	}
	if c, ok := f.conn.(ycsb.Queryer); ok {
		can(queryer, c.Query(f.ctx, ycsb.Query{Table: f.table, Where: "field0", Equal: []byte("a")}, each))
	}
	if c, ok := f.conn.(ycsb.Transactor); ok {
		tx, err := c.Begin(f.ctx)
		can(transactor, err)
		if err == nil {
			f.must(tx.Close())
		}
	}
	return has
}

// must ends the test when err is not nil.
func (f *fixture) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// wantErr reports when err is not target.
func (f *fixture) wantErr(call string, err, target error) {
	f.Helper()
	if !errors.Is(err, target) {
		f.Errorf("%s: error %v; want %q", call, err, target)
	}
}

// wantSame reports when err is not target itself.
func (f *fixture) wantSame(call string, err, target error) {
	f.Helper()
	if err != target { //nolint:errorlint // the very same
		f.Errorf("%s: error %v; want %q as it is", call, err, target)
	}
}

// wantEnded reports when err is not that of a call whose context had ended with target.
func (f *fixture) wantEnded(call string, err, target error) {
	f.Helper()
	if !errors.Is(err, target) && !errors.Is(err, ycsb.ErrTimeout) {
		f.Errorf("%s: error %v; want %q or ErrTimeout", call, err, target)
	}
}

// wantRow reports when the record under key is not want.
func (f *fixture) wantRow(key string, want row) {
	f.Helper()
	if err := f.check(key, want); err != nil {
		f.Error(err)
	}
}

// wantMissing reports when there is a record under key.
func (f *fixture) wantMissing(key string) {
	f.Helper()
	got, err := f.read(key)
	if err == nil {
		f.Errorf("Read(%s) = %v; want ErrNotFound", quote(key), got)
		return
	}
	f.wantErr(fmt.Sprintf("Read(%s)", quote(key)), err, ycsb.ErrNotFound)
}

// returns calls g and reports, ending the test, when it panics or does not return in time.
func (f *fixture) returns(call string, g func() error) error {
	f.Helper()
	done, panicked := make(chan error, 1), make(chan any, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				panicked <- v
			}
		}()
		done <- g()
	}()
	timer := time.NewTimer(f.suite.patience)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case v := <-panicked:
		f.Fatalf("%s panicked: %v", call, v)
	case <-timer.C:
		f.Fatalf("%s did not return within %v", call, f.suite.patience)
	}
	return nil
}

// check returns an error when the record under key is not want.
func (s session) check(key string, want row) error {
	got, err := s.read(key)
	if err != nil {
		return err
	}
	if err := want.diff(got); err != nil {
		return fmt.Errorf("read %s: %w", quote(key), err)
	}
	return nil
}

func (s session) read(key string, fields ...string) (row, error) {
	var rec ycsb.Record
	if err := s.conn.Read(s.ctx, s.table, []byte(key), fields, &rec); err != nil {
		return nil, fmt.Errorf("read %s: %w", quote(key), err)
	}
	r, err := rowOf(&rec)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", quote(key), err)
	}
	return r, nil
}

func (s session) insert(key string, r row) error {
	if err := s.conn.Insert(s.ctx, s.table, []byte(key), r.record()); err != nil {
		return fmt.Errorf("insert %s: %w", quote(key), err)
	}
	return nil
}

func (s session) update(key string, r row) error {
	if err := s.conn.Update(s.ctx, s.table, []byte(key), r.record()); err != nil {
		return fmt.Errorf("update %s: %w", quote(key), err)
	}
	return nil
}

func (s session) delete(key string) error {
	if err := s.conn.Delete(s.ctx, s.table, []byte(key)); err != nil {
		return fmt.Errorf("delete %s: %w", quote(key), err)
	}
	return nil
}

func (s session) scan(start string, n int, fields ...string) ([]entry, error) {
	var got []entry
	err := s.conn.(ycsb.Scanner).Scan(s.ctx, s.table, []byte(start), n, fields, collect(&got))
	if err != nil {
		return nil, fmt.Errorf("scan %d from %s: %w", n, quote(start), err)
	}
	return got, nil
}

func (s session) query(q ycsb.Query) ([]entry, error) {
	var got []entry
	q.Table = s.table
	if err := s.conn.(ycsb.Queryer).Query(s.ctx, q, collect(&got)); err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	return got, nil
}

func (s session) batch(items ...ycsb.BatchItem) error {
	if err := s.conn.(ycsb.Batcher).Batch(s.ctx, s.table, items); err != nil {
		return fmt.Errorf("batch of %d items: %w", len(items), err)
	}
	return nil
}

// collect returns a function that appends copies of what it gets.
func collect(got *[]entry) func([]byte, *ycsb.Record) error {
	return func(key []byte, rec *ycsb.Record) error {
		r, err := rowOf(rec)
		*got = append(*got, entry{string(key), r})
		return err
	}
}

// insertAll inserts a record made by newRow under each key, in a random order.
func (f *fixture) insertAll(keys ...string) {
	f.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, i := range rng.Perm(len(keys)) {
		f.must(f.insert(keys[i], newRow(keys[i])))
	}
}

// newRow returns a full record of text, different for each name.
func newRow(name string) row {
	r := make(row)
	for i, field := range schema("", 0).Fields {
		r[field] = fmt.Sprintf("%s of %x%s", field, name, strings.Repeat(".", i))
	}
	return r
}

// only returns the named fields of r.
func (r row) only(fields ...string) row {
	some := make(row)
	for _, name := range fields {
		if v, ok := r[name]; ok {
			some[name] = v
		}
	}
	return some
}

// plus returns r with the fields of o over its own.
func (r row) plus(o row) row {
	sum := maps.Clone(r)
	maps.Copy(sum, o)
	return sum
}

// record returns r as a record, its fields in the order of their names.
func (r row) record() *ycsb.Record {
	rec := new(ycsb.Record)
	for _, name := range slices.Sorted(maps.Keys(r)) {
		rec.Append(name, []byte(r[name]))
	}
	return rec
}

// rowOf returns a copy of the fields of rec, and an error when one occurs twice.
func rowOf(rec *ycsb.Record) (row, error) {
	r := make(row)
	for name, value := range rec.All() {
		if _, ok := r[name]; ok {
			return r, fmt.Errorf("field %q occurs twice", name)
		}
		r[strings.Clone(name)] = string(value)
	}
	return r, nil
}

// diff returns an error that names the first difference of got from r.
func (r row) diff(got row) error {
	for _, name := range slices.Sorted(maps.Keys(r.plus(got))) {
		w, wanted := r[name]
		g, ok := got[name]
		switch {
		case !wanted:
			return fmt.Errorf("field %q = %s; want no such field", name, quote(g))
		case !ok:
			return fmt.Errorf("no field %q; want %s", name, quote(w))
		case g != w:
			return fmt.Errorf("field %q = %s; want %s", name, quote(g), quote(w))
		}
	}
	return nil
}

// diffEntries returns an error that names the first difference of got from want.
func diffEntries(got, want []entry) error {
	for i := range min(len(got), len(want)) {
		if got[i].key != want[i].key {
			return fmt.Errorf("record %d has the key %s; want %s", i, quote(got[i].key), quote(want[i].key))
		}
		if err := want[i].row.diff(got[i].row); err != nil {
			return fmt.Errorf("record %d, key %s: %w", i, quote(got[i].key), err)
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d records; want %d", len(got), len(want))
	}
	return nil
}

// quote returns s quoted, its middle left out when it is long.
func quote(s string) string {
	const end = 40
	if len(s) <= 2*end {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprintf("%q…%q (%d bytes)", s[:end], s[len(s)-end:], len(s))
}

// spoil overwrites what a caller may use again after a call.
func spoil(key []byte, rec *ycsb.Record) {
	copy(key, bytes.Repeat([]byte("#"), len(key)))
	if rec == nil {
		return
	}
	for _, value := range rec.All() {
		copy(value, bytes.Repeat([]byte("#"), len(value)))
	}
	n := rec.Len()
	rec.Reset()
	for range n {
		rec.Append("spoilt", []byte("spoilt"))
	}
}
