package ycsb_test

import (
	"context"
	"errors"
	"log/slog"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// tableDB is a fakeDB with the abilities that a load makes use of.
type tableDB struct {
	fakeDB
	log      []string
	rows     atomic.Int64
	lose     bool // inserts are acknowledged and lost
	syncTime time.Duration
	syncErr  error
}

func newTableDB() *tableDB {
	db := new(tableDB)
	db.do = func(_ context.Context, op string) error {
		if op == ycsb.OpInsert && !db.lose {
			db.rows.Add(1)
		}
		return nil
	}
	return db
}

func (db *tableDB) Prepare(_ context.Context, s ycsb.Schema) error {
	db.log = append(db.log, "prepare "+s.Table)
	return nil
}

func (db *tableDB) Truncate(_ context.Context, table string) error {
	db.log = append(db.log, "truncate "+table)
	db.rows.Store(0)
	return nil
}

func (db *tableDB) Count(_ context.Context, table string) (int64, error) {
	db.log = append(db.log, "count "+table)
	return db.rows.Load(), nil
}

func (db *tableDB) Sync(ctx context.Context) error {
	db.log = append(db.log, "sync")
	return errors.Join(wait(ctx, db.syncTime), db.syncErr)
}

// inserts is a workload that loads n records.
func inserts(n int64) steps {
	var next atomic.Int64
	return func(ctx context.Context, c *ycsb.Client) error {
		if next.Add(1) > n {
			return ycsb.ErrDone
		}
		return c.Insert(ctx, "t", []byte("k"), nil)
	}
}

func TestLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newTableDB()
		db.syncTime = 3 * time.Second
		res, err := ycsb.Load(t.Context(), db, inserts(100), &ycsb.Options{Threads: 4, Operations: 7, Warmup: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Join(db.log, ", "), "prepare t, count t, sync, count t"; got != want {
			t.Errorf("calls: %s; want %s", got, want)
		}
		if res.Phase != "load" || res.Steps != 100 || res.Rows != 100 || res.Ended != ycsb.EndedDone {
			t.Errorf("result %+v; want a load of 100 steps and rows, whatever Operations and Warmup say", res)
		}
		if res.Elapsed != 3*time.Second {
			t.Errorf("Elapsed = %v; want the 3s of Sync", res.Elapsed)
		}
	})
}

func TestLoadRefusesWhatIsThere(t *testing.T) {
	db := newTableDB()
	db.rows.Store(5)
	res, err := ycsb.Load(t.Context(), db, inserts(100), nil)
	if res != nil || !errors.Is(err, ycsb.ErrExists) || !strings.Contains(err.Error(), "table t holds 5 rows") {
		t.Errorf("result %v, error %v; want ErrExists that names the table", res, err)
	}
	if db.calls.Load() != 0 {
		t.Error("something was inserted")
	}

	res, err = ycsb.Load(t.Context(), db, inserts(100), &ycsb.Options{Append: true})
	if err != nil || res.Rows != 105 {
		t.Errorf("with Append: result %+v, error %v; want 105 rows", res, err)
	}

	res, err = ycsb.Load(t.Context(), db, inserts(100), &ycsb.Options{Drop: true})
	if err != nil || res.Rows != 100 {
		t.Errorf("with Drop: result %+v, error %v; want 100 rows", res, err)
	}

	if _, err := ycsb.Load(t.Context(), new(fakeDB), inserts(1), &ycsb.Options{Drop: true}); !errors.Is(err, ycsb.ErrUnsupported) {
		t.Errorf("Drop without a Truncater: error %v; want ErrUnsupported", err)
	}
}

func TestLoadFindsLostRows(t *testing.T) {
	db := newTableDB()
	db.lose = true
	res, err := ycsb.Load(t.Context(), db, inserts(100), nil)
	if err == nil || !strings.Contains(err.Error(), "load is incomplete: table t holds 0 rows after 100 acknowledged inserts") {
		t.Errorf("error %v; want one that tells 0 rows of 100", err)
	}
	if res == nil || res.Steps != 100 {
		t.Errorf("result %+v; want that of 100 steps", res)
	}
}

// TestLoadTellsOfOtherRows has a table that gets other rows than those that were inserted and
// acknowledged.
func TestLoadTellsOfOtherRows(t *testing.T) {
	for _, tt := range []struct {
		name     string
		before   int64
		others   int64 // rows of another client
		lose     bool
		madeGood int
		want     string
	}{
		{"the same", 0, 0, false, 0, ""},
		{"into a table with rows", 5, 0, false, 0, ""},
		{"others load", 0, 7, false, 0, `level=INFO msg="the table got more rows than this load inserted: .*" table=t rows=17 inserts=10`},
		{"others load into a table with rows", 5, 7, false, 0, `level=INFO msg=.* table=t rows=17 inserts=10`},
		{"lost", 5, 0, true, 0, `level=WARN msg="the table got fewer rows than inserts were acknowledged" table=t rows=0 inserts=10`},
		{"stored at a first try", 0, 3, false, 3, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := newTableDB()
			db.rows.Store(tt.before)
			db.lose = tt.lose
			insert := inserts(10)
			first := true
			w := steps(func(ctx context.Context, c *ycsb.Client) error {
				if first {
					first = false
					db.rows.Add(tt.others)
					c.MadeGood(tt.madeGood)
				}
				return insert(ctx, c)
			})
			var log strings.Builder
			o := &ycsb.Options{Append: tt.before > 0, Logger: slog.New(slog.NewTextHandler(&log, nil))}
			if _, err := ycsb.Load(t.Context(), db, w, o); err != nil {
				t.Fatal(err)
			}
			if !regexp.MustCompile(`^(time=\S+ `+tt.want+`\n)?$`).MatchString(log.String()) || (log.String() == "") != (tt.want == "") {
				t.Errorf("log %q; want %s", log.String(), tt.want)
			}
		})
	}
}

func TestLoadThatCannotSync(t *testing.T) {
	db := newTableDB()
	db.syncErr = errors.New("disk is gone")
	res, err := ycsb.Load(t.Context(), db, inserts(10), nil)
	if !errors.Is(err, db.syncErr) || res == nil || res.Ended != ycsb.EndedError {
		t.Errorf("result %+v, error %v; want %v", res, err, db.syncErr)
	}
}

func TestInterruptedLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newTableDB()
		count := db.do
		db.do = func(ctx context.Context, op string) error {
			if err := wait(ctx, 10*time.Millisecond); err != nil {
				return err
			}
			return count(ctx, op)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 995*time.Millisecond)
		defer cancel()
		res, err := ycsb.Load(ctx, db, inserts(1000), nil)
		if !errors.Is(err, context.DeadlineExceeded) || res == nil {
			t.Fatalf("result %v, error %v; want a result and the context's error", res, err)
		}
		insert := mustOp(t, res, ycsb.OpInsert)
		if insert.Outcome(ycsb.OutcomeOK).Count != 99 || insert.Outcome(ycsb.OutcomeCancelled).Count != 1 {
			t.Errorf("outcomes %v; want 99 OK, 1 CANCELLED", insert.Outcomes)
		}
	})
}
