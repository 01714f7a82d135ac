package generator

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
)

// Discrete returns a Source of the indexes of weights, each as likely as its share of their sum. Weights must be
// finite and not negative, and one of them above 0; an index whose weight is 0 is never drawn. The weights
// are not retained. Of a single weight above 0 a draw takes nothing.
//
// A draw takes one random number, one multiplication and one comparison however many weights there are (the
// alias method: Walker 1977, with the set-up of Vose, "A linear algorithm for generating random numbers with
// a given distribution", 1991).
func Discrete(weights ...float64) (Source, error) {
	a, err := newAlias(weights)
	if err != nil {
		return nil, fmt.Errorf("generator: discrete: %w", err)
	}
	if len(a.columns) == 1 {
		return Constant(a.columns[0].own), nil
	}
	return a, nil
}

// alias draws values by two equally likely steps: a column, then its own value or that of its alias.
type alias struct{ columns []column }

type column struct {
	own, other uint64
	share      uint64 // of own, in units of 2^-64
}

func (a *alias) Next(r *rand.Rand) uint64 {
	i, rest := bits.Mul64(r.Uint64(), uint64(len(a.columns)))
	c := &a.columns[i]
	if rest < c.share {
		return c.own
	}
	return c.other
}

func newAlias(weights []float64) (*alias, error) {
	var faults []error
	most := 0.0
	for i, w := range weights {
		if !(w >= 0 && w <= math.MaxFloat64) {
			faults = append(faults, fmt.Errorf("weight %d is %v: must be finite and not negative", i, w))
		}
		most = max(most, w)
	}
	switch {
	case len(faults) > 0:
		return nil, errors.Join(faults...)
	case most == 0:
		return nil, errors.New("no weight is above 0")
	}
	var values []uint64
	var scaled []float64
	sum := 0.0
	for i, w := range weights {
		if w /= most; w > 0 { // so that the sum stays finite
			values = append(values, uint64(i))
			scaled = append(scaled, w)
			sum += w
		}
	}
	for i := range scaled {
		scaled[i] *= float64(len(scaled)) / sum
	}
	return &alias{columns: fillColumns(values, scaled)}, nil
}

// fillColumns pairs what is under the average with what is over it; the average weight is 1.
func fillColumns(values []uint64, weights []float64) []column {
	columns := make([]column, len(values))
	var under, over []int
	for i, w := range weights {
		columns[i] = column{own: values[i], other: values[i]}
		if w < 1 {
			under = append(under, i)
		} else {
			over = append(over, i)
		}
	}
	for len(under) > 0 && len(over) > 0 {
		u, o := under[len(under)-1], over[len(over)-1]
		under = under[:len(under)-1]
		columns[u].share = uint64(math.Ldexp(weights[u], 64)) // below 2^64, as the weight is below 1
		columns[u].other = values[o]
		if weights[o] -= 1 - weights[u]; weights[o] < 1 {
			over = over[:len(over)-1]
			under = append(under, o)
		}
	}
	return columns // what is left is within rounding of the average and keeps its column
}
