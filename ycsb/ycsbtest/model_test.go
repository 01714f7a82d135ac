package ycsbtest

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// model is a database that does all that the contract asks for, in the plainest way: one lock,
// and maps of strings. Bugs are put around it.
type model struct {
	upsert bool
	mu     struct {
		sync.Mutex
		closed  bool
		version int
		tables  map[string]*modelTable
	}
}

type modelTable struct {
	prepared bool
	rows     map[string]modelRow
}

// modelRow is a row and when it was written. Its fields are never changed, but replaced.
type modelRow struct {
	fields  row
	version int
}

var errClosed = errors.New("closed")

func newModel(upsert bool) *model {
	m := &model{upsert: upsert}
	m.mu.tables = make(map[string]*modelTable)
	return m
}

// db returns the model's DB as functions.
func (m *model) db() *fakeDB {
	return &fakeDB{
		conn: func(context.Context, int) (*fakeConn, error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			if m.mu.closed {
				return nil, errClosed
			}
			return m.conn(m.mu.tables), nil
		},
		prepare: func(_ context.Context, s ycsb.Schema) error {
			m.mu.Lock()
			defer m.mu.Unlock()
			if m.mu.tables[s.Table] == nil {
				m.mu.tables[s.Table] = &modelTable{true, make(map[string]modelRow)}
			}
			return nil
		},
		truncate: func(_ context.Context, table string) error {
			m.mu.Lock()
			defer m.mu.Unlock()
			t := m.mu.tables[table]
			if t == nil || !t.prepared {
				return errors.New("foreign table " + table)
			}
			clear(t.rows)
			return nil
		},
		count: func(_ context.Context, table string) (int64, error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			return int64(len(rowsOf(m.mu.tables, table))), nil
		},
		size: func(_ context.Context, table string) (ycsb.Size, error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			s := ycsb.Size{Storage: -1, Index: -1}
			for _, r := range rowsOf(m.mu.tables, table) {
				for _, v := range r.fields {
					s.Data += int64(len(v))
				}
			}
			return s, nil
		},
		sync:     func(context.Context) error { return nil },
		compact:  func(context.Context, string) error { return nil },
		describe: func(context.Context) (ycsb.Info, error) { return ycsb.Info{Product: "model"}, nil },
		close: func() error {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.mu.closed = true
			return nil
		},
	}
}

// conn returns a connection to tables, those of the model or a transaction's, as functions.
func (m *model) conn(tables map[string]*modelTable) *fakeConn {
	closed := false
	locked := func(do op) op {
		return func(a args) error {
			m.mu.Lock()
			defer m.mu.Unlock()
			if closed || m.mu.closed {
				return errClosed
			}
			if err := a.ctx.Err(); err != nil {
				return err
			}
			return do(a)
		}
	}
	var c *fakeConn
	c = &fakeConn{
		read: locked(func(a args) error {
			r, ok := rowsOf(tables, a.table)[string(a.key)]
			if !ok {
				return ycsb.ErrNotFound
			}
			r.fields.appendTo(a.rec, a.fields)
			return nil
		}),
		insert: locked(func(a args) error {
			if _, ok := rowsOf(tables, a.table)[string(a.key)]; ok && !m.upsert {
				return ycsb.ErrExists
			}
			m.putLocked(tables, a, row{})
			return nil
		}),
		update: locked(func(a args) error {
			r, ok := rowsOf(tables, a.table)[string(a.key)]
			if !ok {
				return ycsb.ErrNotFound
			}
			m.putLocked(tables, a, r.fields)
			return nil
		}),
		del: locked(func(a args) error {
			rows := rowsOf(tables, a.table)
			if _, ok := rows[string(a.key)]; !ok {
				return ycsb.ErrNotFound
			}
			delete(rows, string(a.key))
			return nil
		}),
		scan: locked(func(a args) error {
			var found []entry
			for key, r := range rowsOf(tables, a.table) {
				if key >= string(a.key) {
					found = append(found, entry{key, r.fields})
				}
			}
			slices.SortFunc(found, func(x, y entry) int { return strings.Compare(x.key, y.key) })
			return pass(found[:max(min(a.n, len(found)), 0)], a)
		}),
		query: locked(func(a args) error {
			var found []entry
			for key, r := range rowsOf(tables, a.q.Table) {
				if v, ok := r.fields[a.q.Where]; a.q.Where == "" || ok && v == string(a.q.Equal) {
					found = append(found, entry{key, r.fields})
				}
			}
			if a.q.Order != "" {
				found = ordered(found, a.q.Order)
			}
			if a.q.Desc {
				slices.Reverse(found)
			}
			found = found[min(a.q.Skip, len(found)):]
			if a.q.Limit > 0 {
				found = found[:min(a.q.Limit, len(found))]
			}
			a.fields = a.q.Fields
			return pass(found, a)
		}),
		batch: func(a args) error {
			if err := locked(func(args) error { return nil })(a); err != nil {
				for i := range a.items {
					a.items[i].Err = err
				}
				return err
			}
			for i := range a.items {
				a.items[i].Err = c.item(a, i)
			}
			return nil
		},
		begin: func(ctx context.Context) (*fakeTx, error) {
			if err := locked(func(args) error { return nil })(args{ctx: ctx}); err != nil {
				return nil, err
			}
			return m.begin(), nil
		},
		close: func() error {
			m.mu.Lock()
			defer m.mu.Unlock()
			closed = true
			return nil
		},
	}
	return c
}

// item carries out an item of a batch.
func (c *fakeConn) item(a args, i int) error {
	it := &a.items[i]
	a.key, a.fields, a.rec = it.Key, it.Fields, it.Record
	return map[ycsb.Kind]op{
		ycsb.KindRead: c.read, ycsb.KindInsert: c.insert, ycsb.KindUpdate: c.update, ycsb.KindDelete: c.del,
	}[it.Kind](a)
}

// begin begins a transaction on a copy of all tables. It conflicts with others when a row that
// it changed was changed since.
func (m *model) begin() *fakeTx {
	m.mu.Lock()
	defer m.mu.Unlock()
	before, mine := clone(m.mu.tables), clone(m.mu.tables)
	tx := &fakeTx{fakeConn: m.conn(mine)}
	over := false
	tx.commit = func(ctx context.Context) error {
		m.mu.Lock()
		defer m.mu.Unlock()
		if over {
			return errClosed
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		over = true
		for name, t := range mine {
			old, now := rowsOf(before, name), rowsOf(m.mu.tables, name)
			for key := range merged(old, t.rows) {
				if t.rows[key].version != old[key].version && now[key].version != old[key].version {
					return ycsb.ErrConflict
				}
			}
		}
		for name, t := range mine {
			old := rowsOf(before, name)
			for key := range merged(old, t.rows) {
				switch r, ok := t.rows[key]; {
				case !ok:
					delete(m.mu.tables[name].rows, key)
				case r.version != old[key].version:
					m.mu.tables[name].rows[key] = r
				}
			}
		}
		return nil
	}
	end := tx.close
	tx.close = func() error {
		m.mu.Lock()
		over = true
		m.mu.Unlock()
		return end()
	}
	return tx
}

// putLocked stores the values of a over old ones.
func (m *model) putLocked(tables map[string]*modelTable, a args, old row) {
	t := tables[a.table]
	if t == nil {
		t = &modelTable{rows: make(map[string]modelRow)}
		tables[a.table] = t
	}
	r, err := rowOf(a.rec)
	if err != nil {
		panic(err)
	}
	m.mu.version++
	t.rows[string(a.key)] = modelRow{old.plus(r), m.mu.version}
}

func clone(tables map[string]*modelTable) map[string]*modelTable {
	c := make(map[string]*modelTable)
	for name, t := range tables {
		c[name] = &modelTable{t.prepared, maps.Clone(t.rows)}
	}
	return c
}

func merged(a, b map[string]modelRow) map[string]modelRow {
	sum := maps.Clone(a)
	if sum == nil {
		sum = make(map[string]modelRow)
	}
	maps.Copy(sum, b)
	return sum
}

func rowsOf(tables map[string]*modelTable, name string) map[string]modelRow {
	if t := tables[name]; t != nil {
		return t.rows
	}
	return nil
}

// appendTo appends the named fields to rec, all if there are none.
func (r row) appendTo(rec *ycsb.Record, fields []string) {
	if len(fields) == 0 {
		fields = slices.Sorted(maps.Keys(r))
	}
	for _, name := range fields {
		if v, ok := r[name]; ok {
			rec.Append(name, []byte(v))
		}
	}
}

// pass passes entries to a.each.
func pass(entries []entry, a args) error {
	var rec ycsb.Record
	for _, e := range entries {
		rec.Reset()
		e.row.appendTo(&rec, a.fields)
		if err := a.each([]byte(e.key), &rec); err != nil {
			return err
		}
	}
	return nil
}

// args are the arguments of an operation.
type args struct {
	ctx    context.Context
	table  string
	key    []byte // of a scan, the start
	fields []string
	rec    *ycsb.Record
	n      int
	each   func([]byte, *ycsb.Record) error
	items  []ycsb.BatchItem
	q      ycsb.Query
}

type op func(a args) error

// fakeDB, fakeConn and fakeTx are a DB, its connections and transactions made of functions, one
// of which a bug replaces.
type (
	fakeDB struct {
		conn              func(context.Context, int) (*fakeConn, error)
		prepare           func(context.Context, ycsb.Schema) error
		truncate, compact func(context.Context, string) error
		sync              func(context.Context) error
		size              func(context.Context, string) (ycsb.Size, error)
		count             func(context.Context, string) (int64, error)
		describe          func(context.Context) (ycsb.Info, error)
		close             func() error
	}
	fakeConn struct {
		read, insert, update, del, scan, batch, query op
		begin                                         func(context.Context) (*fakeTx, error)
		close                                         func() error
	}
	fakeTx struct {
		*fakeConn
		commit func(context.Context) error
	}
)

func (d *fakeDB) Conn(ctx context.Context, worker int) (ycsb.Conn, error) {
	c, err := d.conn(ctx, worker)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (d *fakeDB) Prepare(ctx context.Context, s ycsb.Schema) error { return d.prepare(ctx, s) }

func (d *fakeDB) Truncate(ctx context.Context, table string) error { return d.truncate(ctx, table) }

func (d *fakeDB) Compact(ctx context.Context, table string) error { return d.compact(ctx, table) }
func (d *fakeDB) Sync(ctx context.Context) error                  { return d.sync(ctx) }
func (d *fakeDB) Size(ctx context.Context, table string) (ycsb.Size, error) {
	return d.size(ctx, table)
}

func (d *fakeDB) Count(ctx context.Context, table string) (int64, error) { return d.count(ctx, table) }

func (d *fakeDB) Describe(ctx context.Context) (ycsb.Info, error) { return d.describe(ctx) }
func (d *fakeDB) Close() error                                    { return d.close() }

func (c *fakeConn) Read(ctx context.Context, table string, key []byte, fields []string, rec *ycsb.Record) error {
	return c.read(args{ctx: ctx, table: table, key: key, fields: fields, rec: rec})
}

func (c *fakeConn) Insert(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	return c.insert(args{ctx: ctx, table: table, key: key, rec: rec})
}

func (c *fakeConn) Update(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	return c.update(args{ctx: ctx, table: table, key: key, rec: rec})
}

func (c *fakeConn) Delete(ctx context.Context, table string, key []byte) error {
	return c.del(args{ctx: ctx, table: table, key: key})
}

func (c *fakeConn) Scan(ctx context.Context, table string, start []byte, n int, fields []string, each func([]byte, *ycsb.Record) error) error {
	return c.scan(args{ctx: ctx, table: table, key: start, n: n, fields: fields, each: each})
}

func (c *fakeConn) Batch(ctx context.Context, table string, items []ycsb.BatchItem) error {
	return c.batch(args{ctx: ctx, table: table, items: items})
}

func (c *fakeConn) Query(ctx context.Context, q ycsb.Query, each func([]byte, *ycsb.Record) error) error {
	return c.query(args{ctx: ctx, q: q, each: each})
}

func (c *fakeConn) Begin(ctx context.Context) (ycsb.Tx, error) {
	tx, err := c.begin(ctx)
	if err != nil {
		return nil, err
	}
	return tx, nil
}

func (c *fakeConn) Close() error { return c.close() }

func (t *fakeTx) Commit(ctx context.Context) error { return t.commit(ctx) }
