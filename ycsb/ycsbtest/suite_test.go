package ycsbtest

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

const secret = "hunter2"

// modelSuite returns the suite of a model with bugs.
func modelSuite(b bug) Suite {
	s := Suite{Secrets: []string{secret}}
	if b.suite != nil {
		b.suite(&s)
	}
	open := func() *fakeDB {
		d := newModel(s.Upsert).db()
		if b.conn != nil || b.tx != nil {
			d.conn = buggyConns(d.conn, b)
		}
		if b.db != nil {
			b.db(d)
		}
		return d
	}
	s.Open = func(testing.TB) ycsb.DB { return open() }
	s.OpenRefused = func(testing.TB) (ycsb.DB, error) {
		if b.refused != nil {
			return b.refused(open())
		}
		return nil, fmt.Errorf("access denied")
	}
	return s
}

func buggyConns(next func(context.Context, int) (*fakeConn, error), b bug) func(context.Context, int) (*fakeConn, error) {
	return func(ctx context.Context, worker int) (*fakeConn, error) {
		c, err := next(ctx, worker)
		if err != nil {
			return nil, err
		}
		if b.conn != nil {
			b.conn(c)
		}
		begin := c.begin
		c.begin = func(ctx context.Context) (*fakeTx, error) {
			tx, err := begin(ctx)
			if err == nil && b.tx != nil {
				b.tx(tx)
			}
			return tx, err
		}
		return c, nil
	}
}

func TestModel(t *testing.T) { modelSuite(bug{}).Test(t) }

func TestModelUpsert(t *testing.T) {
	modelSuite(bug{suite: func(s *Suite) { s.Upsert, s.Table = true, "other" }}).Test(t)
}

// TestModelLacking tests that rules of what a driver lacks do not run.
func TestModelLacking(t *testing.T) {
	s := modelSuite(bug{})
	s.OpenRefused = nil
	s.TextKeys, s.TextValues, s.Columns = true, true, true
	s.Except = map[string]string{"values-long": "the model has short values here"}
	open := s.Open
	s.Open = func(t testing.TB) ycsb.DB { return bareDB{open(t)} }
	s.Test(t)

	has := s.withDefaults().probe(t)
	var ran []string
	for _, r := range rules {
		if has.all(r.needs) {
			ran = append(ran, r.name)
		}
	}
	for _, name := range []string{"scan-order", "batch-kinds", "tx-commit", "query-equal", "truncate", "count", "keys-binary", "values-binary"} {
		if slices.Contains(ran, name) {
			t.Errorf("rule %s ran for a driver without the ability", name)
		}
	}
}

// bareDB has none of the optional interfaces, but a Scanner that says so.
type bareDB struct{ ycsb.DB }

func (d bareDB) Conn(ctx context.Context, worker int) (ycsb.Conn, error) {
	c, err := d.DB.Conn(ctx, worker)
	if err != nil {
		return nil, err
	}
	return bareConn{c}, nil
}

type bareConn struct{ ycsb.Conn }

func (bareConn) Scan(context.Context, string, []byte, int, []string, func([]byte, *ycsb.Record) error) error {
	return ycsb.ErrUnsupported
}

// TestBugs tests that each rule finds the bugs that it is for.
func TestBugs(t *testing.T) {
	caught := make(map[string]bool)
	for _, b := range bugs {
		t.Run(b.name, func(t *testing.T) {
			for _, name := range strings.Fields(b.rules) {
				caught[name] = true
				s := modelSuite(b).withDefaults()
				if b.hangs {
					s.patience = 50 * time.Millisecond
				}
				if failed, report := outcome(t, s, findRule(t, name)); !failed {
					t.Errorf("rule %s does not find it: %s", name, report)
				} else {
					t.Logf("%s: %s", name, report)
				}
			}
		})
	}
	for _, r := range rules {
		if !caught[r.name] {
			t.Errorf("no bug is there for rule %s to find", r.name)
		}
	}
}

// TestRules tests that names are unique, and that no rule fails where there is no bug, and that
// what outcome reports is what Test does.
func TestRules(t *testing.T) {
	seen := make(map[string]bool)
	for _, r := range rules {
		if seen[r.name] {
			t.Errorf("two rules are named %s", r.name)
		}
		seen[r.name] = true
		s := modelSuite(bug{suite: func(s *Suite) { s.Upsert = slices.Contains(r.needs, replacer) }}).withDefaults()
		if failed, report := outcome(t, s, r); failed {
			t.Errorf("rule %s fails without a bug: %s", r.name, report)
		}
	}
}

func findRule(t *testing.T, name string) rule {
	t.Helper()
	i := slices.IndexFunc(rules, func(r rule) bool { return r.name == name })
	if i < 0 {
		t.Fatalf("no rule is named %s", name)
	}
	return rules[i]
}

// outcome tests a rule and tells whether it failed, and what it said.
func outcome(t *testing.T, s Suite, r rule) (failed bool, report string) {
	ctx, cancel := context.WithCancel(t.Context())
	rec := &recorder{TB: t, ctx: ctx}
	rec.do(func() { s.run(rec, r) })
	cancel()
	for i := range rec.cleanups {
		rec.do(rec.cleanups[len(rec.cleanups)-1-i])
	}
	rec.mu.Lock()
	defer rec.mu.Unlock()
	return rec.failed, strings.Join(rec.lines, "; ")
}

// recorder is a testing.TB that keeps for itself that it failed.
type recorder struct {
	testing.TB
	ctx      context.Context
	cleanups []func()
	mu       sync.Mutex
	failed   bool
	lines    []string
}

// do calls f, which may end by FailNow or panic.
func (r *recorder) do(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if v := recover(); v != nil {
				r.Errorf("panic: %v", v)
			}
		}()
		f()
	}()
	<-done
}

func (r *recorder) log(failed bool, line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = r.failed || failed
	r.lines = append(r.lines, line)
}

func (r *recorder) Helper()                           {}
func (r *recorder) Context() context.Context          { return r.ctx }
func (r *recorder) Cleanup(f func())                  { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Log(args ...any)                   { r.log(false, fmt.Sprint(args...)) }
func (r *recorder) Logf(format string, args ...any)   { r.log(false, fmt.Sprintf(format, args...)) }
func (r *recorder) Error(args ...any)                 { r.log(true, fmt.Sprint(args...)) }
func (r *recorder) Errorf(format string, args ...any) { r.log(true, fmt.Sprintf(format, args...)) }

func (r *recorder) Fatal(args ...any) {
	r.Error(args...)
	runtime.Goexit()
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}
