package ycsb_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

func TestRunDoesExactlyItsOperations(t *testing.T) {
	for _, tt := range []struct {
		threads    int
		operations int64
	}{{1, 1}, {8, 3}, {3, 1000}, {16, 100_003}} {
		t.Run(fmt.Sprintf("%d of %d", tt.operations, tt.threads), func(t *testing.T) {
			db := new(fakeDB)
			res := mustRun(t, db, reads, &ycsb.Options{Threads: tt.threads, Operations: tt.operations})
			if db.calls.Load() != tt.operations || res.Steps != tt.operations || operations(res) != tt.operations {
				t.Errorf("calls, steps, operations = %d, %d, %d; want %d", db.calls.Load(), res.Steps, operations(res), tt.operations)
			}
			if res.Ended != ycsb.EndedOperations {
				t.Errorf("Ended = %q; want %q", res.Ended, ycsb.EndedOperations)
			}
			if n := db.open.Load(); n != 0 {
				t.Errorf("%d connections left open", n)
			}
			if got := mustOp(t, res, ycsb.OpCleanup).Count(); got != uint64(tt.threads) {
				t.Errorf("%d connections closed; want %d", got, tt.threads)
			}
		})
	}
}

func TestFastWorkersDoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var per [2]int
		w := steps(func(ctx context.Context, c *ycsb.Client) error {
			per[c.Worker()]++
			return wait(ctx, time.Duration(1+9*c.Worker())*time.Second)
		})
		res := mustRun(t, new(fakeDB), w, &ycsb.Options{Threads: 2, Operations: 110})
		if per[0] != 100 || per[1] != 10 {
			t.Errorf("the workers did %v steps; want 100 and 10", per)
		}
		if res.Elapsed != 100*time.Second {
			t.Errorf("Elapsed = %v; want 100s", res.Elapsed)
		}
	})
}

func TestTargetIsMet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bins := make([]int, 25)
		var mu sync.Mutex
		start := time.Now()
		db := &fakeDB{do: func(ctx context.Context, _ string) error {
			mu.Lock()
			bins[time.Since(start)/(100*time.Millisecond)]++
			mu.Unlock()
			return wait(ctx, 3*time.Millisecond)
		}}
		res := mustRun(t, db, reads, &ycsb.Options{Threads: 8, Target: 1000, Duration: 2 * time.Second})
		if res.Steps < 1980 || res.Steps > 2020 {
			t.Errorf("%d steps; want 2000", res.Steps)
		}
		for i, n := range bins {
			if n > 110 {
				t.Errorf("%d operations in the %d. tenth of a second; want about 100", n, i+1)
			}
		}
		if !res.Sustained || res.Offered < 999 || res.Offered > 1001 {
			t.Errorf("Sustained, Offered = %v, %v; want true, 1000", res.Sustained, res.Offered)
		}
		if res.Ended != ycsb.EndedDuration {
			t.Errorf("Ended = %q; want %q", res.Ended, ycsb.EndedDuration)
		}
	})
}

func TestFractionalTarget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res := mustRun(t, new(fakeDB), reads, &ycsb.Options{Threads: 4, Target: 0.5, Operations: 10})
		if res.Elapsed != 18*time.Second {
			t.Errorf("10 steps at one in two seconds took %v; want 18s", res.Elapsed)
		}
	})
}

func TestWarmupIsPacedAndLeftOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var mu sync.Mutex
		bins := make(map[time.Duration]int)
		db := &fakeDB{do: func(context.Context, string) error {
			mu.Lock()
			bins[time.Since(start)/(500*time.Millisecond)]++
			mu.Unlock()
			return nil
		}}
		res := mustRun(t, db, reads, &ycsb.Options{Threads: 4, Target: 100, Warmup: 2 * time.Second, Operations: 300})
		for bin := range time.Duration(10) {
			if n := bins[bin]; n < 47 || n > 53 {
				t.Errorf("%d operations in half second %d; want 50", n, bin)
			}
		}
		if res.Steps != 300 || operations(res) != 300 {
			t.Errorf("steps, operations = %d, %d; want 300: the warm-up does not count", res.Steps, operations(res))
		}
		if got := db.calls.Load(); got != 500 {
			t.Errorf("%d calls; want 200 of the warm-up and 300", got)
		}
		if res.Elapsed < 2900*time.Millisecond || res.Elapsed > 3*time.Second {
			t.Errorf("Elapsed = %v; want 3s without the warm-up", res.Elapsed)
		}
	})
}

func TestWarmupWithoutTarget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res := mustRun(t, taking(10*time.Millisecond), reads,
			&ycsb.Options{Threads: 2, Warmup: time.Second, Duration: 1995 * time.Millisecond})
		if res.Steps != 400 || res.Elapsed != 2*time.Second {
			t.Errorf("steps, elapsed = %d, %v; want 400, 2s", res.Steps, res.Elapsed)
		}
	})
}

func TestBacklogOfWarmupIsNotCarriedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		db := &fakeDB{do: func(ctx context.Context, _ string) error {
			if time.Since(start) < time.Second {
				return wait(ctx, time.Second) // far too slow in the warm-up
			}
			return nil
		}}
		res := mustRun(t, db, reads, &ycsb.Options{Target: 100, Warmup: time.Second, Duration: time.Second})
		if res.Steps < 98 || res.Steps > 101 {
			t.Errorf("%d steps in a second; want 100: no burst of what the warm-up left", res.Steps)
		}
	})
}

// TestCoordinatedOmission has the answer in closed form: step n of 100 is due after 20n ms, and
// is done after 40(n+1) ms.
func TestCoordinatedOmission(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res := mustRun(t, taking(40*time.Millisecond), reads, &ycsb.Options{Target: 50, Operations: 100})
		ok := mustOp(t, res, ycsb.OpRead).Outcome(ycsb.OutcomeOK)
		for _, tt := range []struct {
			name      string
			got, want time.Duration
		}{
			{"service p50", ok.Service.Quantile(.5), 40 * time.Millisecond},
			{"service max", ok.Service.Max(), 40 * time.Millisecond},
			{"response mean", ok.Response.Mean(), 1030 * time.Millisecond},
			{"response p50", ok.Response.Quantile(.5), 1020 * time.Millisecond},
			{"response p95", ok.Response.Quantile(.95), 1920 * time.Millisecond},
			{"response max", ok.Response.Max(), 2020 * time.Millisecond},
		} {
			if !near(tt.got, tt.want) {
				t.Errorf("%s = %v; want %v", tt.name, tt.got, tt.want)
			}
		}
		if res.Offered != 50 || res.Achieved != 25 || res.Sustained {
			t.Errorf("Offered, Achieved, Sustained = %v, %v, %v; want 50, 25, false", res.Offered, res.Achieved, res.Sustained)
		}
	})
}

func TestStallIsMadeUpForWithoutPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		db := &fakeDB{do: func(ctx context.Context, _ string) error {
			if n++; n == 100 {
				return wait(ctx, time.Second)
			}
			return nil
		}}
		res := mustRun(t, db, reads, &ycsb.Options{Target: 100, Operations: 400})
		if res.Elapsed < 3990*time.Millisecond || res.Elapsed > 4*time.Second {
			t.Errorf("Elapsed = %v; want 4s: the stall of a second is caught up with", res.Elapsed)
		}
		if !res.Sustained {
			t.Error("not sustained; want sustained, the stall was caught up with")
		}
	})
}

func TestOpenLoopDrops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res := mustRun(t, taking(100*time.Millisecond), reads,
			&ycsb.Options{Threads: 2, Target: 50, Open: true, Duration: 1990 * time.Millisecond})
		// Two workers do 20 a second of the 50 that are due.
		if res.Steps != 40 || res.Dropped != 60 || res.Sustained {
			t.Errorf("Steps, Dropped, Sustained = %d, %d, %v; want 40, 60, false", res.Steps, res.Dropped, res.Sustained)
		}
		ok := mustOp(t, res, ycsb.OpRead).Outcome(ycsb.OutcomeOK)
		if !near(ok.Response.Max(), 100*time.Millisecond) {
			t.Errorf("longest response = %v; want 100ms: nothing waits for a worker", ok.Response.Max())
		}
		if res.Offered != 50 {
			t.Errorf("Offered = %v; want 50", res.Offered)
		}
	})
}

// stalling is a plan of 20 steps, one a millisecond, that stalls the client for 5 ms while the 11th is
// drawn.
type stalling struct{}

func (stalling) Next(prev time.Duration, _ *rand.Rand) (time.Duration, bool) {
	switch prev {
	case -1:
		return 0, true
	case 9 * time.Millisecond:
		time.Sleep(5 * time.Millisecond)
	}
	return prev + time.Millisecond, prev < 19*time.Millisecond
}

// TestClientThatStalls has a client that hangs for a while: what is late by that is neither dropped
// nor taken for the database's fault. What the database is too slow for is dropped as if the client
// had not hung.
func TestClientThatStalls(t *testing.T) {
	for _, tt := range []struct {
		op    time.Duration
		open  bool
		steps int64
	}{
		{0, true, 20},
		{1500 * time.Microsecond, true, 10}, // every other one
		{0, false, 20},
		{1500 * time.Microsecond, false, 20},
	} {
		synctest.Test(t, func(t *testing.T) {
			res := mustRun(t, taking(tt.op), reads, &ycsb.Options{Pacer: stalling{}, Open: tt.open})
			if res.Steps != tt.steps || res.Dropped != 20-tt.steps {
				t.Errorf("%+v: %d steps, %d dropped; want %d and the others", tt, res.Steps, res.Dropped, tt.steps)
			}
			if n := int64(res.Lateness.Count()); n != tt.steps {
				t.Errorf("%+v: the lateness of %d steps is told; want %d", tt, n, tt.steps)
			}
			if max := res.Lateness.Max(); max < 3*time.Millisecond || max > 5100*time.Microsecond {
				t.Errorf("%+v: %v late at most; want about 5ms", tt, max)
			}
			if p := res.Lateness.Quantile(.25); p != 0 {
				t.Errorf("%+v: a quarter of the steps was later than %v; want 0", tt, p)
			}
		})
	}
}

// hanging is a plan of a step a millisecond that hangs the client from 0.5 s to 1.2 s.
type hanging struct{}

func (hanging) Next(prev time.Duration, _ *rand.Rand) (time.Duration, bool) {
	if prev == 500*time.Millisecond {
		time.Sleep(700 * time.Millisecond)
	}
	return max(prev, 0) + time.Millisecond, true
}

// TestClientThatHangsAtTheEnd has a client that does not even see the last steps of the plan.
func TestClientThatHangsAtTheEnd(t *testing.T) {
	for _, open := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			res := mustRun(t, new(fakeDB), reads, &ycsb.Options{Pacer: hanging{}, Open: open, Duration: time.Second})
			if res.Steps > 510 || res.Sustained || math.Abs(res.Offered-1000) > 5 {
				t.Errorf("open %v: %d steps, offered %v, sustained %v; want about 500, 1000, false", open, res.Steps, res.Offered, res.Sustained)
			}
		})
	}
}

// TestLatenessOfTheWarmUp is left out.
func TestLatenessOfTheWarmUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res := mustRun(t, new(fakeDB), reads, &ycsb.Options{Pacer: hanging{}, Warmup: 2 * time.Second, Operations: 100})
		if n, most := res.Lateness.Count(), res.Lateness.Max(); n != 100 || most != 0 {
			t.Errorf("lateness of %d steps, at most %v; want 100, 0", n, most)
		}
	})
}

func TestPlanThatEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res := mustRun(t, new(fakeDB), reads, &ycsb.Options{Threads: 3, Pacer: threeSteps{}})
		if res.Steps != 3 || res.Ended != ycsb.EndedDone {
			t.Errorf("Steps, Ended = %d, %q; want 3, %q", res.Steps, res.Ended, ycsb.EndedDone)
		}
	})
}

type threeSteps struct{}

func (threeSteps) Next(prev time.Duration, _ *rand.Rand) (time.Duration, bool) {
	if prev < 0 {
		return 0, true
	}
	return prev + time.Second, prev < 2*time.Second
}

func TestDurationEndsOperations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		res := mustRun(t, taking(time.Hour), reads, &ycsb.Options{Threads: 4, Duration: time.Second})
		if took := time.Since(start); took >= 1200*time.Millisecond {
			t.Errorf("came back after %v; want less than 1.2s", took)
		}
		read := mustOp(t, res, ycsb.OpRead)
		if read.Outcome(ycsb.OutcomeCancelled).Count != 4 || res.Errors != 0 || res.Abandoned != 0 {
			t.Errorf("outcomes %v, Errors %d, Abandoned %d; want 4 CANCELLED, no errors", read.Outcomes, res.Errors, res.Abandoned)
		}
	})
}

// TestDurationLetsUsualOperationsEnd has operations of 300 ms, of which the fourth, which is under
// way at the end after a second, takes longer.
func TestDurationLetsUsualOperationsEnd(t *testing.T) {
	for _, tt := range []struct {
		fourth, grace, took time.Duration
		outcome             string
	}{
		{300 * time.Millisecond, time.Second, 1200 * time.Millisecond, ycsb.OutcomeOK},
		{650 * time.Millisecond, time.Second, 1550 * time.Millisecond, ycsb.OutcomeOK},
		{time.Hour, time.Second, 1600 * time.Millisecond, ycsb.OutcomeCancelled},
		{time.Hour, 400 * time.Millisecond, 1400 * time.Millisecond, ycsb.OutcomeCancelled},
		{time.Hour, time.Millisecond, 1100 * time.Millisecond, ycsb.OutcomeCancelled},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := 0
			db := &fakeDB{do: func(ctx context.Context, _ string) error {
				if n++; n == 4 {
					return wait(ctx, tt.fourth)
				}
				return wait(ctx, 300*time.Millisecond)
			}}
			start := time.Now()
			res := mustRun(t, db, reads, &ycsb.Options{Duration: time.Second, Grace: tt.grace})
			if took := time.Since(start); took < tt.took-2*time.Millisecond || took > tt.took {
				t.Errorf("%+v: came back after %v", tt, took)
			}
			if read := mustOp(t, res, ycsb.OpRead); read.Count() != 4 || read.Outcome(tt.outcome).Count == 0 {
				t.Errorf("%+v: outcomes %v; want 4", tt, read.Outcomes)
			}
		})
	}
}

// TestInterruptHastensTheEnd interrupts a run that waits for an operation to end. The driver does
// not hear it: the grace time begins there.
func TestInterruptHastensTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		db := &fakeDB{do: func(ctx context.Context, _ string) error {
			if n++; n == 2 {
				time.Sleep(time.Minute)
				return nil
			}
			return wait(ctx, 2*time.Second)
		}}
		ctx, cancel := context.WithCancel(t.Context())
		start := time.Now()
		time.AfterFunc(2200*time.Millisecond, cancel)
		res, err := ycsb.Run(ctx, db, reads, &ycsb.Options{Duration: 2100 * time.Millisecond})
		if took := time.Since(start); took != 7200*time.Millisecond || err == nil || res.Abandoned != 1 {
			t.Errorf("back after %v, %d abandoned, error %v; want 7.2s, 1, an error", took, res.Abandoned, err)
		}
		time.Sleep(time.Minute) // the operation comes back
	})
}

// TestTimesMeasuredElsewhere do not tell how long operations take.
func TestTimesMeasuredElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := steps(func(ctx context.Context, c *ycsb.Client) error {
			c.Op("AGE").Record(time.Hour)
			return c.Read(ctx, "t", []byte("k"), nil, nil)
		})
		start := time.Now()
		mustRun(t, taking(time.Hour), w, &ycsb.Options{Duration: time.Second})
		if took := time.Since(start); took >= 1200*time.Millisecond {
			t.Errorf("came back after %v; want less than 1.2s", took)
		}
	})
}

func TestDurationLetsShortOperationsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res := mustRun(t, taking(70*time.Millisecond), reads, &ycsb.Options{Threads: 4, Duration: time.Second})
		if got := mustOp(t, res, ycsb.OpRead).Outcome(ycsb.OutcomeOK).Count; got != 4*15 {
			t.Errorf("%d operations succeeded; want 60, none cancelled", got)
		}
	})
}

func TestDriverThatIgnoresContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		db := &fakeDB{do: func(context.Context, string) error { <-release; return nil }}
		start := time.Now()
		res, err := ycsb.Run(t.Context(), db, reads, &ycsb.Options{Threads: 3, Duration: time.Second})
		if took := time.Since(start); took < 6*time.Second || took > 6200*time.Millisecond {
			t.Errorf("came back after %v; want 1s and the grace time of 5s", took)
		}
		if err == nil || !strings.Contains(err.Error(), "3 operations did not come back within 5s") {
			t.Errorf("error %v; want one that counts 3 operations", err)
		}
		if res == nil || res.Abandoned != 3 {
			t.Fatalf("result %+v; want 3 abandoned", res)
		}
		before := operations(res)
		close(release)
		synctest.Wait() // what comes late is not counted, and closes its connection
		if operations(res) != before || db.open.Load() != 0 {
			t.Errorf("%d operations, %d open connections after the end; want %d, 0", operations(res), db.open.Load(), before)
		}
	})
}

func TestConnThatDoesNotClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		db := &fakeDB{close: func() error { <-release; return nil }}
		res, err := ycsb.Run(t.Context(), db, reads, &ycsb.Options{Threads: 2, Operations: 10})
		if err == nil || res == nil || res.Steps != 10 || res.Abandoned != 2 {
			t.Errorf("result %+v, error %v; want 10 steps, 2 abandoned and an error", res, err)
		}
		close(release)
	})
}

func TestTimeout(t *testing.T) {
	opaque := errors.New("connection broke")
	for _, tt := range []struct {
		name string
		do   func(ctx context.Context) error
	}{
		{"error of ctx", func(ctx context.Context) error { return wait(ctx, time.Hour) }},
		{"error of its own", func(ctx context.Context) error { <-ctx.Done(); return opaque }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				db := &fakeDB{do: func(ctx context.Context, _ string) error { return tt.do(ctx) }}
				res := mustRun(t, db, reads, &ycsb.Options{Operations: 5, Timeout: 20 * time.Millisecond})
				out := mustOp(t, res, ycsb.OpRead).Outcome(ycsb.OutcomeTimeout)
				if out.Count != 5 || !near(out.Service.Max(), 20*time.Millisecond) {
					t.Errorf("%d timeouts, the longest after %v; want 5 after 20ms", out.Count, out.Service.Max())
				}
				if res.Failed != 5 || res.Errors != 5 {
					t.Errorf("Failed, Errors = %d, %d; want 5, 5", res.Failed, res.Errors)
				}
			})
		})
	}
}

func TestFailuresStayOutOfTheLatenciesOfSuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		db := &fakeDB{do: func(ctx context.Context, _ string) error {
			if n++; n <= 100 {
				return errors.Join(wait(ctx, time.Millisecond), errors.New("no"))
			}
			return wait(ctx, 20*time.Millisecond)
		}}
		res := mustRun(t, db, reads, &ycsb.Options{Operations: 198})
		read := mustOp(t, res, ycsb.OpRead)
		ok, bad := read.Outcome(ycsb.OutcomeOK), read.Outcome(ycsb.OutcomeError)
		if ok.Count != 98 || !near(ok.Service.Quantile(.5), 20*time.Millisecond) {
			t.Errorf("OK: %d, p50 %v; want 98, 20ms", ok.Count, ok.Service.Quantile(.5))
		}
		if bad.Count != 100 || !near(bad.Service.Quantile(.5), time.Millisecond) {
			t.Errorf("ERROR: %d, p50 %v; want 100, 1ms", bad.Count, bad.Service.Quantile(.5))
		}
		if got := res.Throughput() * res.Elapsed.Seconds(); got < 97.99 || got > 98.01 {
			t.Errorf("throughput counts %v steps; want the 98 that succeeded", got)
		}
	})
}

func TestOutcomes(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{nil, ycsb.OutcomeOK},
		{fmt.Errorf("key k: %w", ycsb.ErrNotFound), ycsb.OutcomeNotFound},
		{ycsb.ErrExists, ycsb.OutcomeExists},
		{ycsb.ErrConflict, ycsb.OutcomeConflict},
		{ycsb.ErrCorrupt, ycsb.OutcomeCorrupt},
		{ycsb.ErrUnsupported, ycsb.OutcomeUnsupported},
		{ycsb.ErrTimeout, ycsb.OutcomeTimeout},
		{context.DeadlineExceeded, ycsb.OutcomeTimeout},
		{&net.OpError{Op: "read", Err: timeoutError{}}, ycsb.OutcomeTimeout},
		{ycsb.ErrUnavailable, ycsb.OutcomeUnavailable},
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, ycsb.OutcomeUnavailable},
		{fmt.Errorf("read: %w", syscall.ECONNRESET), ycsb.OutcomeUnavailable},
		{io.ErrUnexpectedEOF, ycsb.OutcomeUnavailable},
		{context.Canceled, ycsb.OutcomeError}, // of somebody else: the phase goes on
		{errors.New("x"), ycsb.OutcomeError},
	} {
		t.Run(fmt.Sprint(tt.err), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				db := &fakeDB{do: func(context.Context, string) error { return tt.err }}
				res := mustRun(t, db, reads, &ycsb.Options{Operations: 2})
				if got := mustOp(t, res, ycsb.OpRead).Outcome(tt.want).Count; got != 2 {
					t.Errorf("outcomes %v; want 2 %s", mustOp(t, res, ycsb.OpRead).Outcomes, tt.want)
				}
			})
		})
	}
}

type timeoutError struct{}

func (timeoutError) Error() string   { return "i/o timeout" }
func (timeoutError) Timeout() bool   { return true }
func (timeoutError) Temporary() bool { return true }

func TestOutageIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		db := &fakeDB{do: func(context.Context, string) error {
			if time.Since(start) < 10*time.Second {
				return syscall.ECONNREFUSED
			}
			return nil
		}}
		res := mustRun(t, db, reads, &ycsb.Options{Operations: 1000})
		// 1, 2, 4 … 512 ms, then a second each: 10 + 9 operations in ten seconds.
		if got := mustOp(t, res, ycsb.OpRead).Outcome(ycsb.OutcomeUnavailable).Count; got < 18 || got > 20 {
			t.Errorf("%d operations sent to a dead server in 10s; want 19", got)
		}
		if res.Steps != 1000 || res.Elapsed > 12*time.Second {
			t.Errorf("Steps, Elapsed = %d, %v; want 1000 at most a second after the outage", res.Steps, res.Elapsed)
		}
	})
}

func TestOutageDoesNotOutlastDuration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := &fakeDB{do: func(context.Context, string) error { return ycsb.ErrUnavailable }}
		res := mustRun(t, db, reads, &ycsb.Options{Threads: 8, Duration: 3500 * time.Millisecond})
		if res.Elapsed != 3500*time.Millisecond {
			t.Errorf("Elapsed = %v; want 3.5s", res.Elapsed)
		}
	})
}

func TestMaxErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		db := &fakeDB{do: func(context.Context, string) error {
			switch n++; n % 3 {
			case 0:
				return errors.New("boom")
			case 1:
				return ycsb.ErrNotFound // is no error
			}
			return nil
		}}
		res, err := ycsb.Run(t.Context(), db, reads, &ycsb.Options{MaxErrors: 5})
		if err == nil || !strings.Contains(err.Error(), "5 operations failed") || !strings.Contains(err.Error(), "boom") {
			t.Errorf("error %v; want one that counts 5 failures and tells the last", err)
		}
		if res == nil || res.Steps != 15 || res.Ended != ycsb.EndedError {
			t.Errorf("result %+v; want 15 steps, ended by error", res)
		}
	})
}

var errBoom = errors.New("boom")

func TestPanics(t *testing.T) {
	panics := func() { panic(errBoom) }
	for _, tt := range []struct {
		name string
		db   *fakeDB
		w    ycsb.Workload
	}{
		{"operation", &fakeDB{do: func(context.Context, string) error { panics(); return nil }}, reads},
		{"connect", &fakeDB{connect: func(context.Context, int) error { panics(); return nil }}, reads},
		{"step", new(fakeDB), steps(func(context.Context, *ycsb.Client) error { panics(); return nil })},
		{"new worker", new(fakeDB), panickyWorkload{reads}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ycsb.Run(t.Context(), tt.db, tt.w, &ycsb.Options{Threads: 3, Operations: 100})
			if !errors.Is(err, errBoom) || !strings.Contains(err.Error(), "run_test.go") {
				t.Errorf("error %v; want the panic with its stack", err)
			}
			if n := tt.db.open.Load(); n != 0 {
				t.Errorf("%d connections left open", n)
			}
		})
	}
}

type panickyWorkload struct{ steps }

func (w panickyWorkload) NewWorker(c *ycsb.Client) (ycsb.Worker, error) {
	if c.Worker() == 1 {
		panic(errBoom)
	}
	return w.steps.NewWorker(c)
}

func TestPanicKeepsResults(t *testing.T) {
	n := 0
	db := &fakeDB{do: func(context.Context, string) error {
		if n++; n == 50 {
			panic("at last")
		}
		return nil
	}}
	res, err := ycsb.Run(t.Context(), db, reads, &ycsb.Options{Operations: 100})
	if err == nil || res == nil || operations(res) != 49 || res.Steps != 49 {
		t.Errorf("result %+v, error %v; want 49 steps and an error", res, err)
	}
}

func TestFailedConnect(t *testing.T) {
	denied := errors.New("access denied")
	db := &fakeDB{connect: func(ctx context.Context, worker int) error {
		if worker == 5 {
			return denied
		}
		return nil
	}}
	res, err := ycsb.Run(t.Context(), db, reads, &ycsb.Options{Threads: 100, Operations: 100})
	if !errors.Is(err, denied) || res != nil || db.calls.Load() != 0 {
		t.Errorf("result %v, error %v, %d calls; want nothing but %v", res, err, db.calls.Load(), denied)
	}
	if n := db.open.Load(); n != 0 {
		t.Errorf("%d connections left open", n)
	}
}

func TestDriverThatHangsOutsideOfOperations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		db := &fakeDB{connect: func(context.Context, int) error { <-release; return nil }}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		_, err := ycsb.Run(ctx, db, reads, &ycsb.Options{Threads: 50})
		if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took != 6*time.Second {
			t.Errorf("error %v after %v; want the end of the context and the grace time, 6s", err, took)
		}
		close(release)
	})
}

func TestInterruptAtTheEndIsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		db := &fakeDB{close: func() error { cancel(); time.Sleep(time.Millisecond); return nil }}
		res, err := ycsb.Run(ctx, db, reads, &ycsb.Options{Operations: 10})
		if err != nil || res.Ended != ycsb.EndedOperations || res.Errors != 0 {
			t.Errorf("ended %q, error %v; want %q, none", res.Ended, err, ycsb.EndedOperations)
		}
	})
}

func TestProgressBeforeAndAfter(t *testing.T) {
	var phase *ycsb.Phase
	stop := make(chan struct{})
	var wg sync.WaitGroup
	o := &ycsb.Options{Operations: 1000, Threads: 4, Hooks: &ycsb.Hooks{Start: func(p *ycsb.Phase) {
		phase = p
		wg.Go(func() { // as a display does
			for {
				select {
				case <-stop:
					return
				default:
					_ = p.Progress()
				}
			}
		})
	}}}
	mustRun(t, new(fakeDB), reads, o)
	close(stop)
	wg.Wait()
	if got := phase.Progress(); got.Steps != 1000 {
		t.Errorf("progress after the end = %+v; want 1000 steps", got)
	}
	if got := new(ycsb.Phase).Progress(); got != (ycsb.Progress{}) {
		t.Errorf("progress of nothing = %+v; want nothing", got)
	}
}

func TestFatalEndsThePhase(t *testing.T) {
	cause := errors.New("no record left")
	var n atomic.Int64
	w := steps(func(ctx context.Context, c *ycsb.Client) error {
		if n.Add(1) == 100 {
			return fmt.Errorf("step: %w", ycsb.Fatal(cause))
		}
		return c.Read(ctx, "t", nil, nil, nil)
	})
	res, err := ycsb.Run(t.Context(), new(fakeDB), w, &ycsb.Options{Threads: 4})
	if !errors.Is(err, cause) || res == nil || res.Ended != ycsb.EndedError {
		t.Errorf("result %+v, error %v; want %v", res, err, cause)
	}
}

func TestDoneEndsTheWorker(t *testing.T) {
	left := [3]int{5, 0, 7}
	w := steps(func(ctx context.Context, c *ycsb.Client) error {
		if left[c.Worker()] == 0 {
			return ycsb.ErrDone
		}
		left[c.Worker()]--
		return nil
	})
	res := mustRun(t, new(fakeDB), w, &ycsb.Options{Threads: 3})
	if res.Steps != 12 || res.Failed != 0 || res.Ended != ycsb.EndedDone {
		t.Errorf("Steps, Failed, Ended = %d, %d, %q; want 12, 0, %q", res.Steps, res.Failed, res.Ended, ycsb.EndedDone)
	}
}

// TestInterruptLosesNothing interrupts at random moments: what the driver counted is what the
// outcomes add up to, and every goroutine is gone.
func TestInterruptLosesNothing(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		o := &ycsb.Options{Threads: 1 + r.IntN(8), Seed: seed + 1, Interval: time.Duration(1+r.IntN(3)) * time.Millisecond}
		if r.IntN(2) == 0 {
			o.Target = 20000
		}
		if r.IntN(3) == 0 {
			o.Timeout = time.Hour
		}
		slow := r.IntN(2) == 0
		db := &fakeDB{do: func(ctx context.Context, _ string) error {
			if slow {
				return wait(ctx, 50*time.Microsecond)
			}
			return ctx.Err()
		}}
		w := steps(func(ctx context.Context, c *ycsb.Client) error {
			if c.Rand().IntN(2) == 0 {
				return c.Read(ctx, "t", nil, nil, nil)
			}
			return c.Update(ctx, "t", nil, nil)
		})
		goroutines := runtime.NumGoroutine()
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(r.IntN(5000))*time.Microsecond)
		res, err := ycsb.Run(ctx, db, w, o)
		cancel()
		if res == nil {
			if db.calls.Load() != 0 || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("seed %d: no result after %d calls, error %v", seed, db.calls.Load(), err)
			}
			continue
		}
		if !errors.Is(err, context.DeadlineExceeded) || res.Ended != ycsb.EndedInterrupted {
			t.Errorf("seed %d: ended %q with %v; want interrupted", seed, res.Ended, err)
		}
		if db.calls.Load() != operations(res) || res.Steps != operations(res) {
			t.Errorf("seed %d: %d calls, %d steps, %d in outcomes", seed, db.calls.Load(), res.Steps, operations(res))
		}
		var inIntervals uint64
		for _, iv := range res.Intervals {
			for _, op := range iv.Ops {
				if op.Name != ycsb.OpCleanup {
					inIntervals += op.Count()
				}
			}
		}
		if int64(inIntervals) != operations(res) {
			t.Errorf("seed %d: %d in intervals, %d in outcomes", seed, inIntervals, operations(res))
		}
		if db.open.Load() != 0 || res.Abandoned != 0 {
			t.Errorf("seed %d: %d connections open, %d abandoned", seed, db.open.Load(), res.Abandoned)
		}
		for i := 0; runtime.NumGoroutine() > goroutines; i++ { // those that end have to be scheduled once more
			if i == 1000 {
				buf := make([]byte, 1<<16)
				t.Fatalf("seed %d: goroutines left:\n%s", seed, buf[:runtime.Stack(buf, true)])
			}
			runtime.Gosched()
			time.Sleep(time.Duration(i) * time.Microsecond)
		}
	}
}

func TestRetryIsInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := steps(func(ctx context.Context, c *ycsb.Client) error {
			err := c.Read(ctx, "t", nil, nil, nil)
			if stop := c.Retry(ctx, time.Minute); stop != nil {
				return err
			}
			return c.Read(ctx, "t", nil, nil, nil)
		})
		db := &fakeDB{do: func(context.Context, string) error { return errors.New("no") }}
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		res, err := ycsb.Run(ctx, db, w, nil)
		if !errors.Is(err, context.Canceled) || time.Since(start) != time.Second {
			t.Errorf("error %v after %v; want %v after 1s", err, time.Since(start), context.Canceled)
		}
		if db.calls.Load() != 1 || res.Retries != 0 {
			t.Errorf("%d calls, %d retries; want 1, 0", db.calls.Load(), res.Retries)
		}
	})
}

func TestSeeds(t *testing.T) {
	trace := func(seed uint64) (string, *ycsb.Result) {
		var b strings.Builder
		w := steps(func(_ context.Context, c *ycsb.Client) error {
			fmt.Fprint(&b, c.Rand().IntN(1000), " ")
			return nil
		})
		res := mustRun(t, new(fakeDB), w, &ycsb.Options{Operations: 100, Seed: seed})
		return b.String(), res
	}
	a, res := trace(7)
	b, _ := trace(7)
	if a != b || res.Seed != 7 || res.Settings["seed"] != "7" {
		t.Errorf("seed 7 told as %d gave\n%s\n%s", res.Seed, a, b)
	}
	c, first := trace(0)
	d, second := trace(0)
	if c == d || first.Seed == 0 || first.Seed == second.Seed || first.Seed >= 1<<53 {
		t.Errorf("without a seed: seeds %d, %d, equal traces: %v", first.Seed, second.Seed, c == d)
	}
	if again, _ := trace(first.Seed); again != c {
		t.Error("the seed that the result tells does not repeat the run")
	}
}

func TestWorkersHaveStreamsOfTheirOwn(t *testing.T) {
	var mu sync.Mutex
	first := make(map[int]uint64)
	w := steps(func(_ context.Context, c *ycsb.Client) error {
		mu.Lock()
		defer mu.Unlock()
		if _, ok := first[c.Worker()]; ok {
			return ycsb.ErrDone
		}
		first[c.Worker()] = c.Rand().Uint64()
		return nil
	})
	mustRun(t, new(fakeDB), w, &ycsb.Options{Threads: 8, Seed: 1})
	distinct := make(map[uint64]bool)
	for _, n := range first {
		distinct[n] = true
	}
	if len(first) != 8 || len(distinct) != 8 {
		t.Errorf("8 workers drew first %v", first)
	}
}

func TestTrackRuntime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res := mustRun(t, taking(100*time.Millisecond), reads,
			&ycsb.Options{Operations: 35, Interval: time.Second, TrackRuntime: true})
		if len(res.Runtime) != 4 {
			t.Fatalf("%d samples; want 4", len(res.Runtime))
		}
		for i, s := range res.Runtime {
			if s.Heap == 0 || s.Goroutines == 0 || s.GCs < 0 {
				t.Errorf("sample %d is %+v", i, s)
			}
		}
	})
}

func TestTake(t *testing.T) {
	for _, target := range []float64{0, 1000} {
		synctest.Test(t, func(t *testing.T) {
			var batches []int
			w := steps(func(_ context.Context, c *ycsb.Client) error {
				batches = append(batches, 1+c.Take(299))
				return nil
			})
			res := mustRun(t, new(fakeDB), w, &ycsb.Options{Operations: 1000, Target: target})
			if fmt.Sprint(batches) != "[300 300 300 100]" || res.Steps != 1000 {
				t.Errorf("target %v: batches of %v, %d steps; want 300 300 300 100, 1000", target, batches, res.Steps)
			}
			if want := 900 * time.Millisecond; target > 0 && res.Elapsed != want {
				t.Errorf("batches at a target of 1000/s took %v; want the last one after %v", res.Elapsed, want)
			}
		})
	}
}

// TestGiveBack takes more than it uses: the rest is for the steps that follow.
func TestGiveBack(t *testing.T) {
	for _, target := range []float64{0, 1000} {
		synctest.Test(t, func(t *testing.T) {
			batches := 0
			w := steps(func(_ context.Context, c *ycsb.Client) error {
				batches++
				c.GiveBack(1 + c.Take(299) - 100)
				return nil
			})
			res := mustRun(t, new(fakeDB), w, &ycsb.Options{Operations: 1000, Target: target})
			if batches != 10 || res.Steps != 1000 || res.Failed != 0 {
				t.Errorf("target %v: %d batches, %d steps, %d failed; want 10, 1000, 0", target, batches, res.Steps, res.Failed)
			}
			if want := 900 * time.Millisecond; target > 0 && res.Elapsed != want {
				t.Errorf("batches at a target of 1000/s took %v; want the last one after %v", res.Elapsed, want)
			}
		})
	}
}

// TestGiveBackOfBatches has several workers, a warm-up, a rate or transactions: no operation is lost
// or done beyond the budget.
func TestGiveBackOfBatches(t *testing.T) {
	for _, o := range []ycsb.Options{
		{Threads: 1},
		{Threads: 4},
		{Threads: 4, Warmup: 20 * time.Millisecond},
		{Threads: 4, Warmup: 20 * time.Millisecond, Target: 100_000},
	} {
		for _, inTx := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				step := func(ctx context.Context, c *ycsb.Client) error {
					c.GiveBack(c.Take(9) - 4)
					return wait(ctx, time.Millisecond)
				}
				w := batches(step)
				if inTx {
					w = batches(func(ctx context.Context, c *ycsb.Client) error {
						return c.Tx(ctx, func(tx *ycsb.Client) error { return step(ctx, tx) })
					})
				}
				o.Operations = 100
				res := mustRun(t, new(ableDB), w, &o)
				if res.Steps != 100 || res.Failed != 0 || res.Ended != ycsb.EndedOperations {
					t.Errorf("%+v, in transactions: %v: %d steps, %d failed, ended %s; want 100, 0, %s",
						o, inTx, res.Steps, res.Failed, res.Ended, ycsb.EndedOperations)
				}
			})
		}
	}
}

// TestGiveBackAll ends a run by a step that finds nothing to do: it does not count.
func TestGiveBackAll(t *testing.T) {
	done := 0
	w := steps(func(_ context.Context, c *ycsb.Client) error {
		if done++; done <= 7 {
			return nil
		}
		c.GiveBack(1)
		return ycsb.Fatal(errors.New("nothing is left"))
	})
	res, err := ycsb.Run(t.Context(), new(fakeDB), w, &ycsb.Options{Operations: 1000})
	if err == nil || res.Steps != 7 || res.Failed != 0 || res.Errors != 0 {
		t.Errorf("error %v, %d steps, %d failed, %d errors; want an error, 7, 0, 0", err, res.Steps, res.Failed, res.Errors)
	}
}

// TestBatchesArePaced has more workers than batches are due at a time: none begins early.
func TestBatchesArePaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var mu sync.Mutex
		var begun []time.Duration
		w := batches(func(_ context.Context, c *ycsb.Client) error {
			c.Take(99)
			mu.Lock()
			begun = append(begun, time.Since(start))
			mu.Unlock()
			return nil
		})
		res := mustRun(t, new(fakeDB), w, &ycsb.Options{Threads: 8, Operations: 950, Target: 1000})
		for i, d := range begun {
			if want := time.Duration(i) * 100 * time.Millisecond; d != want {
				t.Errorf("batch %d began after %v; want %v", i, d, want)
			}
		}
		if len(begun) != 10 || res.Steps != 950 {
			t.Errorf("%d batches, %d steps; want 10, 950", len(begun), res.Steps)
		}
	})
}

// batches is a workload of steps that do 100 operations.
type batches steps

func (b batches) Schema() ycsb.Schema { return ycsb.Schema{} }

func (b batches) NewWorker(c *ycsb.Client) (ycsb.Worker, error) {
	return batchesWorker{&stepsWorker{c, steps(b)}}, nil
}

type batchesWorker struct{ *stepsWorker }

func (batchesWorker) StepSize() int { return 100 }

func TestValidate(t *testing.T) {
	bad := &ycsb.Options{
		Threads: -1, Operations: -2, Duration: -3, Target: -4, Timeout: -5, Warmup: -6, Interval: -7,
		Grace: -8, MaxErrors: -9, Open: true,
	}
	db := new(fakeDB)
	_, err := ycsb.Run(t.Context(), db, reads, bad)
	for _, want := range []string{
		"threads", "operations", "duration", "target", "timeout", "warm-up", "interval", "grace", "max errors",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not tell of %s", err, want)
		}
	}
	if db.calls.Load()+db.open.Load() != 0 {
		t.Error("something was sent")
	}
	for name, o := range map[string]*ycsb.Options{
		"open loop needs a target": {Open: true},
		"both":                     {Target: 1, Pacer: ycsb.Constant(1)},
	} {
		if err := o.Validate(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := errors.Join((*ycsb.Options)(nil).Validate(), new(ycsb.Options).Validate()); err != nil {
		t.Errorf("nil and zero options: %v", err)
	}
}
