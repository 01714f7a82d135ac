package memory_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ycsbkit/ycsbkit/drivers/memory"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/ycsbtest"
)

const table = "usertable"

func TestConformance(t *testing.T) {
	ycsbtest.TestDB(t, func(testing.TB) ycsb.DB { return memory.New() })
}

// connect returns a connection, with the abilities of all of them.
func connect(tb testing.TB, db *memory.DB, worker int) conn {
	tb.Helper()
	c, err := db.Conn(context.Background(), worker)
	if err != nil {
		tb.Fatal(err)
	}
	return c.(conn)
}

type conn interface {
	ycsb.Conn
	ycsb.Scanner
	ycsb.Batcher
}

// fill inserts n rows under user0000000 and so on, of ten fields of 100 bytes.
func fill(tb testing.TB, c ycsb.Conn, n int) {
	tb.Helper()
	rec := new(ycsb.Record)
	for i := range n {
		setAll(rec, byte(i))
		if err := c.Insert(context.Background(), table, key(nil, i), rec); err != nil {
			tb.Fatal(err)
		}
	}
}

// key returns the key of row i, in buf where it fits.
func key(buf []byte, i int) []byte {
	buf = append(buf[:0], "user0000000"...)
	for at := len(buf) - 1; i > 0; at, i = at-1, i/10 {
		buf[at] = '0' + byte(i%10)
	}
	return buf
}

// setAll makes rec one of ten fields of a hundred bytes b.
func setAll(rec *ycsb.Record, b byte) {
	rec.Reset()
	for i := range 10 {
		v := rec.Grow(fieldNames[i], 100)
		for j := range v {
			v[j] = b
		}
	}
}

var fieldNames = [10]string{"field0", "field1", "field2", "field3", "field4", "field5", "field6", "field7", "field8", "field9"}

func TestAllocs(t *testing.T) {
	const rows = 1000
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := connect(t, memory.New(), 0)
	fill(t, c, rows)
	var (
		rec, change, one ycsb.Record
		i                int
		buf              = make([]byte, 0, 20)
		long             = bytes.Repeat([]byte("user0000400"), 10)
		fields           = []string{"field3", "field9"}
		each             = func([]byte, *ycsb.Record) error { return nil }
		reads            = []ycsb.BatchItem{{Kind: ycsb.KindRead, Key: key(nil, 7), Record: &rec}}
	)
	setAll(&change, 'x')
	one.Append("field5", bytes.Repeat([]byte("y"), 100))
	for _, c := range []struct {
		name string
		do   func(key []byte) error
	}{
		{"Read", func(key []byte) error { return c.Read(ctx, table, key, nil, &rec) }},
		{"Read of fields", func(key []byte) error { return c.Read(ctx, table, key, fields, &rec) }},
		{"Update", func(key []byte) error { return c.Update(ctx, table, key, &change) }},
		{"Update of a field", func(key []byte) error { return c.Update(ctx, table, key, &one) }},
		{"Scan", func(key []byte) error { return c.Scan(ctx, table, key, 100, nil, each) }},
		{"Scan from a long key", func([]byte) error { return c.Scan(ctx, table, long, 300, fields, each) }},
		{"Batch of reads", func([]byte) error { return c.Batch(ctx, table, reads) }},
	} {
		allocs := testing.AllocsPerRun(200, func() {
			i++
			rec.Reset()
			buf = key(buf, i*7919%rows)
			if err := c.do(buf); err != nil {
				t.Errorf("%s(%s): %v", c.name, buf, err)
			}
		})
		if allocs != 0 {
			t.Errorf("%s allocates %v times; want 0", c.name, allocs)
		}
	}
}

// state is what a database should hold.
type state map[string]map[string]string

// FuzzModel does the operations that data stands for on a database and on a map, and compares
// what they return and what is left.
func FuzzModel(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{10, 100, 5000} {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := connect(t, memory.New(), 0)
		want := make(state)
		for len(data) >= 4 {
			if err := step(t.Context(), c, want, data[:4]); err != nil {
				t.Fatal(err)
			}
			data = data[4:]
		}
		if err := want.scan(t.Context(), c, "", len(want)+1); err != nil {
			t.Fatal(err)
		}
	})
}

// step does the operation that four bytes stand for.
func step(ctx context.Context, c conn, want state, data []byte) error {
	k := strconv.FormatUint(uint64(data[1])<<4|uint64(data[2])>>4, 7)
	field, value := fieldNames[data[2]%4], strings.Repeat("v", int(data[3])%32)+string(data[3:])
	rec := new(ycsb.Record)
	old, there := want[k]
	switch data[0] % 8 {
	case 0, 1, 2, 3:
		rec.Append("first", []byte(k))
		rec.Append(field, []byte(value))
		if !there {
			want[k] = map[string]string{"first": k, field: value}
		}
		return wantErr("Insert", k, c.Insert(ctx, table, []byte(k), rec), there, ycsb.ErrExists)
	case 4:
		rec.Append(field, []byte(value))
		if there {
			old[field] = value
		}
		return wantErr("Update", k, c.Update(ctx, table, []byte(k), rec), !there, ycsb.ErrNotFound)
	case 5:
		delete(want, k)
		return wantErr("Delete", k, c.Delete(ctx, table, []byte(k)), !there, ycsb.ErrNotFound)
	case 6:
		err := c.Read(ctx, table, []byte(k), nil, rec)
		if there && !maps.Equal(maps.Collect(toStrings(rec)), old) {
			return fmt.Errorf("Read(%s) = %v; want %v", k, rec.Fields(), old)
		}
		return wantErr("Read", k, err, !there, ycsb.ErrNotFound)
	}
	return want.scan(ctx, c, k, int(data[3]))
}

// toStrings returns the fields of rec as strings.
func toStrings(rec *ycsb.Record) func(yield func(string, string) bool) {
	return func(yield func(string, string) bool) {
		for name, v := range rec.All() {
			if !yield(name, string(v)) {
				return
			}
		}
	}
}

func wantErr(op, key string, got error, fails bool, target error) error {
	if fails && !errors.Is(got, target) {
		return fmt.Errorf("%s(%s): error %v; want %w", op, key, got, target)
	}
	if !fails && got != nil {
		return fmt.Errorf("%s(%s): %w", op, key, got)
	}
	return nil
}

// scan compares what a scan passes.
func (s state) scan(ctx context.Context, c conn, start string, n int) error {
	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(s)), func(k string) bool { return k < start })
	keys = keys[:min(n, len(keys))]
	i := 0
	err := c.Scan(ctx, table, []byte(start), n, nil, func(key []byte, rec *ycsb.Record) error {
		if i >= len(keys) || string(key) != keys[i] || !maps.Equal(maps.Collect(toStrings(rec)), s[keys[i]]) {
			return fmt.Errorf("Scan(%q, %d): record %d is %s: %v", start, n, i, key, rec.Fields())
		}
		i++
		return nil
	})
	if err == nil && i != len(keys) {
		err = fmt.Errorf("Scan(%q, %d) passed %d records; want %d", start, n, i, len(keys))
	}
	return err
}

// TestAtomic tests that no read and no scan sees half of an update, or of a delete and an
// insert, and that scans stay in order meanwhile.
func TestAtomic(t *testing.T) {
	const rows, writers, rounds = 400, 4, 500
	ctx := t.Context()
	db := memory.New()
	fill(t, connect(t, db, 0), rows)
	var writing, reading sync.WaitGroup
	var over atomic.Bool
	for i := range writers {
		writing.Go(func() {
			if err := write(ctx, connect(t, db, i), rand.New(rand.NewPCG(1, uint64(i))), rows, rounds); err != nil {
				t.Errorf("writer %d: %v", i, err)
			}
		})
	}
	for i := range 2 {
		reading.Go(func() {
			c, rng := connect(t, db, i), rand.New(rand.NewPCG(2, uint64(i)))
			for !over.Load() {
				if err := errors.Join(readWhole(ctx, c, rng.IntN(rows)), scanWhole(ctx, c, rng.IntN(rows))); err != nil {
					t.Errorf("reader %d: %v", i, err)
					return
				}
			}
		})
	}
	writing.Wait()
	over.Store(true)
	reading.Wait()
	if n, err := db.Count(ctx, table); n != rows || err != nil {
		t.Errorf("Count = %d, %v; want %d", n, err, rows)
	}
	if s, err := db.Size(ctx, table); s.Data != rows*(1000+11) || err != nil {
		t.Errorf("Size = %+v, %v; want %d bytes of data", s, err, rows*(1000+11))
	}
}

// write updates all fields of random rows to one value, and now and then deletes a row and
// inserts it again.
func write(ctx context.Context, c conn, rng *rand.Rand, rows, rounds int) error {
	var rec ycsb.Record
	for i := range rounds {
		setAll(&rec, byte(i))
		k := key(nil, rng.IntN(rows))
		switch err := c.Update(ctx, table, k, &rec); {
		case errors.Is(err, ycsb.ErrNotFound):
			continue
		case err != nil:
			return err
		}
		if rng.IntN(4) == 0 && c.Delete(ctx, table, k) == nil {
			if err := c.Insert(ctx, table, k, &rec); err != nil {
				return err
			}
		}
	}
	return nil
}

func readWhole(ctx context.Context, c conn, row int) error {
	var rec ycsb.Record
	err := c.Read(ctx, table, key(nil, row), nil, &rec)
	if errors.Is(err, ycsb.ErrNotFound) {
		return nil
	}
	return errors.Join(err, whole(&rec))
}

// scanWhole scans the rows from one on. All but the few that are between a delete and an insert
// have to be there, in order.
func scanWhole(ctx context.Context, c conn, row int) error {
	var last []byte
	return c.Scan(ctx, table, key(nil, row), 150, nil, func(key []byte, rec *ycsb.Record) error {
		if bytes.Compare(key, last) <= 0 {
			return fmt.Errorf("key %s came after %s", key, last)
		}
		last = append(last[:0], key...)
		return whole(rec)
	})
}

// whole returns an error when rec is not of ten equal fields.
func whole(rec *ycsb.Record) error {
	if rec.Len() != 10 {
		return fmt.Errorf("%d fields", rec.Len())
	}
	first := rec.Fields()[0].Value
	for name, v := range rec.All() {
		if len(v) != 100 || !bytes.Equal(v, first) {
			return fmt.Errorf("%s = %q; but field0 = %q", name, v, first)
		}
	}
	return nil
}

// TestScanCallsOthers tests that the function of a scan may use other connections.
func TestScanCallsOthers(t *testing.T) {
	ctx := t.Context()
	db := memory.New()
	c, other := connect(t, db, 0), connect(t, db, 1)
	fill(t, c, 200)
	var got []string
	err := c.Scan(ctx, table, key(nil, 0), 200, []string{"field0"}, func(k []byte, _ *ycsb.Record) error {
		got = append(got, string(k))
		return errors.Join(
			other.Delete(ctx, table, k),
			other.Insert(ctx, table, append([]byte("a"), k...), new(ycsb.Record)),
			not(other.Delete(ctx, table, key(nil, 100)), ycsb.ErrNotFound),
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 199 || slices.Contains(got, string(key(nil, 100))) {
		t.Errorf("the scan passed %d records; want all 199 that were not deleted before it came to them", len(got))
	}
	if n, err := db.Count(ctx, table); n != 199 || err != nil {
		t.Errorf("Count = %d, %v; want 199", n, err)
	}
}

func not(err, target error) error {
	if errors.Is(err, target) {
		return nil
	}
	return err
}

func TestBatchKind(t *testing.T) {
	items := []ycsb.BatchItem{{Kind: 99}}
	err := connect(t, memory.New(), 0).Batch(t.Context(), table, items)
	if err != nil || !errors.Is(items[0].Err, ycsb.ErrUnsupported) {
		t.Errorf("Batch = %v, Err %v; want nil, %v", err, items[0].Err, ycsb.ErrUnsupported)
	}
}

func ExampleNew() {
	ctx := context.Background()
	db, err := ycsb.Open(ctx, "memory", nil) // or memory.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	conn, err := db.Conn(ctx, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close()
	for _, name := range []string{"user2", "user3", "user1"} {
		var rec ycsb.Record
		rec.Append("field0", []byte("hello "+name))
		if err := conn.Insert(ctx, table, []byte(name), &rec); err != nil {
			fmt.Println(err)
			return
		}
	}
	err = conn.(ycsb.Scanner).Scan(ctx, table, []byte("user"), 2, nil, func(key []byte, rec *ycsb.Record) error {
		value, _ := rec.Get("field0")
		_, err := fmt.Printf("%s: %s\n", key, value)
		return err
	})
	fmt.Println(err)
	// Output:
	// user1: hello user1
	// user2: hello user2
	// <nil>
}
