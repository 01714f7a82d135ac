package ycsb_test

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

func TestUnreachableTargetEndsOnTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res := mustRun(t, taking(time.Millisecond), reads, &ycsb.Options{Target: 1e9, Duration: 300 * time.Millisecond})
		if res.Offered < .99e9 || res.Sustained {
			t.Errorf("Offered, Sustained = %v, %v; want 1e9, false", res.Offered, res.Sustained)
		}
	})
	for _, target := range []float64{2e9, math.Inf(1), math.NaN(), -1} {
		if _, err := ycsb.Run(t.Context(), new(fakeDB), reads, &ycsb.Options{Target: target}); err == nil {
			t.Errorf("target %v: no error", target)
		}
	}
}

// stuck is a Pacer whose steps are all due at once, and before the phase began.
type stuck struct{}

func (stuck) Next(time.Duration, *rand.Rand) (time.Duration, bool) { return -time.Hour, true }

func TestPacerThatIsStuck(t *testing.T) {
	for _, open := range []bool{false, true} {
		// The clock is a real one: a fake one would not go on while a worker looks for its step.
		o := &ycsb.Options{Threads: 2, Pacer: stuck{}, Open: open, Warmup: 20 * time.Millisecond, Duration: 20 * time.Millisecond}
		if res, err := ycsb.Run(t.Context(), taking(time.Millisecond), reads, o); err != nil || res == nil {
			t.Errorf("open %v: result %v, error %v; want a result", open, res, err)
		}
	}
}

func TestForeverIsLong(t *testing.T) {
	const forever = math.MaxInt64
	synctest.Test(t, func(t *testing.T) {
		statuses := 0
		o := &ycsb.Options{
			Warmup: time.Second, Duration: forever, Grace: forever, Interval: forever, Operations: 100,
			Hooks: &ycsb.Hooks{Status: func(ycsb.Status) { statuses++ }},
		}
		res := mustRun(t, taking(10*time.Millisecond), reads, o)
		if res.Steps != 100 || statuses != 1 {
			t.Errorf("%d steps, %d statuses; want 100, 1", res.Steps, statuses)
		}
	})
}

// lateDB prepares long after nobody waits any more.
type lateDB struct {
	*tableDB
	release chan struct{}
}

func (db lateDB) Prepare(context.Context, ycsb.Schema) error { <-db.release; return nil }

func TestAbandonedPrepareDoesNotEmpty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := lateDB{newTableDB(), make(chan struct{})}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := ycsb.Load(ctx, db, inserts(1), &ycsb.Options{Drop: true}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v; want the end of the context", err)
		}
		close(db.release)
		synctest.Wait()
		if len(db.log) != 0 {
			t.Errorf("done after the end: %v", db.log)
		}
	})
}

func TestLateConnectionsAreClosed(t *testing.T) {
	for name, denied := range map[string]bool{"interrupted": false, "denied": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				db := &fakeDB{connect: func(_ context.Context, worker int) error {
					if denied && worker == 1 {
						return errBoom
					}
					<-release
					return nil
				}}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				start := time.Now()
				_, err := ycsb.Run(ctx, db, reads, &ycsb.Options{Threads: 5})
				if took := time.Since(start); err == nil || denied && took > 6*time.Second {
					t.Errorf("error %v after %v", err, took)
				}
				close(release)
				synctest.Wait()
				if n := db.open.Load(); n != 0 {
					t.Errorf("%d connections stay open", n)
				}
			})
		})
	}
}

func TestGoexitEndsThePhase(t *testing.T) {
	for name, db := range map[string]*fakeDB{
		"operation": {do: func(context.Context, string) error { runtime.Goexit(); return nil }},
		"connect":   {connect: func(context.Context, int) error { runtime.Goexit(); return nil }},
		"close":     {close: func() error { runtime.Goexit(); return nil }},
	} {
		_, err := ycsb.Run(t.Context(), db, reads, &ycsb.Options{Threads: 2, Operations: 10})
		if err == nil && name != "close" {
			t.Errorf("%s: no error", name)
		}
	}
}

type nilError struct{}

func (*nilError) Error() string { panic("a nil error has no text") }

func TestErrorWithoutText(t *testing.T) {
	db := &fakeDB{close: func() error { var e *nilError; return e }}
	if _, err := ycsb.Run(t.Context(), db, reads, &ycsb.Options{Operations: 1}); err == nil {
		t.Error("no error")
	}
}

func TestPanicOfAHookStopsTheWorkers(t *testing.T) {
	db := new(fakeDB)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		_, _ = ycsb.Run(t.Context(), db, reads, &ycsb.Options{
			Threads: 4, Interval: time.Millisecond, Hooks: &ycsb.Hooks{Status: func(ycsb.Status) { panic("hook") }},
		})
	}()
	for db.open.Load() > 0 { // the test's own time limit ends this
		runtime.Gosched()
	}
}

func TestNothingToRun(t *testing.T) {
	for name, f := range map[string]func() error{
		"no database": func() error { _, err := ycsb.Run(t.Context(), nil, reads, nil); return err },
		"no workload": func() error { _, err := ycsb.Run(t.Context(), new(fakeDB), nil, nil); return err },
		"no worker":   func() error { _, err := ycsb.Run(t.Context(), new(fakeDB), idle{}, nil); return err },
		"no options that are right": func() error {
			_, err := ycsb.Run(t.Context(), new(fakeDB), reads, &ycsb.Options{Threads: math.MaxInt})
			return err
		},
	} {
		if err := f(); err == nil || strings.Contains(err.Error(), "panic") {
			t.Errorf("%s: error %v; want one that is no panic", name, err)
		}
	}
}

type idle struct{}

func (idle) Schema() ycsb.Schema                         { return ycsb.Schema{} }
func (idle) NewWorker(*ycsb.Client) (ycsb.Worker, error) { return nil, nil }

func TestBudgetIsGivenBack(t *testing.T) {
	t.Run("by a worker that is done", func(t *testing.T) {
		w := steps(func(_ context.Context, c *ycsb.Client) error {
			if c.Worker() == 0 {
				return ycsb.ErrDone
			}
			return nil
		})
		synctest.Test(t, func(t *testing.T) {
			if res := mustRun(t, new(fakeDB), w, &ycsb.Options{Threads: 2, Operations: 10, Target: 100}); res.Steps != 10 {
				t.Errorf("%d steps; want 10", res.Steps)
			}
		})
	})
	t.Run("by steps that take less than they said", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := batches(func(_ context.Context, c *ycsb.Client) error { c.Take(9); return nil })
			res := mustRun(t, new(fakeDB), w, &ycsb.Options{Threads: 3, Operations: 950, Target: 1000})
			if res.Steps != 950 || res.Ended != ycsb.EndedOperations {
				t.Errorf("%d steps, ended by %s; want 950, operations", res.Steps, res.Ended)
			}
			if res.Achieved < 900 {
				t.Errorf("achieved %v/s; want nearly 1000", res.Achieved)
			}
		})
	})
	t.Run("by a worker that became slow", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var n atomic.Int64
			w := steps(func(ctx context.Context, c *ycsb.Client) error {
				if c.Worker() == 1 && n.Add(1) > 200 {
					_ = c.Read(ctx, "t", nil, nil, nil) // takes a second
				}
				return nil
			})
			res := mustRun(t, taking(time.Second), w, &ycsb.Options{Threads: 2, Operations: 100_000})
			if res.Elapsed > 40*time.Second {
				t.Errorf("the phase took %v; want that of the few steps that it had taken", res.Elapsed)
			}
		})
	})
}

func TestOpenLoopDropsNothingWhileWorkersAreFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res := mustRun(t, taking(2*time.Millisecond), reads, &ycsb.Options{Threads: 8, Target: 1000, Open: true, Duration: time.Second})
		if res.Dropped != 0 || !res.Sustained || res.Steps < 999 {
			t.Errorf("Dropped, Sustained, Steps = %d, %v, %d; want 0, true, 1000", res.Dropped, res.Sustained, res.Steps)
		}
	})
}

func TestStallUntilTheEndIsNotSustained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		db := &fakeDB{do: func(ctx context.Context, _ string) error {
			if time.Since(start) > 5*time.Second {
				return wait(ctx, time.Hour)
			}
			return nil
		}}
		res := mustRun(t, db, reads, &ycsb.Options{Target: 100, Duration: 10 * time.Second})
		if res.Sustained || res.Offered < 99 || res.Achieved > 51 {
			t.Errorf("Sustained, Offered, Achieved = %v, %v, %v; want false, 100, 50", res.Sustained, res.Offered, res.Achieved)
		}
	})
}

func TestAbandonedIsNotSustained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		db := &fakeDB{do: func(context.Context, string) error { <-release; return nil }}
		res, err := ycsb.Run(t.Context(), db, reads, &ycsb.Options{Target: 100, Duration: time.Second})
		if err == nil || res.Sustained || res.Offered < 99 || res.Elapsed != time.Second {
			t.Errorf("error %v, Sustained %v, Offered %v, Elapsed %v; want an error, false, 100, 1s", err, res.Sustained, res.Offered, res.Elapsed)
		}
	})
}

func TestErrorsAreCountedOnce(t *testing.T) {
	key := []byte("k")
	for _, tt := range []struct {
		name string
		do   func(ctx context.Context, c *ycsb.Client, fail func(bool)) error
		want int64 // of ten steps
	}{
		{"composite of one's own", func(ctx context.Context, c *ycsb.Client, fail func(bool)) error {
			fail(true)
			tm := c.Op("MINE").Start()
			err := c.Read(ctx, "t", key, nil, nil)
			tm.Done(err)
			return err
		}, 10},
		{"check of one's own", func(ctx context.Context, c *ycsb.Client, _ func(bool)) error {
			err := c.Read(ctx, "t", key, nil, nil)
			c.Op("CHECK").RecordOutcome(time.Second, ycsb.ErrCorrupt)
			return err
		}, 10},
		{"error of the step alone", func(context.Context, *ycsb.Client, func(bool)) error { return errBoom }, 10},
		{"transaction that is tried again", func(ctx context.Context, c *ycsb.Client, fail func(bool)) error {
			update := func(tx *ycsb.Client) error { return tx.Update(ctx, "t", key, nil) }
			fail(true)
			if err := c.Tx(ctx, update); err == nil {
				return errBoom
			}
			fail(false)
			if err := c.Retry(ctx, 0); err != nil {
				return err
			}
			return c.Tx(ctx, update)
		}, 0},
		{"failure beside a retry of what was not found", func(ctx context.Context, c *ycsb.Client, fail func(bool)) error {
			c.Op("LOOK").RecordOutcome(0, ycsb.ErrNotFound)
			if err := c.Retry(ctx, 0); err != nil {
				return err
			}
			fail(true)
			return c.Update(ctx, "t", key, nil)
		}, 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			failing := false
			db := new(ableDB)
			db.do = func(_ context.Context, op string) error {
				if failing && op != "begin" {
					return ycsb.ErrConflict
				}
				return nil
			}
			w := steps(func(ctx context.Context, c *ycsb.Client) error {
				failing = false
				return tt.do(ctx, c, func(f bool) { failing = f })
			})
			if res := mustRun(t, db, w, &ycsb.Options{Operations: 10}); res.Errors != tt.want {
				t.Errorf("%d errors in %s; want %d", res.Errors, counts(res), tt.want)
			}
		})
	}
}

func TestMaxErrorsOfBatches(t *testing.T) {
	w := steps(func(ctx context.Context, c *ycsb.Client) error {
		c.Take(2)
		return errors.Join(
			c.Batch(ctx, "t", []ycsb.BatchItem{{Kind: ycsb.KindRead, Key: []byte("missing")}}),
			c.Batch(ctx, "t", []ycsb.BatchItem{{Kind: ycsb.KindUpdate}, {Kind: ycsb.KindUpdate}}))
	})
	db := new(ableDB)
	n := 0
	db.do = func(context.Context, string) error {
		if n++; n%2 == 0 {
			return errBoom
		}
		return nil
	}
	res, err := ycsb.Run(t.Context(), db, w, &ycsb.Options{Operations: 3000, MaxErrors: 5})
	if !errors.Is(err, errBoom) || res.Steps != 9 {
		t.Errorf("error %v after %d steps; want one after 9", err, res.Steps)
	}
}

func TestWhatIsCutOffAtTheEndIsNoTimeout(t *testing.T) {
	for name, told := range map[string]error{
		"own error": ycsb.ErrTimeout, "deadline of the connection": os.ErrDeadlineExceeded, "broken connection": io.ErrUnexpectedEOF,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				db := &fakeDB{do: func(ctx context.Context, _ string) error { <-ctx.Done(); return told }}
				res := mustRun(t, db, reads, &ycsb.Options{Threads: 2, Duration: time.Second})
				if got := counts(res); got != "READ CANCELLED=2" || res.Errors != 0 {
					t.Errorf("measured %s, %d errors; want READ CANCELLED=2, 0", got, res.Errors)
				}
			})
		})
	}
}

func TestErrorOfTheCallerIsNoOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := steps(func(ctx context.Context, c *ycsb.Client) error {
			return c.Scan(ctx, "t", nil, 5, nil, func([]byte, *ycsb.Record) error { return io.EOF })
		})
		res := mustRun(t, new(ableDB), w, &ycsb.Options{Operations: 20})
		if got := counts(res); got != "SCAN ERROR=20" || res.Elapsed != 0 {
			t.Errorf("measured %s in %v; want SCAN ERROR=20 without a pause", got, res.Elapsed)
		}
	})
}

func TestOutageIsNotForgottenWithinAStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := &fakeDB{do: func(context.Context, string) error { return ycsb.ErrUnavailable }}
		w := steps(func(ctx context.Context, c *ycsb.Client) error {
			err := c.Read(ctx, "t", nil, nil, nil)
			c.Op("NOTE").Record(0)
			return err
		})
		if res := mustRun(t, db, w, &ycsb.Options{Operations: 5}); res.Elapsed < 15*time.Millisecond {
			t.Errorf("five operations on a dead server took %v; want pauses of 1, 2, 4, 8 ms", res.Elapsed)
		}
	})
}

func TestHookIsNotPartOfReadModifyWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &ycsb.Options{Operations: 3, Hooks: &ycsb.Hooks{Op: func(string, time.Duration, error) { time.Sleep(time.Second) }}}
		w := steps(func(ctx context.Context, c *ycsb.Client) error {
			return c.ReadModifyWrite(ctx, "t", nil, nil, nil, nil)
		})
		res := mustRun(t, new(fakeDB), w, o)
		if got := mustOp(t, res, ycsb.OpReadModifyWrite).Outcome(ycsb.OutcomeOK).Service.Max(); got != 0 {
			t.Errorf("a read-modify-write took %v; want nothing", got)
		}
	})
}

func TestNewWorkerIsNotMeasured(t *testing.T) {
	res := mustRun(t, new(fakeDB), eager{}, &ycsb.Options{Threads: 3, Operations: 6})
	if got := counts(res); got != "UPDATE OK=6" {
		t.Errorf("measured %s; want UPDATE OK=6", got)
	}
}

// eager reads while its workers are made.
type eager struct{}

func (eager) Schema() ycsb.Schema { return ycsb.Schema{} }

func (eager) NewWorker(c *ycsb.Client) (ycsb.Worker, error) {
	update := func(ctx context.Context, c *ycsb.Client) error { return c.Update(ctx, "t", nil, nil) }
	return &stepsWorker{c, update}, c.Read(context.Background(), "t", nil, nil, nil)
}

func TestRolledBackInsertsAreNotMissed(t *testing.T) {
	db := &txTableDB{tableDB: newTableDB()}
	var n atomic.Int64
	w := steps(func(ctx context.Context, c *ycsb.Client) error {
		i := n.Add(1)
		if i > 10 {
			return ycsb.ErrDone
		}
		err := c.Tx(ctx, func(tx *ycsb.Client) error {
			if err := tx.Insert(ctx, "t", []byte("k"), nil); err != nil || i > 1 {
				return err
			}
			db.rows.Add(-1) // rolled back
			return ycsb.ErrConflict
		})
		return err
	})
	if _, err := ycsb.Load(t.Context(), db, w, nil); err != nil {
		t.Errorf("error %v; want none", err)
	}
}

type txTableDB struct{ *tableDB }

func (db *txTableDB) Conn(context.Context, int) (ycsb.Conn, error) {
	db.open.Add(1)
	return txTableConn{&fakeConn{&db.fakeDB}}, nil
}

type txTableConn struct{ *fakeConn }

func (c txTableConn) Begin(context.Context) (ycsb.Tx, error) {
	return &ableTx{fakeConn: c.fakeConn, able: new(ableDB)}, nil
}

func TestInterruptionTellsItsCause(t *testing.T) {
	cause := errors.New("signal")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if _, err := ycsb.Run(ctx, new(fakeDB), reads, nil); !errors.Is(err, cause) || !errors.Is(err, context.Canceled) {
		t.Errorf("error %v; want the cause and context.Canceled", err)
	}
}

func TestProgressStopsAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var phase *ycsb.Phase
		mustRun(t, taking(time.Second), reads, &ycsb.Options{Operations: 3, Hooks: &ycsb.Hooks{Start: func(p *ycsb.Phase) { phase = p }}})
		time.Sleep(time.Hour)
		if got := phase.Progress().Elapsed; got != 3*time.Second {
			t.Errorf("an hour after a phase of 3s its progress is %v", got)
		}
	})
}

func TestPacerIsInTheSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res := mustRun(t, new(fakeDB), reads, &ycsb.Options{Operations: 3, Pacer: ycsb.Ramp(10, 20, time.Minute)})
		if got, want := res.Settings["pacer"], "ramp 10/s to 20/s in 60 s"; got != want {
			t.Errorf("pacer = %q; want %q", got, want)
		}
	})
}
