package properties

import (
	"log/slog"
	"math"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestDescribe(t *testing.T) {
	type config struct {
		common
		Threads  int             `prop:"threadcount,alias=threads,min=1" default:"1" help:"workers"`
		Seed     uint64          `prop:"seed"`
		Target   float64         `prop:"target,above=0,below=1e6"`
		Quick    *bool           `prop:"quick"`
		Warmup   time.Duration   `prop:"warmuptime,unit=s,min=0,max=1h"`
		Levels   []float64       `prop:"levels,max=100" default:"50,95"`
		Pauses   []time.Duration `prop:"pauses,unit=ms"`
		Hosts    []string        `prop:"hosts"`
		Flags    []bool          `prop:"flags"`
		Order    string          `prop:"order,enum=hashed|ordered" default:"hashed"`
		Orders   []string        `prop:"orders,enum=hashed|ordered"`
		Level    slog.Level      `prop:"level"`
		Count    int             `prop:"count,min=1"`
		Password string          `prop:"mysql.password,secret" default:"hunter2"`
		Host     string          `prop:"mysql.host,required"`
	}
	got := Describe(&config{Seed: 7})
	want := []Spec{
		{Key: "table", Type: "text", Default: "usertable"},
		{Key: "threadcount", Aliases: []string{"threads"}, Type: "int", Default: "1", Min: "1", Help: "workers"},
		{Key: "seed", Type: "int", Default: "7"},
		{Key: "target", Type: "number", Min: ">0", Max: "<1e6"},
		{Key: "quick", Type: "bool"},
		{Key: "warmuptime", Type: "duration (s)", Unit: "s", Default: "0", Min: "0", Max: "1h"},
		{Key: "levels", Type: "list of numbers", Default: "50,95", Max: "100"},
		{Key: "pauses", Type: "list of durations (ms)", Unit: "ms"},
		{Key: "hosts", Type: "list of texts"},
		{Key: "flags", Type: "list of bools"},
		{Key: "order", Type: "one of hashed, ordered", Default: "hashed", Enum: []string{"hashed", "ordered"}},
		{Key: "orders", Type: "list of hashed, ordered", Enum: []string{"hashed", "ordered"}},
		{Key: "level", Type: "text", Default: "INFO"},
		{Key: "count", Type: "int", Min: "1"},
		{Key: "mysql.password", Type: "text", Default: "***", Secret: true},
		{Key: "mysql.host", Type: "text", Required: true},
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("Describe[%d] of %+v; want %+v", i, got, want)
		}
	}
	if n := len(Describe((*config)(nil))); n != len(want) {
		t.Errorf("Describe(nil) has %d keys; want %d", n, len(want))
	}
}

func TestEncode(t *testing.T) {
	type config struct {
		common
		Threads  int           `prop:"threadcount,min=1" default:"1"`
		Count    int           `prop:"count,min=1"`
		Target   float64       `prop:"target"`
		Big      float64       `prop:"big"`
		Tiny     float32       `prop:"tiny"`
		Warmup   time.Duration `prop:"warmuptime,unit=s"`
		Timeout  time.Duration `prop:"optimeout,unit=ms"`
		Levels   []float64     `prop:"levels"`
		Order    string        `prop:"order,enum=hashed|ordered"`
		Quick    *bool         `prop:"quick"`
		Sure     *bool         `prop:"sure"`
		Tokens   int           `prop:"tokens"`
		Password string        `prop:"mysql.password,secret"`
		PIN      int           `prop:"pin,secret"`
		None     string        `prop:"none,secret"`
		URL      string        `prop:"mongodb.url"`
		Plain    string        `prop:"plain.url"`
	}
	got := encoded(config{
		common:   common{"t"},
		Big:      1e21,
		Tiny:     -1.5e-7,
		Warmup:   1500 * time.Millisecond,
		Timeout:  -time.Nanosecond,
		Levels:   []float64{50, 99.9},
		Sure:     ptr(false),
		Password: "hunter2",
		PIN:      1234,
		URL:      "mongodb://u:hunter2@h/",
		Plain:    "mongodb://h/",
	})
	want := "table=t threadcount=0 target=0 big=1e+21 tiny=-1.5e-07 warmuptime=1.5 optimeout=-0.000001 levels=50,99.9 " +
		"sure=false tokens=0 mysql.password=*** pin=*** none= mongodb.url=*** plain.url=mongodb://h/"
	var texts []string
	for s := range got.All() {
		texts = append(texts, s.Key+"="+s.Value)
	}
	if got := strings.Join(texts, " "); got != want {
		t.Errorf("Encode = %s; want %s", got, want)
	}
}

type unmarshalable struct{}

func (*unmarshalable) UnmarshalText([]byte) error   { return nil }
func (*unmarshalable) MarshalText() ([]byte, error) { return nil, strings.NewReader("").UnreadByte() }

func TestEncodePanics(t *testing.T) {
	defer func() {
		if got, _ := recover().(string); !strings.HasPrefix(got, "properties: a properties.unmarshalable that has no text: ") {
			t.Errorf("Encode panics with %q", got)
		}
	}()
	Encode(struct {
		A unmarshalable `prop:"a"`
	}{})
}

// TestEncodeDecode checks that random structs survive being written and read.
func TestEncodeDecode(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		want := randomAll(r)
		var got all
		if err := encoded(&want).Decode(&got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("Decode(Encode(%+v)) = %+v, %v", want, got, err)
		}
	}
}

func randomAll(r *rand.Rand) all {
	a := all{
		String: randomText(r), Bool: r.IntN(2) == 0,
		Int: int(r.Uint64()), Int8: int8(r.Uint64()), Int16: int16(r.Uint64()), Int32: int32(r.Uint64()), Int64: int64(r.Uint64()),
		Uint: uint(r.Uint64()), Uint8: uint8(r.Uint64()), Uint16: uint16(r.Uint64()), Uint32: r.Uint32(), Uint64: r.Uint64(),
		Float32: float32(randomFloat(r)), Float64: randomFloat(r),
		NSUnit: randomDuration(r), USUnit: randomDuration(r), MSUnit: randomDuration(r), SUnit: randomDuration(r),
		Address: randomAddr(r), Level: slog.Level(r.IntN(40) - 20),
		Strings: randomList(r, func(r *rand.Rand) string { return "x" + randomText(r) + "x" }),
		Ints:    randomList(r, func(r *rand.Rand) int { return int(r.Uint64()) }),
		Floats:  randomList(r, randomFloat), Durations: randomList(r, randomDuration), Addresses: randomList(r, randomAddr),
		Enum:    []string{"", "a", "b"}[r.IntN(3)],
		Enums:   randomList(r, func(r *rand.Rand) string { return []string{"a", "b"}[r.IntN(2)] }),
		AtLeast: r.IntN(10),
	}
	if math.IsInf(float64(a.Float32), 0) {
		a.Float32 = math.MaxFloat32
	}
	if r.IntN(2) == 0 {
		a.PString, a.PBool, a.PInt = ptr(randomText(r)), ptr(r.IntN(2) == 0), ptr(int(r.Uint64()))
		a.PFloat, a.PDuration, a.PAddress = ptr(randomFloat(r)), ptr(randomDuration(r)), ptr(randomAddr(r))
	}
	return a
}

// randomText returns a text without commas.
func randomText(r *rand.Rand) string {
	s := make([]rune, r.IntN(6))
	for i := range s {
		s[i] = []rune("aé \t\n\\=:#😀")[r.IntN(10)]
	}
	return string(s)
}

func randomFloat(r *rand.Rand) float64 {
	for {
		if f := math.Float64frombits(r.Uint64()); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return f
		}
	}
}

func randomDuration(r *rand.Rand) time.Duration {
	return time.Duration(r.Uint64() >> r.IntN(64))
}

func randomAddr(r *rand.Rand) netip.Addr {
	return netip.AddrFrom4([4]byte{byte(r.Uint32()), 1, 2, 3})
}

func randomList[T any](r *rand.Rand, item func(*rand.Rand) T) []T {
	var list []T
	for range r.IntN(4) {
		list = append(list, item(r))
	}
	return list
}
