package ycsb_test

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

// mapDB keeps rows in a map, by table and key. It is a driver, and its own connection.
type mapDB struct {
	mu   sync.Mutex
	rows map[string]map[string][]byte
}

func (db *mapDB) Conn(context.Context, int) (ycsb.Conn, error) { return db, nil }
func (db *mapDB) Close() error                                 { return nil }

func (db *mapDB) Read(_ context.Context, table string, key []byte, fields []string, rec *ycsb.Record) error {
	return db.row(table, key, false, func(row map[string][]byte) {
		for name, value := range row {
			if len(fields) == 0 || slices.Contains(fields, name) {
				rec.Append(name, value)
			}
		}
	})
}

func (db *mapDB) Insert(_ context.Context, table string, key []byte, rec *ycsb.Record) error {
	return db.row(table, key, true, put(rec))
}

func (db *mapDB) Update(_ context.Context, table string, key []byte, rec *ycsb.Record) error {
	return db.row(table, key, false, put(rec))
}

func put(rec *ycsb.Record) func(map[string][]byte) {
	return func(row map[string][]byte) {
		for name, value := range rec.All() {
			row[name] = slices.Clone(value) // rec is the caller's, and used again
		}
	}
}

func (db *mapDB) Delete(_ context.Context, table string, key []byte) error {
	return db.row(table, key, false, func(map[string][]byte) { delete(db.rows, table+"/"+string(key)) })
}

func (db *mapDB) row(table string, key []byte, insert bool, do func(map[string][]byte)) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	row, ok := db.rows[table+"/"+string(key)]
	switch {
	case insert && ok:
		return ycsb.ErrExists
	case insert:
		row = make(map[string][]byte)
		db.rows[table+"/"+string(key)] = row
	case !ok:
		return ycsb.ErrNotFound
	}
	do(row)
	return nil
}

// A driver is a DB and a Conn, and whatever else its database can do.
func ExampleDB() {
	ctx := context.Background()
	db := &mapDB{rows: make(map[string]map[string][]byte)}
	config, _ := workloads.Standard("a")
	w, _ := workloads.NewCore(config)
	load, err := ycsb.Load(ctx, db, w, &ycsb.Options{Threads: 4})
	fmt.Println(load.Steps, load.Errors, err)
	run, err := ycsb.Run(ctx, db, w, &ycsb.Options{Threads: 4, Operations: 10_000})
	fmt.Println(run.Steps, run.Errors, err)
	// Output:
	// 1000 0 <nil>
	// 10000 0 <nil>
}
