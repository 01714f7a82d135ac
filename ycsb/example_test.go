package ycsb_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"strconv"
	"time"

	"github.com/ycsbkit/ycsbkit/drivers/memory"
	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/generator"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// A benchmark: YCSB's workload B on a store in memory.
func Example() {
	ctx := context.Background()
	db := memory.New()
	config, _ := workloads.Standard("b")
	w, _ := workloads.NewCore(config)
	if _, err := ycsb.Load(ctx, db, w, &ycsb.Options{Threads: 8}); err != nil {
		log.Fatal(err)
	}
	res, err := ycsb.Run(ctx, db, w, &ycsb.Options{Threads: 8, Operations: 100_000})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Steps, "operations,", res.Failed, "failed")
	// res.Throughput() is their rate, and the latencies of the reads that succeeded are:
	read, _ := res.Op(ycsb.OpRead)
	_ = read.Outcome(ycsb.OutcomeOK).Service.Quantile(0.99)
	// Output: 100000 operations, 0 failed
}

// queue is a workload of a queue's producers and consumers: every second worker puts items, the
// others look at them.
type queue struct{ items *generator.Sequence }

func (q queue) Schema() ycsb.Schema { return ycsb.Schema{Table: "queue", Fields: []string{"body"}} }

func (q queue) NewWorker(c *ycsb.Client) (ycsb.Worker, error) { return &queueWorker{q, c}, nil }

type queueWorker struct {
	queue
	c *ycsb.Client
}

func (w *queueWorker) Load(context.Context) error { return ycsb.ErrDone }

func (w *queueWorker) Run(ctx context.Context) error {
	if n := w.items.Limit(); w.c.Worker()%2 == 1 && n > 0 {
		var rec ycsb.Record
		return w.c.Read(ctx, "queue", strconv.AppendUint(nil, w.c.Rand().Uint64N(n), 10), nil, &rec)
	}
	n := w.items.Next()
	var rec ycsb.Record
	generator.Fill(rec.Grow("body", 1000), n)
	if err := w.c.Insert(ctx, "queue", strconv.AppendUint(nil, n, 10), &rec); err != nil {
		return err
	}
	return w.items.Ack(n)
}

// A workload makes workers; what a worker's step does through its Client is measured.
func ExampleWorkload() {
	w := queue{generator.NewSequence(0)}
	res, err := ycsb.Run(context.Background(), memory.New(), w, &ycsb.Options{Threads: 4, Operations: 10_000})
	fmt.Println(res.Steps, res.Errors, err)
	// Output: 10000 0 <nil>
}

// A mix of operations of one's own, each measured under its name.
func ExampleMix() {
	ctx := context.Background()
	db := memory.New()
	config := workloads.Default()
	config.RecordCount = 100
	config.InsertOrder = "ordered"
	people, _ := workloads.NewCore(config)
	if _, err := ycsb.Load(ctx, db, people, nil); err != nil {
		log.Fatal(err)
	}
	person := func(c *ycsb.Client) []byte { return fmt.Appendf(nil, "user%d", c.Rand().IntN(100)) }
	mix := ycsb.Mix{
		{Name: "LOOK-UP", Weight: 9, Do: func(ctx context.Context, c *ycsb.Client) error {
			var rec ycsb.Record
			return c.Read(ctx, "usertable", person(c), []string{"field0"}, &rec)
		}},
		{Name: "GREET", Weight: 1, Do: func(ctx context.Context, c *ycsb.Client) error {
			var rec ycsb.Record
			rec.Append("field1", []byte("hello"))
			return c.Update(ctx, "usertable", person(c), &rec)
		}},
	}
	res, err := ycsb.Run(ctx, db, mix, &ycsb.Options{Threads: 2, Operations: 10_000, Seed: 1})
	lookUp, _ := res.Op("LOOK-UP")
	greet, _ := res.Op("GREET")
	fmt.Println(lookUp.Count()+greet.Count(), lookUp.Count() > 8*greet.Count(), err)
	// Output: 10000 true <nil>
}

// Load and Run return what was measured; a load also counts the rows.
func ExampleLoad() {
	config, _ := workloads.Standard("a")
	w, _ := workloads.NewCore(config)
	res, err := ycsb.Load(context.Background(), memory.New(), w, nil)
	fmt.Println(res.Phase, res.Steps, res.Rows, err)
	// Output: load 1000 1000 <nil>
}

// With a target there are two latencies: the service time, and the response time since the
// operation was due.
func ExampleRun() {
	ctx := context.Background()
	db := memory.New()
	config, _ := workloads.Standard("c")
	w, _ := workloads.NewCore(config)
	_, _ = ycsb.Load(ctx, db, w, nil)
	res, err := ycsb.Run(ctx, db, w, &ycsb.Options{Threads: 2, Target: 2000, Operations: 200, Seed: 7})
	read, _ := res.Op(ycsb.OpRead)
	ok := read.Outcome(ycsb.OutcomeOK)
	fmt.Println(ok.Count, ok.Service.Count(), ok.Response.Count(), res.Offered, err)
	// Output: 200 200 200 2000 <nil>
}

// Drivers are also found by name, and configured by properties.
func ExampleOpen() {
	db, err := ycsb.Open(context.Background(), "memory", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	_, err = ycsb.Open(context.Background(), "nosuch", nil)
	fmt.Println(err != nil)
	// Output: true
}

// NewDriver makes a driver of a function and a struct with prop tags.
func ExampleNewDriver() {
	type Config struct {
		Shards int `prop:"mystore.shards,min=1" default:"16" help:"shards of the store"`
	}
	d := ycsb.NewDriver(func(_ context.Context, c Config) (ycsb.DB, error) {
		fmt.Println(c.Shards, "shards")
		return memory.New(), nil
	})
	p := properties.New()
	p.Set("mystore.shards", "4")
	_, _ = d.Open(context.Background(), p) // or ycsb.Register("mystore", d), and ycsb.Open
	p.Set("mystore.shards", "none")
	_, err := d.Open(context.Background(), p)
	fmt.Println(err)
	// Output:
	// 4 shards
	// mystore.shards=none: not a whole number
}

// A Record is filled and read field by field, and used again.
func ExampleRecord() {
	var rec ycsb.Record
	rec.Append("name", []byte("Ada"))
	copy(rec.Grow("born", 4), "1815")
	for name, value := range rec.All() {
		fmt.Printf("%s=%s\n", name, value)
	}
	rec.Reset()
	fmt.Println(rec.Len())
	// Output:
	// name=Ada
	// born=1815
	// 0
}

func ExampleHistogram() {
	var h ycsb.Histogram
	for ms := range 1000 {
		h.Record(time.Duration(ms+1) * time.Millisecond)
	}
	fmt.Println(h.Count(), h.Quantile(0.5).Round(time.Millisecond), h.Quantile(0.99).Round(10*time.Millisecond))
	// Output: 1000 500ms 990ms
}

// Results of several clients add up.
func ExampleResult_Merge() {
	config, _ := workloads.Standard("a")
	w, _ := workloads.NewCore(config)
	db := memory.New()
	_, _ = ycsb.Load(context.Background(), db, w, nil)
	a, _ := ycsb.Run(context.Background(), db, w, &ycsb.Options{Operations: 100})
	b, _ := ycsb.Run(context.Background(), db, w, &ycsb.Options{Operations: 200})
	fmt.Println(a.Merge(b), a.Steps)
	// Output: <nil> 300
}

// A Result keeps all it knows in JSON.
func ExampleResult() {
	config, _ := workloads.Standard("c")
	w, _ := workloads.NewCore(config)
	db := memory.New()
	_, _ = ycsb.Load(context.Background(), db, w, nil)
	res, _ := ycsb.Run(context.Background(), db, w, &ycsb.Options{Operations: 100})
	text, _ := json.Marshal(res)
	var back ycsb.Result
	err := json.Unmarshal(text, &back)
	read, _ := back.Op(ycsb.OpRead)
	fmt.Println(err, read.Count())
	// Output: <nil> 100
}

func ExampleConstant() {
	p := ycsb.Constant(200) // a second
	first, _ := p.Next(-1, nil)
	second, _ := p.Next(first, nil)
	fmt.Println(first, second)
	// Output: 0s 5ms
}

func ExampleRamp() {
	// From 100 to 1000 operations a second within a minute.
	o := &ycsb.Options{Threads: 16, Pacer: ycsb.Ramp(100, 1000, time.Minute), Duration: 2 * time.Minute}
	fmt.Println(o.Validate())
	// Output: <nil>
}

func ExamplePoisson() {
	// Independent users: the open loop drops what finds all workers busy.
	o := &ycsb.Options{Threads: 64, Pacer: ycsb.Poisson(500), Open: true, Duration: time.Minute}
	fmt.Println(o.Validate())
	// Output: <nil>
}

// Hooks follow a phase.
func ExampleHooks() {
	o := &ycsb.Options{Operations: 100, Hooks: &ycsb.Hooks{
		Start: func(p *ycsb.Phase) { fmt.Println("begin of", p.Name, "of", p.Total) },
		End:   func(res *ycsb.Result) { fmt.Println("end after", res.Steps) },
	}}
	config, _ := workloads.Standard("c")
	w, _ := workloads.NewCore(config)
	db := memory.New()
	_, _ = ycsb.Load(context.Background(), db, w, nil)
	_, _ = ycsb.Run(context.Background(), db, w, o)
	// Output:
	// begin of run of 100
	// end after 100
}

// A step that finds that going on makes no sense ends the phase.
func ExampleFatal() {
	mix := ycsb.Mix{{Name: "CHECK", Weight: 1, Do: func(context.Context, *ycsb.Client) error {
		return ycsb.Fatal(fmt.Errorf("no data"))
	}}}
	_, err := ycsb.Run(context.Background(), memory.New(), mix, nil)
	fmt.Println(err)
	// Output: no data
}
