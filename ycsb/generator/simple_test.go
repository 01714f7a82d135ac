package generator

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
)

func TestSourcesAllocateNothing(t *testing.T) {
	for _, s := range sources(t) {
		r := newRand(1)
		equal(t, s.name+": allocations", testing.AllocsPerRun(1000, func() { s.Next(r) }), 0)
	}
}

func TestSourcesAreShared(t *testing.T) {
	for _, s := range sources(t) {
		var wg sync.WaitGroup
		for i := range uint64(4) {
			wg.Go(func() {
				r := newRand(i)
				for range 1000 {
					s.Next(r)
				}
			})
		}
		wg.Wait()
	}
}

func TestSourcesRepeat(t *testing.T) {
	a, b := sources(t), sources(t)
	for i, s := range a {
		equal(t, s.name+": same seed, same counts", fmt.Sprint(tally(s, 7, 1000, 1000)), fmt.Sprint(tally(b[i], 7, 1000, 1000)))
	}
}

func TestConstant(t *testing.T) {
	equal(t, "Next()", Constant(math.MaxUint64).Next(nil), math.MaxUint64)
}

func TestUniform(t *testing.T) {
	c := within(t, tally(must(Uniform(0, 999))(t), 1, draws, 1000))
	fits(t, "Uniform", misfit(c, flat(1000)))
	fits(t, "Uniform against Java", misfit2(c, counts(t, "emp-uniform-1000.tsv")[:1000]))
}

func TestUniformScanLength(t *testing.T) {
	c := within(t, tally(must(Uniform(1, 100))(t), 1, 100_000, 101))
	total := 0.0
	for v, n := range c {
		total += float64(v) * float64(n)
	}
	equal(t, "draws of 0", c[0], 0)
	equal(t, "1 was drawn", c[1] > 0, true)
	equal(t, "100 was drawn", c[100] > 0, true)
	near(t, "mean", total/100_000, 50.5, 0.5)
}

func TestLargeNumbers(t *testing.T) {
	const big = 1<<31 + 1
	tests := []struct {
		name string
		Source
	}{
		{"Constant", Constant(big)},
		{"Uniform", must(Uniform(big, big))(t)},
		{"Sequential", must(Sequential(big, big+5))(t)},
		{"Hotspot", must(Hotspot(big, big, 0.2, 0.8))(t)},
		{"Zipfian", must(Zipfian(big, big, Theta))(t)},
		{"Scrambled", must(Scrambled(big, big, Theta))(t)},
		{"Latest", must(Latest(func() uint64 { return 1 }, Theta))(t)},
	}
	for _, tt := range tests[:6] {
		equal(t, tt.name, tt.Next(newRand(1)), big)
	}
	equal(t, "beyond 2^31 of 10^10", must(Uniform(0, 1e10))(t).Next(newRand(2)) > big, true)
	u := must(Uniform(math.MaxUint64-1, math.MaxUint64))(t)
	equal(t, "Uniform at the end", u.Next(newRand(1)) >= math.MaxUint64-1, true)
}

func TestSequential(t *testing.T) {
	var got []uint64
	s := must(Sequential(0, 2))(t)
	for range 7 {
		got = append(got, s.Next(nil))
	}
	equal(t, "draws", fmt.Sprint(got), "[0 1 2 0 1 2 0]")
}

func TestSequentialIsOneCycle(t *testing.T) {
	s := must(Sequential(10, 109))(t)
	var mu sync.Mutex
	seen := map[uint64]int{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 250 {
				v := s.Next(nil)
				mu.Lock()
				seen[v]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	equal(t, "numbers", len(seen), 100)
	for v, n := range seen {
		equal(t, fmt.Sprint("draws of ", v), n, 10)
	}
}

func TestHotspot(t *testing.T) {
	c := within(t, tally(must(Hotspot(0, 99, 0.2, 0.8))(t), 1, draws, 100))
	near(t, "share of the first 20", float64(sum(c[:20]))/draws, 0.8, 0.005)

	c = within(t, tally(must(Hotspot(0, 999, 0.2, 0.8))(t), 1, draws, 1000))
	p := flat(1000)
	for i := range 200 {
		p[i] = 16 // .8/200 : .2/800
	}
	fits(t, "Hotspot", misfit(c, p))
	fits(t, "Hotspot against Java", misfit2(c, counts(t, "emp-hotspot-1000.tsv")[:1000]))
}

func TestHotspotEmptySets(t *testing.T) {
	tests := []struct {
		lo, hi    uint64
		data, ops float64
	}{
		{7, 7, 0.2, 0.8},
		{7, 7, 0, 1},
		{7, 7, 1, 0},
		{5, 14, 0, 0.8},
		{5, 14, 1, 0.5},
		{5, 14, 1, 0},
		{5, 14, 0, 1},
	}
	for _, tt := range tests {
		c := tally(must(Hotspot(tt.lo, tt.hi, tt.data, tt.ops))(t), 1, 10_000, 100)
		fits(t, fmt.Sprintf("%+v", tt), misfit(c[tt.lo:tt.hi+1], flat(int(tt.hi-tt.lo+1))))
		equal(t, fmt.Sprintf("%+v: draws in range", tt), sum(c[tt.lo:tt.hi+1]), 10_000)
	}
}

func TestExponential(t *testing.T) {
	const span = 1000 * 0.8571428571
	e := must(Exponential(95, span))(t)
	java := counts(t, "emp-exponential-raw.tsv")
	c := tally(e, 1, draws, len(java))
	near(t, "share below span", float64(sum(c[:857]))/draws, 0.95, 0.002)
	fits(t, "Exponential against Java", misfit2(c[:len(java)], java))

	gamma := -math.Log(0.05) / span
	p := make([]float64, len(java))
	for k := range p {
		p[k] = math.Exp(-gamma*float64(k)) - math.Exp(-gamma*float64(k+1))
	}
	fits(t, "Exponential", misfit(c[:len(java)], p))
}

// back is the distance back from the newest of 1000 records, drawn again when it goes too far.
type back struct{ Source }

func (b back) Next(r *rand.Rand) uint64 {
	d := b.Source.Next(r)
	for d > 999 {
		d = b.Source.Next(r)
	}
	return 999 - d
}

func TestExponentialKeys(t *testing.T) {
	c := within(t, tally(back{must(Exponential(95, 1000*0.8571428571))(t)}, 2, draws, 1000))
	fits(t, "keys against Java", misfit2(c, counts(t, "emp-exponential-key-1000.tsv")[:1000]))
}

func TestExponentialExtremes(t *testing.T) {
	for _, tt := range []struct{ percentile, span float64 }{{1e-300, math.MaxFloat64}, {99.999999999, 5e-324}} {
		e := must(Exponential(tt.percentile, tt.span))(t)
		equal(t, fmt.Sprintf("%v: at most 2^63", tt), e.Next(newRand(1)) <= 1<<63, true)
	}
}

func TestConstructorErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		name string
		new  func() (Source, error)
		want []string
	}{
		{"uniform", func() (Source, error) { return Uniform(3, 2) }, []string{"generator: uniform: range [3, 2]: the lower end is above the upper"}},
		{"uniform 2^64", func() (Source, error) { return Uniform(0, math.MaxUint64) }, []string{"fewer than 2^64"}},
		{"sequential", func() (Source, error) { return Sequential(3, 2) }, []string{"generator: sequential: range [3, 2]"}},
		{"hotspot range", func() (Source, error) { return Hotspot(5, 3, 0.2, 0.8) }, []string{"generator: hotspot: range [5, 3]"}},
		{"hotspot all", func() (Source, error) { return Hotspot(5, 3, 1.5, -1) }, []string{"range [5, 3]", "data fraction 1.5: must be in [0, 1]", "operation fraction -1: must be in [0, 1]"}},
		{"hotspot NaN", func() (Source, error) { return Hotspot(3, 5, nan, nan) }, []string{"data fraction NaN", "operation fraction NaN"}},
		{"exponential", func() (Source, error) { return Exponential(100, 0) }, []string{"generator: exponential: percentile 100: must be in (0, 100)", "span 0: must be finite and above 0"}},
		{"exponential NaN", func() (Source, error) { return Exponential(nan, inf) }, []string{"percentile NaN", "span +Inf"}},
		{"zipfian theta", func() (Source, error) { return Zipfian(0, 9, 1) }, []string{"generator: zipfian: theta 1: must be in (0, 1)"}},
		{"zipfian both", func() (Source, error) { return Zipfian(9, 0, nan) }, []string{"range [9, 0]", "theta NaN"}},
		{"zipfian size", func() (Source, error) { return Zipfian(0, 1<<53, 0.5) }, []string{"9007199254740993 items: must be in [1, 2^53]"}},
		{"zipf", func() (Source, error) { return NewZipf(0, 0) }, []string{"generator: zipfian: 0 items: must be in [1, 2^53]", "theta 0"}},
		{"scrambled", func() (Source, error) { return Scrambled(1, 0, 1.5) }, []string{"generator: scrambled zipfian: range [1, 0]", "theta 1.5: must be in (0, 1)"}},
		{"exact", func() (Source, error) { return NewExact(0, 3.1) }, []string{"generator: zipfian_exact: 0 items: must be in [1, 2^53]", "theta 3.1: must be in (0, 3]"}},
		{"exact NaN", func() (Source, error) { return NewExact(1<<53+1, nan) }, []string{"9007199254740993 items", "theta NaN"}},
		{"latest", func() (Source, error) { return Latest(func() uint64 { return 0 }, inf) }, []string{"generator: latest: theta +Inf"}},
		{"latest nil", func() (Source, error) { return Latest(nil, 0.5) }, []string{"generator: latest: no limit"}},
		{"discrete none", func() (Source, error) { return Discrete() }, []string{"generator: discrete: no weight is above 0"}},
		{"discrete zero", func() (Source, error) { return Discrete(0, 0) }, []string{"generator: discrete: no weight is above 0"}},
		{"discrete bad", func() (Source, error) { return Discrete(1, nan, -1, inf) }, []string{"weight 1 is NaN", "weight 2 is -1", "weight 3 is +Inf: must be finite and not negative"}},
	}
	for _, tt := range tests {
		_, err := tt.new()
		fails(t, tt.name, err, tt.want...)
	}
}
