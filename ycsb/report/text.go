package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// Text writes results for people to read: what ran, how fast it was, a table of latencies,
// failures, and warnings where figures are to be read with care. Lines have at most 100
// columns unless a count of the table has more than seven digits. The form changes as it gets
// better; programs should read JSON.
func Text(w io.Writer, results ...*ycsb.Result) error {
	return each(w, results, func(b []byte, r *ycsb.Result) ([]byte, error) {
		t := &text{b: b}
		if len(b) > 0 {
			t.b = append(t.b, '\n')
		}
		t.head(r)
		t.ops(r)
		t.failures(r)
		t.errors(r)
		t.warnings(r)
		return t.b, nil
	})
}

const (
	textWidth    = 100 // columns of a line
	headWidth    = 12  // of what goes before the values of the head
	nameWidth    = 24  // of an operation's name that shares its line with figures
	messageLen   = 300 // characters of an error message
	failureWidth = 43  // of an operation's name and outcome, likewise
	maxMessages  = 10
)

// text is a report in the making.
type text struct{ b []byte }

func (t *text) line(s string) {
	t.b = append(t.b, strings.TrimRight(s, " ")...)
	t.b = append(t.b, '\n')
}

// wrapped writes s after a first word of its own, on as many lines as it takes, all but the
// first one indented.
func (t *text) wrapped(first string, indent int, s string) {
	line := pad(first, indent)
	n := utf8.RuneCountInString(line)
	begin := true
	for _, word := range words(oneLine(s), textWidth-indent) {
		length := utf8.RuneCountInString(word)
		if !begin && n+1+length > textWidth {
			t.line(line)
			line, n, begin = strings.Repeat(" ", indent), indent, true
		}
		if !begin {
			line += " "
			n++
		}
		line += word
		n += length
		begin = false
	}
	t.line(line)
}

// words splits s at its blanks, and words that are too long for a line in pieces.
func words(s string, width int) []string {
	var list []string
	for _, word := range strings.Fields(s) {
		for r := []rune(word); len(r) > 0; r = r[min(width, len(r)):] {
			list = append(list, string(r[:min(width, len(r))]))
		}
	}
	return list
}

// field writes a line of the head, if there is a value.
func (t *text) field(name string, values ...string) {
	values = slices.DeleteFunc(values, func(s string) bool { return s == "" })
	if len(values) > 0 {
		t.wrapped(name, headWidth, strings.Join(values, ", "))
	}
}

// head tells what ran, on what, and how it went as a whole.
func (t *text) head(r *ycsb.Result) {
	t.field("phase", r.Phase, labelled("workload", r.Workload), labelled("driver", r.Driver),
		counted(r.Settings["threadcount"], "thread"), labelled("seed", strconv.FormatUint(r.Seed, 10)))
	t.field("label", r.Settings["label"])
	d := r.Database
	t.field("database", strings.TrimSpace(d.Product+" "+d.Version), d.Engine, d.Durability, d.Topology)
	c := r.Client
	if c.CPUs > 0 {
		several := ""
		if r.Clients > 1 {
			several = counted(strconv.Itoa(r.Clients), "client")
		}
		t.field("client", several, c.Host, c.OS+"/"+c.Arch, counted(strconv.Itoa(c.CPUs), "CPU"), c.GoVersion)
	}
	if cpu := c.User + c.System; cpu > 0 {
		t.field("", long(cpu)+" of CPU time", counted(whole(c.GCs), "garbage collection")+" paused "+short(c.GCPause))
	}
	t.field("elapsed", long(r.Elapsed)+" from "+r.Start.Format("2006-01-02 15:04:05 MST"), ending(r.Ended))
	t.field("throughput", perSecond(r.Throughput())+" that succeeded", counted(whole(r.Steps), "operation")+" in all",
		whole(r.Failed)+" failed")
	t.field("schedule", schedule(r))
	if r.Rows > 0 {
		t.field("rows", whole(r.Rows)+" in the table")
	}
	if r.Retries > 0 {
		t.field("retries", whole(r.Retries)+" operations failed and were tried again")
	}
	if r.Dropped > 0 {
		t.field("dropped", whole(r.Dropped)+" operations were due when no worker was free, and were not sent")
	}
	if r.Abandoned > 0 {
		t.field("abandoned", whole(r.Abandoned)+" operations did not come back")
	}
}

// labelled returns a value after its name, "" without one.
func labelled(name, value string) string {
	if value == "" {
		return ""
	}
	return name + " " + value
}

// counted returns a number of things, "" without one.
func counted(n, thing string) string {
	switch n {
	case "":
		return ""
	case "1":
		return n + " " + thing
	}
	return n + " " + thing + "s"
}

// ending says in words why a phase ended.
func ending(ended string) string {
	switch ended {
	case ycsb.EndedOperations:
		return "all operations were done"
	case ycsb.EndedDuration:
		return "the time was up"
	case ycsb.EndedDone:
		return "there was no more work"
	case ycsb.EndedInterrupted:
		return "interrupted"
	case ycsb.EndedError:
		return "ended by an error"
	}
	return ended
}

// schedule compares the rate that was asked for with the one there was; it is "" without a schedule.
func schedule(r *ycsb.Result) string {
	switch {
	case r.Offered == 0:
		return ""
	case r.Sustained:
		return fmt.Sprintf("offered %s, achieved %s: sustained", perSecond(r.Offered), perSecond(r.Achieved))
	}
	return fmt.Sprintf("offered %s, achieved %s: not sustained", perSecond(r.Offered), perSecond(r.Achieved))
}

// perSecond returns a rate with its unit.
func perSecond(v float64) string {
	s := significant(v)
	if strings.Contains(s, ".") && !strings.Contains(s, "e") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s + "/s"
}

// ops writes the table of operations.
func (t *text) ops(r *ycsb.Result) {
	t.line("")
	if len(r.Ops) == 0 {
		t.line("no operations were measured")
		return
	}
	table := newTable(nameWidth, "operation", "ok", "per s", "mean", "p50", "p95", "p99", "p99.9", "max", "failed")
	responses := false
	for _, o := range r.Ops {
		ok := o.Outcome(ycsb.OutcomeOK)
		row := []string{oneLine(o.Name), strconv.FormatUint(ok.Count, 10), significant(rate(float64(ok.Count), r.Elapsed))}
		row = append(row, latencies(ok.Service)...)
		table.add(append(row, strconv.FormatUint(o.Count()-ok.Count, 10))...)
		if ok.Response.Count() > 0 {
			responses = true
			row := append([]string{"  response time", "", ""}, latencies(ok.Response)...)
			table.add(append(row, "")...)
		}
	}
	t.table(table)
	if responses {
		t.wrapped("", 0, "Latencies are service times, from the call to its return, of operations that were ok; "+
			"response times count from when the operation was due.")
	}
}

// latencies returns mean, percentiles and maximum.
func latencies(h *ycsb.Histogram) []string {
	if h.Count() == 0 {
		return []string{"-", "-", "-", "-", "-", "-"}
	}
	cells := []string{short(h.Mean())}
	for _, p := range []float64{50, 95, 99, 99.9} {
		cells = append(cells, short(percentile(h, p)))
	}
	return append(cells, short(h.Max()))
}

// failures writes a table of the outcomes other than OK.
func (t *text) failures(r *ycsb.Result) {
	table := newTable(failureWidth, "not ok", "count", "mean", "p50", "p95", "p99", "p99.9", "max")
	for _, o := range r.Ops {
		for _, oc := range o.Outcomes {
			if oc.Name == ycsb.OutcomeOK || oc.Count == 0 {
				continue
			}
			row := []string{oneLine(o.Name + " " + oc.Name), strconv.FormatUint(oc.Count, 10)}
			table.add(append(row, latencies(oc.Service)...)...)
		}
	}
	if len(table.rows) > 1 {
		t.line("")
		t.table(table)
	}
}

// errors writes the most frequent messages of all operations, an example of each if there is one.
func (t *text) errors(r *ycsb.Result) {
	type message struct {
		text  string
		count uint64
	}
	var list []message
	for _, o := range r.Ops {
		for _, e := range o.Errors {
			list = append(list, message{o.Name + ": " + cmp.Or(e.Example, e.Message), e.Count})
		}
	}
	if len(list) == 0 {
		return
	}
	slices.SortStableFunc(list, func(a, b message) int { return cmp.Compare(b.count, a.count) })
	more := len(list) - maxMessages
	list = list[:min(len(list), maxMessages)]
	t.line("")
	t.line("errors")
	width := len(strconv.FormatUint(list[0].count, 10))
	for _, m := range list {
		t.wrapped(fmt.Sprintf("%*d", width, m.count), width+2, cut(m.text, messageLen))
	}
	if more > 0 {
		t.line(fmt.Sprintf("%*s%d other messages", width+2, "", more))
	}
}

// warnings writes what bears on how far the figures can be trusted.
func (t *text) warnings(r *ycsb.Result) {
	list := warningsOf(r)
	if len(list) == 0 {
		return
	}
	t.line("")
	t.line("read with care")
	for _, s := range list {
		t.wrapped("-", 2, s)
	}
}

func warningsOf(r *ycsb.Result) []string {
	var list []string
	warn := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if r.Offered > 0 && !r.Sustained {
		warn("The schedule was not sustained, so that response times depend on how long the phase was.")
	}
	if r.Ended == ycsb.EndedError || r.Ended == ycsb.EndedInterrupted {
		warn("The phase ended before its time.")
	}
	if reads, _ := r.Op(ycsb.OpRead); reads.Outcome(ycsb.OutcomeNotFound).Count > 0 {
		warn("%d of %d reads found no record: the table does not hold what the workload asks for.",
			reads.Outcome(ycsb.OutcomeNotFound).Count, reads.Count())
	}
	if r.Elapsed < time.Second {
		warn("The phase was short: its figures may be those of a beginning.")
	}
	// The system tells CPU time in steps of some milliseconds.
	cpus := share(r.Client.User+r.Client.System, r.Elapsed)
	if r.Elapsed >= time.Second/10 && r.Client.CPUs > 0 && cpus > .9*float64(r.Client.CPUs) {
		warn("The client used %.0f %% of its CPUs: it may be the client that is measured, not the database.",
			100*cpus/float64(r.Client.CPUs))
	}
	if gc := gcShare(r); gc > .01 {
		warn("Garbage collection paused the client for %s %% of the time, and is part of the latencies.", significant(100*gc))
	}
	if r.Lateness.Count() > 0 {
		late := percentile(r.Lateness, 99)
		for _, o := range r.Ops {
			if p50 := o.Outcome(ycsb.OutcomeOK).Response.Quantile(.5); !aside(o.Name) && p50 > 0 && late > p50/10 {
				warn("The client itself sent operations late, by %s at p99, which is part of the response times: of %s, for one, whose p50 is %s.",
					short(late), oneLine(o.Name), short(p50))
				break
			}
		}
	}
	return list
}

// aside tells whether an operation is not one that the workload asked of the database.
func aside(name string) bool {
	return name == ycsb.OpCleanup || name == ycsb.OpVerify || name == ycsb.OpScanPerRecord
}

// table is a table with a heading, its first column flush left and the others flush right.
type table struct {
	nameWidth int // most columns of the first column
	rows      [][]string
}

func newTable(nameWidth int, head ...string) *table { return &table{nameWidth, [][]string{head}} }

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// table writes a table. A name that is too long for its column has a line of its own.
func (t *text) table(tab *table) {
	widths := make([]int, len(tab.rows[0]))
	for _, row := range tab.rows {
		for i, cell := range row {
			if n := utf8.RuneCountInString(cell); i > 0 || n <= tab.nameWidth {
				widths[i] = max(widths[i], n)
			}
		}
	}
	for _, row := range tab.rows {
		name := row[0]
		if utf8.RuneCountInString(name) > tab.nameWidth {
			t.line(cut(name, textWidth))
			name = ""
		}
		line := pad(name, widths[0])
		for i, cell := range row[1:] {
			line += strings.Repeat(" ", 2+widths[i+1]-utf8.RuneCountInString(cell)) + cell
		}
		t.line(line)
	}
}

// pad returns s with blanks after it to a width.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-utf8.RuneCountInString(s), 0))
}

// cut returns s with at most n characters, the last of them … when there were more.
func cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

// oneLine returns s with a blank for each character that does not print.
func oneLine(s string) string {
	if !strings.ContainsFunc(s, unprintable) && utf8.ValidString(s) {
		return s
	}
	return string(bytes.Map(func(r rune) rune {
		if unprintable(r) {
			return ' '
		}
		return r
	}, []byte(s)))
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }
