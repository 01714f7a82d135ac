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
	turn  chan struct{} // full while a worker has the turn
	pacer Pacer
	open  bool
	begin time.Duration // end of the warm-up
	skips atomic.Int64  // due times that steps took besides their own, or did not use if negative

	mu      sync.Mutex // of what follows; nobody sleeps with it
	rng     *rand.Rand
	prev    time.Duration // the last due time, negative before the first
	next    time.Duration // the one after prev, when drawn
	drawn   bool
	taken   int64         // due times since begin, handed out or dropped
	dropped int64         // of which dropped
	lag     time.Duration // by which the last step was handed out late
	waiting int           // workers that have nothing to do
	idle    time.Duration // since when there has been one, or would have been but for the client
	behind  time.Duration // by which the latest of the steps under way came late by the client's doing
	late    tally         // by how much measured steps came later than they were due and a worker was free

	// What follows belongs to whoever has the turn.
	timer  *time.Timer
	napper *napper // nil when timers have to do
}

func newSchedule(o *Options, begin time.Duration) *schedule {
	return &schedule{
		turn: make(chan struct{}, 1), pacer: o.Pacer, open: o.Open, begin: begin,
		rng: rand.New(rand.NewPCG(o.Seed, 1<<63)), prev: -1, napper: newNapper(),
	}
}

// peek returns the next due time. The caller holds mu, as for advance and skip.
func (s *schedule) peek() (time.Duration, bool) {
	if !s.drawn {
		next, ok := s.pacer.Next(s.prev, s.rng)
		if !ok {
			return 0, false
		}
		s.next, s.drawn = max(next, s.prev, 0), true
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

// skip takes n due times.
func (s *schedule) skip(n int64) {
	for range n {
		if _, ok := s.peek(); !ok {
			return
		}
		s.advance()
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
	free := w.free(p)
	s.mu.Lock()
	if s.waiting == 0 || free < s.idle {
		s.idle = free
	}
	if w.late >= s.behind {
		s.behind = 0
	}
	s.waiting++
	now := p.now()
	if due, kind = s.takeLocked(p, w, now, now); kind > slotLater {
		s.cameLocked(w, kind, p.now()-max(due, free)) // a Pacer may take its time
	}
	s.mu.Unlock()
	if kind != slotLater {
		return due, kind
	}

	select {
	case s.turn <- struct{}{}:
	case <-p.stop:
		return 0, slotEnd
	}
	defer func() { <-s.turn }()
	s.mu.Lock()
	due, kind = s.takeLocked(p, w, p.now(), math.MaxInt64)
	s.mu.Unlock()
	if kind == slotEnd || !s.sleep(p, due) {
		return 0, slotEnd
	}
	s.mu.Lock()
	s.cameLocked(w, kind, p.now()-max(due, free))
	s.mu.Unlock()
	return due, kind
}

// free returns since when a worker has had nothing to do, or would have had but for the client:
// had its last step not come late by the client's own doing, it would have come earlier.
func (w *worker) free(p *phase) time.Duration {
	if !w.began {
		w.began = true
		return 0
	}
	return p.now() - w.late
}

// cameLocked notes by how much the client itself made a worker's step late.
func (s *schedule) cameLocked(w *worker, kind slot, late time.Duration) {
	w.late = max(late, 0)
	s.behind = max(s.behind, w.late)
	if kind == slotMeasure {
		s.late.add(int64(w.late))
	}
}

// takeLocked takes the next due time, if it is not later than latest.
func (s *schedule) takeLocked(p *phase, w *worker, now, latest time.Duration) (due time.Duration, kind slot) {
	unused := -s.skips.Swap(0)
	if unused < 0 {
		s.skip(-unused)
		unused = 0
	}
	for {
		if p.stopped.Load() {
			return 0, slotEnd
		}
		var ok bool
		if due, ok = s.peek(); !ok {
			return 0, slotEnd
		}
		late := due < s.begin && now >= s.begin // backlog of the warm-up: not carried over
		if !late && !s.missed(due, now) {
			break
		}
		s.drop()
	}
	if due > latest {
		s.skips.Add(-unused)
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
	w.c.quota--
	s.advance()
	s.skip(max(w.c.quota-unused, 0))
	s.skips.Add(-max(unused-w.c.quota, 0))
	s.waiting--
	s.lag = max(now-due, 0)
	return due, kind
}

// missed tells whether every worker of an open loop was busy at a due time. What came due while the
// client itself was behind was not missed: had it been on time, a worker might have been there.
func (s *schedule) missed(due, now time.Duration) bool {
	return s.open && due < now-s.behind && (s.waiting == 0 || due < s.idle)
}

// drop takes a due time for which nothing is sent.
func (s *schedule) drop() {
	s.advance()
	if s.prev >= s.begin {
		s.dropped++
	}
}

// Timers of Go wake up to a millisecond late. So the last stretch is slept by the napper, which
// hears neither the end of the phase nor a fake clock.
const napTime = 1200 * time.Microsecond

// sleep waits until due. It returns false when the phase ends before.
func (s *schedule) sleep(p *phase, due time.Duration) bool {
	for {
		now := p.now()
		d := due - now
		if d <= 0 {
			return !p.stopped.Load()
		}
		if s.napper != nil && d <= napTime {
			if s.napper.nap(d); p.now() == now { // a fake clock stands still meanwhile
				s.napper = nil
			}
			if p.stopped.Load() {
				return false
			}
			continue
		}
		if s.napper != nil {
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

// finishLocked ends the plan at the time stop, when the phase was stopped, or with the last step handed
// out when there is no more to do (stop < 0). It returns the rate at which steps were due since
// the end of the warm-up.
func (s *schedule) finishLocked(stop time.Duration) (offered float64) {
	const most = 1 << 20 // due times that are looked at one by one
	s.skip(max(s.skips.Swap(0), 0))
	for range most {
		due, ok := s.peek()
		if !ok || due >= stop {
			break
		}
		if s.missed(due, stop) {
			s.drop()
			continue
		}
		s.lag = max(s.lag, stop-due)
		s.advance()
	}
	end := s.next
	if !s.drawn { // the plan has ended
		end = s.prev
		if s.taken > 1 {
			end += (s.prev - s.begin) / time.Duration(s.taken-1)
		}
	}
	return perSecond(s.taken, end-s.begin)
}

// sustained tells whether the plan was kept up with: no more than a thousandth of its steps
// dropped, and the last one sent no later than a hundredth of the time, or 10 ms.
func (s *schedule) sustained(elapsed time.Duration) bool {
	return s.dropped <= s.taken/1000 && s.lag <= max(elapsed/100, 10*time.Millisecond)
}
