package sqldb

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

const (
	maxBatchBytes = 512 << 10 // of values in a statement of several records: below all servers' limits
	maxCases      = 64        // records in an UPDATE, whose cost grows with their square
)

// errPending is the outcome of an item that has none yet.
var errPending = errors.New("sqldb: not carried out")

// Batch carries out items in their order, neighbours of one kind with the same fields in one
// statement: reads and inserts in one round trip, updates and deletes in three, as they take a
// transaction. Where one of these statements fails, or misses records, its items are carried
// out one after the other, so that each has its own outcome.
func (s *session) Batch(ctx context.Context, table string, items []ycsb.BatchItem) error {
	for i := range items {
		items[i].Err = errPending
	}
	ctx, err := s.enter(ctx)
	if err == nil {
		for rest := items; len(rest) > 0 && err == nil; {
			n := s.group(rest)
			err = s.together(ctx, table, rest[:n])
			rest = rest[n:]
		}
		err = s.leave(err)
	}
	started := false
	for i := range items {
		if items[i].Err == errPending { //nolint:errorlint // our own mark
			items[i].Err = err
		} else {
			started = true
		}
	}
	if started {
		return nil
	}
	return err
}

// group returns how many of the first items go into one statement.
func (s *session) group(items []ycsb.BatchItem) int {
	first := &items[0]
	most, params, size := len(items), 1, 0
	switch first.Kind {
	case ycsb.KindInsert:
		params = 1 + first.Record.Len()
	case ycsb.KindUpdate:
		params = 1 + 2*first.Record.Len()
		most = min(most, maxCases)
	}
	most = max(min(most, s.db.dialect.MaxParams/params), 1)
	for i := range most {
		it := &items[i]
		if i > 0 && !alike(first, it) {
			return i
		}
		size += len(it.Key)
		if first.Kind == ycsb.KindInsert || first.Kind == ycsb.KindUpdate {
			for _, f := range it.Record.Fields() {
				size += len(f.Value)
			}
		}
		if i > 0 && size > maxBatchBytes {
			return i
		}
	}
	return most
}

// alike tells whether two items differ in key and values only.
func alike(a, b *ycsb.BatchItem) bool {
	switch {
	case a.Kind != b.Kind:
		return false
	case a.Kind == ycsb.KindRead:
		return slices.Equal(a.Fields, b.Fields)
	case a.Kind == ycsb.KindDelete:
		return true
	case a.Kind != ycsb.KindInsert && a.Kind != ycsb.KindUpdate:
		return false
	}
	return slices.EqualFunc(a.Record.Fields(), b.Record.Fields(), func(x, y ycsb.Field) bool { return x.Name == y.Name })
}

// together carries out items that are alike and sets their Err, except of those that a broken
// connection kept from being carried out: then it returns the error.
func (s *session) together(ctx context.Context, table string, items []ycsb.BatchItem) error {
	kind := items[0].Kind
	split, err := true, error(nil) // split: one by one
	if len(items) > 1 {
		switch kind {
		case ycsb.KindRead:
			split, err = false, s.readMany(ctx, table, items)
		case ycsb.KindInsert:
			split, err = s.insertMany(ctx, table, items)
		case ycsb.KindUpdate, ycsb.KindDelete:
			split, err = s.changeMany(ctx, table, items)
		}
	}
	if err != nil {
		if !s.usable(err) {
			return err
		}
		err = s.db.fault(err)
		for i := range items {
			items[i].Err = err
		}
		return nil
	}
	for i := range items {
		if !split {
			continue
		}
		it := &items[i]
		err := s.alone(ctx, table, it)
		if err != nil && !s.usable(err) {
			return err
		}
		it.Err = s.db.fault(err)
	}
	return nil
}

// alone carries out one item.
func (s *session) alone(ctx context.Context, table string, it *ycsb.BatchItem) error {
	switch it.Kind {
	case ycsb.KindRead:
		return s.read(ctx, table, it.Key, it.Fields, it.Record)
	case ycsb.KindInsert:
		return s.insert(ctx, table, it.Key, it.Record)
	case ycsb.KindUpdate:
		return s.update(ctx, table, it.Key, it.Record)
	case ycsb.KindDelete:
		return s.remove(ctx, table, it.Key)
	}
	return ycsb.ErrUnsupported
}

// sort sets order to the items' numbers in the order of their keys, and tells whether all keys
// are different.
func (s *session) sort(items []ycsb.BatchItem) bool {
	s.order = s.order[:0]
	for i := range items {
		s.order = append(s.order, i)
	}
	distinct := true
	slices.SortFunc(s.order, func(i, j int) int { return bytes.Compare(items[i].Key, items[j].Key) })
	for i := 1; i < len(s.order); i++ {
		distinct = distinct && !bytes.Equal(items[s.order[i-1]].Key, items[s.order[i]].Key)
	}
	return distinct
}

func (s *session) readMany(ctx context.Context, table string, items []ycsb.BatchItem) error {
	st, err := s.statement(ctx, selectIn, table, items[0].Fields, len(items), nil)
	if err != nil {
		return err
	}
	s.sort(items)
	for i, k := range s.order {
		st.args[i] = value(items[k].Key)
		items[k].Err = ycsb.ErrNotFound
	}
	rows, err := s.query(ctx, st)
	if err != nil {
		return err
	}
	for err == nil && rows.Next() {
		if err = rows.Scan(st.dest...); err != nil {
			break
		}
		key := st.row[0]
		i, _ := slices.BinarySearchFunc(s.order, key, func(k int, key sql.RawBytes) int {
			return bytes.Compare(items[k].Key, key)
		})
		for ; i < len(s.order) && bytes.Equal(items[s.order[i]].Key, key); i++ {
			it := &items[s.order[i]]
			st.append(it.Record)
			it.Err = nil
		}
	}
	if err := finish(rows, err); err != nil {
		for i := range items {
			items[i].Err = errPending
		}
		return err
	}
	return nil
}

// insertMany inserts items in one statement. It returns true when they are to be inserted one
// by one.
func (s *session) insertMany(ctx context.Context, table string, items []ycsb.BatchItem) (bool, error) {
	t, err := s.db.table(ctx, s.conn, table)
	if err != nil || !t.Atomic {
		return true, err
	}
	st, err := s.writing(ctx, insert, table, items[0].Record, len(items))
	if err != nil {
		return false, err
	}
	n := 0
	for i := range items {
		st.args[n] = value(items[i].Key)
		n++
		for _, f := range items[i].Record.Fields() {
			st.args[n] = value(f.Value)
			n++
		}
	}
	if _, err := s.exec(ctx, st); err != nil {
		return s.ownOutcome(err)
	}
	succeed(items)
	return false, nil
}

// ownOutcome decides on a statement of several records that failed with err: when the fault is
// that of one of them, the others are to be carried out one by one.
func (s *session) ownOutcome(err error) (bool, error) {
	kind := s.db.kind(err)
	if s.usable(err) && (kind == nil || errors.Is(kind, ycsb.ErrExists)) {
		return true, nil
	}
	return false, err
}

func succeed(items []ycsb.BatchItem) {
	for i := range items {
		items[i].Err = nil
	}
}

// changeMany updates or deletes items in one statement, if none is missing. It returns true
// when nothing was changed and they are to be changed one by one.
func (s *session) changeMany(ctx context.Context, table string, items []ycsb.BatchItem) (bool, error) {
	t, err := s.db.table(ctx, s.conn, table)
	if err != nil || !t.Atomic || !s.sort(items) {
		return true, err
	}
	if items[0].Kind == ycsb.KindUpdate && (items[0].Record.Len() == 0 || !s.db.config.MatchedRows) {
		return true, nil
	}
	st, err := s.change(ctx, table, items)
	if err != nil {
		return false, err
	}
	begin, commit, undo := s.db.dialect.Begin, "COMMIT", "ROLLBACK"
	if s.inTx {
		begin, commit, undo = "SAVEPOINT ycsb_batch", "RELEASE SAVEPOINT ycsb_batch", "ROLLBACK TO SAVEPOINT ycsb_batch"
	}
	if err := s.do(ctx, begin); err != nil {
		clear(st.args)
		return false, err
	}
	n, err := s.exec(ctx, st)
	if err == nil && n == int64(len(items)) {
		if err := s.do(ctx, commit); err != nil {
			return false, err
		}
		succeed(items)
		return false, nil
	}
	if err != nil && !s.usable(err) {
		return false, err
	}
	split := true
	if err != nil {
		split, err = s.ownOutcome(err)
	}
	if uerr := s.do(ctx, undo); err == nil {
		err = uerr
	}
	return split, err
}

// change returns the statement that changes items, with its arguments.
func (s *session) change(ctx context.Context, table string, items []ycsb.BatchItem) (st *statement, err error) {
	n := 0
	if items[0].Kind == ycsb.KindDelete {
		st, err = s.statement(ctx, remove, table, nil, len(items), nil)
	} else {
		st, err = s.writing(ctx, update, table, items[0].Record, len(items))
	}
	if err != nil {
		return nil, err
	}
	if items[0].Kind == ycsb.KindUpdate {
		for i := range items[0].Record.Fields() {
			for _, k := range s.order {
				st.args[n], st.args[n+1] = value(items[k].Key), value(items[k].Record.Fields()[i].Value)
				n += 2
			}
		}
	}
	for _, k := range s.order {
		st.args[n] = value(items[k].Key)
		n++
	}
	return st, nil
}
