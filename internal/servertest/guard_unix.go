//go:build unix

package servertest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
)

var (
	pause     os.Signal = syscall.SIGSTOP
	resume    os.Signal = syscall.SIGCONT
	terminate os.Signal = syscall.SIGTERM
)

// halted tells whether all threads of a process have stopped: the signal takes a moment. Without
// a /proc it is taken to be so.
func halted(pid int) bool {
	stats, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid)) // the pattern is good
	for _, name := range stats {
		b, err := os.ReadFile(name)
		if i := bytes.LastIndexByte(b, ')'); err == nil && i >= 0 && !bytes.HasPrefix(b[i:], []byte(") T")) {
			return false
		}
	}
	return true
}

// guard is a shell that outlives the test process, to kill the servers by their process ids and
// to remove their data, should the process end without having done so. It hears of that by the
// end of its input, which no signal to the process or its group can prevent.
type guard struct {
	mu   sync.Mutex
	in   io.WriteCloser
	cmd  *exec.Cmd
	pids map[string]int
}

// Each line of its input replaces the process ids. It is done when the directory is gone.
const guardScript = `trap '' HUP INT QUIT TERM
pids=
while read -r line; do pids=$line; done
for pid in $pids; do kill -9 "$pid"; done 2>/dev/null
rm -rf -- "$1"
`

func newGuard(dir string) (*guard, error) {
	g := &guard{cmd: exec.Command("/bin/sh", "-c", guardScript, "sh", dir), pids: make(map[string]int)}
	in, err := g.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	g.in = in
	if err := g.cmd.Start(); err != nil {
		return nil, err
	}
	return g, nil
}

// set says which process serves dir; 0 is none.
func (g *guard) set(dir string, pid int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.pids, dir)
	if pid != 0 {
		g.pids[dir] = pid
	}
	line := ""
	for _, p := range g.pids {
		line += fmt.Sprint(p, " ")
	}
	_, _ = fmt.Fprintln(g.in, line) // without it the server still ends with its test
}

// close ends the shell, which kills what is left.
func (g *guard) close() error { return errors.Join(g.in.Close(), g.cmd.Wait()) }
