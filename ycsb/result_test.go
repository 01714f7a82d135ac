package ycsb_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

func TestHistogramOfOneSample(t *testing.T) {
	for _, d := range []time.Duration{0, 1, 241_470 * time.Microsecond, time.Hour, 1000 * time.Hour, 1<<63 - 1} {
		var h ycsb.Histogram
		h.Record(d)
		for name, got := range map[string]time.Duration{
			"Min": h.Min(), "p50": h.Quantile(.5), "p99": h.Quantile(.99), "Max": h.Max(), "Mean": h.Mean(),
		} {
			if !near(got, d) {
				t.Errorf("%s of %v = %v", name, d, got)
			}
		}
		if h.Count() != 1 {
			t.Errorf("Count of %v = %d; want 1", d, h.Count())
		}
	}
}

func TestEmptyHistogram(t *testing.T) {
	var none *ycsb.Histogram
	for name, h := range map[string]*ycsb.Histogram{"nil": none, "zero": new(ycsb.Histogram)} {
		if h.Count() != 0 || h.Min() != 0 || h.Max() != 0 || h.Mean() != 0 || h.Quantile(.5) != 0 {
			t.Errorf("%s is not all 0", name)
		}
		for range h.All() {
			t.Errorf("%s has buckets", name)
		}
	}
}

// TestHistogramMergeGrowsAndRoundTrips compares a histogram put together from parts, and read
// back from its text, with one that recorded everything.
func TestHistogramMergeGrowsAndRoundTrips(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var whole, sum ycsb.Histogram
	for range 50 {
		var part ycsb.Histogram
		for range 100 {
			d := time.Duration(r.Uint64N(1 << r.UintN(50)))
			whole.Record(d)
			part.Record(d)
		}
		sum.Merge(&part)
	}
	text, err := sum.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	var back ycsb.Histogram
	if err := back.UnmarshalText(text); err != nil {
		t.Fatal(err)
	}
	for name, h := range map[string]*ycsb.Histogram{"merged": &sum, "read back": &back} {
		if !h.Equal(&whole) || h.Count() != 5000 || h.Mean() != whole.Mean() || h.Quantile(.99) != whole.Quantile(.99) {
			t.Errorf("the %s histogram differs", name)
		}
	}
	whole.Record(0)
	if sum.Equal(&whole) {
		t.Error("Equal does not tell different histograms apart")
	}
}

func TestHistogramRefusesNonsense(t *testing.T) {
	for _, text := range []string{"", "x", "HISTFAAAAA", "SElTVEZBQUFB"} {
		if err := new(ycsb.Histogram).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("UnmarshalText(%q): no error", text)
		}
	}
}

func FuzzHistogram(f *testing.F) {
	var h ycsb.Histogram
	h.Record(time.Second)
	text, _ := h.MarshalText()
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		var h, again ycsb.Histogram
		if h.UnmarshalText(text) != nil {
			return
		}
		back, err := h.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		if err := again.UnmarshalText(back); err != nil || again.Count() != h.Count() {
			t.Fatalf("%d latencies became %d, error %v", h.Count(), again.Count(), err)
		}
	})
}

// measured is a result with everything in it.
func measured(t *testing.T) *ycsb.Result {
	var res *ycsb.Result
	synctest.Test(t, func(t *testing.T) {
		var n atomic.Int64
		db := &fakeDB{do: func(ctx context.Context, _ string) error {
			i := n.Add(1)
			if i%10 == 0 {
				return fmt.Errorf("row %d of 'x': %w", i, ycsb.ErrConflict)
			}
			return wait(ctx, time.Duration(i%1000)*time.Microsecond)
		}}
		res = mustRun(t, db, reads, &ycsb.Options{
			Threads: 4, Target: 1000, Operations: 3000, Interval: time.Second, Seed: 42,
			Settings: map[string]string{"label": "x"},
		})
	})
	return res
}

func TestResultRoundTrips(t *testing.T) {
	res := measured(t)
	first, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	var back ycsb.Result
	if err := json.Unmarshal(first, &back); err != nil {
		t.Fatal(err)
	}
	second, err := json.Marshal(&back)
	if err != nil || string(first) != string(second) {
		t.Errorf("error %v; the JSON of what was read back differs:\n%s\n%s", err, first, second)
	}
	if !mustOp(t, &back, ycsb.OpRead).Outcome(ycsb.OutcomeOK).Response.Equal(mustOp(t, res, ycsb.OpRead).Outcome(ycsb.OutcomeOK).Response) {
		t.Error("a histogram differs")
	}
	if len(back.Intervals) != 3 {
		t.Errorf("%d intervals; want 3", len(back.Intervals))
	}
	var steps int64
	for i, iv := range back.Intervals {
		steps += iv.Steps
		if want := time.Duration(i) * time.Second; iv.Offset != want {
			t.Errorf("interval %d begins at %v; want %v", i, iv.Offset, want)
		}
	}
	if steps != 3000 {
		t.Errorf("the intervals have %d steps; want 3000", steps)
	}
	if err := json.Unmarshal([]byte(`{"version": 99}`), &back); err == nil {
		t.Error("version 99: no error")
	}
}

func TestErrorMessagesAreFolded(t *testing.T) {
	op := mustOp(t, measured(t), ycsb.OpRead)
	if len(op.Errors) != 1 || op.Errors[0].Message != "row N of '…': ycsb: conflict" || op.Errors[0].Count != 300 {
		t.Errorf("errors %v; want one message, 300 times", op.Errors)
	}
}

func TestErrorMessagesAreBounded(t *testing.T) {
	n := 0
	db := &fakeDB{do: func(context.Context, string) error {
		n++
		return errors.New("error " + strings.Repeat("x", n%200))
	}}
	res := mustRun(t, db, reads, &ycsb.Options{Operations: 1000})
	op := mustOp(t, res, ycsb.OpRead)
	var sum uint64
	for _, e := range op.Errors {
		sum += e.Count
	}
	if len(op.Errors) > 64 || sum != 1000 {
		t.Errorf("%d messages, counted %d times; want at most 64, 1000", len(op.Errors), sum)
	}
}

func TestMerge(t *testing.T) {
	a, b := measured(t), measured(t)
	b.Settings["label"] = "y"
	want := mustOp(t, b, ycsb.OpRead)
	if err := a.Merge(b); err != nil {
		t.Fatal(err)
	}
	got := mustOp(t, a, ycsb.OpRead)
	if got.Count() != 6000 || a.Steps != 6000 || a.Failed != 600 || a.Offered != 2000 {
		t.Errorf("Count, Steps, Failed, Offered = %d, %d, %d, %v; want 6000, 6000, 600, 2000", got.Count(), a.Steps, a.Failed, a.Offered)
	}
	ok := got.Outcome(ycsb.OutcomeOK)
	if ok.Service.Count() != ok.Count || ok.Response.Count() != ok.Count {
		t.Errorf("%d operations, histograms of %d and %d", ok.Count, ok.Service.Count(), ok.Response.Count())
	}
	if got.Errors[0].Count != 600 {
		t.Errorf("error counted %d times; want 600", got.Errors[0].Count)
	}
	if _, there := a.Settings["label"]; there || a.Settings["target"] != "1000" {
		t.Errorf("settings %v; want those that agree", a.Settings)
	}
	if len(a.Intervals) != 3 || a.Intervals[0].Steps != 2000 {
		t.Errorf("intervals %v; want 3, of 2000 steps", a.Intervals)
	}
	if !reflect.DeepEqual(mustOp(t, b, ycsb.OpRead), want) {
		t.Error("Merge changed its argument")
	}
	if err := a.Merge(&ycsb.Result{Phase: "load", Version: ycsb.ResultVersion}); err == nil {
		t.Error("a load into a run: no error")
	}
}

func TestHooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log []string
		var ops atomic.Int64
		var phase *ycsb.Phase
		var during ycsb.Progress
		var seen int64
		o := &ycsb.Options{Threads: 2, Operations: 400, Interval: 1055 * time.Millisecond, Hooks: &ycsb.Hooks{
			Start: func(p *ycsb.Phase) { phase = p; log = append(log, "start "+p.Name) },
			Status: func(s ycsb.Status) {
				log = append(log, fmt.Sprintf("status %v %d/%d %v", s.Elapsed, s.Recent, s.Steps, s.Final))
				during = phase.Progress()
				for _, op := range s.Latest {
					seen += int64(op.Count())
				}
			},
			Op:  func(op string, d time.Duration, err error) { ops.Add(1) },
			End: func(res *ycsb.Result) { log = append(log, "end") },
		}}
		mustRun(t, taking(10*time.Millisecond), reads, o)
		want := "start run, status 1.055s 210/210 false, status 2s 190/400 true, end"
		if got := strings.Join(log, ", "); got != want {
			t.Errorf("hooks: %s; want %s", got, want)
		}
		if ops.Load() != 402 || seen != 402 { // with the two closings
			t.Errorf("Op called %d times, Status told of %d; want 402", ops.Load(), seen)
		}
		if during.Steps != 400 || phase.Total != 400 {
			t.Errorf("progress %+v of %d; want 400 of 400", during, phase.Total)
		}
	})
}

func TestClientUsage(t *testing.T) {
	res := measured(t)
	if res.Client.CPUs == 0 || res.Client.GoVersion == "" || res.Client.OS == "" {
		t.Errorf("client %+v; want it told", res.Client)
	}
}
