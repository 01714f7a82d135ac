//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	patient = 2 * time.Minute // upper bound for what must not take for ever
	poll    = 10 * time.Millisecond
)

// binary is the command, built when a test first asks for it.
var binary struct {
	once sync.Once
	dir  string
	path string
	err  error
}

func TestMain(m *testing.M) {
	var err error
	if binary.dir, err = os.MkdirTemp("", "ycsb-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := os.RemoveAll(binary.dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// build returns the path of the command.
func build(t *testing.T) string {
	t.Helper()
	binary.once.Do(func() {
		binary.path = filepath.Join(binary.dir, "ycsb")
		if out, err := exec.Command("go", "build", "-o", binary.path, ".").CombinedOutput(); err != nil {
			binary.err = fmt.Errorf("go build: %w\n%s", err, out)
		}
	})
	if binary.err != nil {
		t.Fatal(binary.err)
	}
	return binary.path
}

// process is the command as a process. It is killed when it takes longer than anything may.
type process struct {
	*exec.Cmd
	t              *testing.T
	stdout, stderr output
	ctx            context.Context // ends when the process has to be over
	begun          time.Time
	done           chan struct{} // closed when the process is over
}

// command returns the command with arguments, not started yet: the caller may set Stdout and
// Stderr.
func command(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{t: t, done: make(chan struct{})}
	var cancel context.CancelFunc
	p.ctx, cancel = context.WithTimeout(context.Background(), patient)
	t.Cleanup(cancel)
	p.Cmd = exec.CommandContext(p.ctx, build(t), args...)
	p.Stdout, p.Stderr = &p.stdout, &p.stderr
	return p
}

// start starts the process, which ends with the test at the latest.
func (p *process) start() *process {
	p.t.Helper()
	p.begun = time.Now()
	if err := p.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() {
		_ = p.Wait() // its exit code tells
		close(p.done)
	}()
	p.t.Cleanup(func() {
		_ = p.Process.Kill() // if it is not over
		<-p.done
	})
	return p
}

// wait waits for the end of the process and returns the exit code.
func (p *process) wait() int {
	p.t.Helper()
	<-p.done
	if p.ctx.Err() != nil {
		p.t.Fatalf("%v: not over within %v\n%s", p.Args, patient, p.output())
	}
	return p.ProcessState.ExitCode()
}

// run runs the command to its end.
func run(t *testing.T, args ...string) (p *process, code int) {
	t.Helper()
	p = command(t, args...).start()
	return p, p.wait()
}

// must runs the command, which has to succeed.
func must(t *testing.T, args ...string) *process {
	t.Helper()
	p, code := run(t, args...)
	if code != 0 {
		t.Fatalf("%v: exit code %d; want 0\n%s", p.Args, code, p.output())
	}
	return p
}

// await waits until stderr matches an expression.
func (p *process) await(expr string) {
	p.t.Helper()
	for re := regexp.MustCompile(expr); !re.MatchString(p.stderr.String()); {
		select {
		case <-p.done:
			p.t.Fatalf("%v: over before stderr matched %s\n%s", p.Args, expr, p.output())
		case <-time.After(poll):
		}
	}
}

// interrupt does what Ctrl-C does.
func (p *process) interrupt() {
	p.t.Helper()
	if err := p.Process.Signal(os.Interrupt); err != nil {
		p.t.Fatal(err)
	}
}

// output returns all that the process wrote, for the text of an error.
func (p *process) output() string {
	return "stdout:\n" + p.stdout.String() + "stderr:\n" + p.stderr.String()
}

// progressed matches a status line that tells of operations.
const progressed = ` sec: [1-9]\d* operations; `

// output is a buffer that may be read while a process writes to it.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// assign returns properties as arguments.
func assign(properties ...string) []string {
	var args []string
	for _, p := range properties {
		args = append(args, "-p", p)
	}
	return args
}

// lines returns the lines of a text that contain a word.
func lines(text, word string) []string {
	var found []string
	for line := range strings.Lines(text) {
		if strings.Contains(line, word) {
			found = append(found, strings.TrimSuffix(line, "\n"))
		}
	}
	return found
}
