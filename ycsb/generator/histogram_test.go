package generator

import (
	"bufio"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestHistogram(t *testing.T) {
	tests := []struct {
		name, text string
		lengths    []uint64
		counts     []float64
		mean       float64
	}{
		{"example", exampleHistogram, []uint64{0, 10, 30, 40}, []float64{5, 10, 20, 65}, 33},
		{"one", "BlockSize\t1\n100\t1\n", []uint64{100}, []float64{1}, 100},
		{"no newline, spaces, empty lines", "\nBlockSize 5\r\n\r\n\t2  3\n4 1", []uint64{10, 20}, []float64{3, 1}, 12.5},
		{"any order", "BlockSize\t2\n9\t1\n1\t0\n3\t1", []uint64{6, 18}, []float64{1, 1}, 12},
		{"large", "BlockSize\t9007199254740992\n1\t9007199254740992\n0\t9007199254740992", []uint64{0, 1 << 53}, []float64{1, 1}, 1 << 52},
	}
	for _, tt := range tests {
		h := must(ParseHistogram(strings.NewReader(tt.text)))(t)
		equal(t, tt.name+": Mean()", h.Mean(), tt.mean)
		equal(t, tt.name+": Max()", h.Max(), slices.Max(tt.lengths))
		r := newRand(1)
		c := map[uint64]uint64{}
		for range 100_000 {
			c[h.Next(r)]++
		}
		equal(t, tt.name+": lengths", len(c), len(tt.lengths))
		var drawn []uint64
		for _, l := range tt.lengths {
			drawn = append(drawn, c[l])
		}
		fits(t, tt.name, misfit(drawn, tt.counts))
	}
}

func TestHistogramErrors(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", []string{"generator: histogram: no count is above 0"}},
		{"\n\n", []string{"no count is above 0"}},
		{"BlockSize\t10", []string{"no count is above 0"}},
		{"BlockSize\t10\n0\t0", []string{"no count is above 0"}},
		{"0\t5", []string{`generator: histogram: line 1: "0": must be BlockSize on the first line`}},
		{"BlockSize\t0", []string{"line 1: block size 0: must be above 0"}},
		{"BlockSize\tten\n0\t1", []string{`line 1: block size "ten": must be a whole number from 0 to 2^53`}},
		{"BlockSize\n0\t1", []string{"line 1: 1 words: must be two"}},
		{"BlockSize\t10\n\nx\t-1\n1 2 3\n5\t1.5", []string{`line 3: bucket "x"`, `count "-1"`, "line 4: 3 words: must be two", `line 5: count "1.5"`}},
		{"BlockSize\t10\n1\t1\n1\t2", []string{"line 3: bucket 1 is on line 2 already"}},
		{"BlockSize\t10\n1000000000000000\t2", []string{"line 2: bucket 1000000000000000: its length is above 2^53"}},
		{"BlockSize\t10\n1\t99999999999999999999", []string{`line 2: count "99999999999999999999"`}},
		{"BlockSize\t10\n1\t" + strings.Repeat("1", 100_000), []string{"line 2: ", bufio.ErrTooLong.Error()}},
		{strings.Repeat("x\n", 100), []string{"line 1: ", "line 20: "}},
	}
	for _, tt := range tests {
		_, err := ParseHistogram(strings.NewReader(tt.text))
		fails(t, fmt.Sprintf("%.40q", tt.text), err, tt.want...)
	}
	_, err := ParseHistogram(strings.NewReader(strings.Repeat("x\n", 100)))
	equal(t, "lines of an error", strings.Count(err.Error(), "\n")+1, 20)
}

// A histogram that was read draws nothing but lengths that the text has, by a reading of it that is
// independent of the parser.
func FuzzParseHistogram(f *testing.F) {
	f.Add(exampleHistogram)
	f.Add("BlockSize 1\n0 1")
	f.Add("BlockSize\t10\n1\t1\n1\t2")
	f.Add("BlockSize\t9007199254740992\n1\t9007199254740992\n")
	f.Add("\x00\n\xff\t1")
	f.Fuzz(func(t *testing.T, text string) {
		h, err := ParseHistogram(strings.NewReader(text))
		if err != nil {
			fails(t, "ParseHistogram", err, "generator: histogram: ")
			return
		}
		words := strings.Fields(text)
		size := whole(t, words[1])
		lengths := map[uint64]bool{}
		for i := 2; i < len(words); i += 2 {
			n, _ := strconv.ParseUint(words[i], 10, 64)
			lengths[n*size] = strings.Trim(words[i+1], "0") != ""
		}
		r := newRand(1)
		for range 100 {
			n := h.Next(r)
			equal(t, fmt.Sprintf("%d is in the text", n), lengths[n], true)
			equal(t, fmt.Sprintf("%d is at most Max()", n), n <= h.Max(), true)
		}
		equal(t, "Mean() is at most Max()", h.Mean() <= float64(h.Max())*(1+1e-12), true)
	})
}
