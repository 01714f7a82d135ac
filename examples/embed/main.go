// Embed measures a store of its own with YCSB's workload B.
package main

import (
	"context"
	"io"
	"log"
	"os"

	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/report"
)

func main() {
	if err := run(context.Background(), os.Stdout, 100_000, 1_000_000); err != nil {
		log.Fatal(err)
	}
}

// run loads so many records, does so many operations, and writes what it measured.
func run(ctx context.Context, out io.Writer, records, operations int64) error {
	w, err := workload(records)
	if err != nil {
		return err
	}
	db := newStore()
	load, err := ycsb.Load(ctx, db, w, &ycsb.Options{Threads: 8})
	if err != nil {
		return err
	}
	res, err := ycsb.Run(ctx, db, w, &ycsb.Options{Threads: 8, Operations: operations})
	if err != nil {
		return err
	}
	return report.Text(out, load, res)
}

// workload returns workload B on so many records.
func workload(records int64) (*workloads.Core, error) {
	config, err := workloads.Standard("b")
	if err != nil {
		return nil, err
	}
	config.RecordCount = records
	return workloads.NewCore(config)
}
