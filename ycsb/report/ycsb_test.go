package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// writeAll returns what a writer writes.
func writeAll(t *testing.T, f Writer, results ...*ycsb.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := f(&b, results...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// figuresIn returns the values of a YCSB report by metric and name.
func figuresIn(t *testing.T, text string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	for _, m := range parseLines(t, text) {
		all[m.metric+" "+m.name] = m.value
	}
	return all
}

func TestYCSBGolden(t *testing.T) {
	for name, settings := range map[string]map[string]string{
		"ycsb-failed":  nil,
		"ycsb-each":    {"reportlatencyforeacherror": "true", "latencytrackederrors": "ERROR"},
		"ycsb-tracked": {"latencytrackederrors": "TIMEOUT, CONFLICT", "measurement.interval": "both"},
		"ycsb-verbose": {"measurement.histogram.verbose": "true", "hdrhistogram.percentiles": "1,99.95"},
	} {
		golden(t, name, writeAll(t, YCSB, failing(settings)))
	}
	golden(t, "ycsb-intended", writeAll(t, YCSB, intended("intended")))
	golden(t, "ycsb-both", writeAll(t, YCSB, intended("both")))
	golden(t, "ycsb-json", writeAll(t, YCSBJSON, failing(nil), intended("op")))
}

// intended returns the result of a run with a schedule.
func intended(interval string) *ycsb.Result {
	r := scheduled()
	r.Settings["measurement.interval"] = interval
	r.Ops = append(r.Ops,
		op("VERIFY", outcome(ycsb.OutcomeOK, hist(99, 2*us), hist(99, 1*ms)), outcome(ycsb.OutcomeCorrupt, hist(1, 1*us), hist(1, 1*ms))),
		ok("SCAN-LATENCY-PER-RECORD", hist(5, 3*us)))
	return r
}

// 100 failures of 1 ms do not pull down the latency of 98 successes of 20 ms.
func TestFailuresAreNoLatencies(t *testing.T) {
	r := result(nil, op("READ", outcome(ycsb.OutcomeOK, hist(98, 20*ms), nil), outcome(ycsb.OutcomeError, hist(100, 1*ms), nil)))
	got := figuresIn(t, writeAll(t, YCSB, r))
	for name, want := range map[string]float64{
		"READ Operations": 98, "READ MinLatency(us)": 20000, "READ 50thPercentileLatency(us)": 20000,
		"READ Return=OK": 98, "READ Return=ERROR": 100,
		"READ-FAILED Operations": 100, "READ-FAILED MaxLatency(us)": 1000,
		"OVERALL Throughput(ops/sec)": 9.8,
	} {
		if v := number(t, got[name]); !near(v, want) {
			t.Errorf("%s = %v; want %v", name, v, want)
		}
	}
	if text := writeAll(t, Text, r); !strings.Contains(text, "READ       98   9.80  20.0ms  20.0ms") {
		t.Errorf("the table is of more than what succeeded:\n%s", text)
	}
}

// One sample is minimum, maximum and all percentiles, however long it took.
func TestSingleSample(t *testing.T) {
	for _, d := range []time.Duration{0, 1, 999, 1000, 241_470_000, time.Hour, 100 * time.Hour} {
		got := figuresIn(t, writeAll(t, YCSB, result(map[string]string{"hdrhistogram.percentiles": "0,50,99,100"}, ok("READ", hist(1, d)))))
		for _, name := range []string{
			"AverageLatency(us)", "MinLatency(us)", "MaxLatency(us)", "0thPercentileLatency(us)",
			"50thPercentileLatency(us)", "99thPercentileLatency(us)", "100thPercentileLatency(us)",
		} {
			v, want := number(t, got["READ "+name]), float64(d.Microseconds())
			if v < want-want/1000-1 || v > want+want/1000+1 {
				t.Errorf("%s of %v = %v", name, d, v)
			}
		}
	}
}

func TestPercentilesAreBetweenMinAndMax(t *testing.T) {
	settings := map[string]string{"hdrhistogram.percentiles": "0,0.1,1,50,99,99.999,100"}
	for _, h := range []*ycsb.Histogram{
		hist(1, 12345*us), hist(3, 1, 2), spread(1000, time.Second), hist(1, 0, time.Hour), hist(1000, 999*us, 1001*us),
	} {
		last := -1.0
		for _, m := range parseLines(t, writeAll(t, YCSB, result(settings, ok("X", h)))) {
			switch v := number(t, m.value); {
			case m.name == "MinLatency(us)":
				last = v
			case strings.HasSuffix(m.name, "PercentileLatency(us)"):
				if v < last || v > float64(h.Max().Microseconds()) {
					t.Errorf("%s = %v after %v, maximum %v", m.name, v, last, h.Max())
				}
				last = v
			}
		}
	}
}

func TestNoSamples(t *testing.T) {
	for _, r := range []*ycsb.Result{
		{},
		result(nil),
		result(nil, op("READ")),
		result(nil, op("READ", ycsb.Outcome{Name: "OK"})),
		result(map[string]string{"measurement.interval": "both"}, op("READ", ycsb.Outcome{Name: "OK", Service: new(ycsb.Histogram)})),
	} {
		r.Elapsed = 0
		text := writeAll(t, YCSB, r)
		for line := range figuresIn(t, text) {
			if strings.Contains(line, "Latency") || strings.HasPrefix(line, "READ Return=OK") && r.Ops[0].Count() > 0 {
				t.Errorf("figures of nothing:\n%s", text)
			}
		}
		for _, f := range []Writer{Text, YCSB, YCSBJSON} {
			if out := writeAll(t, f, r); strings.Contains(out, "NaN") || strings.Contains(out, "Inf") {
				t.Errorf("no numbers:\n%s", out)
			}
		}
	}
}

// TestMergedClients has the shares that are those of one client.
func TestMergedClients(t *testing.T) {
	for clients, want := range map[int]string{0: "24.0", 1: "24.0", 2: "12.0", 4: "6.0"} {
		r := result(nil, ok("READ", hist(1, 1*ms)))
		r.Clients, r.Client.GCPause = clients, 2400*ms
		if got := figuresIn(t, writeAll(t, YCSB, r))["TOTAL_GC_TIME_% Time(%)"]; got != want {
			t.Errorf("%d clients: %s %% of the time in collections; want %s", clients, got, want)
		}
		if text := writeAll(t, YCSBJSON, r); !strings.Contains(text, `"Time(%)",
  "value" : `+want+"\n") {
			t.Errorf("%d clients: no share of %s in\n%s", clients, want, text)
		}
		text := writeAll(t, Text, r)
		if percent := strings.TrimSuffix(want, ".0"); !strings.Contains(text, "paused the client for "+percent) {
			t.Errorf("%d clients: no share of %s in\n%s", clients, percent, text)
		}
		if told := strings.Contains(text, fmt.Sprintf("client      %d clients, host, ", clients)); told != (clients > 1) {
			t.Errorf("%d clients are told: %v; want %v\n%s", clients, told, clients > 1, text)
		}
	}
}

func TestSeveralResults(t *testing.T) {
	a, b := result(nil, ok("READ", hist(1, 1*ms))), result(map[string]string{"dataintegrity": "true"}, ok("UPDATE", hist(1, 2*ms)))
	if got, want := writeAll(t, YCSB, a, b), writeAll(t, YCSB, a)+writeAll(t, YCSB, b); got != want {
		t.Errorf("two reports are\n%s; want\n%s", got, want)
	}
	var entries []struct{ Metric string }
	if err := json.Unmarshal([]byte(writeAll(t, YCSBJSON, a, b)), &entries); err != nil {
		t.Fatal(err)
	}
	if entries[0].Metric != "OVERALL" || entries[len(entries)/2].Metric != "OVERALL" {
		t.Errorf("not one result after the other: %v", entries)
	}
	for name, want := range map[string]string{"text": "", "ycsb": "", "ycsb-json": "[ ]\n", "json": "[]\n"} {
		if got := writeAll(t, formats()[name]); got != want {
			t.Errorf("%s of no results = %q; want %q", name, got, want)
		}
	}
}

func TestNamesAreOneLine(t *testing.T) {
	r := result(nil, op("A\nB\t", outcome("X\nY", hist(1, 1), nil), outcome("OK", hist(1, 1), nil)))
	parseLines(t, writeAll(t, YCSB, r))
}

// limited fails after n bytes.
type limited struct{ n int }

var errFull = errors.New("full")

func (w *limited) Write(p []byte) (int, error) {
	if len(p) > w.n {
		n := w.n
		w.n = 0
		return n, errFull
	}
	w.n -= len(p)
	return len(p), nil
}

// lazy writes less than asked and does not say so.
type lazy struct{}

func (lazy) Write(p []byte) (int, error) { return len(p) - 1, nil }

func TestWriteErrors(t *testing.T) {
	// Without histograms, which take their time to encode.
	r := result(nil, op("READ", ycsb.Outcome{Name: "OK", Count: 3}, ycsb.Outcome{Name: "ERROR", Count: 4}))
	for name, f := range formats() {
		length := len(writeAll(t, f, r))
		for n := range length {
			if err := f(&limited{n}, r); !errors.Is(err, errFull) {
				t.Fatalf("%s: full after %d of %d bytes: %v; want %v", name, n, length, err, errFull)
			}
		}
		if err := f(&limited{length}, r); err != nil {
			t.Errorf("%s: room for all: %v", name, err)
		}
		if err := f(lazy{}, r); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: a short write: %v; want %v", name, err, io.ErrShortWrite)
		}
		if err := f(io.Discard, r, nil); err == nil || err.Error() != "report: result 2 is nil" {
			t.Errorf("%s: a nil result: %v", name, err)
		}
	}
}

func TestBadSettings(t *testing.T) {
	for _, tt := range []struct{ key, value string }{
		{"hdrhistogram.percentiles", "50,abc"},
		{"hdrhistogram.percentiles", "101"},
		{"hdrhistogram.percentiles", "-1"},
		{"hdrhistogram.percentiles", "NaN"},
		{"measurement.interval", "Op"},
		{"measurement.interval", "-1"},
		{"reportlatencyforeacherror", "yes"},
		{"latencytrackederrors", "NOPE"},
		{"latencytrackederrors", "ERROR,timeout"},
		{"measurement.histogram.verbose", "1"},
		{"dataintegrity", "on"},
	} {
		r := result(map[string]string{tt.key: tt.value}, ok("READ", hist(1, 1)))
		for _, f := range []Writer{YCSB, YCSBJSON} {
			w := new(bytes.Buffer)
			err := f(w, r)
			if !errors.Is(err, properties.ErrValue) || !strings.Contains(err.Error(), tt.key) {
				t.Errorf("%s=%s: error %v; want one that names it", tt.key, tt.value, err)
			}
			if w.Len() > 0 {
				t.Errorf("%s=%s: half a report was written", tt.key, tt.value)
			}
		}
	}
}

func TestConfig(t *testing.T) {
	for _, c := range []Config{
		{},
		{Percentiles: []float64{99.9}, Interval: IntervalBoth, EachError: true, Verbose: true},
		{Interval: IntervalIntended, TrackedErrors: []string{"TIMEOUT", "NOT_FOUND"}},
	} {
		s, err := readSettings(result(c.Settings()))
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Percentiles) == 0 {
			c.Percentiles = []float64{50, 95, 99}
		}
		if got, want := s.Settings(), c.Settings(); !maps.Equal(got, want) {
			t.Errorf("settings read back = %v; want %v", got, want)
		}
	}
	keys := slices.Sorted(maps.Keys(Config{Percentiles: []float64{50}, TrackedErrors: []string{"X"}}.Settings()))
	want := []string{
		"hdrhistogram.percentiles", "latencytrackederrors", "measurement.histogram.verbose",
		"measurement.interval", "reportlatencyforeacherror",
	}
	if !slices.Equal(keys, want) {
		t.Errorf("keys %q; want %q", keys, want)
	}
}

// TestTrackedErrors has all outcomes that there are here, and those that only Java YCSB has.
func TestTrackedErrors(t *testing.T) {
	for _, name := range []string{
		ycsb.OutcomeOK, ycsb.OutcomeNotFound, ycsb.OutcomeExists, ycsb.OutcomeConflict, ycsb.OutcomeTimeout, ycsb.OutcomeCorrupt,
		ycsb.OutcomeUnavailable, ycsb.OutcomeUnsupported, ycsb.OutcomeCancelled, ycsb.OutcomeError,
		"BAD_REQUEST", "FORBIDDEN", "BATCHED_OK", "CLIENT_ERROR",
	} {
		p := properties.New()
		p.Set("latencytrackederrors", "ERROR, "+name)
		var c Config
		if err := p.Decode(&c); err != nil || !slices.Contains(c.TrackedErrors, name) {
			t.Errorf("latencytrackederrors=%s is %v, error %v", name, c.TrackedErrors, err)
		}
	}
}

func TestInterval(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want Interval
	}{
		{"op", IntervalOp},
		{" intended ", IntervalIntended},
		{"both", IntervalBoth},
		{"10", IntervalOp},
		{"1 ", IntervalOp},
	} {
		i := Interval(9)
		if err := i.UnmarshalText([]byte(tt.in)); err != nil || i != tt.want {
			t.Errorf("UnmarshalText(%q) = %v, %v; want %v", tt.in, i, err, tt.want)
		}
	}
	for _, in := range []string{"", "Op", "0", "-1", "1.5"} {
		if err := new(Interval).UnmarshalText([]byte(in)); err == nil {
			t.Errorf("UnmarshalText(%q): no error", in)
		}
	}
	if text, err := Interval(9).MarshalText(); err == nil {
		t.Errorf("Interval(9).MarshalText = %q; want an error", text)
	}
}

func TestLookup(t *testing.T) {
	r := result(nil, ok("READ", hist(1, 1)))
	for name, like := range map[string]Writer{
		"text": Text, "ycsb": YCSB, "ycsb-json": YCSBJSON, "json": JSON,
		"site.ycsb.measurements.exporter.TextMeasurementsExporter":           YCSB,
		"site.ycsb.measurements.exporter.JSONMeasurementsExporter":           YCSBJSON,
		"site.ycsb.measurements.exporter.JSONArrayMeasurementsExporter":      YCSBJSON,
		"com.yahoo.ycsb.measurements.exporter.TextMeasurementsExporter":      YCSB,
		"com.yahoo.ycsb.measurements.exporter.JSONMeasurementsExporter":      YCSBJSON,
		"com.yahoo.ycsb.measurements.exporter.JSONArrayMeasurementsExporter": YCSBJSON,
	} {
		f, err := Lookup(name)
		if err != nil {
			t.Errorf("Lookup(%q): %v", name, err)
			continue
		}
		if writeAll(t, f, r) != writeAll(t, like, r) {
			t.Errorf("Lookup(%q) is another format", name)
		}
	}
	for _, name := range []string{"", "xml", "Text", "TextMeasurementsExporter", "org.TextMeasurementsExporter"} {
		_, err := Lookup(name)
		if err == nil {
			t.Fatalf("Lookup(%q) found a format", name)
		}
		for _, f := range Formats() {
			if !strings.Contains(err.Error(), f) {
				t.Errorf("Lookup(%q): %v does not tell of %s", name, err, f)
			}
		}
	}
	for _, name := range Formats() {
		if _, err := Lookup(name); err != nil {
			t.Error(err)
		}
	}
}
