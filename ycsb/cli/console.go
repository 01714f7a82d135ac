package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	consoleSize  = 1 << 20         // bytes that wait for a slow stderr; more are dropped
	consoleGrace = 2 * time.Second // that a stderr has to take the rest at the end
)

// console is stderr as a log of lines with, on a terminal, a line of progress below them. What
// is written to it is handed to a goroutine, so that nobody waits for a slow terminal: of
// lines that do not fit its buffer the number is told, and of progress only the latest counts.
// Its methods may be called concurrently, but flush and
// Close by one goroutine only. Each Write is one or more whole lines.
type console struct {
	w       io.Writer
	secrets secrets       // that no line shows
	done    chan struct{} // closed when everything was written

	mu struct {
		sync.Mutex
		lines    []byte
		dropped  int
		progress string
		changed  bool // progress is not what is shown
		closed   bool
		flushed  []chan struct{} // to be closed when all this was written
	}
	wake  chan struct{} // holds a token when there is something to do
	stuck bool          // stderr took too long once; of the goroutine that flushes and closes
}

// newConsole returns the console of w. The caller closes it.
func newConsole(w io.Writer, s secrets) *console {
	c := &console{w: w, secrets: s, done: make(chan struct{}), wake: make(chan struct{}, 1)}
	go c.loop()
	return c
}

// Write appends lines to the log. It never blocks and never fails.
func (c *console) Write(p []byte) (int, error) {
	n := len(p)
	if len(c.secrets) > 0 {
		p = []byte(c.secrets.hide(string(p)))
	}
	c.mu.Lock()
	if len(c.mu.lines)+len(p) > consoleSize {
		c.mu.dropped += bytes.Count(p, []byte("\n"))
	} else {
		c.mu.lines = append(c.mu.lines, p...)
	}
	c.mu.Unlock()
	c.notify()
	return n, nil
}

// linef appends a line to the log.
func (c *console) linef(format string, args ...any) {
	_, _ = fmt.Fprintf(c, format+"\n", args...)
}

// progress replaces the line of progress; "" removes it.
func (c *console) progress(line string) {
	c.mu.Lock()
	c.mu.changed = c.mu.changed || c.mu.progress != line
	c.mu.progress = line
	c.mu.Unlock()
	c.notify()
}

func (c *console) notify() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// flush waits until everything was written, unless stderr takes too long.
func (c *console) flush() {
	done := make(chan struct{})
	c.mu.Lock()
	c.mu.flushed = append(c.mu.flushed, done)
	c.mu.Unlock()
	c.wait(done)
}

// Close writes what is left, unless stderr takes too long.
func (c *console) Close() {
	c.progress("")
	c.mu.Lock()
	c.mu.closed = true
	c.mu.Unlock()
	c.wait(c.done)
}

// wait wakes the loop and waits for it. When that took too long once, there is no waiting again.
func (c *console) wait(done <-chan struct{}) {
	c.notify()
	if c.stuck {
		return
	}
	t := time.NewTimer(consoleGrace)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
		c.stuck = true
	}
}

// loop writes until the console is closed.
func (c *console) loop() {
	defer close(c.done)
	shown := 0 // characters of the line of progress on the terminal
	for range c.wake {
		c.mu.Lock()
		lines, dropped, progress, changed := c.mu.lines, c.mu.dropped, c.mu.progress, c.mu.changed
		closed, flushed := c.mu.closed, c.mu.flushed
		c.mu.lines, c.mu.dropped, c.mu.changed, c.mu.flushed = nil, 0, false, nil
		c.mu.Unlock()
		if dropped > 0 {
			lines = fmt.Appendf(lines, "%d lines were dropped: they came faster than they could be written\n", dropped)
		}
		if len(lines) > 0 || changed {
			_, _ = c.w.Write(frame(lines, progress, shown)) // nobody is left to tell of an error
			shown = utf8.RuneCountInString(progress)
		}
		for _, done := range flushed {
			close(done)
		}
		if closed {
			return
		}
	}
}

// frame returns what makes a terminal show lines and below them a line of progress, where one
// of so many characters was shown before.
func frame(lines []byte, progress string, shown int) []byte {
	var b []byte
	n := utf8.RuneCountInString(progress)
	if shown > 0 && (len(lines) > 0 || n == 0) {
		b = append(b, "\r"+strings.Repeat(" ", shown)+"\r"...)
		shown = 0
	}
	b = append(b, lines...)
	if n > 0 {
		b = append(b, "\r"+progress+strings.Repeat(" ", max(shown-n, 0))...)
	}
	return b
}
