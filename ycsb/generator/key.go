package generator

import (
	"encoding/binary"
	"math/bits"
	"strconv"
)

// FNV-1a of 64 bits: Fowler, Noll, Vo, Eastlake, "The FNV non-cryptographic hash algorithm" (RFC 9923).
const (
	fnvOffset = 0xcbf29ce484222325
	fnvPrime  = 0x100000001b3
)

// FNV64 returns the absolute value of the FNV-1a hash of the eight bytes of n, lowest byte first, which is
// fnvhash64 of YCSB. The hash -2^63, whose absolute value Java leaves negative, would be 2^63 here;
// no number is known to have it.
func FNV64(n uint64) uint64 {
	h := uint64(fnvOffset)
	for range 5 {
		h = (h ^ n&0xff) * fnvPrime
		n >>= 8
	}
	if n == 0 { // as nearly always: the other three bytes in one step
		const cube = fnvPrime * fnvPrime * fnvPrime & (1<<64 - 1)
		return abs(h * cube)
	}
	for range 3 {
		h = (h ^ n&0xff) * fnvPrime
		n >>= 8
	}
	return abs(h)
}

// FNV64BigEndian is FNV64 with the highest byte first, the hash of go-ycsb.
func FNV64BigEndian(n uint64) uint64 { return FNV64(bits.ReverseBytes64(n)) }

// abs returns the absolute value of the signed number whose bits are h, without a branch: half of all hashes
// are negative, and no processor guesses which.
func abs(h uint64) uint64 {
	sign := uint64(int64(h) >> 63)
	return (h ^ sign) - sign
}

// KeyOrder says how the number in a key name comes from that of the record.
type KeyOrder uint8

// Orders of key names.
const (
	Hashed       KeyOrder = iota // FNV64, the keys of YCSB
	Ordered                      // the number itself
	HashedGoYCSB                 // FNV64BigEndian, the keys of go-ycsb
)

// KeyNames builds the key names of records: a prefix and a decimal number. It may be shared and copied.
type KeyNames struct {
	Prefix  string   // YCSB's default is "user"
	Padding int      // the least number of digits, filled up with zeros; 0 or less for none
	Order   KeyOrder // Hashed
}

// Append appends the name of record n to dst and returns the longer slice; it allocates only when dst is too
// short. Numbers of records are not negative; should one be, its ordered name is padded before
// the sign ("user00-1"), as in Java.
func (k KeyNames) Append(dst []byte, n int64) []byte {
	if k.Prefix != "" {
		dst = append(dst, k.Prefix...)
	}
	switch {
	case k.Order == Hashed:
		return appendDecimal(dst, FNV64(uint64(n)), k.Padding)
	case k.Order == HashedGoYCSB:
		return appendDecimal(dst, FNV64BigEndian(uint64(n)), k.Padding)
	case n >= 0:
		return appendDecimal(dst, uint64(n), k.Padding)
	}
	digits := strconv.FormatInt(n, 10)
	for range k.Padding - len(digits) {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}

// appendDecimal appends n with at least width digits, at least one. It takes half the time of
// strconv.AppendUint and padding.
func appendDecimal(dst []byte, n uint64, width int) []byte {
	const zeros = 0x3030303030303030
	high, middle, low := eightDigits(n/1e16), eightDigits(n/1e8%1e8), eightDigits(n%1e8)
	var b [24]byte
	binary.LittleEndian.PutUint64(b[0:], high+zeros)
	binary.LittleEndian.PutUint64(b[8:], middle+zeros)
	binary.LittleEndian.PutUint64(b[16:], low+zeros)
	first := 16 + bits.TrailingZeros64(low)/8 // of the digits
	switch {
	case high != 0:
		first = bits.TrailingZeros64(high) / 8
	case middle != 0:
		first = 8 + bits.TrailingZeros64(middle)/8
	}
	for ; width > len(b); width-- {
		dst = append(dst, '0')
	}
	return append(dst, b[min(first, len(b)-max(width, 1)):]...)
}

// eightDigits returns the digits of a number below 10^8, one a byte, the first in the lowest. It halves the
// number three times, each time all parts at once, dividing by multiplication.
func eightDigits(n uint64) uint64 {
	x := n/10000 | n%10000<<32
	q := x * 5243 >> 19 & 0x0000007f0000007f // hundreds of each of the two
	x = q | (x-100*q)<<16
	q = x * 103 >> 10 & 0x000f000f000f000f // tens of each of the four
	return q | (x-10*q)<<8
}
