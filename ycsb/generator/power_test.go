package generator

import (
	"math"
	"testing"
)

// TestPower compares with Pow, which is exact to the last bit or two, and wants half of the error allowed.
func TestPower(t *testing.T) {
	r := newRand(1)
	for _, theta := range []float64{0.01, 0.5, 0.99, 0.999} {
		alpha := 1 / (1 - theta)
		for range 200_000 {
			x := math.Exp2(-60 / alpha * math.Pow(r.Float64(), 3))
			got, want := power(x, alpha), math.Pow(x, alpha)
			if math.Abs(got-want) > powerError(alpha)/2*want {
				t.Fatalf("power(%v, %v) = %v; want %v, off by %v", x, alpha, got, want, got/want-1)
			}
		}
	}
	for _, tt := range []struct{ x, alpha, want float64 }{{1, 100, 1}, {0.5, 1, 0.5}, {0.5, 2000, 0}, {0x1p-1022, 2, 0}} {
		if got := power(tt.x, tt.alpha); math.Abs(got-tt.want) > 1e-13 {
			t.Errorf("power(%v, %v) = %v; want %v", tt.x, tt.alpha, got, tt.want)
		}
	}
}

// TestZipfIsThatOfExpAndLog compares ranks with those of the plain formula, bit by bit.
func TestZipfIsThatOfExpAndLog(t *testing.T) {
	r := newRand(2)
	for _, n := range []uint64{3, 10, 1000, 1_000_000, 10_000_000_001, 1 << 53} {
		for _, theta := range []float64{0.01, 0.5, 0.99, 0.999} {
			z, err := NewZipf(n, theta)
			if err != nil {
				t.Fatal(err)
			}
			for range 100_000 {
				u := r.Float64()
				if u*z.zetan < z.zeta2 {
					continue
				}
				want := uint64(z.items * math.Exp(z.alpha*math.Log(float64(z.eta*u)-z.eta+1)))
				if got := z.At(u); got != want {
					t.Fatalf("rank at %v of %d, theta %v, is %d; want %d", u, n, theta, got, want)
				}
			}
		}
	}
}
