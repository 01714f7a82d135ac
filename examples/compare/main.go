// Compare runs workload B at rising rates, and prints service and response times by rate.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"text/tabwriter"
	"time"

	"github.com/ycsbkit/ycsbkit/drivers/memory"
	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

const workers = 8

// slow is a store in memory that takes its time, the same on every machine.
type slow struct {
	*memory.DB
	delay time.Duration // of a read or an update
}

// Conn returns a connection of the store in memory with other reads and updates.
func (s slow) Conn(ctx context.Context, worker int) (ycsb.Conn, error) {
	c, err := s.DB.Conn(ctx, worker)
	return slowConn{c, s.delay}, err
}

type slowConn struct {
	ycsb.Conn
	delay time.Duration
}

func (c slowConn) Read(ctx context.Context, table string, key []byte, fields []string, rec *ycsb.Record) error {
	time.Sleep(c.delay)
	return c.Conn.Read(ctx, table, key, fields, rec)
}

func (c slowConn) Update(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	time.Sleep(c.delay)
	return c.Conn.Update(ctx, table, key, rec)
}

func main() {
	rates := []float64{400, 800, 1200, 1600, 3200}
	results, err := compare(context.Background(), 5*time.Millisecond, 1, rates)
	if err == nil {
		err = write(os.Stdout, rates, results)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// compare runs the workload at each rate, with as many operations as are due in so many seconds.
func compare(ctx context.Context, delay time.Duration, seconds float64, rates []float64) ([]*ycsb.Result, error) {
	config, err := workloads.Standard("b")
	if err != nil {
		return nil, err
	}
	w, err := workloads.NewCore(config)
	if err != nil {
		return nil, err
	}
	db := slow{memory.New(), delay}
	defer db.Close()
	if _, err := ycsb.Load(ctx, db, w, &ycsb.Options{Threads: workers}); err != nil {
		return nil, err
	}
	var results []*ycsb.Result
	for _, rate := range rates {
		res, err := ycsb.Run(ctx, db, w, &ycsb.Options{Threads: workers, Target: rate, Operations: int64(rate * seconds)})
		if err != nil {
			return nil, err
		}
		results = append(results, res)
	}
	return results, nil
}

// write writes a table with a line for each rate. It looks at the reads, the most of B.
func write(out io.Writer, rates []float64, results []*ycsb.Result) error {
	tab := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "target/s\tdone/s\tservice p99\tresponse p99\t")
	for i, res := range results {
		read, _ := res.Op(ycsb.OpRead)
		ok := read.Outcome(ycsb.OutcomeOK)
		note := ""
		if !res.Sustained {
			note = "  fell behind"
		}
		fmt.Fprintf(tab, "%.0f\t%.0f\t%v\t%v\t%s\n", rates[i], res.Achieved,
			ok.Service.Quantile(.99).Round(time.Millisecond), ok.Response.Quantile(.99).Round(time.Millisecond), note)
	}
	return tab.Flush()
}
