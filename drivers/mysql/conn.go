package mysql

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"syscall"
	"time"

	client "github.com/go-sql-driver/mysql"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

// connector makes connections of the client that can be interrupted from outside.
type connector struct {
	config  *client.Config
	timeout time.Duration
}

// Connect connects, and says where to if it cannot.
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	wire := new(wire)
	cc := c.config.Clone()
	cc.DialFunc = func(ctx context.Context, network, addr string) (nc net.Conn, err error) {
		nc, err = new(net.Dialer).DialContext(ctx, network, addr)
		wire.Conn = nc
		return wire, err
	}
	inner, err := client.NewConnector(cc)
	if err != nil {
		return nil, c.redact(err)
	}
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	dc, err := inner.Connect(limited)
	if err == nil {
		full, ok := dc.(fullConn)
		if !ok {
			return nil, errors.Join(errors.New("the client is of an unknown version"), dc.Close())
		}
		return &conn{full, wire}, nil
	}
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case limited.Err() != nil:
		err = fmt.Errorf("no answer within %v: %w", c.timeout, ycsb.ErrUnavailable)
	case errors.Is(err, client.ErrInvalidConn):
		if cause := wire.Err(); cause != nil {
			err = fmt.Errorf("%w: %w", err, cause)
		}
	}
	return nil, fmt.Errorf("%s: %w", c.config.Addr, c.redact(hint(err)))
}

// Driver returns the client's driver.
func (c *connector) Driver() driver.Driver { return client.MySQLDriver{} }

// hint adds to an error what the user can do about it.
func hint(err error) error {
	var me *client.MySQLError
	switch {
	case !errors.As(err, &me):
	case me.Number == errNoDatabase || me.Number == errNotAllowed:
		return fmt.Errorf("%w: create the database, or set mysql.db to another one", err)
	case me.Number == errStatements:
		return fmt.Errorf("%w: raise max_prepared_stmt_count, or set mysql.interpolate=true", err)
	}
	return err
}

// redact blots out the password, should it ever be in an error's text.
func (c *connector) redact(err error) error {
	secret := c.config.Passwd
	if err == nil || secret == "" || !strings.Contains(err.Error(), secret) {
		return err
	}
	return redacted{strings.ReplaceAll(err.Error(), secret, "***"), err}
}

type redacted struct {
	text string
	err  error
}

func (r redacted) Error() string        { return r.text }
func (r redacted) Is(target error) bool { return errors.Is(r.err, target) }
func (r redacted) As(target any) bool   { return errors.As(r.err, target) }

// fullConn is what a connection of the client implements.
type fullConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.NamedValueChecker
	driver.Pinger
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

// conn is a connection of the client, with the one below it.
type conn struct {
	fullConn
	wire *wire
}

// PrepareContext prepares a statement, and says what to do if there may be no more of them.
func (c *conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	st, err := c.fullConn.PrepareContext(ctx, query)
	return st, hint(err)
}

// wire is the connection below one of the client, whose errors hide what happened.
type wire struct {
	net.Conn
	mu  sync.Mutex
	err error // the first one
}

func (w *wire) note(err error) {
	if err == nil {
		return
	}
	w.mu.Lock()
	if w.err == nil {
		w.err = err
	}
	w.mu.Unlock()
}

// Read reads from the connection.
func (w *wire) Read(b []byte) (int, error) {
	n, err := w.Conn.Read(b)
	w.note(err)
	return n, err
}

// Write writes to the connection.
func (w *wire) Write(b []byte) (int, error) {
	n, err := w.Conn.Write(b)
	w.note(err)
	return n, err
}

// SyscallConn lets the client look whether the server has closed an idle connection.
func (w *wire) SyscallConn() (syscall.RawConn, error) {
	sc, ok := w.Conn.(syscall.Conn)
	if !ok {
		return nil, errors.ErrUnsupported
	}
	return sc.SyscallConn()
}

// Interrupt breaks the connection.
func (w *wire) Interrupt() { _ = w.Close() } // nobody could do anything about its error

// Err returns what happened to the connection.
func (w *wire) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}
