package cli

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

func TestProgressLine(t *testing.T) {
	const sec = time.Second
	for _, tt := range []struct {
		name  string
		p     progress
		width int
		want  string
	}{
		{
			"begin",
			progress{phase: "load", total: 1000},
			79,
			"load   0% [....................]  0/1000  0/s  0s",
		},
		{
			"half",
			progress{phase: "run", total: 1000, rate: 100, current: ycsb.Progress{Elapsed: 5 * sec, Steps: 500}},
			79,
			"run  50% [##########..........]  500/1000  100/s  5s left",
		},
		{
			"done",
			progress{phase: "run", total: 1000, rate: 100, current: ycsb.Progress{Elapsed: 10 * sec, Steps: 1000}},
			79,
			"run 100% [####################]  1000/1000  100/s  0s left",
		},
		{
			"beyond its end",
			progress{phase: "run", total: 1000, rate: 100, current: ycsb.Progress{Elapsed: 10 * sec, Steps: 1001}},
			79,
			"run 100% [####################]  1001/1000  100/s  0s left",
		},
		{
			"failures",
			progress{phase: "run", total: 4, rate: 1, current: ycsb.Progress{Elapsed: sec, Steps: 1, Failed: 1}},
			79,
			"run  25% [#####...............]  1/4  1/s  1 failed  3s left",
		},
		{
			"by time",
			progress{phase: "run", length: 100 * sec, rate: 12.6, current: ycsb.Progress{Elapsed: 25 * sec, Steps: 7}},
			79,
			"run  25% [#####...............]  7  13/s  1m15s left",
		},
		{
			"time before operations",
			progress{phase: "run", total: 1000, length: 10 * sec, rate: 10, current: ycsb.Progress{Elapsed: 9 * sec, Steps: 90}},
			79,
			"run  90% [##################..]  90/1000  10/s  1s left",
		},
		{
			"operations before time",
			progress{phase: "run", total: 100, length: 1000 * sec, rate: 10, current: ycsb.Progress{Elapsed: 9 * sec, Steps: 90}},
			79,
			"run  90% [##################..]  90/100  10/s  1s left",
		},
		{
			"no limit",
			progress{phase: "run", rate: 5, current: ycsb.Progress{Elapsed: 90 * sec, Steps: 450}},
			79,
			"run 450  5/s  1m30s",
		},
		{
			"warm-up",
			progress{phase: "run", total: 10, current: ycsb.Progress{Warmup: true}},
			79,
			"run warming up  0/10  0/s  0s",
		},
		{
			"stalled",
			progress{phase: "run", total: 10, current: ycsb.Progress{Elapsed: 60 * sec, Steps: 1}},
			79,
			"run  10% [##..................]  1/10  0/s  1m00s",
		},
		{
			"for ever",
			progress{phase: "run", total: 1 << 62, rate: 1e-9, current: ycsb.Progress{Elapsed: sec, Steps: 1}},
			79,
			"run   0% [....................]  1/4611686018427387904  0/s  1s",
		},
		{
			"narrow",
			progress{phase: "run", total: 1000, rate: 100, current: ycsb.Progress{Elapsed: 5 * sec, Steps: 500}},
			20,
			"run  50% [##########",
		},
		{"no room", progress{phase: "run"}, -1, ""},
	} {
		if got := tt.p.line(tt.width); got != tt.want {
			t.Errorf("%s: %q; want %q", tt.name, got, tt.want)
		}
	}
}

func TestBrief(t *testing.T) {
	for _, tt := range []struct {
		d    time.Duration
		want string
	}{
		{0, "0s"},
		{time.Millisecond, "1s"},
		{59 * time.Second, "59s"},
		{60 * time.Second, "1m00s"},
		{time.Hour - time.Millisecond, "1h00m"},
		{90 * time.Minute, "1h30m"},
		{49 * time.Hour, "2d01h"},
	} {
		if got := brief(tt.d); got != tt.want {
			t.Errorf("brief(%v) = %q; want %q", tt.d, got, tt.want)
		}
	}
}

// TestRate feeds a rate of 100/s, and then 200/s until the average has followed.
func TestRate(t *testing.T) {
	var p progress
	now := ycsb.Progress{}
	for range 10 {
		now.Elapsed, now.Steps = now.Elapsed+time.Second, now.Steps+100
		p.advance(now)
	}
	if p.rate < 99 || p.rate > 101 {
		t.Errorf("rate %v; want 100", p.rate)
	}
	for range 30 {
		now.Elapsed, now.Steps = now.Elapsed+time.Second, now.Steps+200
		p.advance(now)
	}
	if p.rate < 199 || p.rate > 201 {
		t.Errorf("rate %v; want 200", p.rate)
	}
	p.advance(now) // no time has passed
	if p.rate < 199 || p.rate > 201 {
		t.Errorf("rate %v; want 200", p.rate)
	}
}

func TestFrame(t *testing.T) {
	for _, tt := range []struct {
		lines, progress string
		shown           int
		want            string
	}{
		{"", "", 0, ""},
		{"a\n", "", 0, "a\n"},
		{"", "50%", 0, "\r50%"},
		{"", "51%", 3, "\r51%"},
		{"", "5%", 3, "\r5% "},
		{"a\n", "50%", 3, "\r   \ra\n\r50%"},
		{"", "", 3, "\r   \r"},
		{"a\n", "", 3, "\r   \ra\n"},
	} {
		if got := string(frame([]byte(tt.lines), tt.progress, tt.shown)); got != tt.want {
			t.Errorf("frame(%q, %q, %d) = %q; want %q", tt.lines, tt.progress, tt.shown, got, tt.want)
		}
	}
}

// screen is a terminal: what is written to it, and what it then shows.
type screen struct {
	sync.Mutex
	bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.Lock()
	defer s.Unlock()
	return s.Buffer.Write(p)
}

// shows returns the lines on the screen, blanks at their ends cut off.
func (s *screen) shows() []string {
	s.Lock()
	defer s.Unlock()
	var lines []string
	for line := range strings.SplitSeq(s.String(), "\n") {
		var cells []rune
		for part := range strings.SplitSeq(line, "\r") {
			r := []rune(part)
			if len(r) < len(cells) {
				r = append(r, cells[len(r):]...)
			}
			cells = r
		}
		lines = append(lines, strings.TrimRight(string(cells), " "))
	}
	return lines
}

// TestProgress watches a terminal during a run of ten seconds, with a line of the log in the
// middle, and after it.
func TestProgress(t *testing.T) {
	r, id := newRecorder(t)
	synctest.Test(t, func(t *testing.T) {
		s := new(settings)
		for _, prop := range []string{id, "recording.wait=100", "operationcount=100", "seed=1", "silence=false"} {
			key, value, _ := strings.Cut(prop, "=")
			s.set(key, value, "-p")
		}
		p, err := new(App).newPlan("run", []string{"recording"}, s)
		if err != nil {
			t.Fatal(err)
		}
		r.op = func(_ context.Context, _ string, n int64) error {
			if n < 100 {
				return nil
			}
			return ycsb.ErrConflict
		}
		var term screen
		done := make(chan error)
		go func() { done <- p.execute(t.Context(), "ycsb", new(bytes.Buffer), &term, 80) }()
		time.Sleep(5050 * time.Millisecond)
		if got := term.shows(); !regexp.MustCompile(`^run  (49|50)% \[.*s left$`).MatchString(got[len(got)-1]) {
			t.Errorf("after 5 s the terminal shows %q", got)
		}
		if err := <-done; ExitCode(err) != 1 {
			t.Errorf("execute = %v; want an error with code 1", err)
		}
		got := term.shows()
		if got[len(got)-1] != "" {
			t.Errorf("at the end the terminal shows %q; want no line of progress", got)
		}
		for _, line := range got {
			if strings.Contains(line, "%") {
				t.Errorf("a line of progress stayed: %q", line)
			}
		}
	})
}

// TestConsoleDrops writes more than a blocked stderr can take.
func TestConsoleDrops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var term screen
		gate := make(chan struct{})
		c := newConsole(writerFunc(func(p []byte) (int, error) {
			<-gate
			return term.Write(p)
		}), nil)
		c.linef("the first one")
		synctest.Wait() // it is on its way
		line := strings.Repeat("x", 1023)
		for range 3 * consoleSize / 1024 {
			c.linef("%s", line)
		}
		close(gate)
		c.Close()
		got := term.String()
		if n := strings.Count(got, line); n != consoleSize/1024 {
			t.Errorf("%d lines were kept; want %d", n, consoleSize/1024)
		}
		if want := "\n2048 lines were dropped: they came faster than they could be written\n"; !strings.HasSuffix(got, want) {
			t.Errorf("the end is %q; want %q", got[len(got)-100:], want)
		}
	})
}
