package main

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/ycsbkit/ycsbkit/internal/servertest"
	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// size returns the number of records and of operations of each phase: that in the environment's
// YCSB_E2E_RECORDS, where there is one.
func size(t *testing.T) int64 {
	t.Helper()
	text, ok := os.LookupEnv("YCSB_E2E_RECORDS")
	switch {
	case ok:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 1 {
			t.Fatalf("YCSB_E2E_RECORDS=%s: want a positive number", text)
		}
		return n
	case testing.Short():
		return 2_000
	}
	return 20_000
}

// database makes an empty database on a server and returns a handle with all rights. The tests
// need no client besides the driver's: it is the one that database/sql knows as mysql.
func database(t *testing.T, s *servertest.Server, name string) *sql.DB {
	t.Helper()
	db, err := sql.Open("mysql", "root@tcp("+s.Addr+")/")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	execute(t, db, "CREATE DATABASE "+name)
	return db
}

func execute(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// TestSequence runs the standard mixes in the order that YCSB recommends, on each driver: those
// that insert come last, and the table is emptied before the one that needs the original records.
func TestSequence(t *testing.T) {
	for _, tt := range []struct {
		driver string
		set    func(t *testing.T, p *properties.Properties)
	}{
		{"memory", func(*testing.T, *properties.Properties) {}},
		{"pebble", func(t *testing.T, p *properties.Properties) {
			p.Set("pebble.dir", filepath.Join(t.TempDir(), "store"))
			p.Set("pebble.nosync", "true") // as below: what survives a crash is not what is tested
		}},
		{"mysql", func(t *testing.T, p *properties.Properties) {
			s := servertest.MariaDB(t, servertest.Flags("--innodb-flush-log-at-trx-commit=2", "--skip-log-bin"))
			database(t, s, "sequence")
			p.Set("mysql.dsn", "root@tcp("+s.Addr+")/sequence")
		}},
	} {
		t.Run(tt.driver, func(t *testing.T) {
			p := properties.New()
			tt.set(t, p)
			db, err := ycsb.Open(t.Context(), tt.driver, p)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			}()
			for _, integrity := range []bool{false, true} {
				t.Run(fmt.Sprintf("dataintegrity=%t", integrity), func(t *testing.T) {
					s := &sequence{db: db, n: size(t), integrity: integrity}
					s.load(t, "a", false)
					for _, name := range []string{"a", "b", "c", "f", "d"} {
						s.run(t, name)
					}
					s.refuse(t, "e")
					s.load(t, "e", true)
					s.run(t, "e")
				})
			}
		})
	}
}

// sequence is a sequence of phases on one table.
type sequence struct {
	db        ycsb.DB
	n         int64 // records and operations
	integrity bool
	rows      int64 // that the table should have
}

func (s *sequence) options() *ycsb.Options { return &ycsb.Options{Threads: 16, Operations: s.n} }

// workload returns a standard mix. Its table tells sequences on the same database apart.
func (s *sequence) workload(t *testing.T, name string) ycsb.Workload {
	t.Helper()
	c, err := workloads.Standard(name)
	if err != nil {
		t.Fatal(err)
	}
	c.RecordCount, c.DataIntegrity = s.n, s.integrity
	c.Table = fmt.Sprintf("usertable_%t", s.integrity)
	w, err := workloads.NewCore(c)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (s *sequence) load(t *testing.T, name string, drop bool) {
	t.Helper()
	o := s.options()
	o.Drop = drop
	w := s.workload(t, name)
	res, err := ycsb.Load(t.Context(), s.db, w, o)
	s.rows = 0
	s.check(t, "load "+name, w, res, err)
	if res.Rows != s.n || res.Ended != ycsb.EndedDone {
		t.Errorf("load %s: %d rows, ended: %s; want %d, %s", name, res.Rows, res.Ended, s.n, ycsb.EndedDone)
	}
}

func (s *sequence) run(t *testing.T, name string) {
	t.Helper()
	w := s.workload(t, name)
	res, err := ycsb.Run(t.Context(), s.db, w, s.options())
	s.check(t, "run "+name, w, res, err)
	if res.Ended != ycsb.EndedOperations {
		t.Errorf("run %s ended: %s; want %s", name, res.Ended, ycsb.EndedOperations)
	}
}

// refuse loads into the table, which is not empty.
func (s *sequence) refuse(t *testing.T, name string) {
	t.Helper()
	if _, err := ycsb.Load(t.Context(), s.db, s.workload(t, name), s.options()); !errors.Is(err, ycsb.ErrExists) {
		t.Errorf("load %s into a table with records: %v; want ErrExists", name, err)
	}
}

// check checks that all operations of a phase succeeded, and that the table has the rows that it
// should have after them.
func (s *sequence) check(t *testing.T, phase string, w ycsb.Workload, res *ycsb.Result, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", phase, err)
	}
	if res.Steps != s.n || res.Failed != 0 || res.Retries != 0 || res.Abandoned != 0 {
		t.Errorf("%s: %d operations, %d failed, %d tried again, %d abandoned; want %d, 0, 0, 0",
			phase, res.Steps, res.Failed, res.Retries, res.Abandoned, s.n)
	}
	for _, op := range res.Ops {
		if ok := op.Outcome(ycsb.OutcomeOK).Count; ok != op.Count() {
			t.Errorf("%s: %d of %d %s succeeded: %v", phase, ok, op.Count(), op.Name, op.Errors)
		}
	}
	s.checkVerified(t, phase, res)

	inserts, _ := res.Op(ycsb.OpInsert)
	s.rows += int64(inserts.Outcome(ycsb.OutcomeOK).Count)
	rows, err := s.db.(ycsb.Counter).Count(t.Context(), w.Schema().Table)
	if err != nil || rows != s.rows {
		t.Errorf("%s: %d rows, %v; want %d", phase, rows, err, s.rows)
	}
}

// checkVerified checks that what was read was verified, if it should have been.
func (s *sequence) checkVerified(t *testing.T, phase string, res *ycsb.Result) {
	t.Helper()
	verified, _ := res.Op(ycsb.OpVerify)
	want := uint64(0)
	if s.integrity {
		reads, _ := res.Op(ycsb.OpRead)
		want = reads.Count()
	}
	if verified.Count() != want {
		t.Errorf("%s: %d reads verified; want %d", phase, verified.Count(), want)
	}
}
