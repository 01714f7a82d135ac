package sqldb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
)

const (
	maxStatements = 128             // kept by a session; random sets of fields could make any number
	rollbackTime  = 5 * time.Second // that a rollback may take, which no context limits
)

var errClosed = errors.New("sqldb: closed")

// session is a connection with its statements. One goroutine at a time uses it.
type session struct {
	db         *DB
	conn       *sql.Conn // nil until connected, and after it broke
	wire       Wire      // of conn, nil if not known
	watch      watch
	statements map[string]*statement
	name       []byte      // scratch of statement
	rec        ycsb.Record // scratch of scans
	order      []int       // scratch of batches
	inTx       bool        // a transaction is open, or was and its connection broke
	lost       error       // why the server has ended the open transaction, nil as long as it has not
	closed     bool
}

// conn is the connection of a worker.
type conn struct {
	session
}

func newConn(db *DB) *conn {
	return &conn{session{db: db, statements: make(map[string]*statement)}}
}

// Close rolls back what is open and returns the connection to the handle.
func (c *conn) Close() error {
	if c.closed {
		return nil
	}
	c.closed = true
	if c.inTx {
		c.drop()
	}
	c.watch.forget()
	err := c.forgetStatements()
	if c.conn != nil {
		err = errors.Join(err, c.conn.Close())
		c.conn = nil
	}
	c.db.release()
	return err
}

// connect gets a connection from the handle.
func (s *session) connect(ctx context.Context) error {
	if s.closed {
		return errClosed
	}
	conn, err := s.db.handle.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", s.db.fault(err))
	}
	s.conn, s.wire, s.watch.interrupt = conn, nil, nil
	if s.db.config.Wire == nil {
		return nil
	}
	err = conn.Raw(func(dc any) error {
		if s.wire = s.db.config.Wire(dc); s.wire != nil {
			s.watch.interrupt = s.wire.Interrupt
		}
		return nil
	})
	if err != nil {
		s.drop()
		return fmt.Errorf("connect: %w", s.db.fault(err))
	}
	return nil
}

// drop closes the connection for good. Errors do not matter: there is nothing more to be had
// from it.
func (s *session) drop() {
	s.watch.forget()
	if s.conn == nil {
		return
	}
	_ = s.conn.Raw(func(any) error { return driver.ErrBadConn }) // closes it, and not only for us
	_ = s.forgetStatements()
	s.conn = nil
}

func (s *session) forgetStatements() error {
	var errs []error
	for name, st := range s.statements {
		errs = append(errs, st.close())
		delete(s.statements, name)
	}
	return errors.Join(errs...)
}

// enter begins an operation: it connects if need be, and returns the context for the client.
// Unless it fails, leave has to follow.
func (s *session) enter(ctx context.Context) (context.Context, error) {
	if s.lost != nil {
		return nil, s.lost
	}
	if s.db.closed.Load() {
		return nil, errClosed
	}
	if s.conn == nil {
		if s.inTx {
			return nil, fmt.Errorf("the transaction's connection broke: %w", ycsb.ErrUnavailable)
		}
		if err := s.connect(ctx); err != nil {
			return nil, err
		}
	}
	bare, err := s.watch.begin(ctx)
	if err != nil && (s.watch.cut || !s.valid()) {
		s.drop()
	}
	return bare, err
}

// leave ends an operation and returns its error as the contract wants it.
func (s *session) leave(err error) error {
	s.watch.end()
	if user, ok := err.(errUser); ok { //nolint:errorlint // never wrapped
		if s.watch.cut || !s.valid() {
			s.drop()
		}
		return user.err
	}
	if s.watch.cut {
		s.drop()
		if err != nil {
			return fmt.Errorf("interrupted: %w", s.watch.ctx.Err())
		}
		return nil
	}
	if err == nil || err == ycsb.ErrNotFound { //nolint:errorlint // the usual case, not wrapped
		// A client that heard of the end of the context just when it was done has broken the
		// connection, which is nothing that the next operation should pay for.
		if s.watch.interrupt == nil && s.watch.ctx.Err() != nil && !s.valid() {
			s.drop()
		}
		return err
	}
	return s.settle(err)
}

// settle returns err as the contract wants it, having dropped the connection if it cannot be
// used any longer.
func (s *session) settle(err error) error {
	if errors.Is(s.db.kind(err), ycsb.ErrUnavailable) {
		err = s.explain(err)
	}
	err = s.db.fault(err)
	if s.endsTx(err) {
		s.lost = err // the server has rolled back: what came next would not be part of a transaction
	}
	if errors.Is(err, ycsb.ErrUnavailable) || !s.valid() {
		s.drop()
	}
	return err
}

// explain adds to the error of a broken connection what broke it.
func (s *session) explain(err error) error {
	if s.wire == nil {
		return err
	}
	if cause := s.wire.Err(); cause != nil && !errors.Is(err, cause) {
		return fmt.Errorf("%w: %w", err, cause)
	}
	return err
}

// valid asks the client whether the connection can still be used.
func (s *session) valid() bool {
	if s.conn == nil {
		return false
	}
	return s.conn.Raw(func(dc any) error {
		if v, ok := dc.(driver.Validator); ok && !v.IsValid() {
			return driver.ErrBadConn
		}
		return nil
	}) == nil
}

// usable tells whether another statement may be sent within the operation that got err.
func (s *session) usable(err error) bool {
	if s.endsTx(s.db.kind(err)) {
		return false
	}
	return !errors.Is(s.db.fault(err), ycsb.ErrUnavailable) && s.watch.state.Load()&3 != interrupted && s.valid()
}

// endsTx tells whether err is one with which servers may end the open transaction: MySQL does at a
// deadlock and, if it is set so, when a lock is waited for too long.
func (s *session) endsTx(err error) bool {
	return s.inTx && (errors.Is(err, ycsb.ErrConflict) || errors.Is(err, ycsb.ErrTimeout))
}

// tx is a transaction of a connection. Transactions of database/sql are not used: each has a
// goroutine, and one more for each of its results.
type tx struct {
	s    *session
	over bool
}

// Begin begins a transaction.
func (c *conn) Begin(ctx context.Context) (ycsb.Tx, error) {
	if c.inTx {
		return nil, errors.New("sqldb: the connection's transaction is still open")
	}
	ctx, err := c.enter(ctx)
	if err != nil {
		return nil, err
	}
	err = c.do(ctx, c.db.dialect.Begin)
	if err := c.leave(err); err != nil {
		return nil, err
	}
	c.inTx = true
	return &tx{s: &c.session}, nil
}

func (t *tx) Read(ctx context.Context, table string, key []byte, fields []string, rec *ycsb.Record) error {
	if t.over {
		return errClosed
	}
	return t.s.Read(ctx, table, key, fields, rec)
}

func (t *tx) Insert(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	if t.over {
		return errClosed
	}
	return t.s.Insert(ctx, table, key, rec)
}

func (t *tx) Update(ctx context.Context, table string, key []byte, rec *ycsb.Record) error {
	if t.over {
		return errClosed
	}
	return t.s.Update(ctx, table, key, rec)
}

func (t *tx) Delete(ctx context.Context, table string, key []byte) error {
	if t.over {
		return errClosed
	}
	return t.s.Delete(ctx, table, key)
}

func (t *tx) Scan(ctx context.Context, table string, start []byte, n int, fields []string,
	each func(key []byte, rec *ycsb.Record) error,
) error {
	if t.over {
		return errClosed
	}
	return t.s.Scan(ctx, table, start, n, fields, each)
}

func (t *tx) Query(ctx context.Context, q ycsb.Query, each func(key []byte, rec *ycsb.Record) error) error {
	if t.over {
		return errClosed
	}
	return t.s.Query(ctx, q, each)
}

func (t *tx) Batch(ctx context.Context, table string, items []ycsb.BatchItem) error {
	if t.over {
		for i := range items {
			items[i].Err = errClosed
		}
		return errClosed
	}
	return t.s.Batch(ctx, table, items)
}

// Commit commits the transaction.
func (t *tx) Commit(ctx context.Context) error {
	if t.over {
		return errClosed
	}
	ctx, err := t.s.enter(ctx)
	if err != nil {
		return err
	}
	if err := t.s.leave(t.s.do(ctx, "COMMIT")); err != nil {
		return err
	}
	t.over, t.s.inTx = true, false
	return nil
}

// Close rolls the transaction back unless it was committed. If the server does not answer, it
// gives up the connection, which comes to the same.
func (t *tx) Close() error {
	if t.over {
		return nil
	}
	t.over, t.s.lost = true, nil
	defer func() { t.s.inTx, t.s.lost = false, nil }()
	if t.s.conn == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), rollbackTime)
	defer cancel()
	bare, err := t.s.enter(ctx)
	if err == nil {
		err = t.s.leave(t.s.do(bare, "ROLLBACK"))
	}
	if err != nil {
		t.s.drop()
	}
	return nil
}

// do executes a statement without parameters.
func (s *session) do(ctx context.Context, text string) error {
	_, err := s.conn.ExecContext(ctx, text)
	return err
}
