package mysql

import (
	"errors"

	client "github.com/go-sql-driver/mysql"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

const (
	errNotAllowed = 1044 // access to the database, which may not even exist
	errNoDatabase = 1049
	errStatements = 1461 // as many statements are prepared as the server allows
)

// kinds are the errors of package ycsb that the servers' error numbers stand for.
var kinds = map[uint16]error{
	1022: ycsb.ErrExists, // duplicate key in a table
	1062: ycsb.ErrExists, // duplicate entry
	1586: ycsb.ErrExists, // duplicate entry, with the name of the key

	1020: ycsb.ErrConflict, // the record changed since it was read
	1213: ycsb.ErrConflict, // deadlock
	1614: ycsb.ErrConflict, // deadlock, in a distributed transaction
	3101: ycsb.ErrConflict, // rolled back by group replication
	3572: ycsb.ErrConflict, // lock with NOWAIT
	8002: ycsb.ErrConflict, // TiDB: locked rows changed
	8022: ycsb.ErrConflict, // TiDB: commit failed, to be tried again
	8028: ycsb.ErrConflict, // TiDB: the schema changed
	9007: ycsb.ErrConflict, // TiDB: write conflict

	1205: ycsb.ErrTimeout, // lock wait
	1969: ycsb.ErrTimeout, // MariaDB: statement
	3024: ycsb.ErrTimeout, // statement
	9001: ycsb.ErrTimeout, // TiDB: placement driver
	9002: ycsb.ErrTimeout, // TiDB: storage

	1040: ycsb.ErrUnavailable, // too many connections
	1047: ycsb.ErrUnavailable, // Galera: not ready
	1053: ycsb.ErrUnavailable, // shutdown
	1077: ycsb.ErrUnavailable, // shutdown
	1079: ycsb.ErrUnavailable, // shutdown complete
	1152: ycsb.ErrUnavailable, // connection aborted
	1158: ycsb.ErrUnavailable, // network
	1159: ycsb.ErrUnavailable,
	1160: ycsb.ErrUnavailable,
	1161: ycsb.ErrUnavailable,
	1184: ycsb.ErrUnavailable, // connection aborted
	1203: ycsb.ErrUnavailable, // too many connections of a user
	1927: ycsb.ErrUnavailable, // connection killed
	3169: ycsb.ErrUnavailable, // session killed
	4031: ycsb.ErrUnavailable, // disconnected for inactivity
	9003: ycsb.ErrUnavailable, // TiDB: storage is busy
	9005: ycsb.ErrUnavailable, // TiDB: region

	1235: ycsb.ErrUnsupported,
}

// kindOf returns the error of package ycsb that an error of the client stands for, or nil.
func kindOf(err error) error {
	var me *client.MySQLError
	if errors.As(err, &me) {
		return kinds[me.Number]
	}
	if errors.Is(err, client.ErrInvalidConn) {
		return ycsb.ErrUnavailable
	}
	return nil
}

// tooManyStatements tells whether err is that of a server on which no more statements can be
// prepared.
func tooManyStatements(err error) bool {
	var me *client.MySQLError
	return errors.As(err, &me) && me.Number == errStatements
}
