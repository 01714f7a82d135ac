package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// The outputs of Java YCSB in testdata are compared with ours of results built from their
// figures.

// javaLine is a line as parsers of YCSB's output take it.
var javaLine = regexp.MustCompile(`^\[([^\]]+)\], ([^,]+), (-?[0-9]+(?:\.[0-9]+)?(?:E-?[0-9]+)?)$`)

// parseLines returns the figures of a report.
func parseLines(t *testing.T, text string) []measurement {
	t.Helper()
	var list []measurement
	for line := range strings.Lines(text) {
		m := javaLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			t.Errorf("a parser of YCSB cannot read %q", line)
			continue
		}
		list = append(list, measurement{m[1], m[2], m[3]})
	}
	return list
}

// notOurs matches metrics that are not looked at: of single garbage collectors, of the runtime
// (they have a test of their own), and
// those that BasicDB prints.
var notOurs = regexp.MustCompile(`_G1_|^(MAX|MIN)_|^(THREAD_COUNT|SYS_LOAD_AVG|GCS|GCS_TIME|USED_MEM_MB)$|^(READ|SCAN|UPDATE|INSERT|DELETE)S$`)

// javaOutput is an output of Java YCSB.
type javaOutput struct {
	settings map[string]string
	stdout   string
	status   []string
	lines    []measurement // of stdout that we have too
}

func readJava(t *testing.T, name string) javaOutput {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "output-"+name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	command, rest, _ := strings.Cut(string(data), "# ---- stdout\n")
	stdout, stderr, _ := strings.Cut(rest, "# ---- stderr\n")
	o := javaOutput{settings: make(map[string]string), stdout: stdout}
	words := strings.Fields(command)
	for i, w := range words {
		if w == "-p" {
			k, v, _ := strings.Cut(words[i+1], "=")
			o.settings[k] = v
		}
	}
	for line := range strings.Lines(stderr) {
		if strings.Contains(line, " operations; ") {
			o.status = append(o.status, strings.TrimSuffix(line, "\n"))
		}
	}
	for line := range strings.Lines(stdout) {
		if m := javaLine.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil && !notOurs.MatchString(m[1]) {
			o.lines = append(o.lines, measurement{m[1], m[2], m[3]})
		}
	}
	return o
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// figures are those of one series.
type figures struct {
	name     string
	n        int64
	min, max time.Duration
	at       []point // percentiles
	buckets  []point
	outcome  string // what Return tells, OK if there is none
}

type point struct {
	at    float64
	value time.Duration
}

// histogram returns latencies that have these figures.
func (f *figures) histogram() *ycsb.Histogram {
	h := new(ycsb.Histogram)
	for _, b := range f.buckets {
		h.RecordN(b.value+us/2, uint64(b.at))
	}
	if len(f.buckets) > 0 {
		return h
	}
	for rank := int64(1); rank <= f.n; rank++ {
		v := f.max
		for _, p := range slices.Backward(f.at) {
			if max(int64(p.at/100*float64(f.n)+.5), 1) >= rank {
				v = p.value
			}
		}
		if rank == 1 && f.n > 1 {
			v = f.min
		}
		h.Record(v + us/2)
	}
	return h
}

// figuresOf returns the figures of all series in the order of the lines.
func figuresOf(t *testing.T, lines []measurement) []*figures {
	t.Helper()
	var list []*figures
	for _, m := range lines {
		if m.metric == "OVERALL" || strings.HasPrefix(m.metric, "TOTAL_") {
			continue
		}
		if len(list) == 0 || list[len(list)-1].name != m.metric {
			list = append(list, &figures{name: m.metric, outcome: ycsb.OutcomeOK})
		}
		f := list[len(list)-1]
		v := number(t, m.value)
		d := time.Duration(v) * us
		switch {
		case m.name == "Operations":
			f.n = int64(v)
		case m.name == "MinLatency(us)":
			f.min = d
		case m.name == "MaxLatency(us)":
			f.max = d
		case strings.HasPrefix(m.name, "Return="):
			f.outcome = m.name[len("Return="):]
		case strings.HasSuffix(m.name, "PercentileLatency(us)"):
			p := strings.TrimSuffix(strings.TrimSuffix(m.name, "PercentileLatency(us)"), "th")
			f.at = append(f.at, point{number(t, p), d})
		case m.name != "AverageLatency(us)":
			f.buckets = append(f.buckets, point{v, time.Duration(number(t, m.name)) * us})
		}
	}
	return list
}

// resultOf returns a result with the figures of Java's lines.
func resultOf(t *testing.T, o javaOutput) *ycsb.Result {
	t.Helper()
	r := &ycsb.Result{Version: ycsb.ResultVersion, Phase: "run", Settings: o.settings}
	all := figuresOf(t, o.lines)
	for _, f := range all {
		if name, ok := strings.CutPrefix(f.name, "Intended-"); ok {
			i := slices.IndexFunc(r.Ops, func(x ycsb.OpResult) bool { return x.Name == name })
			r.Ops[i].Outcomes[0].Response = f.histogram()
			continue
		}
		oc := outcome(f.outcome, f.histogram(), nil)
		if o.settings["measurement.interval"] == "intended" {
			oc.Service, oc.Response = hist(oc.Count, 1), oc.Service
		}
		r.Ops = append(r.Ops, op(f.name, oc))
	}
	r.Elapsed = time.Duration(number(t, o.lines[0].value)) * ms
	r.Steps = int64(math.Round(number(t, o.lines[1].value) * r.Elapsed.Seconds()))
	return r
}

// near tells whether a latency in microseconds is as near to another as buckets of three
// digits allow.
func near(got, want float64) bool { return math.Abs(got-want) <= math.Floor(want/500) }

func TestYCSBLinesAreJavas(t *testing.T) {
	for _, name := range []string{
		"load-hdrhistogram", "run-hdrhistogram", "run-hdr-verbose", "run-interval-both", "run-interval-intended",
		"run-e-nulldb", "run-f-rmw", "run-dataintegrity", "run-basicdb-count", "run-basicdb-verbose", "run-status-label",
		"run-maxexecutiontime", "run-hdr-fileoutput",
	} {
		t.Run(name, func(t *testing.T) {
			o := readJava(t, name)
			var b bytes.Buffer
			if err := YCSB(&b, resultOf(t, o)); err != nil {
				t.Fatal(err)
			}
			text, integrity := strings.CutPrefix(b.String(), "Data integrity is enabled.\n")
			if want := strings.HasPrefix(o.stdout, "Data integrity is enabled.\n"); integrity != want {
				t.Errorf("tells of data integrity: %v; want %v", integrity, want)
			}
			compareLines(t, parseLines(t, text), o.lines)
		})
	}
}

// compareLines compares labels and figures, but not averages: the lines do not tell enough to
// make latencies that have them.
func compareLines(t *testing.T, got, want []measurement) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d lines; want %d:\n%v", len(got), len(want), got)
	}
	for i, g := range got {
		w := want[i]
		if g.metric != w.metric || g.name != w.name {
			t.Fatalf("line %d is [%s], %s; want [%s], %s", i+1, g.metric, g.name, w.metric, w.name)
		}
		switch {
		case strings.HasPrefix(w.name, "AverageLatency"):
		case w.name == "Throughput(ops/sec)":
			if g, w := number(t, g.value), number(t, w.value); math.Abs(g-w) > 1e-12*w {
				t.Errorf("throughput %v; want %v", g, w)
			}
		case strings.HasSuffix(w.name, "Latency(us)"):
			if !near(number(t, g.value), number(t, w.value)) {
				t.Errorf("[%s], %s is %s; want %s", g.metric, g.name, g.value, w.value)
			}
		case g.value != w.value:
			t.Errorf("[%s], %s is %s; want %s", g.metric, g.name, g.value, w.value)
		}
	}
}

func TestYCSBJSONIsJavas(t *testing.T) {
	for _, name := range []string{"run-exporter-json", "run-exporter-jsonarray"} {
		t.Run(name, func(t *testing.T) {
			type entry struct {
				Metric, Measurement string
				Value               json.Number
			}
			decode := func(data string) []measurement {
				var entries []entry
				if err := json.Unmarshal([]byte(data), &entries); err != nil {
					t.Fatal(err)
				}
				var list []measurement
				for _, e := range entries {
					list = append(list, measurement{e.Metric, e.Measurement, e.Value.String()})
				}
				return list
			}
			o := readJava(t, name)
			text := strings.TrimSpace(o.stdout)
			if !strings.HasPrefix(text, "[") {
				text = "[" + strings.ReplaceAll(text, "} {", "}, {") + "]"
			}
			o.lines = slices.DeleteFunc(decode(text), func(m measurement) bool { return notOurs.MatchString(m.metric) })

			var b bytes.Buffer
			if err := YCSBJSON(&b, resultOf(t, o)); err != nil {
				t.Fatal(err)
			}
			compareLines(t, decode(b.String()), o.lines)

			layout := regexp.MustCompile(`(?s)^\[ \{\n  "metric" : "OVERALL",\n  "measurement" : "RunTime\(ms\)",\n  "value" : [0-9]+\n\}, \{\n.*\n\} \]\n$`)
			if !layout.MatchString(b.String()) {
				t.Errorf("not Java's layout:\n%s", b.String())
			}
		})
	}
}

// TestHDRStats compares with figures that Java YCSB computes of the same latencies. It counts
// whole microseconds, we count nanoseconds: the buckets differ, each by up to a thousandth of
// a latency.
func TestHDRStats(t *testing.T) {
	sets := map[string]func(h *ycsb.Histogram){
		"0..9999": func(h *ycsb.Histogram) {
			for i := range 10000 {
				h.Record(time.Duration(i) * us)
			}
		},
		"i*i for i 0..9999": func(h *ycsb.Histogram) {
			for i := range 10000 {
				h.Record(time.Duration(i*i) * us)
			}
		},
		"single 12345":  func(h *ycsb.Histogram) { h.Record(12345 * us) },
		"all zero x100": func(h *ycsb.Histogram) { h.RecordN(0, 100) },
		"heavy tail: 990x100, 9x5000, 1x3000000": func(h *ycsb.Histogram) {
			h.RecordN(100*us, 990)
			h.RecordN(5000*us, 9)
			h.RecordN(3000000*us, 1)
		},
	}
	want := make(map[string]map[string]float64)
	file, err := os.Open("testdata/hdr-stats.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for sc := bufio.NewScanner(file); sc.Scan(); {
		cells := strings.Split(sc.Text(), "\t")
		if name, ok := strings.CutPrefix(cells[1], "H:"); ok {
			if want[cells[0]] == nil {
				want[cells[0]] = make(map[string]float64)
			}
			want[cells[0]][name] = number(t, cells[2])
		}
	}
	settings := map[string]string{"hdrhistogram.percentiles": "0,1,10,25,50,75,90,95,99,99.9,99.99,99.999,100"}
	for name, fill := range sets {
		t.Run(name, func(t *testing.T) {
			h := new(ycsb.Histogram)
			fill(h)
			s, err := readSettings(result(settings))
			if err != nil {
				t.Fatal(err)
			}
			got := make(map[string]float64)
			for _, m := range s.measurements(result(nil, ok("X", h))) {
				if m.metric == "X" && !strings.HasPrefix(m.name, "Return=") {
					got[m.name] = number(t, m.value)
				}
			}
			labels := slices.Sorted(maps.Keys(want[name]))
			if gotLabels := slices.Sorted(maps.Keys(got)); !slices.Equal(gotLabels, labels) {
				t.Fatalf("labels %q; want %q", gotLabels, labels)
			}
			for _, l := range labels {
				if w := want[name][l]; math.Abs(got[l]-w) > w/1000+1 {
					t.Errorf("%s = %v; want %v", l, got[l], w)
				}
			}
		})
	}
}

// TestStatusLinesAreJavas compares all but averages and estimates; these have tests of their
// own.
func TestStatusLinesAreJavas(t *testing.T) {
	for _, name := range []string{"run-status-label", "run-maxexecutiontime", "run-interval-both", "load-hdrhistogram"} {
		o := readJava(t, name)
		var total int64
		for _, want := range o.status {
			s, label := statusOf(t, want, total)
			total = s.Steps
			got := StatusLine(label, s, nil)
			want = emptySeries.ReplaceAllString(want, "")
			want = jvmSeries.ReplaceAllString(want, "")
			want = strings.Replace(want, "; ∞ current", "; 0 current", 1)
			want = estimate.ReplaceAllString(want, "")
			got = estimate.ReplaceAllString(got, "")
			compareText(t, average.ReplaceAllString(got, "Avg=#,"), average.ReplaceAllString(want, "Avg=#,"))
		}
	}
}

var (
	statusHead   = regexp.MustCompile(`^(.*)(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d:\d{3}) (\d+) sec: (\d+) operations; (\S+) current ops/sec; `)
	statusSeries = regexp.MustCompile(`\[([^:\]]+): Count=(\d+), Max=(\d+), Min=(\d+), Avg=([0-9.]+), 50=(\d+), 90=(\d+), 99=(\d+), 99.9=(\d+), 99.99=(\d+)\] `)
	emptySeries  = regexp.MustCompile(`\[[^:\]]+: Count=0,[^\]]*\] `)
	jvmSeries    = regexp.MustCompile(`\[(THREAD_COUNT|SYS_LOAD_AVG|GCS|GCS_TIME|USED_MEM_MB):[^\]]*\] `)
	average      = regexp.MustCompile(`Avg=[0-9.]+,`)
	estimate     = regexp.MustCompile(`est completion in [0-9a-z ]+ `)
	digits       = regexp.MustCompile(`[0-9]+`)
)

// statusOf returns a status of which Java would write the line.
func statusOf(t *testing.T, line string, before int64) (s ycsb.Status, label string) {
	t.Helper()
	m := statusHead.FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("not a status line: %q", line)
	}
	at, err := time.Parse("2006-01-02 15:04:05.000", m[2][:19]+"."+m[2][20:])
	if err != nil {
		t.Fatal(err)
	}
	s = ycsb.Status{
		Time: at, Elapsed: time.Duration(number(t, m[3])) * time.Second, Steps: int64(number(t, m[4])),
		Planned: 1 << 40,
	}
	s.Recent = s.Steps - before
	if m[5] != "∞" && s.Recent > 0 {
		s.Length = time.Duration(math.Round(float64(s.Recent)/number(t, m[5])*1e3)) * ms
	}
	for _, x := range statusSeries.FindAllStringSubmatch(line, -1) {
		if x[2] == "0" || jvmSeries.MatchString(x[0]) {
			continue
		}
		f := &figures{n: int64(number(t, x[2])), min: time.Duration(number(t, x[4])) * us, max: time.Duration(number(t, x[3])) * us}
		for i, p := range []float64{50, 90, 99, 99.9, 99.99} {
			f.at = append(f.at, point{p, time.Duration(number(t, x[6+i])) * us})
		}
		if name, ok := strings.CutPrefix(x[1], "Intended-"); ok {
			// A series of its own here: in Java's lines it may have more samples.
			s.Latest = append(s.Latest, op("Intended-"+name, outcome(ycsb.OutcomeOK, f.histogram(), nil)))
			continue
		}
		s.Latest = append(s.Latest, ok(x[1], f.histogram()))
	}
	return s, m[1]
}

// compareText compares texts whose whole numbers need only be near one another.
func compareText(t *testing.T, got, want string) {
	t.Helper()
	if g, w := digits.ReplaceAllString(got, "#"), digits.ReplaceAllString(want, "#"); g != w {
		t.Errorf("got  %q\nwant %q", got, want)
		return
	}
	g, w := digits.FindAllString(got, -1), digits.FindAllString(want, -1)
	for i := range g {
		if strings.TrimLeft(g[i], "0") != strings.TrimLeft(w[i], "0") && !near(number(t, g[i]), number(t, w[i])) {
			t.Errorf("%s is not near %s in\ngot  %q\nwant %q", g[i], w[i], got, want)
		}
	}
}
