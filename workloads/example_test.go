package workloads_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/ycsbkit/ycsbkit/drivers/noop"
	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// A standard mix, with more records than YCSB's file says.
func ExampleStandard() {
	c, err := workloads.Standard("b")
	if err != nil {
		log.Fatal(err)
	}
	c.RecordCount = 1_000_000
	fmt.Println(c.Read, c.Update, c.RequestDistribution)

	_, err = workloads.Standard("z")
	fmt.Println(err)
	// Output:
	// 0.95 0.05 zipfian
	// workloads: unknown standard workload "z": have a, b, c, d, e, f
}

// A mix of one's own is loaded into a database that does nothing, and run.
func ExampleNewCore() {
	c := workloads.Default()
	c.RecordCount = 10_000
	c.Read, c.Update, c.Insert = 0.8, 0, 0.2
	c.RequestDistribution = "latest"
	w, err := workloads.NewCore(c)
	if err != nil {
		log.Fatal(err)
	}

	ctx, db := context.Background(), noop.New()
	res, err := ycsb.Load(ctx, db, w, &ycsb.Options{Threads: 4, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Phase, res.Steps)
	res, err = ycsb.Run(ctx, db, w, &ycsb.Options{Operations: 1000, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Phase, res.Steps)
	fmt.Println("another run goes on with recordcount", w.NextRecord())
	// Output:
	// load 10000
	// run 1000
	// another run goes on with recordcount 10212
}

// Every fault of the parameters is told at once.
func ExampleNewCore_faults() {
	c := workloads.Default()
	c.InsertStart = 2000
	c.RequestDistribution, c.ZipfianTheta = "zipfian", 1.2
	_, err := workloads.NewCore(c)
	fmt.Println(err)
	// Output:
	// workloads: insertstart: insertstart 2000 leaves nothing of recordcount 1000
	// zipfian.theta: 1.2: want more than 0 and less than 1 for requestdistribution zipfian (zipfian_exact takes up to 3)
}

// A property file written for YCSB is read as it is.
func ExampleOpen() {
	const file = `
workload=site.ycsb.workloads.CoreWorkload
recordcount=500
readproportion=1
updateproportion=0
requestdistribution=zipfian
`
	p, err := properties.Parse(strings.NewReader(file), "my.properties")
	if err != nil {
		log.Fatal(err)
	}
	w, err := workloads.Open(p)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(w)

	p.Set("insertcount", "501")
	p.SetFrom("fieldlength", "long", "my.properties", 8)
	_, err = workloads.Open(p)
	fmt.Println(err)
	// Output:
	// c
	// my.properties:8: fieldlength=long: not a whole number
	// insertcount=501: insertstart 0 and insertcount 501 exceed recordcount 500
}

// What YCSB does where nothing is set.
func ExampleDefault() {
	c := workloads.Default()
	fmt.Println(c.Table, c.RecordCount, c.FieldCount, c.FieldLength)
	fmt.Println(c.Read, c.Update, c.RequestDistribution)
	// Output:
	// usertable 1000 10 100
	// 0.95 0.05 uniform
}

// The file of a standard mix, to be copied and changed.
func ExampleFile() {
	text, ok := workloads.File("workloadc")
	fmt.Println(ok)
	fmt.Println(string(text))
	// Output:
	// true
	// # Workload C of YCSB, reads alone: a cache of user profiles built elsewhere.
	// # 100 % read; records of ten fields of 100 bytes; zipfian requests.
	//
	// recordcount=1000
	// operationcount=1000
	// workload=site.ycsb.workloads.CoreWorkload
	//
	// readallfields=true
	//
	// readproportion=1
	// updateproportion=0
	// scanproportion=0
	// insertproportion=0
	//
	// requestdistribution=zipfian
}
