package mysql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/ycsbkit/ycsbkit/drivers/sqldb"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

// lookup reads what the catalogue says of a table.
func lookup(ctx context.Context, q sqldb.Querier, table string) (*sqldb.Table, error) {
	var comment, transactions sql.NullString
	err := q.QueryRowContext(ctx, `SELECT t.TABLE_COMMENT, e.TRANSACTIONS
		FROM information_schema.TABLES t LEFT JOIN information_schema.ENGINES e ON e.ENGINE = t.ENGINE
		WHERE t.TABLE_SCHEMA = DATABASE() AND t.TABLE_NAME = ?`, table).Scan(&comment, &transactions)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // there is no such table
	}
	if err != nil {
		return nil, err
	}
	t := &sqldb.Table{Ours: comment.String == mark, Atomic: transactions.String == "YES"}
	// Generated columns, which cannot be written, are none of a record's fields.
	rows, err := q.QueryContext(ctx, `SELECT COLUMN_NAME, LEAST(CHARACTER_MAXIMUM_LENGTH, CHARACTER_OCTET_LENGTH) FROM information_schema.COLUMNS
		WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND COALESCE(EXTRA, '') NOT REGEXP 'VIRTUAL|STORED|PERSISTENT'
		ORDER BY ORDINAL_POSITION`, table)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var c sqldb.Column
		var bytes sql.NullInt64
		if err := rows.Scan(&c.Name, &bytes); err != nil {
			return nil, err
		}
		c.Bytes = bytes.Int64
		t.Columns = append(t.Columns, c)
	}
	return t, rows.Err()
}

// size returns the size of a table's file if the account may see it, else what the server's
// statistics say. Free space counts unless all tables share a file.
func size(ctx context.Context, q sqldb.Querier, table string) (ycsb.Size, error) {
	s := ycsb.Size{Data: -1}
	var data, index, free sql.NullInt64
	err := q.QueryRowContext(ctx, `SELECT DATA_LENGTH, INDEX_LENGTH, DATA_FREE FROM information_schema.TABLES
		WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?`, table).Scan(&data, &index, &free)
	if err != nil {
		return s, err
	}
	all, err := variables(ctx, q)
	if err != nil {
		return s, err
	}
	if all["innodb_file_per_table"] == "OFF" {
		free.Int64 = 0
	}
	s.Storage, s.Index = data.Int64+index.Int64+free.Int64, index.Int64
	for _, catalogue := range []string{"INNODB_TABLESPACES", "INNODB_SYS_TABLESPACES"} { // of MySQL 8, of MariaDB
		var file sql.NullInt64
		err := q.QueryRowContext(ctx, `SELECT SUM(FILE_SIZE) FROM information_schema.`+catalogue+
			` WHERE NAME = CONCAT(DATABASE(), '/', ?)`, table).Scan(&file)
		if err == nil && file.Int64 > 0 {
			s.Storage = file.Int64
			break
		}
	}
	return s, nil
}

// compact rebuilds a table. The server reports faults as rows.
func compact(ctx context.Context, q sqldb.Querier, table string) error {
	rows, err := q.QueryContext(ctx, "OPTIMIZE TABLE "+quote(table))
	if err != nil {
		return err
	}
	defer rows.Close()
	var errs []error
	for rows.Next() {
		var name, op, kind, text sql.NullString
		if err := rows.Scan(&name, &op, &kind, &text); err != nil {
			return err
		}
		if strings.EqualFold(kind.String, "error") {
			errs = append(errs, fmt.Errorf("optimize table %s: %s", table, text.String))
		}
	}
	return errors.Join(append(errs, rows.Err())...)
}

// What bears on the figures, if the server has it.
var (
	durability = []string{"innodb_flush_log_at_trx_commit", "sync_binlog", "innodb_doublewrite"}
	settings   = []string{
		"innodb_buffer_pool_size", "innodb_log_file_size", "innodb_redo_log_capacity", "innodb_flush_method",
		"innodb_page_size", "log_bin", "max_allowed_packet", "max_connections", "transaction_isolation", "tx_isolation",
		"query_cache_type", "version_compile_machine", "wsrep_on",
	}
)

// describe tells what is measured.
func describe(ctx context.Context, q sqldb.Querier) (ycsb.Info, error) {
	all, err := variables(ctx, q)
	if err != nil {
		return ycsb.Info{}, err
	}
	info := ycsb.Info{
		Product: product(all), Engine: all["default_storage_engine"], Settings: make(map[string]string),
	}
	info.Version, _, _ = strings.Cut(all["version"], "-")
	info.Settings["version"] = all["version"]
	var durable []string
	for _, name := range durability {
		if v, ok := all[name]; ok {
			durable = append(durable, name+"="+v)
		}
	}
	info.Durability = strings.Join(durable, " ")
	for _, name := range settings {
		if v, ok := all[name]; ok {
			info.Settings[name] = v
		}
	}
	info.Topology = "single node"
	if all["wsrep_on"] == "ON" {
		info.Topology = "Galera cluster"
	}
	var engine sql.NullString
	err = q.QueryRowContext(ctx, `SELECT GROUP_CONCAT(DISTINCT ENGINE) FROM information_schema.TABLES
		WHERE TABLE_SCHEMA = DATABASE() AND TABLE_COMMENT = ?`, mark).Scan(&engine)
	if err == nil && engine.String != "" {
		info.Engine = engine.String // of the tables made here
	}
	return info, nil
}

// product returns the name of what speaks MySQL's protocol.
func product(all map[string]string) string {
	for _, name := range []string{"MariaDB", "TiDB", "OceanBase", "Percona", "Vitess"} {
		if strings.Contains(all["version"]+" "+all["version_comment"], name) {
			return name
		}
	}
	return "MySQL"
}

// variables returns the server's variables.
func variables(ctx context.Context, q sqldb.Querier) (map[string]string, error) {
	rows, err := q.QueryContext(ctx, "SHOW VARIABLES")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := make(map[string]string)
	for rows.Next() {
		var name, value sql.NullString
		if err := rows.Scan(&name, &value); err != nil {
			return nil, err
		}
		all[name.String] = value.String
	}
	return all, rows.Err()
}
