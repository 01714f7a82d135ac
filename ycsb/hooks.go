package ycsb

import "time"

// Hooks are called as a phase goes on; any may be nil.
type Hooks struct {
	// Start is called before the first step, when all workers are connected. phase may be
	// kept and asked for its Progress.
	Start func(phase *Phase)
	// Status is called every Options.Interval and at the end of the phase, from one
	// goroutine at a time; a slow one delays the next interval, not the workers.
	Status func(Status)
	// Op is called after every operation that is measured, from its worker's goroutine and
	// not after End: workers call it concurrently, and what it takes is taken from the
	// throughput.
	Op func(op string, latency time.Duration, err error)
	// End is called with the Result before Load or Run returns it.
	End func(*Result)
}

// Phase is a phase that is about to run or running.
type Phase struct {
	Name    string  // "load" or "run"
	Options Options // with defaults filled in; its Seed is the one in force
	// Total is the number of steps expected, 0 when unknown. A Workload's Start sets it for
	// the load phase.
	Total int64

	progress func() Progress
}

// Progress returns how far the phase is. It is cheap, never delays a worker and may be called
// from any goroutine, also after the phase.
func (p *Phase) Progress() Progress {
	if p.progress == nil {
		return Progress{}
	}
	return p.progress()
}

// Progress tells how far a phase is.
type Progress struct {
	Elapsed time.Duration // since measurement began
	Warmup  bool          // measurement has not begun
	Steps   int64         // done since measurement began
	Failed  int64         // of which failed
}

// Status is the progress of a phase at the end of an interval.
type Status struct {
	Phase   string
	Time    time.Time
	Elapsed time.Duration  // since measurement began
	Length  time.Duration  // of the interval that ends now
	Steps   int64          // done since measurement began
	Recent  int64          // done in this interval
	Planned int64          // steps expected, 0 when unknown
	Final   bool           // the phase is over
	Total   []OpResult     // since measurement began
	Latest  []OpResult     // in this interval
	Runtime *RuntimeSample // nil unless Options.TrackRuntime
}
