package servertest

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"testing"
	"time"
)

func TestMain(m *testing.M) { Main(m) }

func TestSharedAndPrivate(t *testing.T) {
	a, b, c := MariaDB(t), MariaDB(t), MariaDB(t, Private())
	if a.External != "" {
		t.Skip("the environment names a server")
	}
	if a != b || a == c || a.Addr == c.Addr {
		t.Errorf("servers %p %p %p; want one shared and a private one", a, b, c)
	}
}

func TestFaults(t *testing.T) {
	s := MariaDB(t, Private())
	addr := s.Addr
	s.Kill(t)
	if err := s.answers(); err == nil {
		t.Error("a killed server answers")
	}
	s.Restart(t)
	if err := s.answers(); err != nil || s.Addr != addr {
		t.Errorf("after the restart, at %s: %v; want an answer at %s", s.Addr, err, addr)
	}
	s.Stop(t)
	conn, err := net.Dial("tcp", s.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if err := s.spec.ready(conn); err == nil {
		t.Error("a halted server answers")
	}
	s.Cont(t)
	if err := s.answers(); err != nil {
		t.Errorf("after the halt: %v", err)
	}
}

// TestRestartAfterTheEnd restarts a server that has ended by itself.
func TestRestartAfterTheEnd(t *testing.T) {
	s := MariaDB(t, Private())
	if err := s.proc.signal(os.Kill); err != nil {
		t.Fatal(err)
	}
	<-s.proc.done
	s.Restart(t)
	if err := s.answers(); err != nil {
		t.Errorf("after the restart: %v", err)
	}
}

func TestStopLeavesNothing(t *testing.T) {
	var dir string
	t.Run("server", func(t *testing.T) {
		s := MariaDB(t, Private())
		dir = s.dir
		s.Stop(t)
	})
	if _, err := os.Stat(dir); dir != "" && !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the data of a server that was stopped is still there: %v", err)
	}
}
