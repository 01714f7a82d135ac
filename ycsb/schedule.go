package ycsb

import (
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// schedule hands out the due times of a plan to all workers. When the plan is behind, what is
// due is sent at once. Else workers queue for the turn; the one that has it takes the next due
// time, waits for it and passes the turn on, so that one worker at a time sleeps.
type schedule struct {
	turn  chan struct{} // full while a worker has the turn; those who wait get it in their order
	pacer Pacer
	open  bool
	begin time.Duration // end of the warm-up
	skips atomic.Int64  // due times that steps under way took besides their own

	mu      sync.Mutex // of what follows; nobody sleeps with it
	rng     *rand.Rand
	prev    time.Duration // the last due time, negative before the first
	next    time.Duration // the one after prev, when drawn
	drawn   bool
	taken   int64         // steps handed out or dropped since begin
	dropped int64         // of which dropped
	lag     time.Duration // by which the last step was handed out late

	// What follows belongs to whoever has the turn.
	lateness tally // of waking up
	timer    *time.Timer
	coarse   bool // timers alone: the system has no finer sleep, or the clock is a fake
}

func newSchedule(o *Options, begin time.Duration) *schedule {
	return &schedule{
		turn: make(chan struct{}, 1), pacer: o.Pacer, open: o.Open, begin: begin,
		rng: rand.New(rand.NewPCG(o.Seed, 1<<63)), prev: -1, coarse: !canNap,
	}
}

// peek returns the next due time. The caller holds mu, as for advance and skip.
func (s *schedule) peek() (time.Duration, bool) {
	if !s.drawn {
		next, ok := s.pacer.Next(s.prev, s.rng)
		if !ok {
			return 0, false
		}
		s.next, s.drawn = next, true
	}
	return s.next, true
}

// advance takes the due time that peek returned.
func (s *schedule) advance() {
	s.prev, s.drawn = s.next, false
	if s.prev >= s.begin {
		s.taken++
	}
}

// slot is what a worker gets from the schedule.
type slot uint8

const (
	slotEnd     slot = iota // nothing more to do
	slotLater               // the next step is not due
	slotWarm                // a step of the warm-up
	slotMeasure             // a step that counts
)

// wait returns, at the time that the next step is due, when that is. It takes as many due times,
// and operations of the budget, as the worker says its steps do; those after the first become
// its quota.
func (s *schedule) wait(p *phase, w *worker) (due time.Duration, kind slot) {
	// In an open loop the worker that was free first must get the next due time: one that
	// came later would find that it was due before, and drop it. So there all queue.
	if !s.open {
		if due, kind = s.take(p, w, p.now()); kind != slotLater {
			return due, kind
		}
	}
	select {
	case s.turn <- struct{}{}:
	case <-p.stop:
		return 0, slotEnd
	}
	defer func() { <-s.turn }()
	due, kind = s.take(p, w, math.MaxInt64)
	if kind != slotEnd && !s.sleep(p, due) {
		return 0, slotEnd
	}
	return due, kind
}

// take takes the next due time, if it is not later than latest.
func (s *schedule) take(p *phase, w *worker, latest time.Duration) (due time.Duration, kind slot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skip(s.skips.Swap(0))
	now := p.now()
	for {
		var ok bool
		if due, ok = s.peek(); !ok {
			return 0, slotEnd
		}
		late := due < s.begin && now >= s.begin // backlog of the warm-up: not carried over
		missed := s.open && due < w.free        // every worker was busy
		if !late && !missed {
			break
		}
		s.advance()
		if due >= s.begin {
			s.dropped++
		}
	}
	if due > latest {
		return 0, slotLater
	}
	kind = slotWarm
	w.c.quota = w.size
	if due >= s.begin {
		kind = slotMeasure
		if w.c.quota = p.budget.take(w.size); w.c.quota == 0 {
			return 0, slotEnd
		}
	}
	s.skip(w.c.quota)
	w.c.quota--
	s.lag = max(now-due, 0)
	return due, kind
}

// skip takes n due times.
func (s *schedule) skip(n int64) {
	for range n {
		if _, ok := s.peek(); !ok {
			return
		}
		s.advance()
	}
}

// Timers of Go wake up to a millisecond late. So the last stretch is slept by the system's own
// sleep, which hears neither stop nor a fake clock but wakes within some 60 µs.
const napTime = 1200 * time.Microsecond

// sleep waits until due. It returns false when the phase ends before.
func (s *schedule) sleep(p *phase, due time.Duration) bool {
	slept := false
	for {
		now := p.now()
		d := due - now
		if d <= 0 {
			if slept {
				s.lateness.add(int64(-d))
			}
			return !p.stopped.Load()
		}
		slept = true
		switch {
		case s.coarse:
		case d <= napTime:
			nap(d)
			s.coarse = p.now() == now // a fake clock stands still meanwhile
			if p.stopped.Load() {
				return false
			}
			continue
		default:
			d -= napTime
		}
		if s.timer == nil {
			s.timer = time.NewTimer(d)
		} else {
			s.timer.Reset(d)
		}
		select {
		case <-s.timer.C:
		case <-p.stop:
			s.timer.Stop()
			return false
		}
	}
}

// finish ends the plan at the time stop, when the phase was stopped, or with the last step handed
// out when there is no more to do (stop < 0). It returns the rate at which steps were due since
// the end of the warm-up.
func (s *schedule) finish(stop time.Duration) (offered float64) {
	for stop >= 0 {
		due, ok := s.peek()
		if !ok || due >= stop {
			break
		}
		s.advance()
		if s.open && due >= s.begin {
			s.dropped++
		}
	}
	end := max(stop, s.prev)
	if due, ok := s.peek(); ok {
		end = due
	}
	return perSecond(s.taken, end-s.begin)
}

// sustained tells whether the plan was kept up with: nothing dropped, and the last step sent
// no later than a hundredth of the time, or 10 ms.
func (s *schedule) sustained(elapsed time.Duration) bool {
	return s.dropped == 0 && s.lag <= max(elapsed/100, 10*time.Millisecond)
}
