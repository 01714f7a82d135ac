package ycsb

import (
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Options are the parameters of a phase. Nil and the zero Options mean the defaults. The
// properties in the tags are those of YCSB, where it has them.
type Options struct {
	// Threads is the number of workers; default 1.
	Threads int `prop:"threadcount,min=1" default:"1" help:"workers, each with a connection of its own"`
	// Operations is the number of steps of all workers; 0 is no limit. Load ignores it.
	Operations int64 `prop:"operationcount,min=0" help:"operations of the run phase, of all workers; 0: until stopped"`
	// Duration ends the phase, warm-up not counted; 0 is no limit.
	Duration time.Duration `prop:"maxexecutiontime,unit=s,min=0" help:"ends the phase after so long, warm-up not counted; 0: no limit"`
	// Target is the rate at which steps of all workers are due, a second; 0 is as fast as
	// possible. The plan is Constant(Target).
	Target float64 `prop:"target,min=0" help:"operations a second of all workers; 0: as fast as possible"`
	// Pacer is the plan of when steps are due, instead of Target.
	Pacer Pacer `prop:"-"`
	// Open makes the loop an open one: a step that is due while every worker is busy is
	// dropped and counted in Result.Dropped, instead of waiting for a worker. It needs a
	// Target or a Pacer.
	Open bool `prop:"openloop" help:"a due operation that finds no free worker is dropped and counted, instead of waiting"`
	// Timeout is the time that one operation may take; 0 is no limit.
	Timeout time.Duration `prop:"optimeout,unit=ms,min=0" help:"time an operation may take; 0: no limit"`
	// Warmup is the time before measurement begins: steps begun in it are paced like all
	// others and left out of the Result and of Operations. Load ignores it.
	Warmup time.Duration `prop:"warmuptime,unit=s,min=0" help:"time before measurement begins, left out of the figures"`
	// Interval is the time between two calls of Hooks.Status and the length of the
	// Result's intervals; default 10 s.
	Interval time.Duration `prop:"status.interval,unit=s,above=0" default:"10" help:"time between two status lines, length of the result's intervals"`
	// Grace is the time that operations under way have to come back after they were told
	// to stop; then they are abandoned; default 5 s.
	Grace time.Duration `prop:"grace,unit=s,above=0" default:"5" help:"time that operations have to come back when the phase is over"`
	// Seed makes a run repeatable; 0 draws one below 2^53, which the Result tells.
	Seed uint64 `prop:"seed" help:"seed of all random numbers; 0: a new one for each run, told in the result"`
	// MaxErrors ends the phase with an error after so many operations that count as errors, those
	// of the warm-up included; 0 is never.
	MaxErrors int64 `prop:"maxerrors,min=0" help:"gives up after so many failed operations; 0: never"`
	// TrackRuntime samples the Go runtime of the client at the end of each interval, into
	// Result.Runtime.
	TrackRuntime bool `prop:"measurement.trackjvm" help:"report heap, goroutines, load and garbage collection of the client"`
	// Drop empties the table before it is loaded. Run ignores it.
	Drop bool `prop:"dropdata" help:"empty the table before loading it (only one that ycsb made)"`
	// Append lets Load add to a table that is not empty. Run ignores it.
	Append bool `prop:"load.append" help:"load into a table that is not empty"`

	// Settings are kept in the Result besides those of the Options and of the workload: what
	// else is needed to repeat the run. No secrets.
	Settings map[string]string `prop:"-"`
	Hooks    *Hooks            `prop:"-"`
	// Logger hears of what is worth knowing and no error; nil discards.
	Logger *slog.Logger `prop:"-"`
}

const (
	mostThreads   = 1 << 20
	highestTarget = 1e9 // due times are whole nanoseconds
	mostTaken     = 1 << 20
)

// Validate reports every fault of the options, joined.
func (o *Options) Validate() error {
	if o == nil {
		return nil
	}
	var errs []error
	bad := func(isBad bool, format string, args ...any) {
		if isBad {
			errs = append(errs, fmt.Errorf("ycsb: options: "+format, args...))
		}
	}
	bad(o.Threads < 0 || o.Threads > mostThreads, "%d threads: want 1 to %d", o.Threads, mostThreads)
	bad(o.Operations < 0, "%d operations: want at least 0", o.Operations)
	bad(!(o.Target >= 0 && o.Target <= highestTarget), "target %v: want a rate of 0 to %g", o.Target, float64(highestTarget))
	bad(o.Target > 0 && o.Pacer != nil, "both a target and a pacer")
	bad(o.Open && o.Target == 0 && o.Pacer == nil, "an open loop needs a target rate")
	bad(o.MaxErrors < 0, "max errors %d: want at least 0", o.MaxErrors)
	for _, d := range []struct {
		name string
		d    time.Duration
	}{
		{"duration", o.Duration},
		{"timeout", o.Timeout},
		{"warm-up", o.Warmup},
		{"interval", o.Interval},
		{"grace", o.Grace},
	} {
		bad(d.d < 0, "%s %v: want at least 0", d.name, d.d)
	}
	bad(o.Interval > 0 && o.Interval < time.Millisecond, "interval %v: want at least %v", o.Interval, time.Millisecond)
	return errors.Join(errs...)
}

// withDefaults returns a copy in which every default is filled in.
func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.Threads == 0 {
		c.Threads = 1
	}
	if c.Interval == 0 {
		c.Interval = 10 * time.Second
	}
	if c.Grace == 0 {
		c.Grace = 5 * time.Second
	}
	if c.Pacer == nil && c.Target > 0 {
		c.Pacer = Constant(c.Target)
	}
	if c.Hooks == nil {
		c.Hooks = new(Hooks)
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Seed == 0 {
		c.Seed = newSeed()
	}
	return c
}
