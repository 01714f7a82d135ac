// Package noop is a driver for a database that does nothing, successfully: what a benchmark of
// it measures is the engine and the workload alone. It is registered as "noop".
package noop

import (
	"context"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

func init() {
	ycsb.Register("noop", ycsb.DriverFunc(
		func(context.Context, *properties.Properties) (ycsb.DB, error) { return New(), nil }))
}

// DB is a database that does nothing.
type DB struct{}

var (
	_ ycsb.DB        = (*DB)(nil)
	_ ycsb.Truncater = (*DB)(nil)
	_ ycsb.Describer = (*DB)(nil)
	_ ycsb.Scanner   = (*conn)(nil)
	_ ycsb.Batcher   = (*conn)(nil)
)

// New returns a DB.
func New() *DB { return new(DB) }

// Conn returns a connection whose operations return nil at once. Reads and scans find no
// fields and no records.
func (*DB) Conn(context.Context, int) (ycsb.Conn, error) { return new(conn), nil }

// Truncate does nothing.
func (*DB) Truncate(context.Context, string) error { return nil }

// Describe names the driver.
func (*DB) Describe(context.Context) (ycsb.Info, error) { return ycsb.Info{Product: "noop"}, nil }

// Close does nothing.
func (*DB) Close() error { return nil }

type conn struct{}

func (*conn) Read(context.Context, string, []byte, []string, *ycsb.Record) error { return nil }
func (*conn) Insert(context.Context, string, []byte, *ycsb.Record) error         { return nil }
func (*conn) Update(context.Context, string, []byte, *ycsb.Record) error         { return nil }
func (*conn) Delete(context.Context, string, []byte) error                       { return nil }

func (*conn) Scan(context.Context, string, []byte, int, []string, func([]byte, *ycsb.Record) error) error {
	return nil
}

func (*conn) Batch(_ context.Context, _ string, items []ycsb.BatchItem) error { return nil }
func (*conn) Close() error                                                    { return nil }
