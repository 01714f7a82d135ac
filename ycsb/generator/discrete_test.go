package generator

import (
	"fmt"
	"math"
	"testing"
)

func TestDiscrete(t *testing.T) {
	many := make([]float64, 300)
	for i := range many {
		many[i] = float64(i % 7)
	}
	tests := [][]float64{
		{1},
		{0.5, 0.3, 0.2, 0.05},
		{0, 1, 0},
		{0, 0, 3, 1, 0},
		{1e308, 1e308, 1e308},
		{5e-324, 1e-323},
		{1, 1e-9},
		many,
	}
	for _, weights := range tests {
		c := within(t, tally(must(Discrete(weights...))(t), 1, 1_000_000, len(weights)))
		p := make([]float64, len(weights))
		for i, w := range weights {
			p[i] = w / max(weights[0], weights[len(weights)-1], 1e-300) // the sum stays finite
			equal(t, fmt.Sprintf("draws of weight 0 of %v", weights), w == 0 && c[i] > 0, false)
		}
		fits(t, fmt.Sprintf("Discrete(%.10v)", weights), misfit(c, p))
	}
}

func TestDiscreteAgainstJava(t *testing.T) {
	d := must(Discrete(0.5, 0.3, 0.2, 0.05))(t)
	c := within(t, tally(d, 2, draws, 4))
	fits(t, "Discrete against Java", misfit2(c, counts(t, "emp-discrete.tsv")))
	misfits(t, "other weights against Java", misfit2(tally(must(Discrete(0.5, 0.3, 0.2, 0.06))(t), 2, draws, 4)[:4], counts(t, "emp-discrete.tsv")))
}

// The proportions of workloads A to F: read, update, insert, scan, read-modify-write.
func TestDiscreteMixes(t *testing.T) {
	tests := map[string][]float64{
		"A": {0.5, 0.5, 0, 0, 0},
		"B": {0.95, 0.05, 0, 0, 0},
		"C": {1, 0, 0, 0, 0},
		"D": {0.95, 0, 0.05, 0, 0},
		"E": {0, 0, 0.05, 0.95, 0},
		"F": {0.5, 0, 0, 0, 0.5},
	}
	for name, weights := range tests {
		c := within(t, tally(must(Discrete(weights...))(t), 1, 100_000, 5))
		for i, w := range weights {
			near(t, fmt.Sprintf("%s: share %d", name, i), float64(c[i])/100_000, w, 0.01)
		}
	}
}

func TestDiscreteKeepsNoWeights(t *testing.T) {
	weights := []float64{1, 0}
	d := must(Discrete(weights...))(t)
	weights[0], weights[1] = 0, math.Inf(1)
	equal(t, "Next()", d.Next(newRand(1)), 0)
}
