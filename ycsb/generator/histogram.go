package generator

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
)

// maxExact is the largest number up to which every whole number is a float64.
const maxExact = 1 << 53

// Histogram is a Source of lengths that are as frequent as in a file; see [ParseHistogram].
type Histogram struct {
	draws   *alias
	lengths []uint64
	mean    float64
	max     uint64
}

// ParseHistogram reads a histogram of field lengths: a line "BlockSize<TAB>n", then lines "bucket<TAB>count".
// Bucket i stands for the length i·n. (Java YCSB draws (i+1)·n, against its own mean.) Empty lines
// are skipped; the error names the line of each fault, and of the first twenty when there are more.
func ParseHistogram(r io.Reader) (*Histogram, error) {
	p := histogramParser{seen: make(map[uint64]int)}
	lines := bufio.NewScanner(r)
	for lines.Scan() && len(p.faults) < maxFaults {
		p.line++
		if fields := strings.Fields(lines.Text()); len(fields) > 0 {
			p.fault(p.parse(fields))
		}
	}
	if err := lines.Err(); err != nil {
		p.line++
		p.fault(err)
	}
	if len(p.faults) > 0 {
		return nil, errors.Join(p.faults...)
	}
	return p.histogram()
}

// Next returns a length.
func (h *Histogram) Next(r *rand.Rand) uint64 { return h.lengths[h.draws.Next(r)] }

// Mean returns the mean length.
func (h *Histogram) Mean() float64 { return h.mean }

// Max returns the greatest length that can be drawn.
func (h *Histogram) Max() uint64 { return h.max }

const maxFaults = 20

type histogramParser struct {
	line      int
	faults    []error
	blockSize uint64
	buckets   []uint64
	counts    []float64
	seen      map[uint64]int // the line of a bucket
}

func (p *histogramParser) fault(err error) {
	if err != nil {
		p.faults = append(p.faults, fmt.Errorf("generator: histogram: line %d: %w", p.line, err))
	}
}

func (p *histogramParser) parse(fields []string) error {
	first := p.blockSize == 0 && p.faults == nil
	switch {
	case len(fields) != 2:
		return fmt.Errorf("%d words: must be two", len(fields))
	case first && fields[0] != "BlockSize":
		return fmt.Errorf("%q: must be BlockSize on the first line", fields[0])
	case first:
		n, err := parseCount("block size", fields[1])
		if err == nil && n == 0 {
			err = errors.New("block size 0: must be above 0")
		}
		p.blockSize = n
		return err
	}
	bucket, err1 := parseCount("bucket", fields[0])
	count, err2 := parseCount("count", fields[1])
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if line, ok := p.seen[bucket]; ok {
		return fmt.Errorf("bucket %d is on line %d already", bucket, line)
	}
	if p.blockSize > 0 && bucket > maxExact/p.blockSize {
		return fmt.Errorf("bucket %d: its length is above 2^53", bucket)
	}
	p.seen[bucket] = p.line
	p.buckets = append(p.buckets, bucket)
	p.counts = append(p.counts, float64(count))
	return nil
}

func (p *histogramParser) histogram() (*Histogram, error) {
	draws, err := newAlias(p.counts)
	if err != nil {
		return nil, errors.New("generator: histogram: no count is above 0")
	}
	h := &Histogram{draws: draws, lengths: p.buckets}
	total := 0.0
	for i, c := range p.counts {
		h.lengths[i] *= p.blockSize
		h.mean += c * float64(h.lengths[i])
		total += c
		if c > 0 {
			h.max = max(h.max, h.lengths[i])
		}
	}
	h.mean /= total
	return h, nil
}

// parseCount parses a whole number up to 2^53.
func parseCount(what, s string) (uint64, error) {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil || n > maxExact {
		return 0, fmt.Errorf("%s %q: must be a whole number from 0 to 2^53", what, s)
	}
	return n, nil
}
