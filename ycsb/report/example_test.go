package report_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
	"github.com/ycsbkit/ycsbkit/ycsb/report"
)

// exampleResult stands for what Run returns.
func exampleResult() *ycsb.Result {
	latencies := new(ycsb.Histogram)
	latencies.RecordN(100*time.Microsecond, 990)
	latencies.RecordN(2*time.Millisecond, 10)
	return &ycsb.Result{
		Version: ycsb.ResultVersion, Phase: "run", Workload: "core", Driver: "memory", Seed: 7, Sustained: true, Ended: ycsb.EndedOperations,
		Start: time.Date(2026, 11, 30, 11, 38, 45, 0, time.UTC), Elapsed: 2 * time.Second, Steps: 1000,
		Settings: map[string]string{"threadcount": "4"},
		Ops: []ycsb.OpResult{{
			Name:     ycsb.OpRead,
			Outcomes: []ycsb.Outcome{{Name: ycsb.OutcomeOK, Count: 1000, Service: latencies}},
		}},
	}
}

func ExampleText() {
	if err := report.Text(os.Stdout, exampleResult()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// phase       run, workload core, driver memory, 4 threads, seed 7
	// elapsed     2.00s from 2026-11-30 11:38:45 UTC, all operations were done
	// throughput  500/s that succeeded, 1000 operations in all, 0 failed
	//
	// operation    ok  per s   mean    p50    p95    p99   p99.9     max  failed
	// READ       1000    500  119µs  100µs  100µs  100µs  2.00ms  2.00ms       0
}

func ExampleYCSB() {
	r := exampleResult()
	r.Settings["hdrhistogram.percentiles"] = "50,99,99.9"
	if err := report.YCSB(os.Stdout, r); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [OVERALL], RunTime(ms), 2000
	// [OVERALL], Throughput(ops/sec), 500.0
	// [TOTAL_GCs], Count, 0
	// [TOTAL_GC_TIME], Time(ms), 0
	// [TOTAL_GC_TIME_%], Time(%), 0.0
	// [READ], Operations, 1000
	// [READ], AverageLatency(us), 119.004
	// [READ], MinLatency(us), 99
	// [READ], MaxLatency(us), 2000
	// [READ], 50thPercentileLatency(us), 100
	// [READ], 99thPercentileLatency(us), 100
	// [READ], 99.9PercentileLatency(us), 2000
	// [READ], Return=OK, 1000
}

func ExampleYCSBJSON() {
	r := exampleResult()
	r.Ops = nil
	if err := report.YCSBJSON(os.Stdout, r); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [ {
	//   "metric" : "OVERALL",
	//   "measurement" : "RunTime(ms)",
	//   "value" : 2000
	// }, {
	//   "metric" : "OVERALL",
	//   "measurement" : "Throughput(ops/sec)",
	//   "value" : 500.0
	// }, {
	//   "metric" : "TOTAL_GCs",
	//   "measurement" : "Count",
	//   "value" : 0
	// }, {
	//   "metric" : "TOTAL_GC_TIME",
	//   "measurement" : "Time(ms)",
	//   "value" : 0
	// }, {
	//   "metric" : "TOTAL_GC_TIME_%",
	//   "measurement" : "Time(%)",
	//   "value" : 0.0
	// } ]
}

func ExampleReadJSON() {
	var file bytes.Buffer
	if err := report.JSON(&file, exampleResult()); err != nil {
		fmt.Println(err)
	}
	results, err := report.ReadJSON(&file)
	if err != nil {
		fmt.Println(err)
	}
	read, _ := results[0].Op(ycsb.OpRead)
	fmt.Println(len(results), results[0].Phase, read.Count())
	// Output: 1 run 1000
}

func ExampleJSON() {
	var b strings.Builder
	if err := report.JSON(&b, exampleResult(), exampleResult()); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%.43s…\n", b.String())
	// Output:
	// [
	//   {
	//     "version": 1,
	//     "phase": "run",…
}

func ExampleLookup() {
	write, err := report.Lookup("site.ycsb.measurements.exporter.TextMeasurementsExporter")
	if err != nil {
		fmt.Println(err)
		return
	}
	r := exampleResult()
	r.Ops = nil
	if err := write(os.Stdout, r); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [OVERALL], RunTime(ms), 2000
	// [OVERALL], Throughput(ops/sec), 500.0
	// [TOTAL_GCs], Count, 0
	// [TOTAL_GC_TIME], Time(ms), 0
	// [TOTAL_GC_TIME_%], Time(%), 0.0
}

func ExampleFormats() {
	for _, name := range report.Formats() {
		fmt.Println(name)
	}
	// Output:
	// json
	// text
	// ycsb
	// ycsb-json
	// site.ycsb.measurements.exporter.JSONArrayMeasurementsExporter
	// site.ycsb.measurements.exporter.JSONMeasurementsExporter
	// site.ycsb.measurements.exporter.TextMeasurementsExporter
}

func ExampleStatusLine() {
	s := ycsb.Status{
		Time:    time.Date(2026, 11, 30, 11, 38, 45, 570e6, time.UTC),
		Elapsed: time.Second, Length: time.Second, Steps: 319, Recent: 316, Planned: 1000,
		Latest: exampleResult().Ops,
	}
	fmt.Printf("%q\n", report.StatusLine("exp1:", s, nil))
	// Output: "exp1:2026-11-30 11:38:45:570 1 sec: 319 operations; 316 current ops/sec; est completion in 3 second [READ: Count=1000, Max=2000, Min=99, Avg=119, 50=100, 90=100, 99=100, 99.9=2000, 99.99=2000] "
}

// A command decodes the Config with its other settings and hands it on in the Options, so that
// reports find it in the Result.
func ExampleConfig() {
	p := properties.New()
	p.Set("hdrhistogram.percentiles", "50,99.9")
	p.Set("measurement.interval", "both")
	var c report.Config
	if err := p.Decode(&c); err != nil {
		fmt.Println(err)
	}
	o := ycsb.Options{Settings: c.Settings()}
	fmt.Println(o.Settings["hdrhistogram.percentiles"], o.Settings["measurement.interval"])
	// Output: 50,99.9 both
}
