package pebble_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	store "github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/ycsbkit/ycsbkit/drivers/pebble"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

func ExampleOpen() {
	ctx := context.Background()
	db, err := pebble.Open(ctx, pebble.Config{NoSync: true, BloomBits: 10, CacheSize: 64 << 20})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()

	info, err := db.Describe(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(info.Product+",", info.Durability)
	// Output: Pebble, NoSync: not synced, the latest writes are lost in a crash
}

// The driver works on a store that a program has anyway.
func ExampleNew() {
	ctx := context.Background()
	s, err := store.Open("", &store.Options{FS: vfs.NewMem()})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	db, err := pebble.New(s, pebble.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Conn(ctx, 0)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()

	var rec ycsb.Record
	rec.Append("field0", []byte("hello"))
	fmt.Println(conn.Insert(ctx, "usertable", []byte("user1"), &rec))
	fmt.Println(errors.Is(conn.Insert(ctx, "usertable", []byte("user1"), &rec), ycsb.ErrExists))
	fmt.Println(db.Count(ctx, "usertable"))
	// Output:
	// <nil>
	// true
	// 1 <nil>
}

func Example_properties() {
	p := properties.New()
	p.Set("pebble.nosync", "true")
	p.Set("pebble.cachesize", "64M")
	_, err := ycsb.Open(context.Background(), "pebble", p)
	fmt.Println(err)
	// Output: pebble: pebble.cachesize=64M: not a whole number
}
