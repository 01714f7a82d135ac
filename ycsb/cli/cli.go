// Package cli is the ycsb command as a library, for programs with drivers or workloads of
// their own. A whole command is
//
//	package main
//
//	import (
//		_ "example.com/ourdb/driver" // registers itself
//
//		"github.com/ycsbkit/ycsbkit/ycsb/cli"
//	)
//
//	func main() { cli.Main() }
//
// Results go to standard output, everything else to standard error. A database whose method
// Temporary() bool returns true ends with the command, which then warns of it. Where a property of a
// driver says what others are, as a data source name does, a method Settings() map[string]string of
// its configuration may return these, for results and dry runs.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// App is the command and what a program adds to it. The zero App is ycsb itself. Its methods
// may be called concurrently and do not change it.
type App struct {
	// Name is the name of the program; default ycsb.
	Name string
	// Version is the version of the program; default that of its module, as it was built.
	Version string
	// Workloads are workloads besides those of package workloads, by the value of the
	// property workload. A function decodes what it needs from p and touches nothing; its
	// error joins all faults. It is called once a command.
	Workloads map[string]func(p *properties.Properties) (ycsb.Workload, error)
}

// Main runs the command with the arguments of the process and ends the process.
func Main() { new(App).Main() }

// Run runs the command with arguments, the name of the program not among them, as [App.Run]
// does.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return new(App).Run(ctx, args, stdout, stderr)
}

// The codes with which the command ends.
const (
	exitDone        = 0
	exitFailed      = 1   // something was measured, and something went wrong
	exitUsage       = 2   // nothing was measured: the user has to mend something first
	exitInterrupted = 130 // what was measured until then was printed
)

// Error is an error of [App.Run] with the code with which the process is to end.
type Error struct {
	// Code is 1 when operations failed, were abandoned or are missing, a load is incomplete
	// or results could not be written; 2 when nothing was measured, since command line,
	// properties or database have to be mended first; 130 when ctx ended.
	Code int
	// Err is what happened, never nil. A secret in its text is blotted out in that of the
	// Error, not here.
	Err error

	text string // of Err, without secrets
}

// Error returns the text of Err without secrets: one fault a line.
func (e *Error) Error() string {
	if e.text != "" {
		return e.text
	}
	return e.Err.Error()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// ExitCode returns the code with which a process ends after Run returned err: 0 for nil.
func ExitCode(err error) int {
	var e *Error
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &e):
		return e.Code
	}
	return exitFailed
}

// tellTime is how long an interrupt waits for its message to be written.
const tellTime = 100 * time.Millisecond

func usageError(err error) error {
	if err == nil {
		return nil
	}
	return &Error{Code: exitUsage, Err: err}
}

// Main runs the command with the arguments of the process and ends the process. SIGINT, SIGTERM and
// SIGHUP, unless that is ignored, end the phase that is under way, and a second one the process, at
// once.
func (a *App) Main() {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signal.Notify(signals, syscall.SIGHUP)
	}
	// A reader of stdout or stderr that goes away is an error of the write, which is told or
	// does not matter; as a signal it would end the process, and the results with it.
	signal.Ignore(syscall.SIGPIPE)
	go func() {
		s := <-signals
		told := make(chan struct{})
		go func() {
			fmt.Fprintf(os.Stderr, "\n%s: %v: ending; once more ends at once\n", a.name(), s)
			close(told)
		}()
		select {
		case <-told:
		case <-time.After(tellTime): // the terminal may be stopped
		}
		cancel(errors.New("interrupted"))
		<-signals
		os.Exit(exitInterrupted)
	}()
	os.Exit(a.main(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// main is Run with the error printed.
func (a *App) main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	err := a.Run(ctx, args, stdout, stderr)
	if err != nil {
		var text strings.Builder
		for i, line := range strings.Split(err.Error(), "\n") {
			if i == 0 || ExitCode(err) == exitUsage {
				text.WriteString(a.name() + ": ")
			}
			text.WriteString(line + "\n")
		}
		// There is nobody left to tell of an error.
		_, _ = io.WriteString(stderr, text.String())
	}
	return ExitCode(err)
}

// Run runs the command with arguments, the name of the program not among them. It writes
// results, and what was asked for otherwise, to stdout, and everything else to stderr; an
// error it returns, as an *[Error], and does not write. When ctx ends, so does the phase under
// way: what was measured is written before Run returns.
//
// A stderr that is a terminal gets a line of progress. One that blocks does not delay the run,
// only its end by two seconds: what it does not take is dropped, and a goroutine is left that
// waits for it. stdout and stderr may be the same writer if that may be called concurrently.
func (a *App) Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	err := a.run(ctx, args, stdout, stderr)
	var e *Error
	if err != nil && !errors.As(err, &e) {
		return usageError(err) // cobra's: an unknown command, wrong arguments
	}
	return err
}

func (a *App) name() string {
	if a.Name == "" {
		return "ycsb"
	}
	return a.Name
}
