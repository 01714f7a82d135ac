package workloads_test

import (
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/generator"
)

// requests returns how often each of 1000 records is read, by number, in n reads.
func requests(t *testing.T, n int64, distribution string, changes ...change) []int {
	t.Helper()
	if raceEnabled {
		t.Skip("one worker has nobody to race with, and the detector makes many reads slow")
	}
	w := newCore(t, small(append([]change{func(c *workloads.CoreConfig) {
		c.Read, c.RequestDistribution = 1, distribution
	}}, changes...)...))
	db := newTally()
	flawless(t, ycsb.Run, db, w, seeded(n, 1))
	counts := make([]int, w.Config().RecordCount)
	for key, n := range keysOf(0, int64(len(counts))) {
		counts[n] = db.keys[key]
		delete(db.keys, key)
	}
	equal(t, "reads of other keys", len(db.keys), 0)
	return counts
}

// most returns the share of the n hottest records.
func most(counts []int, n int) float64 {
	sorted := slices.Sorted(slices.Values(counts))
	slices.Reverse(sorted)
	return part(sorted, 0, n) / part(sorted, 0, len(sorted))
}

// part returns how often the records from lo to hi-1 were read.
func part(counts []int, lo, hi int) float64 {
	var sum int
	for _, n := range counts[lo:hi] {
		sum += n
	}
	return float64(sum)
}

// least returns the lowest count.
func least(counts []int) int { return slices.Min(counts) }

func TestZipfianRequests(t *testing.T) {
	counts := requests(t, 1_500_000, "zipfian")
	near(t, "share of the hottest record", most(counts, 1), .0389, .0006)
	near(t, "share of the ten hottest", most(counts, 10), .1261, .001)
	equal(t, "all records are read", least(counts) > 0, true)
	equal(t, "the hottest record", slices.Index(counts, slices.Max(counts)), int(hottest))
}

// TestZipfianExactRequests allows for the one record that the distribution keeps room for.
func TestZipfianExactRequests(t *testing.T) {
	counts := requests(t, 1_500_000, "zipfian_exact")
	near(t, "share of the hottest record", most(counts, 1), 1/generator.Zeta(1000, .99), .001)
	near(t, "share of the hottest record", most(counts, 1), .1294, .001)
	near(t, "share of the ten hottest", most(counts, 10), .3825, .002)
	equal(t, "all records are read", least(counts) > 0, true)

	for _, theta := range []float64{.5, 1, 1.5} {
		counts := requests(t, 200_000, "zipfian_exact", func(c *workloads.CoreConfig) { c.ZipfianTheta = theta })
		near(t, fmt.Sprintf("share of the hottest record, theta %v", theta), most(counts, 1), 1/generator.Zeta(1001, theta), .005)
	}
}

// TestZipfianRequestsOfAGrowingTable checks which records are hot when inserts are expected: rank k is
// record FNV(k) mod (insertcount + 2·operationcount·insertproportion + 1), as in Java.
func TestZipfianRequestsOfAGrowingTable(t *testing.T) {
	const operations, items = 200_000, 1000 + 2*100 + 1
	w := newCore(t, small(func(c *workloads.CoreConfig) {
		c.RequestDistribution, c.Read, c.Insert = "zipfian", .9995*3, .0005*3 // the weights add up to 3
	}))
	db := newTally()
	flawless(t, ycsb.Run, db, w, seeded(operations, 1))
	near(t, "inserts", float64(db.inserts), 100, 50)
	zipf, err := generator.NewZipf(10_000_000_001, generator.Theta)
	if err != nil {
		t.Fatal(err)
	}
	ranks := 0
	for rank := range uint64(12) {
		index := generator.FNV64(rank) % items
		if index >= 1000 {
			continue // not there from the start
		}
		ranks++
		p := float64(db.keys[keyOf(int64(index))]) / operations
		least := .95 * probability(zipf, rank)
		equal(t, fmt.Sprintf("share %.5f of rank %d is at least %.5f", p, rank, least), p >= least, true)
	}
	equal(t, "ranks looked at", ranks > 6, true)

	wrong := 0
	for rank := range uint64(12) {
		if p := float64(db.keys[keyOf(int64(generator.FNV64(rank)%1001))]) / operations; p < .95*probability(zipf, rank) {
			wrong++
		}
	}
	equal(t, "records that would be hot without inserts are not", wrong > 6, true)
}

// probability returns the probability of a rank, from the cumulative distribution.
func probability(z generator.Zipf, rank uint64) float64 {
	below := func(k uint64) float64 { // probability of the ranks below k
		lo, hi := 0., 1.
		for range 60 {
			if u := (lo + hi) / 2; z.At(u) < k {
				lo = u
			} else {
				hi = u
			}
		}
		return lo
	}
	return below(rank+1) - below(rank)
}

func TestLatestRequests(t *testing.T) {
	counts := requests(t, 500_000, "latest")
	near(t, "share of the newest record", float64(counts[999])/500_000, 1/generator.Zeta(1000, generator.Theta), .002)
	equal(t, "all records are read", least(counts) > 0, true)
}

func TestHotspotRequests(t *testing.T) {
	counts := requests(t, 500_000, "hotspot", func(c *workloads.CoreConfig) { c.RecordCount = 100 })
	near(t, "share of the first 20 of 100", part(counts, 0, 20)/500_000, .8, .005)
	equal(t, "all records are read", least(counts) > 0, true)

	counts = requests(t, 200_000, "hotspot", func(c *workloads.CoreConfig) {
		c.HotspotDataFraction, c.HotspotOpFraction = .5, .1
	})
	near(t, "share of the first half", part(counts, 0, 500)/200_000, .1, .005)
}

// TestExponentialRequests has 95 % of the draws within the newest 0.857 of the records. Those that fall
// on none, 5 % to the power of 1/0.857, are drawn again.
func TestExponentialRequests(t *testing.T) {
	counts := requests(t, 500_000, "exponential")
	near(t, "share of the newest 857", part(counts, 1000-857, 1000)/500_000, .95/(1-math.Pow(.05, 1/.857)), .003)
	near(t, "share of the newest 100", part(counts, 900, 1000)/500_000,
		(1-math.Pow(.05, .1/.857))/(1-math.Pow(.05, 1/.857)), .003)
	equal(t, "all records are read", least(counts) > 0, true)

	counts = requests(t, 200_000, "exponential", func(c *workloads.CoreConfig) {
		c.ExponentialPercentile, c.ExponentialFrac = 50, .1
	})
	near(t, "share of the newest tenth", part(counts, 900, 1000)/200_000, .5, .005)
}

func TestUniformRequests(t *testing.T) {
	counts := requests(t, 500_000, "uniform")
	near(t, "share of the first half", part(counts, 0, 500)/500_000, .5, .005)
	near(t, "share of the hottest", most(counts, 1), .001, .0003)
	equal(t, "all records are read", least(counts) > 350, true)
}

func TestSequentialRequests(t *testing.T) {
	w := newCore(t, small(func(c *workloads.CoreConfig) { c.Read, c.RequestDistribution, c.RecordCount = 1, "sequential", 3 }))
	db := loaded(t, w)
	for range 2 { // a run begins anew
		flawless(t, ycsb.Run, db, w, seeded(7, 1))
	}
	numbers := keysOf(0, 3)
	var got []int64
	for _, c := range db.calls() {
		got = append(got, numbers[c.key])
	}
	equalLists(t, "records", got, []int64{0, 1, 2, 0, 1, 2, 0, 0, 1, 2, 0, 1, 2, 0})
}

// logged returns what a run of n operations logs.
func logged(t *testing.T, w *workloads.Core, n int64) string {
	t.Helper()
	var log strings.Builder
	o := seeded(n, 1)
	o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	must(t, ycsb.Run, newTally(), w, o)
	return log.String()
}

// TestRoundedProportions has proportions whose sum is not quite 1: the number of records that are
// expected, on which the place of each depends, is Java's all the same.
func TestRoundedProportions(t *testing.T) {
	w := newCore(t, small(func(c *workloads.CoreConfig) {
		c.Read, c.Update, c.Insert, c.Scan, c.RequestDistribution = .55, .05, .07, .33, "zipfian"
	}))
	db := newTally()
	must(t, ycsb.Run, db, w, seeded(1000, 1))
	most, hottest := 0, ""
	for key, n := range db.keys {
		if n > most {
			most, hottest = n, key
		}
	}
	// Record fnv64(0) mod (1000 + 2·1000·0.07 + 1).
	equal(t, "hottest record", hottest, keyOf(459))
}

func TestWarningOfTooManyExpectedRecords(t *testing.T) {
	tests := []struct {
		distribution string
		operations   int64
		want         bool
	}{
		{"zipfian", 899, false},      // 100 + 899 + 1 = 10·100
		{"zipfian", 900, true},       // one more
		{"zipfian_exact", 900, true}, //
		{"latest", 900, false},       // draws from what is there
		{"uniform", 900, false},
	}
	for _, tt := range tests {
		w := newCore(t, small(func(c *workloads.CoreConfig) {
			c.Read, c.Insert, c.RecordCount, c.RequestDistribution = .5, .5, 100, tt.distribution
		}))
		log := logged(t, w, tt.operations)
		what := fmt.Sprintf("warning of %s, %d operations", tt.distribution, tt.operations)
		equal(t, what, strings.Contains(log, "level=WARN"), tt.want)
		equal(t, what, strings.Contains(log, "records=100 expected=1001"), tt.want)
	}
}

func TestProportionsAreWeights(t *testing.T) {
	w := newCore(t, small(func(c *workloads.CoreConfig) { c.Read, c.Update = .3, .2 }))
	log := logged(t, w, 10)
	equal(t, "the sum is told in "+log, strings.Contains(log, "the proportions do not add up to 1") && strings.Contains(log, "sum=0.5"), true)
	res := flawless(t, ycsb.Run, newTally(), w, seeded(100_000, 1))
	near(t, "share of reads", float64(total(res, ycsb.OpRead))/100_000, .6, .01)

	for _, name := range workloads.Standards() {
		equal(t, "log of "+name, logged(t, newCore(t, standard(t, name)), 10), "")
	}
}
