package generator

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestKeyNames(t *testing.T) {
	tests := []struct {
		names KeyNames
		n     int64
		want  string
	}{
		{KeyNames{Prefix: "user"}, 0, "user6284781860667377211"},
		{KeyNames{Prefix: "user"}, 1, "user8517097267634966620"},
		{KeyNames{Prefix: "user"}, 2, "user1820151046732198393"},
		{KeyNames{Prefix: "user"}, 3, "user4052466453699787802"},
		{KeyNames{Prefix: "user"}, 4, "user3232700585171816769"},
		{KeyNames{Prefix: "user"}, 5, "user1000385178204227360"},
		{KeyNames{Prefix: "user"}, 227, "user2629861260633036934"},
		{KeyNames{Prefix: "user", Order: HashedGoYCSB}, 1, "user6284782960179005422"},
		{KeyNames{Prefix: "user", Order: Ordered, Padding: 8}, 5, "user00000005"},
		{KeyNames{Prefix: "user", Order: Ordered, Padding: 1}, 5, "user5"},
		{KeyNames{Prefix: "user", Order: Ordered, Padding: -3}, 5, "user5"},
		{KeyNames{Order: Ordered}, 0, "0"},
		{KeyNames{Order: Ordered, Padding: 30}, 1<<31 + 1, "000000000000000000002147483649"},
		{KeyNames{Order: Ordered}, math.MaxInt64, "9223372036854775807"},
		{KeyNames{Order: Ordered}, math.MinInt64, "-9223372036854775808"},
		{KeyNames{Order: Ordered, Padding: 4}, -1, "00-1"},
	}
	for _, tt := range tests {
		equal(t, fmt.Sprintf("%+v.Append(%d)", tt.names, tt.n), string(tt.names.Append(nil, tt.n)), tt.want)
		equal(t, "appended", string(tt.names.Append([]byte("x:"), tt.n)), "x:"+tt.want)
	}
}

func TestKeyNamesAllocateNothing(t *testing.T) {
	buf := make([]byte, 0, 64)
	n := int64(0)
	for order := range HashedGoYCSB + 1 {
		k := KeyNames{Prefix: "user", Padding: 30, Order: order}
		equal(t, fmt.Sprint("allocations of ", order), testing.AllocsPerRun(1000, func() { n++; buf = k.Append(buf[:0], n) }), 0)
	}
}

func TestAppendDecimal(t *testing.T) {
	check := func(n uint64) {
		for _, width := range []int{0, 7, 20, 24, 25} {
			want := strconv.FormatUint(n, 10)
			want = strings.Repeat("0", max(width-len(want), 0)) + want
			equal(t, fmt.Sprintf("appendDecimal(%d, %d)", n, width), string(appendDecimal(nil, n, width)), want)
		}
	}
	for n := range uint64(10_000) { // every four digits at every place
		check(n)
		check(n * 1e4)
		check(n * 1e8)
		check(n * 1e12)
	}
	for n := uint64(1); n < 1e19; n *= 10 {
		check(n - 1)
		check(n)
	}
	check(math.MaxUint64)
	r := newRand(1)
	for range 20_000 {
		check(r.Uint64() >> r.Uint64N(64))
	}
}

// The absolute value of -2^63 is 2^63.
func TestAbs(t *testing.T) {
	for _, tt := range []struct{ h, want uint64 }{{0, 0}, {1, 1}, {math.MaxUint64, 1}, {1<<63 - 1, 1<<63 - 1}, {1 << 63, 1 << 63}} {
		equal(t, fmt.Sprintf("abs(%#x)", tt.h), abs(tt.h), tt.want)
	}
}
