package generator

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
)

// model is a Sequence written without haste.
type model struct {
	start, next uint64
	settled     map[uint64]bool // from start on
	dead        map[uint64]bool
}

func (m *model) limit() uint64 {
	n := m.start
	for m.settled[n] {
		n++
	}
	return n
}

func (m *model) settle(n uint64, dead bool) bool {
	if n < m.start || n >= m.next || m.settled[n] {
		return false
	}
	m.settled[n] = true
	if dead {
		m.dead[n] = true
	}
	return true
}

func (m *model) readable(n uint64) bool { return n < m.limit() && !m.dead[n] }

func (m *model) remove(n uint64) bool {
	ok := m.readable(n)
	if ok {
		m.dead[n] = true
	}
	return ok
}

func (m *model) count() uint64 {
	limit := m.limit()
	count := limit
	for n := range m.dead {
		if n < limit {
			count--
		}
	}
	return count
}

func (m *model) nearest(n uint64) (uint64, bool) {
	limit := m.limit()
	for i := n; i < limit; i++ {
		if !m.dead[i] {
			return i, true
		}
	}
	for i := uint64(0); i < min(n, limit); i++ {
		if !m.dead[i] {
			return i, true
		}
	}
	return 0, false
}

// TestSequenceAgainstModel does the same at random to a Sequence and to a model of it, misuse included.
func TestSequenceAgainstModel(t *testing.T) {
	for _, start := range []uint64{0, 1, 31, 64, 500, 511, 1 << 14, 1<<20 - 100, 1<<31 - 7, 1e10, 1<<53 - 1000} {
		t.Run(fmt.Sprint(start), func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(20) {
				r := newRand(seed)
				s := NewSequence(start)
				m := &model{start: start, next: start, settled: map[uint64]bool{}, dead: map[uint64]bool{}}
				for range 1500 {
					step(t, r, s, m)
				}
			}
		})
	}
}

func step(t *testing.T, r *rand.Rand, s *Sequence, m *model) {
	t.Helper()
	outstanding := m.next - m.limit()
	n := m.next + 1 - min(r.Uint64N(outstanding+6), m.next+1) // some settled, some not handed out
	if r.IntN(3) == 0 {
		n = m.limit() + r.Uint64N(3)
	}
	low := m.next - min(r.Uint64N(100), m.next)
	switch r.IntN(10) {
	case 0, 1, 2, 3:
		equal(t, "Next()", s.Next(), m.next)
		m.next++
	case 4, 5, 6:
		equal(t, fmt.Sprintf("Ack(%d) is fine", n), s.Ack(n) == nil, m.settle(n, false))
	case 7:
		equal(t, fmt.Sprintf("Fail(%d) is fine", n), s.Fail(n) == nil, m.settle(n, true))
	case 8:
		equal(t, fmt.Sprintf("Remove(%d)", low), s.Remove(low), m.remove(low))
	case 9:
		got, ok := s.Nearest(low, math.MaxUint64)
		want, wantOK := m.nearest(low)
		equal(t, fmt.Sprintf("Nearest(%d) is there", low), ok, wantOK)
		equal(t, fmt.Sprintf("Nearest(%d)", low), got, want)
	}
	equal(t, "Peek()", s.Peek(), m.next)
	equal(t, "Limit()", s.Limit(), m.limit())
	equal(t, "Count()", s.Count(), m.count())
	equal(t, fmt.Sprintf("Readable(%d)", n), s.Readable(n), m.readable(n))
	equal(t, fmt.Sprintf("Readable(%d)", low), s.Readable(low), m.readable(low))
}

func TestSequenceErrors(t *testing.T) {
	s := NewSequence(10)
	fails(t, "Ack of none", s.Ack(10), "generator: sequence: 10 was not handed out")
	fails(t, "Ack before start", s.Ack(9), "generator: sequence: 9 was not handed out")
	for range 3 {
		s.Next()
	}
	fails(t, "Fail of the next", s.Fail(13), "generator: sequence: 13 was not handed out")
	equal(t, "Fail(11)", s.Fail(11), nil)
	fails(t, "Ack of a failed one", s.Ack(11), "generator: sequence: 11 is settled already")
	equal(t, "Ack(12)", s.Ack(12), nil)
	fails(t, "Fail of an acked one", s.Fail(12), "generator: sequence: 12 is settled already")
	equal(t, "Limit()", s.Limit(), 10)
	equal(t, "Ack(10)", s.Ack(10), nil)
	fails(t, "Ack below the limit", s.Ack(10), "generator: sequence: 10 is settled already")
	equal(t, "Limit()", s.Limit(), 13)
	equal(t, "Readable(11)", s.Readable(11), false)
	equal(t, "Readable(12)", s.Readable(12), true)
	equal(t, "Count()", s.Count(), 12)
}

func TestSequenceEmpty(t *testing.T) {
	s := NewSequence(0)
	_, ok := s.Nearest(0, math.MaxUint64)
	equal(t, "Nearest(0) is there", ok, false)
	equal(t, "Remove(0)", s.Remove(0), false)
	equal(t, "Readable(0)", s.Readable(0), false)
	equal(t, "Count()", s.Count(), 0)

	equal(t, "Ack", s.Ack(s.Next()), nil)
	equal(t, "Remove(0)", s.Remove(0), true)
	equal(t, "Remove(0) again", s.Remove(0), false)
	_, ok = s.Nearest(0, math.MaxUint64)
	equal(t, "Nearest(0) is there", ok, false)
}

func TestSequenceManyOutstandingInReverse(t *testing.T) {
	const start, many = 1000, 2 * draws / 5
	s := NewSequence(start)
	for range many {
		s.Next()
	}
	settle := []func(uint64) error{s.Ack, s.Ack, s.Ack, s.Fail}
	var bad error
	for n := uint64(start + many - 1); n > start; n-- {
		if err := settle[n%4](n); err != nil {
			bad = err
		}
	}
	equal(t, "errors", bad, nil)
	equal(t, "Limit() before the first", s.Limit(), start)
	equal(t, "Count() before the first", s.Count(), start)
	equal(t, "Ack", s.Ack(start), nil)
	equal(t, "Limit()", s.Limit(), start+many)
	equal(t, "Count()", s.Count(), start+many-many/4)
	n, ok := s.Nearest(start+3, math.MaxUint64)
	equal(t, "Nearest is there", ok, true)
	equal(t, "Nearest of a failed one", n, start+4)
}

// Numbers that are settled leave no memory behind.
func TestSequenceForgets(t *testing.T) {
	for _, start := range []uint64{0, 1e10} {
		s := NewSequence(start)
		for range draws / 5 {
			if err := s.Ack(s.Next()); err != nil {
				t.Fatal(err)
			}
		}
		equal(t, "nodes are few", nodes(s.pending.root.Load()) <= 10, true)
		equal(t, "nothing is dead", s.dead.words.root.Load() == nil, true)
		equal(t, "allocations", testing.AllocsPerRun(10_000, func() { _ = s.Ack(s.Next()) }), 0)
	}
}

func nodes(n *node) int {
	if n == nil {
		return 0
	}
	total := 1
	for i := range n.kids {
		total += nodes(n.kids[i].Load())
	}
	return total
}

// What is dead takes memory where it is, however far apart.
func TestSequenceSparse(t *testing.T) {
	s := NewSequence(1 << 53)
	for i := range 54 {
		equal(t, "Remove", s.Remove(1<<i-1), true)
	}
	equal(t, "Remove(2^53)", s.Remove(1<<53), false)
	equal(t, "Count()", s.Count(), 1<<53-54)
	equal(t, "nodes are few", nodes(s.dead.words.root.Load()) < 200, true)
	for i := range 53 {
		equal(t, "Readable", s.Readable(1<<(i+1)-1), false)
		n, ok := s.Nearest(1<<i, math.MaxUint64)
		equal(t, "Nearest is there", ok, true)
		equal(t, fmt.Sprintf("Nearest(2^%d)", i), n, uint64(max(1<<i, 2)))
	}
}

func TestSequenceNearestWraps(t *testing.T) {
	const size = 300_000 // above a node of 2^18
	s := NewSequence(size)
	for n := uint64(0); n < size; n++ {
		s.Remove(n)
	}
	_, ok := s.Nearest(7, math.MaxUint64)
	equal(t, "Nearest of none", ok, false)

	s = NewSequence(size)
	for n := uint64(0); n < size; n++ {
		if n != 5 && n != 299_000 {
			s.Remove(n)
		}
	}
	tests := []struct{ n, want uint64 }{{0, 5}, {5, 5}, {6, 299_000}, {299_000, 299_000}, {299_001, 5}, {size - 1, 5}, {size, 5}, {1 << 60, 5}}
	for _, tt := range tests {
		n, ok := s.Nearest(tt.n, math.MaxUint64)
		equal(t, "Nearest is there", ok, true)
		equal(t, fmt.Sprintf("Nearest(%d)", tt.n), n, tt.want)
	}
}

func TestSequenceConcurrently(t *testing.T) {
	const start, workers, each = 500, 8, 20_000
	s := NewSequence(start)
	var failures, removals atomic.Int64
	var wg sync.WaitGroup
	for w := range uint64(workers) {
		wg.Go(func() {
			r := newRand(w)
			var held []uint64
			for range each {
				held = append(held, s.Next())
				for len(held) > r.IntN(100) { // settle some, in any order
					i := r.IntN(len(held))
					n := held[i]
					held[i] = held[len(held)-1]
					held = held[:len(held)-1]
					settle(t, s, n, r.IntN(10) == 0, &failures)
				}
				n := r.Uint64N(s.Limit())
				// A worker that is not scheduled for long holds up Limit: the others leave something.
				if r.IntN(4) == 0 && s.Count() > start/2 && s.Remove(n) {
					removals.Add(1)
				}
				near, ok := s.Nearest(n, math.MaxUint64)
				equal(t, "Nearest is there and below Limit", ok && near < s.Limit(), true)
			}
			for _, n := range held {
				settle(t, s, n, false, &failures)
			}
		})
	}
	wg.Wait()
	equal(t, "Limit()", s.Limit(), start+workers*each)
	equal(t, "Count()", s.Count(), start+workers*each-uint64(failures.Load()+removals.Load()))
	readable := uint64(0)
	for n := range s.Limit() {
		if s.Readable(n) {
			readable++
		}
	}
	equal(t, "readable numbers", readable, s.Count())
}

func settle(t *testing.T, s *Sequence, n uint64, fail bool, failures *atomic.Int64) {
	equal(t, "outstanding numbers are not readable", s.Readable(n), false)
	if fail {
		failures.Add(1)
		equal(t, "Fail", s.Fail(n), nil)
		return
	}
	equal(t, "Ack", s.Ack(n), nil)
}

// Of several that settle or remove the same number one succeeds.
func TestSequenceOneWins(t *testing.T) {
	const many = 3000
	s := NewSequence(0)
	for range many {
		s.Next()
	}
	var settled, removed atomic.Int64
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			settle := []func(uint64) error{s.Ack, s.Fail}[w%2]
			for n := range uint64(many) {
				if settle(n) == nil {
					settled.Add(1)
				}
			}
			for n := range uint64(many) {
				if s.Remove(n) {
					removed.Add(1)
				}
			}
		})
	}
	wg.Wait()
	equal(t, "settled", settled.Load(), many)
	equal(t, "Limit()", s.Limit(), many)
	equal(t, "Count()", s.Count(), 0)
	equal(t, "removed at most once each", removed.Load() <= many, true)
}
