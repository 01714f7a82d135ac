package mysql

import (
	"context"
	"fmt"
	"testing"

	"github.com/ycsbkit/ycsbkit/internal/servertest"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

const rows = 1000

func key(i int) []byte { return fmt.Appendf(nil, "user%09d", i) }

func full() *ycsb.Record {
	rec := new(ycsb.Record)
	for _, f := range schema(10, 100).Fields {
		rec.Append(f, make([]byte, 100))
	}
	return rec
}

// loaded returns a connection to a table with rows.
func loaded(b *testing.B, db ycsb.DB) ycsb.Conn {
	b.Helper()
	if err := db.(ycsb.Preparer).Prepare(b.Context(), schema(10, 100)); err != nil {
		b.Fatal(err)
	}
	conn, err := db.Conn(b.Context(), 0)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.Close() })
	items := make([]ycsb.BatchItem, 0, rows)
	for i := range rows {
		items = append(items, ycsb.BatchItem{Kind: ycsb.KindInsert, Key: key(i), Record: full()})
	}
	if err := conn.(ycsb.Batcher).Batch(b.Context(), table, items); err != nil {
		b.Fatal(err)
	}
	return conn
}

// own gives every call a context of its own, as with Options.Timeout.
func own(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, patient)
}

func shared(ctx context.Context) (context.Context, context.CancelFunc) { return ctx, func() {} }

// BenchmarkRead compares the watch of a phase's context and of one for each operation with what
// database/sql does about them.
func BenchmarkRead(b *testing.B) {
	c := configOf(b, servertest.MariaDB(b))
	watched := open(b, c)
	plain, err := New(handleOf(b, c), c)
	if err != nil {
		b.Fatal(err)
	}
	conns := map[ycsb.DB]ycsb.Conn{watched: loaded(b, watched)}
	if conns[plain], err = plain.Conn(b.Context(), 1); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conns[plain].Close() })
	for _, bb := range []struct {
		name string
		db   ycsb.DB
		ctx  func(context.Context) (context.Context, context.CancelFunc)
	}{
		{"ctx=shared/watch=true", watched, shared},
		{"ctx=shared/watch=false", plain, shared},
		{"ctx=own/watch=true", watched, own},
		{"ctx=own/watch=false", plain, own},
	} {
		b.Run(bb.name, func(b *testing.B) {
			phase, cancel := context.WithCancel(b.Context())
			defer cancel()
			var rec ycsb.Record
			k := key(0)
			b.ReportAllocs()
			for b.Loop() {
				ctx, done := bb.ctx(phase)
				rec.Reset()
				if err := conns[bb.db].Read(ctx, table, k, nil, &rec); err != nil {
					b.Fatal(err)
				}
				done()
			}
		})
	}
}

func benchmark(b *testing.B, op func(ctx context.Context, conn ycsb.Conn, i int) error) {
	conn := loaded(b, open(b, configOf(b, servertest.MariaDB(b))))
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if err := op(b.Context(), conn, i); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func BenchmarkUpdate(b *testing.B) {
	rec := record("value")
	benchmark(b, func(ctx context.Context, conn ycsb.Conn, i int) error {
		return conn.Update(ctx, table, key(i%rows), rec)
	})
}

func BenchmarkInsert(b *testing.B) {
	rec := full()
	benchmark(b, func(ctx context.Context, conn ycsb.Conn, i int) error {
		return conn.Insert(ctx, table, key(rows+i), rec)
	})
}

func BenchmarkScan(b *testing.B) {
	each := func([]byte, *ycsb.Record) error { return nil }
	benchmark(b, func(ctx context.Context, conn ycsb.Conn, i int) error {
		return conn.(ycsb.Scanner).Scan(ctx, table, key(i%(rows-100)), 100, nil, each)
	})
}

// BenchmarkBatch tells what a batch saves: its time is that of 50 items.
func BenchmarkBatch(b *testing.B) {
	const n = 50
	items := make([]ycsb.BatchItem, n)
	for i := range items {
		items[i].Record = new(ycsb.Record)
	}
	fill := func(kind ycsb.Kind, i int, rec *ycsb.Record) {
		for j := range items {
			items[j].Kind, items[j].Key = kind, key(i*n+j)
			if rec != nil {
				items[j].Record = rec
			} else {
				items[j].Record.Reset()
			}
		}
	}
	batch := func(ctx context.Context, conn ycsb.Conn) error {
		if err := conn.(ycsb.Batcher).Batch(ctx, table, items); err != nil {
			return err
		}
		return items[0].Err
	}
	b.Run("read", func(b *testing.B) {
		benchmark(b, func(ctx context.Context, conn ycsb.Conn, i int) error {
			fill(ycsb.KindRead, i%(rows/n), nil)
			return batch(ctx, conn)
		})
	})
	b.Run("update", func(b *testing.B) {
		rec := record("value")
		benchmark(b, func(ctx context.Context, conn ycsb.Conn, i int) error {
			fill(ycsb.KindUpdate, i%(rows/n), rec)
			return batch(ctx, conn)
		})
	})
	b.Run("insert", func(b *testing.B) {
		rec := full()
		benchmark(b, func(ctx context.Context, conn ycsb.Conn, i int) error {
			fill(ycsb.KindInsert, rows+i, rec)
			return batch(ctx, conn)
		})
	})
}
