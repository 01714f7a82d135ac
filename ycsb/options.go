package ycsb

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// Options are the parameters of a phase. Nil and the zero Options mean the defaults. The
// properties in the tags are those of YCSB, where it has them.
type Options struct {
	// Threads is the number of workers, at most 2^20; default 1.
	Threads int `prop:"threadcount,min=1,max=1048576" default:"1" help:"workers, each with a connection of its own"`
	// Operations is the number of steps of all workers; 0 is no limit. Load ignores it.
	Operations int64 `prop:"operationcount,min=0" help:"operations of the run phase, of all workers; 0: until stopped"`
	// Duration ends the phase, warm-up not counted; 0 is no limit.
	Duration time.Duration `prop:"maxexecutiontime,unit=s,min=0" help:"ends the phase after so long, warm-up not counted; 0: no limit"`
	// Target is the rate at which steps of all workers are due, a second, at most 10^9; 0 is as
	// fast as possible. The plan is Constant(Target).
	Target float64 `prop:"target,min=0,max=1e9" help:"operations a second of all workers; 0: as fast as possible"`
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
	// Result's intervals, at least 1 ms; default 10 s.
	Interval time.Duration `prop:"status.interval,unit=s,min=0.001" default:"10" help:"time between two status lines, length of the result's intervals"`
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

// Bounds that the tags have too.
const (
	mostThreads   = 1 << 20
	highestTarget = 1e9 // due times are whole nanoseconds
	leastInterval = time.Millisecond
)

const mostTaken = 1 << 20

// Decode sets the options to what the properties say, as [properties.Properties.Decode] does, and
// reports every fault of the options, joined, each with the property it is about and where that
// was set.
func (o *Options) Decode(p *properties.Properties) error {
	err := p.Decode(o)
	c := *o
	if p.Faulty(err, "target") {
		c.Open = false // nobody knows whether there is to be a rate
	}
	return errors.Join(err, c.validate(func(key string, fault error) error {
		if p.Faulty(err, key) {
			return nil
		}
		return p.Fault(key, fault)
	}))
}

// Validate reports every fault of the options, joined.
func (o *Options) Validate() error {
	if o == nil {
		return nil
	}
	return o.validate(func(_ string, err error) error { return fmt.Errorf("ycsb: options: %w", err) })
}

// validate reports every fault, told by what fault makes of it and of the key of its property.
func (o *Options) validate(fault func(key string, err error) error) error {
	var errs []error
	bad := func(isBad bool, key, format string, args ...any) {
		if isBad {
			errs = append(errs, fault(key, fmt.Errorf(format, args...)))
		}
	}
	bad(o.Threads < 0 || o.Threads > mostThreads, "threadcount", "%d threads: want 1 to %d", o.Threads, mostThreads)
	bad(o.Operations < 0, "operationcount", "%d operations: want at least 0", o.Operations)
	bad(!(o.Target >= 0 && o.Target <= highestTarget), "target", "target %v: want a rate of 0 to %g", o.Target, float64(highestTarget))
	bad(o.Target > 0 && o.Pacer != nil, "target", "both a target and a pacer")
	bad(o.Open && o.Target == 0 && o.Pacer == nil, "openloop", "an open loop needs a target rate")
	bad(o.MaxErrors < 0, "maxerrors", "max errors %d: want at least 0", o.MaxErrors)
	for _, d := range []struct {
		key, name string
		d         time.Duration
	}{
		{"maxexecutiontime", "duration", o.Duration},
		{"optimeout", "timeout", o.Timeout},
		{"warmuptime", "warm-up", o.Warmup},
		{"status.interval", "interval", o.Interval},
		{"grace", "grace", o.Grace},
	} {
		bad(d.d < 0, d.key, "%s %v: want at least 0", d.name, d.d)
	}
	bad(o.Interval > 0 && o.Interval < leastInterval, "status.interval", "interval %v: want at least %v", o.Interval, leastInterval)
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
