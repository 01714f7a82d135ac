package ycsb_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

func TestOptionsDecode(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"all good", "threadcount=1048576 target=1e9 openloop=true status.interval=0.001", ""},
		{"threads", "threadcount=1048577", "f:1: threadcount=1048577: must be at most 1048576"},
		{"target", "target=1e10", "f:1: target=1e10: must be at most 1e9"},
		{"interval", "status.interval=0.0001", "f:1: status.interval=0.0001: must be at least 0.001"},
		{"no interval", "status.interval=0", "f:1: status.interval=0: must be at least 0.001"},
		{"open loop", "seed=1 openloop=true", "f:2: openloop=true: an open loop needs a target rate"},
		{"open loop, no target", "openloop=true target=0", "f:1: openloop=true: an open loop needs a target rate"},
		{"open loop, bad target", "openloop=true target=x", "f:2: target=x: not a number"},
		{"bad open loop", "openloop=x", "f:1: openloop=x: not true or false"},
		{
			"all at once", "threadcount=abc target=1e10 maxerrors=-1",
			"f:1: threadcount=abc: not a whole number\nf:2: target=1e10: must be at most 1e9\nf:3: maxerrors=-1: must be at least 0",
		},
		{
			"one of each kind", "openloop=true threadcount=abc",
			"f:2: threadcount=abc: not a whole number\nf:1: openloop=true: an open loop needs a target rate",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := properties.New()
			for i, prop := range strings.Fields(tt.in) {
				key, value, _ := strings.Cut(prop, "=")
				p.SetFrom(key, value, "f", i+1)
			}
			got := ""
			if err := new(ycsb.Options).Decode(p); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("Decode(%s) = %s; want %s", tt.in, got, tt.want)
			}
		})
	}
}

func TestOptionsDecodeKeeps(t *testing.T) {
	p := properties.New()
	p.Set("openloop", "true")
	p.Set("threadcount", "x")
	p.Set("seed", "7")
	o := &ycsb.Options{Pacer: ycsb.Poisson(5), Threads: 3, MaxErrors: 9}
	if err := o.Decode(p); err == nil || err.Error() != "threadcount=x: not a whole number" {
		t.Errorf("Decode = %v; want the fault of threadcount alone", err)
	}
	if o.Threads != 3 || o.MaxErrors != 9 || o.Seed != 7 || o.Interval != 10*time.Second || o.Pacer == nil {
		t.Errorf("Decode left %+v", o)
	}
}

// TestOptionsInGo has what no property is there to refuse.
func TestOptionsInGo(t *testing.T) {
	for _, tt := range []struct {
		o    ycsb.Options
		want string
	}{
		{ycsb.Options{Threads: 1 << 20, Target: 1e9, Interval: time.Millisecond}, ""},
		{ycsb.Options{Threads: 1<<20 + 1}, "ycsb: options: 1048577 threads: want 1 to 1048576"},
		{ycsb.Options{Target: 1e9 + 1}, "ycsb: options: target 1.000000001e+09: want a rate of 0 to 1e+09"},
		{ycsb.Options{Interval: time.Microsecond}, "ycsb: options: interval 1µs: want at least 1ms"},
		{ycsb.Options{Open: true}, "ycsb: options: an open loop needs a target rate"},
	} {
		got := ""
		if err := tt.o.Validate(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("Validate of %+v = %s; want %s", tt.o, got, tt.want)
		}
	}
}
