package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/report"
)

// closeTime is how long a database may take to close.
const closeTime = 10 * time.Second

// execution carries out a plan.
type execution struct {
	*plan
	name   string // of the program
	stdout io.Writer
	c      *console
	width  int         // of the terminal that stderr is, else 0
	file   *exportFile // nil without one
	phases []outcome
}

// outcome is how a phase went.
type outcome struct {
	name    string
	total   int64        // steps expected, 0 when unknown
	limited bool         // by operations or time
	result  *ycsb.Result // nil when nothing was measured
	err     error
}

// execute carries out a plan. width is that of the terminal that stderr is, else 0. Its error
// is an *Error.
func (p *plan) execute(ctx context.Context, name string, stdout, stderr io.Writer, width int) error {
	x := &execution{plan: p, name: name, stdout: stdout, c: newConsole(stderr, p.secrets), width: width}
	defer x.c.Close()
	for _, n := range p.notes {
		x.note("%s", n)
	}
	code, err := x.run(ctx)
	if err == nil {
		return nil
	}
	return &Error{Code: code, Err: err, text: p.secrets.hide(err.Error())}
}

// note writes a line to stderr.
func (x *execution) note(format string, args ...any) {
	x.c.linef(x.name+": "+format, args...)
}

// run opens, measures, writes the results and closes. It returns the exit code with the error.
func (x *execution) run(ctx context.Context) (code int, err error) {
	if x.config.ExportFile != "" {
		if x.file, err = openExport(x.config.ExportFile); err != nil {
			return exitUsage, x.props.Fault("exportfile", err)
		}
		defer func() {
			if closeErr := x.file.Close(); closeErr != nil {
				code, err = worse(code, exitFailed), errors.Join(err, fmt.Errorf("exportfile: %w", closeErr))
			}
		}()
	}
	db, err := ycsb.Open(ctx, x.driver, x.props)
	if err != nil {
		if ctx.Err() != nil {
			return exitInterrupted, fmt.Errorf("interrupted: %w", err)
		}
		return exitUsage, err
	}
	if t, ok := db.(interface{ Temporary() bool }); ok && t.Temporary() && x.command != "bench" {
		x.note("warning: what is stored by driver %s ends with this command: bench loads and runs in one", x.driver)
	}
	x.measure(ctx, db)
	code, err = x.verdict(ctx)
	x.c.flush() // stdout may be the same terminal
	// The results come first: nothing that is still to be done may lose them.
	if writeErr := x.writeResults(); writeErr != nil {
		code, err = worse(code, exitFailed), errors.Join(err, writeErr)
	}
	if closeErr := closeDB(db); closeErr != nil {
		code, err = worse(code, exitFailed), errors.Join(err, closeErr)
	}
	return code, err
}

// worse returns the code of two errors: the one that was there before the other.
func worse(before, then int) int {
	if before == exitDone {
		return then
	}
	return before
}

// closeDB closes a database, unless that takes too long.
func closeDB(db ycsb.DB) error {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				done <- fmt.Errorf("close: panic: %v", v)
			}
		}()
		err := db.Close()
		if err != nil {
			err = fmt.Errorf("close: %w", err)
		}
		done <- err
	}()
	t := time.NewTimer(closeTime)
	defer t.Stop()
	select {
	case err := <-done:
		return err
	case <-t.C:
		return fmt.Errorf("close: the database did not close within %v", closeTime)
	}
}

// measure runs the phases, as long as they succeed.
func (x *execution) measure(ctx context.Context, db ycsb.DB) {
	phases := []string{x.command}
	if x.command == "bench" {
		phases = []string{"load", "run"}
	}
	for _, name := range phases {
		out := x.phase(ctx, db, name)
		x.phases = append(x.phases, out)
		if out.result != nil {
			x.tellRecords(&out)
		}
		if out.err != nil || out.ended() != nil {
			return
		}
		x.tell(&out)
	}
}

// phase runs a phase.
func (x *execution) phase(ctx context.Context, db ycsb.DB, name string) outcome {
	o := x.optionsOf(name)
	o.Settings = x.settingsOfRun()
	o.Logger = slog.New(&logHandler{note: x.note})
	o.Hooks = x.hooks()

	out := outcome{name: name, limited: o.Operations > 0 || o.Duration > 0}
	var m *meter
	o.Hooks.Start = func(phase *ycsb.Phase) {
		out.total = phase.Total
		if x.options.Seed == 0 {
			x.options.Seed = phase.Options.Seed // that of the next phase too
			x.note("seed %d", phase.Options.Seed)
		}
		if x.width > 0 && !x.config.Status {
			m = startMeter(x.c, x.width, phase)
		}
	}
	run := ycsb.Run
	if name == "load" {
		run = ycsb.Load
	}
	out.result, out.err = run(ctx, db, x.workload, &o)
	m.Stop()
	if out.result != nil {
		out.result.Driver = x.driver // as it is registered
		x.secrets.hideResult(out.result)
	}
	return out
}

// logHandler writes the engine's log as notes of the command.
type logHandler struct {
	note  func(format string, args ...any)
	attrs []slog.Attr
}

// Enabled reports true from slog.LevelInfo on.
func (*logHandler) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

// Handle writes a note, with the attributes in parentheses.
func (h *logHandler) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	if r.Level >= slog.LevelWarn {
		text = "warning: " + text
	}
	var attrs []string
	add := func(a slog.Attr) bool {
		attrs = append(attrs, a.String())
		return true
	}
	for _, a := range h.attrs {
		add(a)
	}
	r.Attrs(add)
	if len(attrs) > 0 {
		text += " (" + strings.Join(attrs, ", ") + ")"
	}
	h.note("%s", text)
	return nil
}

// WithAttrs returns a handler whose notes have attrs too.
func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &logHandler{h.note, slices.Concat(h.attrs, attrs)}
}

// WithGroup returns h: the notes are short enough without groups.
func (h *logHandler) WithGroup(string) slog.Handler { return h }

// settingsOfRun returns what is needed to repeat a run besides what the engine and the workload
// tell.
func (x *execution) settingsOfRun() map[string]string {
	all := x.report.Settings()
	if x.driverConfig != nil {
		for _, prop := range driverSettings(x.driverConfig) {
			if prop.Value != "" && prop.Value != blot {
				all[prop.Key] = prop.Value
			}
		}
	}
	all["db"] = x.driver
	if x.config.Label != "" {
		all["label"] = x.config.Label
	}
	return all
}

// hooks returns the hooks of a phase, without Start.
func (x *execution) hooks() *ycsb.Hooks {
	h := new(ycsb.Hooks)
	if x.config.Status {
		h.Status = func(s ycsb.Status) { x.c.linef("%s", report.StatusLine(x.config.Label, s, &x.report)) }
	}
	verbose := x.config.Verbose
	if verbose || !x.config.Silence {
		h.Op = func(op string, latency time.Duration, err error) {
			switch {
			case err != nil:
				x.c.linef("%s: %v: %v", op, latency, err)
			case verbose:
				x.c.linef("%s: %v: ok", op, latency)
			}
		}
	}
	return h
}

// tellRecords tells what a run made of the table, for the next one.
func (x *execution) tellRecords(out *outcome) {
	if out.name != "run" {
		return
	}
	inserts, _ := out.result.Op(ycsb.OpInsert)
	if n := inserts.Outcome(ycsb.OutcomeExists).Count; n > 0 {
		x.note("warning: %d inserts found a record with their key: the table holds more than recordcount says", n)
	}
	deletes, deleted := out.result.Op(ycsb.OpDelete)
	_, apart := x.props.Lookup("insertstart.run")
	w, ok := x.workload.(interface{ NextRecord() int64 })
	switch {
	case deleted:
		x.note("%d records were deleted: load anew before the next run", deletes.Outcome(ycsb.OutcomeOK).Count)
	case !ok || inserts.Outcome(ycsb.OutcomeOK).Count == 0 || w.NextRecord() < 0:
	case apart:
		x.note("records were inserted: the next ones of this client begin with insertstart.run=%d", w.NextRecord())
	default:
		x.note("records were inserted: go on with recordcount=%d", w.NextRecord())
	}
}

// tell says on stderr what is worth knowing of a phase that was done.
func (x *execution) tell(out *outcome) {
	r := out.result
	if r.Offered > 0 && !r.Sustained {
		x.note("warning: the target was not reached: %.0f operations a second were due, %.0f were done, %d were dropped",
			r.Offered, r.Achieved, r.Dropped)
	}
	if reads, ok := r.Op(ycsb.OpRead); ok {
		switch n := reads.Outcome(ycsb.OutcomeNotFound).Count; n {
		case 0:
		case reads.Count():
			x.note("warning: no read found a record: was the table loaded?")
		default:
			x.note("warning: %d of %d reads found no record: does the table hold what the properties say?", n, reads.Count())
		}
	}
	if n := notOK(r); n > 0 && x.settings.allowErrors.allows(n, r.Steps) {
		x.note("warning: %s, which --allow-errors=%s allows", failures(r), x.settings.allowErrors.text)
	}
}

// verdict returns the exit code of all phases, and the error that goes with it.
func (x *execution) verdict(ctx context.Context) (int, error) {
	measured := false
	for _, out := range x.phases {
		r := out.result
		switch {
		case r == nil && ctx.Err() != nil:
			return exitInterrupted, fmt.Errorf("%s interrupted: %w", out.name, out.err)
		case r == nil && measured: // of bench, the load
			return exitFailed, out.err
		case r == nil:
			return exitUsage, out.err
		case r.Ended == ycsb.EndedInterrupted:
			return exitInterrupted, fmt.Errorf("%s interrupted after %d operations", out.name, r.Steps)
		}
		err := out.err
		if err == nil {
			err = out.ended()
		}
		if n := notOK(r); err == nil && !x.settings.allowErrors.allows(n, r.Steps) {
			err = errors.New(failures(r))
		}
		if err != nil {
			if prefix := out.name + ": "; !strings.HasPrefix(err.Error(), prefix) {
				err = fmt.Errorf("%s%w", prefix, err)
			}
			return exitFailed, err
		}
		measured = true
	}
	return exitDone, nil
}

// ended returns an error if a phase ended before its time though nothing went wrong.
func (out *outcome) ended() error {
	r := out.result
	switch {
	case r == nil:
		return nil
	case out.name == "load" && r.Steps < out.total:
		return fmt.Errorf("incomplete: %d of %d records", r.Steps, out.total)
	case r.Ended == ycsb.EndedDone && out.name == "run" && out.limited:
		return fmt.Errorf("ended early, after %d operations in %v: the workload had no more work", r.Steps, r.Elapsed.Round(time.Millisecond))
	}
	return nil
}

// notOK counts the operations that speak against a run: those that failed, and those that had not
// come back when the time was over and were cut off, as a database that hangs makes them.
func notOK(r *ycsb.Result) int64 {
	n := r.Errors
	for _, o := range r.Ops {
		if o.Name != ycsb.OpReadModifyWrite && o.Name != ycsb.OpBatch {
			n += int64(o.Outcome(ycsb.OutcomeCancelled).Count)
		}
	}
	return n
}

// failures says in one line how operations failed.
func failures(r *ycsb.Result) string {
	var kinds []string
	var most ycsb.ErrCount
	for _, o := range r.Ops {
		for _, oc := range o.Outcomes {
			switch oc.Name {
			case ycsb.OutcomeOK, ycsb.OutcomeNotFound:
			default:
				kinds = append(kinds, fmt.Sprintf("%s %s %d", o.Name, oc.Name, oc.Count))
			}
		}
		for _, e := range o.Errors {
			if e.Count > most.Count {
				most = e
			}
		}
	}
	s := fmt.Sprintf("%d failures in %d operations (%s)", notOK(r), r.Steps, strings.Join(kinds, ", "))
	if most.Count > 0 {
		s += ", most often: " + strings.Join(strings.Fields(cmp.Or(most.Example, most.Message)), " ")
	}
	return s
}

// writeResults writes the results to the export file and to stdout. What cannot be written
// there goes to stdout.
func (x *execution) writeResults() error {
	var results []*ycsb.Result
	for _, out := range x.phases {
		if out.result != nil {
			results = append(results, out.result)
		}
	}
	if len(results) == 0 {
		return nil
	}
	var errs []error
	out := x.format
	if x.file != nil {
		if err := x.file.write(x.exporter, results); err != nil {
			errs = append(errs, fmt.Errorf("exportfile %s: %w: the results are on stdout", x.config.ExportFile, err))
			if out == nil {
				out = x.exporter
			}
		}
	}
	if out != nil {
		if err := out(x.stdout, results...); err != nil {
			errs = append(errs, fmt.Errorf("results: %w", err))
		}
	}
	return errors.Join(errs...)
}
