// Package ycsbtest tests drivers and runs workloads as Go benchmarks.
//
// The test of a driver is one call:
//
//	func TestConformance(t *testing.T) {
//		ycsbtest.TestDB(t, func(t testing.TB) ycsb.DB { return memory.New() })
//	}
//
// What the driver's database does its own way is said in a [Suite]. So is a benchmark one call:
// see [Benchmark].
package ycsbtest

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// TestDB tests that the databases that open returns keep the contract of [ycsb.DB], [ycsb.Conn]
// and those of the optional interfaces that they implement. It is Suite{Open: open}.Test(t).
func TestDB(t *testing.T, open func(t testing.TB) ycsb.DB) {
	t.Helper()
	Suite{Open: open}.Test(t)
}

// Suite is the conformance suite of drivers, with what it has to know of the driver under test.
// All but Open may be left zero. It is not changed by Test.
type Suite struct {
	// Open returns a database in which the suite's tables are empty or do not exist. It is
	// called once for every rule, never concurrently, and fails t where it cannot. The suite
	// closes the DB; whatever else is to be freed is for t.Cleanup, which comes after that.
	Open func(t testing.TB) ycsb.DB

	// Table is the name of the table that the suite prepares and uses; default "usertable".
	// It also uses Table+"2" and Table+"3", and Table+"4" without preparing it. A driver
	// that is not a Preparer has the first three ready, with the fields field0 to field9,
	// keys up to 128 bytes, and values up to 1 KiB, 64 KiB in Table+"3". Where Open returns
	// the same tables again, it empties these three and removes Table+"4".
	Table string

	// Upsert says that an insert of a key that is taken replaces the record. Else it has to
	// return ErrExists and to leave the record alone.
	Upsert bool

	// TextKeys says that keys, TextValues that values, have to be UTF-8 without NUL. Else
	// they are any bytes.
	TextKeys, TextValues bool

	// Columns says that the fields of a table are fixed when it is prepared, so that
	// naming any other one in a read is an error. Else it is left out.
	Columns bool

	// OpenRefused opens the database with a wrong password. It is nil where there is none.
	// Either it or the DB's Conn has to return an error.
	OpenRefused func(t testing.TB) (ycsb.DB, error)

	// Secrets must not occur in errors and descriptions: the passwords that Open and
	// OpenRefused use.
	Secrets []string

	// Except names rules that the database cannot keep, each with the reason, which is
	// logged.
	Except map[string]string

	patience time.Duration // for what must not hang
}

// Test runs every rule as a subtest of the rule's name. Rules of optional interfaces that the
// driver does not implement, or whose methods return [ycsb.ErrUnsupported], do not run, and t's
// log says so; nothing is skipped.
func (s Suite) Test(t *testing.T) {
	t.Helper()
	s = s.withDefaults()
	has := s.probe(t)
	for _, a := range abilities {
		if !has[a] {
			t.Logf("not tested: the driver has no %s", a)
		}
	}
	unknown := make(map[string]bool)
	for name := range s.Except {
		unknown[name] = true
	}
	for _, r := range rules {
		delete(unknown, r.name)
		if why, ok := s.Except[r.name]; ok {
			t.Logf("not tested: %s (%s): %s", r.name, r.text, why)
			continue
		}
		if has.all(r.needs) {
			t.Run(r.name, func(t *testing.T) { s.run(t, r) })
		}
	}
	for name := range unknown {
		t.Errorf("Suite.Except: no rule is named %q", name)
	}
}

func (s Suite) withDefaults() Suite {
	if s.Table == "" {
		s.Table = "usertable"
	}
	if s.patience == 0 {
		s.patience = 20 * time.Second
	}
	return s
}

// run tests one rule.
func (s Suite) run(t testing.TB, r rule) {
	t.Helper()
	f := s.open(t)
	r.check(f)
	if t.Failed() {
		t.Logf("the rule: %s", r.text)
	}
}

// rule is one rule of the contract.
type rule struct {
	name  string
	text  string // the rule itself, in a sentence
	needs []ability
	check func(f *fixture)
}

// ability is something that not every driver can do: the name of the interface.
type ability string

const (
	preparer   ability = "ycsb.Preparer"
	truncater  ability = "ycsb.Truncater"
	syncer     ability = "ycsb.Syncer"
	sizer      ability = "ycsb.Sizer"
	compacter  ability = "ycsb.Compacter"
	counter    ability = "ycsb.Counter"
	describer  ability = "ycsb.Describer"
	scanner    ability = "ycsb.Scanner"
	batcher    ability = "ycsb.Batcher"
	transactor ability = "ycsb.Transactor"
	queryer    ability = "ycsb.Queryer"

	// Abilities of the suite, not of the driver.
	refuser   ability = "password to refuse (Suite.OpenRefused)"
	inserter  ability = "insert that refuses a key that is taken (Suite.Upsert)"
	replacer  ability = "insert that replaces a record (Suite.Upsert)"
	binaryKey ability = "binary keys (Suite.TextKeys)"
	binary    ability = "binary values (Suite.TextValues)"
	freeForm  ability = "records without fixed fields (Suite.Columns)"
)

var abilities = []ability{
	preparer, truncater, syncer, sizer, compacter, counter, describer, scanner, batcher, transactor, queryer,
	refuser, inserter, replacer, binaryKey, binary, freeForm,
}

// set is a set of abilities.
type set map[ability]bool

func (s set) all(needs []ability) bool {
	for _, a := range needs {
		if !s[a] {
			return false
		}
	}
	return true
}

// schema returns the schema of a table whose values have up to fieldLength bytes.
func schema(table string, fieldLength int) ycsb.Schema {
	s := ycsb.Schema{Table: table, FieldLength: fieldLength, KeyLength: keyLength}
	for i := range 10 {
		s.Fields = append(s.Fields, "field"+strconv.Itoa(i))
	}
	return s
}

const (
	keyLength   = 128
	shortValues = 1 << 10 // in Table and Table+"2"
	longValues  = 1 << 16 // in Table+"3"
)

// longKey is as long as a key may be.
var longKey = "long" + strings.Repeat("0123456789abcdef", keyLength/16)[:keyLength-4]
