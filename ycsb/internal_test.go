package ycsb

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestCountersAreAnHdrHistogram compares the engine's counters with what hdrhistogram-go makes of
// the same latencies.
func TestCountersAreAnHdrHistogram(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var c counters
	var alone, first, both tally
	var want Histogram
	add := func(v int64) {
		c.add(v)
		alone.add(v)
		want.Record(time.Duration(v))
	}
	for _, v := range []int64{-1, 0, 1, 1023, 1024, 2047, 2048, 2049, 4095, 4096, 1 << 62, 1<<63 - 1} {
		add(v)
	}
	c.addTo(&first)
	for range 100_000 {
		add(r.Int64N(1 << (1 + r.UintN(62))))
	}
	c.addTo(&both)
	for name, got := range map[string]*tally{"counters": &both, "tally": &alone} {
		if h := got.histogram(histogramDigits); !h.Equal(&want) || h.Count() != got.total {
			t.Errorf("the histogram of the %s differs from that of %d latencies", name, want.Count())
		}
	}
	if two := both.histogram(intervalDigits); two.Count() != both.total {
		t.Errorf("two digits: %d latencies; want %d", two.Count(), both.total)
	}
	if d := both.since(&first); d.total != 100_000 || d.histogram(histogramDigits).Count() != 100_000 {
		t.Errorf("the difference has %d latencies; want 100000", d.total)
	}
	if d := both.since(&both); d.total != 0 || d.highest() != 0 || d.histogram(histogramDigits).Count() != 0 {
		t.Error("the difference of the same is not empty")
	}
	for _, v := range []int64{0, 1, 2047, 2048, 123456789} {
		if low := bucketValue(bucket(v)); low > v || v-low > v/1000 {
			t.Errorf("%d is in the bucket of %d", v, low)
		}
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

func TestMissed(t *testing.T) {
	const ms = time.Millisecond
	for _, tt := range []struct {
		open         bool
		waiting      int
		idle, behind time.Duration
		due          time.Duration // it is 100 ms
		want         bool
	}{
		{false, 0, 0, 0, 50 * ms, false},      // a closed loop waits
		{true, 0, 0, 0, 50 * ms, true},        // all workers are busy
		{true, 0, 0, 0, 100 * ms, false},      // it is due now
		{true, 1, 40 * ms, 0, 50 * ms, false}, // one has had nothing to do
		{true, 1, 60 * ms, 0, 50 * ms, true},  // but for less long
		{true, 0, 0, 60 * ms, 50 * ms, false}, // the client was behind by more than that
		{true, 0, 0, 40 * ms, 50 * ms, true},  // by less
		{true, 1, 60 * ms, 60 * ms, 50 * ms, false},
	} {
		s := &schedule{open: tt.open, waiting: tt.waiting, idle: tt.idle, behind: tt.behind}
		if got := s.missed(tt.due, 100*ms); got != tt.want {
			t.Errorf("%+v: missed = %v", tt, got)
		}
	}
}

func TestOneLine(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"a\nb\n", "a; b"},
		{"\xff", ""},
		{strings.Repeat("word ", 200), strings.Repeat("word ", 102) + "…"},
		{strings.Repeat("x", 600), "…"},
	} {
		if got := oneLine(tt.in); got != tt.want {
			t.Errorf("oneLine(%.20q) = %q; want %q", tt.in, got, tt.want)
		}
	}
}
