package workloads_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/generator"
)

// change changes parameters.
type change = func(*workloads.CoreConfig)

// standard returns the parameters of a standard mix, changed.
func standard(t testing.TB, name string, changes ...change) workloads.CoreConfig {
	t.Helper()
	c, err := workloads.Standard(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range changes {
		f(&c)
	}
	return c
}

// small returns parameters of 1000 records with one short field and nothing to do, changed.
func small(changes ...change) workloads.CoreConfig {
	c := workloads.Default()
	c.FieldCount, c.FieldLength = 1, 10
	c.Read, c.Update = 0, 0
	for _, f := range changes {
		f(&c)
	}
	return c
}

// newCore returns the workload with the given parameters, or ends the test.
func newCore(t testing.TB, c workloads.CoreConfig) *workloads.Core {
	t.Helper()
	w, err := workloads.NewCore(c)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// seeded returns options with a fixed seed.
func seeded(operations int64, threads int) *ycsb.Options {
	return &ycsb.Options{Operations: operations, Threads: threads, Seed: 42}
}

// phase is [ycsb.Load] or [ycsb.Run].
type phase = func(context.Context, ycsb.DB, ycsb.Workload, *ycsb.Options) (*ycsb.Result, error)

// must runs a phase and ends the test unless it was done.
func must(t testing.TB, phase phase, db ycsb.DB, w ycsb.Workload, o *ycsb.Options) *ycsb.Result {
	t.Helper()
	res, err := phase(t.Context(), db, w, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// flawless is must, and reports failed operations.
func flawless(t testing.TB, phase phase, db ycsb.DB, w ycsb.Workload, o *ycsb.Options) *ycsb.Result {
	t.Helper()
	res := must(t, phase, db, w, o)
	if res.Failed != 0 || res.Errors != 0 {
		t.Errorf("%d steps failed, %d errors: %+v; want none", res.Failed, res.Errors, res.Ops)
	}
	return res
}

// loaded returns a database that w has loaded, its calls forgotten.
func loaded(t testing.TB, w *workloads.Core) *memDB {
	t.Helper()
	db := newMemDB()
	flawless(t, ycsb.Load, db, w, seeded(0, 1))
	db.forgetCalls()
	return db
}

// count returns how often an operation ended with an outcome.
func count(res *ycsb.Result, op, outcome string) int {
	o, _ := res.Op(op)
	return int(o.Outcome(outcome).Count)
}

// total returns how often an operation ended.
func total(res *ycsb.Result, op string) int {
	o, _ := res.Op(op)
	return int(o.Count())
}

func equal[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s = %v; want %v", what, got, want)
	}
}

func equalLists[T comparable](t testing.TB, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s = %v; want %v", what, got, want)
	}
}

// near checks that got is within tolerance of want.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v; want %v ± %v", what, got, want, tolerance)
	}
}

// fails checks that err is there, and says so in words that contain each of want.
func fails(t testing.TB, what string, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error; want one with %q", what, want)
		return
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: error %q; want one with %q", what, err, w)
		}
	}
}

// golden returns the rows of a file of testdata, without the heading.
func golden(t testing.TB, file string) [][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(text)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	if len(rows) < 2 {
		t.Fatalf("%s: %d lines", file, len(rows))
	}
	return rows[1:]
}

// keyOf returns the key of record n, hashed.
func keyOf(n int64) string {
	return string(generator.KeyNames{Prefix: "user"}.Append(nil, n))
}

// keysOf returns the keys of the records from lo to hi-1, with their numbers.
func keysOf(lo, hi int64) map[string]int64 {
	numbers := make(map[string]int64, hi-lo)
	for n := lo; n < hi; n++ {
		numbers[keyOf(n)] = n
	}
	return numbers
}

// distributions are the names of all of them.
var distributions = []string{"uniform", "zipfian", "zipfian_exact", "latest", "hotspot", "exponential", "sequential"}
