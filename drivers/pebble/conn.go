package pebble

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// conn is the connection of one worker. Pebble has no connections: this is scratch memory.
type conn struct {
	db    *DB
	batch *pebble.Batch // nil once closed

	table  string
	prefix int    // length of the table's prefix
	key    []byte // the prefix and the latest key
	end    []byte // the end of the table

	value  []byte // a record to be written
	dec    decoder
	rec    ycsb.Record // a record that was scanned
	bounds pebble.IterOptions
	hashes []uint64 // of the keys of a batch
	taken  []uint64 // locks of a batch
}

var (
	_ ycsb.Conn    = (*conn)(nil)
	_ ycsb.Scanner = (*conn)(nil)
	_ ycsb.Batcher = (*conn)(nil)
)

// check returns the error of an operation that need not begin.
func (c *conn) check(ctx context.Context) error {
	if c.batch == nil {
		return errConnClosed
	}
	return c.db.check(ctx)
}

// at returns the store's key for a key of a table, valid until the next call.
func (c *conn) at(table string, key []byte) []byte {
	if table != c.table || c.prefix == 0 {
		c.key = appendPrefix(c.key[:0], table)
		c.end = appendEnd(c.end[:0], c.key)
		c.table, c.prefix = table, len(c.key)
	}
	c.key = append(c.key[:c.prefix], key...)
	return c.key
}

func (c *conn) Read(ctx context.Context, table string, key []byte, fields []string, rec *ycsb.Record) error {
	if err := c.check(ctx); err != nil {
		return err
	}
	return c.read(c.db.store, c.at(table, key), fields, rec)
}

func (c *conn) read(r pebble.Reader, key []byte, fields []string, rec *ycsb.Record) error {
	stored, closer, err := r.Get(key)
	if err != nil {
		return translate(err)
	}
	return first(c.dec.decode(stored, fields, rec), closer.Close())
}

// first returns the first error that is not nil.
func first(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

func (c *conn) Insert(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	return c.write(ctx, ycsb.KindInsert, table, key, rec)
}

func (c *conn) Update(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	return c.write(ctx, ycsb.KindUpdate, table, key, rec)
}

func (c *conn) Delete(ctx context.Context, table string, key []byte) error {
	return c.write(ctx, ycsb.KindDelete, table, key, nil)
}

func (c *conn) write(ctx context.Context, kind ycsb.Kind, table string, key []byte, rec *ycsb.Record) error {
	if err := c.check(ctx); err != nil {
		return err
	}
	if err := c.apply(kind, c.at(table, key), rec); err != nil {
		return err
	}
	return c.db.wait(c.batch)
}

// apply makes a write visible.
func (c *conn) apply(kind ycsb.Kind, key []byte, rec *ycsb.Record) error {
	mu := &c.db.locks[c.db.hash(key)%stripes]
	mu.Lock()
	defer mu.Unlock()
	c.batch.Reset()
	if err := c.put(c.batch, c.db.store, kind, key, rec); err != nil {
		return err
	}
	return c.db.apply(c.batch)
}

func (d *DB) hash(key []byte) uint64 { return maphash.Bytes(d.seed, key) }

// put adds a write to b. What it depends on it reads from r.
func (c *conn) put(b *pebble.Batch, r pebble.Reader, kind ycsb.Kind, key []byte, rec *ycsb.Record) error {
	if kind < ycsb.KindInsert || kind > ycsb.KindDelete {
		return fmt.Errorf("kind %d in a batch: %w", kind, ycsb.ErrUnsupported)
	}
	var old []byte
	if kind != ycsb.KindInsert || !c.db.upsert {
		stored, closer, err := r.Get(key)
		switch {
		case errors.Is(err, pebble.ErrNotFound) && kind == ycsb.KindInsert:
		case err != nil:
			return translate(err)
		case kind == ycsb.KindInsert:
			return first(closer.Close(), ycsb.ErrExists)
		default:
			old = stored
			defer closer.Close() // never an error: closing frees memory
		}
	}
	var err error
	switch kind {
	case ycsb.KindDelete:
		return b.Delete(key, nil)
	case ycsb.KindInsert:
		c.value = appendRecord(c.value[:0], rec)
	case ycsb.KindUpdate:
		c.value, err = appendMerged(c.value[:0], old, rec)
	}
	if err != nil {
		return err
	}
	return b.Set(key, c.value, nil)
}

// Scan reads from a snapshot of its own: an iterator that is kept would hold back the space of
// what was deleted since.
func (c *conn) Scan(ctx context.Context, table string, start []byte, n int, fields []string,
	each func(key []byte, rec *ycsb.Record) error,
) (err error) {
	if err := c.check(ctx); err != nil || n <= 0 {
		return err
	}
	c.bounds.LowerBound = c.at(table, start)
	c.bounds.UpperBound = c.end
	it, err := c.db.store.NewIter(&c.bounds)
	if err != nil {
		return translate(err)
	}
	defer func() { err = first(err, translate(it.Close())) }() // which has the iterator's error
	for ok := it.First(); ok; ok = n > 0 && it.Next() {
		stored, err := it.ValueAndErr()
		if err != nil {
			return translate(err)
		}
		c.rec.Reset()
		if err := c.dec.decode(stored, fields, &c.rec); err != nil {
			return err
		}
		if err := each(it.Key()[c.prefix:], &c.rec); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		n--
	}
	return nil
}

// Batch writes with one commit of Pebble's, which is atomic: the others see all of the batch's
// writes or none. An item that fails, such as an update without a record, is left out of it. Items
// see what those before them did.
func (c *conn) Batch(ctx context.Context, table string, items []ycsb.BatchItem) error {
	err := c.check(ctx)
	if err == nil {
		err = c.carryOut(table, items)
	}
	if err != nil {
		for i := range items {
			items[i].Err = err
		}
	}
	return err
}

func (c *conn) carryOut(table string, items []ycsb.BatchItem) error {
	b, r := c.batch, pebble.Reader(c.db.store)
	if c.plan(table, items) {
		b = c.db.store.NewIndexedBatch()
		r = b
	}
	if err := c.applyAll(b, r, table, items); err != nil {
		return err
	}
	if err := c.db.wait(b); err != nil {
		return err
	}
	if b != c.batch {
		return b.Close()
	}
	return nil
}

// plan notes which locks a batch needs, and tells whether two items may have the same key.
func (c *conn) plan(table string, items []ycsb.BatchItem) bool {
	c.hashes, c.taken = c.hashes[:0], c.taken[:0]
	for i := range items {
		h := c.db.hash(c.at(table, items[i].Key))
		c.hashes = append(c.hashes, h)
		if items[i].Kind != ycsb.KindRead {
			c.taken = append(c.taken, h%stripes)
		}
	}
	slices.Sort(c.hashes)
	slices.Sort(c.taken) // all take locks in ascending order
	c.taken = slices.Compact(c.taken)
	n := len(c.hashes)
	c.hashes = slices.Compact(c.hashes)
	return len(c.hashes) < n
}

// applyAll makes the writes of a batch visible.
func (c *conn) applyAll(b *pebble.Batch, r pebble.Reader, table string, items []ycsb.BatchItem) error {
	for _, i := range c.taken {
		c.db.locks[i].Lock()
		defer c.db.locks[i].Unlock()
	}
	b.Reset()
	for i := range items {
		it := &items[i]
		key := c.at(table, it.Key)
		if it.Kind == ycsb.KindRead {
			it.Err = c.read(r, key, it.Fields, it.Record)
		} else {
			it.Err = c.put(b, r, it.Kind, key, it.Record)
		}
	}
	return c.db.apply(b)
}

// Close frees the batch. Pebble may still be busy with one that failed.
func (c *conn) Close() error {
	b := c.batch
	c.batch = nil
	if b == nil || c.db.ended() != nil {
		return nil
	}
	return b.Close()
}
