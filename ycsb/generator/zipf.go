package generator

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// Theta is the skew of YCSB's zipfian distributions.
const Theta = 0.99

// Zipf draws ranks from 0 to N()-1, rank k with a probability close to that of 1/(k+1)^theta: those of ranks 0 and
// 1 are exact, the others follow a power law. It is the formula of Gray et al., "Quickly generating
// billion-record synthetic databases" (SIGMOD 1994), and of Java YCSB's ZipfianGenerator. A Zipf is a value of
// parameters that never change, hence safe for concurrent use; make it with [NewZipf]. See [Exact] for
// a distribution that is zipfian in all ranks.
type Zipf struct {
	n      uint64
	items  float64 // n
	theta  float64
	alpha  float64 // 1/(1-theta)
	unsure float64 // relative error that power may have
	zetan  float64
	eta    float64
	zeta2  float64 // zeta of two items: u·zetan from 1 to here is rank 1
}

// NewZipf returns a Zipf of n ranks, 1 to 2^53. Gray's formula holds for a theta between 0 and 1, both
// excluded. It takes a microsecond whatever n is.
func NewZipf(n uint64, theta float64) (Zipf, error) {
	if err := checkZipf("zipfian", n, theta); err != nil {
		return Zipf{}, err
	}
	return newZipf(n, theta, Zeta(n, theta)), nil
}

func checkZipf(who string, n uint64, theta float64) error {
	var faults []error
	if n < 1 || n > maxExact {
		faults = append(faults, fmt.Errorf("generator: %s: %d items: must be in [1, 2^53]", who, n))
	}
	if !(theta > 0 && theta < 1) {
		faults = append(faults, fmt.Errorf("generator: %s: theta %v: must be in (0, 1)", who, theta))
	}
	return errors.Join(faults...)
}

func newZipf(n uint64, theta, zetan float64) Zipf {
	alpha := 1 / (1 - theta)
	return Zipf{theta: theta, alpha: alpha, unsure: powerError(alpha), zeta2: Zeta(2, theta)}.resize(n, zetan)
}

// resize returns z for n ranks, given their zeta.
func (z Zipf) resize(n uint64, zetan float64) Zipf {
	z.n, z.items, z.zetan = n, float64(n), zetan
	z.eta = 1 // of no effect with one item or two, for which the formula has no value
	if n > 2 {
		z.eta = (1 - math.Pow(2/z.items, 1-z.theta)) / (1 - z.zeta2/zetan)
	}
	return z
}

// N returns the number of ranks.
func (z Zipf) N() uint64 { return z.n }

// At returns the rank at u, 0 <= u < 1, of the cumulative distribution, as Java YCSB computes it: for a u within
// rounding of 1 that can be N() itself, which Next never returns.
func (z Zipf) At(u float64) uint64 { return z.at(u) }

// at is At without a copy of z.
func (z *Zipf) at(u float64) uint64 {
	switch uz := u * z.zetan; {
	case uz < 1:
		return 0
	case uz < z.zeta2:
		return 1
	}
	// The conversion forbids a fused multiply-add, which would round otherwise than Java does.
	x := float64(z.eta*u) - z.eta + 1
	v := z.items * power(x, z.alpha)
	rank := math.Floor(v)
	if off := v - rank; off > v*z.unsure && off < 1-v*z.unsure {
		return uint64(rank)
	}
	return uint64(z.items * math.Exp(z.alpha*math.Log(x)))
}

// Next draws a rank.
func (z Zipf) Next(r *rand.Rand) uint64 { return z.next(r) }

// next is Next without a copy of z.
func (z *Zipf) next(r *rand.Rand) uint64 { return min(z.at(r.Float64()), z.n-1) }

// Grow returns z for n ranks, with the probabilities of a Zipf made for n. (Those of the YCSB implementations
// are off after growth, as they keep the eta of the first n.) Growth by a few ranks costs less than NewZipf,
// any other change as much; nothing is allocated.
func (z Zipf) Grow(n uint64) Zipf {
	if n == z.n {
		return z
	}
	return z.grow(n)
}

func (z Zipf) grow(n uint64) Zipf {
	const (
		few   = 12 // terms cost no more than Zeta does
		drift = 12 // Zeta anew every 2^12 ranks, or rounding errors would pile up
	)
	if n < z.n || n-z.n > few || n>>drift != z.n>>drift {
		return z.resize(n, Zeta(n, z.theta))
	}
	zetan := z.zetan
	for k := z.n + 1; k <= n; k++ {
		zetan += math.Pow(float64(k), -z.theta)
	}
	return z.resize(n, zetan)
}

// Zipfian returns a Source over [lo, hi], both included, lo being the most likely: lo plus a rank of [Zipf].
func Zipfian(lo, hi uint64, theta float64) (Source, error) {
	if err := checkRange(lo, hi); err != nil {
		return nil, errors.Join(fmt.Errorf("generator: zipfian: %w", err), checkZipf("zipfian", 1, theta))
	}
	z, err := NewZipf(hi-lo+1, theta)
	if err != nil {
		return nil, err
	}
	return &zipfian{lo: lo, ranks: z}, nil
}

type zipfian struct {
	lo    uint64
	ranks Zipf
}

func (z *zipfian) Next(r *rand.Rand) uint64 { return z.lo + z.ranks.next(r) }

// The scrambled zipfian draws from so many items, and with theta .99 so far rounded a zeta, in all of YCSB.
const (
	scrambledItems = 10_000_000_001
	scrambledZeta  = 26.46902820178302
)

// Scrambled returns YCSB's requestdistribution zipfian over [lo, hi], both included: a rank drawn from a [Zipf] of
// 10,000,000,001 items is hashed onto the range, lo + FNV64(rank) mod (hi-lo+1). Which numbers are hot thus
// depends on the size of the range only, and how hot they are hardly. With [Theta] the parameters are those
// of Java YCSB, its rounded zeta included.
func Scrambled(lo, hi uint64, theta float64) (Source, error) {
	err := checkZipf("scrambled zipfian", scrambledItems, theta)
	if rangeErr := checkRange(lo, hi); rangeErr != nil {
		err = errors.Join(fmt.Errorf("generator: scrambled zipfian: %w", rangeErr), err)
	}
	if err != nil {
		return nil, err
	}
	zetan := scrambledZeta
	if theta != Theta {
		zetan = Zeta(scrambledItems, theta)
	}
	return &scrambled{lo: lo, n: hi - lo + 1, ranks: newZipf(scrambledItems, theta, zetan)}, nil
}

type scrambled struct {
	lo, n uint64
	ranks Zipf
}

func (s *scrambled) Next(r *rand.Rand) uint64 { return s.at(s.ranks.next(r)) }

// at returns the number onto which a rank is hashed.
func (s *scrambled) at(rank uint64) uint64 { return s.lo + FNV64(rank)%s.n }
