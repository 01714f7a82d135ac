package generator

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
)

// Exact draws from the true Zipf distribution over n items, rank k with probability 1/(k+1)^theta/Zeta(n, theta), and
// scatters the ranks over the numbers from 0 to n-1. It is YCSB-like skew that depends on n and theta as
// textbooks say; requestdistribution zipfian_exact. An Exact never changes and is safe for concurrent use; make
// it with [NewExact].
//
// Draws are by rejection-inversion, which needs neither tables nor sums: W. Hörmann and G. Derflinger,
// "Rejection-inversion to generate variates from monotone discrete distributions" (ACM TOMACS 6, 1996).
// Probabilities are as fine as a float64: what is rarer than 1e-15 may be twice as rare, or never be drawn.
type Exact struct {
	n     uint64
	theta float64
	first float64 // area(3/2) - 1, where the area of rank 1 begins
	last  float64 // area(n+1/2), where that of rank n ends
	sure  float64 // a point this far below its rank at most is never rejected
	order permutation
}

// NewExact returns an Exact of n items, 1 to 2^53, with a theta in (0, 3]. It takes less than a microsecond.
func NewExact(n uint64, theta float64) (Exact, error) {
	var faults []error
	if n < 1 || n > maxExact {
		faults = append(faults, fmt.Errorf("generator: zipfian_exact: %d items: must be in [1, 2^53]", n))
	}
	if !(theta > 0 && theta <= 3) {
		faults = append(faults, fmt.Errorf("generator: zipfian_exact: theta %v: must be in (0, 3]", theta))
	}
	if len(faults) > 0 {
		return Exact{}, errors.Join(faults...)
	}
	e := Exact{n: n, theta: theta, order: newPermutation(n)}
	e.first = e.area(1.5) - 1
	e.last = e.area(float64(n) + 0.5)
	e.sure = 2 - e.point(e.area(2.5)-math.Pow(2, -theta))
	return e, nil
}

// N returns the number of items.
func (e Exact) N() uint64 { return e.n }

// Next draws a number from 0 to N()-1: the place of a rank.
func (e Exact) Next(r *rand.Rand) uint64 { return e.order.at(e.Rank(r)) }

// Place returns the number that has the given rank, which must be below N(). Each number has one rank, and the
// same for the same n at all times: data and runs can be compared.
func (e Exact) Place(rank uint64) uint64 { return e.order.at(rank) }

// Rank draws a rank from 0, the most frequent, to N()-1.
func (e Exact) Rank(r *rand.Rand) uint64 {
	const flat = 1 << 20 // beyond it less than one point of 10^12 is rejected, and rounding would reject more
	for {
		// Half a step off the ends, as the end of a steep distribution is at infinity.
		u := e.last + float64((r.Float64()+0x1p-54)*(e.first-e.last))
		x := e.point(u)
		k := min(max(math.RoundToEven(x), 1), float64(e.n))
		if k == 1 || k-x <= e.sure || k > flat || u >= e.area(k+0.5)-math.Exp(-e.theta*math.Log(k)) {
			return uint64(k) - 1
		}
	}
}

// area returns the integral of x^-theta from 1 to x.
func (e Exact) area(x float64) float64 {
	ln := math.Log(x)
	return ln * expm1Ratio((1-e.theta)*ln)
}

// point is the inverse of area.
func (e Exact) point(area float64) float64 {
	return math.Exp(area * log1pRatio((1-e.theta)*area))
}

// permutation is a fixed bijection of the numbers below n. Steps that can be undone (a sum, products with odd
// numbers, xors with the upper half) permute the numbers below the next power of two; what falls between is
// sent round again, twice at most on average, which leaves a permutation of those below n (Black and Rogaway,
// "Ciphers with arbitrary finite domains", 2002).
type permutation struct {
	n, mask uint64
	half    uint
}

func newPermutation(n uint64) permutation {
	b := bits.Len64(n - 1)
	return permutation{n: n, mask: 1<<b - 1, half: uint(b+1) / 2}
}

func (p permutation) at(x uint64) uint64 {
	for {
		x = (x + gamma) & p.mask
		x ^= x >> (p.half & 63)
		x = x * 0xbf58476d1ce4e5b9 & p.mask
		x ^= x >> (p.half & 63)
		x = x * 0x94d049bb133111eb & p.mask
		x ^= x >> (p.half & 63)
		x = x * 0xd6e8feb86659fd93 & p.mask
		x ^= x >> (p.half & 63)
		if x < p.n {
			return x
		}
	}
}
