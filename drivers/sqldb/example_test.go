package sqldb_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/ycsbkit/ycsbkit/drivers/sqldb"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

// A dialect needs a name and a way to look tables up. This one is enough for SQLite.
func ExampleNew() {
	var handle *sql.DB // = sql.Open("sqlite", "file.db")

	db, err := sqldb.New(handle, sqldb.Dialect{
		Name: "sqlite",
		Lookup: func(ctx context.Context, q sqldb.Querier, table string) (*sqldb.Table, error) {
			rows, err := q.QueryContext(ctx, "SELECT name FROM pragma_table_info(?)", table)
			if err != nil {
				return nil, err
			}
			defer rows.Close()
			t := &sqldb.Table{Atomic: true}
			for rows.Next() {
				var c sqldb.Column
				if err := rows.Scan(&c.Name); err != nil {
					return nil, err
				}
				t.Columns = append(t.Columns, c)
			}
			if len(t.Columns) == 0 {
				return nil, rows.Err()
			}
			return t, rows.Err()
		},
		Error: func(err error) error {
			var coded interface{ Code() int }
			if errors.As(err, &coded) && coded.Code() == 1555 { // SQLITE_CONSTRAINT_PRIMARYKEY
				return ycsb.ErrExists
			}
			return nil
		},
	}, sqldb.Config{MatchedRows: true})
	fmt.Println(db != nil, err)
	// Output: false sqldb: no handle
}

func ExampleDialect_CreateTable() {
	d := sqldb.Dialect{Name: "postgres"}
	s := ycsb.Schema{Table: "usertable", Fields: []string{"field0", "field1"}}
	fmt.Println(d.CreateTable(s, "BYTEA", "BYTEA"))
	// Output: CREATE TABLE "usertable" ("YCSB_KEY" BYTEA PRIMARY KEY, "field0" BYTEA, "field1" BYTEA)
}
