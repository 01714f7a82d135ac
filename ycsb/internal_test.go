package ycsb

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestCountsAreAnHdrHistogram compares the engine's counts with what hdrhistogram-go makes of the
// same latencies.
func TestCountsAreAnHdrHistogram(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var c, rest counts
	var want Histogram
	add := func(v int64) {
		c.add(v, 1)
		want.Record(time.Duration(v))
	}
	for _, v := range []int64{0, 1, 1023, 1024, 2047, 2048, 2049, 4095, 4096, 1 << 62, 1<<63 - 1} {
		add(v)
	}
	for range 100_000 {
		add(r.Int64N(1 << (1 + r.UintN(62))))
	}
	rest.add(5, 3)
	want.RecordN(5, 3)
	c.merge(&rest)
	if got := c.histogram(histogramDigits); !got.Equal(&want) || got.Count() != c.total {
		t.Errorf("the histogram of %d counts differs from that of %d latencies", c.total, want.Count())
	}
	if two := c.histogram(intervalDigits); two.Count() != c.total {
		t.Errorf("two digits: %d latencies; want %d", two.Count(), c.total)
	}
	c.clear()
	if c.total != 0 || c.highest() != 0 || c.histogram(histogramDigits).Count() != 0 {
		t.Error("clear leaves something")
	}
}

func TestFoldMessage(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"no key 12345 in 7 tables", "no key N in N tables"},
		{`Duplicate entry 'user1' for key "k"`, `Duplicate entry '…' for key "…"`},
		{"can't connect; won't try", "can't connect; won't try"},
		{"open 'quote", "open 'quote"},
		{"two\nlines", "two; lines"},
		{"ünï 1", "ünï N"},
	} {
		if got := foldMessage(tt.in); got != tt.want {
			t.Errorf("foldMessage(%q) = %q; want %q", tt.in, got, tt.want)
		}
	}
	if got := foldMessage(string(slices.Repeat([]byte("é"), 1000))); len(got) > 260 {
		t.Errorf("a long message stays %d bytes long", len(got))
	}
}

func TestBudget(t *testing.T) {
	var b budget
	b.limited = true
	b.left.Store(10)
	var got []int64
	for range 5 {
		got = append(got, b.take(4))
	}
	if !slices.Equal(got, []int64{4, 4, 2, 0, 0}) {
		t.Errorf("took %v of 10; want 4 4 2 0 0", got)
	}
}
