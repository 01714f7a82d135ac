package ycsb_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
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

func TestErrorsHaveAnExample(t *testing.T) {
	n := 0
	db := &fakeDB{do: func(context.Context, string) error {
		if n++; n%2 == 0 {
			return errors.New("refused")
		}
		return fmt.Errorf("error %d of key 'user%d'\nof two lines", 1000+n, n)
	}}
	a := mustRun(t, db, reads, &ycsb.Options{Operations: 10})
	want := []ycsb.ErrCount{
		{Message: "error N of key '…'; of two lines", Count: 5, Example: "error 1001 of key 'user1'; of two lines"},
		{Message: "refused", Count: 5},
	}
	if got := mustOp(t, a, ycsb.OpRead).Errors; !slices.Equal(got, want) {
		t.Errorf("errors %+v; want %+v", got, want)
	}
	for _, e := range a.Intervals[0].Ops[0].Errors {
		if e.Count != 5 || e.Example != "" {
			t.Errorf("error of an interval %+v; want 5 and no example", e)
		}
	}
	if err := a.Merge(mustRun(t, db, reads, &ycsb.Options{Operations: 10})); err != nil {
		t.Fatal(err)
	}
	if got := mustOp(t, a, ycsb.OpRead).Errors[0]; got.Count != 10 || got.Example != want[0].Example {
		t.Errorf("merged: %+v; want 10, %q", got, want[0].Example)
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
	if a.Clients != 2 {
		t.Errorf("Clients = %d; want 2", a.Clients)
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

func TestMergeSettings(t *testing.T) {
	for _, tt := range []struct{ key, a, b, want string }{
		{"label", "x", "x", "x"},
		{"label", "x", "y", ""},
		{"label", "x", "", ""},
		{"seed", "7", "7", "7"},
		{"threadcount", "3", "3", "6"},
		{"threadcount", "3", "5", "8"},
		{"threadcount", "3", "", ""},
		{"operationcount", "0", "0", "0"},
		{"operationcount", "1000", "0", ""}, // without a limit as a whole
		{"operationcount", "9007199254740993", "9007199254740992", "18014398509481985"},
		{"target", "0.1", "0.2", "0.3"},
		{"target", "999.5", "0.5", "1000"},
		{"target", "0", "10", ""},
		{"target", "fast", "fast", "fast"},
		{"target", "fast", "10", ""},
	} {
		settings := func(value string) map[string]string {
			if value == "" {
				return nil
			}
			return map[string]string{tt.key: value}
		}
		a, b := &ycsb.Result{Settings: settings(tt.a)}, &ycsb.Result{Settings: settings(tt.b)}
		if err := a.Merge(b); err != nil {
			t.Fatal(err)
		}
		if got := a.Settings[tt.key]; got != tt.want {
			t.Errorf("%s %q and %q merge to %q; want %q", tt.key, tt.a, tt.b, got, tt.want)
		}
	}
}

// timed returns a Result of a client that began at a second and whose intervals had one step for
// each second.
func timed(start int, lengths ...int) *ycsb.Result {
	r := &ycsb.Result{Start: time.Unix(int64(start), 0), Settings: map[string]string{"status.interval": "10"}}
	for _, n := range lengths {
		d := time.Duration(n) * time.Second
		h := new(ycsb.Histogram)
		h.RecordN(time.Millisecond, uint64(n))
		r.Intervals = append(r.Intervals, ycsb.IntervalResult{
			Offset: r.Elapsed, Length: d, Steps: int64(n),
			Ops: []ycsb.OpResult{{Name: ycsb.OpRead, Outcomes: []ycsb.Outcome{{Name: ycsb.OutcomeOK, Count: uint64(n), Service: h}}}},
		})
		r.Elapsed += d
		r.Steps += int64(n)
		r.Runtime = append(r.Runtime, ycsb.RuntimeSample{Offset: r.Elapsed, Goroutines: start})
	}
	return r
}

// spans tells of intervals where they begin, how long they are and how many steps they have.
func spans(list []ycsb.IntervalResult) string {
	var b strings.Builder
	for _, iv := range list {
		fmt.Fprintf(&b, "%v+%v:%d ", iv.Offset, iv.Length, iv.Steps)
	}
	return strings.TrimSpace(b.String())
}

func TestMergeByTime(t *testing.T) {
	for _, tt := range []struct {
		name string
		a, b *ycsb.Result
		want string
	}{
		{"the same time", timed(0, 10, 10, 3), timed(0, 10, 10, 5), "0s+10s:20 10s+10s:20 20s+5s:8"},
		{"an interval later", timed(0, 10, 10, 10), timed(10, 10, 10, 10), "0s+10s:10 10s+10s:20 20s+10s:20 30s+10s:10"},
		{"a bit later", timed(0, 10, 10), timed(4, 10, 10, 2), "0s+10s:20 10s+10s:20 20s+6s:2"},
		{"more than half an interval later", timed(0, 10, 10), timed(7, 10, 10), "0s+10s:10 10s+10s:20 20s+7s:10"},
		{"the first one ends within an interval", timed(0, 10, 5), timed(4, 10, 10, 10), "0s+10s:20 10s+10s:15 20s+10s:10"},
		{"one long interval", timed(0, 25, 5), timed(1, 10, 10, 10), "0s+25s:45 25s+6s:15"},
		{"one that lasts longer at the end", timed(0, 10, 3), timed(0, 10, 25), "0s+10s:20 10s+25s:28"},
		{"after the end", timed(0, 10, 10), timed(40, 10, 5), "0s+10s:10 10s+10s:10 40s+10s:10 50s+5s:5"},
		{"short ones", timed(0, 3), timed(1, 4), "0s+5s:7"},
		{"none", timed(0), timed(2, 10, 5), "2s+10s:10 12s+5s:5"},
	} {
		ab, ba := tt.a, tt.b
		a, b := *tt.a, *tt.b
		if err := errors.Join(ab.Merge(&b), ba.Merge(&a)); err != nil {
			t.Fatal(err)
		}
		for _, r := range []*ycsb.Result{ab, ba} {
			if got := spans(r.Intervals); got != tt.want {
				t.Errorf("%s: %s; want %s", tt.name, got, tt.want)
			}
			var steps, ops int64
			for _, iv := range r.Intervals {
				steps += iv.Steps
				for _, op := range iv.Ops {
					ops += int64(op.Outcome(ycsb.OutcomeOK).Service.Count())
				}
			}
			if steps != r.Steps || ops != r.Steps {
				t.Errorf("%s: %d steps, intervals of %d steps and %d operations", tt.name, r.Steps, steps, ops)
			}
			for _, s := range r.Runtime {
				if s.Offset > r.Elapsed || s.Offset < time.Duration(s.Goroutines)*time.Second {
					t.Errorf("%s: a sample of the client that began at %d s is at %v", tt.name, s.Goroutines, s.Offset)
				}
			}
		}
	}
}

func TestMergeRefusesOtherIntervals(t *testing.T) {
	fine := timed(0, 5, 5)
	fine.Settings["status.interval"] = "5"
	bare, bareFine := timed(0, 10, 10), timed(0, 5, 5, 5)
	bare.Settings, bareFine.Settings = nil, nil
	for _, tt := range []struct{ a, b *ycsb.Result }{{timed(0, 10, 10), fine}, {timed(0, 3), fine}, {bare, bareFine}} {
		before := spans(tt.a.Intervals)
		err := tt.a.Merge(tt.b)
		if err == nil || !strings.Contains(err.Error(), "10s and 5s") {
			t.Errorf("error %v; want one that tells both lengths", err)
		}
		if got := spans(tt.a.Intervals); got != before || tt.a.Clients != 0 {
			t.Errorf("the error came after a change: %s; want %s", got, before)
		}
	}
	short := timed(0, 3)
	short.Settings = nil
	if err := fine.Merge(short); err != nil {
		t.Errorf("one interval, shorter than the others: %v", err)
	}
}

func TestMergeClients(t *testing.T) {
	client := func(host string, cpus int) *ycsb.Result {
		return &ycsb.Result{Client: ycsb.ClientUsage{Host: host, CPUs: cpus, GCs: 1, GCPause: time.Second}}
	}
	merge := func(a *ycsb.Result, others ...*ycsb.Result) *ycsb.Result {
		for _, o := range others {
			if err := a.Merge(o); err != nil {
				t.Fatal(err)
			}
		}
		return a
	}
	for _, tt := range []struct {
		r       *ycsb.Result
		clients int
		host    string
		cpus    int
	}{
		{merge(client("a", 4), client("a", 2)), 2, "a", 4},
		{merge(client("", 4), client("", 4)), 2, "", 4},
		{merge(client("", 4), client("a", 2)), 2, "a", 6},
		{merge(client("a", 4), client("b", 2)), 2, "a,b", 6},
		{merge(client("a", 4), client("b", 2), client("a", 4), client("b", 8)), 4, "a,b", 12},
		{merge(merge(client("a", 4), client("b", 2)), merge(client("b", 2), client("c", 1))), 4, "a,b,c", 7},
		{merge(client("c", 4), merge(client("b", 2), client("a", 1))), 3, "c,b,a", 7},
	} {
		c := tt.r.Client
		if tt.r.Clients != tt.clients || c.Host != tt.host || c.CPUs != tt.cpus {
			t.Errorf("%d clients on %s with %d CPUs; want %d, %s, %d", tt.r.Clients, c.Host, c.CPUs, tt.clients, tt.host, tt.cpus)
		}
		if c.GCs != int64(tt.clients) || c.GCPause != time.Duration(tt.clients)*time.Second {
			t.Errorf("%d collections, %v; want one of a second for each of %d clients", c.GCs, c.GCPause, tt.clients)
		}
	}
}

// TestMergeResponses merges clients with and without a schedule.
func TestMergeResponses(t *testing.T) {
	client := func(latency time.Duration, scheduled bool, outcomes ...string) *ycsb.Result {
		op := ycsb.OpResult{Name: ycsb.OpRead}
		for _, name := range outcomes {
			oc := ycsb.Outcome{Name: name, Count: 10, Service: new(ycsb.Histogram)}
			oc.Service.RecordN(latency, 10)
			if scheduled {
				oc.Response = new(ycsb.Histogram)
				oc.Response.RecordN(2*latency, 10)
			}
			op.Outcomes = append(op.Outcomes, oc)
		}
		return &ycsb.Result{Ops: []ycsb.OpResult{op}, Intervals: []ycsb.IntervalResult{{Ops: []ycsb.OpResult{op}}}}
	}
	const ok, bad = ycsb.OutcomeOK, ycsb.OutcomeError
	for _, tt := range []struct {
		name     string
		a, b     *ycsb.Result
		max, bad time.Duration // of response times, 0 for none
	}{
		{"both", client(1000, true, ok), client(100, true, ok), 2000, 0},
		{"neither", client(1000, false, ok), client(100, false, ok), 0, 0},
		{"the first", client(100, true, ok), client(1000, false, ok), 1000, 0},
		{"the second", client(1000, false, ok), client(100, true, ok), 1000, 0},
		{"the first, and failures of the second", client(100, true, ok), client(1000, false, ok, bad), 1000, 0},
		{"the first, and its failures", client(100, true, ok, bad), client(1000, false, ok), 1000, 200},
	} {
		if err := tt.a.Merge(tt.b); err != nil {
			t.Fatal(err)
		}
		for _, ops := range [][]ycsb.OpResult{tt.a.Ops, tt.a.Intervals[0].Ops} {
			for name, want := range map[string]time.Duration{ok: tt.max, bad: tt.bad} {
				oc := ops[0].Outcome(name)
				if oc.Response.Max() != want || oc.Service.Count() != oc.Count || want > 0 && oc.Response.Count() != oc.Count {
					t.Errorf("%s: %d %s, %d service times, %d response times up to %v; want up to %v",
						tt.name, oc.Count, name, oc.Service.Count(), oc.Response.Count(), oc.Response.Max(), want)
				}
			}
		}
	}
}

// TestMergeLeavesItsArguments merges into a result again and again what must stay as it was.
func TestMergeLeavesItsArguments(t *testing.T) {
	text := func(r *ycsb.Result) string {
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	early, late := measured(t), measured(t)
	early.Start = early.Start.Add(-time.Second)
	early.Client.Host = "early"
	late.Intervals[0].Ops = append(late.Intervals[0].Ops, ycsb.OpResult{Name: "ELSE", Outcomes: slices.Clone(late.Ops[0].Outcomes)})
	want := []string{text(early), text(late)}
	sum := measured(t)
	sum.Ops, sum.Intervals = nil, nil
	for _, o := range []*ycsb.Result{early, late, early, late} {
		if err := sum.Merge(o); err != nil {
			t.Fatal(err)
		}
	}
	for _, ops := range [][]ycsb.OpResult{sum.Ops, sum.Intervals[0].Ops, sum.Intervals[1].Ops} {
		for _, op := range ops {
			for _, oc := range op.Outcomes {
				oc.Service.Record(time.Hour)
			}
			for i := range op.Errors {
				op.Errors[i].Message = "***"
			}
		}
	}
	for i, o := range []*ycsb.Result{early, late} {
		if got := text(o); got != want[i] {
			t.Errorf("argument %d changed:\n%s\n%s", i+1, got, want[i])
		}
	}
	var back ycsb.Result
	if err := json.Unmarshal([]byte(text(sum)), &back); err != nil || text(&back) != text(sum) || back.Clients != 5 {
		t.Errorf("error %v; read back:\n%s\n%s", err, text(&back), text(sum))
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
