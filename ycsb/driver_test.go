package ycsb_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

type regtestConfig struct {
	Size int `prop:"regtest.size,min=1" default:"3"`
}

var (
	regtestGot regtestConfig
	errDenied  = errors.New("denied")
)

func init() {
	ycsb.Register("regtest", ycsb.NewDriver(func(_ context.Context, c regtestConfig) (ycsb.DB, error) {
		regtestGot = c
		return new(fakeDB), nil
	}))
	ycsb.Register("regtest-denied", ycsb.DriverFunc(func(context.Context, *properties.Properties) (ycsb.DB, error) {
		return nil, errDenied
	}))
}

func TestRegistry(t *testing.T) {
	ctx := t.Context()
	if !slices.IsSorted(ycsb.Drivers()) || !slices.Contains(ycsb.Drivers(), "regtest") {
		t.Errorf("Drivers() = %v; want them sorted, regtest among them", ycsb.Drivers())
	}
	if db, err := ycsb.Open(ctx, "regtest", nil); db == nil || err != nil || regtestGot.Size != 3 {
		t.Errorf("Open with nil = %v, %v with %+v; want the default size", db, err, regtestGot)
	}
	p := properties.New()
	p.SetFrom("regtest.size", "0", "f", 7)
	if _, err := ycsb.Open(ctx, "regtest", p); err == nil || !strings.Contains(err.Error(), "f:7: regtest.size=0") {
		t.Errorf("size 0: error %v; want one that says where", err)
	}
	if _, err := ycsb.Open(ctx, "regtest-denied", nil); !errors.Is(err, errDenied) {
		t.Errorf("error %v; want %v", err, errDenied)
	}
	if _, err := ycsb.Open(ctx, "nosuch", nil); err == nil || !strings.Contains(err.Error(), `"nosuch": have `) {
		t.Errorf("error %v; want one that lists the drivers", err)
	}
	for name, f := range map[string]func(){
		"taken": func() { ycsb.Register("regtest", ycsb.DriverFunc(nil)) },
		"empty": func() { ycsb.Register("", ycsb.DriverFunc(nil)) },
		"nil":   func() { ycsb.Register("regtest-nil", nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Register of a name %s does not panic", name)
				}
			}()
			f()
		}()
	}
}

func TestRecord(t *testing.T) {
	var r ycsb.Record
	value := []byte("one")
	r.Append("a", value)
	value[0] = 'x' // it was copied
	copy(r.Grow("b", 3), "two")
	r.Append("b", []byte("second b"))
	r.Append("e", nil)
	var got []string
	for name, v := range r.All() {
		got = append(got, name+"="+string(v))
	}
	if want := "a=one b=two b=second b e="; strings.Join(got, " ") != want || r.Len() != 4 {
		t.Errorf("All() = %v; want %s", got, want)
	}
	if v, ok := r.Get("b"); string(v) != "two" || !ok {
		t.Errorf("Get(b) = %q, %v; want the first one", v, ok)
	}
	if _, ok := r.Get("c"); ok {
		t.Error("Get(c) found something")
	}
	r.Reset()
	if r.Len() != 0 || len(r.Fields()) != 0 {
		t.Error("Reset leaves fields")
	}
	allocs := testing.AllocsPerRun(100, func() {
		r.Reset()
		r.Append("a", []byte("one"))
		r.Grow("b", 3)
		_, _ = r.Get("b")
	})
	if allocs != 0 {
		t.Errorf("%v allocations; want 0", allocs)
	}
}
