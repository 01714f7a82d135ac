package ycsbtest_test

import (
	"context"
	"testing"

	"github.com/ycsbkit/ycsbkit/drivers/memory"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/ycsbtest"
)

// The whole test of a driver whose database does everything as the contract says.
func ExampleTestDB() {
	TestConformance := func(t *testing.T) {
		ycsbtest.TestDB(t, func(testing.TB) ycsb.DB { return memory.New() })
	}

	_ = TestConformance // a test of the driver's package
}

// The test of a driver whose database needs a password, replaces a record that is inserted
// again, and keeps text only.
func ExampleSuite() {
	open := func(password string) (ycsb.DB, error) { // with the driver under test
		return memory.New(), nil
	}
	TestConformance := func(t *testing.T) {
		ycsbtest.Suite{
			Open: func(t testing.TB) ycsb.DB {
				db, err := open("correct horse")
				if err != nil {
					t.Fatal(err)
				}
				return db
			},
			OpenRefused: func(testing.TB) (ycsb.DB, error) { return open("battery staple") },
			Secrets:     []string{"correct horse", "battery staple"},
			Upsert:      true,
			TextKeys:    true,
			TextValues:  true,
			Except:      map[string]string{"scan-many": "the server answers with 100 records at most"},
		}.Test(t)
	}

	_ = TestConformance // a test of the driver's package
}

// A workload as a Go benchmark; its output is for benchstat.
func ExampleBenchmark() {
	BenchmarkRead := func(b *testing.B) {
		db := memory.New()
		defer db.Close()
		key := []byte("user1")
		w := ycsb.Mix{{Name: "LOOKUP", Weight: 1, Do: func(ctx context.Context, c *ycsb.Client) error {
			return c.Scan(ctx, "usertable", key, 1, nil, func([]byte, *ycsb.Record) error { return nil })
		}}}
		ycsbtest.Benchmark(b, db, w, &ycsb.Options{Threads: 8})
	}

	_ = BenchmarkRead // a benchmark of some package's tests: go test -bench Read
}
