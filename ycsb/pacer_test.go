package ycsb_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// due returns the times at which the first n steps of a plan are due.
func due(p ycsb.Pacer, n int) []time.Duration {
	r := rand.New(rand.NewPCG(1, 2))
	list := make([]time.Duration, 0, n)
	prev := time.Duration(-1)
	for range n {
		next, ok := p.Next(prev, r)
		if !ok {
			break
		}
		list = append(list, next)
		prev = next
	}
	return list
}

func TestConstantDoesNotDrift(t *testing.T) {
	for _, rate := range []float64{.001, .5, 1, 3, 7, 1000, 9999, 1e6, 3e8} {
		plan := due(ycsb.Constant(rate), 10_000)
		for n, d := range plan {
			if want := time.Duration(math.Round(float64(n) / rate * 1e9)); d-want > 1 || want-d > 1 {
				t.Errorf("Constant(%v): step %d is due at %d; want %d", rate, n, d, want)
				break
			}
		}
	}
}

func TestPoisson(t *testing.T) {
	plan := due(ycsb.Poisson(1000), 100_000)
	if last := plan[len(plan)-1].Seconds(); math.Abs(last-100) > 1 {
		t.Errorf("100000 steps at 1000/s end after %v s; want 100", last)
	}
	// Of exponential distances 1-1/e are below the mean.
	short := 0
	for i := 1; i < len(plan); i++ {
		if plan[i] < plan[i-1] {
			t.Fatalf("step %d is due before the one before", i)
		}
		if plan[i]-plan[i-1] < time.Millisecond {
			short++
		}
	}
	if got := float64(short) / float64(len(plan)); math.Abs(got-.632) > .01 {
		t.Errorf("%v of the distances are below the mean; want .632", got)
	}
}

func TestRamp(t *testing.T) {
	for _, tt := range []struct {
		from, to float64
		over     time.Duration
		at       time.Duration
		want     float64 // steps until then
	}{
		{100, 300, 10 * time.Second, 5 * time.Second, 750},
		{100, 300, 10 * time.Second, 10 * time.Second, 2000},
		{100, 300, 10 * time.Second, 12 * time.Second, 2600},
		{300, 100, 10 * time.Second, 10 * time.Second, 2000},
		{300, 100, 10 * time.Second, 20 * time.Second, 3000},
		{100, 100, time.Second, 3 * time.Second, 300},
		{1, 1e5, time.Second, time.Second, 50000.5},
	} {
		n := 0
		for _, d := range due(ycsb.Ramp(tt.from, tt.to, tt.over), 100_000) {
			if d < tt.at {
				n++
			}
		}
		if math.Abs(float64(n)-tt.want) > 1.5 {
			t.Errorf("Ramp(%v, %v, %v): %d steps until %v; want %v", tt.from, tt.to, tt.over, n, tt.at, tt.want)
		}
	}
}

func TestPacersRefuseNonsense(t *testing.T) {
	for name, f := range map[string]func(){
		"Constant(0)":   func() { ycsb.Constant(0) },
		"Constant(NaN)": func() { ycsb.Constant(math.NaN()) },
		"Poisson(-1)":   func() { ycsb.Poisson(-1) },
		"Ramp(0, …)":    func() { ycsb.Ramp(0, 1, time.Second) },
		"Ramp(…, 0)":    func() { ycsb.Ramp(1, 1, 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", name)
				}
			}()
			f()
		}()
	}
}

func FuzzConstant(f *testing.F) {
	f.Add(1000.0, int64(0))
	f.Fuzz(func(t *testing.T, rate float64, prev int64) {
		if !(rate > 0) || math.IsInf(rate, 0) {
			return
		}
		next, ok := ycsb.Constant(rate).Next(time.Duration(prev), nil)
		if !ok || next < 0 || int64(next) < prev {
			t.Errorf("Constant(%v).Next(%d) = %d, %v", rate, prev, next, ok)
		}
	})
}
