package report

import (
	"math"
	"slices"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// runtimeFigures are what YCSB measures of the JVM, here of the Go runtime, as if they were
// latencies in microseconds.
var runtimeFigures = []struct {
	name string
	of   func(s ycsb.RuntimeSample) float64
}{
	{"THREAD_COUNT", threads},
	{"SYS_LOAD_AVG", load},
	{"GCS", func(s ycsb.RuntimeSample) float64 { return float64(s.GCs) }},
	{"USED_MEM_MB", megabytes},
	{"GCS_TIME", func(s ycsb.RuntimeSample) float64 { return float64(s.GCPause.Milliseconds()) }},
}

func threads(s ycsb.RuntimeSample) float64   { return float64(s.Goroutines) }
func load(s ycsb.RuntimeSample) float64      { return s.LoadAvg }
func megabytes(s ycsb.RuntimeSample) float64 { return float64(s.Heap >> 20) }

// runtimeSeries returns the samples as series. A load that is not known is left out.
func runtimeSeries(samples ...ycsb.RuntimeSample) []series {
	var list []series
	for _, f := range runtimeFigures {
		h, sum := new(ycsb.Histogram), 0.0
		for _, s := range samples {
			if v := math.Trunc(f.of(s)); v >= 0 {
				h.Record(time.Duration(v) * time.Microsecond)
				sum += v
			}
		}
		if n := h.Count(); n > 0 {
			list = append(list, series{name: f.name, count: n, latency: h, mean: sum / float64(n)})
		}
	}
	return list
}

// runtimeBounds returns the least and greatest of the samples, those of all if there are any.
func runtimeBounds(samples []ycsb.RuntimeSample) []measurement {
	if len(samples) == 0 {
		return nil
	}
	bounds := func(of func(ycsb.RuntimeSample) float64) (lo, hi float64) {
		values := make([]float64, len(samples))
		for i, s := range samples {
			values[i] = of(s)
		}
		return slices.Min(values), slices.Max(values)
	}
	minMem, maxMem := bounds(megabytes)
	minThreads, maxThreads := bounds(threads)
	list := []measurement{
		{"MAX_MEM_USED", "MBs", whole(int64(maxMem))},
		{"MIN_MEM_USED", "MBs", whole(int64(minMem))},
		{"MAX_THREADS", "Count", whole(int64(maxThreads))},
		{"MIN_THREADS", "Count", whole(int64(minThreads))},
	}
	if minLoad, maxLoad := bounds(load); minLoad >= 0 {
		list = append(list,
			measurement{"MAX_SYS_LOAD_AVG", "Load", javaDouble(maxLoad)},
			measurement{"MIN_SYS_LOAD_AVG", "Load", javaDouble(minLoad)})
	}
	return list
}
