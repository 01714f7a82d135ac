// Package memory is a driver for a database in the memory of the process: for tests, for
// trying out workloads, and as the upper bound of what a client can do. It is registered as
// "memory".
//
// Reads, updates and scans do not allocate. Reads and updates lock a small part of a table's
// rows; inserts and deletes also the order of all its keys. An operation on a record is atomic:
// no read sees half of an update. A scan is not: each of its records is as it was at some time
// during the scan.
package memory

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

func init() {
	ycsb.Register("memory", ycsb.DriverFunc(
		func(context.Context, *properties.Properties) (ycsb.DB, error) { return New(), nil }))
}

var errClosed = errors.New("memory: closed")

// DB is a database in memory. The first insert into a table creates it, but what Prepare did
// not create, Truncate does not empty. Its methods are safe for concurrent use.
type DB struct {
	closed atomic.Bool
	mu     struct {
		sync.RWMutex
		tables map[string]*table
	}
}

var (
	_ ycsb.DB        = (*DB)(nil)
	_ ycsb.Preparer  = (*DB)(nil)
	_ ycsb.Truncater = (*DB)(nil)
	_ ycsb.Sizer     = (*DB)(nil)
	_ ycsb.Counter   = (*DB)(nil)
	_ ycsb.Describer = (*DB)(nil)
	_ ycsb.Scanner   = (*conn)(nil)
	_ ycsb.Batcher   = (*conn)(nil)
)

// New returns an empty database.
func New() *DB {
	d := new(DB)
	d.mu.tables = make(map[string]*table)
	return d
}

// Conn returns a connection, which is a [ycsb.Scanner] and a [ycsb.Batcher]. While a scan calls
// its function nothing is locked, so that the function may use other connections.
func (d *DB) Conn(ctx context.Context, _ int) (ycsb.Conn, error) {
	if err := d.usable(ctx); err != nil {
		return nil, err
	}
	return &conn{db: d, rows: make([]*row, 0, chunk)}, nil
}

// Prepare creates the table where it is missing.
func (d *DB) Prepare(ctx context.Context, s ycsb.Schema) error {
	if err := d.usable(ctx); err != nil {
		return err
	}
	d.create(s.Table, true)
	return nil
}

// Truncate empties a table that Prepare created.
func (d *DB) Truncate(ctx context.Context, table string) error {
	if err := d.usable(ctx); err != nil {
		return err
	}
	t := d.table(table)
	if t == nil || !t.prepared {
		return fmt.Errorf("memory: table %s: not created by Prepare: not emptied", table)
	}
	t.truncate()
	return nil
}

// Count returns the number of rows of a table, which is 0 when it does not exist.
func (d *DB) Count(ctx context.Context, table string) (int64, error) {
	if err := d.usable(ctx); err != nil {
		return 0, err
	}
	t := d.table(table)
	if t == nil {
		return 0, nil
	}
	return t.count(), nil
}

// Size returns the bytes of all keys and values of a table as Data.
func (d *DB) Size(ctx context.Context, table string) (ycsb.Size, error) {
	if err := d.usable(ctx); err != nil {
		return ycsb.Size{Storage: -1, Index: -1, Data: -1}, err
	}
	s := ycsb.Size{Storage: -1, Index: -1}
	if t := d.table(table); t != nil {
		s.Data = t.size()
	}
	return s, nil
}

// Describe names the driver.
func (d *DB) Describe(ctx context.Context) (ycsb.Info, error) {
	if err := d.usable(ctx); err != nil {
		return ycsb.Info{}, err
	}
	return ycsb.Info{Product: "memory", Durability: "none", Topology: "in the client's process"}, nil
}

// Temporary reports true: what is stored ends with the DB.
func (*DB) Temporary() bool { return true }

// Close drops all tables.
func (d *DB) Close() error {
	d.closed.Store(true)
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.mu.tables)
	return nil
}

func (d *DB) usable(ctx context.Context) error {
	if d.closed.Load() {
		return errClosed
	}
	return ctx.Err()
}

// table returns the named table, nil when there is none.
func (d *DB) table(name string) *table {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.mu.tables[name]
}

// create returns the named table, which it makes where it is missing.
func (d *DB) create(name string, prepared bool) *table {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.mu.tables[name]
	if t == nil {
		t = newTable(prepared)
		d.mu.tables[name] = t
	}
	return t
}

// conn is a connection: the table used last, and scratch memory of scans.
type conn struct {
	db     *DB
	closed bool
	name   string
	t      *table // called name; nil before the first operation

	rows  []*row
	start []byte
	key   []byte
	rec   ycsb.Record
}

// table returns the named table, nil when there is none, after it looked whether an operation
// may begin.
func (c *conn) table(ctx context.Context, name string) (*table, error) {
	if c.closed {
		return nil, errClosed
	}
	if err := c.db.usable(ctx); err != nil {
		return nil, err
	}
	if c.t == nil || c.name != name {
		c.name, c.t = name, c.db.table(name)
	}
	return c.t, nil
}

func (c *conn) Read(ctx context.Context, table string, key []byte, fields []string, rec *ycsb.Record) error {
	t, err := c.table(ctx, table)
	if err != nil {
		return err
	}
	return t.read(key, fields, rec)
}

func (c *conn) Insert(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	t, err := c.table(ctx, table)
	if err != nil {
		return err
	}
	if t == nil {
		t = c.db.create(table, false)
	}
	return t.insert(key, rec)
}

func (c *conn) Update(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	t, err := c.table(ctx, table)
	if err != nil {
		return err
	}
	return t.update(key, rec)
}

func (c *conn) Delete(ctx context.Context, table string, key []byte) error {
	t, err := c.table(ctx, table)
	if err != nil {
		return err
	}
	return t.delete(key)
}

// Scan takes rows from the index by the chunk and holds no lock while it calls each.
func (c *conn) Scan(ctx context.Context, table string, start []byte, n int, fields []string,
	each func(key []byte, rec *ycsb.Record) error,
) error {
	t, err := c.table(ctx, table)
	if err != nil || t == nil {
		return err
	}
	c.start = append(c.start[:0], start...)
	for after := false; n > 0; after = true {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.rows = t.from(c.start, after, c.rows[:0], min(n, chunk))
		if len(c.rows) == 0 {
			return nil
		}
		c.start = append(c.start[:0], c.rows[len(c.rows)-1].key...)
		for _, r := range c.rows {
			c.rec.Reset()
			if !t.copyRow(r, fields, &c.rec) {
				continue
			}
			c.key = append(c.key[:0], r.key...)
			if err := each(c.key, &c.rec); err != nil {
				return err
			}
			n--
		}
	}
	return nil
}

// Batch carries out the items one after the other.
func (c *conn) Batch(ctx context.Context, table string, items []ycsb.BatchItem) error {
	if _, err := c.table(ctx, table); err != nil {
		for i := range items {
			items[i].Err = err
		}
		return err
	}
	for i := range items {
		it := &items[i]
		switch it.Kind {
		case ycsb.KindRead:
			it.Err = c.Read(ctx, table, it.Key, it.Fields, it.Record)
		case ycsb.KindInsert:
			it.Err = c.Insert(ctx, table, it.Key, it.Record)
		case ycsb.KindUpdate:
			it.Err = c.Update(ctx, table, it.Key, it.Record)
		case ycsb.KindDelete:
			it.Err = c.Delete(ctx, table, it.Key)
		default:
			it.Err = fmt.Errorf("memory: batch: kind %d: %w", it.Kind, ycsb.ErrUnsupported)
		}
	}
	return nil
}

func (c *conn) Close() error {
	c.closed = true
	c.t, c.rows, c.start, c.key = nil, nil, nil, nil
	return nil
}
