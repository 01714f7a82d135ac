package report

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// checkText checks the form of a text, of any width.
func checkText(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasSuffix(line, " ") || strings.ContainsAny(line, "\t\r\x1b") {
			t.Errorf("trailing blanks, tabs or the like in %q", line)
		}
		if strings.Contains(line, "NaN") || strings.Contains(line, "Inf") {
			t.Errorf("no number in %q", line)
		}
	}
}

// checkWidth checks that no line is wider than it should be.
func checkWidth(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > textWidth {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// mixed returns a result of workload E with all there is to tell.
func mixed() *ycsb.Result {
	r := result(map[string]string{"threadcount": "16"},
		op("SCAN",
			outcome(ycsb.OutcomeOK, spread(9500, 3*ms), spread(9500, 30*ms)),
			outcome(ycsb.OutcomeTimeout, hist(12, time.Second), hist(12, 2*time.Second))),
		ok("SCAN-LATENCY-PER-RECORD", spread(9500, 100*us)),
		op("INSERT",
			outcome(ycsb.OutcomeOK, hist(500, 300), hist(500, 400)),
			outcome(ycsb.OutcomeExists, hist(3, 200), hist(3, 300))),
		ok("CLEANUP", hist(16, 3*ms)))
	r.Settings["label"] = "exp1"
	r.Driver = "mysql"
	r.Database = ycsb.Info{
		Product: "MariaDB", Version: "10.11.14", Engine: "InnoDB", Topology: "single node",
		Durability: "innodb_flush_log_at_trx_commit=1, sync_binlog=1, innodb_doublewrite=ON",
	}
	r.Client.User, r.Client.System, r.Client.GCPause = 15*time.Second, 4*time.Second, 250*ms
	r.Ended = ycsb.EndedInterrupted
	r.Offered, r.Sustained, r.Dropped, r.Abandoned, r.Retries, r.Rows = 2000, false, 9000, 2, 5, 1000000
	r.Lateness = hist(100, 700*us)
	for i := range 12 {
		r.Ops[0].Errors = append(r.Ops[0].Errors, ycsb.ErrCount{
			Message: fmt.Sprintf("kind %c: ", 'a'+i) + strings.Repeat("something went wrong and ", 4*(i%4)+1) + "that is it",
			Count:   uint64(120 - 10*i),
		})
	}
	return r
}

func TestTextGolden(t *testing.T) {
	for name, results := range map[string][]*ycsb.Result{
		"text-mixed":     {mixed()},
		"text-scheduled": {scheduled()},
		"text-failing":   {failing(nil)},
		"text-several":   {result(nil), result(nil, ok(strings.Repeat("long-", 25), hist(7, time.Hour)), ok("READ", hist(1, 1)))},
	} {
		text := writeAll(t, Text, results...)
		checkText(t, text)
		checkWidth(t, text)
		golden(t, name, text)
	}
}

func TestTextWidth(t *testing.T) {
	check := func(name string, n uint64, d time.Duration) {
		h := hist(n, d)
		r := result(nil, op(name, outcome(ycsb.OutcomeOK, h, h), outcome(name, h, nil)))
		r.Ops[0].Errors = []ycsb.ErrCount{{Message: strings.Repeat(name, 30), Count: n}}
		r.Driver, r.Database.Product = name, name
		text := writeAll(t, Text, r)
		checkText(t, text)
		checkWidth(t, text)
	}
	for _, name := range []string{
		"READ", "READ-MODIFY-WRITE", strings.Repeat("x", nameWidth), strings.Repeat("x", nameWidth+1),
		strings.Repeat("é", 100), strings.Repeat("ab ", 200), "tab\tand\nline",
	} {
		check(name, 9999999, 1234567)
	}
	for _, n := range []uint64{1, 1000, 9999999} {
		for _, d := range []time.Duration{0, 1, 999, 1500 * us, 999_999 * us, time.Hour, 99 * time.Hour} {
			check("SCAN-LATENCY-PER-RECORD", n, d)
		}
	}
	r := result(nil, ok("READ", hist(math.MaxUint32, math.MaxInt64/2)))
	r.Steps, r.Achieved, r.Offered = math.MaxInt64, 1e300, 1e-300
	checkText(t, writeAll(t, Text, r))
}

func TestTextSaysWhatIsWrong(t *testing.T) {
	const warnings = "read with care"
	for _, tt := range []struct {
		name   string
		change func(r *ycsb.Result)
		want   string
	}{
		{"schedule", func(r *ycsb.Result) { r.Sustained = false }, "offered 50/s, achieved 25/s: not sustained"},
		{"response", func(r *ycsb.Result) { r.Sustained = false }, "response times depend on how long"},
		{"error", func(r *ycsb.Result) { r.Ended = ycsb.EndedError }, "ended before its time"},
		{"interrupted", func(r *ycsb.Result) { r.Ended = ycsb.EndedInterrupted }, "ended before its time"},
		{"CPU", func(r *ycsb.Result) { r.Client.User = 7 * time.Second; r.Client.System = 500 * ms }, "used 94 % of its CPUs"},
		{"collection", func(r *ycsb.Result) { r.Client.GCPause = 48 * ms }, "paused the client for 1.20 % of the time"},
		{"lateness", func(r *ycsb.Result) { r.Lateness = hist(1, 200*ms) }, "late, by 200ms at p99"},
		{"dropped", func(r *ycsb.Result) { r.Dropped = 7 }, "dropped     7 operations"},
		{"abandoned", func(r *ycsb.Result) { r.Abandoned = 7 }, "abandoned   7 operations"},
		{"retries", func(r *ycsb.Result) { r.Retries = 7 }, "retries     7 operations"},
	} {
		r := scheduled()
		r.Sustained = true
		if text := writeAll(t, Text, r); strings.Contains(text, warnings) || strings.Contains(text, tt.want) {
			t.Fatalf("warned of nothing:\n%s", text)
		}
		tt.change(r)
		if text := strings.Join(strings.Fields(writeAll(t, Text, r)), " "); !strings.Contains(text, strings.Join(strings.Fields(tt.want), " ")) {
			t.Errorf("%s: no %q in\n%s", tt.name, tt.want, text)
		}
	}
}
