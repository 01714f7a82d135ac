package generator

import (
	"errors"
	"math/rand/v2"
	"sync/atomic"
)

// Latest returns a Source of the numbers below limit(), the newer the more likely: the distance back from the newest
// is drawn from a [Zipf] of all of them, so that 0 can be drawn too. limit is called once a draw and must be
// safe for concurrent use, as [Sequence.Limit] is; while it returns 0 so does Next. Theta is
// between 0 and 1, both excluded.
//
// The parameters are those of the current limit. When it has changed, a draw takes a fifth of a microsecond longer and
// allocates them. A worker that must not allocate keeps a Zipf of its own:
//
//	if z.N() != n {
//		z = z.Grow(n)
//	}
//	key := n - 1 - z.Next(r)
func Latest(limit func() uint64, theta float64) (Source, error) {
	if err := checkZipf("latest", 1, theta); err != nil {
		return nil, err
	}
	if limit == nil {
		return nil, errors.New("generator: latest: no limit")
	}
	l := &latest{limit: limit}
	z := newZipf(1, theta, 1)
	l.ranks.Store(&z)
	return l, nil
}

type latest struct {
	limit func() uint64
	ranks atomic.Pointer[Zipf] // of a limit seen lately
}

func (l *latest) Next(r *rand.Rand) uint64 {
	n := l.limit()
	if n == 0 {
		return 0
	}
	z := l.ranks.Load()
	if z.n != n {
		z = l.grow(z, n)
	}
	return n - 1 - z.Next(r)
}

func (l *latest) grow(z *Zipf, n uint64) *Zipf {
	grown := z.Grow(n)
	l.ranks.Store(&grown) // of several at a time any may win
	return &grown
}
