package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/ycsbtest"
)

func TestStore(t *testing.T) {
	ycsbtest.TestDB(t, func(testing.TB) ycsb.DB { return newStore() })
}

func BenchmarkStore(b *testing.B) {
	w, err := workload(10_000)
	if err != nil {
		b.Fatal(err)
	}
	ycsbtest.Benchmark(b, newStore(), w, &ycsb.Options{Threads: 8})
}

func TestRun(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), &out, 100, 1_000); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"100 operations", "1000 operations", "0 failed"} {
		if text := out.String(); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
