package properties

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// texts returns the settings in order, each as key=value file:line.
func texts(p *Properties) string {
	var s []string
	for q := range p.All() {
		s = append(s, fmt.Sprintf("%s=%s %s:%d", q.Key, q.Value, q.File, q.Line))
	}
	return strings.Join(s, ", ")
}

func TestSetLookupAll(t *testing.T) {
	var p Properties
	p.Set("a", "1")
	p.SetFrom("b", "2", "f", 3)
	p.SetFrom("c", "", "-p", 0)
	p.Set("a", "4")
	if got, want := texts(&p), "b=2 f:3, c= -p:0, a=4 :0"; got != want {
		t.Errorf("All = %s; want %s", got, want)
	}
	for s := range p.All() {
		p.Set("d", s.Key) // what is set meanwhile does not show
		break
	}
	if s, ok := p.Lookup("d"); !ok || s.Value != "b" {
		t.Errorf("Lookup(d) = %v, %v; want b", s, ok)
	}
	if s, ok := p.Lookup("e"); ok || s != (Property{}) {
		t.Errorf("Lookup(e) = %v, %v; want nothing", s, ok)
	}
	if _, ok := p.Lookup("c"); !ok {
		t.Error("Lookup(c) finds nothing; want the empty value")
	}
}

func TestNil(t *testing.T) {
	var p *Properties
	if s, ok := p.Lookup("a"); ok {
		t.Errorf("Lookup = %v; want nothing", s)
	}
	if got := texts(p); got != "" {
		t.Errorf("All = %s; want nothing", got)
	}
	if err := p.Unknown(); err != nil {
		t.Errorf("Unknown = %v; want nil", err)
	}
	if p.Secret("a") {
		t.Error("Secret = true; want false")
	}
	if got, want := p.Fault("a", errors.New("bad")).Error(), "a: bad"; got != want {
		t.Errorf("Fault = %s; want %s", got, want)
	}
	q := p.Clone()
	q.Set("a", "1")
	q.Merge(nil)
	if got, want := texts(q), "a=1 :0"; got != want {
		t.Errorf("Clone of nil, then Set = %s; want %s", got, want)
	}
}

func TestMergeClone(t *testing.T) {
	p, q := New(), New()
	p.Set("a", "1")
	p.Set("b", "2")
	q.SetFrom("a", "3", "f", 1)
	q.SetFrom("c", "4", "f", 2)
	q.Know("c")
	q.KnowPrefix("x.")
	clone := p.Clone()
	p.Merge(q)
	p.Set("x.y", "5")
	if got, want := texts(p), "b=2 :0, a=3 f:1, c=4 f:2, x.y=5 :0"; got != want {
		t.Errorf("Merge = %s; want %s", got, want)
	}
	if got, want := p.Unknown().Error(), "b: unknown key\nf:1: a: unknown key"; got != want {
		t.Errorf("Unknown = %s; want %s", got, want)
	}
	if got, want := texts(clone), "a=1 :0, b=2 :0"; got != want {
		t.Errorf("Clone = %s; want %s", got, want)
	}
	p.Merge(p)
	if got, want := texts(p), "b=2 :0, a=3 f:1, c=4 f:2, x.y=5 :0"; got != want {
		t.Errorf("Merge with itself = %s; want %s", got, want)
	}
	other := p.Clone()
	other.Know("a", "b")
	if p.Unknown() == nil || other.Unknown() != nil {
		t.Errorf("Unknown of set and clone = %v, %v; want the clone only to know", p.Unknown(), other.Unknown())
	}
}

func TestUnknown(t *testing.T) {
	known := []string{
		"recordcount", "operationcount", "readproportion", "scanproportion", "insertproportion", "fieldcount",
		"fieldlength", "table", "threadcount", "target", "seed", "db", "mysql.host", "mysql.user", "label",
		"maxscanlength", "requestdistribution",
	}
	tests := []struct{ name, key, want string }{
		{"letter missing", "readpropotion", "readproportion"},
		{"another", "fieldcout", "fieldcount"},
		{"letters swapped", "readproportoin", "readproportion"},
		{"letter too many", "recordccount", "recordcount"},
		{"letter wrong", "tarbet", "target"},
		{"case", "recordCount", "recordcount"},
		{"case of short", "DB", "db"},
		{"two slips", "requestdistribtuon", "requestdistribution"},
		{"plural", "readproportions", "readproportion"},
		{"dot missing", "mysqlhost", "mysql.host"},
		{"slip after dot", "mysql.hots", "mysql.host"},
		{"nearest of two", "scanproportoin", "scanproportion"},
		{"another word", "mysql.port", ""},
		{"another table", "cable.x", ""},
		{"short", "dc", ""},
		{"short, long", "d", ""},
		{"far", "minscanwidth", ""},
		{"swap in short", "labl", "label"},
		{"not a slip", "babel", "label"},
		{"nothing near", "frobnicate", ""},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := New()
			p.Know(known...)
			p.SetFrom("table", "x", "f", 1)
			p.SetFrom(tt.key, "hunter2", "f", 2)
			err := p.Unknown()
			var e *Error
			if !errors.As(err, &e) || !errors.Is(err, ErrUnknown) || e.Suggestion != tt.want {
				t.Fatalf("Unknown of %s = %v; want suggestion %q", tt.key, err, tt.want)
			}
			if e.Line != 2 || e.Key != tt.key || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("Unknown of %s = %v", tt.key, err)
			}
		})
	}
}

func TestUnknownAllowed(t *testing.T) {
	p := New()
	for _, key := range []string{"htrace.a", "htracer", "spin.sleep", "mysql.host", "*", "opertion"} {
		p.Set(key, "x")
	}
	p.KnowPrefix("mysql.", "mysql.")
	err := p.Unknown("htrace.*", "spin.sleep", "operation")
	want := "htracer: unknown key\n*: unknown key\nopertion: unknown key (did you mean operation?)"
	if err == nil || err.Error() != want {
		t.Errorf("Unknown = %v; want %s", err, want)
	}
	if err := p.Unknown("*"); err != nil {
		t.Errorf("Unknown(*) = %v; want nil", err)
	}
	if err := p.Unknown(); err == nil || !strings.Contains(err.Error(), "spin.sleep") {
		t.Errorf("Unknown = %v; want what was allowed before to be unknown", err)
	}
}

func TestErrorText(t *testing.T) {
	property := Property{"k", "v", "f", 3}
	tests := []struct {
		name string
		err  Error
		want string
	}{
		{"value", Error{Property: property, Err: ErrValue}, "f:3: k=v: bad value"},
		{"unknown", Error{Property: property, Err: ErrUnknown}, "f:3: k: unknown key"},
		{"suggestion", Error{Property: property, Err: ErrUnknown, Suggestion: "l"}, "f:3: k: unknown key (did you mean l?)"},
		{"no line", Error{Property: Property{"k", "v", "-p", 0}, Err: ErrValue}, "-p: k=v: bad value"},
		{"no file", Error{Property: Property{Key: "k", Value: "v"}, Err: ErrValue}, "k=v: bad value"},
		{"no value", Error{Property: Property{Key: "k"}, Err: ErrValue}, "k: bad value"},
		{"no key", Error{Property: Property{File: "f", Line: 3}, Err: ErrSyntax}, "f:3: bad syntax"},
		{"empty key", Error{Property: Property{File: "f", Line: 3}, Err: ErrUnknown}, `f:3: "": unknown key`},
		{"odd key", Error{Property: Property{Key: "a\nb"}, Err: ErrUnknown}, `"a\nb": unknown key`},
		{"nothing wrong", Error{Property: property}, "f:3: k=v: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.err.Error(); got != tt.want {
				t.Errorf("Error = %s; want %s", got, tt.want)
			}
		})
	}
}

func TestFault(t *testing.T) {
	var c struct {
		Min   int     `prop:"minscanlength"`
		Theta float64 `prop:"zipfian.theta,alias=zipfian_const"`
		PIN   string  `prop:"pin,secret"`
	}
	p := New()
	p.SetFrom("minscanlength", "9", "workloada", 12)
	p.SetFrom("zipfian_const", "1", "-p", 0)
	p.SetFrom("pin", "hunter\t2", "f", 1)
	p.SetFrom("empty", "", "f", 2)
	if err := p.Decode(&c); err != nil {
		t.Fatal(err)
	}
	cause := errors.New("greater than maxscanlength")
	tests := []struct {
		name, key string
		err       error
		want      string
	}{
		{"set", "minscanlength", cause, "workloada:12: minscanlength=9: greater than maxscanlength"},
		{"set by alias", "zipfian.theta", cause, "-p: zipfian_const=1: greater than maxscanlength"},
		{"not set", "maxscanlength", cause, "maxscanlength: greater than maxscanlength"},
		{"set to nothing", "empty", cause, "f:2: empty=: greater than maxscanlength"},
		{"secret", "pin", fmt.Errorf("%q is %s: %w", c.PIN, c.PIN, cause), `f:1: pin=***: *** is ***: greater than maxscanlength`},
		{"no cause", "minscanlength", nil, "workloada:12: minscanlength=9: bad value"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := p.Fault(tt.key, tt.err)
			if err.Error() != tt.want || !errors.Is(err, ErrValue) || tt.err != nil && !errors.Is(err, cause) {
				t.Errorf("Fault(%s) = %v; want %s", tt.key, err, tt.want)
			}
		})
	}
}

func TestFaulty(t *testing.T) {
	var c struct {
		Min   int     `prop:"minscanlength"`
		Max   int     `prop:"maxscanlength"`
		Theta float64 `prop:"zipfian.theta,alias=zipfian_const"`
		Table string  `prop:"table,required"`
	}
	p := New()
	p.Set("minscanlength", "x")
	p.Set("maxscanlength", "9")
	p.Set("zipfian_const", "y")
	err := fmt.Errorf("all: %w", errors.Join(errors.New("other"), p.Decode(&c)))
	for _, tt := range []struct {
		keys []string
		want bool
	}{
		{[]string{"minscanlength"}, true},
		{[]string{"maxscanlength"}, false},
		{[]string{"maxscanlength", "minscanlength"}, true},
		{[]string{"zipfian.theta"}, true},
		{[]string{"zipfian_const"}, true},
		{[]string{"table"}, true},
		{nil, false},
	} {
		if got := p.Faulty(err, tt.keys...); got != tt.want {
			t.Errorf("Faulty(%v) = %v; want %v", tt.keys, got, tt.want)
		}
	}
	if p.Faulty(nil, "minscanlength") {
		t.Error("Faulty of no error = true; want false")
	}
}

func TestSecret(t *testing.T) {
	var c struct {
		PIN int `prop:"pin,alias=number,secret"`
	}
	tests := []struct {
		key, value string
		want       bool
	}{
		{"pin", "1", true},
		{"number", "1", true},
		{"mysql.password", "x", true},
		{"jdbc.PASSWD", "x", true},
		{"client_secret", "x", true},
		{"auth.token", "x", true},
		{"mysql.password", "", false},
		{"recordcount", "1000", false},
		{"mongodb.url", "mongodb://localhost:27017/ycsb?w=1", false},
		{"mongodb.url", "mongodb://u:p@localhost:27017/ycsb", true},
		{"where", "redis://:p@localhost", true},
		{"mysql.dsn", "u:p@tcp(localhost)/ycsb", true},
		{"pg", "host=localhost password = p", true},
		{"mail", "a@b", false},
	}
	for _, tt := range tests {
		p := New()
		p.Set(tt.key, tt.value)
		if err := p.Decode(&c); err != nil {
			t.Fatal(err)
		}
		if got := p.Secret(tt.key); got != tt.want {
			t.Errorf("Secret of %s=%s = %v; want %v", tt.key, tt.value, got, tt.want)
		}
	}
	if got, want := (Property{Key: "password", Value: "x"}).String(), "password=***"; got != want {
		t.Errorf("String = %s; want %s", got, want)
	}
}

func TestSecretOfTwoStructs(t *testing.T) {
	var open struct {
		PIN string `prop:"pin"`
	}
	var closed struct {
		PIN string `prop:"pin,secret"`
	}
	p := New()
	p.Set("pin", "1")
	for _, v := range []any{&closed, &open} {
		if err := p.Decode(v); err != nil {
			t.Fatal(err)
		}
	}
	p.Know("pin")
	if !p.Secret("pin") {
		t.Error("Secret = false after a struct without the option; want true")
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "", 3},
		{"abc", "abc", 0},
		{"abc", "acb", 1},
		{"abc", "abd", 1},
		{"abc", "ab", 1},
		{"abc", "xabc", 1},
		{"ca", "abc", 3},
		{"kitten", "sitting", 3},
		{"éa", "aé", 1},
	}
	for _, tt := range tests {
		if got := distance([]rune(tt.a), []rune(tt.b)); got != tt.want {
			t.Errorf("distance(%q, %q) = %d; want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestNearestTie(t *testing.T) {
	candidates := []string{"fieldb", "fielda"}
	for range 2 {
		if got := Nearest("fieldc", candidates); got != "fielda" {
			t.Errorf("Nearest(fieldc, %v) = %s; want fielda", candidates, got)
		}
		slices.Reverse(candidates)
	}
}

// TestNearest has candidates out of order, which have to stay so.
func TestNearest(t *testing.T) {
	names := []string{"mysql", "memory", "Noop"}
	for _, tt := range []struct{ name, want string }{
		{"mysq", "mysql"},
		{"msyql", "mysql"},
		{"noop", "Noop"},
		{"mysql", ""}, // it is itself
		{"mongodb", ""},
		{"", ""},
	} {
		if got := Nearest(tt.name, names); got != tt.want {
			t.Errorf("Nearest(%q, %v) = %q; want %q", tt.name, names, got, tt.want)
		}
	}
	if want := []string{"mysql", "memory", "Noop"}; !slices.Equal(names, want) {
		t.Errorf("Nearest made %v of the candidates %v", names, want)
	}
}
