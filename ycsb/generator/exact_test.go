package generator

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// ranks is the Source of the ranks of an Exact.
type ranks struct{ Exact }

func (e ranks) Next(r *rand.Rand) uint64 { return e.Rank(r) }

func exactRanks(t testing.TB, n uint64, theta float64) Source {
	t.Helper()
	return ranks{must(NewExact(n, theta))(t)}
}

func TestExactRanks(t *testing.T) {
	for _, theta := range []float64{1e-9, 0.1, 0.5, Theta, 1 - 1e-9, 1, 1 + 1e-12, 1.1, 1.5, 2, 3} {
		t.Run(fmt.Sprint(theta), func(t *testing.T) {
			t.Parallel()
			for _, n := range []int{1, 2, 3, 10, 1000} {
				name := fmt.Sprintf("Exact(%d, %v)", n, theta)
				c := within(t, tally(exactRanks(t, uint64(n), theta), 1, draws/10, n))
				fits(t, name, misfit(c, zipfLaw(n, theta)))
			}
		})
	}
}

func TestExactShares(t *testing.T) {
	tests := []struct {
		n         uint64
		top       int
		want      float64
		tolerance float64
	}{
		{2, 1, 0.6651, 0.001},
		{10, 1, 0.3383, 0.001},
		{100, 1, 0.1889, 0.001},
		{1000, 1, 0.1294, 0.001},
		{1000, 10, 0.3825, 0.002},
		{1e4, 1, 0.0978, 0.001},
		{1e6, 1, 0.0650, 0.001},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%d of %d", tt.top, tt.n), func(t *testing.T) {
			t.Parallel()
			c := tally(exactRanks(t, tt.n, Theta), 2, draws, tt.top)
			noise := 5 * math.Sqrt(tt.want*(1-tt.want)/draws) // matters under the race detector
			near(t, "share", float64(sum(c[:tt.top]))/draws, tt.want, max(tt.tolerance, noise))
		})
	}
}

func TestExactRejectsOthers(t *testing.T) {
	t.Parallel()
	law := zipfLaw(1000, Theta)
	fits(t, "theta .99", misfit(within(t, tally(exactRanks(t, 1000, Theta), 3, draws, 1000)), law))
	misfits(t, "theta .98", misfit(within(t, tally(exactRanks(t, 1000, 0.98), 3, draws, 1000)), law))
	misfits(t, "Gray's formula", misfit(within(t, tally(must(NewZipf(1000, Theta))(t), 3, draws, 1000)), law))
}

func TestExactOfMany(t *testing.T) {
	t.Parallel()
	for _, n := range []uint64{1_000_000_000, 1 << 53} {
		for _, theta := range []float64{0.5, Theta, 1, 1.5, 3} {
			began := time.Now()
			e := must(NewExact(n, theta))(t)
			equal(t, "built at once", time.Since(began) < 10*time.Second, true) // it would take minutes
			const drawn = draws / 10
			below := map[uint64]float64{}
			r := newRand(4)
			for range drawn {
				k := e.Rank(r)
				for limit := uint64(1); limit < n; limit *= 100 {
					if k < limit {
						below[limit]++
					}
				}
			}
			for limit := uint64(1); limit < n; limit *= 100 {
				p := Zeta(limit, theta) / Zeta(n, theta)
				near(t, fmt.Sprintf("n=%d theta=%v: share of the first %d", n, theta, limit), below[limit]/drawn, p, 5.5*math.Sqrt(p*(1-p)/drawn)+1e-9)
			}
		}
	}
}

func TestExactEnds(t *testing.T) {
	for _, theta := range []float64{1e-9, 0.5, Theta, 1, 2, 3} {
		for _, n := range []uint64{1, 2, 3, 1000, 1 << 40, 1 << 53} {
			e := must(NewExact(n, theta))(t)
			name := fmt.Sprintf("Exact(%d, %v)", n, theta)
			equal(t, name+": first rank", e.Rank(newRandMax()), 0)
			equal(t, name+": last rank is in range", e.Rank(rand.New(&firstZero{r: newRand(1)})) < n, true)
			equal(t, name+": N()", e.N(), n)
		}
	}
}

// firstZero is a stream that begins with 0.
type firstZero struct {
	begun bool
	r     *rand.Rand
}

func (s *firstZero) Uint64() uint64 {
	if !s.begun {
		s.begun = true
		return 0
	}
	return s.r.Uint64()
}

func TestExactNextIsPlaceOfRank(t *testing.T) {
	e := must(NewExact(1000, Theta))(t)
	a, b := newRand(1), newRand(1)
	for range 1000 {
		equal(t, "Next()", e.Next(a), e.Place(e.Rank(b)))
	}
}

func TestPlaceIsBijection(t *testing.T) {
	sizes := []uint64{4095, 4096, 4097, 100_000, 1 << 17}
	for n := uint64(1); n <= 600; n++ {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		e := must(NewExact(n, Theta))(t)
		seen := make([]bool, n)
		for rank := range n {
			seen[e.Place(rank)] = true // panics when out of range
		}
		places := 0
		for _, ok := range seen {
			places += map[bool]int{true: 1}[ok]
		}
		equal(t, fmt.Sprintf("n=%d: places", n), uint64(places), n)
	}
}

// The places are part of what makes runs comparable: they must never change.
func TestPlaceIsFixed(t *testing.T) {
	tests := []struct {
		n    uint64
		want string
	}{
		{1, "[0]"},
		{10, "[2 1 8 4 3]"},
		{1000, "[564 656 370 788 399]"},
		{1_000_000_000, "[567190712 635128283 605965282 105738158 34476953]"},
		{1 << 53, "[961298057759542 3014969626966528 2067918888932727 356832970560960 8094035389823376]"},
	}
	for _, tt := range tests {
		e := must(NewExact(tt.n, Theta))(t)
		var got []uint64
		for rank := range min(tt.n, 5) {
			got = append(got, e.Place(rank))
		}
		equal(t, fmt.Sprintf("places of %d", tt.n), fmt.Sprint(got), tt.want)
	}
}

// Hot numbers are all over the range, not side by side.
func TestPlaceScatters(t *testing.T) {
	for _, n := range []uint64{10_000, 1_000_000, 1 << 20, 1<<20 + 1, 1 << 53} {
		e := must(NewExact(n, Theta))(t)
		tenths := make([]uint64, 10)
		residues := make([]uint64, 7)
		neighbours := 0.0
		last := e.Place(0)
		for rank := range uint64(5000) {
			p := e.Place(rank)
			tenths[uint64(float64(p)/float64(n)*10)]++
			residues[p%7]++
			neighbours += map[bool]float64{true: 1}[p-last+100 <= 200]
			last = p
		}
		fits(t, fmt.Sprintf("n=%d: tenths", n), misfit(tenths, flat(10)))
		fits(t, fmt.Sprintf("n=%d: residues", n), misfit(residues, flat(7)))
		p := min(201/float64(n), 1)
		near(t, fmt.Sprintf("n=%d: neighbours", n), neighbours/5000, p, 6*math.Sqrt(p/5000)+0.001)
	}
}
