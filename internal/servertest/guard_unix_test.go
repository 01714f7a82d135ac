//go:build unix

package servertest

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"testing"
)

// TestGuard tests what happens when a test process ends without stopping its servers.
func TestGuard(t *testing.T) {
	dir := t.TempDir() + "/x"
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	g, err := newGuard(dir)
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command("sleep", "600")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	g.set("gone", 1<<30)
	g.set(dir, server.Process.Pid)
	g.set("gone", 0)
	if err := g.close(); err != nil {
		t.Fatal(err)
	}
	var ee *exec.ExitError
	if err := server.Wait(); !errors.As(err, &ee) {
		t.Errorf("the server ended with %v; want it killed", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the data is still there: %v", err)
	}
}

// TestEndedByItself stops a server that has ended before: its log goes into the error.
func TestEndedByItself(t *testing.T) {
	r := &root{dir: t.TempDir() + "/x"}
	if err := os.Mkdir(r.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var err error
	if r.guard, err = newGuard(r.dir); err != nil {
		t.Fatal(err)
	}
	s := &Server{spec: spec{name: "db"}, root: r, dir: r.dir, log: r.dir + "/log"}
	if s.proc, err = start(exec.Command("/bin/sh", "-c", "echo it broke; exit 3"), s.log); err != nil {
		t.Fatal(err)
	}
	<-s.proc.done
	if err := s.stop(); err == nil || err.Error() != "db ended before it was stopped: exit status 3\nit broke\n" {
		t.Errorf("stop: %v; want the exit status and the log", err)
	}
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
}
