package ycsbtest

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// wantScan reports when a scan does not pass want.
func (f *fixture) wantScan(start string, n int, want []entry, fields ...string) {
	f.Helper()
	got, err := f.scan(start, n, fields...)
	f.must(err)
	if err := diffEntries(got, want); err != nil {
		f.Errorf("Scan(%s, %d): %v", quote(start), n, err)
	}
}

// entriesOf returns the entries that insertAll made of keys.
func entriesOf(keys ...string) []entry {
	list := make([]entry, len(keys))
	for i, key := range keys {
		list[i] = entry{key, newRow(key)}
	}
	return list
}

func scanOrder(f *fixture) {
	keys := []string{
		"user10", "user1", "user2", "user", "user_", "user-", "user 3", "User", "USER", "u", "userZ", "usera", "user~",
		"usér", "użer", "日本", "0", "9", "10", "!", "~", longKey,
	}
	f.insertAll(keys...)
	slices.Sort(keys)
	f.wantScan(keys[0], 1000, entriesOf(keys...))
	f.wantScan(" ", len(keys), entriesOf(keys...))
}

func scanStart(f *fixture) {
	keys := []string{"user10", "user12", "user14", "user16"}
	f.insertAll(keys...)
	for start, first := range map[string]int{
		"user10": 0, "user12": 1, "user16": 3, // keys
		"a": 0, "user": 0, "user0": 0, "USER99": 0, // before the first
		"user11": 1, "user12 ": 2, "user120": 2, "user15": 3, // between
		"user160": 4, "user2": 4, "z": 4, // past the last
	} {
		f.wantScan(start, 100, entriesOf(keys[first:]...))
	}
}

func scanLimit(f *fixture) {
	keys := []string{"a", "b", "c", "d", "e"}
	f.wantScan("a", 5, nil)
	f.insertAll(keys...)
	for _, n := range []int{-1 << 30, -1, 0, 1, 2, 4, 5, 6, 1000, 1 << 30} {
		f.wantScan("a", n, entriesOf(keys[:max(0, min(n, 5))]...))
		f.wantScan("c", n, entriesOf(keys[2:max(2, min(2+n, 5))]...))
	}
}

func scanMany(f *fixture) {
	const rows = 1200
	keys := make([]string, rows)
	for i := range keys {
		keys[i] = fmt.Sprintf("user%06d", i)
	}
	f.load(keys)
	f.wantScan("user", rows+1, entriesOf(keys...))
	f.wantScan(keys[100], 1023, entriesOf(keys[100:1123]...))
}

// load inserts records under many keys.
func (f *fixture) load(keys []string) {
	f.Helper()
	var next atomic.Int64
	f.concurrently(8, func(g *fixture, _ int) error {
		for {
			i := next.Add(1) - 1
			if i >= int64(len(keys)) {
				return nil
			}
			if err := retry(func() error { return g.insert(keys[i], newRow(keys[i])) }); err != nil {
				return err
			}
		}
	})
}

func scanFields(f *fixture) {
	keys := []string{"a", "b", "c"}
	f.insertAll(keys...)
	for _, fields := range [][]string{{"field3"}, {"field7"}, {"field7", "field3"}} {
		want := entriesOf(keys...)
		for i := range want {
			want[i].row = want[i].row.only(fields...)
		}
		f.wantScan("a", 10, want, fields...)
	}
	f.must(f.insert("d", row{"field0": "x"}))
	f.wantScan("d", 10, []entry{{"d", row{}}}, "field3")
}

func scanStops(f *fixture) {
	f.insertAll("a", "b", "c", "d")
	stop := errors.New("stop")
	for _, n := range []int{1, 2, 4} {
		calls := 0
		err := f.conn.(ycsb.Scanner).Scan(f.ctx, f.table, []byte("a"), 4, nil, func([]byte, *ycsb.Record) error {
			if calls++; calls == n {
				return stop
			}
			return nil
		})
		f.wantSame("Scan whose each returned an error", err, stop)
		if calls != n {
			f.Errorf("Scan called each %d times; want %d, the last of which returned an error", calls, n)
		}
		f.wantRow("a", newRow("a"))
		f.wantScan("b", 2, entriesOf("b", "c"))
	}
}

func scanChanges(f *fixture) {
	f.insertAll("a", "b", "c", "d", "e")
	f.must(f.delete("b"))
	f.must(f.delete("e"))
	f.must(f.update("c", newRow("changed")))
	f.must(f.insert("bb", newRow("bb")))
	f.wantScan("a", 10, []entry{
		{"a", newRow("a")}, {"bb", newRow("bb")}, {"c", newRow("changed")}, {"d", newRow("d")},
	})
	f.wantScan("b", 2, []entry{{"bb", newRow("bb")}, {"c", newRow("changed")}})
}

func scanTable(f *fixture) {
	g := f.in(f.table + "2")
	g.prepare(g.table, shortValues)
	f.insertAll("a", "c", "e")
	g.insertAll("b", "c", "d", "f")
	f.wantScan("a", 10, entriesOf("a", "c", "e"))
	g.wantScan("a", 10, entriesOf("b", "c", "d", "f"))
	f.wantScan("f", 10, nil)
}
