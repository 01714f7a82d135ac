//go:build unix

package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFullDisk writes the results to a disk without space: they are not lost.
func TestFullDisk(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip("no device that is always full: ", err)
	}
	for _, tt := range []struct{ exporter, want string }{
		{"ycsb", "[OVERALL], RunTime(ms), "},
		{"ycsb-json", `"metric":"OVERALL"`},
		{"json", `"version": 1,`},
		{"text", "phase       run, "},
	} {
		t.Run(tt.exporter, func(t *testing.T) {
			p, code := run(t, append([]string{"run", "noop", "-P", "workloada", "-seed", "1"},
				assign("exportfile="+full, "exporter="+tt.exporter)...)...)
			stdout := strings.ReplaceAll(p.stdout.String(), `" : "`, `":"`)
			if code != 1 || !strings.Contains(stdout, tt.want) {
				t.Errorf("exit code %d; want 1 and %s on stdout\n%s", code, tt.want, p.output())
			}
			wantOneLine(t, p, "exportfile "+full, "no space left on device", "the results are on stdout")
		})
	}
}

// wantOneLine checks that stderr is one line, with all these texts.
func wantOneLine(t *testing.T, p *process, texts ...string) {
	t.Helper()
	stderr := p.stderr.String()
	if strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "ycsb: ") {
		t.Errorf("%v: want one error\n%s", p.Args, p.output())
	}
	for _, text := range texts {
		if !strings.Contains(stderr, text) {
			t.Errorf("%v: stderr %q; want one with %q", p.Args, stderr, text)
		}
	}
}

// count returns the operations of a series in YCSB's text.
func count(t *testing.T, p *process, series string) int {
	t.Helper()
	m := regexp.MustCompile(`(?m)^\[` + series + `\], Operations, (\d+)$`).FindStringSubmatch(p.stdout.String())
	if m == nil {
		t.Fatalf("%v: no results of %s\n%s", p.Args, series, p.output())
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestInterrupt interrupts phases that would take days: what was measured until then is printed.
func TestInterrupt(t *testing.T) {
	for _, tt := range []struct{ name, args, series string }{
		{"load", "load noop -P workloada -p recordcount=100000000 -target 500", "INSERT"},
		{"load into memory", "load memory -P workloada -p recordcount=100000000 -target 500 -threads 8", "INSERT"},
		{"load into pebble", "load pebble -P workloada -p recordcount=100000000 -target 500 -p pebble.nosync=true", "INSERT"},
		{"run", "run noop -P workloadc -p operationcount=0 -threads 8", "READ"},
		{"paced run", "run noop -P workloadc -p operationcount=100000000 -target 500", "READ"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := command(t, append(strings.Fields(tt.args), "-s", "-p", "status.interval=0.1")...).start()
			p.await(progressed)
			p.interrupt()
			code := p.wait()
			if n := count(t, p, tt.series); code != 130 || n == 0 {
				t.Errorf("exit code %d, %d operations; want 130 and some\n%s", code, n, p.output())
			}
			if want := "interrupted after "; !strings.Contains(p.stderr.String(), want) {
				t.Errorf("stderr does not say %q:\n%s", want, p.stderr.String())
			}
		})
	}
}

// blocked returns a pipe that nobody reads and into which no more fits.
func blocked(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(r.Close(), w.Close()) })
	raw, err := w.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	for !errors.Is(err, syscall.EAGAIN) {
		if rawErr := raw.Write(func(fd uintptr) bool {
			_, err = syscall.Write(int(fd), make([]byte, 1))
			return true
		}); rawErr != nil {
			t.Fatal(rawErr)
		}
	}
	return w
}

// TestSecondInterrupt interrupts a command whose results nobody reads. It waits, and is told a
// second time.
func TestSecondInterrupt(t *testing.T) {
	p := command(t, "run", "noop", "-P", "workloadc", "-s", "-p", "operationcount=0", "-p", "status.interval=0.1")
	p.Stdout = blocked(t)
	p.start()
	p.await(progressed)
	p.interrupt()
	p.await("ending; once more ends at once\n")
	p.interrupt()
	if code := p.wait(); code != 130 {
		t.Errorf("exit code %d; want 130\n%s", code, p.output())
	}
}

// TestSlowTerminal runs with a stderr that takes nothing, though there is a line for every
// operation.
func TestSlowTerminal(t *testing.T) {
	for _, tt := range []struct{ name, args, series string }{
		{"load", "load noop -P workloadc -p recordcount=20000", "INSERT"},
		{"run", "run noop -P workloadc -p operationcount=20000 -threads 8", "READ"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := command(t, append(strings.Fields(tt.args), "-s", "-p", "status.interval=0.01", "-p", "verbose=true")...)
			p.Stderr = blocked(t)
			code := p.start().wait()
			if n := count(t, p, tt.series); code != 0 || n != 20000 {
				t.Errorf("exit code %d, %d operations; want 0, 20000\n%s", code, n, p.output())
			}
			if took := time.Since(p.begun); took > patient/4 {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestFiles runs property files that were written for Java YCSB and go-ycsb.
func TestFiles(t *testing.T) {
	for _, tt := range []struct {
		file     string
		load     int // inserts
		run      int // operations
		idle     []string
		workload string
	}{
		{"java.properties", 500, 400, []string{"db.driver", "db.url", "db.user", "db.passwd", "jdbc.fetchsize", "cassandra.writeconsistencylevel"}, "f"},
		{"go-ycsb.properties", 300, 600, []string{"tidb.instances", "redis.addr", "pg.password", "outputstyle"}, "core"},
	} {
		t.Run(tt.file, func(t *testing.T) {
			file := filepath.Join("testdata", tt.file)
			args := []string{"pebble", "-P", file, "-p", "pebble.dir=" + filepath.Join(t.TempDir(), "store")}
			load := must(t, append([]string{"load"}, args...)...)
			if n := count(t, load, "INSERT"); n != tt.load {
				t.Errorf("%d records loaded; want %d", n, tt.load)
			}
			p := must(t, append([]string{"run", "-format", "text"}, args...)...)
			for _, want := range []string{"run, workload " + tt.workload, strconv.Itoa(tt.run) + " operations"} {
				if !strings.Contains(p.stdout.String(), want) {
					t.Errorf("no %q in\n%s", want, p.stdout.String())
				}
			}
			dry := must(t, append([]string{"run", "--dry-run"}, args...)...)
			warnings := lines(load.stderr.String(), "without effect here: ")
			if len(warnings) != 1 {
				t.Fatalf("%d warnings; want one\n%s", len(warnings), load.output())
			}
			for _, key := range tt.idle {
				if want := key + " (" + file + ":"; !strings.Contains(warnings[0], want) {
					t.Errorf("warning %q does not name %s", warnings[0], want)
				}
			}
			wantNoSecret(t, load.output(), p.output(), dry.output())
		})
	}
}

// secret is the password in all tests.
const secret = "S3cr3t-XYZ"

func wantNoSecret(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(text, secret) {
			t.Errorf("the password shows:\n%s", text)
		}
	}
}

// wantNoFile checks that there is no file of a name.
func wantNoFile(t *testing.T, name string) {
	t.Helper()
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is there, %v", name, err)
	}
}
