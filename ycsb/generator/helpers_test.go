package generator

import (
	"bufio"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// must returns a function that returns v, or ends the test.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func equal[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s = %v; want %v", what, got, want)
	}
}

// near checks that got is within tolerance of want.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v; want %v ± %v", what, got, want, tolerance)
	}
}

// relative checks that got differs from want by less than a share of it.
func relative(t testing.TB, what string, got, want, share float64) {
	t.Helper()
	near(t, what, got, want, math.Abs(want)*share)
}

// fails checks that err is there, and says so in words that contain each of want.
func fails(t testing.TB, what string, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error; want one with %q", what, want)
		return
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: error %q; want one with %q", what, err, w)
		}
	}
}

// golden returns the rows of a file of testdata, without comments and the heading.
func golden(t testing.TB, file string) [][]string {
	t.Helper()
	f := must(os.Open(filepath.Join("testdata", file)))(t)
	defer f.Close()
	var rows [][]string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if !strings.HasPrefix(lines.Text(), "#") {
			rows = append(rows, strings.Split(lines.Text(), "\t"))
		}
	}
	if err := lines.Err(); err != nil || len(rows) < 2 {
		t.Fatalf("%s: %d lines, %v", file, len(rows), err)
	}
	return rows[1:]
}

// counts returns the second column of a file of counts whose first column is 0, 1, 2, …
func counts(t testing.TB, file string) []uint64 {
	t.Helper()
	rows := golden(t, file)
	c := make([]uint64, len(rows))
	for i, row := range rows {
		equal(t, file, row[0], strconv.Itoa(i))
		c[i] = whole(t, row[1])
	}
	return c
}

// whole parses a whole number; a negative one becomes its two's complement.
func whole(t testing.TB, s string) uint64 {
	t.Helper()
	if strings.HasPrefix(s, "-") {
		return uint64(must(strconv.ParseInt(s, 10, 64))(t))
	}
	return must(strconv.ParseUint(s, 10, 64))(t)
}

// tally draws n numbers and counts each of those below size; the others are counted together at the end.
func tally(s Source, seed uint64, n, size int) []uint64 {
	r := newRand(seed)
	c := make([]uint64, size+1)
	for range n {
		c[min(s.Next(r), uint64(size))]++
	}
	return c
}

// within returns the counts of a tally of which nothing is above its size.
func within(t testing.TB, c []uint64) []uint64 {
	t.Helper()
	last := len(c) - 1
	equal(t, "numbers above the range", c[last], 0)
	return c[:last]
}

func sum[T uint64 | float64](xs []T) T {
	var total T
	for _, x := range xs {
		total += x
	}
	return total
}

// accepted is what the misfit of a good generator stays below in all but one case of ten million.
const accepted = 5.2

// misfit returns how far counts are from the probabilities p by Pearson's chi-square test, in standard
// deviations. Probabilities may have any scale.
func misfit(observed []uint64, p []float64) float64 {
	scale := float64(sum(observed)) / sum(p)
	var stat, o, e float64
	bins := 0
	for i := range observed {
		o += float64(observed[i])
		e += p[i] * scale
		if e >= 10 { // neighbours that are rarer share a bin
			stat += (o - e) * (o - e) / e
			bins++
			o, e = 0, 0
		}
	}
	stat += (o - e) * (o - e) / math.Max(e, 10)
	return deviation(stat, float64(max(bins, 2)-1))
}

// misfit2 returns how far two samples are from having come from one distribution; likewise.
func misfit2(a, b []uint64) float64 {
	ka := math.Sqrt(float64(sum(b)) / float64(sum(a)))
	var stat, x, y float64
	bins := 0
	for i := range a {
		x += float64(a[i])
		y += float64(b[i])
		if x+y >= 40 {
			stat += (ka*x - y/ka) * (ka*x - y/ka) / (x + y)
			bins++
			x, y = 0, 0
		}
	}
	return deviation(stat, float64(max(bins, 2)-1))
}

// deviation transforms chi-square to a standard normal variable (Wilson and Hilferty 1931).
func deviation(stat, freedom float64) float64 {
	v := 2 / (9 * freedom)
	return (math.Cbrt(stat/freedom) - (1 - v)) / math.Sqrt(v)
}

func fits(t testing.TB, what string, deviation float64) {
	t.Helper()
	if !(deviation < accepted) {
		t.Errorf("%s is %.1f standard deviations off; want less than %v", what, deviation, accepted)
	}
}

func misfits(t testing.TB, what string, deviation float64) {
	t.Helper()
	if !(deviation > rejected) {
		t.Errorf("%s is %.1f standard deviations off; want more than %v", what, deviation, rejected)
	}
}

// flat returns n equal probabilities.
func flat(n int) []float64 {
	p := make([]float64, n)
	for i := range p {
		p[i] = 1
	}
	return p
}

// zipfLaw returns the probabilities of the true Zipf distribution.
func zipfLaw(n int, theta float64) []float64 {
	p := make([]float64, n)
	for i := range p {
		p[i] = math.Pow(float64(i+1), -theta)
	}
	return p
}

// grayLaw returns the probabilities of the first size ranks of z, from the inverse of its formula.
func grayLaw(z Zipf, size int) []float64 {
	below := func(k int) float64 { // probability of the ranks below k
		switch {
		case k < 2:
			return float64(k) / z.zetan
		case uint64(k) == z.n:
			return 1
		}
		return 1 - (1-math.Pow(float64(k)/float64(z.n), 1-z.theta))/z.eta
	}
	p := make([]float64, size)
	for k := range p {
		p[k] = below(k+1) - below(k)
	}
	return p
}

type named struct {
	name string
	Source
}

// sources returns one of each Source; all but Exponential draw from 0 to 999.
func sources(t testing.TB) []named {
	t.Helper()
	return []named{
		{"Constant", Constant(5)},
		{"Uniform", must(Uniform(0, 999))(t)},
		{"Sequential", must(Sequential(0, 999))(t)},
		{"Hotspot", must(Hotspot(0, 999, 0.2, 0.8))(t)},
		{"Exponential", must(Exponential(95, 857.1428571))(t)},
		{"Discrete", must(Discrete(0.5, 0.3, 0.2, 0.05))(t)},
		{"Histogram", must(ParseHistogram(strings.NewReader(exampleHistogram)))(t)},
		{"Zipf", must(NewZipf(1000, Theta))(t)},
		{"Zipfian", must(Zipfian(0, 999, Theta))(t)},
		{"Scrambled", must(Scrambled(0, 999, Theta))(t)},
		{"Exact", must(NewExact(1000, Theta))(t)},
		{"Latest", must(Latest(func() uint64 { return 1000 }, Theta))(t)},
	}
}

const exampleHistogram = "BlockSize\t10\n0\t5\n1\t10\n2\t0\n3\t20\n4\t65\n"

// newRandMax returns a stream of the greatest random numbers only.
func newRandMax() *rand.Rand { return rand.New(maxSource{}) }

type maxSource struct{}

func (maxSource) Uint64() uint64 { return math.MaxUint64 }
