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
