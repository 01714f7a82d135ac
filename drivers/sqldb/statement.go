package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// kind is what a statement does.
type kind byte

const (
	selectOne  kind = iota
	selectFrom      // in the order of keys
	selectIn
	selectKey // tells whether a record exists
	insert
	update
	remove
	query
)

// statement is a statement of a session, with the memory that its executions need.
type statement struct {
	text  string
	stmt  *sql.Stmt // nil when it is sent with its text each time
	args  []any
	keyed bool     // a row begins with the key
	names []string // of the fields in a row
	row   []sql.RawBytes
	dest  []any // pointers into row
}

func (st *statement) close() error {
	if st.stmt == nil {
		return nil
	}
	return st.stmt.Close()
}

// query executes a statement that returns rows, with the arguments in args.
func (s *session) query(ctx context.Context, st *statement) (*sql.Rows, error) {
	defer clear(st.args) // they are the caller's memory
	if st.stmt != nil {
		return st.stmt.QueryContext(ctx, st.args...)
	}
	return s.conn.QueryContext(ctx, st.text, st.args...)
}

// exec executes a statement and returns the number of rows affected.
func (s *session) exec(ctx context.Context, st *statement) (int64, error) {
	defer clear(st.args)
	var res sql.Result
	var err error
	if st.stmt != nil {
		res, err = st.stmt.ExecContext(ctx, st.args...)
	} else {
		res, err = s.conn.ExecContext(ctx, st.text, st.args...)
	}
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// statement returns the session's statement for n records with the named fields, which are nil
// for all that the table has. A query has options.
func (s *session) statement(ctx context.Context, k kind, table string, fields []string, n int, q *ycsb.Query) (*statement, error) {
	s.begin(k, table, n, q)
	for _, f := range fields {
		s.name = append(append(s.name, f...), 0)
	}
	return s.named(ctx, func() (*statement, error) { return s.build(ctx, k, table, fields, n, q) })
}

// writing is statement for the fields of a record.
func (s *session) writing(ctx context.Context, k kind, table string, rec *ycsb.Record, n int) (*statement, error) {
	s.begin(k, table, n, nil)
	for _, f := range rec.Fields() {
		s.name = append(append(s.name, f.Name...), 0)
	}
	return s.named(ctx, func() (*statement, error) {
		fields := make([]string, 0, rec.Len())
		for _, f := range rec.Fields() {
			fields = append(fields, f.Name)
		}
		return s.build(ctx, k, table, fields, n, nil)
	})
}

// begin begins the name of a statement, under which the session keeps it.
func (s *session) begin(k kind, table string, n int, q *ycsb.Query) {
	s.name = append(s.name[:0], byte(k), byte(n), byte(n>>8), byte(n>>16))
	s.name = append(append(s.name, table...), 0)
	if q == nil {
		return
	}
	s.name = append(append(s.name, q.Where...), 0)
	s.name = append(append(s.name, q.Order...), 0)
	if q.Desc {
		s.name = append(s.name, 1)
	}
}

// named returns the statement of the name begun, which is built and prepared if it is new.
func (s *session) named(ctx context.Context, build func() (*statement, error)) (*statement, error) {
	if st := s.statements[string(s.name)]; st != nil {
		return st, nil
	}
	st, err := build()
	if err != nil {
		return nil, err
	}
	if !s.db.config.Unprepared {
		if st.stmt, err = s.prepare(ctx, st.text); err != nil {
			return nil, err
		}
	}
	st.row = make([]sql.RawBytes, len(st.names), len(st.names)+1)
	if st.keyed {
		st.row = st.row[:len(st.names)+1]
	}
	for i := range st.row {
		st.dest = append(st.dest, &st.row[i])
	}
	if len(s.statements) >= maxStatements {
		for name, other := range s.statements { // any one
			delete(s.statements, name)
			if err := other.close(); err != nil {
				return nil, errors.Join(err, st.close())
			}
			break
		}
	}
	s.statements[string(s.name)] = st
	return st, nil
}

// prepare prepares a statement. Where the server has no room for it, the session makes some.
func (s *session) prepare(ctx context.Context, text string) (*sql.Stmt, error) {
	stmt, err := s.conn.PrepareContext(ctx, text)
	if err == nil || len(s.statements) == 0 || s.db.dialect.Full == nil || !s.db.dialect.Full(err) {
		return stmt, err
	}
	if err := s.forgetStatements(); err != nil {
		return nil, err
	}
	return s.conn.PrepareContext(ctx, text)
}

// build writes a statement.
func (s *session) build(ctx context.Context, k kind, table string, fields []string, n int, q *ycsb.Query) (*statement, error) {
	b := &builder{d: s.db.dialect}
	st := new(statement)
	switch k {
	case selectOne, selectFrom, selectIn, query:
		st.keyed = k != selectOne
		st.names = slices.Clone(fields)
		if len(fields) == 0 {
			t, err := s.db.table(ctx, s.conn, table)
			if err != nil {
				return nil, err
			}
			st.names = s.db.fields(t)
		}
		b.selects(k, table, st, n, q)
	case selectKey:
		b.add("SELECT 1 FROM ").quote(table).add(" WHERE ").quote(b.d.Key).add(" = ").param()
	case insert:
		if err := s.buildInsert(ctx, b, table, fields, n); err != nil {
			return nil, err
		}
	case update:
		b.update(table, fields, n)
	case remove:
		b.add("DELETE FROM ").quote(table).add(" WHERE ").quote(b.d.Key)
		b.among(n)
	}
	st.text, st.args = string(b.text), make([]any, b.params)
	return st, nil
}

func (s *session) buildInsert(ctx context.Context, b *builder, table string, fields []string, n int) error {
	b.add("INSERT INTO ").quote(table).add(" (").quote(b.d.Key)
	for _, f := range fields {
		b.add(", ").quote(f)
	}
	b.add(") VALUES ")
	for i := range n {
		if i > 0 {
			b.add(", ")
		}
		b.add("(").paramList(1 + len(fields)).add(")")
	}
	if !s.db.config.Upsert {
		return nil
	}
	t, err := s.db.table(ctx, s.conn, table)
	if err != nil {
		return err
	}
	var columns []string // all, so that those that the record lacks are emptied
	for _, c := range s.db.fields(t) {
		columns = append(columns, b.d.Quote(c))
	}
	b.add(" ").add(b.d.Upsert(b.d.Quote(b.d.Key), columns))
	return nil
}

// builder writes the text of a statement.
type builder struct {
	d      *Dialect
	text   []byte
	params int
}

func (b *builder) add(text string) *builder {
	b.text = append(b.text, text...)
	return b
}

func (b *builder) quote(name string) *builder { return b.add(b.d.Quote(name)) }

func (b *builder) param() *builder {
	b.params++
	return b.add(b.d.Param(b.params))
}

func (b *builder) paramList(n int) *builder {
	for i := range n {
		if i > 0 {
			b.add(", ")
		}
		b.param()
	}
	return b
}

// among adds the condition that something is one of n parameters.
func (b *builder) among(n int) {
	if n == 1 {
		b.add(" = ").param()
		return
	}
	b.add(" IN (").paramList(n).add(")")
}

// selects writes a SELECT.
func (b *builder) selects(k kind, table string, st *statement, n int, q *ycsb.Query) {
	b.add("SELECT ")
	if st.keyed {
		b.quote(b.d.Key)
	}
	for i, f := range st.names {
		if i > 0 || st.keyed {
			b.add(", ")
		}
		b.quote(f)
	}
	if !st.keyed && len(st.names) == 0 {
		b.add("1")
	}
	b.add(" FROM ").quote(table)
	if b.d.Hint != "" && k != query {
		b.add(" ").add(b.d.Hint)
	}
	switch k {
	case selectFrom:
		b.add(" WHERE ").quote(b.d.Key).add(" >= ").param().add(" ORDER BY ").quote(b.d.Key).add(" LIMIT ").param()
	case query:
		b.query(q)
	default:
		b.add(" WHERE ").quote(b.d.Key)
		b.among(n)
	}
}

// query writes the clauses of a query.
func (b *builder) query(q *ycsb.Query) {
	if q.Where != "" {
		b.add(" WHERE ").quote(q.Where).add(" = ").param()
	}
	if q.Order != "" {
		b.add(" ORDER BY ").quote(q.Order)
		if q.Desc {
			b.add(" DESC")
		}
	}
	b.add(" LIMIT ").param().add(" OFFSET ").param()
}

// update writes an UPDATE. One of several records has its values for each column beside its
// key, in a CASE: not all databases can join with a list of parameters, and those that can do
// not all find the rows by key then.
func (b *builder) update(table string, fields []string, n int) {
	b.add("UPDATE ").quote(table).add(" SET ")
	for i, f := range fields {
		if i > 0 {
			b.add(", ")
		}
		b.quote(f).add(" = ")
		if n == 1 {
			b.param()
			continue
		}
		b.add("CASE ").quote(b.d.Key)
		for range n {
			b.add(" WHEN ").param().add(" THEN ").param()
		}
		b.add(" ELSE ").quote(f).add(" END")
	}
	b.add(" WHERE ").quote(b.d.Key)
	b.among(n)
}
