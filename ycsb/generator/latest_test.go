package generator

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

func TestLatest(t *testing.T) {
	t.Parallel()
	var n atomic.Uint64
	s := must(Latest(n.Load, Theta))(t)
	r := newRand(1)
	equal(t, "Next() of none", s.Next(r), 0)
	for _, size := range []uint64{1, 2, 3, 4, 5, 10, 11, 12, 100, 1000, 300, 1} {
		n.Store(size)
		c := within(t, tally(s, size, draws/10, int(size)))
		slices.Reverse(c)
		fits(t, fmt.Sprintf("distances of %d", size), misfit(c, grayLaw(must(NewZipf(size, Theta))(t), int(size))))
		equal(t, fmt.Sprintf("0 of %d was drawn", size), c[size-1] > 0, true)
	}
}

// After growth record by record the probabilities are those of the size reached, and the check would notice those
// of the formula that keeps the eta of the first size.
func TestLatestAfterGrowth(t *testing.T) {
	t.Parallel()
	var n atomic.Uint64
	s := must(Latest(n.Load, Theta))(t)
	r := newRand(1)
	for range 2000 {
		n.Add(1)
		s.Next(r)
	}
	law := grayLaw(must(NewZipf(2000, Theta))(t), 2000)
	c := within(t, tally(s, 2, draws, 2000))
	slices.Reverse(c)
	fits(t, "distances", misfit(c, law))

	stale := must(NewZipf(2000, Theta))(t)
	stale.eta = must(NewZipf(10, Theta))(t).eta
	misfits(t, "distances with the eta of 10", misfit(tally(stale, 2, draws, 2000)[:2000], law))
}

func TestLatestWhileGrowing(t *testing.T) {
	seq := NewSequence(10)
	s := must(Latest(seq.Limit, Theta))(t)
	var wg sync.WaitGroup
	for i := range uint64(4) {
		wg.Go(func() {
			r := newRand(i)
			for range 5000 {
				equal(t, "Ack", seq.Ack(seq.Next()), nil)
				v := s.Next(r)
				equal(t, "drawn is below Limit", v < seq.Limit(), true)
			}
		})
	}
	wg.Wait()
}

// worker is Latest as its comment tells those to write it who must not allocate.
type worker struct {
	limit func() uint64
	ranks Zipf
}

func (w *worker) Next(r *rand.Rand) uint64 {
	n := w.limit()
	if w.ranks.N() != n {
		w.ranks = w.ranks.Grow(n)
	}
	return n - 1 - w.ranks.Next(r)
}

func TestLatestOfWorker(t *testing.T) {
	var n atomic.Uint64
	shared := must(Latest(n.Load, Theta))(t)
	own := &worker{n.Load, must(NewZipf(1, Theta))(t)}
	a, b := newRand(1), newRand(1)
	for range 1000 {
		n.Add(3)
		equal(t, "Next()", own.Next(b), shared.Next(a))
	}
	equal(t, "allocations", testing.AllocsPerRun(1000, func() { n.Add(1); own.Next(b) }), 0)
}
