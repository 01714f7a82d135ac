package generator

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"
)

// Source draws numbers. It is safe for concurrent use as long as each goroutine has an r of its own.
type Source interface {
	Next(r *rand.Rand) uint64
}

// Constant returns a Source of nothing but v.
func Constant(v uint64) Source { return constant(v) }

type constant uint64

func (c constant) Next(*rand.Rand) uint64 { return uint64(c) }

// Uniform returns a Source of the numbers from lo to hi, both included, each as likely as the others.
// It is an error when lo is above hi or the range holds all 2^64 numbers; so it is for every range below.
func Uniform(lo, hi uint64) (Source, error) {
	if err := checkRange(lo, hi); err != nil {
		return nil, fmt.Errorf("generator: uniform: %w", err)
	}
	return uniform{lo: lo, n: hi - lo + 1}, nil
}

type uniform struct{ lo, n uint64 }

func (u uniform) Next(r *rand.Rand) uint64 { return u.lo + r.Uint64N(u.n) }

// Sequential returns a Source that goes from lo to hi, both included, and then begins again. All who share it
// take their numbers from one cycle. It ignores r, which may be nil.
func Sequential(lo, hi uint64) (Source, error) {
	if err := checkRange(lo, hi); err != nil {
		return nil, fmt.Errorf("generator: sequential: %w", err)
	}
	return &sequential{lo: lo, n: hi - lo + 1}, nil
}

type sequential struct {
	lo, n uint64
	drawn atomic.Uint64
}

func (s *sequential) Next(*rand.Rand) uint64 { return s.lo + (s.drawn.Add(1)-1)%s.n }

// Hotspot returns a Source over [lo, hi] of which the first ⌊dataFraction·n⌋ numbers are hot: they get opFraction
// of the draws, the others the rest; within each set all are alike. When one set is empty the other gets
// all draws. Both fractions are from 0 to 1.
func Hotspot(lo, hi uint64, dataFraction, opFraction float64) (Source, error) {
	var faults []error
	if err := checkRange(lo, hi); err != nil {
		faults = append(faults, fmt.Errorf("generator: hotspot: %w", err))
	}
	if !(dataFraction >= 0 && dataFraction <= 1) {
		faults = append(faults, fmt.Errorf("generator: hotspot: data fraction %v: must be in [0, 1]", dataFraction))
	}
	if !(opFraction >= 0 && opFraction <= 1) {
		faults = append(faults, fmt.Errorf("generator: hotspot: operation fraction %v: must be in [0, 1]", opFraction))
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	n := hi - lo + 1
	h := &hotspot{lo: lo, hot: scale(n, dataFraction), ops: opFraction}
	h.cold = n - h.hot
	switch {
	case h.hot == 0:
		h.ops = 0
	case h.cold == 0:
		h.ops = 1
	}
	return h, nil
}

type hotspot struct {
	lo, hot, cold uint64
	ops           float64
}

func (h *hotspot) Next(r *rand.Rand) uint64 {
	if r.Float64() < h.ops {
		return h.lo + r.Uint64N(h.hot)
	}
	return h.lo + h.hot + r.Uint64N(h.cold)
}

// scale returns ⌊fraction·n⌋, at most n, for a fraction from 0 to 1.
func scale(n uint64, fraction float64) uint64 {
	x := float64(n) * fraction
	if x >= float64(n) {
		return n
	}
	return uint64(x)
}

// Exponential returns a Source of ⌊-ln(u)/gamma⌋ with gamma = -ln(1-percentile/100)/span, as in YCSB:
// percentile per cent of the draws are below span. The percentile is between 0 and 100, the span above 0,
// both excluded. There is no upper end but 2^63.
func Exponential(percentile, span float64) (Source, error) {
	var faults []error
	if !(percentile > 0 && percentile < 100) {
		faults = append(faults, fmt.Errorf("generator: exponential: percentile %v: must be in (0, 100)", percentile))
	}
	if !(span > 0 && span <= math.MaxFloat64) {
		faults = append(faults, fmt.Errorf("generator: exponential: span %v: must be finite and above 0", span))
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return exponential{gamma: -math.Log1p(-percentile/100) / span}, nil
}

type exponential struct{ gamma float64 }

func (e exponential) Next(r *rand.Rand) uint64 {
	const most = 1 << 63
	return uint64(min(-math.Log(1-r.Float64())/e.gamma, most)) // 1-u is never 0
}

// checkRange says what is wrong with the range [lo, hi].
func checkRange(lo, hi uint64) error {
	switch {
	case lo > hi:
		return fmt.Errorf("range [%d, %d]: the lower end is above the upper", lo, hi)
	case hi-lo == math.MaxUint64:
		return fmt.Errorf("range [%d, %d]: must hold fewer than 2^64 numbers", lo, hi)
	}
	return nil
}
