package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// StatusLine returns Java YCSB's status line, which ends in a blank and has no line feed. The
// label comes right before the time of day, which is that of s.Time in its own time zone. nil
// is the zero Config; which series appear depends on its Interval, EachError and
// TrackedErrors.
//
// Unlike Java's, the line tells no rate beyond all bounds but 0 for an interval without
// length, no series without a sample in the interval, and no estimate of when all will be done
// at the end of the phase or before the first operation.
func StatusLine(label string, s ycsb.Status, c *Config) string {
	if c == nil {
		c = new(Config)
	}
	b := []byte(label)
	b = s.Time.AppendFormat(b, "2006-01-02 15:04:05")
	b = fmt.Appendf(b, ":%03d %d sec: %d operations; ",
		s.Time.Nanosecond()/int(time.Millisecond), int64(s.Elapsed/time.Second), s.Steps)
	if s.Steps > 0 {
		b = append(b, javaDecimal(rate(float64(s.Recent), s.Length))...)
		b = append(b, " current ops/sec; "...)
	}
	if left, ok := remaining(s); ok {
		b = append(b, "est completion in "...)
		b = append(b, javaRemaining(left)...)
	}
	all := c.seriesOf(s.Latest)
	if s.Runtime != nil {
		all = slices.Concat(runtimeSeries(*s.Runtime), all)
	}
	for _, x := range all {
		if h := x.latency; h != nil {
			b = fmt.Appendf(b, "[%s: Count=%d, Max=%d, Min=%d, Avg=%s", x.name, x.count,
				h.Max().Microseconds(), h.Min().Microseconds(), javaDecimal(x.average()))
			for _, p := range []float64{50, 90, 99, 99.9, 99.99} {
				b = fmt.Appendf(b, ", %v=%d", p, percentile(h, p).Microseconds())
			}
			b = append(b, "] "...)
		}
	}
	return string(b)
}

// rate returns what n comes to in a second, 0 for an empty time.
func rate(n float64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return n / d.Seconds()
}

// remaining returns the seconds that the steps left will take at the rate so far.
func remaining(s ycsb.Status) (seconds int64, ok bool) {
	left := s.Planned - s.Steps
	if s.Final || left <= 0 || s.Steps <= 0 || s.Elapsed <= 0 {
		return 0, false
	}
	sec := math.Ceil(float64(left) / rate(float64(s.Steps), s.Elapsed))
	return int64(min(sec, 1<<53)), true
}

// javaRemaining returns seconds in Java YCSB's units: days and hours, hours and minutes, or
// seconds, of which those with one digit are called second.
func javaRemaining(seconds int64) string {
	const minute, hour, day = 60, 60 * 60, 24 * 60 * 60
	var b strings.Builder
	part := func(n int64, unit string) {
		if n > 0 {
			b.WriteString(strconv.FormatInt(n, 10) + " " + unit)
			if n > 1 {
				b.WriteByte('s')
			}
			b.WriteByte(' ')
		}
	}
	part(seconds/day, "day")
	part(seconds%day/hour, "hour")
	if seconds < day {
		part(seconds%hour/minute, "minute")
	}
	switch {
	case b.Len() > 0:
		return b.String()
	case seconds < 10:
		return strconv.FormatInt(seconds, 10) + " second "
	}
	return strconv.FormatInt(seconds, 10) + " seconds "
}
