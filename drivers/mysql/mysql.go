// Package mysql is the driver for MySQL and for servers that speak its protocol, such as MariaDB
// and TiDB. It is registered as "mysql"; its properties are those of [Config].
//
// Statements are prepared on the server, once for each worker's connection. A record is a row of
// a table as Java YCSB and go-ycsb have it. A table made here has columns of bytes: VARBINARY of
// the length that values have, or LONGBLOB where these would not fit into a row, and the comment
// ycsbkit, by which it is known as one that may be emptied.
package mysql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/ycsbkit/ycsbkit/drivers/sqldb"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

func init() {
	ycsb.Register("mysql", ycsb.NewDriver(func(ctx context.Context, c Config) (ycsb.DB, error) {
		return Open(ctx, c)
	}))
}

// DB is a MySQL database.
type DB struct {
	*sqldb.DB
	handle *sql.DB // nil when it is the caller's
}

var (
	_ ycsb.DB        = (*DB)(nil)
	_ ycsb.Preparer  = (*DB)(nil)
	_ ycsb.Truncater = (*DB)(nil)
	_ ycsb.Counter   = (*DB)(nil)
	_ ycsb.Sizer     = (*DB)(nil)
	_ ycsb.Compacter = (*DB)(nil)
	_ ycsb.Describer = (*DB)(nil)
)

// Open checks c and returns the database that it describes. Nothing is sent before the DB is
// used. The caller closes it.
func Open(_ context.Context, c Config) (*DB, error) {
	cc, err := c.client()
	if err != nil {
		return nil, err
	}
	c = c.withDefaults()
	c.Interpolate = cc.InterpolateParams // which a DSN may say, too
	handle := sql.OpenDB(&connector{config: cc, timeout: c.ConnectTimeout})
	handle.SetMaxIdleConns(math.MaxInt32) // as many as there were workers
	db, err := newDB(handle, c, sqldb.Config{
		MatchedRows: true,
		Wire: func(dc any) sqldb.Wire {
			if c, ok := dc.(*conn); ok {
				return c.wire
			}
			return nil
		},
	})
	if err != nil {
		return nil, errors.Join(err, handle.Close())
	}
	db.handle = handle
	return db, nil
}

// New returns a DB that uses a handle of the caller's, whatever its driver, as long as this
// speaks to a MySQL server; of c only what does not concern the connection counts. The DB does
// not close the handle, which has to allow one connection more than there are workers. Operations
// hand their contexts to the handle's driver, which takes more CPU time than with Open.
func New(handle *sql.DB, c Config) (*DB, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return newDB(handle, c.withDefaults(), sqldb.Config{})
}

func newDB(handle *sql.DB, c Config, sc sqldb.Config) (*DB, error) {
	sc.Upsert = c.Insert == "upsert"
	sc.Unprepared = c.Interpolate
	db, err := sqldb.New(handle, dialect(c), sc)
	if err != nil {
		return nil, err
	}
	return &DB{DB: db}, nil
}

// Close closes the connections that the DB holds.
func (db *DB) Close() error {
	err := db.DB.Close()
	if db.handle != nil {
		err = errors.Join(err, db.handle.Close())
	}
	return err
}

// String names the driver.
func (db *DB) String() string { return "mysql" }

const mark = "ycsbkit" // comment of tables that were made here

// dialect returns what is special about MySQL.
func dialect(c Config) sqldb.Dialect {
	d := sqldb.Dialect{
		Name:      "mysql",
		Quote:     quote,
		MaxParams: math.MaxUint16,
		Begin:     "START TRANSACTION",
		Upsert:    upsert,
		Lookup:    lookup,
		Truncate:  func(table string) string { return "TRUNCATE TABLE " + quote(table) },
		Mark:      "to have it emptied: ALTER TABLE … COMMENT='" + mark + "'",
		Size:      size,
		Compact:   compact,
		Describe:  describe,
		Error:     kindOf,
		Full:      tooManyStatements,
	}
	if c.ForceIndex == nil || *c.ForceIndex {
		d.Hint = "FORCE INDEX (PRIMARY)"
	}
	d.Create = func(s ycsb.Schema) []string {
		key, value := types(s)
		text := d.CreateTable(s, key, value) + " COMMENT='" + mark + "'"
		if c.Engine != "" {
			text += " ENGINE=" + c.Engine
		}
		if c.TableOptions != "" {
			text += " " + c.TableOptions
		}
		return []string{text}
	}
	return d
}

func quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

func upsert(key string, columns []string) string {
	if len(columns) == 0 {
		columns = []string{key}
	}
	var b strings.Builder
	b.WriteString("ON DUPLICATE KEY UPDATE ")
	for i, c := range columns {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(c + " = VALUES(" + c + ")")
	}
	return b.String()
}

const (
	minKey = 255   // bytes of a key column, at least
	maxRow = 65000 // bytes of the columns of a row that are not blobs; the server's limit is 65535

	// InnoDB keeps values of columns of up to 255 bytes in the page, of which a row may take
	// half, 8126 bytes.
	maxInline   = 8000
	minOverflow = 256
)

// types returns the types of keys and values. Both hold any bytes, and compare as bytes.
func types(s ycsb.Schema) (key, value string) {
	n := max(s.KeyLength, minKey)
	key, value = fmt.Sprintf("VARBINARY(%d) NOT NULL", n), "LONGBLOB"
	length := s.FieldLength
	if length > 0 && n+len(s.Fields)*(length+2) > maxInline {
		length = max(length, minOverflow)
	}
	if length > 0 && length <= maxRow && n+len(s.Fields)*(length+2) <= maxRow {
		value = fmt.Sprintf("VARBINARY(%d)", length)
	}
	return key, value
}
