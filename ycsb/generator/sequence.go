package generator

import (
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"
)

// Sequence hands out the numbers of new records, one after the other, and knows which of all numbers may be read.
// Each number handed out is settled once: by [Sequence.Ack] when its record is in the database, by
// [Sequence.Fail] when it never will be. Numbers become readable in their order, when all before
// them are settled, until [Sequence.Remove] takes them away.
//
// All methods are safe for concurrent use. None waits for another goroutine, however many numbers are
// outstanding and in whatever order they are settled. Outstanding numbers take two bits each, failed and
// removed ones one bit.
type Sequence struct {
	start uint64
	next  atomic.Uint64

	limit atomic.Uint64
	dead  bitmap       // failed or removed
	gone  atomic.Int64 // how many of those below limit are dead

	pending words      // two bits for each number from limit on, see the states
	moving  sync.Mutex // held to move limit, never waited for
}

// The states of a number in Sequence.pending; 0 is not settled.
const (
	acked  = 1
	failed = 2

	stateBits = 2
	perWord   = 64 / stateBits     // numbers in a word
	lowBits   = 0x5555555555555555 // the lower bit of each
)

// NewSequence returns a Sequence that begins to hand out at start, which is below 2^63; all numbers below start
// are readable.
func NewSequence(start uint64) *Sequence {
	s := &Sequence{start: start}
	s.next.Store(start)
	s.limit.Store(start)
	return s
}

// Next hands out a number.
func (s *Sequence) Next() uint64 { return s.next.Add(1) - 1 }

// Peek returns the number that Next would hand out.
func (s *Sequence) Peek() uint64 { return s.next.Load() }

// Ack settles n: it is readable as soon as all numbers below are settled. It is an error, which changes
// nothing, when n was never handed out or is settled already.
func (s *Sequence) Ack(n uint64) error { return s.settle(n, acked) }

// Fail settles n: it never becomes readable, and holds up no other number. Its errors are those of Ack.
func (s *Sequence) Fail(n uint64) error { return s.settle(n, failed) }

// Remove makes n unreadable for good and reports whether it was readable before. Of several callers one gets true.
func (s *Sequence) Remove(n uint64) bool {
	if n >= s.limit.Load() || !s.dead.add(n) {
		return false
	}
	s.gone.Add(1)
	return true
}

// Limit returns the number below which all are settled. It never decreases.
func (s *Sequence) Limit() uint64 { return s.limit.Load() }

// Readable reports whether n may be read: it is below Limit, and neither failed nor removed.
func (s *Sequence) Readable(n uint64) bool { return n < s.limit.Load() && !s.dead.has(n) }

// Count returns how many numbers are readable; while others fail or remove numbers it may be off by theirs.
func (s *Sequence) Count() uint64 {
	limit := int64(s.limit.Load())
	return uint64(max(limit-s.gone.Load(), 0))
}

// Nearest returns the first readable number from n on and below end, going on at 0, or false when
// none below end is readable. It passes over long runs of unreadable numbers quickly.
func (s *Sequence) Nearest(n, end uint64) (uint64, bool) {
	end = min(end, s.limit.Load())
	if n < end {
		if m := s.dead.next(n, end); m < end {
			return m, true
		}
	}
	end = min(n, end)
	if m := s.dead.next(0, end); m < end {
		return m, true
	}
	return 0, false
}

func (s *Sequence) settle(n, state uint64) error {
	if n < s.start || n >= s.next.Load() {
		return fmt.Errorf("generator: sequence: %d was not handed out", n)
	}
	if n < s.limit.Load() {
		return fmt.Errorf("generator: sequence: %d is settled already", n)
	}
	// The leaf comes first: if it was dropped and made again, the limit has passed n before.
	leaf := s.pending.leaf(n / perWord)
	if n < s.limit.Load() || !setState(leaf.word(n/perWord), n, state) {
		return fmt.Errorf("generator: sequence: %d is settled already", n)
	}
	if n == s.limit.Load() {
		s.advance()
	}
	return nil
}

// setState sets the state of n in its word, unless it has one.
func setState(word *atomic.Uint64, n, state uint64) bool {
	shift := n % perWord * stateBits
	for {
		old := word.Load()
		if old>>shift&(acked|failed) != 0 {
			return false
		}
		if word.CompareAndSwap(old, old|state<<shift) {
			return true
		}
	}
}

// advance moves the limit over all that is settled. One goroutine at a time does it. The others need not wait:
// what they settled before they found it busy is seen by its last look, which comes after the unlocking.
func (s *Sequence) advance() {
	for s.isSettled(s.limit.Load()) {
		if !s.moving.TryLock() {
			return
		}
		s.advanceLocked()
		s.moving.Unlock()
	}
}

func (s *Sequence) isSettled(n uint64) bool {
	leaf := s.pending.find(n / perWord)
	return leaf != nil && leaf.word(n/perWord).Load()>>(n%perWord*stateBits)&(acked|failed) != 0
}

func (s *Sequence) advanceLocked() {
	n := s.limit.Load()
	leaf := s.pending.find(n / perWord)
	for leaf != nil {
		states := leaf.word(n/perWord).Load() >> (n % perWord * stateBits)
		run := bits.TrailingZeros64(^(states|states>>1)&lowBits) / stateBits
		if run == 0 {
			return
		}
		s.buryLocked(n, states>>1&lowBits&(1<<(run*stateBits)-1))
		n += uint64(run)
		s.limit.Store(n)
		if n%(perWord*leafLen) == 0 {
			s.pending.drop(n / perWord)
		}
		if n%perWord == 0 {
			leaf = s.pending.find(n / perWord)
		}
	}
}

// buryLocked makes the failed ones of the numbers from n on unreadable, before the limit passes them.
func (s *Sequence) buryLocked(n, failures uint64) {
	for f := failures; f != 0; f &= f - 1 {
		s.dead.add(n + uint64(bits.TrailingZeros64(f)/stateBits))
		s.gone.Add(1)
	}
}
