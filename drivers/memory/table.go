package memory

import (
	"hash/maphash"
	"slices"
	"sync"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// table is a table: rows by key, spread over shards, and an index of the rows in the order of
// their keys. Reads and updates take the lock of a shard alone. Inserts and deletes also take
// that of the index, first. The methods of a nil table are those of a table without rows;
// insert wants one.
type table struct {
	prepared bool
	seed     maphash.Seed
	shards   [shards]shard

	mu struct {
		sync.RWMutex // before that of a shard
		index        index
	}
}

const (
	shards = 256
	chunk  = 64 // rows that a scan takes from the index at once
)

type shard struct {
	mu struct {
		sync.RWMutex // of the map and what is in its rows
		rows         map[string]*row
		bytes        int64 // of keys and values
	}
	_ [24]byte // a cache line each
}

// row is a record. Its key does not change; the rest is its shard's.
type row struct {
	key    string
	fields []field
	gone   bool // deleted, for scans that hold it
}

type field struct {
	name  string
	value []byte
}

func newTable(prepared bool) *table {
	t := &table{prepared: prepared, seed: maphash.MakeSeed()}
	for i := range t.shards {
		t.shards[i].mu.rows = make(map[string]*row)
	}
	return t
}

// newRow returns a row with copies of the values, side by side in one piece of memory.
func newRow(key []byte, rec *ycsb.Record) *row {
	n := 0
	for _, f := range rec.Fields() {
		n += len(f.Value)
	}
	r := &row{key: string(key), fields: make([]field, 0, rec.Len())}
	values := make([]byte, 0, n)
	for name, value := range rec.All() {
		from := len(values)
		values = append(values, value...)
		r.fields = append(r.fields, field{name, values[from:len(values):len(values)]})
	}
	return r
}

func (t *table) shard(key []byte) *shard {
	return &t.shards[maphash.Bytes(t.seed, key)%shards]
}

func (t *table) read(key []byte, fields []string, rec *ycsb.Record) error {
	if t == nil {
		return ycsb.ErrNotFound
	}
	s := t.shard(key)
	s.mu.RLock()
	defer s.mu.RUnlock()
	r := s.mu.rows[string(key)]
	if r == nil {
		return ycsb.ErrNotFound
	}
	r.appendTo(rec, fields)
	return nil
}

func (t *table) insert(key []byte, rec *ycsb.Record) error {
	r := newRow(key, rec)
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mu.rows[r.key] != nil {
		return ycsb.ErrExists
	}
	s.mu.rows[r.key] = r
	s.mu.bytes += r.size()
	t.mu.index.insert(key, r)
	return nil
}

func (t *table) update(key []byte, rec *ycsb.Record) error {
	if t == nil {
		return ycsb.ErrNotFound
	}
	s := t.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.mu.rows[string(key)]
	if r == nil {
		return ycsb.ErrNotFound
	}
	for name, value := range rec.All() {
		s.mu.bytes += int64(r.set(name, value))
	}
	return nil
}

func (t *table) delete(key []byte) error {
	if t == nil {
		return ycsb.ErrNotFound
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.mu.rows[string(key)]
	if r == nil {
		return ycsb.ErrNotFound
	}
	r.gone = true
	s.mu.bytes -= r.size()
	delete(s.mu.rows, r.key)
	t.mu.index.delete(key)
	return nil
}

func (t *table) truncate() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mu.index = index{}
	for i := range t.shards {
		t.shards[i].truncate()
	}
}

func (s *shard) truncate() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.mu.rows {
		r.gone = true
	}
	s.mu.rows = make(map[string]*row)
	s.mu.bytes = 0
}

func (t *table) count() int64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return int64(t.mu.index.rows)
}

func (t *table) size() int64 {
	var n int64
	for i := range t.shards {
		s := &t.shards[i]
		s.mu.RLock()
		n += s.mu.bytes
		s.mu.RUnlock()
	}
	return n
}

// from appends up to n rows to rows: those from the first key >= start on, or > start.
func (t *table) from(start []byte, after bool, rows []*row, n int) []*row {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.mu.index.from(start, after, rows, n)
}

// copyRow appends fields of r to rec, unless r was deleted.
func (t *table) copyRow(r *row, fields []string, rec *ycsb.Record) bool {
	s := t.shardOf(r)
	s.mu.RLock()
	defer s.mu.RUnlock()
	if r.gone {
		return false
	}
	r.appendTo(rec, fields)
	return true
}

func (t *table) shardOf(r *row) *shard {
	return &t.shards[maphash.String(t.seed, r.key)%shards]
}

// appendTo appends the named fields of r to rec, all if fields is empty.
func (r *row) appendTo(rec *ycsb.Record, fields []string) {
	if len(fields) == 0 {
		for i := range r.fields {
			rec.Append(r.fields[i].name, r.fields[i].value)
		}
		return
	}
	for _, name := range fields {
		if i := r.find(name); i >= 0 {
			rec.Append(r.fields[i].name, r.fields[i].value)
		}
	}
}

func (r *row) find(name string) int {
	return slices.IndexFunc(r.fields, func(f field) bool { return f.name == name })
}

// set sets a field, in place where its value is no longer than before, and returns by how many
// bytes the row grew.
func (r *row) set(name string, value []byte) int {
	i := r.find(name)
	if i < 0 {
		i = len(r.fields)
		r.fields = append(r.fields, field{name: name})
	}
	f := &r.fields[i]
	grown := len(value) - len(f.value)
	f.value = append(f.value[:0], value...)
	return grown
}

// size returns the bytes of key and values.
func (r *row) size() int64 {
	n := len(r.key)
	for i := range r.fields {
		n += len(r.fields[i].value)
	}
	return int64(n)
}
