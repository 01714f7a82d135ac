package generator

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestZipfian(t *testing.T) {
	t.Parallel()
	tests := []struct {
		n     int
		theta float64
	}{{1, Theta}, {2, Theta}, {2, 0.5}, {3, Theta}, {10, Theta}, {100, 0.2}, {1000, 0.5}, {1000, 0.9}, {1000, Theta}, {1000, 0.999}}
	for _, tt := range tests {
		name := fmt.Sprintf("Zipfian(7, %d, %v)", 7+tt.n-1, tt.theta)
		c := within(t, tally(must(Zipfian(7, uint64(7+tt.n-1), tt.theta))(t), 1, draws/5, 7+tt.n))
		equal(t, name+": draws below 7", sum(c[:7]), 0)
		fits(t, name, misfit(c[7:], grayLaw(must(NewZipf(uint64(tt.n), tt.theta))(t), tt.n)))
	}
}

func TestZipfianAgainstJava(t *testing.T) {
	t.Parallel()
	java := counts(t, "emp-zipfian-1000.tsv")[:1000]
	c := within(t, tally(must(Zipfian(0, 999, Theta))(t), 3, draws, 1000))
	fits(t, "Zipfian(0, 999, .99) against Java", misfit2(c, java))
	c = within(t, tally(must(Zipfian(0, 999, 0.98))(t), 3, draws, 1000))
	misfits(t, "Zipfian(0, 999, .98) against Java", misfit2(c, java))
	misfits(t, "Zipfian(0, 999, .98) against the law of .99", misfit(c, grayLaw(must(NewZipf(1000, Theta))(t), 1000)))

	java = counts(t, "emp-zipfian-1-100.tsv")
	c = tally(must(Zipfian(1, 100, Theta))(t), 4, draws, len(java)-1)
	fits(t, "Zipfian(1, 100, .99) against Java", misfit2(c, java))
}

// scrambledLaw returns the probabilities of Scrambled over n numbers with the given hash: rank by rank for those that
// matter, the others spread evenly.
func scrambledLaw(z Zipf, n int, hash func(uint64) uint64) []float64 {
	ranks := grayLaw(z, 300_000)
	p := make([]float64, n)
	rest := 1.0
	for k, share := range ranks {
		p[hash(uint64(k))%uint64(n)] += share
		rest -= share
	}
	for i := range p {
		p[i] += rest / float64(n)
	}
	return p
}

func TestScrambled(t *testing.T) {
	t.Parallel()
	java := counts(t, "emp-scrambled-1000.tsv")[:1000]
	classic := newZipf(scrambledItems, Theta, scrambledZeta)
	law := scrambledLaw(classic, 1000, FNV64)

	c := within(t, tally(must(Scrambled(0, 999, Theta))(t), 5, draws, 1000))
	fits(t, "Scrambled against Java", misfit2(c, java))
	fits(t, "Scrambled", misfit(c, law))
	misfits(t, "the law with the highest byte hashed first", misfit(c, scrambledLaw(classic, 1000, FNV64BigEndian)))

	slices.Sort(c)
	near(t, "share of the hottest", float64(c[999])/draws, 0.0389, 0.0006)
	near(t, "share of the ten hottest", float64(sum(c[990:]))/draws, 0.1313, 0.001)
	equal(t, "all numbers were drawn", c[0] > 0, true)

	c = within(t, tally(must(Scrambled(0, 999, 0.98))(t), 5, draws, 1000))
	misfits(t, "Scrambled with .98 against Java", misfit2(c, java))
	misfits(t, "Scrambled with .98", misfit(c, law))
	fits(t, "Scrambled with .98 against its law", misfit(c, scrambledLaw(newZipf(scrambledItems, 0.98, Zeta(scrambledItems, 0.98)), 1000, FNV64)))
}

func TestScrambledStaysInRange(t *testing.T) {
	for _, tt := range []struct{ lo, hi uint64 }{{0, 0}, {7, 7}, {500, 599}, {0, 2}, {math.MaxUint64 - 2, math.MaxUint64}} {
		s := must(Scrambled(tt.lo, tt.hi, Theta))(t)
		r := newRand(1)
		seen := map[uint64]bool{}
		for range 20_000 {
			v := s.Next(r)
			seen[v] = true
			equal(t, fmt.Sprintf("%v: %d is in range", tt, v), tt.lo <= v && v <= tt.hi, true)
		}
		equal(t, fmt.Sprintf("%v: numbers", tt), uint64(len(seen)), tt.hi-tt.lo+1)
	}
}

// At the end of the unit interval Java's formula yields n itself, Next must not.
func TestZipfEnds(t *testing.T) {
	last := math.Nextafter(1, 0)
	tests := []struct {
		n, atLast uint64
	}{{1, 0}, {2, 1}, {10, 10}}
	for _, tt := range tests {
		z := must(NewZipf(tt.n, Theta))(t)
		equal(t, fmt.Sprintf("n=%d: At(0)", tt.n), z.At(0), 0)
		equal(t, fmt.Sprintf("n=%d: At(%v)", tt.n, last), z.At(last), tt.atLast)
		equal(t, fmt.Sprintf("n=%d: Next at the end", tt.n), z.Next(newRandMax()), tt.n-1)
	}
	for _, theta := range []float64{1e-9, 0.001, 0.3, 0.5, 0.7, 0.9, Theta, 0.9999, 1 - 1e-12} {
		for n := uint64(1); n < 50; n++ {
			z := must(NewZipf(n, theta))(t)
			for _, u := range []float64{0, 5e-324, 0.1, 0.5, 0.9, z.zeta2 / z.zetan, math.Nextafter(z.zeta2/z.zetan, 1), last} {
				equal(t, fmt.Sprintf("n=%d theta=%v: At(%v) <= n", n, theta, u), z.At(min(u, last)) <= n, true)
			}
			equal(t, fmt.Sprintf("n=%d theta=%v: parameters are finite", n, theta), math.IsInf(z.eta*z.alpha*z.zetan, 0) || math.IsNaN(z.eta), false)
		}
	}
}

func TestZeroZipf(t *testing.T) {
	var z Zipf
	equal(t, "N()", z.N(), 0)
	equal(t, "Next()", z.Next(newRand(1)), 0)
}

// A Zipf that grew, by whatever steps, is one made for its size.
func TestGrow(t *testing.T) {
	for _, theta := range []float64{0.1, 0.5, Theta} {
		for _, step := range []uint64{1, 2, 7, 12, 13, 1000} {
			z := must(NewZipf(1, theta))(t)
			for z.N() < 10_000 {
				z = z.Grow(z.N() + step)
				fresh := must(NewZipf(z.N(), theta))(t)
				name := fmt.Sprintf("theta=%v, by %d to %d", theta, step, z.N())
				relative(t, name+": zetan", z.zetan, fresh.zetan, 1e-13)
				relative(t, name+": eta", z.eta, fresh.eta, 1e-12)
				equal(t, name+": zeta2", z.zeta2, fresh.zeta2)
			}
		}
	}
}

func TestGrowToAny(t *testing.T) {
	z := must(NewZipf(1000, Theta))(t)
	equal(t, "Grow(N())", z.Grow(1000), z)
	for _, n := range []uint64{1, 2, 999, 1e6, 1 << 53} {
		equal(t, fmt.Sprintf("Grow(%d)", n), z.Grow(n), must(NewZipf(n, Theta))(t))
	}
	equal(t, "Grow(0).Next()", z.Grow(0).Next(newRand(1)), 0)
	equal(t, "Grow(0).Grow(5)", z.Grow(0).Grow(1).Grow(1000).N(), 1000)
	equal(t, "allocations", testing.AllocsPerRun(100, func() { z = z.Grow(z.N() + 1) }), 0)
}

func TestZipfOfTenToTheNinth(t *testing.T) {
	z := must(NewZipf(1_000_000_000, 0.5))(t)
	p := grayLaw(z, 1000)
	c := tally(z, 1, draws, 1000)
	near(t, "share of the first 1000", float64(sum(c[:1000]))/draws, sum(p), 6*math.Sqrt(sum(p)/draws))
}
