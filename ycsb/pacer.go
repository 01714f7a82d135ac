package ycsb

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// Pacer plans when steps are due. It is a pure function of its arguments, hence safe for
// concurrent use.
type Pacer interface {
	// Next returns when the step after the one due at prev is due, and prev < 0 asks for
	// the first one. Times count from the start of the phase, warm-up included, and never
	// decrease. ok is false when the plan ends. All randomness comes from r.
	Next(prev time.Duration, r *rand.Rand) (due time.Duration, ok bool)
}

// Constant plans rate steps a second, evenly spaced. It panics unless rate is a positive
// finite number.
func Constant(rate float64) Pacer { return constant(checkRate("Constant", rate)) }

// Poisson plans steps whose distances are exponentially distributed around 1/rate seconds:
// independent users. It panics unless rate is a positive finite number.
func Poisson(rate float64) Pacer { return poisson(checkRate("Poisson", rate)) }

// Ramp plans steps whose rate goes linearly from one rate to another and stays there. It
// panics unless both rates are positive finite numbers and over is positive.
func Ramp(from, to float64, over time.Duration) Pacer {
	if over <= 0 {
		panic("ycsb: Ramp: over must be positive")
	}
	return ramp{checkRate("Ramp", from), checkRate("Ramp", to), over.Seconds()}
}

func checkRate(name string, rate float64) float64 {
	if !(rate > 0) || math.IsInf(rate, 0) {
		panic("ycsb: " + name + ": rate must be a positive finite number")
	}
	return rate
}

// seconds converts to a Duration, at most the longest one.
func seconds(s float64) time.Duration {
	if s >= math.MaxInt64/1e9 {
		return math.MaxInt64
	}
	return time.Duration(math.Round(s * 1e9))
}

type constant float64

func (c constant) String() string { return fmt.Sprintf("constant %v/s", float64(c)) }

// Next computes the number of the step from prev, so that rounding to nanoseconds does not
// add up: step n is due at n/rate.
func (c constant) Next(prev time.Duration, _ *rand.Rand) (time.Duration, bool) {
	if prev < 0 {
		return 0, true
	}
	n := math.Round(prev.Seconds() * float64(c))
	next := seconds((n + 1) / float64(c))
	return max(next, prev), true
}

type poisson float64

func (p poisson) String() string { return fmt.Sprintf("poisson %v/s", float64(p)) }

func (p poisson) Next(prev time.Duration, r *rand.Rand) (time.Duration, bool) {
	gap := seconds(r.ExpFloat64() / float64(p))
	prev = max(prev, 0)
	if gap > math.MaxInt64-prev {
		return 0, false
	}
	return prev + gap, true
}

type ramp struct{ from, to, over float64 }

func (p ramp) String() string { return fmt.Sprintf("ramp %v/s to %v/s in %v s", p.from, p.to, p.over) }

// Next inverts N(t), the number of steps due by t: N(t) = from·t + (to−from)·t²/(2·over) up to
// over, and linear from there on.
func (p ramp) Next(prev time.Duration, _ *rand.Rand) (time.Duration, bool) {
	if prev < 0 {
		return 0, true
	}
	n := math.Round(p.steps(prev.Seconds())) + 1
	return max(seconds(p.time(n)), prev), true
}

func (p ramp) steps(t float64) float64 {
	u := min(t, p.over)
	return p.from*u + (p.to-p.from)*u*u/(2*p.over) + p.to*(t-u)
}

func (p ramp) time(n float64) float64 {
	if all := p.steps(p.over); n > all {
		return p.over + (n-all)/p.to
	}
	// from·t + a·t² = n, in the form that does not cancel when a is small.
	a := (p.to - p.from) / (2 * p.over)
	return 2 * n / (p.from + math.Sqrt(p.from*p.from+4*a*n))
}
