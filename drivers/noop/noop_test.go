package noop_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/ycsbkit/ycsbkit/drivers/noop"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

// There is no conformance test here: a database that forgets all it is told cannot pass one.
// Its operations have to succeed, at no cost, and that is all.

func TestOperations(t *testing.T) {
	ctx := t.Context()
	db, err := ycsb.Open(ctx, "noop", nil)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	var (
		rec   ycsb.Record
		key   = []byte("k")
		items = []ycsb.BatchItem{{Kind: ycsb.KindRead, Key: key, Record: &rec}}
		each  = func([]byte, *ycsb.Record) error { return fmt.Errorf("a record was passed") }
	)
	for _, c := range []struct {
		name string
		do   func() error
	}{
		{"Read", func() error { return conn.Read(ctx, "t", key, nil, &rec) }},
		{"Insert", func() error { return conn.Insert(ctx, "t", key, &rec) }},
		{"Update", func() error { return conn.Update(ctx, "t", key, &rec) }},
		{"Delete", func() error { return conn.Delete(ctx, "t", key) }},
		{"Scan", func() error { return conn.(ycsb.Scanner).Scan(ctx, "t", key, 10, nil, each) }},
		{"Batch", func() error { return conn.(ycsb.Batcher).Batch(ctx, "t", items) }},
		{"Truncate", func() error { return db.(ycsb.Truncater).Truncate(ctx, "t") }},
		{"Conn.Close", conn.Close},
		{"Conn.Close again", conn.Close},
		{"DB.Close", db.Close},
		{"DB.Close again", db.Close},
	} {
		if err := c.do(); err != nil {
			t.Errorf("%s = %v; want nil", c.name, err)
		}
		if allocs := testing.AllocsPerRun(100, func() { _ = c.do() }); allocs > 0 {
			t.Errorf("%s allocates %v times; want 0", c.name, allocs)
		}
	}
	if rec.Len() != 0 {
		t.Errorf("reads appended %d fields; want none", rec.Len())
	}
}

func ExampleNew() {
	ctx := context.Background()
	nothing := ycsb.Mix{{Name: "NOTHING", Weight: 1, Do: func(ctx context.Context, c *ycsb.Client) error {
		return c.Read(ctx, "usertable", []byte("user1"), nil, nil)
	}}}
	res, err := ycsb.Run(ctx, noop.New(), nothing, &ycsb.Options{Threads: 4, Operations: 1000})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Database.Product, res.Steps, res.Errors)
	// Output: noop 1000 0
}
