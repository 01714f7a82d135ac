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
	ours := func(lines []measurement) map[string]bool {
		set := make(map[string]bool)
		for _, m := range lines {
			if isRuntime(m.metric) || strings.HasPrefix(m.metric, "MAX_") || strings.HasPrefix(m.metric, "MIN_") {
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

func TestRuntimeWithoutLoad(t *testing.T) {
	r := result(nil)
	r.Runtime = []ycsb.RuntimeSample{{LoadAvg: -1}}
	if got := writeAll(t, YCSB, r); strings.Contains(got, "LOAD_AVG") {
		t.Errorf("a load that is not known is told:\n%s", got)
	}
}

func TestStatusLineTellsOfTheRuntime(t *testing.T) {
	s := ycsb.Status{Runtime: &ycsb.RuntimeSample{Heap: 10 << 20, Goroutines: 4, LoadAvg: 9}}
	want := "[THREAD_COUNT: Count=1, Max=4, Min=4, Avg=4, 50=4, 90=4, 99=4, 99.9=4, 99.99=4] "
	if got := StatusLine("", s, nil); !strings.Contains(got, want) {
		t.Errorf("status line %q; want %q in it", got, want)
	}
}
