package ycsb

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/ycsbkit/ycsbkit/ycsb/generator"
)

// Workload decides what workers do. It is shared by all workers. State of a phase goes into
// the workers or is made anew by Start.
type Workload interface {
	// Schema tells drivers what records to expect.
	Schema() Schema

	// NewWorker is called once a worker and phase, in the order of the workers' numbers
	// and before any of them begins. State of the worker goes into its result.
	NewWorker(c *Client) (Worker, error)
}

// Worker is the state of one worker. One goroutine uses it.
//
// A step is one unit of work: what a thread of YCSB does between two looks at the clock. What
// a step does through its [Client] is measured. It returns nil when it succeeded; [ErrDone]
// when the worker has no more work, in which case nothing was done; an error made by [Fatal]
// to end the phase; and any other error for a step that failed, after which the next one
// follows.
type Worker interface {
	Load(ctx context.Context) error // one step of the load phase
	Run(ctx context.Context) error  // one step of the run phase
}

// Optional interfaces of a [Workload].
type (
	// Starter is told that a phase is about to begin, before its workers are made. It may
	// set p.Total. An error ends the phase before it began.
	Starter interface {
		Start(ctx context.Context, p *Phase) error
	}

	// Configured tells what is needed to repeat the workload, as properties; it goes into
	// Result.Settings.
	Configured interface {
		Settings() map[string]string
	}
)

// StepSizer is an optional interface of a [Worker] whose steps do several operations, for which
// they call [Client.Take]: with a schedule so many of the next due times are set aside for each
// step. Without it the workers learn of one another's batches too late, and begin with a burst.
type StepSizer interface {
	// StepSize returns the operations that a step does, at most.
	StepSize() int
}

// Ability is something that not every driver can do.
type Ability uint8

// Abilities.
const (
	AbilityScan  Ability = iota + 1 // Scanner
	AbilityBatch                    // Batcher
	AbilityTx                       // Transactor
	AbilityQuery                    // Queryer
)

// String returns the plural noun of the ability: "scans".
func (a Ability) String() string {
	switch a {
	case AbilityScan:
		return "scans"
	case AbilityBatch:
		return "batches"
	case AbilityTx:
		return "transactions"
	case AbilityQuery:
		return "queries"
	}
	return "unknown abilities"
}

// Mix is a [Workload] made of weighted named operations: each step does one of them, drawn by
// weight, and measures it as a whole under its name, besides what Do does through the Client.
// Its load phase does nothing.
type Mix []Choice

// Choice is one operation of a [Mix].
type Choice struct {
	Name   string  // under which it is measured
	Weight float64 // relative to the other weights
	// Do does the operation. Several workers call it concurrently, each with its own Client.
	Do func(ctx context.Context, c *Client) error
}

// Schema returns an empty Schema.
func (m Mix) Schema() Schema { return Schema{} }

// NewWorker returns a worker of the mix, or an error when a weight is not a finite number of at
// least 0, all are 0, or a choice lacks a name or Do.
func (m Mix) NewWorker(c *Client) (Worker, error) {
	weights := make([]float64, len(m))
	ops := make([]*Op, len(m))
	var errs []error
	for i, ch := range m {
		if ch.Name == "" || ch.Do == nil {
			errs = append(errs, fmt.Errorf("ycsb: mix: choice %d has no name or nothing to do", i))
		}
		if !(ch.Weight >= 0) || math.IsInf(ch.Weight, 0) {
			errs = append(errs, fmt.Errorf("ycsb: mix: %s: weight %v: want a finite number of at least 0", ch.Name, ch.Weight))
		}
		weights[i] = ch.Weight
		ops[i] = c.Op(ch.Name)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	pick, err := generator.Discrete(weights...)
	if err != nil {
		return nil, fmt.Errorf("ycsb: mix: %w", err)
	}
	return &mixWorker{m, c, pick, ops}, nil
}

type mixWorker struct {
	mix  Mix
	c    *Client
	pick generator.Source
	ops  []*Op
}

func (w *mixWorker) Load(context.Context) error { return ErrDone }

func (w *mixWorker) Run(ctx context.Context) error {
	i := w.pick.Next(w.c.Rand())
	t := w.ops[i].Start()
	err := w.mix[i].Do(ctx, w.c)
	if !errors.Is(err, ErrDone) {
		t.Done(err)
	}
	return err
}
