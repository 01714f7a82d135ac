package pebble

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

const benchRows = 100_000

// fullRecord is a record of ten fields of 100 bytes.
func fullRecord() *ycsb.Record {
	rec := new(ycsb.Record)
	for i := range 10 {
		rec.Append("field"+strconv.Itoa(i), []byte(strings.Repeat(string(rune('a'+i)), 100)))
	}
	return rec
}

func benchKey(b []byte, n uint64) []byte { return strconv.AppendUint(append(b[:0], "user"...), n, 10) }

// fill inserts benchRows records and flushes them.
func fill(b *testing.B, d *DB) {
	b.Helper()
	c, rec, key := mustConn(b, d), fullRecord(), []byte(nil)
	for i := range uint64(benchRows) {
		key = benchKey(key, i)
		must(b, c.Insert(b.Context(), "t", key, rec))
	}
	must(b, d.Sync(b.Context()))
}

// operation does something to a random record.
type operation func(ctx context.Context, c *conn, key []byte, rec *ycsb.Record) error

// benchmark runs do from one worker and from 16.
func benchmark(b *testing.B, d *DB, do operation) {
	loop := func(b *testing.B, worker uint64, next func() bool) {
		ctx, c, rng, rec := context.Background(), mustConn(b, d), rand.New(rand.NewPCG(1, worker)), fullRecord()
		key := make([]byte, 0, 32)
		for next() {
			if err := do(ctx, c, benchKey(key, rng.Uint64N(benchRows)), rec); err != nil {
				b.Error(err)
				return
			}
		}
	}
	b.Run("workers=1", func(b *testing.B) {
		b.ReportAllocs()
		loop(b, 0, b.Loop)
	})
	b.Run("workers=16", func(b *testing.B) {
		b.ReportAllocs()
		b.SetParallelism(8) // times GOMAXPROCS, with two of them 16
		var workers atomic.Uint64
		b.RunParallel(func(pb *testing.PB) { loop(b, workers.Add(1), pb.Next) })
	})
}

func BenchmarkReads(b *testing.B) {
	d := mustOpen(b, Config{NoSync: true, CacheSize: 256 << 20})
	fill(b, d)
	read := func(fields ...string) operation {
		return func(ctx context.Context, c *conn, key []byte, rec *ycsb.Record) error {
			rec.Reset()
			return c.Read(ctx, "t", key, fields, rec)
		}
	}
	each := func([]byte, *ycsb.Record) error { return nil }
	b.Run("read", func(b *testing.B) { benchmark(b, d, read()) })
	b.Run("read one field", func(b *testing.B) { benchmark(b, d, read("field5")) })
	b.Run("scan 100", func(b *testing.B) {
		benchmark(b, d, func(ctx context.Context, c *conn, key []byte, _ *ycsb.Record) error {
			return c.Scan(ctx, "t", key, 100, nil, each)
		})
	})
}

func BenchmarkWrites(b *testing.B) {
	for _, nosync := range []bool{true, false} {
		b.Run("nosync="+strconv.FormatBool(nosync), func(b *testing.B) {
			d := mustOpen(b, Config{NoSync: true, CacheSize: 256 << 20})
			fill(b, d)
			d.write.Sync = !nosync
			one := record("field5", strings.Repeat("x", 100))
			hot := []byte("user1")
			var next atomic.Uint64 // of the keys inserted, which are all different
			b.Run("update", func(b *testing.B) {
				benchmark(b, d, func(ctx context.Context, c *conn, key []byte, _ *ycsb.Record) error {
					return c.Update(ctx, "t", key, one)
				})
			})
			b.Run("update of one key", func(b *testing.B) {
				benchmark(b, d, func(ctx context.Context, c *conn, _ []byte, _ *ycsb.Record) error {
					return c.Update(ctx, "t", hot, one)
				})
			})
			for _, upsert := range []bool{false, true} {
				b.Run("insert/upsert="+strconv.FormatBool(upsert), func(b *testing.B) {
					d.upsert = upsert
					benchmark(b, d, func(ctx context.Context, c *conn, key []byte, rec *ycsb.Record) error {
						return c.Insert(ctx, "t", benchKey(key, next.Add(1)*0x9e3779b97f4a7c15), rec)
					})
				})
			}
		})
	}
}
