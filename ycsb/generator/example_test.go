package generator_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/ycsbkit/ycsbkit/ycsb/generator"
)

// stream is what a worker draws from; the seed makes it repeatable.
func stream() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func show(s generator.Source, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	r := stream()
	var drawn []uint64
	for range 8 {
		drawn = append(drawn, s.Next(r))
	}
	fmt.Println(drawn)
}

func ExampleConstant() {
	show(generator.Constant(100), nil)
	// Output:
	// [100 100 100 100 100 100 100 100]
}

func ExampleUniform() {
	show(generator.Uniform(1, 100))
	// Output:
	// [77 62 79 80 24 5 50 45]
}

func ExampleSequential() {
	show(generator.Sequential(0, 2))
	// Output:
	// [0 1 2 0 1 2 0 1]
}

func ExampleHotspot() {
	show(generator.Hotspot(0, 999, 0.2, 0.8))
	// Output:
	// [123 159 8 559 346 88 24 156]
}

func ExampleExponential() {
	show(generator.Exponential(95, 1000))
	// Output:
	// [376 206 237 187 533 164 571 137]
}

func ExampleDiscrete() {
	operations := []string{"READ", "UPDATE", "SCAN"}
	mix, err := generator.Discrete(0.5, 0.45, 0.05)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := stream()
	for range 6 {
		fmt.Print(operations[mix.Next(r)], " ")
	}
	fmt.Println()
	// Output:
	// UPDATE READ UPDATE UPDATE READ READ
}

func ExampleZipfian() {
	show(generator.Zipfian(1, 100, generator.Theta))
	show(generator.Zipfian(1, 100, 1))
	// Output:
	// [18 6 7 5 34 4 38 3]
	// generator: zipfian: theta 1: must be in (0, 1)
}

func ExampleScrambled() {
	show(generator.Scrambled(0, 999, generator.Theta))
	// Output:
	// [429 795 969 858 844 248 933 122]
}

func ExampleNewZipf() {
	z, err := generator.NewZipf(1000, generator.Theta)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := stream()
	fmt.Println(z.Next(r), z.Next(r), z.At(0), z.At(0.5), z.At(0.999))
	z = z.Grow(2000)
	fmt.Println(z.N(), z.At(0.999))
	// Output:
	// 86 16 0 22 992
	// 2000 1983
}

func ExampleNewExact() {
	e, err := generator.NewExact(1_000_000_000, 1.2)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := stream()
	fmt.Println(e.Rank(r), e.Rank(r), e.Rank(r))
	fmt.Println(e.Next(r), e.Next(r), e.Next(r))
	fmt.Println("the hottest is", e.Place(0))
	// Output:
	// 3 24 14
	// 880549249 635128283 672880483
	// the hottest is 567190712
}

func ExampleLatest() {
	seq := generator.NewSequence(1000)
	show(generator.Latest(seq.Limit, generator.Theta))
	// Output:
	// [913 983 976 987 782 990 743 993]
}

func ExampleZeta() {
	fmt.Printf("%.9f\n", generator.Zeta(1_000_000_000, generator.Theta))
	// Output:
	// 23.603364104
}

func ExampleParseHistogram() {
	h, err := generator.ParseHistogram(strings.NewReader("BlockSize\t10\n1\t20\n3\t60\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(h.Mean(), h.Max())
	show(h, nil)

	_, err = generator.ParseHistogram(strings.NewReader("BlockSize\t10\n1\tmany\n"))
	fmt.Println(err)
	// Output:
	// 25 30
	// [30 30 30 30 10 10 30 30]
	// generator: histogram: line 2: count "many": must be a whole number from 0 to 2^53
}

func ExampleSequence() {
	s := generator.NewSequence(1000) // a thousand records are there
	a, b, c := s.Next(), s.Next(), s.Next()
	fmt.Println(a, b, c)

	fmt.Println(s.Ack(c), s.Limit()) // a and b are outstanding
	fmt.Println(s.Fail(a), s.Limit())
	fmt.Println(s.Ack(b), s.Limit())

	fmt.Println(s.Readable(a), s.Readable(b), s.Count())
	fmt.Println(s.Remove(7), s.Remove(7), s.Count())
	fmt.Println(s.Nearest(7, math.MaxUint64))
	fmt.Println(s.Ack(b))
	// Output:
	// 1000 1001 1002
	// <nil> 1000
	// <nil> 1001
	// <nil> 1003
	// false true 1002
	// true false 1001
	// 8 true
	// generator: sequence: 1001 is settled already
}

func ExampleKeyNames() {
	hashed := generator.KeyNames{Prefix: "user"}
	ordered := generator.KeyNames{Prefix: "user", Padding: 8, Order: generator.Ordered}
	var key []byte
	for n := range int64(2) {
		key = hashed.Append(key[:0], n)
		fmt.Printf("%s ", key)
		key = ordered.Append(key[:0], n)
		fmt.Printf("%s\n", key)
	}
	// Output:
	// user6284781860667377211 user00000000
	// user8517097267634966620 user00000001
}

func ExampleFNV64() {
	fmt.Println(generator.FNV64(1), generator.FNV64BigEndian(1))
	// Output:
	// 8517097267634966620 6284782960179005422
}

func ExampleFill() {
	const dataset = 42
	value := make([]byte, 40)
	for field := range 2 {
		generator.Fill(value, generator.Seed(dataset, 1000, field))
		fmt.Printf("%s\n", value)
	}
	// Output:
	// VAIvkS^YTn_yWYAb]eVi_rrwKFtr\Kq|fyHsa}h}
	// qR|fuJ@upUeCgOPRtw?UDrXjXO|AOTGJV^wxNB?a
}
