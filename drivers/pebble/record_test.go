package pebble

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

func TestKeys(t *testing.T) {
	tables := []string{"", "t", "t2", "\x00", "\xff", "\xff\xff", "usertable", strings.Repeat("\xff", 126), strings.Repeat("\xff", 300)}
	for _, table := range tables {
		start, end := bounds(table)
		inside := [][]byte{start, append(slices.Clone(start), 0), append(slices.Clone(start), bytes.Repeat([]byte{0xff}, 300)...)}
		for _, key := range inside {
			if bytes.Compare(start, key) > 0 || bytes.Compare(key, end) >= 0 {
				t.Errorf("key %q of table %q is not within %q and %q", key, table, start, end)
			}
		}
		for _, other := range tables {
			key := appendPrefix(nil, other)
			if other != table && bytes.Compare(start, key) <= 0 && bytes.Compare(key, end) < 0 {
				t.Errorf("key %q of table %q is within %q and %q of table %q", key, other, start, end, table)
			}
			if mark := markKey(other); bytes.Compare(start, mark) <= 0 && bytes.Compare(mark, end) < 0 {
				t.Errorf("mark of table %q is within table %q", other, table)
			}
		}
	}
}

func TestMerge(t *testing.T) {
	tests := []struct {
		name           string
		old, new, want *ycsb.Record
	}{
		{"nothing", record(), record(), record()},
		{"first field", record(), record("a", "1"), record("a", "1")},
		{"replace", record("a", "1", "b", "2"), record("a", "longer"), record("a", "longer", "b", "2")},
		{"last", record("a", "1", "b", "2"), record("b", ""), record("a", "1", "b", "")},
		{"new field", record("a", "1"), record("b", "2"), record("a", "1", "b", "2")},
		{"order", record("a", "1", "b", "2"), record("c", "3", "b", "4", "a", "5"), record("a", "5", "b", "4", "c", "3")},
		{"twice", record("a", "1", "b", "2"), record("a", "3", "a", "4"), record("a", "3", "b", "2")},
		{"no name", record("", "1"), record("", "2"), record("", "2")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := appendMerged([]byte("before"), appendRecord(nil, test.old), test.new)
			if want := appendRecord([]byte("before"), test.want); err != nil || !bytes.Equal(got, want) {
				t.Errorf("appendMerged = %q, %v; want %q", got, err, want)
			}
		})
	}
}

func TestDecode(t *testing.T) {
	stored := appendRecord(nil, record("a", "1", "b", "2", "c", strings.Repeat("3", 300)))
	tests := []struct {
		name   string
		fields []string
		want   *ycsb.Record
	}{
		{"all", nil, record("a", "1", "b", "2", "c", strings.Repeat("3", 300))},
		{"some", []string{"c", "a"}, record("a", "1", "c", strings.Repeat("3", 300))},
		{"missing", []string{"z", "b"}, record("b", "2")},
		{"twice", []string{"b", "b"}, record("b", "2")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var d decoder
			for range 2 {
				var got ycsb.Record
				if err := d.decode(stored, test.fields, &got); err != nil || !equal(&got, test.want) {
					t.Errorf("decode(%v) = %v, %v; want %v", test.fields, got.Fields(), err, test.want.Fields())
				}
			}
		})
	}
}

func equal(a, b *ycsb.Record) bool {
	return slices.EqualFunc(a.Fields(), b.Fields(), func(f, g ycsb.Field) bool {
		return f.Name == g.Name && bytes.Equal(f.Value, g.Value)
	})
}

func TestAllocations(t *testing.T) {
	c, rec := new(conn), new(ycsb.Record)
	full, one := fullRecord(), record("field5", "value")
	key, fields := []byte("user1"), []string{"field5", "field9"}
	stored := appendRecord(nil, full)
	tests := []struct {
		name string
		do   func() error
	}{
		{"key", func() error { c.at("usertable", key); return nil }},
		{"decode", func() error { rec.Reset(); return c.dec.decode(stored, nil, rec) }},
		{"decode two", func() error { rec.Reset(); return c.dec.decode(stored, fields, rec) }},
		{"encode", func() error { c.value = appendRecord(c.value[:0], full); return nil }},
		{"merge", func() (err error) { c.value, err = appendMerged(c.value[:0], stored, one); return err }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if n := testing.AllocsPerRun(100, func() { must(t, test.do()) }); n > 0 {
				t.Errorf("%v allocations; want none", n)
			}
		})
	}
}

// FuzzDecode has the decoder read anything. What it takes for a record has to come back from its
// encoding, and from merging it with fields of its own.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(appendRecord(nil, record("field0", "value", "", "", "field1", strings.Repeat("x", 200))))
	f.Add(appendRecord(nil, record("a", "1", "b", "2", "a", "3")))
	f.Add([]byte{1})
	f.Add([]byte{0x80})
	f.Add([]byte{1, 200, 'a'})
	f.Add([]byte{1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 'a'})
	f.Add(bytes.Repeat([]byte{0xff}, 24))
	f.Fuzz(func(t *testing.T, stored []byte) {
		var rec, again ycsb.Record
		var d decoder
		err := d.decode(stored, nil, &rec)
		if _, other := appendMerged(nil, stored, record("f", "v")); (other != nil) != (err != nil) {
			t.Fatalf("decode: %v; appendMerged: %v", err, other)
		}
		if err != nil {
			if !errors.Is(err, ycsb.ErrCorrupt) {
				t.Fatalf("decode: %v; want ErrCorrupt", err)
			}
			return
		}
		encoded := appendRecord(nil, &rec)
		if err := d.decode(encoded, nil, &again); err != nil || !equal(&again, &rec) {
			t.Errorf("%v was read back as %v, %v", rec.Fields(), again.Fields(), err)
		}
		if b, err := appendMerged(nil, encoded, record()); err != nil || !bytes.Equal(b, encoded) {
			t.Errorf("merged with nothing %q is %q, %v", encoded, b, err)
		}
		for _, field := range rec.Fields() {
			again.Reset()
			b, err := appendMerged(nil, encoded, record(field.Name, "new"))
			if err = errors.Join(err, d.decode(b, []string{field.Name}, &again)); err != nil || again.Len() == 0 {
				t.Fatalf("%q after an update of %q: %v", b, field.Name, err)
			}
			if v, _ := again.Get(field.Name); string(v) != "new" {
				t.Errorf("%q is %q after an update", field.Name, v)
			}
		}
	})
}
