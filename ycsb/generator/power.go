package generator

import "math"

// The zipfian formula needs a power for each draw, rounded down to a whole rank. Exp and Log would take half of
// the time that a whole step of a benchmark takes. power is three times as fast, by tables and short
// polynomials, and a little less exact; where that could change the rank, the caller falls back on Exp and Log,
// which are what Java's ranks agree with.

const (
	logBits = 7 // of the mantissa, which choose the table's entry
	expBits = 6 // of the fraction of an exponent
)

// logTable holds, for the middle m of each of the equal parts of [1, 2), 1/m rounded, and the binary logarithm
// of what that is the inverse of.
var logTable = func() (t [1 << logBits]struct{ inverse, log float64 }) {
	for i := range t {
		inverse := 1 / (1 + (float64(i)+0.5)/(1<<logBits))
		t[i].inverse, t[i].log = inverse, -math.Log2(inverse)
	}
	return t
}()

// expTable holds the powers of two of the fractions of an exponent.
var expTable = func() (t [1 << expBits]float64) {
	for i := range t {
		t[i] = math.Exp2(float64(i) / (1 << expBits))
	}
	return t
}()

// powerError returns the relative error that power may have with an exponent, with a margin, for results
// of at least 2^-60: the logarithm is off by some 1e-15, and as much as 2^-60 costs in digits.
func powerError(alpha float64) float64 { return 1.5e-14 + 4e-15*alpha }

// power returns about x^alpha, for a normal x from 0 to 1 and a positive alpha.
func power(x, alpha float64) float64 {
	// log2 x = exponent + log2 m + log2(1+r), the last by its Taylor series: |r| < 2^-8, so that the first
	// term left out is below 1e-15.
	const c1, c2, c3, c4, c5 = 1 / math.Ln2, -1 / (2 * math.Ln2), 1 / (3 * math.Ln2), -1 / (4 * math.Ln2), 1 / (5 * math.Ln2)
	bits := math.Float64bits(x)
	entry := &logTable[bits>>(52-logBits)&(1<<logBits-1)]
	mantissa := math.Float64frombits(bits&(1<<52-1) | 1023<<52)
	r := mantissa*entry.inverse - 1
	y := alpha * (float64(int64(bits>>52)-1023) + entry.log + r*(c1+r*(c2+r*(c3+r*(c4+r*c5)))))
	if !(y > -1000) {
		return 0
	}

	// 2^y = 2^(whole/64)·2^f, the last by its Taylor series: |f| <= 1/128, and the first term left out is
	// below 1e-16. Adding the magic number rounds to a whole one.
	const d1, d2, d3, d4, d5 = math.Ln2, math.Ln2 * math.Ln2 / 2, math.Ln2 * math.Ln2 * math.Ln2 / 6,
		math.Ln2 * math.Ln2 * math.Ln2 * math.Ln2 / 24, math.Ln2 * math.Ln2 * math.Ln2 * math.Ln2 * math.Ln2 / 120
	const magic = 3 << 51
	whole := y*(1<<expBits) + magic - magic
	f := y - whole/(1<<expBits)
	k := int64(whole)
	scale := math.Float64frombits(uint64(k>>expBits+1023) << 52)
	return scale * expTable[k&(1<<expBits-1)] * (1 + f*(d1+f*(d2+f*(d3+f*(d4+f*d5)))))
}
