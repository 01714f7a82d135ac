package generator

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"
	"testing"
)

func filled(n int, seed uint64) []byte {
	b := make([]byte, n)
	Fill(b, seed)
	return b
}

// Values are part of a data set: they must never change.
func TestFillIsFixed(t *testing.T) {
	tests := []struct {
		n    int
		seed uint64
		want string
	}{
		{0, 0, ""},
		{3, 0, "nL\\"},
		{8, 0, "nL\\zxg_a"},
		{50, 1, "@[AHklIPfkMd`Lj}]TqzmaRwJHAmOE@pxt@PWSzp?ATO~JLBd{"},
		{20, Seed(1, 2, 3), "NAwUqYk~pNkvxQC~jfDJ"},
	}
	for _, tt := range tests {
		equal(t, fmt.Sprintf("Fill(%d bytes, %d)", tt.n, tt.seed), string(filled(tt.n, tt.seed)), tt.want)
	}
}

func TestFillBeginsAlike(t *testing.T) {
	for _, seed := range []uint64{0, 1, 1 << 63} {
		long := filled(200, seed)
		for n := range len(long) {
			equal(t, fmt.Sprintf("Fill(%d bytes, %d)", n, seed), string(filled(n, seed)), string(long[:n]))
		}
	}
}

func TestFillStaysInside(t *testing.T) {
	b := bytes.Repeat([]byte{'x'}, 100)
	Fill(b[20:63:63], 5)
	equal(t, "bytes before", string(b[:20]), string(bytes.Repeat([]byte{'x'}, 20)))
	equal(t, "bytes after", string(b[63:]), string(bytes.Repeat([]byte{'x'}, 37)))
}

func TestFillIsRandom(t *testing.T) {
	t.Parallel()
	const values, length = draws / 100, 100
	single := make([]uint64, 64)
	pairs := make([]uint64, 64*64)
	apart := make([]uint64, 64*64) // eight bytes apart, the same place of two words
	first := make([]uint64, 64*64) // the first bytes of two values
	last := byte('?')
	b := make([]byte, length)
	for key := range uint64(values) {
		Fill(b, Seed(1, key, 0))
		for i := range b {
			single[b[i]-'?']++ // panics when out of range
		}
		for i := 0; i+8 < length; i += 2 {
			pairs[int(b[i]-'?')*64+int(b[i+1]-'?')]++
			apart[int(b[i]-'?')*64+int(b[i+8]-'?')]++
		}
		first[int(last-'?')*64+int(b[0]-'?')]++
		last = b[0]
	}
	fits(t, "bytes", misfit(single, flat(64)))
	fits(t, "pairs", misfit(pairs, flat(64*64)))
	fits(t, "bytes eight apart", misfit(apart, flat(64*64)))
	fits(t, "first bytes of two values", misfit(first, flat(64*64)))
}

func TestSeedMixes(t *testing.T) {
	r := newRand(1)
	flips := func(change func(seed, key uint64, field int, bit int) uint64, width int) {
		for bit := range width {
			changed := make([]uint64, 64)
			for range 4000 {
				seed, key, field := r.Uint64(), r.Uint64N(1<<40), r.IntN(100)
				d := Seed(seed, key, field) ^ change(seed, key, field, bit)
				for ; d != 0; d &= d - 1 {
					changed[bits.TrailingZeros64(d)]++
				}
			}
			for i, n := range changed {
				near(t, fmt.Sprintf("input bit %d, output bit %d: flips", bit, i), float64(n)/4000, 0.5, 0.05)
			}
		}
	}
	flips(func(s, k uint64, f, bit int) uint64 { return Seed(s^1<<bit, k, f) }, 64)
	flips(func(s, k uint64, f, bit int) uint64 { return Seed(s, k^1<<bit, f) }, 64)
	flips(func(s, k uint64, f, bit int) uint64 { return Seed(s, k, f^1<<bit) }, 31)
}

func TestSeedsDiffer(t *testing.T) {
	var all []uint64
	for seed := range uint64(10) {
		for key := range uint64(1000) {
			for field := range 10 {
				all = append(all, Seed(seed, key, field))
			}
		}
	}
	slices.Sort(all)
	equal(t, "different seeds", len(slices.Compact(all)), 100_000)
}

func TestFillAllocatesNothing(t *testing.T) {
	b := make([]byte, 100)
	equal(t, "allocations", testing.AllocsPerRun(1000, func() { Fill(b, Seed(1, 2, 3)) }), 0)
}
