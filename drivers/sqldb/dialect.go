package sqldb

import (
	"context"
	"database/sql"
	"strings"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

// Dialect is what sets one database apart from the others. Its functions may be called
// concurrently. Names in their arguments are not quoted unless it says so.
//
// All but Name and Lookup may be left zero; what is nil, the database is taken not to support.
type Dialect struct {
	// Name begins the texts of errors.
	Name string

	// Key is the name of the column of keys; default YCSB_KEY.
	Key string

	// Quote quotes the name of a table or column; default "name", as the standard has it.
	Quote func(name string) string

	// Param returns the n-th parameter of a statement, from 1; default ?.
	Param func(n int) string

	// MaxParams is the number of parameters that a statement may have; default 999. A larger
	// batch takes several statements.
	MaxParams int

	// Hint follows the name of the table in reads and scans by key.
	Hint string

	// Begin is the statement that begins a transaction; default BEGIN.
	Begin string

	// Upsert returns the clause that turns an INSERT into one that replaces the values of the
	// columns where the key is taken. Names are quoted.
	Upsert func(key string, columns []string) string

	// Create returns the statements that make a table, marked as ours.
	Create func(s ycsb.Schema) []string

	// Mark tells how a user would mark a table as ours, for the text of an error.
	Mark string

	// Lookup returns what the catalogue says of a table, or nil when there is none.
	Lookup func(ctx context.Context, q Querier, table string) (*Table, error)

	// Truncate returns the statement that empties a table; default DELETE FROM.
	Truncate func(table string) string

	// Size, Compact and Describe are the methods of a DB of these names. Size and Compact are
	// called for tables that exist.
	Size     func(ctx context.Context, q Querier, table string) (ycsb.Size, error)
	Compact  func(ctx context.Context, q Querier, table string) error
	Describe func(ctx context.Context, q Querier) (ycsb.Info, error)

	// Error returns the error of package ycsb that err, which came from the client, stands
	// for, or nil. Broken connections that database/sql knows are found without it.
	Error func(err error) error

	// Full tells whether err, which came from the client, is that of a server on which no more
	// statements can be prepared. A connection then gives up its own, and tries once more.
	Full func(err error) bool
}

// Querier is what a [sql.DB], [sql.Conn] and [sql.Tx] have in common.
type Querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Table is what a catalogue says of a table.
type Table struct {
	Columns []Column // in the table's order, that of keys included
	Ours    bool     // carries the mark of those that Prepare made
	Atomic  bool     // a statement that fails leaves no changes; it can take part in transactions
}

// Column is a column of a [Table].
type Column struct {
	Name  string
	Bytes int64 // most bytes in a value; 0 is unknown
}

// withDefaults returns a copy of d in which nothing is missing that statements need.
func (d Dialect) withDefaults() *Dialect {
	if d.Key == "" {
		d.Key = "YCSB_KEY"
	}
	if d.Quote == nil {
		d.Quote = func(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
	}
	if d.Param == nil {
		d.Param = func(int) string { return "?" }
	}
	if d.MaxParams == 0 {
		d.MaxParams = 999
	}
	if d.Begin == "" {
		d.Begin = "BEGIN"
	}
	if d.Truncate == nil {
		d.Truncate = func(table string) string { return "DELETE FROM " + d.Quote(table) }
	}
	if d.Mark == "" {
		d.Mark = "no way to mark it by hand"
	}
	return &d
}

// CreateTable returns a CREATE TABLE statement for s, with the given types of keys and values.
// It is for [Dialect.Create]; a clause for the mark and options may be appended.
func (d Dialect) CreateTable(s ycsb.Schema, keyType, valueType string) string {
	full := d.withDefaults()
	var b strings.Builder
	b.WriteString("CREATE TABLE " + full.Quote(s.Table) + " (" + full.Quote(full.Key) + " " + keyType + " PRIMARY KEY")
	for _, f := range s.Fields {
		b.WriteString(", " + full.Quote(f) + " " + valueType)
	}
	b.WriteString(")")
	return b.String()
}
