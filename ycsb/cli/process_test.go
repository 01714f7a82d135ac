//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// command returns the command as a process of its own: it is the test's binary.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], args...)
	c.Env = append(os.Environ(), "YCSB_TEST_MAIN=1")
	return c
}

// TestSignals interrupts a process: once, and twice while it hangs.
func TestSignals(t *testing.T) {
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if sig == syscall.SIGHUP && signal.Ignored(sig) {
			continue // the command heeds that, which it inherits
		}
		c := command(t, "run", "noop", "-s", "-p", "operationcount=0", "-target", "1000", "-p", "status.interval=0.1")
		var stdout bytes.Buffer
		c.Stdout = &stdout
		stderr, err := c.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(stderr)
		for lines.Scan() && !strings.Contains(lines.Text(), "READ: Count") {
		}
		if err := c.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		var rest []string
		for lines.Scan() {
			rest = append(rest, lines.Text())
		}
		code := exitCode(t, c.Wait())
		if code != 130 || !strings.Contains(stdout.String(), "[READ], Operations, ") {
			t.Errorf("%v: exit code %d, stdout %q; want 130 and results", sig, code, stdout.String())
		}
		if all := strings.Join(rest, "\n"); !strings.Contains(all, "ending; once more ends at once") || !strings.Contains(all, "ycsb: run interrupted after ") {
			t.Errorf("%v: stderr ends in %q", sig, all)
		}
	}
}

// TestSecondSignal ends a process that would hang for an hour.
func TestSecondSignal(t *testing.T) {
	c := command(t, "run", "hanging", "-p", "operationcount=0", "-p", "readproportion=1")
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() && lines.Text() != "hanging" {
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() && !strings.Contains(lines.Text(), "once more") {
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	if code := exitCode(t, c.Wait()); code != 130 {
		t.Errorf("exit code %d; want 130", code)
	}
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	var e *exec.ExitError
	if err != nil && !errors.As(err, &e) {
		t.Fatal(err)
	}
	return e.ExitCode()
}

// TestTerminal runs the command in a pseudo-terminal, which script of util-linux makes.
func TestTerminal(t *testing.T) {
	script, err := exec.LookPath("script")
	if err != nil {
		t.Skip("no script: ", err)
	}
	if out, err := exec.CommandContext(t.Context(), script, "--version").Output(); err != nil || !bytes.Contains(out, []byte("util-linux")) {
		t.Skip("another script than that of util-linux")
	}
	file := filepath.Join(t.TempDir(), "results")
	run := command(t, "run", "noop", "-seed", "1", "-p", "recordcount=1000", "-p", "maxexecutiontime=1", "-p", "exportfile="+file)
	quoted := make([]string, len(run.Args))
	for i, arg := range run.Args {
		quoted[i] = "'" + arg + "'"
	}
	for _, tt := range []struct {
		name, redirect string
		want           string
	}{
		{"terminal", "", `(?s)\rrun .*%.*\[[#.]*\].*/s .*\r +\r$`},
		{"no terminal", " 2>&1 | cat", `^$`},
		{"status lines", " -s", `^\d{4}-\d\d-\d\d .* \d+ sec: \d+ operations; .*\r\n$`},
	} {
		c := exec.CommandContext(t.Context(), script, "-qec", strings.Join(quoted, " ")+tt.redirect, "/dev/null")
		c.Env = run.Env
		got, err := c.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", tt.name, err, got)
		}
		if !regexp.MustCompile(tt.want).Match(got) {
			t.Errorf("%s: the terminal got %q; want %s", tt.name, got, tt.want)
		}
	}
}
