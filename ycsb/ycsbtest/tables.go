package ycsbtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

func prepareTwice(f *fixture) {
	f.insertAll("a", "b")
	f.prepare(f.table, shortValues)
	f.wantRow("a", newRow("a"))
	f.wantRow("b", newRow("b"))
	f.prepare(f.table, shortValues)
	f.insertAll("c")
	f.wantRow("c", newRow("c"))
}

func (f *fixture) truncate() error { return f.db.(ycsb.Truncater).Truncate(f.ctx, f.table) }

func truncate(f *fixture) {
	g := f.in(f.table + "2")
	g.prepare(g.table, shortValues)
	f.must(f.truncate())
	f.insertAll("a", "b", "c")
	g.insertAll("a")
	f.must(f.truncate())
	for _, key := range []string{"a", "b", "c"} {
		f.wantMissing(key)
	}
	g.wantRow("a", newRow("a"))
	f.must(f.insert("b", row{"field1": "x"}))
	f.wantRow("b", row{"field1": "x"})
	f.must(f.truncate())
	f.must(f.truncate())
	f.wantMissing("b")
}

func truncateForeign(f *fixture) {
	g := f.in(f.table + "4") // never prepared
	g.wantRefusal(g.truncate())
	if err := g.insert("k", newRow("k")); err != nil {
		f.Logf("only tables that were prepared can be written to: %v", err)
		return
	}
	g.wantRefusal(g.truncate())
	g.wantRow("k", newRow("k"))
	g.prepare(g.table, shortValues)
	g.wantRefusal(g.truncate())
	g.wantRow("k", newRow("k"))
}

// wantRefusal reports when err is not that of a Truncate that refuses the table.
func (f *fixture) wantRefusal(err error) {
	f.Helper()
	switch {
	case err == nil:
		f.Errorf("Truncate of table %s, which Prepare did not create, succeeded", f.table)
	case !strings.Contains(err.Error(), f.table):
		f.Errorf("Truncate of a foreign table: error %q; want one that names table %s", err, f.table)
	}
}

// wantCount reports when the table does not have n records.
func (f *fixture) wantCount(n int64) {
	f.Helper()
	got, err := f.db.(ycsb.Counter).Count(f.ctx, f.table)
	if err != nil || got != n {
		f.Errorf("Count(%s) = %d, %v; want %d", f.table, got, err, n)
	}
}

func count(f *fixture) {
	g := f.in(f.table + "2")
	g.prepare(g.table, shortValues)
	f.wantCount(0)
	var keys []string
	for i := range 57 {
		keys = append(keys, fmt.Sprint("key", i))
	}
	f.insertAll(keys...)
	g.insertAll("a", "b")
	f.wantCount(57)
	g.wantCount(2)
	f.must(f.update("key5", row{"field0": "x"}))
	f.must(f.delete("key7"))
	f.wantErr("Delete of a deleted record", f.delete("key7"), ycsb.ErrNotFound)
	f.wantErr("Update of a deleted record", f.update("key7", newRow("x")), ycsb.ErrNotFound)
	f.wantCount(56)
	if !f.suite.Upsert {
		f.wantErr("Insert of a key that is taken", f.insert("key8", newRow("x")), ycsb.ErrExists)
		f.wantCount(56)
	}
}

func countMissing(f *fixture) { f.in(f.table + "4").wantCount(0) }

func size(f *fixture) {
	measure := func() ycsb.Size {
		f.Helper()
		f.sync()
		s, err := f.db.(ycsb.Sizer).Size(f.ctx, f.table)
		if err != nil {
			f.Fatalf("Size(%s): %v", f.table, err)
		}
		if s.Storage < -1 || s.Index < -1 || s.Data < -1 {
			f.Errorf("Size(%s) = %+v; want -1 or more of each", f.table, s)
		}
		if s.Storage >= 0 && s.Index > s.Storage {
			f.Errorf("Size(%s) = %+v; want no more bytes in indexes than in all", f.table, s)
		}
		return s
	}
	before := measure()
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		r := make(row)
		for _, field := range schema("", 0).Fields {
			b := make([]byte, 200)
			for j := range b {
				b[j] = byte(' ' + rng.IntN(95)) // hard to compress
			}
			r[field] = string(b)
		}
		f.must(f.insert(fmt.Sprint("key", i), r))
	}
	after := measure()
	if after.Storage <= before.Storage && after.Data <= before.Data {
		f.Errorf("Size(%s) = %+v, and %+v after 600,000 bytes were inserted; want more", f.table, before, after)
	}
}

func sizeMissing(f *fixture) {
	f.insertAll("a", "b")
	s, err := f.db.(ycsb.Sizer).Size(f.ctx, f.table+"4")
	if err != nil || s.Storage > 0 || s.Index > 0 || s.Data > 0 {
		f.Errorf("Size(%s) = %+v, %v; want no bytes: there is no such table", f.table+"4", s, err)
	}
}

// sync syncs where the driver can.
func (f *fixture) sync() {
	f.Helper()
	d, ok := f.db.(ycsb.Syncer)
	if !ok {
		return
	}
	if err := d.Sync(f.ctx); err != nil && !errors.Is(err, ycsb.ErrUnsupported) {
		f.Fatalf("Sync: %v", err)
	}
}

func syncKeeps(f *fixture) {
	f.must(f.db.(ycsb.Syncer).Sync(f.ctx))
	f.insertAll("a", "b", "c")
	f.must(f.delete("b"))
	f.must(f.db.(ycsb.Syncer).Sync(f.ctx))
	f.kept()
}

// kept reports when a, c and later d are not what is left of a, b and c.
func (f *fixture) kept() {
	f.Helper()
	f.wantRow("a", newRow("a"))
	f.wantMissing("b")
	f.wantRow("c", newRow("c"))
	f.must(f.insert("d", newRow("d")))
	f.wantRow("d", newRow("d"))
}

func compactKeeps(f *fixture) {
	f.insertAll("a", "b", "c")
	f.must(f.delete("b"))
	f.must(f.db.(ycsb.Compacter).Compact(f.ctx, f.table))
	f.kept()
}

func describe(f *fixture) {
	info, err := f.db.(ycsb.Describer).Describe(f.ctx)
	f.must(err)
	if info.Product == "" {
		f.Error("the Info has no Product")
	}
	f.wantNoSecret("Describe", info)
}
