package properties

import (
	"errors"
	"log/slog"
	"math"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"
)

// all has a field of every type.
type all struct {
	String    string          `prop:"string"`
	Bool      bool            `prop:"bool"`
	Int       int             `prop:"int"`
	Int8      int8            `prop:"int8"`
	Int16     int16           `prop:"int16"`
	Int32     int32           `prop:"int32"`
	Int64     int64           `prop:"int64"`
	Uint      uint            `prop:"uint"`
	Uint8     uint8           `prop:"uint8"`
	Uint16    uint16          `prop:"uint16"`
	Uint32    uint32          `prop:"uint32"`
	Uint64    uint64          `prop:"uint64"`
	Float32   float32         `prop:"float32"`
	Float64   float64         `prop:"float64"`
	NSUnit    time.Duration   `prop:"nanos,unit=ns"`
	USUnit    time.Duration   `prop:"micros,unit=us"`
	MSUnit    time.Duration   `prop:"millis,unit=ms"`
	SUnit     time.Duration   `prop:"seconds,unit=s"`
	Address   netip.Addr      `prop:"address"`
	Level     slog.Level      `prop:"level"`
	Strings   []string        `prop:"strings"`
	Ints      []int           `prop:"ints"`
	Floats    []float64       `prop:"floats"`
	Durations []time.Duration `prop:"durations,unit=s"`
	Addresses []netip.Addr    `prop:"addresses"`
	PString   *string         `prop:"pstring"`
	PBool     *bool           `prop:"pbool"`
	PInt      *int            `prop:"pint"`
	PFloat    *float64        `prop:"pfloat"`
	PDuration *time.Duration  `prop:"pduration,unit=ms"`
	PAddress  *netip.Addr     `prop:"paddress"`
	Enum      string          `prop:"enum,enum=a|b"`
	Enums     []string        `prop:"enums,enum=a|b"`
	AtLeast   int             `prop:"atleast,min=1"`
	Skipped   string          `prop:"-"`
	Untagged  chan int
	_         int
}

func ptr[T any](v T) *T { return &v }

func TestDecode(t *testing.T) {
	tests := []struct {
		name, in string // in is key=value
		want     all
	}{
		{"string", "string=b c", all{String: "b c"}},
		{"string keeps blanks at its end", "string=b ", all{String: "b "}},
		{"string, empty", "string=", all{}},
		{"bool", "bool=true", all{Bool: true}},
		{"bool in upper case", "bool=TRUE", all{Bool: true}},
		{"bool, false", "bool= False ", all{}},
		{"int", "int=-12", all{Int: -12}},
		{"int with plus", "int=+12", all{Int: 12}},
		{"int with blanks", "int=12 ", all{Int: 12}},
		{"int with zeros", "int=007", all{Int: 7}},
		{"int8", "int8=-128", all{Int8: -128}},
		{"int16", "int16=32767", all{Int16: 32767}},
		{"int32", "int32=2147483647", all{Int32: math.MaxInt32}},
		{"int64", "int64=9223372036854775807", all{Int64: math.MaxInt64}},
		{"uint", "uint=+12", all{Uint: 12}},
		{"uint, minus nothing", "uint=-0", all{}},
		{"uint8", "uint8=255", all{Uint8: 255}},
		{"uint16", "uint16=65535", all{Uint16: 65535}},
		{"uint32", "uint32=4294967295", all{Uint32: math.MaxUint32}},
		{"uint64", "uint64=18446744073709551615", all{Uint64: math.MaxUint64}},
		{"float32", "float32=0.1", all{Float32: 0.1}},
		{"float64", "float64=.95", all{Float64: .95}},
		{"float64, exponent", "float64=-1.5E+3", all{Float64: -1500}},
		{"float64, least", "float64=5e-324", all{Float64: 5e-324}},
		{"float64, nothing times a power", "float64=0.0e-400", all{}},
		{"duration, ns", "nanos=12", all{NSUnit: 12}},
		{"duration, us", "micros=1.5", all{USUnit: 1500}},
		{"duration, ms", "millis=0.000001", all{MSUnit: 1}},
		{"duration, s", "seconds=90", all{SUnit: 90 * time.Second}},
		{"duration, fraction", "seconds=.1", all{SUnit: 100 * time.Millisecond}},
		{"duration, negative fraction", "seconds=-0.5", all{SUnit: -500 * time.Millisecond}},
		{"duration, many zeros", "seconds=1.00000000000000", all{SUnit: time.Second}},
		{"duration, greatest", "nanos=9223372036854775807", all{NSUnit: math.MaxInt64}},
		{"duration of Go", "seconds=1m30s", all{SUnit: 90 * time.Second}},
		{"duration of Go, fraction", "millis= 1.5s ", all{MSUnit: 1500 * time.Millisecond}},
		{"duration of Go, nothing", "seconds=0h0.0s", all{}},
		{"text", "address=::1", all{Address: netip.IPv6Loopback()}},
		{"text, other type", "level=warn", all{Level: slog.LevelWarn}},
		{"list", "strings= a, b c ,d", all{Strings: []string{"a", "b c", "d"}}},
		{"list, empty", "strings=", all{}},
		{"list of ints", "ints=1, 2,\t3", all{Ints: []int{1, 2, 3}}},
		{"list of numbers", "floats=50,99.9", all{Floats: []float64{50, 99.9}}},
		{"list of durations", "durations=1,2m", all{Durations: []time.Duration{time.Second, 2 * time.Minute}}},
		{"list of texts", "addresses=::1", all{Addresses: []netip.Addr{netip.IPv6Loopback()}}},
		{"pointer to string", "pstring=", all{PString: ptr("")}},
		{"pointer to bool", "pbool=false", all{PBool: ptr(false)}},
		{"pointer to int", "pint=0", all{PInt: ptr(0)}},
		{"pointer to number", "pfloat=0", all{PFloat: ptr(0.0)}},
		{"pointer to duration", "pduration=2", all{PDuration: ptr(2 * time.Millisecond)}},
		{"pointer to text", "paddress=::1", all{PAddress: ptr(netip.IPv6Loopback())}},
		{"enum", "enum=b ", all{Enum: "b"}},
		{"list of enum", "enums=b,a", all{Enums: []string{"b", "a"}}},
		{"bound", "atleast=1", all{AtLeast: 1}},
		{"nothing of ours", "other=1", all{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got all
			key, value, _ := strings.Cut(tt.in, "=")
			p := New()
			p.Set(key, value)
			if err := p.Decode(&got); err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("Decode(%s) = %+v, %v; want %+v", tt.in, got, err, tt.want)
			}
		})
	}
}

func TestDecodeErrors(t *testing.T) {
	type bounded struct {
		Min    int           `prop:"min,min=1"`
		Max    float64       `prop:"max,max=1"`
		Above  float64       `prop:"above,above=0"`
		Below  uint          `prop:"below,below=10"`
		Both   time.Duration `prop:"both,unit=s,above=0,max=1m"`
		List   []float64     `prop:"list,above=0,max=100"`
		Point  *int          `prop:"point,min=1"`
		Dist   string        `prop:"dist,enum=uniform|zipfian|latest"`
		Dists  []string      `prop:"dists,enum=uniform|zipfian|latest"`
		Needed string        `prop:"needed,required"`
		Tokens int           `prop:"tokens"`
		DSN    netip.Addr    `prop:"dsn"`
		Secret netip.Addr    `prop:"pin,secret"`
		Choice string        `prop:"choice,secret,enum=alpha|beta"`
		Hidden string        `prop:"hidden,secret,required"`
		Hides  []int         `prop:"hides,secret"`
	}
	tests := []struct {
		name string
		v    any
		in   string
		want string // after "f:7: "
	}{
		{"int", &all{}, "int=abc", "int=abc: not a whole number"},
		{"int, empty", &all{}, "int=", "int=: not a whole number"},
		{"int, blank", &all{}, "int=\t", `int="\t": not a whole number`},
		{"int, thousands", &all{}, "int=1,000", "int=1,000: not a whole number"},
		{"int, underscore", &all{}, "int=1_000", "int=1_000: not a whole number"},
		{"int, exponent", &all{}, "int=1e3", "int=1e3: not a whole number"},
		{"int, fraction", &all{}, "int=1.0", "int=1.0: not a whole number"},
		{"int, hexadecimal", &all{}, "int=0x10", "int=0x10: not a whole number"},
		{"int, long", &all{}, "int=10L", "int=10L: not a whole number"},
		{"int, signs", &all{}, "int=+-1", "int=+-1: not a whole number"},
		{"int, other digits", &all{}, "int=١", "int=١: not a whole number"},
		{"int, two lines", &all{}, "int=1\n2", `int="1\n2": not a whole number`},
		{"int8, great", &all{}, "int8=128", "int8=128: must be at most 127"},
		{"int8, small", &all{}, "int8=-129", "int8=-129: must be at least -128"},
		{"int64, great", &all{}, "int64=9223372036854775808", "int64=9223372036854775808: must be at most 9223372036854775807"},
		{"uint, negative", &all{}, "uint=-1", "uint=-1: must be at least 0"},
		{"uint, very negative", &all{}, "uint=-99999999999999999999", "uint=-99999999999999999999: must be at least 0"},
		{"uint, signs", &all{}, "uint=-+1", "uint=-+1: not a whole number"},
		{"uint8, great", &all{}, "uint8=256", "uint8=256: must be at most 255"},
		{"bool", &all{}, "bool=yes", "bool=yes: not true or false"},
		{"bool, empty", &all{}, "bool=", "bool=: not true or false"},
		{"bool, digit", &all{}, "bool=1", "bool=1: not true or false"},
		{"number", &all{}, "float64=abc", "float64=abc: not a number"},
		{"number, empty", &all{}, "float64=", "float64=: not a number"},
		{"number, NaN", &all{}, "float64=NaN", "float64=NaN: not a finite number"},
		{"number, infinite", &all{}, "float64=-Infinity", "float64=-Infinity: not a finite number"},
		{"number, great", &all{}, "float64=1e309", "float64=1e309: out of the range of numbers"},
		{"number, great for 32 bits", &all{}, "float32=1e39", "float32=1e39: out of the range of numbers"},
		{"number, small", &all{}, "float64=1e-400", "float64=1e-400: too small to be told from 0"},
		{"number, small and negative", &all{}, "float64=-0.01E-323", "float64=-0.01E-323: too small to be told from 0"},
		{"number, small for 32 bits", &all{}, "float32=1e-50", "float32=1e-50: too small to be told from 0"},
		{"number, small item", &all{}, "floats=1,1e-400", "floats=1,1e-400: item 2: too small to be told from 0"},
		{"number, hexadecimal", &all{}, "float64=0x1p-2", "float64=0x1p-2: not a number"},
		{"number, underscore", &all{}, "float64=1_0", "float64=1_0: not a number"},
		{"number, comma", &all{}, "float64=0,5", "float64=0,5: not a number"},
		{"number, letters of numbers", &all{}, "float64=e-+", "float64=e-+: not a number"},
		{"duration", &all{}, "seconds=abc", "seconds=abc: not a duration, want a number of seconds, or such as 1m30s"},
		{"duration, empty", &all{}, "millis=", "millis=: not a duration, want a number of milliseconds, or such as 1m30s"},
		{"duration, exponent", &all{}, "seconds=1e3", "seconds=1e3: not a duration, want a number of seconds, or such as 1m30s"},
		{"duration, dot", &all{}, "seconds=.", "seconds=.: not a duration, want a number of seconds, or such as 1m30s"},
		{"duration, signs", &all{}, "seconds=+-1", "seconds=+-1: not a duration, want a number of seconds, or such as 1m30s"},
		{"duration, fine", &all{}, "nanos=1.5", "nanos=1.5: finer than a nanosecond"},
		{"duration, fine, exponent", &all{}, "seconds=1e-12", "seconds=1e-12: not a duration, want a number of seconds, or such as 1m30s"},
		{"duration, fine, in its unit", &all{}, "seconds=0.0000000001", "seconds=0.0000000001: finer than a nanosecond"},
		{"duration of Go, fine", &all{}, "seconds=0.5ns", "seconds=0.5ns: finer than a nanosecond"},
		{"duration of Go, fine in parts", &all{}, "seconds=-0h0.00001us", "seconds=-0h0.00001us: finer than a nanosecond"},
		{"duration, long", &all{}, "seconds=9223372037", "seconds=9223372037: out of the range of durations, 292 years"},
		{"text", &all{}, "level=LOUD", `level=LOUD: slog: level string "LOUD": unknown name`},
		{"list, item", &all{}, "ints=1,x,3", "ints=1,x,3: item 2: not a whole number"},
		{"list, empty item", &all{}, "ints=1,,3", "ints=1,,3: item 2 is empty"},
		{"list, comma at the end", &all{}, "strings=a,", "strings=a,: item 2 is empty"},
		{"pointer", &all{}, "pint=x", "pint=x: not a whole number"},
		{"pointer, empty", &all{}, "pint=", "pint=: not a whole number"},
		{"min", &bounded{}, "min=0", "min=0: must be at least 1"},
		{"min, negative", &bounded{}, "min=-1", "min=-1: must be at least 1"},
		{"max", &bounded{}, "max=1.01", "max=1.01: must be at most 1"},
		{"above", &bounded{}, "above=0", "above=0: must be more than 0"},
		{"below", &bounded{}, "below=10", "below=10: must be less than 10"},
		{"both, lower", &bounded{}, "both=0", "both=0: must be more than 0"},
		{"both, upper", &bounded{}, "both=60.1", "both=60.1: must be at most 1m"},
		{"bound of items", &bounded{}, "list=50,0", "list=50,0: item 2: must be more than 0"},
		{"bound of pointer", &bounded{}, "point=0", "point=0: must be at least 1"},
		{"enum", &bounded{}, "dist=normal", "dist=normal: must be one of uniform, zipfian, latest"},
		{"enum, misspelt", &bounded{}, "dist=zipfain", "dist=zipfain: must be one of uniform, zipfian, latest (did you mean zipfian?)"},
		{"enum, case", &bounded{}, "dist=Latest", "dist=Latest: must be one of uniform, zipfian, latest (did you mean latest?)"},
		{"enum, empty", &bounded{}, "dist=", "dist=: must be one of uniform, zipfian, latest"},
		{"enum in list", &bounded{}, "dists=latest,x", "dists=latest,x: item 2: must be one of uniform, zipfian, latest"},
		{"required, empty", &bounded{}, "needed=", "needed=: must not be empty"},
		{"key that smells", &bounded{}, "tokens=x", "tokens=***: not a whole number"},
		{"address with a user", &bounded{}, "dsn=u:hunter2@tcp(h)/d", "dsn=***: cannot be read as netip.Addr"},
		{"secret", &bounded{}, "pin=hunter2", "pin=***: cannot be read as netip.Addr"},
		{"secret, enum", &bounded{}, "choice=alpga", "choice=***: must be one of alpha, beta"},
		{"secret, required", &bounded{}, "hidden=", "hidden=: must not be empty"},
		{"secret, list", &bounded{}, "hides=1,hunter2", "hides=***: item 2: not a whole number"},
		{"long", &all{}, "int=" + strings.Repeat("é", 300), "int=" + strings.Repeat("é", 100) + "…: not a whole number"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := New()
			p.Set("needed", "x")
			p.Set("hidden", "x")
			key, value, _ := strings.Cut(tt.in, "=")
			p.SetFrom(key, value, "f", 7)
			before := reflect.ValueOf(tt.v).Elem().Interface()
			err := p.Decode(tt.v)
			var e *Error
			if !errors.As(err, &e) || !errors.Is(err, ErrValue) || err.Error() != "f:7: "+tt.want {
				t.Fatalf("Decode(%s) = %v; want f:7: %s", tt.in, err, tt.want)
			}
			if e.Key != key || strings.Contains(e.Value, "hunter2") {
				t.Errorf("Decode(%s) = Error of %s=%s", tt.in, e.Key, e.Value)
			}
			name := strings.ToUpper(key)
			after := reflect.ValueOf(tt.v).Elem()
			for i := range after.NumField() {
				if strings.ToUpper(after.Type().Field(i).Tag.Get("prop")) == name && !after.Field(i).IsZero() {
					t.Errorf("Decode(%s) changed %v to %v", tt.in, before, after)
				}
			}
		})
	}
}

func TestDecodeAllFaults(t *testing.T) {
	var c struct {
		A int    `prop:"a" default:"5"`
		B int    `prop:"b,min=0"`
		C string `prop:"c"`
		D string `prop:"d,required"`
	}
	p, err := Parse(strings.NewReader("c=3\nb=-1\n\na=x\n"), "workloada")
	if err != nil {
		t.Fatal(err)
	}
	err = p.Decode(&c)
	want := "workloada:4: a=x: not a whole number\n" +
		"workloada:2: b=-1: must be at least 0\n" +
		"d: required, but not set"
	if err == nil || err.Error() != want {
		t.Errorf("Decode = %v; want %s", err, want)
	}
	if c.A != 0 || c.B != 0 || c.C != "3" {
		t.Errorf("Decode left %+v; want only C to be set", c)
	}
}

func TestDecodeDefaults(t *testing.T) {
	type config struct {
		Threads     int           `prop:"threadcount,min=1" default:"1"`
		Percentiles []float64     `prop:"percentiles" default:"50,95,99"`
		Interval    time.Duration `prop:"interval,unit=s" default:"10"`
		Table       string        `prop:"table" default:"usertable"`
		Empty       string        `prop:"empty" default:""`
		Point       *int          `prop:"point" default:"3"`
		Plain       int           `prop:"plain"`
	}
	want := config{1, []float64{50, 95, 99}, 10 * time.Second, "usertable", "", ptr(3), 7}
	for _, p := range []*Properties{nil, {}, New()} {
		got := config{Threads: 4, Empty: "x", Plain: 7}
		if err := p.Decode(&got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Decode of nothing = %+v, %v; want %+v", got, err, want)
		}
	}
	p := New()
	p.Set("percentiles", "")
	p.Set("table", "")
	var got config
	if err := p.Decode(&got); err != nil || got.Percentiles != nil || got.Table != "" || got.Threads != 1 {
		t.Errorf("Decode of empty values = %+v, %v; want them empty", got, err)
	}
}

func TestDecodeAlias(t *testing.T) {
	type config struct {
		Theta float64 `prop:"zipfian.theta,alias=zipfian_const,alias=theta,max=3" default:"0.99"`
	}
	tests := []struct {
		name string
		keys []string
		want float64
	}{
		{"none", nil, .99},
		{"key", []string{"zipfian.theta"}, 0},
		{"alias", []string{"zipfian_const"}, 0},
		{"key, alias", []string{"zipfian.theta", "zipfian_const"}, 1},
		{"alias, key", []string{"theta", "zipfian.theta"}, 1},
		{"all, alias again", []string{"theta", "zipfian.theta", "zipfian_const", "theta"}, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := New()
			for i, key := range tt.keys {
				p.Set(key, string(rune('0'+i)))
			}
			var c config
			if err := p.Decode(&c); err != nil || c.Theta != tt.want {
				t.Errorf("Decode = %v, %v; want %v", c.Theta, err, tt.want)
			}
			if err := p.Unknown(); err != nil {
				t.Errorf("Unknown = %v; want all names known", err)
			}
		})
	}
	p := New()
	p.SetFrom("zipfian_const", "4", "f", 1)
	const want = "f:1: zipfian_const=4: must be at most 3"
	if err := p.Decode(new(config)); err == nil || err.Error() != want {
		t.Errorf("Decode = %v; want %s", err, want)
	}
}

type common struct {
	Table string `prop:"table" default:"usertable"`
}

type pool struct {
	Size int  `prop:"size,alias=connections" default:"2"`
	Keep keep `prop:"keep."`
}

type keep struct {
	Alive bool `prop:"alive"`
}

type nested struct {
	common
	keep   `prop:"outer."`
	Pool   pool      `prop:"mysql.pool."`
	Second pool      `prop:"second."`
	Other  pool      // no setting
	Not    pool      `prop:"-"`
	When   time.Time `prop:"when"`
}

func TestDecodeNested(t *testing.T) {
	p := New()
	for _, key := range []string{"outer.alive", "second.keep.alive"} {
		p.Set(key, "true")
	}
	p.Set("mysql.pool.connections", "7")
	p.Set("size", "9")
	p.Set("when", "2026-11-30T00:00:00Z")
	var got nested
	if err := p.Decode(&got); err != nil {
		t.Fatal(err)
	}
	want := nested{
		common: common{"usertable"},
		keep:   keep{true},
		Pool:   pool{Size: 7},
		Second: pool{Size: 2, Keep: keep{true}},
		When:   time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC),
	}
	if got != want {
		t.Errorf("Decode = %+v; want %+v", got, want)
	}
	if err := p.Unknown(); err == nil || err.Error() != "size: unknown key" {
		t.Errorf("Unknown = %v; want size only", err)
	}
}

func TestTagPanics(t *testing.T) {
	tests := []struct {
		name string
		v    any
		want string
	}{
		{"no struct", new(int), "want a struct or a pointer to one, not *int"},
		{"nil", nil, "want a struct or a pointer to one, not <nil>"},
		{"no key", struct {
			A int `prop:",min=1"`
		}{}, `A: tag ",min=1": want a key`},
		{"prefix on a scalar", struct {
			A int `prop:"a."`
		}{}, `A: tag "a.": want a key`},
		{"key on a struct", struct {
			A keep `prop:"a"`
		}{}, `A: tag "a": a struct wants but a prefix that ends in a dot`},
		{"unknown option", struct {
			A int `prop:"a,least=1"`
		}{}, `A: option "least=1" is unknown`},
		{"option without value", struct {
			A int `prop:"a,min"`
		}{}, `A: option "min" wants a value`},
		{"flag with value", struct {
			A int `prop:"a,secret=true"`
		}{}, `A: option "secret=true" takes no value`},
		{"option twice", struct {
			A int `prop:"a,min=1,min=2"`
		}{}, `A: tag "a,min=1,min=2": min is there twice`},
		{"default in prop", struct {
			A int `prop:"a,default=1"`
		}{}, "A: option \"default\": use a tag of its own, `default:\"…\"`"},
		{"default without prop", struct {
			A int `default:"1"`
		}{}, "A: a default without a prop tag"},
		{"default refused", struct {
			A int `prop:"a,min=1" default:"0"`
		}{}, `A: default "0": must be at least 1`},
		{"default and required", struct {
			A int `prop:"a,required" default:"0"`
		}{}, "A: required, yet with a default"},
		{"duration without unit", struct {
			A time.Duration `prop:"a"`
		}{}, "A: a duration wants one of the options unit=ns, unit=us, unit=ms, unit=s"},
		{"unknown unit", struct {
			A time.Duration `prop:"a,unit=h"`
		}{}, "A: a duration wants one of the options unit=ns, unit=us, unit=ms, unit=s"},
		{"unit of an int", struct {
			A int `prop:"a,unit=s"`
		}{}, "A: option unit is for durations"},
		{"bound of a string", struct {
			A string `prop:"a,min=1"`
		}{}, "A: option min is for numbers and durations"},
		{"bad bound", struct {
			A int `prop:"a,max=x"`
		}{}, "A: option max=x: not a whole number"},
		{"two lower bounds", struct {
			A int `prop:"a,min=1,above=0"`
		}{}, "A: bounds contradict one another"},
		{"bounds crossed", struct {
			A int `prop:"a,min=2,max=1"`
		}{}, "A: bounds contradict one another"},
		{"enum of ints", struct {
			A int `prop:"a,enum=1|2"`
		}{}, "A: option enum is for texts"},
		{"enum with a gap", struct {
			A string `prop:"a,enum=a||b"`
		}{}, `A: option "enum=a||b" wants a value`},
		{"type", struct {
			A chan int `prop:"a"`
		}{}, "A: type chan int cannot be decoded"},
		{"pointer to pointer", struct {
			A **int `prop:"a"`
		}{}, "A: type **int cannot be decoded"},
		{"unexported", struct {
			a int `prop:"a"`
		}{}, "a: a prop tag on an unexported field"},
		{"embedded pointer", struct{ *common }{}, "common: an embedded pointer: embed the struct, or tag it `prop:\"-\"`"},
		{"key twice", struct {
			A int `prop:"a"`
			B int `prop:"b,alias=a"`
		}{}, "B: key a is taken by "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				got, _ := recover().(string)
				if !strings.HasPrefix(got, "properties: ") || !strings.Contains(got, tt.want) {
					t.Errorf("Describe panics with %q; want %q", got, tt.want)
				}
			}()
			Describe(tt.v)
		})
	}
}

func TestDecodePanics(t *testing.T) {
	for _, v := range []any{nil, all{}, (*all)(nil), new(int)} {
		t.Run(reflect.TypeOf(&v).String(), func(t *testing.T) {
			defer func() {
				got, _ := recover().(string)
				if !strings.HasPrefix(got, "properties: Decode wants a pointer to a struct, not ") {
					t.Errorf("Decode(%T) panics with %q", v, got)
				}
			}()
			_ = New().Decode(v)
		})
	}
}

// FuzzDecode checks that any value of any field is either an error that names the
// key, or is written as text that is read as the same value.
func FuzzDecode(f *testing.F) {
	for _, s := range Describe(all{}) {
		for _, value := range []string{"", "a", "true", "1", "-1.5", "1e3", "1m30s", "::1", "warn+3", "a,b", "1, 2", "\xff"} {
			f.Add(s.Key, value)
		}
	}
	f.Fuzz(func(t *testing.T, key, value string) {
		p := New()
		p.SetFrom(key, value, "f", 1)
		var got all
		if err := p.Decode(&got); err != nil {
			if !errors.Is(err, ErrValue) || !strings.HasPrefix(err.Error(), "f:1: "+key+"=") || strings.Contains(err.Error(), "\n") {
				t.Fatalf("Decode(%q=%q) = %v", key, value, err)
			}
			return
		}
		var again all
		if err := encoded(got).Decode(&again); err != nil || !reflect.DeepEqual(again, got) {
			t.Fatalf("Decode(%q=%q) = %+v; decoded again %+v, %v", key, value, got, again, err)
		}
	})
}

// encoded returns what Encode makes of v.
func encoded(v any) *Properties {
	p := New()
	for _, s := range Encode(v) {
		p.Set(s.Key, s.Value)
	}
	return p
}
