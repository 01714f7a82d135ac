package memory_test

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/ycsbkit/ycsbkit/drivers/memory"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

const benchRows = 100_000

// benchmark calls do with keys of random rows, from one goroutine or from several.
func benchmark(b *testing.B, do func(c conn, key []byte, rec *ycsb.Record) error) {
	db := memory.New()
	fill(b, connect(b, db, 0), benchRows)
	loop := func(b *testing.B, worker int, next func() bool) {
		c, rng := connect(b, db, worker), rand.New(rand.NewPCG(1, uint64(worker)))
		var rec ycsb.Record
		setAll(&rec, 'x')
		buf := make([]byte, 0, 20)
		for next() {
			buf = key(buf, rng.IntN(benchRows))
			if err := do(c, buf, &rec); err != nil {
				b.Error(err)
				return
			}
		}
	}
	b.Run("one", func(b *testing.B) {
		b.ReportAllocs()
		loop(b, 0, b.Loop)
	})
	b.Run("parallel", func(b *testing.B) {
		b.ReportAllocs()
		var workers atomic.Int64
		b.RunParallel(func(pb *testing.PB) { loop(b, int(workers.Add(1)), pb.Next) })
	})
}

func BenchmarkRead(b *testing.B) {
	ctx := context.Background()
	benchmark(b, func(c conn, key []byte, rec *ycsb.Record) error {
		rec.Reset()
		return c.Read(ctx, table, key, nil, rec)
	})
}

func BenchmarkUpdate(b *testing.B) {
	ctx := context.Background()
	benchmark(b, func(c conn, key []byte, rec *ycsb.Record) error {
		return c.Update(ctx, table, key, rec)
	})
}

func BenchmarkScan100(b *testing.B) {
	ctx := context.Background()
	each := func([]byte, *ycsb.Record) error { return nil }
	benchmark(b, func(c conn, key []byte, _ *ycsb.Record) error {
		return c.Scan(ctx, table, key, 100, nil, each)
	})
}

// BenchmarkInsert inserts rows in a random order.
func BenchmarkInsert(b *testing.B) {
	var next atomic.Uint64
	insert := func(b *testing.B, db *memory.DB, more func() bool) {
		c := connect(b, db, 0)
		var rec ycsb.Record
		setAll(&rec, 'x')
		buf := make([]byte, 0, 20)
		for more() {
			buf = append(buf[:0], "user"...)
			for n := next.Add(1) * 0x9e3779b97f4a7c15; n > 0; n /= 10 { // all different
				buf = append(buf, '0'+byte(n%10))
			}
			if err := c.Insert(context.Background(), table, buf, &rec); err != nil {
				b.Error(err)
				return
			}
		}
	}
	b.Run("one", func(b *testing.B) {
		b.ReportAllocs()
		insert(b, memory.New(), b.Loop)
	})
	b.Run("parallel", func(b *testing.B) {
		b.ReportAllocs()
		db := memory.New()
		b.RunParallel(func(pb *testing.PB) { insert(b, db, pb.Next) })
	})
}
