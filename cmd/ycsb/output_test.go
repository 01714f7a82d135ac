//go:build unix

package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Expressions of what Java YCSB prints, as parsers written for it have them.
var (
	resultLine = regexp.MustCompile(`^\[([^\]]+)\], ([^,]+), -?[0-9]+(?:\.[0-9]+)?(?:E-?[0-9]+)?$`)
	statusLine = regexp.MustCompile(`^(\S*?)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d:\d{3} \d+ sec: \d+ operations; ` +
		`(?:[0-9.]+(?:E\d+)?|∞) current ops/sec; (?:est completion in .+? )?` +
		`(?:\[[A-Za-z_-]+: Count=\d+, Max=\d+, Min=\d+, Avg=[0-9.]+, 50=\d+, 90=\d+, 99=\d+, 99\.9=\d+, 99\.99=\d+\] )*$`)
	statusSeries = regexp.MustCompile(`\[([A-Za-z_-]+): Count=`)
)

// ofCollectors are the lines of single garbage collectors, which Go has not.
const ofCollectors = "_G1_"

// labels returns what result lines begin with, the number left out.
func labels(t *testing.T, text string) []string {
	t.Helper()
	set := make(map[string]bool)
	for _, line := range lines(text, "[") {
		m := resultLine.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("a parser of YCSB cannot read %q", line)
			continue
		}
		if label := "[" + m[1] + "], " + m[2]; !strings.Contains(label, ofCollectors) {
			set[label] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// status returns the labels of status lines and the names of their series.
func status(t *testing.T, text string) (labels, series []string) {
	t.Helper()
	labelSet, seriesSet := make(map[string]bool), make(map[string]bool)
	for _, line := range lines(text, " operations; ") {
		m := statusLine.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("a parser of YCSB cannot read %q", line)
			continue
		}
		labelSet[m[1]] = true
		for _, s := range statusSeries.FindAllStringSubmatch(line, -1) {
			seriesSet[s[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(labelSet)), slices.Sorted(maps.Keys(seriesSet))
}

// java is an output of Java YCSB.
type java struct {
	args           []string // of ycsb
	stdout, stderr string
}

func readJava(t *testing.T, name string) java {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "ycsb", "report", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(data), "# ---- stdout\n")
	stdout, stderr, _ := strings.Cut(rest, "# ---- stderr\n")
	for line := range strings.Lines(stdout) {
		if !strings.HasPrefix(line, "[") { // of the workload, not of the report
			stdout = strings.Replace(stdout, line, "", 1)
		}
	}
	_, command, _ := strings.Cut(head, "# command: ycsb ")
	return java{strings.Fields(command), stdout, stderr}
}

// phases are our commands by the arguments of Java's client that ask for them.
var phases = map[string]string{"-load": "load", "-t": "run"}

// TestOutput gives the command the arguments that Java YCSB had, and compares the labels of what
// both print, on stdout and in status lines.
func TestOutput(t *testing.T) {
	for _, tt := range []struct {
		file string
		code int
	}{
		{"output-load-hdrhistogram.txt", 0},
		{"output-run-hdrhistogram.txt", 0},
		{"output-run-f-rmw.txt", 0},
		{"output-run-dataintegrity.txt", 1}, // the database returns nothing
		{"output-run-interval-both.txt", 0},
		{"output-run-interval-intended.txt", 0},
		{"output-run-status-label.txt", 0},
	} {
		t.Run(tt.file, func(t *testing.T) {
			want := readJava(t, tt.file)
			p, code := run(t, append([]string{phases[want.args[0]]}, want.args[1:]...)...)
			if code != tt.code {
				t.Errorf("%v: exit code %d; want %d\n%s", p.Args, code, tt.code, p.output())
			}
			compare(t, p, p.stdout.String(), want)
		})
	}
}

// compare compares the labels of a process with Java's.
func compare(t *testing.T, p *process, stdout string, want java) {
	t.Helper()
	if got, want := labels(t, stdout), labels(t, want.stdout); !slices.Equal(got, want) {
		t.Errorf("%v: labels\n%s\nwant\n%s", p.Args, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	gotLabels, gotSeries := status(t, p.stderr.String())
	wantLabels, wantSeries := status(t, want.stderr)
	if !slices.Equal(gotLabels, wantLabels) || !slices.Equal(gotSeries, wantSeries) {
		t.Errorf("%v: status lines begin with %q and tell of %q; want %q, %q",
			p.Args, gotLabels, gotSeries, wantLabels, wantSeries)
	}
}

// TestOutputOfScans compares the labels of workload E. Its scans have to find records, so the
// table is loaded before.
func TestOutputOfScans(t *testing.T) {
	want := readJava(t, "output-run-e-nulldb.txt")
	p := must(t, "bench", "memory", "-P", "workloads/workloade", "-format", "ycsb")
	compare(t, p, p.stdout.String(), want)
}
