package sqldb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

var kinds = []error{
	ycsb.ErrNotFound, ycsb.ErrExists, ycsb.ErrConflict, ycsb.ErrTimeout, ycsb.ErrCorrupt, ycsb.ErrUnavailable,
	ycsb.ErrUnsupported,
}

// fault returns err wrapped in the error of package ycsb that it stands for, or as it is where
// there is none.
func (db *DB) fault(err error) error {
	kind := db.kind(err)
	if kind == nil || errors.Is(err, kind) {
		return err
	}
	return fmt.Errorf("%w: %w", kind, err)
}

// kind returns the error of package ycsb that err stands for, nil if none.
func (db *DB) kind(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	for _, k := range kinds {
		if errors.Is(err, k) {
			return k
		}
	}
	if isTimeout(err) {
		return ycsb.ErrTimeout
	}
	if db.dialect.Error != nil {
		if k := db.dialect.Error(err); k != nil {
			return k
		}
	}
	if isBroken(err) {
		return ycsb.ErrUnavailable
	}
	return nil
}

// isTimeout tells whether err is that of a limit which the client sets itself.
func isTimeout(err error) bool {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return true
	}
	var op *net.OpError // a dial that the kernel gives up is an outage
	return errors.As(err, &op) && op.Op != "dial" && op.Timeout()
}

// isBroken tells whether err means that a connection cannot be used any longer.
func isBroken(err error) bool {
	for _, target := range []error{driver.ErrBadConn, sql.ErrConnDone, net.ErrClosed, io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(err, target) {
			return true
		}
	}
	var ne net.Error
	return errors.As(err, &ne)
}

// errUser is an error of a function that was passed in; it goes back as it came.
type errUser struct{ err error }

func (e errUser) Error() string { return e.err.Error() }
