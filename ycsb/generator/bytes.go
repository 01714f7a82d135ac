package generator

import "encoding/binary"

// gamma is what the state of SplitMix64 grows by: 2^64 divided by the golden ratio, made odd.
const gamma = 0x9e3779b97f4a7c15

// Fill fills b with printable bytes from '?' (0x3f) to '~' (0x7e), 6 random bits each, that depend on nothing
// but the seed; a shorter b gets the beginning of what a longer one gets. Eight bytes come from each number of
// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
// Seeds should be well mixed, as those of [Seed] are: those that differ by a multiple of its gamma give
// shifted bytes.
func Fill(b []byte, seed uint64) {
	for len(b) >= 32 { // four at a time are half as fast again
		s1, s2 := seed+gamma, seed+gamma+gamma
		s3, s4 := s2+gamma, s2+gamma+gamma
		binary.LittleEndian.PutUint64(b, printable(mix(s1)))
		binary.LittleEndian.PutUint64(b[8:], printable(mix(s2)))
		binary.LittleEndian.PutUint64(b[16:], printable(mix(s3)))
		binary.LittleEndian.PutUint64(b[24:], printable(mix(s4)))
		seed = s4
		b = b[32:]
	}
	for len(b) >= 8 {
		seed += gamma
		binary.LittleEndian.PutUint64(b, printable(mix(seed)))
		b = b[8:]
	}
	x := printable(mix(seed + gamma))
	for i := range b {
		b[i] = byte(x)
		x >>= 8
	}
}

// Seed returns the seed of the value of one field: of a data set's seed, the number of the record and the
// index of the field. Any change of one of them changes every bit of it with probability one half.
func Seed(seed, key uint64, field int) uint64 {
	return mix(mix(mix(seed+gamma)+key) + uint64(field))
}

// mix is the output function of SplitMix64, a bijection.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// printable adds '?' to the lower 6 bits of every byte.
func printable(x uint64) uint64 { return x&0x3f3f3f3f3f3f3f3f + 0x3f3f3f3f3f3f3f3f }
