package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// store is the store to be measured, as YCSB wants it.
type store struct {
	closed atomic.Bool
	mu     sync.RWMutex
	rows   map[id]row
}

type (
	id  struct{ table, key string }
	row map[string][]byte
)

var errClosed = errors.New("store: closed")

func newStore() *store { return &store{rows: make(map[id]row)} }

func (s *store) Conn(ctx context.Context, _ int) (ycsb.Conn, error) {
	return &conn{store: s}, s.usable(ctx)
}

func (s *store) Close() error {
	s.closed.Store(true)
	return nil
}

// usable returns the error of what need not begin.
func (s *store) usable(ctx context.Context) error {
	if s.closed.Load() {
		return errClosed
	}
	return ctx.Err()
}

// conn is the connection of a worker.
type conn struct {
	store  *store
	closed bool
}

func (c *conn) Close() error {
	c.closed = true
	return nil
}

func (c *conn) usable(ctx context.Context) error {
	if c.closed {
		return errClosed
	}
	return c.store.usable(ctx)
}

func (c *conn) Read(ctx context.Context, table string, key []byte, fields []string, rec *ycsb.Record) error {
	if err := c.usable(ctx); err != nil {
		return err
	}
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	r, ok := c.store.rows[id{table, string(key)}]
	if !ok {
		return ycsb.ErrNotFound
	}
	for name, value := range r {
		if len(fields) == 0 || slices.Contains(fields, name) {
			rec.Append(name, value)
		}
	}
	return nil
}

func (c *conn) Insert(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	return c.write(ctx, func(rows map[id]row) error {
		k := id{table, string(key)}
		if rows[k] != nil {
			return ycsb.ErrExists
		}
		rows[k] = make(row, rec.Len())
		return rows[k].set(rec)
	})
}

func (c *conn) Update(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	return c.write(ctx, func(rows map[id]row) error { return rows[id{table, string(key)}].set(rec) })
}

func (c *conn) Delete(ctx context.Context, table string, key []byte) error {
	return c.write(ctx, func(rows map[id]row) error {
		k := id{table, string(key)}
		if rows[k] == nil {
			return ycsb.ErrNotFound
		}
		delete(rows, k)
		return nil
	})
}

// write calls f with the rows while nobody else uses them.
func (c *conn) write(ctx context.Context, f func(rows map[id]row) error) error {
	if err := c.usable(ctx); err != nil {
		return err
	}
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	return f(c.store.rows)
}

// set takes over fields of a record, whose memory is used again.
func (r row) set(rec *ycsb.Record) error {
	if r == nil {
		return ycsb.ErrNotFound
	}
	for name, value := range rec.All() {
		r[name] = slices.Clone(value)
	}
	return nil
}
