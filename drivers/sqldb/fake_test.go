package sqldb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"strings"
	"sync"
)

// fake is a database without data: every SELECT finds one row of empty values, and every other
// statement affects one row.
type fake struct {
	mu      sync.Mutex
	texts   []string // of what was prepared or sent
	conns   int
	room    int             // for prepared statements; 0 is no limit
	held    int             // prepared statements
	connect func(*fakeConn) // called with a new connection
	fail    error           // returned by executions
	hung    chan struct{}   // told of an execution that waits, if somebody listens
	hang    chan struct{}   // executions wait until it or their connection is closed
	after   func(*fakeConn) // called at the end of an execution
}

func (f *fake) Connect(context.Context) (driver.Conn, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.conns++
	c := &fakeConn{f: f, broken: make(chan struct{})}
	if f.connect != nil {
		f.connect(c)
	}
	return c, nil
}
func (f *fake) Driver() driver.Driver { return nil }

func (f *fake) log(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.texts = append(f.texts, text)
}

type fakeConn struct {
	f      *fake
	once   sync.Once
	broken chan struct{}
}

func (c *fakeConn) Interrupt() { c.once.Do(func() { close(c.broken) }) }
func (c *fakeConn) Err() error { return nil }

func (c *fakeConn) IsValid() bool {
	select {
	case <-c.broken:
		return false
	default:
		return true
	}
}

var errFull = errors.New("no room for a statement")

func (c *fakeConn) Prepare(text string) (driver.Stmt, error) {
	c.f.log(text)
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	if c.f.room > 0 && c.f.held >= c.f.room {
		return nil, errFull
	}
	c.f.held++
	return &fakeStmt{c, text}, nil
}
func (c *fakeConn) Close() error              { return nil }
func (c *fakeConn) Begin() (driver.Tx, error) { return nil, errors.New("not used") }

type fakeStmt struct {
	c    *fakeConn
	text string
}

func (s *fakeStmt) NumInput() int { return -1 }

func (s *fakeStmt) Close() error {
	s.c.f.mu.Lock()
	defer s.c.f.mu.Unlock()
	s.c.f.held--
	return nil
}

func (s *fakeStmt) wait() error {
	s.c.f.mu.Lock()
	hang, fail, after := s.c.f.hang, s.c.f.fail, s.c.f.after
	s.c.f.mu.Unlock()
	if after != nil {
		defer after(s.c)
	}
	if hang != nil {
		select {
		case s.c.f.hung <- struct{}{}:
		default:
		}
		select {
		case <-hang:
		case <-s.c.broken:
			return io.ErrUnexpectedEOF
		}
	}
	return fail
}

func (s *fakeStmt) Exec([]driver.Value) (driver.Result, error) {
	return driver.RowsAffected(1), s.wait()
}

func (s *fakeStmt) Query([]driver.Value) (driver.Rows, error) {
	list, _, _ := strings.Cut(s.text, " FROM ")
	return &fakeRows{columns: strings.Split(list, ",")}, s.wait()
}

type fakeRows struct {
	columns []string
	done    bool
}

func (r *fakeRows) Columns() []string { return r.columns }
func (*fakeRows) Close() error        { return nil }
func (r *fakeRows) Next(dest []driver.Value) error {
	if r.done {
		return io.EOF
	}
	r.done = true
	for i := range dest {
		dest[i] = []byte("v")
	}
	return nil
}

func (f *fake) lookup(context.Context, Querier, string) (*Table, error) {
	return &Table{Columns: []Column{{Name: "YCSB_KEY"}, {Name: "a"}, {Name: "b"}}, Atomic: true}, nil
}

func (f *fake) db(watched bool) *DB {
	c := Config{MatchedRows: true}
	if watched {
		c.Wire = func(dc any) Wire { return dc.(Wire) }
	}
	db, err := New(sql.OpenDB(f), Dialect{Name: "fake", Lookup: f.lookup}, c)
	if err != nil {
		panic(err)
	}
	return db
}
