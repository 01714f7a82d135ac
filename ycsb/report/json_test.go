package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// full returns a result in which nothing is empty.
func full() *ycsb.Result {
	r := scheduled()
	r.Settings["label"], r.Rows, r.Retries, r.Abandoned, r.Dropped = "a<b>&\u2028", 1<<40, 2, 3, 4
	r.Database = ycsb.Info{
		Product: "P", Version: "1", Engine: "E", Durability: "D", Topology: "T",
		Settings: map[string]string{"k": "v"},
	}
	r.Runtime = []ycsb.RuntimeSample{{Offset: time.Second, Heap: 1 << 24, Goroutines: 3, LoadAvg: 0.5, GCs: 1, GCPause: us}}
	r.Ops = append(r.Ops, failing(nil).Ops...)
	r.Ops = append(r.Ops, ok("HOUR", hist(1<<40, time.Hour)))
	for i := range 3 {
		at := time.Duration(i) * time.Second
		r.Intervals = append(r.Intervals, ycsb.IntervalResult{
			Offset: at, Length: time.Second, Steps: int64(i), Ops: []ycsb.OpResult{ok("READ", spread(10, at+1))},
		})
	}
	return r
}

// equal compares results by their members, and histograms by what they hold.
func equal(a, b *ycsb.Result) bool {
	if len(a.Ops) != len(b.Ops) || len(a.Intervals) != len(b.Intervals) || !a.Lateness.Equal(b.Lateness) {
		return false
	}
	same := slices.EqualFunc(a.Ops, b.Ops, equalOps)
	for i := range a.Intervals {
		same = same && slices.EqualFunc(a.Intervals[i].Ops, b.Intervals[i].Ops, equalOps)
	}
	plain := func(r *ycsb.Result) ycsb.Result {
		c := *r
		c.Ops, c.Lateness, c.Intervals = nil, nil, slices.Clone(r.Intervals)
		for i := range c.Intervals {
			c.Intervals[i].Ops = nil
		}
		return c
	}
	return same && reflect.DeepEqual(plain(a), plain(b))
}

func equalOps(a, b ycsb.OpResult) bool {
	return a.Name == b.Name && slices.Equal(a.Errors, b.Errors) &&
		slices.EqualFunc(a.Outcomes, b.Outcomes, func(a, b ycsb.Outcome) bool {
			return a.Name == b.Name && a.Count == b.Count && a.Service.Equal(b.Service) && a.Response.Equal(b.Response)
		})
}

func TestJSONRoundTrip(t *testing.T) {
	for _, results := range [][]*ycsb.Result{
		{},
		{result(nil, ok("READ", hist(1, 241_470_000)))},
		{full(), result(nil)},
	} {
		text := writeAll(t, JSON, results...)
		if !json.Valid([]byte(text)) {
			t.Fatalf("not one document:\n%s", text)
		}
		got, err := ReadJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(got, results, equal) {
			t.Errorf("%d results came back changed: %s", len(results), text)
		}
		for _, f := range []Writer{JSON, YCSB, YCSBJSON, Text} {
			if a, b := writeAll(t, f, results...), writeAll(t, f, got...); a != b {
				t.Errorf("a report of what came back is\n%s; want\n%s", b, a)
			}
		}
	}
}

func TestJSONIsOneDocument(t *testing.T) {
	for _, tt := range []struct {
		results []*ycsb.Result
		want    byte
	}{
		{nil, '['},
		{[]*ycsb.Result{result(nil)}, '{'},
		{[]*ycsb.Result{result(nil), result(nil)}, '['},
	} {
		text := writeAll(t, JSON, tt.results...)
		if text[0] != tt.want || !strings.HasSuffix(text, "\n") {
			t.Errorf("JSON of %d results = %s", len(tt.results), text)
		}
	}
	var doc struct {
		Version   json.Number
		Elapsed   json.Number `json:"elapsed_ns"`
		Sustained bool
	}
	if err := json.Unmarshal([]byte(writeAll(t, JSON, result(nil))), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Version != "1" || doc.Elapsed != "10000000000" || !doc.Sustained {
		t.Errorf("members %+v", doc)
	}
}

func TestReadJSONErrors(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", "unexpected end"},
		{"  \n", "unexpected end"},
		{"null", "version 0"},
		{"{}", "version 0"},
		{`{"version": 99}`, "version 99"},
		{`[{"version": 1}, {"version": 2}]`, "version 2"},
		{`[{"version": 1}, null]`, "result 2 is nil"},
		{`{"version": 1} {"version": 1}`, "after top-level value"},
		{`{"version": 1, "ops": [{"outcomes": [{"service": "!"}]}]}`, "histogram"},
		{`"text"`, "cannot unmarshal"},
		{`{"version": 1, "steps": 1.5}`, "steps"},
	} {
		got, err := ReadJSON(strings.NewReader(tt.in))
		if err == nil || !strings.HasPrefix(err.Error(), "report: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("ReadJSON(%s) = %v, %v; want an error with %q", tt.in, got, err, tt.want)
		}
	}
	broken := errors.New("broken")
	if _, err := ReadJSON(io.MultiReader(strings.NewReader("{"), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("ReadJSON of a broken reader: %v; want %v", err, broken)
	}
}

func FuzzReadJSON(f *testing.F) {
	small := result(nil, op("READ", outcome("OK", hist(3, 1), hist(3, 2)), outcome("ERROR", hist(1, 3), nil), outcome("X", hist(1, 4), nil)))
	small.Ops[0].Errors = []ycsb.ErrCount{{Message: "m", Count: 1}}
	for _, results := range [][]*ycsb.Result{nil, {small}, {result(nil), result(nil)}} {
		b, err := json.Marshal(results)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"version":1,"elapsed_ns":-5,"ops":[{"name":"\n","outcomes":[{"name":"","count":18446744073709551615}]}]}`))
	f.Add([]byte(`[{"version":1,"offered_per_s":1e308,"client":{"cpus":-1,"user_ns":9223372036854775807,"gc_pause_ns":-1}}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		results, err := ReadJSON(bytes.NewReader(data))
		if err != nil {
			return
		}
		first := writeAll(t, JSON, results...)
		again, err := ReadJSON(strings.NewReader(first))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, first)
		}
		if second := writeAll(t, JSON, again...); second != first {
			t.Fatalf("written again:\n%s; want\n%s", second, first)
		}
		for _, r := range results {
			r.Settings = nil
		}
		for line := range strings.Lines(writeAll(t, YCSB, results...)) {
			if m := javaLine.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m == nil && !strings.ContainsAny(line, "],") {
				t.Errorf("a parser of YCSB cannot read %q", line)
			}
		}
		if !json.Valid([]byte(writeAll(t, YCSBJSON, results...))) {
			t.Error("YCSBJSON is not JSON")
		}
		checkText(t, writeAll(t, Text, results...))
	})
}
