package ycsbtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// queryRows inserts a dozen records: field0 is one of three values, field1 is different in
// each and does not ascend with the key.
func (f *fixture) queryRows() []entry {
	f.Helper()
	var rows []entry
	for i := range 12 {
		key := fmt.Sprintf("key%02d", i)
		r := newRow(key).plus(row{"field0": string("abc"[i%3]), "field1": fmt.Sprintf("%02d", i*5%12)})
		f.must(f.insert(key, r))
		rows = append(rows, entry{key, r})
	}
	return rows
}

// where returns the entries whose field0 is value.
func where(entries []entry, value string) []entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return e.row["field0"] != value })
}

// ordered returns entries by ascending field.
func ordered(entries []entry, field string) []entry {
	return slices.SortedStableFunc(slices.Values(entries), func(a, b entry) int {
		return strings.Compare(a.row[field], b.row[field])
	})
}

// wantQuery reports when a query does not pass want; the order counts when q has one.
func (f *fixture) wantQuery(q ycsb.Query, want []entry) {
	f.Helper()
	got, err := f.query(q)
	f.must(err)
	if q.Order == "" {
		slices.SortFunc(got, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	}
	if err := diffEntries(got, want); err != nil {
		f.Errorf("Query(%+v): %v", q, err)
	}
}

func queryEqual(f *fixture) {
	all := f.queryRows()
	for _, value := range []string{"a", "b", "c", "d", "A", ""} {
		f.wantQuery(ycsb.Query{Where: "field0", Equal: []byte(value)}, where(all, value))
	}
	f.wantQuery(ycsb.Query{Where: "field1", Equal: []byte("05")}, all[1:2])
	f.wantQuery(ycsb.Query{}, all)
}

func queryOrder(f *fixture) {
	all := f.queryRows()
	up := ordered(all, "field1")
	f.wantQuery(ycsb.Query{Order: "field1"}, up)
	f.wantQuery(ycsb.Query{Where: "field0", Equal: []byte("b"), Order: "field1"}, where(up, "b"))
	down := slices.Clone(up)
	slices.Reverse(down)
	f.wantQuery(ycsb.Query{Order: "field1", Desc: true}, down)
	f.wantQuery(ycsb.Query{Where: "field0", Equal: []byte("c"), Order: "field1", Desc: true}, where(down, "c"))
}

func querySkipLimit(f *fixture) {
	up := ordered(f.queryRows(), "field1")
	b := where(up, "b")
	for _, c := range []struct{ skip, limit int }{{0, 1}, {1, 1}, {1, 2}, {2, 0}, {0, 100}, {3, 100}, {4, 1}, {100, 0}} {
		from := min(c.skip, len(b))
		to := len(b)
		if c.limit > 0 {
			to = min(from+c.limit, len(b))
		}
		f.wantQuery(ycsb.Query{Where: "field0", Equal: []byte("b"), Order: "field1", Skip: c.skip, Limit: c.limit}, b[from:to])
	}
	f.wantQuery(ycsb.Query{Order: "field1", Skip: 5, Limit: 3}, up[5:8])
}

func queryFields(f *fixture) {
	want := where(f.queryRows(), "a")
	for i := range want {
		want[i].row = want[i].row.only("field0", "field7")
	}
	f.wantQuery(ycsb.Query{Where: "field0", Equal: []byte("a"), Fields: []string{"field7", "field0"}}, want)
	for i := range want {
		want[i].row = want[i].row.only("field7")
	}
	f.wantQuery(ycsb.Query{Where: "field0", Equal: []byte("a"), Fields: []string{"field7"}}, want)
}

func queryStops(f *fixture) {
	f.queryRows()
	stop := errors.New("stop")
	calls := 0
	err := f.conn.(ycsb.Queryer).Query(f.ctx, ycsb.Query{Table: f.table}, func([]byte, *ycsb.Record) error {
		if calls++; calls == 2 {
			return stop
		}
		return nil
	})
	f.wantSame("Query whose each returned an error", err, stop)
	if calls != 2 {
		f.Errorf("Query called each %d times; want 2, the last of which returned an error", calls)
	}
	f.insertAll("k")
	f.wantRow("k", newRow("k"))
}
