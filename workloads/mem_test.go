package workloads_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// field is a field of a record.
type field struct{ name, value string }

// call is an operation that a memDB was asked for.
type call struct {
	op     string // as the engine names it; BATCH before those of a batch
	key    string
	fields []string // asked for
	values []field  // to be written
	n      int      // records of a scan, operations of a batch
	worker int
	time   time.Time
	err    error
}

// memDB is a database in memory that remembers what it was asked for.
type memDB struct {
	plain  bool                                     // neither scans nor batches
	forget bool                                     // calls are not remembered
	before func(ctx context.Context, c *call) error // its error is the operation's, which is not carried out
	after  func(ctx context.Context, c *call) error // its error is that of an operation carried out

	mu struct {
		sync.Mutex
		rows  map[string][]field
		keys  []string // of rows, sorted
		calls []call
	}
}

func newMemDB() *memDB {
	db := new(memDB)
	db.mu.rows = make(map[string][]field)
	return db
}

var (
	_ ycsb.Counter = (*memDB)(nil)
	_ ycsb.Scanner = (*memConn)(nil)
	_ ycsb.Batcher = (*memConn)(nil)
)

func (db *memDB) Conn(_ context.Context, worker int) (ycsb.Conn, error) {
	c := &memConn{db: db, worker: worker}
	if db.plain {
		return struct{ ycsb.Conn }{c}, nil
	}
	return c, nil
}

func (db *memDB) Count(context.Context, string) (int64, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	return int64(len(db.mu.rows)), nil
}

func (db *memDB) Close() error { return nil }

// calls returns what was asked for so far, only the named operations if there are any.
func (db *memDB) calls(ops ...string) []call {
	db.mu.Lock()
	defer db.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(db.mu.calls), func(c call) bool {
		return len(ops) > 0 && !slices.Contains(ops, c.op)
	})
}

// forgetCalls makes calls begin anew.
func (db *memDB) forgetCalls() {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.mu.calls = nil
}

// table returns a copy of the rows.
func (db *memDB) table() map[string][]field {
	db.mu.Lock()
	defer db.mu.Unlock()
	rows := make(map[string][]field, len(db.mu.rows))
	for k, row := range db.mu.rows {
		rows[k] = slices.Clone(row)
	}
	return rows
}

// row returns a copy of a row.
func (db *memDB) row(key string) []field {
	db.mu.Lock()
	defer db.mu.Unlock()
	return slices.Clone(db.mu.rows[key])
}

// setRow stores a row behind the back of the workload.
func (db *memDB) setRow(key string, row []field) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.putLocked(key, row)
}

func (db *memDB) putLocked(key string, row []field) {
	if _, ok := db.mu.rows[key]; !ok {
		i, _ := slices.BinarySearch(db.mu.keys, key)
		db.mu.keys = slices.Insert(db.mu.keys, i, key)
	}
	db.mu.rows[key] = row
}

func (db *memDB) removeLocked(key string) {
	i, _ := slices.BinarySearch(db.mu.keys, key)
	db.mu.keys = slices.Delete(db.mu.keys, i, i+1)
	delete(db.mu.rows, key)
}

// do carries out an operation between the hooks, under the lock.
func (db *memDB) do(ctx context.Context, c *call, carryOut func() error) error {
	c.time = time.Now()
	if db.before != nil {
		c.err = db.before(ctx, c)
	}
	if c.err == nil {
		db.mu.Lock()
		c.err = carryOut()
		db.mu.Unlock()
		if db.after != nil && c.err == nil {
			c.err = db.after(ctx, c)
		}
	}
	if !db.forget {
		db.mu.Lock()
		db.mu.calls = append(db.mu.calls, *c)
		db.mu.Unlock()
	}
	return c.err
}

type memConn struct {
	db     *memDB
	worker int
}

func (c *memConn) Read(ctx context.Context, _ string, key []byte, fields []string, rec *ycsb.Record) error {
	k := &call{op: ycsb.OpRead, key: string(key), fields: slices.Clone(fields), worker: c.worker}
	return c.db.do(ctx, k, func() error {
		row, ok := c.db.mu.rows[k.key]
		if !ok {
			return ycsb.ErrNotFound
		}
		appendFields(rec, row, fields)
		return nil
	})
}

// appendFields appends the named fields of a row, all if none is named.
func appendFields(rec *ycsb.Record, row []field, names []string) {
	for _, f := range row {
		if len(names) == 0 || slices.Contains(names, f.name) {
			rec.Append(f.name, []byte(f.value))
		}
	}
}

func (c *memConn) Insert(ctx context.Context, _ string, key []byte, rec *ycsb.Record) error {
	k := &call{op: ycsb.OpInsert, key: string(key), values: valuesOf(rec), worker: c.worker}
	return c.db.do(ctx, k, func() error {
		if _, ok := c.db.mu.rows[k.key]; ok {
			return ycsb.ErrExists
		}
		c.db.putLocked(k.key, slices.Clone(k.values))
		return nil
	})
}

func valuesOf(rec *ycsb.Record) []field {
	var values []field
	for name, value := range rec.All() {
		values = append(values, field{name, string(value)})
	}
	return values
}

func (c *memConn) Update(ctx context.Context, _ string, key []byte, rec *ycsb.Record) error {
	k := &call{op: ycsb.OpUpdate, key: string(key), values: valuesOf(rec), worker: c.worker}
	return c.db.do(ctx, k, func() error {
		row, ok := c.db.mu.rows[k.key]
		if !ok {
			return ycsb.ErrNotFound
		}
		for _, v := range k.values {
			i := slices.IndexFunc(row, func(f field) bool { return f.name == v.name })
			if i < 0 {
				i, row = len(row), append(row, v)
			}
			row[i] = v
		}
		c.db.mu.rows[k.key] = row
		return nil
	})
}

func (c *memConn) Delete(ctx context.Context, _ string, key []byte) error {
	k := &call{op: ycsb.OpDelete, key: string(key), worker: c.worker}
	return c.db.do(ctx, k, func() error {
		if _, ok := c.db.mu.rows[k.key]; !ok {
			return ycsb.ErrNotFound
		}
		c.db.removeLocked(k.key)
		return nil
	})
}

func (c *memConn) Scan(ctx context.Context, _ string, start []byte, n int, fields []string,
	each func([]byte, *ycsb.Record) error,
) error {
	k := &call{op: ycsb.OpScan, key: string(start), fields: slices.Clone(fields), n: n, worker: c.worker}
	return c.db.do(ctx, k, func() error {
		i, _ := slices.BinarySearch(c.db.mu.keys, k.key)
		var rec ycsb.Record
		for _, key := range c.db.mu.keys[i:min(i+n, len(c.db.mu.keys))] {
			rec.Reset()
			appendFields(&rec, c.db.mu.rows[key], fields)
			if err := each([]byte(key), &rec); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *memConn) Batch(ctx context.Context, table string, items []ycsb.BatchItem) error {
	k := &call{op: ycsb.OpBatch, n: len(items), worker: c.worker}
	if err := c.db.do(ctx, k, func() error { return nil }); err != nil {
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
			it.Err = fmt.Errorf("kind %v", it.Kind)
		}
	}
	return nil
}

func (c *memConn) Close() error { return nil }

// tally is a database without records that counts what its one connection is asked for.
type tally struct {
	keys    map[string]int // of operations on existing records
	lengths map[int]int    // of scans
	inserts int
}

func newTally() *tally { return &tally{keys: make(map[string]int), lengths: make(map[int]int)} }

func (db *tally) Conn(context.Context, int) (ycsb.Conn, error) { return db, nil }
func (db *tally) Close() error                                 { return nil }

func (db *tally) Read(_ context.Context, _ string, key []byte, _ []string, _ *ycsb.Record) error {
	db.keys[string(key)]++
	return nil
}

func (db *tally) Insert(context.Context, string, []byte, *ycsb.Record) error {
	db.inserts++
	return nil
}

func (db *tally) Update(_ context.Context, _ string, key []byte, _ *ycsb.Record) error {
	db.keys[string(key)]++
	return nil
}

func (db *tally) Delete(context.Context, string, []byte) error { return nil }

func (db *tally) Scan(_ context.Context, _ string, _ []byte, n int, _ []string, _ func([]byte, *ycsb.Record) error) error {
	db.lengths[n]++
	return nil
}
