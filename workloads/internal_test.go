package workloads

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/generator"
)

// goldenRows returns the rows of a file of testdata, without the heading.
func goldenRows(t *testing.T, file string) [][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(text)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows[1:]
}

// number parses a whole number.
func number(t *testing.T, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestJavaHash(t *testing.T) {
	for _, row := range goldenRows(t, "string-hashcode.tsv") {
		want := int32(number(t, row[1]))
		if got := javaHash(0, []byte(row[0])); got != want {
			t.Errorf("javaHash(%q) = %d; want %d", row[0], got, want)
		}
		half := len(row[0]) / 2
		if got := javaHash(javaHash(0, []byte(row[0][:half])), []byte(row[0][half:])); got != want {
			t.Errorf("javaHash of %q in two parts = %d; want %d", row[0], got, want)
		}
	}
}

// TestJavaHashOfUTF16 has texts whose code units are not their bytes, worked out by hand:
// s[0]·31^(n-1) + … + s[n-1].
func TestJavaHashOfUTF16(t *testing.T) {
	tests := []struct {
		in   string
		want int32
	}{
		{"é", 0xe9},
		{"é1", 0xe9*31 + '1'},
		{"\U0001F600", 0xd83d*31 + 0xde00},
	}
	for _, tt := range tests {
		if got := javaHash(0, []byte(tt.in)); got != tt.want {
			t.Errorf("javaHash(%q) = %d; want %d", tt.in, got, tt.want)
		}
	}
}

func TestDeterministicValue(t *testing.T) {
	for _, row := range goldenRows(t, "deterministic-values.tsv") {
		key, name, want := []byte(row[1]), row[2], row[3]
		length := int(number(t, row[0]))
		got := string(deterministicValue([]byte("before"), key, name, length))
		if got != "before"+want {
			t.Errorf("deterministicValue(%s, %s, %d) = %s; want %s", key, name, length, got, want)
		}

		var rec ycsb.Record
		rec.Append(name, []byte(want))
		if _, err := verify(&rec, key, []string{name}, length, nil); err != nil {
			t.Errorf("verify: %v", err)
		}
		rec.Fields()[0].Value[length-1] ^= 1
		if _, err := verify(&rec, key, []string{name}, length, nil); err == nil {
			t.Errorf("verify of %s with a wrong last byte: no error", rec.Fields()[0].Value)
		}
	}
}

func TestKeyNames(t *testing.T) {
	for _, row := range goldenRows(t, "keynames.tsv") {
		c := Default()
		c.InsertOrder, c.ZeroPadding = row[1], int(number(t, row[2]))
		if got := string(c.keyNames().Append(nil, number(t, row[0]))); got != row[3] {
			t.Errorf("key %v = %s; want %s", row[:3], got, row[3])
		}
	}
}

// reads is a database of one connection that counts reads by key and calls first before the first one.
type reads struct {
	first func()
	keys  map[string]int
}

func (db *reads) Conn(context.Context, int) (ycsb.Conn, error) { return readsConn{nil, db}, nil }
func (db *reads) Close() error                                 { return nil }

type readsConn struct {
	ycsb.Conn // nil: there is nothing but reads
	db        *reads
}

func (c readsConn) Close() error { return nil }

func (c readsConn) Read(_ context.Context, _ string, key []byte, _ []string, _ *ycsb.Record) error {
	if c.db.first != nil {
		c.db.first()
		c.db.first = nil
		return nil
	}
	c.db.keys[string(key)]++
	return nil
}

// TestLatestAfterGrowth has a table grow from 100 to 1000 records while the workload runs. From then on
// the distribution is that of a table that had 1000 from the start, and the oldest record can be drawn.
func TestLatestAfterGrowth(t *testing.T) {
	const draws = 200_000
	counts := func(records int64, grow int) map[string]int {
		c := Default()
		c.Read, c.Update, c.RequestDistribution, c.RecordCount = 1, 0, "latest", records
		w, err := NewCore(c)
		if err != nil {
			t.Fatal(err)
		}
		db := &reads{keys: make(map[string]int), first: func() {
			for range grow {
				if err := w.records.Ack(w.records.Next()); err != nil {
					t.Fatal(err)
				}
			}
		}}
		if _, err := ycsb.Run(t.Context(), db, w, &ycsb.Options{Operations: draws + 1, Seed: 42}); err != nil {
			t.Fatal(err)
		}
		return db.keys
	}
	fresh, grown := counts(1000, 0), counts(100, 900)
	names := generator.KeyNames{Prefix: "user"}
	if len(grown) != 1000 {
		t.Errorf("%d records were read; want all 1000", len(grown))
	}
	for n := range int64(1000) {
		f, g := fresh[string(names.Append(nil, n))], grown[string(names.Append(nil, n))]
		if d := f - g; d*d > 36*(f+g+10) { // six standard deviations
			t.Errorf("record %d: %d reads after growth, %d when fresh", n, g, f)
		}
	}
	newest := float64(grown[string(names.Append(nil, 999))]) / draws
	if want := 1 / generator.Zeta(1000, generator.Theta); newest < want-.004 || newest > want+.004 {
		t.Errorf("share of the newest record = %.4f; want %.4f", newest, want)
	}
}
