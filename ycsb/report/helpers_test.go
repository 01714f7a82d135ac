package report

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with a golden file, or writes it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("differs from %s, which -update rewrites. Got:\n%s", file, got)
	}
}

const us, ms = time.Microsecond, time.Millisecond

// hist returns a histogram of n samples of each latency.
func hist(n uint64, latencies ...time.Duration) *ycsb.Histogram {
	h := new(ycsb.Histogram)
	for _, d := range latencies {
		h.RecordN(d, n)
	}
	return h
}

// spread returns a histogram of n latencies, evenly spread over (0, top].
func spread(n uint64, top time.Duration) *ycsb.Histogram {
	h := new(ycsb.Histogram)
	for i := uint64(1); i <= n; i++ {
		h.Record(time.Duration(float64(top) * float64(i) / float64(n)))
	}
	return h
}

// outcome returns an outcome; response may be nil.
func outcome(name string, service, response *ycsb.Histogram) ycsb.Outcome {
	return ycsb.Outcome{Name: name, Count: service.Count(), Service: service, Response: response}
}

func op(name string, outcomes ...ycsb.Outcome) ycsb.OpResult {
	return ycsb.OpResult{Name: name, Outcomes: outcomes}
}

// ok returns an operation of which all succeeded.
func ok(name string, service *ycsb.Histogram) ycsb.OpResult {
	return op(name, outcome(ycsb.OutcomeOK, service, nil))
}

// result returns a Result of a run of ten seconds.
func result(settings map[string]string, ops ...ycsb.OpResult) *ycsb.Result {
	r := &ycsb.Result{
		Version: ycsb.ResultVersion, Phase: "run", Driver: "memory", Workload: "core", Start: time.Date(2026, 11, 30, 11, 38, 45, 0, time.UTC),
		Elapsed: 10 * time.Second, Ended: ycsb.EndedOperations, Settings: settings, Seed: 42, Sustained: true,
		Client: ycsb.ClientUsage{
			Host: "host", OS: "linux", Arch: "amd64", CPUs: 2, GoVersion: "go1.26",
			User: 1200 * ms, System: 300 * ms, GCs: 12, GCPause: 1500 * us,
		},
		Ops: ops,
	}
	for _, o := range ops {
		if !aside(o.Name) {
			r.Steps += int64(o.Count())
			r.Failed += int64(o.Count() - o.Outcome(ycsb.OutcomeOK).Count)
		}
	}
	r.Achieved = float64(r.Steps) / r.Elapsed.Seconds()
	return r
}

// scheduled returns the result of a run in which one worker could not keep up: 50 operations a
// second are due, each takes 40 ms.
func scheduled() *ycsb.Result {
	service, resp := new(ycsb.Histogram), new(ycsb.Histogram)
	for i := range 100 {
		service.Record(40 * ms)
		resp.Record(40*ms + time.Duration(i)*20*ms)
	}
	r := result(map[string]string{"threadcount": "1"},
		op("READ", outcome(ycsb.OutcomeOK, service, resp)))
	r.Elapsed = 4 * time.Second
	r.Offered, r.Achieved, r.Sustained = 50, 25, false
	r.Lateness = hist(100, 60*us)
	return r
}

// failing returns the result of a run with failures of several kinds.
func failing(settings map[string]string) *ycsb.Result {
	read := op("READ",
		outcome(ycsb.OutcomeOK, hist(98, 20*ms), nil),
		outcome(ycsb.OutcomeNotFound, hist(60, 1*ms), nil),
		outcome(ycsb.OutcomeTimeout, hist(40, 3*ms), nil))
	read.Errors = []ycsb.ErrCount{{Message: "dial tcp: connection\n\trefused", Count: 40}}
	return result(settings, read,
		op("READ-MODIFY-WRITE", outcome(ycsb.OutcomeOK, hist(2, 2*ms), nil), outcome(ycsb.OutcomeConflict, hist(1, 1*ms), nil)),
		op("UPDATE", outcome(ycsb.OutcomeError, hist(7, 4*ms), nil)),
		ok("CLEANUP", hist(1, 5*us)))
}
