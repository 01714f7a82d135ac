package sqldb

import (
	"context"
	"database/sql"
	"math"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// value returns b for an argument: nil would be NULL.
func value(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// Read reads a record. Fields that are NULL are left out.
func (s *session) Read(ctx context.Context, table string, key []byte, fields []string, rec *ycsb.Record) error {
	ctx, err := s.enter(ctx)
	if err != nil {
		return err
	}
	return s.leave(s.read(ctx, table, key, fields, rec))
}

func (s *session) read(ctx context.Context, table string, key []byte, fields []string, rec *ycsb.Record) error {
	st, err := s.statement(ctx, selectOne, table, fields, 1, nil)
	if err != nil {
		return err
	}
	st.args[0] = value(key)
	rows, err := s.query(ctx, st)
	if err != nil {
		return err
	}
	found := rows.Next()
	if found {
		if len(st.names) > 0 {
			err = rows.Scan(st.dest...)
		}
		st.append(rec)
	}
	if err := finish(rows, err); err != nil {
		return err
	}
	if !found {
		return ycsb.ErrNotFound
	}
	return nil
}

// append adds the fields of the row that was scanned to rec.
func (st *statement) append(rec *ycsb.Record) {
	row := st.row
	if st.keyed {
		row = row[1:]
	}
	for i, v := range row {
		if v != nil {
			rec.Append(st.names[i], v)
		}
	}
}

// finish closes rows and returns the first error.
func finish(rows *sql.Rows, err error) error {
	cerr := rows.Close()
	if err == nil {
		err = rows.Err()
	}
	if err == nil {
		err = cerr
	}
	return err
}

// Insert inserts a record. Where the key is taken, it returns ErrExists, or replaces the record
// if Config.Upsert says so.
func (s *session) Insert(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	ctx, err := s.enter(ctx)
	if err != nil {
		return err
	}
	return s.leave(s.insert(ctx, table, key, rec))
}

func (s *session) insert(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	st, err := s.writing(ctx, insert, table, rec, 1)
	if err != nil {
		return err
	}
	st.args[0] = value(key)
	for i, f := range rec.Fields() {
		st.args[1+i] = value(f.Value)
	}
	_, err = s.exec(ctx, st)
	return err
}

// Update updates the fields in rec. Without any it looks whether there is a record.
func (s *session) Update(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	ctx, err := s.enter(ctx)
	if err != nil {
		return err
	}
	return s.leave(s.update(ctx, table, key, rec))
}

func (s *session) update(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	if rec.Len() == 0 {
		return s.exists(ctx, table, key)
	}
	st, err := s.writing(ctx, update, table, rec, 1)
	if err != nil {
		return err
	}
	for i, f := range rec.Fields() {
		st.args[i] = value(f.Value)
	}
	st.args[rec.Len()] = value(key)
	n, err := s.exec(ctx, st)
	switch {
	case err != nil || n > 0:
		return err
	case s.db.config.MatchedRows:
		return ycsb.ErrNotFound
	}
	return s.exists(ctx, table, key) // or it had these values before
}

// exists returns nil if there is a record, else ErrNotFound.
func (s *session) exists(ctx context.Context, table string, key []byte) error {
	st, err := s.statement(ctx, selectKey, table, nil, 1, nil)
	if err != nil {
		return err
	}
	st.args[0] = value(key)
	rows, err := s.query(ctx, st)
	if err != nil {
		return err
	}
	found := rows.Next()
	if err := finish(rows, nil); err != nil {
		return err
	}
	if !found {
		return ycsb.ErrNotFound
	}
	return nil
}

// Delete deletes a record.
func (s *session) Delete(ctx context.Context, table string, key []byte) error {
	ctx, err := s.enter(ctx)
	if err != nil {
		return err
	}
	return s.leave(s.remove(ctx, table, key))
}

func (s *session) remove(ctx context.Context, table string, key []byte) error {
	st, err := s.statement(ctx, remove, table, nil, 1, nil)
	if err != nil {
		return err
	}
	st.args[0] = value(key)
	n, err := s.exec(ctx, st)
	if err == nil && n == 0 {
		return ycsb.ErrNotFound
	}
	return err
}

// Scan reads records in the order of their keys.
func (s *session) Scan(ctx context.Context, table string, start []byte, n int, fields []string,
	each func(key []byte, rec *ycsb.Record) error,
) error {
	ctx, err := s.enter(ctx)
	if err != nil {
		return err
	}
	return s.leave(s.scan(ctx, table, start, n, fields, each))
}

func (s *session) scan(ctx context.Context, table string, start []byte, n int, fields []string,
	each func(key []byte, rec *ycsb.Record) error,
) error {
	if n <= 0 {
		return nil
	}
	st, err := s.statement(ctx, selectFrom, table, fields, 1, nil)
	if err != nil {
		return err
	}
	st.args[0], st.args[1] = value(start), int64(n)
	return s.rows(ctx, st, each)
}

// Query reads records through whatever index the table has.
func (s *session) Query(ctx context.Context, q ycsb.Query, each func(key []byte, rec *ycsb.Record) error) error {
	ctx, err := s.enter(ctx)
	if err != nil {
		return err
	}
	return s.leave(s.find(ctx, &q, each))
}

func (s *session) find(ctx context.Context, q *ycsb.Query, each func(key []byte, rec *ycsb.Record) error) error {
	st, err := s.statement(ctx, query, q.Table, q.Fields, 1, q)
	if err != nil {
		return err
	}
	args := st.args
	if q.Where != "" {
		args[0] = value(q.Equal)
		args = args[1:]
	}
	limit := int64(math.MaxInt64)
	if q.Limit > 0 {
		limit = int64(q.Limit)
	}
	args[0], args[1] = limit, int64(max(q.Skip, 0))
	return s.rows(ctx, st, each)
}

// rows executes a statement and passes each record to each.
func (s *session) rows(ctx context.Context, st *statement, each func(key []byte, rec *ycsb.Record) error) error {
	rows, err := s.query(ctx, st)
	if err != nil {
		return err
	}
	var stopped error
	for err == nil && stopped == nil && rows.Next() {
		if err = rows.Scan(st.dest...); err == nil {
			s.rec.Reset()
			st.append(&s.rec)
			stopped = each(st.row[0], &s.rec)
		}
	}
	if err = finish(rows, err); stopped != nil {
		return errUser{stopped}
	}
	return err
}
