package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

func init() { ycsb.Register("files", ycsb.NewDriver(open)) }

// config are the properties of the driver.
type config struct {
	Dir string `prop:"files.dir,required" help:"directory of the tables, made where it is missing"`
}

// db is a directory with a directory for each table and a file for each record.
type db struct {
	dir    string
	mu     sync.Mutex // held while a file is read or written
	closed atomic.Bool
}

func open(_ context.Context, c config) (ycsb.DB, error) {
	return &db{dir: c.Dir}, os.MkdirAll(c.Dir, 0o777)
}

func (d *db) Conn(ctx context.Context, _ int) (ycsb.Conn, error) {
	if d.closed.Load() {
		return nil, errClosed
	}
	return &conn{db: d}, ctx.Err()
}

func (d *db) Close() error {
	d.closed.Store(true)
	return nil
}

// Prepare makes a table.
func (d *db) Prepare(_ context.Context, s ycsb.Schema) error {
	return os.MkdirAll(filepath.Join(d.dir, s.Table), 0o777)
}

// Count counts the records of a table, so that a load is verified.
func (d *db) Count(_ context.Context, table string) (int64, error) {
	files, err := os.ReadDir(filepath.Join(d.dir, table))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return int64(len(files)), err
}

var errClosed = errors.New("files: closed")

// row is a record in memory and, in JSON, in its file.
type row map[string][]byte

// get reads the file of a record.
func (d *db) get(ctx context.Context, table string, key []byte) (file string, r row, err error) {
	if err := ctx.Err(); err != nil {
		return "", nil, err
	}
	file = filepath.Join(d.dir, table, base64.RawURLEncoding.EncodeToString(key))
	data, err := os.ReadFile(file)
	switch {
	case d.closed.Load():
		return "", nil, errClosed
	case errors.Is(err, fs.ErrNotExist):
		return file, nil, ycsb.ErrNotFound
	case err != nil:
		return "", nil, err
	}
	return file, r, json.Unmarshal(data, &r)
}

// put writes the file of a record, with new values of some fields.
func (r row) put(file string, rec *ycsb.Record) error {
	for name, value := range rec.All() {
		r[name] = value
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o666)
}
