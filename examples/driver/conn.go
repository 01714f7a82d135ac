package main

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// conn is the connection of a worker.
type conn struct {
	*db
	closed bool
}

func (c *conn) Read(ctx context.Context, table string, key []byte, fields []string, rec *ycsb.Record) error {
	return c.do(ctx, table, key, func(_ string, r row, err error) error {
		for name, value := range r {
			if len(fields) == 0 || slices.Contains(fields, name) {
				rec.Append(name, value)
			}
		}
		return err
	})
}

func (c *conn) Insert(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	return c.do(ctx, table, key, func(file string, _ row, err error) error {
		switch {
		case err == nil:
			return ycsb.ErrExists
		case errors.Is(err, ycsb.ErrNotFound):
			return make(row).put(file, rec)
		}
		return err
	})
}

func (c *conn) Update(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	return c.do(ctx, table, key, func(file string, r row, err error) error {
		if err != nil {
			return err
		}
		return r.put(file, rec)
	})
}

func (c *conn) Delete(ctx context.Context, table string, key []byte) error {
	return c.do(ctx, table, key, func(file string, _ row, err error) error {
		if err != nil {
			return err
		}
		return os.Remove(file)
	})
}

// do calls f with what get returns, while no other worker reads or writes.
func (c *conn) do(ctx context.Context, table string, key []byte, f func(file string, r row, err error) error) error {
	if c.closed {
		return errClosed
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return f(c.get(ctx, table, key))
}

func (c *conn) Close() error {
	c.closed = true
	return nil
}
