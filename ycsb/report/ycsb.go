package report

import (
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// YCSB writes results as Java YCSB's TextMeasurementsExporter does, so that what parses its
// output parses this: lines such as
//
//	[READ], 99thPercentileLatency(us), 1234
//
// Names and formats of numbers are Java's. Latencies are whole microseconds rounded down,
// except the average, and exact to a thousandth, as the histograms are. Where the same name
// stands for something else, or a line is missing:
//
//   - A series without a sample has no latencies; Java prints some of nothing. The figures of
//     single garbage collectors are left out; the time of garbage collection is that in which
//     it paused the program, and [TOTAL_GC_TIME_%] that of the mean client of a merged result.
//     Buckets of a verbose report are merged to microseconds.
//   - [READ] counts the reads that succeeded; the others are in [READ-FAILED], or in
//     [READ-NOT_FOUND] and so on, as the Config says. [VERIFY] counts all. The lines Return=…
//     count all outcomes and are missing where Java has none, READ-MODIFY-WRITE and CLEANUP,
//     unless something failed.
//   - Without a schedule a response time is the service time, as in Java without a target.
//   - What measurement.trackjvm adds is of the Go runtime: THREAD_COUNT counts goroutines,
//     sampled every status interval, and GCS and GCS_TIME what happened in it.
//   - [SCAN-LATENCY-PER-RECORD] is in microseconds, as it says; Java's is in nanoseconds.
func YCSB(w io.Writer, results ...*ycsb.Result) error {
	return each(w, results, func(b []byte, r *ycsb.Result) ([]byte, error) {
		s, err := readSettings(r)
		if err != nil {
			return b, err
		}
		if s.DataIntegrity {
			b = append(b, "Data integrity is enabled.\n"...)
		}
		for _, m := range s.measurements(r) {
			b = append(b, '[')
			b = append(b, m.metric...)
			b = append(b, "], "...)
			b = append(b, m.name...)
			b = append(b, ", "...)
			b = append(b, m.value...)
			b = append(b, '\n')
		}
		return b, nil
	})
}

// YCSBJSON writes what [YCSB] does as one JSON array of objects with the members metric,
// measurement and value, which is a number. Java's JSONArrayMeasurementsExporter writes the
// same; its JSONMeasurementsExporter writes the objects without an array. Those of several
// results follow one another; each begins with the metric OVERALL, measurement RunTime(ms).
func YCSBJSON(w io.Writer, results ...*ycsb.Result) error {
	if err := check(results); err != nil {
		return err
	}
	b := []byte("[ ")
	for _, r := range results {
		s, err := readSettings(r)
		if err != nil {
			return err
		}
		for _, m := range s.measurements(r) {
			if len(b) > len("[ ") {
				b = append(b, ", "...)
			}
			b = append(b, "{\n  \"metric\" : "...)
			b = append(b, quote(m.metric)...)
			b = append(b, ",\n  \"measurement\" : "...)
			b = append(b, quote(m.name)...)
			b = append(b, ",\n  \"value\" : "...)
			b = append(b, m.value...)
			b = append(b, "\n}"...)
		}
	}
	if len(results) > 0 {
		b = append(b, ' ')
	}
	return write(w, append(b, "]\n"...))
}

func quote(s string) []byte {
	b, err := json.Marshal(s)
	if err != nil {
		panic("report: " + err.Error()) // strings can be marshalled
	}
	return b
}

// measurement is one figure in YCSB's formats.
type measurement struct{ metric, name, value string }

// measurements returns all figures of a result.
func (c *Config) measurements(r *ycsb.Result) []measurement {
	list := []measurement{
		{"OVERALL", "RunTime(ms)", whole(r.Elapsed.Milliseconds())},
		{"OVERALL", "Throughput(ops/sec)", javaDouble(r.Throughput())},
		{"TOTAL_GCs", "Count", whole(r.Client.GCs)},
		{"TOTAL_GC_TIME", "Time(ms)", whole(r.Client.GCPause.Milliseconds())},
		{"TOTAL_GC_TIME_%", "Time(%)", javaDouble(100 * gcShare(r))},
	}
	list = append(list, runtimeBounds(r.Runtime)...)
	for _, s := range slices.Concat(runtimeSeries(r.Runtime...), c.seriesOf(r.Ops)) {
		list = c.appendSeries(list, &s)
	}
	return list
}

// appendSeries appends the figures of a series.
func (c *Config) appendSeries(list []measurement, s *series) []measurement {
	add := func(name, value string) { list = append(list, measurement{s.name, name, value}) }
	add("Operations", strconv.FormatUint(s.count, 10))
	if h := s.latency; h != nil {
		add("AverageLatency(us)", javaDouble(s.average()))
		add("MinLatency(us)", micros(h.Min()))
		add("MaxLatency(us)", micros(h.Max()))
		for _, p := range c.percentiles() {
			add(ordinal(p)+"PercentileLatency(us)", micros(percentile(h, p)))
		}
	}
	for _, oc := range s.returns {
		add("Return="+oneLine(oc.Name), strconv.FormatUint(oc.Count, 10))
	}
	if c.Verbose && s.latency != nil {
		at, n := int64(-1), uint64(0)
		flush := func() {
			if n > 0 {
				add(whole(at), javaDouble(float64(n)))
			}
		}
		for d, count := range s.latency.All() {
			if us := d.Microseconds(); us != at {
				flush()
				at, n = us, 0
			}
			n += count
		}
		flush()
	}
	return list
}

// share returns which part of all d is, 0 when there is no time.
func share(d, all time.Duration) float64 {
	if all <= 0 {
		return 0
	}
	return float64(d) / float64(all)
}

// gcShare returns which part of the time garbage collection paused the client, of merged ones
// the mean.
func gcShare(r *ycsb.Result) float64 {
	return share(r.Client.GCPause, r.Elapsed) / float64(max(r.Clients, 1))
}

func whole(n int64) string { return strconv.FormatInt(n, 10) }

func micros(d time.Duration) string { return whole(d.Microseconds()) }
