package ycsb_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/ycsbtest"
)

// mapDB keeps rows in a map, by table and key.
type mapDB struct {
	mu   sync.Mutex
	rows map[[2]string]row // nil when closed
}

type row map[string][]byte // values by the names of their fields

func newMapDB() *mapDB { return &mapDB{rows: make(map[[2]string]row)} }

func (db *mapDB) Conn(context.Context, int) (ycsb.Conn, error) { return &mapConn{db: db}, nil }

func (db *mapDB) Close() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.rows = nil
	return nil
}

// mapConn is the connection of one worker.
type mapConn struct {
	db     *mapDB
	closed bool
}

func (c *mapConn) Close() error {
	c.closed = true
	return nil
}

func (c *mapConn) Read(ctx context.Context, table string, key []byte, fields []string, rec *ycsb.Record) error {
	return c.lock(ctx, func(rows map[[2]string]row) error {
		r, ok := rows[[2]string{table, string(key)}]
		for name, value := range r {
			if len(fields) == 0 || slices.Contains(fields, name) {
				rec.Append(name, value)
			}
		}
		return found(ok)
	})
}

func (c *mapConn) Insert(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	return c.lock(ctx, func(rows map[[2]string]row) error {
		at := [2]string{table, string(key)}
		if _, ok := rows[at]; ok {
			return ycsb.ErrExists
		}
		rows[at] = make(row)
		rows[at].set(rec)
		return nil
	})
}

func (c *mapConn) Update(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	return c.lock(ctx, func(rows map[[2]string]row) error {
		r, ok := rows[[2]string{table, string(key)}]
		r.set(rec)
		return found(ok)
	})
}

func (c *mapConn) Delete(ctx context.Context, table string, key []byte) error {
	return c.lock(ctx, func(rows map[[2]string]row) error {
		at := [2]string{table, string(key)}
		_, ok := rows[at]
		delete(rows, at)
		return found(ok)
	})
}

func (c *mapConn) lock(ctx context.Context, do func(rows map[[2]string]row) error) error {
	c.db.mu.Lock()
	defer c.db.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case c.closed || c.db.rows == nil:
		return errors.New("mapdb: closed")
	}
	return do(c.db.rows)
}

func (r row) set(rec *ycsb.Record) {
	for name, value := range rec.All() {
		if r != nil {
			r[name] = slices.Clone(value) // rec is the caller's, and used again
		}
	}
}

func found(ok bool) error {
	if !ok {
		return ycsb.ErrNotFound
	}
	return nil
}

func TestMapDB(t *testing.T) {
	ycsbtest.TestDB(t, func(testing.TB) ycsb.DB { return newMapDB() })
}

// A driver is a DB and a Conn, and whatever else its database can do.
func ExampleDB() {
	ctx := context.Background()
	db := newMapDB()
	config, _ := workloads.Standard("a")
	w, _ := workloads.NewCore(config)
	load, err := ycsb.Load(ctx, db, w, &ycsb.Options{Threads: 4})
	fmt.Println(load.Steps, load.Errors, err)
	run, err := ycsb.Run(ctx, db, w, &ycsb.Options{Threads: 4, Operations: 10_000})
	fmt.Println(run.Steps, run.Errors, err)
	// Output:
	// 1000 0 <nil>
	// 10000 0 <nil>
}
