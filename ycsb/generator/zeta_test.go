package generator

import (
	"fmt"
	"math"
	"testing"
)

func TestZetaAgainstSum(t *testing.T) {
	for _, theta := range []float64{0, 0.1, 0.5, Theta, 1 - 1e-12, 1, 1 + 1e-9, 1.5, 2, 3, 8, 50} {
		var exact, low float64 // Kahan's sum
		for n := uint64(1); n <= 200_000; n++ {
			term := math.Pow(float64(n), -theta) - low
			next := exact + term
			low = next - exact - term
			exact = next
			if n <= 40 || n%10_000 == 0 {
				relative(t, fmt.Sprintf("Zeta(%d, %v)", n, theta), Zeta(n, theta), exact, 2e-15)
			}
		}
	}
}

func TestZetaClosedForms(t *testing.T) {
	const euler = 0.57721566490153286061
	tests := []struct {
		n           uint64
		theta, want float64
	}{
		{0, 0.5, 0},
		{1, 0.5, 1},
		{1e9, 1, math.Log(1e9) + euler + 0.5e-9},
		{1 << 53, 1, 53*math.Ln2 + euler},
		{1 << 53, 2, math.Pi * math.Pi / 6},
		{1 << 53, 3, 1.2020569031595942854},
		{1 << 53, 0, 1 << 53},
		{math.MaxUint64, 2, math.Pi * math.Pi / 6},
	}
	for _, tt := range tests {
		relative(t, fmt.Sprintf("Zeta(%d, %v)", tt.n, tt.theta), Zeta(tt.n, tt.theta), tt.want, 1e-14)
	}
	equal(t, "Zeta of NaN is NaN", math.IsNaN(Zeta(100, math.NaN())), true)
}
