package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// Config says how a [DB] works. The zero Config works.
type Config struct {
	// Upsert lets Insert replace a record whose key is taken. Else it returns ErrExists.
	Upsert bool

	// Unprepared sends every statement with its text, instead of preparing it once for each
	// connection.
	Unprepared bool

	// MatchedRows says that the client counts the rows that an UPDATE matches as affected,
	// and not only those that it changes, so that no other statement is needed to tell a
	// missing record from one that has the values already.
	MatchedRows bool

	// Wire returns what a connection of the client, a [database/sql/driver.Conn], stands on.
	// Where Wire is nil or returns nil, contexts are handed to the client as they are (see the
	// package comment).
	Wire func(driverConn any) Wire
}

// Wire is what carries a client's connection. Its methods may be called from any goroutine.
type Wire interface {
	// Interrupt breaks the connection, so that a call that is under way on it returns. It is
	// called at most once.
	Interrupt()

	// Err returns why the connection broke, or nil where that is not known.
	Err() error
}

// DB is a database behind a [sql.DB]. It implements all optional interfaces of a [ycsb.DB] but
// Syncer, and its connections all those of a [ycsb.Conn]; what a dialect lacks returns
// [ycsb.ErrUnsupported].
type DB struct {
	handle  *sql.DB
	dialect *Dialect
	config  Config
	closed  atomic.Bool
	mu      struct {
		sync.Mutex
		conns  int               // open ones
		tables map[string]*Table // known ones; immutable
	}
}

var (
	_ ycsb.DB        = (*DB)(nil)
	_ ycsb.Preparer  = (*DB)(nil)
	_ ycsb.Truncater = (*DB)(nil)
	_ ycsb.Counter   = (*DB)(nil)
	_ ycsb.Sizer     = (*DB)(nil)
	_ ycsb.Compacter = (*DB)(nil)
	_ ycsb.Describer = (*DB)(nil)

	_ ycsb.Scanner    = (*conn)(nil)
	_ ycsb.Batcher    = (*conn)(nil)
	_ ycsb.Queryer    = (*conn)(nil)
	_ ycsb.Transactor = (*conn)(nil)
	_ ycsb.Tx         = (*tx)(nil)
	_ ycsb.Scanner    = (*tx)(nil)
	_ ycsb.Batcher    = (*tx)(nil)
	_ ycsb.Queryer    = (*tx)(nil)
)

// New returns a DB that uses handle, which stays the caller's: Close does not close it, and its
// limits are left as they are. It has to allow as many connections as there are workers, and
// one more. New sends nothing.
func New(handle *sql.DB, d Dialect, c Config) (*DB, error) {
	if handle == nil {
		return nil, errors.New("sqldb: no handle")
	}
	if d.Name == "" || d.Lookup == nil {
		return nil, errors.New("sqldb: a dialect needs Name and Lookup")
	}
	if c.Upsert && d.Upsert == nil {
		return nil, fmt.Errorf("%s: upsert: %w", d.Name, ycsb.ErrUnsupported)
	}
	db := &DB{handle: handle, dialect: d.withDefaults(), config: c}
	db.mu.tables = make(map[string]*Table)
	return db, nil
}

// Close ends the use of the handle, which stays open: it is the caller's.
func (db *DB) Close() error {
	db.closed.Store(true)
	return nil
}

// Conn connects a worker.
func (db *DB) Conn(ctx context.Context, worker int) (ycsb.Conn, error) {
	most := db.handle.Stats().MaxOpenConnections
	if err := db.reserve(worker, most); err != nil {
		return nil, err
	}
	c := newConn(db)
	if err := c.connect(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// reserve counts a connection, unless there may be no more.
func (db *DB) reserve(worker, most int) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	switch {
	case db.closed.Load():
		return errClosed
	case most > 0 && db.mu.conns >= most: // database/sql would wait for ever
		return fmt.Errorf("%s: worker %d: the handle allows no more than %d connections", db.dialect.Name, worker, most)
	}
	db.mu.conns++
	return nil
}

func (db *DB) release() {
	db.mu.Lock()
	db.mu.conns--
	db.mu.Unlock()
}

// table returns what the catalogue says of a table, which is read once.
func (db *DB) table(ctx context.Context, q Querier, name string) (*Table, error) {
	db.mu.Lock()
	t := db.mu.tables[name]
	db.mu.Unlock()
	if t != nil {
		return t, nil
	}
	t, err := db.lookup(ctx, q, name)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, db.noTable(name)
	}
	db.mu.Lock()
	db.mu.tables[name] = t
	db.mu.Unlock()
	return t, nil
}

func (db *DB) noTable(name string) error {
	return fmt.Errorf("%s: table %s does not exist", db.dialect.Name, name)
}

// lookup returns what the catalogue says of a table now, nil if nothing.
func (db *DB) lookup(ctx context.Context, q Querier, name string) (*Table, error) {
	if db.closed.Load() {
		return nil, errClosed
	}
	t, err := db.dialect.Lookup(ctx, q, name)
	if err != nil {
		return nil, fmt.Errorf("look up table %s: %w", name, err)
	}
	return t, nil
}

// fields returns the names of the columns but that of keys.
func (db *DB) fields(t *Table) []string {
	var names []string
	for _, c := range t.Columns {
		if !strings.EqualFold(c.Name, db.dialect.Key) {
			names = append(names, c.Name)
		}
	}
	return names
}

// Prepare makes the table, marked as ours, or checks that the one there is can hold the records.
func (db *DB) Prepare(ctx context.Context, s ycsb.Schema) error {
	db.mu.Lock()
	delete(db.mu.tables, s.Table)
	db.mu.Unlock()
	t, err := db.lookup(ctx, db.handle, s.Table)
	if err != nil {
		return db.fault(err)
	}
	if t != nil {
		return db.fits(t, s)
	}
	if db.dialect.Create == nil {
		return fmt.Errorf("%s: table %s does not exist, and making one: %w", db.dialect.Name, s.Table, ycsb.ErrUnsupported)
	}
	for _, text := range db.dialect.Create(s) {
		if _, err := db.handle.ExecContext(ctx, text); err != nil {
			return db.made(ctx, s, err)
		}
	}
	return nil
}

// made returns nil if a table that could not be made, because of err, was made by somebody else
// in the meantime.
func (db *DB) made(ctx context.Context, s ycsb.Schema, err error) error {
	if t, lerr := db.lookup(ctx, db.handle, s.Table); lerr == nil && t != nil {
		return db.fits(t, s)
	}
	return fmt.Errorf("make table %s: %w", s.Table, db.fault(err))
}

// fits returns an error when a table cannot hold the records of s.
func (db *DB) fits(t *Table, s ycsb.Schema) error {
	find := func(name string) int {
		return slices.IndexFunc(t.Columns, func(c Column) bool { return strings.EqualFold(c.Name, name) })
	}
	var errs []error
	want := func(name string, length int) {
		i := find(name)
		switch {
		case i < 0:
			errs = append(errs, fmt.Errorf("%s: table %s has no column %s", db.dialect.Name, s.Table, name))
		case t.Columns[i].Bytes > 0 && int64(length) > t.Columns[i].Bytes:
			errs = append(errs, fmt.Errorf("%s: table %s: column %s takes %d bytes; want %d",
				db.dialect.Name, s.Table, name, t.Columns[i].Bytes, length))
		}
	}
	want(db.dialect.Key, s.KeyLength)
	for _, f := range s.Fields {
		want(f, s.FieldLength)
	}
	return errors.Join(errs...)
}

// Truncate empties a table that Prepare made.
func (db *DB) Truncate(ctx context.Context, table string) error {
	t, err := db.lookup(ctx, db.handle, table)
	switch {
	case err != nil:
		return db.fault(err)
	case t == nil:
		return db.noTable(table)
	case !t.Ours:
		return fmt.Errorf("%s: table %s was not made by ycsb and is left alone (%s)", db.dialect.Name, table, db.dialect.Mark)
	}
	_, err = db.handle.ExecContext(ctx, db.dialect.Truncate(table))
	return db.fault(err)
}

// Count counts the rows of a table.
func (db *DB) Count(ctx context.Context, table string) (int64, error) {
	t, err := db.lookup(ctx, db.handle, table)
	if err != nil || t == nil {
		return 0, db.fault(err)
	}
	var n int64
	err = db.handle.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+db.dialect.Quote(table)).Scan(&n)
	return n, db.fault(err)
}

// Size returns the bytes that a table takes: none if it does not exist.
func (db *DB) Size(ctx context.Context, table string) (ycsb.Size, error) {
	if db.dialect.Size == nil {
		return ycsb.Size{}, ycsb.ErrUnsupported
	}
	t, err := db.lookup(ctx, db.handle, table)
	if err != nil || t == nil {
		return ycsb.Size{}, db.fault(err)
	}
	size, err := db.dialect.Size(ctx, db.handle, table)
	return size, db.fault(err)
}

// Compact reclaims the storage that a table does not need.
func (db *DB) Compact(ctx context.Context, table string) error {
	if db.dialect.Compact == nil {
		return ycsb.ErrUnsupported
	}
	t, err := db.lookup(ctx, db.handle, table)
	switch {
	case err != nil:
		return db.fault(err)
	case t == nil:
		return db.noTable(table)
	}
	return db.fault(db.dialect.Compact(ctx, db.handle, table))
}

// Describe tells what is measured.
func (db *DB) Describe(ctx context.Context) (ycsb.Info, error) {
	if db.dialect.Describe == nil {
		return ycsb.Info{}, ycsb.ErrUnsupported
	}
	if db.closed.Load() {
		return ycsb.Info{}, errClosed
	}
	info, err := db.dialect.Describe(ctx, db.handle)
	return info, db.fault(err)
}
