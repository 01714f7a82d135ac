package workloads_test

import (
	"testing"
	"time"

	_ "github.com/ycsbkit/ycsbkit/drivers/noop"
	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

// BenchmarkPacing sends 10,000 operations a second with 8 workers and reports how late they were
// sent and how many cores that took.
func BenchmarkPacing(b *testing.B) {
	ctx := b.Context()
	db, err := ycsb.Open(ctx, "noop", nil)
	if err != nil {
		b.Fatal(err)
	}
	c, err := workloads.Standard("c")
	if err != nil {
		b.Fatal(err)
	}
	w, err := workloads.NewCore(c)
	if err != nil {
		b.Fatal(err)
	}
	res, err := ycsb.Run(ctx, db, w, &ycsb.Options{Threads: 8, Target: 10_000, Operations: int64(b.N), Interval: time.Second})
	if err != nil {
		b.Fatal(err)
	}
	worst := 0.0
	for _, iv := range res.Intervals {
		if iv.Length == time.Second {
			worst = max(worst, float64(iv.Steps)/10_000-1, 1-float64(iv.Steps)/10_000)
		}
	}
	b.ReportMetric(100*worst, "%-off-a-second")
	b.ReportMetric(float64(res.Lateness.Quantile(.5).Nanoseconds())/1e3, "p50-late-µs")
	b.ReportMetric(float64(res.Lateness.Quantile(.99).Nanoseconds())/1e3, "p99-late-µs")
	b.ReportMetric((res.Client.User+res.Client.System).Seconds()/res.Elapsed.Seconds(), "cores")
}
