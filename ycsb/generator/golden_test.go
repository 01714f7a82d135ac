package generator

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// mismatches counts the rows for which ok is false and shows one of them.
func mismatches(rows [][]string, ok func(row []string) bool) (n int, example string) {
	for _, row := range rows {
		if !ok(row) {
			n++
			example = strings.Join(row, " ")
		}
	}
	return n, example
}

// matches checks that right holds for all rows, and, so that this means something, that each of wrong fails
// for some.
func matches(t *testing.T, rows [][]string, right func([]string) bool, wrong map[string]func([]string) bool) {
	t.Helper()
	n, example := mismatches(rows, right)
	if n > 0 {
		t.Errorf("%d of %d rows differ: %s", n, len(rows), example)
	}
	for name, ok := range wrong {
		n, _ := mismatches(rows, ok)
		if n == 0 {
			t.Errorf("%s: all %d rows pass; want some to fail", name, len(rows))
		}
	}
}

func TestGoldenFNV64(t *testing.T) {
	check := func(hash func(uint64) uint64) func([]string) bool {
		return func(row []string) bool { return hash(whole(t, row[0])) == whole(t, row[1]) }
	}
	matches(t, golden(t, "fnvhash64.tsv"), check(FNV64), map[string]func([]string) bool{
		"highest byte first": check(FNV64BigEndian),
	})
}

func TestGoldenKeyNames(t *testing.T) {
	orders := map[string]KeyOrder{"hashed": Hashed, "ordered": Ordered}
	check := func(orders map[string]KeyOrder, wider int) func([]string) bool {
		return func(row []string) bool {
			k := KeyNames{Prefix: "user", Order: orders[row[1]], Padding: int(whole(t, row[2])) + wider}
			return string(k.Append(nil, int64(whole(t, row[0])))) == row[3]
		}
	}
	matches(t, golden(t, "keynames.tsv"), check(orders, 0), map[string]func([]string) bool{
		"go-ycsb":    check(map[string]KeyOrder{"hashed": HashedGoYCSB, "ordered": Ordered}, 0),
		"wide":       check(orders, 1),
		"all hashed": check(nil, 0),
	})
}

// traced are the parameters that zipf-params.tsv has of one generator.
type traced struct {
	title, what, min, max string
	theta                 float64
	value                 map[string]float64
	text                  map[string]string
}

// goldenParams returns the generators of zipf-params.tsv in the file's order.
func goldenParams(t *testing.T) []traced {
	var all []traced
	for _, row := range golden(t, "zipf-params.tsv") {
		title := strings.Join(row[:4], " ")
		if len(all) == 0 || all[len(all)-1].title != title {
			theta, _ := strconv.ParseFloat(row[3], 64)
			all = append(all, traced{title, row[0], row[1], row[2], theta, map[string]float64{}, map[string]string{}})
		}
		last := &all[len(all)-1]
		last.text[row[4]] = row[5]
		if v, err := strconv.ParseFloat(row[5], 64); err == nil {
			last.value[row[4]] = v
		}
	}
	return all
}

func selected(all []traced, prefix string) []traced {
	var some []traced
	for _, g := range all {
		if strings.HasPrefix(g.what, prefix) {
			some = append(some, g)
		}
	}
	return some
}

func TestGoldenZipfParameters(t *testing.T) {
	all := selected(goldenParams(t), "ZipfianGenerator")
	equal(t, "generators", len(all), 61)
	for _, g := range all[:57] {
		n := whole(t, g.max) - whole(t, g.min) + 1
		z := newZipf(n, g.theta, Zeta(n, g.theta))
		relative(t, g.title+": zetan", z.zetan, g.value["zetan"], 1e-12)
		relative(t, g.title+": zeta2theta", z.zeta2, g.value["zeta2theta"], 1e-12)
		relative(t, g.title+": alpha", z.alpha, g.value["alpha"], 1e-12)
		equal(t, g.title+": countforzeta", float64(z.n), g.value["countforzeta"])
		if eta := g.value["eta"]; !math.IsNaN(eta) { // it is with two items
			relative(t, g.title+": eta", z.eta, eta, 1e-12)
		}
	}
}

// After growth Java has the zeta of the new size, but the eta of the old items, 1000.
func TestGoldenZipfGrowth(t *testing.T) {
	for _, g := range selected(goldenParams(t), "ZipfianGenerator(1000) after") {
		n := uint64(g.value["countforzeta"])
		z := must(NewZipf(1000, g.theta))(t).Grow(n)
		fresh := must(NewZipf(n, g.theta))(t)
		relative(t, g.title+": zetan", z.zetan, g.value["zetan"], 1e-12)
		relative(t, g.title+": eta", z.eta, fresh.eta, 1e-12)

		zeta2 := Zeta(2, g.theta)
		defective := (1 - math.Pow(2/1000., 1-g.theta)) / (1 - zeta2/z.zetan)
		relative(t, g.title+": eta of the old items", defective, g.value["eta"], 1e-12)
		equal(t, g.title+": eta differs from Java's", math.Abs(z.eta/g.value["eta"]-1) > 1e-4, true)
	}
}

func TestGoldenInnerZipfs(t *testing.T) {
	all := goldenParams(t)
	s := must(Scrambled(0, 999, Theta))(t).(*scrambled)
	tests := []struct {
		z    Zipf
		what string
	}{
		{s.ranks, "ScrambledZipfianGenerator"},
		{must(NewZipf(999, Theta))(t), "SkewedLatestGenerator"}, // one short, in Java
	}
	for _, tt := range tests {
		g := selected(all, tt.what)[0]
		equal(t, tt.what+": items", float64(tt.z.n), g.value["items"])
		equal(t, tt.what+": countforzeta", float64(tt.z.n), g.value["countforzeta"])
		relative(t, tt.what+": zetan", tt.z.zetan, g.value["zetan"], 1e-12)
		relative(t, tt.what+": zeta2theta", tt.z.zeta2, g.value["zeta2theta"], 1e-12)
		relative(t, tt.what+": alpha", tt.z.alpha, g.value["alpha"], 1e-12)
		relative(t, tt.what+": eta", tt.z.eta, g.value["eta"], 1e-12)
	}
}

func TestGoldenExponential(t *testing.T) {
	all := selected(goldenParams(t), "ExponentialGenerator")
	for i, span := range []float64{1000 * 0.8571428571, 1e6 * 0.8571428571} {
		e := must(Exponential(95, span))(t).(exponential)
		relative(t, all[i].what, e.gamma, all[i].value["gamma"], 1e-15)
	}
}

// Java swaps the ends of a range and makes bad fractions 0, both of which are errors here; it divides by zero
// when a set that operations go to is empty, where all go to the other one here.
func TestGoldenHotspot(t *testing.T) {
	all := selected(goldenParams(t), "HotspotIntegerGenerator")
	equal(t, "generators", len(all), 16)
	for _, g := range all {
		var lo, hi uint64
		var data, ops float64
		must(fmt.Sscanf(g.what, "HotspotIntegerGenerator(%d,%d,%g,%g)", &lo, &hi, &data, &ops))(t)
		if lo > hi || data > 1 {
			_, err := Hotspot(lo, hi, data, ops)
			fails(t, g.what, err, "generator: hotspot: ")
			continue
		}
		h := must(Hotspot(lo, hi, data, ops))(t).(*hotspot)
		equal(t, g.what+": lowerBound", float64(h.lo), g.value["lowerBound"])
		equal(t, g.what+": upperBound", float64(h.lo+h.hot+h.cold-1), g.value["upperBound"])
		equal(t, g.what+": hotInterval", float64(h.hot), g.value["hotInterval"])
		equal(t, g.what+": coldInterval", float64(h.cold), g.value["coldInterval"])
	}
}

func TestGoldenSequential(t *testing.T) {
	g := selected(goldenParams(t), "SequentialGenerator")[0]
	s := must(Sequential(100, 104))(t)
	var got []string
	for range 12 {
		got = append(got, fmt.Sprint(s.Next(nil)))
	}
	equal(t, g.what, strings.Join(got, ","), g.text["values"])
}

// Java's counters tell the last number, a Sequence the one after it.
func TestGoldenCounters(t *testing.T) {
	all := goldenParams(t)
	s := NewSequence(100)
	equal(t, "last before any", fmt.Sprint(s.Limit()-1), selected(all, "CounterGenerator(100) last")[0].text["value"])
	equal(t, "first", fmt.Sprint(s.Next()), selected(all, "CounterGenerator(100) first")[0].text["value"])

	s = NewSequence(100)
	var trace strings.Builder
	fmt.Fprintf(&trace, "start last=%d", s.Limit()-1)
	for range 3 {
		s.Next()
	}
	for _, n := range []uint64{101, 100, 102} {
		equal(t, "Ack", s.Ack(n), nil)
		fmt.Fprintf(&trace, "; ack %d -> last=%d", n, s.Limit()-1)
	}
	equal(t, "trace", trace.String(), selected(all, "AcknowledgedCounterGenerator")[0].text["trace"])
}

func TestGoldenZipfValues(t *testing.T) {
	zipfs := func(theta, scrambledTheta float64) map[string]Zipf {
		scrambledZeta := map[bool]float64{true: scrambledZeta, false: Zeta(scrambledItems, scrambledTheta)}[scrambledTheta == Theta]
		m := map[string]Zipf{
			"ScrambledZipfian.inner(items=10000000001)": newZipf(scrambledItems, scrambledTheta, scrambledZeta),
			"ScrambledZipfian(0,999)":                   newZipf(scrambledItems, scrambledTheta, scrambledZeta),
		}
		for _, n := range []uint64{10, 1000, 1e6, 1e9} {
			m[fmt.Sprint("ZipfianGenerator", n)] = newZipf(n, theta, Zeta(n, theta))
		}
		return m
	}
	check := func(zipfs map[string]Zipf, hash func(uint64) uint64) func([]string) bool {
		return func(row []string) bool {
			u := math.Float64frombits(must(strconv.ParseUint(row[3], 0, 64))(t))
			switch row[0] {
			case "ScrambledZipfian(0,999)":
				return hash(zipfs[row[0]].At(u))%1000 == whole(t, row[4])
			case "ZipfianGenerator":
				return zipfs[row[0]+row[1]].At(u) == whole(t, row[4])
			}
			return zipfs[row[0]].At(u) == whole(t, row[4])
		}
	}
	rows := golden(t, "zipf-u-to-value.tsv")
	equal(t, "rows", len(rows), 1200)
	matches(t, rows, check(zipfs(Theta, Theta), FNV64), map[string]func([]string) bool{
		"theta .98":           check(zipfs(0.98, Theta), FNV64),
		"scrambled theta .98": check(zipfs(Theta, 0.98), FNV64),
		"highest byte first":  check(zipfs(Theta, Theta), FNV64BigEndian),
	})
}

func TestGoldenScrambledMapping(t *testing.T) {
	check := func(at func(s scrambled, rank uint64) uint64) func([]string) bool {
		return func(row []string) bool {
			lo, n := whole(t, row[1]), whole(t, row[2])
			return at(scrambled{lo: lo, n: n}, whole(t, row[0])) == whole(t, row[3])
		}
	}
	right := func(s scrambled, rank uint64) uint64 { return s.at(rank) }
	wrong := func(s scrambled, rank uint64) uint64 { return s.lo + FNV64BigEndian(rank)%s.n }
	matches(t, golden(t, "scrambled-mapping.tsv"), check(right), map[string]func([]string) bool{
		"highest byte first": check(wrong),
	})
}

func TestGoldenHistogram(t *testing.T) {
	f := must(os.Open("testdata/hist-example.txt"))(t)
	defer f.Close()
	h := must(ParseHistogram(f))(t)
	near(t, "Mean()", h.Mean(), 33, 1e-12)
	equal(t, "Max()", h.Max(), 40)
}
