package generator

import "math"

// Zeta returns the generalized harmonic number 1/1^theta + 1/2^theta + … + 1/n^theta, for any theta from 0 on,
// to 14 digits and in constant time: the first terms are added up, the others follow from the
// Euler–Maclaurin formula (NIST Digital Library of Mathematical Functions, 2.10.1).
func Zeta(n uint64, theta float64) float64 {
	const direct = 12
	sum := 0.0
	for k := min(n, direct); k > 0; k-- { // small terms first
		sum += math.Pow(float64(k), -theta)
	}
	if n <= direct {
		return sum
	}
	a, b := float64(direct), float64(n)
	fa, fb := math.Pow(a, -theta), math.Pow(b, -theta)
	// Σ over (a, b] of f is ∫f + (f(b)-f(a))/2 + Σ B2j/(2j)! (f⁽²ʲ⁻¹⁾(b) - f⁽²ʲ⁻¹⁾(a)).
	tail := (fb - fa) / 2
	da, db := fa*theta/a, fb*theta/b // -f⁽²ʲ⁻¹⁾
	for j, c := range bernoulli {
		tail += c * (da - db)
		d := theta + float64(2*j+1)
		da *= d * (d + 1) / (a * a)
		db *= d * (d + 1) / (b * b)
	}
	ln := math.Log(b / a)
	integral := fa * a * ln * expm1Ratio((1-theta)*ln)
	return sum + (integral + tail)
}

// bernoulli has B2j/(2j)! for j = 1 to 6.
var bernoulli = [...]float64{
	1. / 12, -1. / 720, 1. / 30240, -1. / 1209600, 1. / 47900160, -691. / 1307674368000,
}

// expm1Ratio returns (e^x-1)/x, which tends to 1 at 0.
func expm1Ratio(x float64) float64 {
	if math.Abs(x) < 1e-8 {
		return 1 + x/2
	}
	return math.Expm1(x) / x
}

// log1pRatio returns ln(1+x)/x, which tends to 1 at 0.
func log1pRatio(x float64) float64 {
	if math.Abs(x) < 1e-8 {
		return 1 - x/2
	}
	return math.Log1p(x) / x
}
