package workloads_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	_ "github.com/ycsbkit/ycsbkit/drivers/noop"
	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

// BenchmarkFloor is what no engine can avoid: two readings of the monotonic clock, one random
// number and one record in a histogram of three digits.
func BenchmarkFloor(b *testing.B) {
	base := time.Now()
	r := rand.New(rand.NewPCG(1, 2))
	h := hdrhistogram.New(1, int64(time.Hour), 3)
	var sum uint64
	b.ReportAllocs()
	for b.Loop() {
		start := time.Since(base)
		sum += r.Uint64()
		end := time.Since(base)
		if err := h.RecordValue(int64(end - start)); err != nil {
			b.Fatal(err)
		}
	}
	if sum == 1 {
		b.Log(sum)
	}
}

// BenchmarkEngine is the engine with the core workload on a database that does nothing. Beside
// BenchmarkFloor it tells what the engine costs.
func BenchmarkEngine(b *testing.B) {
	for _, name := range append(workloads.Standards(), "load") {
		for _, workers := range []int{1, 2, 16, 64} {
			b.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(b *testing.B) { benchmarkEngine(b, name, workers) })
		}
	}
}

func benchmarkEngine(b *testing.B, name string, workers int) {
	ctx := context.Background()
	db, err := ycsb.Open(ctx, "noop", nil)
	if err != nil {
		b.Fatal(err)
	}
	phase, standard := ycsb.Run, name
	if name == "load" {
		phase, standard = ycsb.Load, "a"
	}
	c, err := workloads.Standard(standard)
	if err != nil {
		b.Fatal(err)
	}
	c.RecordCount = 1_000_000 // many more than inserts: else E and D draw most requests again
	if name == "load" {
		c.RecordCount = int64(b.N)
	}
	w, err := workloads.NewCore(c)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	res, err := phase(ctx, db, w, &ycsb.Options{Threads: workers, Operations: int64(b.N), Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	if res.Steps != int64(b.N) || res.Failed != 0 {
		b.Fatalf("%d steps, %d failed; want %d, 0", res.Steps, res.Failed, b.N)
	}
}
