// Package servertest starts throwaway database servers for tests: on the loopback interface, on
// a free port, with data in a temporary directory. They end with the test, or with the process
// however it ends.
//
//	func TestMain(m *testing.M) { servertest.Main(m) } // shares servers among the tests
//
//	func TestX(t *testing.T) {
//		s := servertest.MariaDB(t)
//		… s.Addr …
//	}
//
// A server that is not installed skips the test, or fails it where the environment has
// YCSB_REQUIRE_SERVERS=1. Another kind of server is a function like [MariaDB]: it finds a
// binary and fills a spec; the rest is here.
package servertest

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

const (
	startTime = 2 * time.Minute // upper bounds, for slow machines
	stopTime  = time.Minute
)

// Server is a server for tests.
type Server struct {
	// Addr is host:port. It stays the same after a Restart. It is "" when External is not.
	Addr string

	// Socket is the path of the Unix socket, if the server has one.
	Socket string

	// External is what the environment says of a server that was there before the test.
	External string

	spec spec
	dir  string
	root *root
	log  string
	proc *process // nil while it does not run

	halted bool
}

// spec is how a kind of server is run.
type spec struct {
	name   string
	init   func(dir string) error // makes the first data; the directory is then copied for each server
	start  func(s *Server) *exec.Cmd
	ready  func(conn net.Conn) error // asks a server that accepts connections whether it answers
	socket string                    // its file's name in the server's directory
}

// Option changes how a server is started.
type Option func(*options)

type options struct {
	private bool
	flags   []string
}

// Private asks for a server that no other test uses, so that it may be killed.
func Private() Option { return func(o *options) { o.private = true } }

// Flags adds flags to the command line of the server, which is then a private one.
func Flags(flags ...string) Option {
	return func(o *options) {
		o.private = true
		o.flags = append(o.flags, flags...)
	}
}

// shared holds the servers that the tests of a process share, and what servers are made from.
var shared struct {
	sync.Mutex
	main    bool // Main runs
	servers map[string]*Server
	roots   map[string]*root
}

// Main runs the tests, stops the servers that they shared, and exits. Without it every server
// is private.
func Main(m *testing.M) {
	shared.Lock()
	shared.main = true
	shared.Unlock()
	code := m.Run()
	if err := stopShared(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

func stopShared() error {
	shared.Lock()
	defer shared.Unlock()
	var errs []error
	for _, s := range shared.servers {
		errs = append(errs, s.stop())
	}
	for _, r := range shared.roots {
		errs = append(errs, r.close())
	}
	return errors.Join(errs...)
}

// get returns a running server: the shared one or a new one.
func get(t testing.TB, sp spec, o options) *Server {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if !shared.main || o.private {
		s, err := launch(sp)
		if err != nil {
			t.Fatal(err)
		}
		s.root.servers++
		t.Cleanup(func() {
			shared.Lock()
			defer shared.Unlock()
			if err := s.stop(); err != nil {
				t.Error(err)
			}
			if s.root.servers--; s.root.servers == 0 && !shared.main {
				if err := s.root.close(); err != nil {
					t.Error(err)
				}
				delete(shared.roots, sp.name)
			}
		})
		return s
	}
	s := shared.servers[sp.name]
	if s == nil {
		var err error
		if s, err = launch(sp); err != nil {
			t.Fatal(err)
		}
		if shared.servers == nil {
			shared.servers = make(map[string]*Server)
		}
		shared.servers[sp.name] = s
	}
	return s
}

// launch makes the data of a server and starts it.
func launch(sp spec) (*Server, error) {
	r, err := rootOf(sp)
	if err != nil {
		return nil, err
	}
	s := &Server{spec: sp, root: r}
	if s.dir, err = os.MkdirTemp(r.dir, "s"); err != nil {
		return nil, err
	}
	if err := os.CopyFS(filepath.Join(s.dir, "data"), os.DirFS(filepath.Join(r.dir, "new"))); err != nil {
		return nil, err
	}
	s.log = filepath.Join(s.dir, "log")
	if sp.socket != "" {
		s.Socket = filepath.Join(s.dir, sp.socket)
	}
	for try := 0; ; try++ {
		if s.Addr, err = freePort(); err != nil {
			return nil, err
		}
		if err = s.run(); err == nil || try == 2 { // somebody else may have taken the port
			return s, err
		}
	}
}

// freePort returns an address on which nobody listens.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// data is the directory of the server's data.
func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// run starts the process and waits until it answers.
func (s *Server) run() error {
	p, err := start(s.spec.start(s), s.log)
	if err != nil {
		return err
	}
	s.proc, s.halted = p, false
	s.root.guard.set(s.dir, p.cmd.Process.Pid)
	for deadline := time.Now().Add(startTime); ; {
		err := s.answers()
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			s.proc = nil
			s.root.guard.set(s.dir, 0)
			return fmt.Errorf("%s ended at once: %w\n%s", s.spec.name, p.err, s.tail())
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return errors.Join(fmt.Errorf("%s does not answer: %w\n%s", s.spec.name, err, s.tail()), s.kill())
		}
	}
}

// answers returns nil when the server answers.
func (s *Server) answers() error {
	network, addr := "tcp", s.Addr
	if s.Socket != "" { // of nobody else, whoever has taken the port
		network, addr = "unix", s.Socket
	}
	conn, err := net.DialTimeout(network, addr, time.Second)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return err
	}
	return s.spec.ready(conn)
}

// tail returns the end of the server's log.
func (s *Server) tail() string {
	f, err := os.Open(s.log)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	const most = 4 << 10
	if fi, err := f.Stat(); err == nil && fi.Size() > most {
		if _, err := f.Seek(-most, io.SeekEnd); err != nil {
			return err.Error()
		}
	}
	b, err := io.ReadAll(f)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// stop ends the server and removes its data.
func (s *Server) stop() error {
	var err error
	if p := s.proc; p != nil {
		select {
		case <-p.done:
			err = fmt.Errorf("%s ended before it was stopped: %w\n%s", s.spec.name, p.err, s.tail())
		default:
			err = errors.Join(p.signal(resume), p.signal(terminate))
		}
		select {
		case <-p.done:
			s.proc = nil
			s.root.guard.set(s.dir, 0)
		case <-time.After(stopTime):
			err = errors.Join(err, s.kill())
		}
	}
	return errors.Join(err, os.RemoveAll(s.dir))
}

func (s *Server) kill() error {
	p := s.proc
	if p == nil {
		return nil
	}
	if err := p.signal(os.Kill); err != nil {
		return err
	}
	<-p.done
	s.proc = nil
	s.root.guard.set(s.dir, 0)
	return nil
}

// own ends the test unless the server is one that this package started.
func (s *Server) own(t testing.TB) {
	t.Helper()
	if s.External != "" {
		t.Skipf("%s was there before the test, which would have to kill it", s.External)
	}
}

// Kill ends the server at once, as a crash does, and waits until it is gone.
func (s *Server) Kill(t testing.TB) {
	t.Helper()
	s.own(t)
	if err := s.kill(); err != nil {
		t.Fatal(err)
	}
}

// Restart starts the server again, on the same port and with its data, after it was killed or
// killing it.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	s.Kill(t)
	if err := s.run(); err != nil {
		t.Fatal(err)
	}
}

// Stop halts the server, which then neither answers nor breaks connections, until Cont or the
// end of the test. It is started anew then: MariaDB 10.11 may crash when it goes on and finds that
// clients have given up on it.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	s.signal(t, pause)
	s.halted = true
	t.Cleanup(func() {
		if s.halted {
			s.Restart(t)
		}
	})
	for deadline := time.Now().Add(startTime); s.proc != nil && !halted(s.proc.cmd.Process.Pid); {
		if time.Now().After(deadline) {
			t.Fatalf("%s does not halt", s.spec.name)
		}
		time.Sleep(time.Millisecond)
	}
}

// Cont lets a halted server go on.
func (s *Server) Cont(t testing.TB) {
	t.Helper()
	s.signal(t, resume)
	s.halted = false
}

func (s *Server) signal(t testing.TB, sig os.Signal) {
	t.Helper()
	s.own(t)
	if s.proc == nil {
		return
	}
	if err := s.proc.signal(sig); err != nil {
		t.Fatal(err)
	}
}

// process is a running server.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it ended, with err
	err  error
}

func start(cmd *exec.Cmd, log string) (*process, error) {
	f, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	cmd.Stdout, cmd.Stderr = f, f
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, done: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// signal sends sig unless the process is gone.
func (p *process) signal(sig os.Signal) error {
	err := p.cmd.Process.Signal(sig)
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// root is a directory for servers of one kind, with data for a new one.
type root struct {
	dir     string
	guard   *guard
	servers int // private ones
}

// rootOf returns the root of a kind of server, which is made at first.
func rootOf(sp spec) (*root, error) {
	if r := shared.roots[sp.name]; r != nil {
		return r, nil
	}
	dir, err := os.MkdirTemp("", "ycsb-"+sp.name+"-")
	if err != nil {
		return nil, err
	}
	g, err := newGuard(dir)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	r := &root{dir: dir, guard: g}
	first := filepath.Join(dir, "new")
	if err := os.Mkdir(first, 0o700); err != nil {
		return nil, errors.Join(err, r.close())
	}
	if sp.init != nil {
		if err := sp.init(first); err != nil {
			return nil, errors.Join(err, r.close())
		}
	}
	if shared.roots == nil {
		shared.roots = make(map[string]*root)
	}
	shared.roots[sp.name] = r
	return r, nil
}

func (r *root) close() error { return errors.Join(r.guard.close(), os.RemoveAll(r.dir)) }

// find returns the path of the first binary there is, in PATH or where distributions put
// servers, or "".
func find(names ...string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
		for _, dir := range []string{"/usr/sbin", "/usr/local/sbin", "/usr/libexec", "/usr/local/bin", "/opt/homebrew/bin"} {
			if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
				return path
			}
		}
	}
	return ""
}

// missing skips or fails the test because a server is not installed.
func missing(t testing.TB, server, install string) {
	t.Helper()
	text := fmt.Sprintf("%s is not installed: %s", server, install)
	if os.Getenv("YCSB_REQUIRE_SERVERS") == "1" {
		t.Fatal(text)
	}
	t.Skip(text)
}
