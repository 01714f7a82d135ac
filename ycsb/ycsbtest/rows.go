package ycsbtest

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

func readMissing(f *fixture) {
	f.wantMissing("missing")
	f.insertAll("a", "c")
	f.wantMissing("b")
	f.wantMissing("a ")
	var rec ycsb.Record
	rec.Append("before", []byte("x"))
	f.wantErr("Read of named fields", f.conn.Read(f.ctx, f.table, []byte("b"), []string{"field1"}, &rec), ycsb.ErrNotFound)
	if rec.Len() != 1 {
		f.Errorf("Read that found nothing appended %d fields", rec.Len()-1)
	}
}

func updateMissing(f *fixture) {
	f.insertAll("a", "c")
	f.wantErr("Update of a missing record", f.update("b", newRow("b")), ycsb.ErrNotFound)
	f.wantErr("Update of one field of a missing record", f.update("b", row{"field3": "x"}), ycsb.ErrNotFound)
	f.wantErr("Update of no field of a missing record", f.update("b", row{}), ycsb.ErrNotFound)
	f.wantMissing("b")
	f.wantRow("a", newRow("a"))
	f.wantRow("c", newRow("c"))
}

func deleteMissing(f *fixture) {
	f.insertAll("a", "c")
	f.wantErr("Delete of a missing record", f.delete("b"), ycsb.ErrNotFound)
	f.wantRow("a", newRow("a"))
	f.wantRow("c", newRow("c"))
}

func insertRead(f *fixture) {
	keys := []string{"user1", "user2", "user10", "user", longKey}
	f.insertAll(keys...)
	for _, key := range keys {
		f.wantRow(key, newRow(key))
	}
}

func insertSomeFields(f *fixture) {
	// Statements of all these shapes are in use at once, on one connection.
	for i, fields := range [][]string{
		{"field0"},
		{"field1"},
		{"field0", "field1"},
		{"field1", "field0"},
		{"field9", "field5", "field2"},
		{"field2", "field5", "field8"},
	} {
		key := fmt.Sprint("key", i)
		all := newRow(key)
		rec := new(ycsb.Record)
		for _, name := range fields {
			rec.Append(name, []byte(all[name]))
		}
		f.must(f.conn.Insert(f.ctx, f.table, []byte(key), rec))
		f.wantRow(key, all.only(fields...))
	}
}

func insertEmpty(f *fixture) {
	f.must(f.insert("k", row{}))
	f.wantRow("k", row{})
	f.must(f.update("k", row{"field1": "x"}))
	f.wantRow("k", row{"field1": "x"})
}

func insertTaken(f *fixture) {
	f.insertAll("k")
	f.wantErr("Insert of a key that is taken", f.insert("k", newRow("other")), ycsb.ErrExists)
	f.wantErr("Insert of the same record again", f.insert("k", newRow("k")), ycsb.ErrExists)
	f.wantErr("Insert of one field of it", f.insert("k", row{"field1": "x"}), ycsb.ErrExists)
	f.wantRow("k", newRow("k"))
}

func insertRace(f *fixture) {
	const workers, keys = 4, 20
	var mu struct {
		sync.Mutex
		winner map[string]string
	}
	mu.winner = make(map[string]string)
	f.concurrently(workers, func(g *fixture, worker int) error {
		for i := range keys {
			key, value := fmt.Sprint("key", i), fmt.Sprint("worker", worker)
			err := retry(func() error { return g.insert(key, newRow(value)) })
			if errors.Is(err, ycsb.ErrExists) {
				continue
			}
			if err != nil {
				return err
			}
			mu.Lock()
			before, won := mu.winner[key]
			mu.winner[key] = value
			mu.Unlock()
			if won {
				return fmt.Errorf("insert %s succeeded for %s and for %s", key, before, value)
			}
		}
		return nil
	})
	for i := range keys {
		key := fmt.Sprint("key", i)
		if value, ok := mu.winner[key]; ok {
			f.wantRow(key, newRow(value))
		} else {
			f.Errorf("Insert(%s) returned ErrExists to all", key)
		}
	}
}

func insertReplaces(f *fixture) {
	f.insertAll("a", "k", "z")
	f.must(f.insert("k", newRow("new")))
	f.wantRow("k", newRow("new"))
	f.must(f.insert("k", row{"field1": "x"}))
	f.wantRow("k", row{"field1": "x"})
	f.wantRow("a", newRow("a"))
	f.wantRow("z", newRow("z"))
}

func readAppends(f *fixture) {
	f.insertAll("a", "b")
	var rec ycsb.Record
	rec.Append("before", []byte("x"))
	f.must(f.conn.Read(f.ctx, f.table, []byte("a"), []string{"field0"}, &rec))
	f.must(f.conn.Read(f.ctx, f.table, []byte("b"), []string{"field1"}, &rec))
	got, err := rowOf(&rec)
	f.must(err)
	want := row{"before": "x"}.plus(newRow("a").only("field0")).plus(newRow("b").only("field1"))
	if err := want.diff(got); err != nil {
		f.Errorf("a record that two reads were appended to: %v", err)
	}
	if name := rec.Fields()[0].Name; name != "before" {
		f.Errorf("the first field is %q; want the one that was there", name)
	}
}

func readCopies(f *fixture) {
	f.insertAll("a", "b")
	var first, second ycsb.Record
	f.must(f.conn.Read(f.ctx, f.table, []byte("a"), nil, &first))
	f.must(f.update("a", newRow("changed")))
	f.must(f.conn.Read(f.ctx, f.table, []byte("b"), nil, &second))
	got, err := rowOf(&first)
	f.must(err)
	if err := newRow("a").diff(got); err != nil {
		f.Errorf("a record after later operations: %v", err)
	}
	spoil(nil, &second)
	f.wantRow("b", newRow("b"))
}

func readFields(f *fixture) {
	f.insertAll("a", "b")
	fields := make([]string, 2)
	for _, names := range [][2]string{
		{"field0", "field1"},
		{"field1", "field0"},
		{"field9", "field4"},
		{"field0", "field8"},
	} {
		copy(fields, names[:]) // into memory that was used before
		for _, key := range []string{"a", "b"} {
			got, err := f.read(key, fields...)
			f.must(err)
			if err := newRow(key).only(fields...).diff(got); err != nil {
				f.Errorf("Read(%s) of %q: %v", key, fields, err)
			}
		}
	}
	for _, name := range schema("", 0).Fields {
		got, err := f.read("a", name)
		f.must(err)
		if err := newRow("a").only(name).diff(got); err != nil {
			f.Errorf("Read of %s: %v", name, err)
		}
	}
}

func readLackingField(f *fixture) {
	have := newRow("k").only("field0", "field5")
	f.must(f.insert("k", have))
	got, err := f.read("k", "field4", "field5", "field6")
	f.must(err)
	if err := have.only("field5").diff(got); err != nil {
		f.Errorf("Read of one field that is there and two that are not: %v", err)
	}
	got, err = f.read("k", "field1")
	f.must(err)
	if err := (row{}).diff(got); err != nil {
		f.Errorf("Read of a field that is not there: %v", err)
	}
}

func readUnknownField(f *fixture) {
	f.insertAll("k")
	got, err := f.read("k", "field5", "unknown")
	f.must(err)
	if err := newRow("k").only("field5").diff(got); err != nil {
		f.Errorf("Read of a known and an unknown field: %v", err)
	}
}

func updateFields(f *fixture) {
	f.insertAll("a", "b")
	want := newRow("a")
	for i, fields := range [][]string{
		{"field3"},
		{"field7"},
		{"field3", "field7"},
		{"field7", "field3"},
		{"field9", "field0", "field4"},
		{"field1", "field2", "field8"},
	} {
		rec := new(ycsb.Record)
		for _, name := range fields {
			want[name] = fmt.Sprintf("%s changed by update %d", name, i)
			rec.Append(name, []byte(want[name]))
		}
		f.must(f.conn.Update(f.ctx, f.table, []byte("a"), rec))
		f.wantRow("a", want)
	}
	f.must(f.update("a", newRow("all")))
	f.wantRow("a", newRow("all"))
	f.wantRow("b", newRow("b"))
}

func updateSameValue(f *fixture) {
	f.insertAll("k")
	f.must(f.update("k", newRow("k").only("field2")))
	f.must(f.update("k", newRow("k")))
	f.must(f.update("k", newRow("k")))
	f.wantRow("k", newRow("k"))
}

func updateLength(f *fixture) {
	f.insertAll("a", "b")
	want := newRow("a")
	for _, n := range []int{1, 500, 0, 20, shortValues, 3} {
		want["field4"] = pattern(n, 'x')
		f.must(f.update("a", want.only("field4")))
		f.wantRow("a", want)
	}
	f.wantRow("b", newRow("b"))
}

func updateAddsField(f *fixture) {
	have := newRow("k").only("field0")
	f.must(f.insert("k", have))
	more := newRow("k").only("field2", "field3")
	f.must(f.update("k", more))
	f.wantRow("k", have.plus(more))
}

func deleteGone(f *fixture) {
	f.insertAll("k")
	f.must(f.delete("k"))
	f.wantMissing("k")
	f.wantErr("Delete of a deleted record", f.delete("k"), ycsb.ErrNotFound)
	f.wantErr("Update of a deleted record", f.update("k", row{"field0": "x"}), ycsb.ErrNotFound)
	f.wantMissing("k")
}

func deleteOne(f *fixture) {
	keys := []string{"k", "k1", "k10", "k2", "kk", "K", "l"}
	f.insertAll(keys...)
	f.must(f.delete("k1"))
	for _, key := range keys {
		if key != "k1" {
			f.wantRow(key, newRow(key))
		}
	}
	f.wantMissing("k1")
}

func deleteInsert(f *fixture) {
	f.insertAll("k")
	f.must(f.delete("k"))
	again := row{"field1": "again"}
	f.must(f.insert("k", again))
	f.wantRow("k", again)
}

func nothingRetained(f *fixture) {
	key, fields := make([]byte, 1), make([]string, 1)
	rec := new(ycsb.Record)
	call := func(name string, r row, do func() error) {
		f.Helper()
		copy(key, name)
		rec.Reset()
		for _, field := range r.record().Fields() {
			rec.Append(field.Name, field.Value)
		}
		f.must(do())
		spoil(key, rec)
	}
	for _, k := range []string{"a", "b", "c"} {
		call(k, newRow(k), func() error { return f.conn.Insert(f.ctx, f.table, key, rec) })
	}
	call("b", newRow("changed"), func() error { return f.conn.Update(f.ctx, f.table, key, rec) })
	call("c", nil, func() error { return f.conn.Delete(f.ctx, f.table, key) })
	for _, name := range []string{"field1", "field2"} {
		fields[0] = name
		call("a", nil, func() error { return f.conn.Read(f.ctx, f.table, key, fields, rec) })
		fields[0] = "spoilt"
	}
	f.wantRow("a", newRow("a"))
	f.wantRow("b", newRow("changed"))
	f.wantMissing("c")
	f.wantMissing("#")
}

func twoTables(f *fixture) {
	g := f.in(f.table + "2")
	g.prepare(g.table, shortValues)
	f.insertAll("both", "first")
	f.must(g.insert("both", newRow("second table")))
	f.must(g.insert("second", newRow("second")))

	f.wantRow("both", newRow("both"))
	g.wantRow("both", newRow("second table"))
	f.wantMissing("second")
	g.wantMissing("first")
	f.must(f.update("both", row{"field0": "x"}))
	g.wantRow("both", newRow("second table"))
	g.wantErr("Update of a record of another table", g.update("first", row{"field0": "x"}), ycsb.ErrNotFound)
	f.must(f.delete("both"))
	f.wantMissing("both")
	g.wantRow("both", newRow("second table"))
	g.wantErr("Delete of a record of another table", g.delete("first"), ycsb.ErrNotFound)
	f.wantRow("first", newRow("first"))
}

func valuesText(f *fixture) { f.values("usual", textValues) }

func valuesBinary(f *fixture) { f.values("any", binaryValues) }

func valuesLong(f *fixture) {
	f.prepare(f.table+"3", longValues)
	g := f.in(f.table + "3")
	g.values("long", []string{pattern(longValues, 'a'), pattern(longValues-1, 'b'), "short"})
}

var textValues = []string{
	"plain", "", " ", " blanks around ", "blanks behind  ", "\ttab and\nnewline\r\n", `quotes ' " ` + "`" + ` and \ \\ \' \n`,
	"100% _ ; -- /* */ # $1 ? :name {} [] <>&amp;", "null", "NULL", "0", "-0.0", "1e400", "true", "{\"a\":1}",
	"Grüße, 日本語, עברית, 🦔, e\u0301 and é", "\ufeffbom", "\u2028", "\x01\x1b\x7f",
}

var binaryValues = []string{
	"\x00", "a\x00", "\x00a", "a\x00b", "\xff", "\xc3", "\xed\xa0\x80", "\xfe\xff\x00", "behind\x00\x00",
	allBytes(), pattern(100, '\xff'), pattern(100, '\x00'),
}

// allBytes returns all values of a byte, in ascending order.
func allBytes() string {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i)
	}
	return string(b)
}

// pattern returns n bytes: c, c+1, c and so on for a letter, else c alone.
func pattern(n int, c byte) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = c
		if i%2 == 1 && c > ' ' && c < 0x7f {
			b[i]++
		}
	}
	return string(b)
}

// values writes each value by an insert and by an update, and reads it back.
func (f *fixture) values(kind string, values []string) {
	f.Helper()
	for i, v := range values {
		inserted, updated := fmt.Sprint("inserted", i), fmt.Sprint("updated", i)
		around := newRow(inserted).only("field0", "field2")
		f.must(f.insert(inserted, around.plus(row{"field1": v})))
		f.wantRow(inserted, around.plus(row{"field1": v}))
		f.must(f.insert(updated, around.plus(row{"field1": "x"})))
		f.must(f.update(updated, row{"field1": v}))
		f.wantRow(updated, around.plus(row{"field1": v}))
		if f.Failed() {
			f.Fatalf("that was one of the %s values: %s", kind, quote(v))
		}
	}
}

var textKeys = []string{
	"user", "User", "USER", "user ", "user  ", " user", "user1", "user10", "user2", "usér", "use\u0301r", "user\t", "user\n",
	"u%", "u_", "u__r", "%", "us'er", `us"er`, "us`er", `us\er`, `us\\er`, "us;er", "us--er", "us#er", "us?er", "us/er", "us//er",
	"us..er", "us.er", "us:er", "us*er", "us[er]", "us{er}", "us<er>", "us&er", "us+er", "us=er", "us,er", "us|er", "us~er", "us$er",
	"us^er", "us@er", "us!er", "us(er)", "日本語", "ｕｓｅｒ", "🦔", "ß", "ss", "SS", "ı", "i", "I", "İ", "0", "00", "0.0", "1e1", "10",
	"null", "NULL", "true", longKey, longKey[:len(longKey)-1], longKey[:len(longKey)-1] + "g",
}

var binaryKeys = []string{
	"\x00", "\x00\x00", "a", "a\x00", "a\x00b", "a\xff", "a\xff\xff", "\xff", "\xff\xff", "\xff\x00", "\xc3", "\xc3\x28", "\xed\xa0\x80",
	pattern(keyLength, '\xff'), pattern(keyLength, '\x00'), "behind\x00\x00",
}

func keysText(f *fixture)   { f.keys(textKeys) }
func keysBinary(f *fixture) { f.keys(binaryKeys) }

// keys uses all keys at once.
func (f *fixture) keys(keys []string) {
	f.insertAll(keys...)
	for _, key := range keys {
		f.wantRow(key, newRow(key))
	}
	for i, key := range keys {
		if i%2 == 0 {
			f.must(f.update(key, newRow(key+" changed").only("field3")))
		} else {
			f.must(f.delete(key))
		}
	}
	for i, key := range keys {
		if i%2 == 0 {
			f.wantRow(key, newRow(key).plus(newRow(key+" changed").only("field3")))
		} else {
			f.wantMissing(key)
		}
	}
	if _, ok := f.conn.(ycsb.Scanner); !ok || f.Failed() {
		return
	}
	var want []string
	for i, key := range keys {
		if i%2 == 0 {
			want = append(want, key)
		}
	}
	slices.Sort(want)
	entries, err := f.scan(want[0], len(keys), "field0")
	if errors.Is(err, ycsb.ErrUnsupported) {
		return
	}
	f.must(err)
	var got []string
	for _, e := range entries {
		got = append(got, e.key)
	}
	if !slices.Equal(got, want) {
		f.Errorf("Scan of all: keys %q; want %q", got, want)
	}
}
