package ycsbtest_test

import (
	"testing"

	"github.com/ycsbkit/ycsbkit/drivers/memory"
	"github.com/ycsbkit/ycsbkit/workloads"
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

// YCSB's workload B as a Go benchmark; its output is for benchstat.
func ExampleBenchmark() {
	BenchmarkB := func(b *testing.B) {
		config, err := workloads.Standard("b")
		if err != nil {
			b.Fatal(err)
		}
		config.RecordCount = 100_000
		w, err := workloads.NewCore(config)
		if err != nil {
			b.Fatal(err)
		}
		ycsbtest.Benchmark(b, memory.New(), w, &ycsb.Options{Threads: 8})
	}

	_ = BenchmarkB // a benchmark of some package's tests: go test -bench B
}
