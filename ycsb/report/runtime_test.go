package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// TestRuntimeLinesAreJavas compares the lines that measurement.trackjvm adds with those of Java,
// whose figures are of another machine.
func TestRuntimeLinesAreJavas(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "output-run-status-label.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, stdout, _ := strings.Cut(string(data), "# ---- stdout\n")
	stdout, _, _ = strings.Cut(stdout, "# ---- stderr\n")
	figures := make(map[string]bool)
	for _, f := range runtimeFigures {
		figures[f.name] = true
	}
	ours := func(lines []measurement) map[string]bool {
		set := make(map[string]bool)
		for _, m := range lines {
			if figures[m.metric] || strings.HasPrefix(m.metric, "MAX_") || strings.HasPrefix(m.metric, "MIN_") {
				set[m.metric+" "+m.name] = true
			}
		}
		return set
	}
	r := result(nil)
	r.Runtime = []ycsb.RuntimeSample{
		{Heap: 10 << 20, Goroutines: 2, LoadAvg: 9.5, GCs: 1, GCPause: 3 * ms},
		{Heap: 13<<20 + 5, Goroutines: 4, LoadAvg: 8.25},
	}
	var b bytes.Buffer
	if err := YCSB(&b, r); err != nil {
		t.Fatal(err)
	}
	got, want := ours(parseLines(t, b.String())), ours(parseLines(t, stdout))
	for label := range want {
		if !got[label] {
			t.Errorf("no line %s", label)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d labels; want %d", len(got), len(want))
	}
	for _, line := range []string{
		"[MAX_MEM_USED], MBs, 13", "[MIN_MEM_USED], MBs, 10", "[MAX_THREADS], Count, 4", "[MIN_SYS_LOAD_AVG], Load, 8.25",
		"[GCS], MaxLatency(us), 1", "[GCS_TIME], MaxLatency(us), 3", "[THREAD_COUNT], Operations, 2",
	} {
		if !strings.Contains(b.String(), line+"\n") {
			t.Errorf("no line %q in\n%s", line, b.String())
		}
	}
}

// TestRuntimeAverages has figures whose buckets in a histogram of nanoseconds are wider than
// they may be.
func TestRuntimeAverages(t *testing.T) {
	for _, tt := range []struct {
		threads []int
		want    string
	}{
		{[]int{0, 3, 3}, "2.0"},
		{[]int{5, 5, 4}, "4.666666666666667"},
		{[]int{3}, "3.0"},
		{[]int{100_000, 100_001}, "100000.5"},
		{[]int{0, 0}, "0.0"},
	} {
		r := result(map[string]string{"measurement.interval": "both"})
		for _, n := range tt.threads {
			r.Runtime = append(r.Runtime, ycsb.RuntimeSample{Goroutines: n, LoadAvg: 1.75, Heap: 7 << 20})
		}
		got := figuresIn(t, writeAll(t, YCSB, r))
		for name, want := range map[string]string{"THREAD_COUNT": tt.want, "SYS_LOAD_AVG": "1.0", "USED_MEM_MB": "7.0"} {
			if v := got[name+" AverageLatency(us)"]; v != want {
				t.Errorf("%s of %v: average %s; want %s", name, tt.threads, v, want)
			}
		}
	}
}

func TestRuntimeWithoutLoad(t *testing.T) {
	r := result(nil)
	r.Runtime = []ycsb.RuntimeSample{{LoadAvg: -1}}
	if got := writeAll(t, YCSB, r); strings.Contains(got, "LOAD_AVG") {
		t.Errorf("a load that is not known is told:\n%s", got)
	}
}

func TestStatusLineTellsOfTheRuntime(t *testing.T) {
	for threads, want := range map[int]string{
		4:    "[THREAD_COUNT: Count=1, Max=4, Min=4, Avg=4, 50=4, 90=4, 99=4, 99.9=4, 99.99=4] ",
		5000: ", Avg=5000, ",
	} {
		s := ycsb.Status{Runtime: &ycsb.RuntimeSample{Heap: 10 << 20, Goroutines: threads, LoadAvg: 9}}
		if got := StatusLine("", s, nil); !strings.Contains(got, want) {
			t.Errorf("status line %q; want %q in it", got, want)
		}
	}
}
