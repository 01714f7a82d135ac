package ycsb

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Histogram is a distribution of latencies in nanoseconds, in HdrHistogram's buckets of three
// significant digits (two in the intervals of a Result). Minimum, maximum, mean and quantiles
// are computed from the buckets, so that a histogram that was written and read back gives the
// same figures. It grows with the latencies recorded: nothing is clipped. The zero Histogram
// is empty and ready to use. Methods that only read may be called concurrently.
type Histogram struct {
	h    *hdrhistogram.Histogram
	text []byte // instead of h: encoded, a hundredth of the memory
}

const (
	histogramDigits = 3
	intervalDigits  = 2
)

// newHDR returns a histogram of the given precision that can hold highest.
func newHDR(highest int64, digits int) *hdrhistogram.Histogram {
	// Powers of two keep the number of distinct geometries small.
	limit := int64(1 << 24)
	for limit < math.MaxInt64/2 && limit <= highest {
		limit *= 2
	}
	if limit <= highest {
		limit = math.MaxInt64
	}
	return hdrhistogram.New(1, limit, digits)
}

// Record adds one latency. A negative one counts as 0. It is not safe for concurrent use.
func (h *Histogram) Record(d time.Duration) { h.RecordN(d, 1) }

// RecordN adds one latency n times. It is not safe for concurrent use.
func (h *Histogram) RecordN(d time.Duration, n uint64) {
	if n == 0 {
		return
	}
	v := max(int64(d), 0)
	h.reserve(v, histogramDigits)
	if err := h.h.RecordValues(v, int64(n)); err != nil {
		panic("ycsb: Histogram: " + err.Error()) // reserve made room for it
	}
}

// hdr returns the histogram to read from, nil when it is empty.
func (h *Histogram) hdr() *hdrhistogram.Histogram {
	switch {
	case h == nil:
		return nil
	case h.text != nil:
		hh, err := hdrhistogram.Decode(h.text)
		if err != nil {
			panic("ycsb: Histogram: " + err.Error()) // compact encoded it
		}
		return hh
	case h.h == nil || h.h.TotalCount() == 0:
		return nil
	}
	return h.h
}

// compact encodes the histogram in memory.
func (h *Histogram) compact() error {
	text, err := h.AppendText(nil)
	if err != nil {
		return err
	}
	h.h, h.text = nil, text
	return nil
}

// reserve makes room for v.
func (h *Histogram) reserve(v int64, digits int) {
	if h.text != nil {
		h.h, h.text = h.hdr(), nil
	}
	switch {
	case h.h == nil:
		h.h = newHDR(v, digits)
	case v > h.h.HighestTrackableValue():
		wider := newHDR(v, int(h.h.SignificantFigures()))
		wider.Merge(h.h)
		h.h = wider
	}
}

// Merge adds the latencies of o, which may be nil. It is not safe for concurrent use.
func (h *Histogram) Merge(o *Histogram) {
	from := o.hdr()
	if from == nil {
		return
	}
	h.reserve(from.Max(), int(from.SignificantFigures()))
	if dropped := h.h.Merge(from); dropped != 0 {
		panic(fmt.Sprintf("ycsb: Histogram: merge dropped %d values", dropped)) // reserve made room for them
	}
}

// Count returns how many latencies were recorded.
func (h *Histogram) Count() uint64 {
	hh := h.hdr()
	if hh == nil {
		return 0
	}
	return uint64(hh.TotalCount())
}

// Min returns the shortest latency, rounded down to its bucket; 0 when there is none.
func (h *Histogram) Min() time.Duration {
	hh := h.hdr()
	if hh == nil {
		return 0
	}
	return time.Duration(hh.Min())
}

// Max returns the longest latency, rounded up to its bucket; 0 when there is none.
func (h *Histogram) Max() time.Duration {
	hh := h.hdr()
	if hh == nil {
		return 0
	}
	return time.Duration(hh.Max())
}

// Mean returns the mean latency, each counted as the middle of its bucket; 0 when there is
// none.
func (h *Histogram) Mean() time.Duration {
	hh := h.hdr()
	if hh == nil {
		return 0
	}
	return time.Duration(math.Round(hh.Mean()))
}

// Quantile returns, of the n latencies in ascending order, number ⌊q·n + 1/2⌋, at least 1, rounded
// up to its bucket, as HdrHistogram does; 0 <= q <= 1. It is 0 when there is none.
func (h *Histogram) Quantile(q float64) time.Duration {
	hh := h.hdr()
	if hh == nil {
		return 0
	}
	return time.Duration(hh.ValueAtPercentile(100 * q))
}

// All returns an iterator over the buckets that are not empty, in ascending order: the longest
// latency of each and its count.
func (h *Histogram) All() iter.Seq2[time.Duration, uint64] {
	return func(yield func(time.Duration, uint64) bool) {
		hh := h.hdr()
		if hh == nil {
			return
		}
		for _, bar := range hh.Distribution() {
			if bar.Count > 0 && !yield(time.Duration(bar.To), uint64(bar.Count)) {
				return
			}
		}
	}
}

// Equal tells whether both hold the same counts in the same buckets.
func (h *Histogram) Equal(o *Histogram) bool {
	a, b := h.hdr(), o.hdr()
	if a == nil || b == nil {
		return a == b
	}
	return a.TotalCount() == b.TotalCount() &&
		a.SignificantFigures() == b.SignificantFigures() &&
		slices.Equal(trimZeros(a.Export().Counts), trimZeros(b.Export().Counts))
}

// trimZeros returns counts without the zeros at its end.
func trimZeros(counts []int64) []int64 {
	for len(counts) > 0 && counts[len(counts)-1] == 0 {
		counts = counts[:len(counts)-1]
	}
	return counts
}

// AppendText appends the histogram in HdrHistogram's V2 compressed encoding, in base64, to b.
func (h *Histogram) AppendText(b []byte) ([]byte, error) {
	if h != nil && h.text != nil {
		return append(b, h.text...), nil
	}
	hh := h.hdr()
	if hh == nil {
		hh = newHDR(0, histogramDigits)
	}
	text, err := hh.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		return b, fmt.Errorf("ycsb: histogram: %w", err)
	}
	return append(b, text...), nil
}

// MarshalText is AppendText with nothing to append to.
func (h *Histogram) MarshalText() ([]byte, error) { return h.AppendText(nil) }

// UnmarshalText replaces the histogram by one that AppendText encoded, or another program in the
// same encoding, with at most three significant digits.
func (h *Histogram) UnmarshalText(text []byte) error {
	hh, err := hdrhistogram.Decode(bytes.TrimSpace(text))
	if err != nil {
		return fmt.Errorf("ycsb: histogram: %w", err)
	}
	if digits := hh.SignificantFigures(); digits > histogramDigits { // a hundred times the memory
		return fmt.Errorf("ycsb: histogram: %d significant digits: want at most %d", digits, histogramDigits)
	}
	h.h, h.text = hh, nil
	return nil
}
