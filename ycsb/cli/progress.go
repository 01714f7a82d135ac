package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

const (
	progressTime = 200 * time.Millisecond // between two looks at a phase
	defaultWidth = 80                     // columns of a terminal that does not tell
	barWidth     = 20
)

// terminalWidth returns the columns of w, 0 if it is no terminal.
func terminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
		return n
	}
	return defaultWidth
}

// progress is how far a phase is, as far as its line tells.
type progress struct {
	phase   string
	total   int64         // steps expected, 0 when unknown
	length  time.Duration // of the phase, 0 without a limit
	rate    float64       // steps a second lately
	current ycsb.Progress
}

// line returns the line of progress, at most width characters of it: how much is done, of how
// much, how fast, and how long it will take.
func (p *progress) line(width int) string {
	var parts []string
	done, known := p.share()
	switch {
	case p.current.Warmup:
		parts = append(parts, "warming up")
	case known:
		filled := int(done * barWidth)
		parts = append(parts, fmt.Sprintf("%3d%% [%s%s]", int(done*100),
			strings.Repeat("#", filled), strings.Repeat(".", barWidth-filled)))
	}
	count := strconv.FormatInt(p.current.Steps, 10)
	if p.total > 0 {
		count += "/" + strconv.FormatInt(p.total, 10)
	}
	parts = append(parts, count, fmt.Sprintf("%.0f/s", p.rate))
	if p.current.Failed > 0 {
		parts = append(parts, strconv.FormatInt(p.current.Failed, 10)+" failed")
	}
	if left, ok := p.left(); ok {
		parts = append(parts, brief(left)+" left")
	} else {
		parts = append(parts, brief(p.current.Elapsed))
	}
	line := p.phase + " " + strings.Join(parts, "  ")
	for utf8.RuneCountInString(line) > max(width, 0) {
		_, size := utf8.DecodeLastRuneInString(line)
		line = line[:len(line)-size]
	}
	return line
}

// share returns which part of the phase is done, by its steps or its time, whichever will end
// it first.
func (p *progress) share() (float64, bool) {
	var steps, length float64
	if p.total > 0 {
		steps = float64(p.current.Steps) / float64(p.total)
	}
	if p.length > 0 {
		length = float64(p.current.Elapsed) / float64(p.length)
	}
	return min(max(steps, length), 1), p.total > 0 || p.length > 0
}

// left returns how long the phase will take, if that can be told.
func (p *progress) left() (time.Duration, bool) {
	left := time.Duration(math.MaxInt64)
	if p.total > 0 && p.rate > 0 {
		if sec := float64(max(p.total-p.current.Steps, 0)) / p.rate; sec < left.Seconds() {
			left = time.Duration(sec * float64(time.Second))
		}
	}
	if p.length > 0 {
		left = min(left, max(p.length-p.current.Elapsed, 0))
	}
	return left, left < math.MaxInt64 && !p.current.Warmup
}

// brief returns a duration in its two greatest units: 1h02m, 3m04s, 5s.
func brief(d time.Duration) string {
	sec := int64(math.Ceil(d.Seconds()))
	switch {
	case sec >= 24*3600:
		return fmt.Sprintf("%dd%02dh", sec/(24*3600), sec/3600%24)
	case sec >= 3600:
		return fmt.Sprintf("%dh%02dm", sec/3600, sec/60%60)
	case sec >= 60:
		return fmt.Sprintf("%dm%02ds", sec/60, sec%60)
	}
	return fmt.Sprintf("%ds", sec)
}

// meter follows a phase and draws its progress.
type meter struct {
	c     *console
	width int // of the terminal
	stop  chan struct{}
	done  chan struct{}
}

// startMeter draws the progress of a phase on c until the meter is stopped.
func startMeter(c *console, width int, phase *ycsb.Phase) *meter {
	m := &meter{c: c, width: width, stop: make(chan struct{}), done: make(chan struct{})}
	p := progress{phase: phase.Name, total: phase.Total, length: phase.Options.Duration}
	go m.loop(phase, p)
	return m
}

func (m *meter) loop(phase *ycsb.Phase, p progress) {
	defer close(m.done)
	tick := time.NewTicker(progressTime)
	defer tick.Stop()
	for {
		select {
		case <-m.stop:
			m.c.progress("")
			return
		case <-tick.C:
			p.advance(phase.Progress())
			m.c.progress(p.line(m.width - 1))
		}
	}
}

// advance takes in how far the phase is now. The rate is a moving average over a few seconds.
func (p *progress) advance(now ycsb.Progress) {
	const memory = 3 // seconds
	if sec := (now.Elapsed - p.current.Elapsed).Seconds(); sec > 0 {
		rate := float64(now.Steps-p.current.Steps) / sec
		if p.current.Elapsed == 0 {
			p.rate = rate
		} else {
			p.rate += (rate - p.rate) * (1 - math.Exp(-sec/memory))
		}
	}
	p.current = now
}

// Stop removes the line of progress.
func (m *meter) Stop() {
	if m == nil {
		return
	}
	close(m.stop)
	<-m.done
}
