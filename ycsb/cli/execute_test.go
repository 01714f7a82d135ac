package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// TestLabels compares the lines, but for their figures, with those of Java YCSB.
func TestLabels(t *testing.T) {
	_, id := newRecorder(t)
	for _, tt := range []struct {
		golden string
		args   []string
	}{
		{"output-load-hdrhistogram.txt", []string{"load"}},
		{"output-run-hdrhistogram.txt", []string{"run", "-p", "hdrhistogram.percentiles=50,90,95,99,99.9,99.99"}},
	} {
		golden, err := os.ReadFile(filepath.Join("testdata", tt.golden))
		if err != nil {
			t.Fatal(err)
		}
		_, want, _ := strings.Cut(string(golden), "# ---- stdout\n")
		want, _, _ = strings.Cut(want, "# ---- stderr\n")
		got := call(t.Context(), append(tt.args, "recording", "-P", "workloada", "-p", id)...)
		if got.code != 0 {
			t.Fatalf("%s: exit code %d, stderr %s", tt.golden, got.code, got.stderr)
		}
		if g, w := labels(got.stdout), labels(want); !slices.Equal(g, w) {
			t.Errorf("%s: labels %q;\nwant %q", tt.golden, g, w)
		}
	}
}

// labels returns the lines of an output in order, without their figures, and without those of
// single garbage collectors.
func labels(output string) []string {
	var list []string
	for line := range strings.Lines(output) {
		if i := strings.LastIndex(line, ", "); i >= 0 && !strings.Contains(line, "_G1_") {
			list = append(list, line[:i])
		}
	}
	slices.Sort(list)
	return list
}

// TestExitCodes has one command line each, on a loaded table of 100 records.
func TestExitCodes(t *testing.T) {
	fail := errors.New("it broke")
	failFirst := func(times int64, op string, err error) func(context.Context, string, int64) error {
		return func(_ context.Context, name string, n int64) error {
			if name == op && n <= times {
				return err
			}
			return nil
		}
	}
	for _, tt := range []struct {
		name   string
		rec    behaviour
		args   string
		code   int
		stderr string // of the last line
	}{
		{"all well", behaviour{}, "run", 0, "^$"},
		{"three fail", behaviour{op: failFirst(3, "READ", fail)}, "run", 1, `^ycsb: run: 3 failures in 100 operations \(READ ERROR 3\), most often: it broke$`},
		{"three may fail", behaviour{op: failFirst(3, "READ", fail)}, "run --allow-errors 3", 0, `^ycsb: warning: 3 failures in 100 operations \(READ ERROR 3\), most often: it broke, which --allow-errors=3 allows$`},
		{"three per cent may fail", behaviour{op: failFirst(3, "READ", fail)}, "run --allow-errors=3%", 0, `allows$`},
		{"two per cent may fail", behaviour{op: failFirst(3, "READ", fail)}, "run --allow-errors=2%", 1, `^ycsb: run: 3 failures`},
		{"not found is no failure", behaviour{op: failFirst(3, "READ", ycsb.ErrNotFound)}, "run", 0, "^ycsb: warning: 3 of 100 reads found no record: .*$"},
		{"too many fail", behaviour{op: failFirst(100, "READ", fail)}, "run -p maxerrors=7", 1, `^ycsb: run: 7 operations failed, the last one with: it broke$`},
		{"wrong data", behaviour{}, "run -p dataintegrity=true", 1, `^ycsb: run: 100 failures in 100 operations \(VERIFY UNEXPECTED_STATE 100\), most often: record .* wrong data$`},
		{"load into a table with rows", behaviour{}, "load", 2, `^ycsb: table usertable holds 100 rows: .*\(load.append\)`},
		{"append", behaviour{}, "load --append -p insertorder=ordered", 0, "^$"},
		{"empty the table before", behaviour{}, "load -p dropdata=true", 0, "^$"},
		{"a record cannot be inserted", behaviour{op: failFirst(5, "INSERT", fail)}, "load --append -p insertorder=ordered", 1, `^ycsb: load: insert of user[0-9]+, tried 1 times: it broke$`},
		{"records cannot be inserted", behaviour{op: failFirst(5, "INSERT", fail)}, "load --append -p insertorder=ordered -p core_workload_insertion_keep_going_on_error=true", 1, `^ycsb: load: 5 failures in 100 operations \(INSERT ERROR 5\)`},
		{"bench stops when the load fails", behaviour{op: failFirst(5, "INSERT", fail)}, "bench -p load.append=true -p insertorder=ordered", 1, `^ycsb: load: insert of user`},
		{"wrong password", behaviour{open: func(c recordingConfig) error { return fmt.Errorf("user bench, password %s: denied", c.Password) }}, "run -p recording.password=S3cr3t-XYZ", 2, `^ycsb: recording: user bench, password \*\*\*: denied$`},
		{"no connection", behaviour{conn: func() error { return fail }}, "run", 2, `^ycsb: it broke$`},
		{"needs scans", behaviour{}, "run -p scanproportion=1", 2, `^ycsb: workload core needs scans: driver cli has none`},
		{"does not close", behaviour{close: func() error { return fail }}, "run", 1, `^ycsb: close: it broke$`},
		{"panics when it is closed", behaviour{close: func() error { panic("oops") }}, "run", 1, `^ycsb: close: panic: oops$`},
		{"panics", behaviour{op: func(context.Context, string, int64) error { panic("oops") }}, "run -threads 2", 1, `(?m)^ycsb: run: panic: oops$`},
		{"inserts", behaviour{}, "run -p readproportion=0 -p insertproportion=1", 0, `^ycsb: records were inserted: go on with recordcount=200$`},
		{"inserts of records that are there", behaviour{}, "run -p readproportion=0 -p insertproportion=1 -p recordcount=90", 1, `(?m)^ycsb: warning: 10 inserts found a record with their key: .*\nycsb: records were inserted: go on with recordcount=190\nycsb: run: 10 failures`},
		{"more threads than operations", behaviour{}, "run -threads 8 -p operationcount=3", 0, "^$"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, id := newRecorder(t)
			base := []string{"recording", "-seed", "1", "-p", id, "-p", "recordcount=100", "-p", "operationcount=100", "-p", "updateproportion=0", "-p", "readproportion=1"}
			if got := call(t.Context(), append([]string{"load"}, base...)...); got.code != 0 {
				t.Fatalf("load: %+v", got)
			}
			r.done.Store(0)
			r.behaviour = tt.rec
			args := strings.Fields(tt.args)
			got := call(t.Context(), append(append(args[:1:1], base...), args[1:]...)...)
			lines := strings.Split(strings.TrimSuffix(got.stderr, "\n"), "\n")
			last := lines[len(lines)-1]
			if strings.HasPrefix(tt.stderr, "(?m)") {
				last = got.stderr
			}
			if got.code != tt.code || !regexp.MustCompile(tt.stderr).MatchString(last) {
				t.Errorf("exit code %d; want %d; stderr:\n%s\nwant %s", got.code, tt.code, got.stderr, tt.stderr)
			}
			if (got.stdout == "") != (tt.code == 2) {
				t.Errorf("exit code %d with stdout %q", got.code, got.stdout)
			}
			if strings.Contains(got.stdout+got.stderr, "S3cr3t") {
				t.Errorf("a secret is shown: %+v", got)
			}
			if strings.Contains(tt.args, "operationcount=3") && r.done.Load() != 3 {
				t.Errorf("%d operations; want 3", r.done.Load())
			}
		})
	}
}

// TestTime has what depends on time, on a clock that only goes when everybody waits. An
// operation takes 100 ms, a load has 100 of them.
func TestTime(t *testing.T) {
	for _, tt := range []struct {
		name, args string
		op         func(context.Context, string, int64) error
		close      func() error
		code       int
		took       time.Duration
		stderr     string
	}{
		{name: "run until its time", args: "run -p maxexecutiontime=1.95", took: 2 * time.Second}, // the last operation ends
		{
			name: "operations that are cut off", args: "run -p maxexecutiontime=1.75", code: 1, took: 1940 * time.Millisecond, op: hangs(17),
			stderr: "ycsb: warning: 17 of 18 reads found no record: does the table hold what the properties say?\n" +
				"ycsb: run: 1 failures in 18 operations (READ CANCELLED 1)\n",
		},
		{
			name: "operations that may be cut off", args: "run -p maxexecutiontime=1.75 -allow-errors 1", took: 1940 * time.Millisecond, op: hangs(17),
			stderr: "ycsb: warning: 17 of 18 reads found no record: does the table hold what the properties say?\n" +
				"ycsb: warning: 1 failures in 18 operations (READ CANCELLED 1), which --allow-errors=1 allows\n",
		},
		{name: "run until its operations", args: "run -p operationcount=7 -p maxexecutiontime=2", took: 700 * time.Millisecond},
		{name: "warm-up", args: "run -p operationcount=7 -p warmuptime=1", took: 1700 * time.Millisecond},
		{
			name: "load that runs out of time", args: "load -p maxexecutiontime=2 -p recording.wait=90", code: 1, took: 2070 * time.Millisecond,
			stderr: "ycsb: load: incomplete: 23 of 100 records\n",
		},
		{name: "the time is for the run of a bench", args: "bench -P a -p operationcount=10000 -p maxexecutiontime=1.95 -target 5", took: 11950 * time.Millisecond},
		{
			name: "operations that do not come back", args: "run -p maxexecutiontime=2", code: 1, took: 2*time.Second + 5*time.Second + 100*time.Millisecond,
			op:     func(context.Context, string, int64) error { time.Sleep(time.Hour); return nil },
			stderr: "ycsb: run: 1 operations did not come back within 5s\n",
		},
		{
			name: "a database that does not close", args: "run -p operationcount=1", code: 1, took: 100*time.Millisecond + closeTime,
			close:  func() error { time.Sleep(time.Hour); return nil },
			stderr: "ycsb: close: the database did not close within 10s\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, id := newRecorder(t)
			r.op, r.close = tt.op, tt.close
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				command, args, _ := strings.Cut(tt.args, " ")
				base := []string{command, "recording", "-seed", "1", "-p", id, "-p", "recordcount=100", "-p", "recording.wait=100"}
				got := call(t.Context(), append(base, strings.Fields(args)...)...)
				if took := time.Since(start); took < tt.took || took > tt.took+150*time.Millisecond {
					t.Errorf("took %v; want %v", took, tt.took)
				}
				stderr := strings.ReplaceAll(got.stderr, "ycsb: warning: no read found a record: was the table loaded?\n", "")
				if got.code != tt.code || stderr != tt.stderr || got.stdout == "" {
					t.Errorf("exit code %d, stdout %q, stderr %q; want %d, results, %q", got.code, got.stdout, stderr, tt.code, tt.stderr)
				}
				time.Sleep(2 * time.Hour) // those that were left behind come back
			})
		})
	}
}

// hangs returns what operations do that hang until they are told to end, but for the first n.
func hangs(n int64) func(context.Context, string, int64) error {
	return func(ctx context.Context, _ string, i int64) error {
		if i <= n {
			return nil
		}
		<-ctx.Done()
		return ctx.Err()
	}
}

// TestTargetNotReached has a target of twice what the database does.
func TestTargetNotReached(t *testing.T) {
	for _, tt := range []struct{ props, want string }{
		{"openloop=false", "20 operations a second were due, 11 were done, 0 were dropped"},
		{"openloop=true", "20 operations a second were due, 10 were done, 49 were dropped"},
	} {
		r, id := newRecorder(t)
		r.op = func(context.Context, string, int64) error { return nil }
		synctest.Test(t, func(t *testing.T) {
			got := call(t.Context(), "run", "recording", "-P", "c", "-seed", "1", "-target", "20", "-p", "operationcount=0",
				"-p", id, "-p", "recording.wait=90", "-p", "maxexecutiontime=4.94", "-p", tt.props)
			if want := "ycsb: warning: the target was not reached: " + tt.want + "\n"; got.code != 0 || !strings.Contains(got.stderr, want) {
				t.Errorf("%s: exit code %d, stderr %q; want 0, %q", tt.props, got.code, got.stderr, want)
			}
		})
	}
}

// TestInterruptedInserts tells with what to go on.
func TestInterruptedInserts(t *testing.T) {
	r, id := newRecorder(t)
	ctx, cancel := context.WithCancel(t.Context())
	r.op = func(_ context.Context, _ string, n int64) error {
		if n == 5 {
			cancel()
		}
		return nil
	}
	got := call(ctx, "run", "recording", "-seed", "1", "-p", id, "-p", "recordcount=100", "-p", "operationcount=0", "-p", "readproportion=0",
		"-p", "updateproportion=0", "-p", "insertproportion=1")
	if want := `^ycsb: records were inserted: go on with recordcount=\d+\nycsb: run interrupted after \d+ operations\n$`; got.code != 130 || !matches(want, got.stderr) {
		t.Errorf("exit code %d, stderr %q; want 130, %s", got.code, got.stderr, want)
	}
}

// TestTemporary warns of records that nobody will find.
func TestTemporary(t *testing.T) {
	for _, tt := range []struct {
		args string
		want bool
	}{
		{"load memory", true},
		{"run memory", true},
		{"bench memory", false},
		{"load noop", false},
	} {
		got := call(t.Context(), append(strings.Fields(tt.args), "-P", "a", "-seed", "1")...)
		if told := strings.Contains(got.stderr, "what is stored by driver memory ends with this command"); told != tt.want || got.code != 0 {
			t.Errorf("%s: exit code %d, stderr %q; want 0 and a warning: %v", tt.args, got.code, got.stderr, tt.want)
		}
	}
}

// short is a workload of five steps.
type short struct{ steps int }

func (*short) Schema() ycsb.Schema { return ycsb.Schema{} }

func (s *short) NewWorker(*ycsb.Client) (ycsb.Worker, error) { return s, nil }

func (*short) Load(context.Context) error { return ycsb.ErrDone }

func (s *short) Run(context.Context) error {
	if s.steps++; s.steps > 5 {
		return ycsb.ErrDone
	}
	return nil
}

// TestEndedEarly has a workload whose workers have no more work before the end.
func TestEndedEarly(t *testing.T) {
	a := &App{Workloads: map[string]func(*properties.Properties) (ycsb.Workload, error){
		"short": func(*properties.Properties) (ycsb.Workload, error) {
			return new(short), nil
		},
	}}
	for _, tt := range []struct {
		props string
		code  int
	}{
		{"operationcount=9", 1},
		{"operationcount=5", 0},
		{"maxexecutiontime=60", 1},
		{"operationcount=0", 0},
	} {
		got := callApp(t.Context(), a, "run", "noop", "-p", "workload=short", "-p", tt.props)
		if got.code != tt.code || (tt.code == 1) != strings.Contains(got.stderr, "ycsb: run: ended early, after 5 operations in ") {
			t.Errorf("%s: exit code %d, stderr %q; want %d", tt.props, got.code, got.stderr, tt.code)
		}
	}
}

// TestInterrupt cancels a phase under way: what was measured is printed, all of it.
func TestInterrupt(t *testing.T) {
	for _, command := range []string{"load", "run", "bench"} {
		t.Run(command, func(t *testing.T) {
			r, id := newRecorder(t)
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(2*time.Second+50*time.Millisecond, cancel)
				file := filepath.Join(t.TempDir(), "results")
				got := call(ctx, command, "recording", "-P", "a", "-seed", "1", "-threads", "3", "-p", "recordcount=1000", "-p", "operationcount=0",
					"-p", id, "-p", "recording.wait=100", "-format", "ycsb", "-p", "exportfile="+file)
				var sum int64
				for _, m := range regexp.MustCompile(`(?m)^\[[A-Z]+\], Return=\w+, (\d+)$`).FindAllStringSubmatch(got.stdout, -1) {
					n, err := strconv.ParseInt(m[1], 10, 64)
					if err != nil {
						t.Fatal(err)
					}
					sum += n
				}
				if done := r.done.Load(); got.code != 130 || sum != done || done < 60 {
					t.Errorf("exit code %d, %d outcomes printed, %d operations done; want 130 and the same", got.code, sum, done)
				}
				phase := strings.Replace(command, "bench", "load", 1)
				if want := `^ycsb: ` + phase + ` interrupted after \d+ operations\n$`; !matches(want, got.stderr) {
					t.Errorf("stderr %q; want %s", got.stderr, want)
				}
				if b, err := os.ReadFile(file); err != nil || string(b) != got.stdout {
					t.Errorf("export file: %q, %v; want what is on stdout", b, err)
				}
			})
		})
	}
}

func TestInterruptedBefore(t *testing.T) {
	_, id := newRecorder(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := call(ctx, "load", "recording", "-p", id)
	if got.code != 130 || got.stdout != "" {
		t.Errorf("exit code %d, stdout %q; want 130, nothing", got.code, got.stdout)
	}
}

func TestExportFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "results")
	read := func() string {
		b, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return string(b)
	}
	_, id := newRecorder(t)
	args := []string{"noop", "-seed", "1", "-p", "exportfile=" + name}

	if got := call(t.Context(), "load", "recording", "-p", id, "-p", "recording.id=missing", "-p", "exportfile="+name); got.code != 2 || read() != "" {
		t.Errorf("a database that does not open: %+v, file %q; want exit code 2, no file", got, read())
	}
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Stat = %v; want no file", err)
	}
	if got := call(t.Context(), append([]string{"load"}, args...)...); got.code != 0 || got.stdout != "" || !strings.HasPrefix(read(), "[OVERALL], ") {
		t.Errorf("load: %+v, file %.40q; want results in the file alone", got, read())
	}
	if got := call(t.Context(), "load", "recording", "-p", "recording.id=missing", "-p", "exportfile="+name); got.code != 2 || !strings.HasPrefix(read(), "[OVERALL], ") {
		t.Errorf("a database that does not open: %+v, file %.40q; want exit code 2, the file as it was", got, read())
	}
	if got := call(t.Context(), append([]string{"load", "-p", "exporter=json"}, args...)...); got.code != 0 || !json.Valid([]byte(read())) {
		t.Errorf("exporter=json: %+v, file %.40q; want JSON", got, read())
	}
	if got := call(t.Context(), append([]string{"load", "-format", "text"}, args...)...); !strings.HasPrefix(got.stdout, "phase ") || !strings.HasPrefix(read(), "phase ") {
		t.Errorf("format text: %+v, file %.40q; want text in both", got, read())
	}
	if got := call(t.Context(), append([]string{"load", "-format", "text", "-p", "exporter=ycsb"}, args...)...); !strings.HasPrefix(got.stdout, "phase ") || !strings.HasPrefix(read(), "[OVERALL], ") {
		t.Errorf("format text, exporter ycsb: %+v, file %.40q; want text and YCSB's lines", got, read())
	}
	if got := call(t.Context(), append([]string{"bench"}, args...)...); !strings.HasPrefix(got.stdout, "phase ") || strings.Count(read(), "[OVERALL], RunTime") != 1 || strings.Contains(read(), "[INSERT]") {
		t.Errorf("bench: %+v, file %.40q; want text, and YCSB's lines of the run", got, read())
	}

	if err := os.Symlink(name, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if got := call(t.Context(), "load", "noop", "-p", "exportfile="+filepath.Join(dir, "link"), "-p", "exporter=text"); got.code != 0 || !strings.HasPrefix(read(), "phase ") {
		t.Errorf("through a link: %+v, file %.40q", got, read())
	}
}

// TestResultsAreNotLost has places that take no results.
func TestResultsAreNotLost(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no full device")
	}
	got := call(t.Context(), "load", "noop", "-P", "a", "-seed", "1", "-p", "exportfile=/dev/full")
	if got.code != 1 || !strings.HasPrefix(got.stdout, "[OVERALL], ") ||
		got.stderr != "ycsb: exportfile /dev/full: write /dev/full: no space left on device: the results are on stdout\n" {
		t.Errorf("%+v; want exit code 1, the results on stdout and an error", got)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	err = Run(t.Context(), []string{"load", "noop"}, full, io.Discard)
	if ExitCode(err) != 1 || !strings.Contains(fmt.Sprint(err), "results: ") {
		t.Errorf("stdout is full: %v; want an error with code 1", err)
	}
}

// TestSecrets lets a driver betray its password wherever it can.
func TestSecrets(t *testing.T) {
	for _, password := range []string{"S3cr3t-XYZ", "p#/ @:x", "abc", "correct1horse22battery"} {
		for _, args := range []string{
			"run", "run -format json", "run -format text", "run -p silence=false", "run -p verbose=true", "run -s", "run --dry-run",
			"run -p recording.port=x", "run -p maxerrors=1", "bench -p load.append=true -format json", "run -p recording.host=" + "%",
		} {
			r, id := newRecorder(t)
			r.op = func(context.Context, string, int64) error { return fmt.Errorf("denied: %s, %q", password, password) }
			list := append(strings.Fields(args), "recording", "-P", "a", "-p", id, "-p", "recording.password="+password, "-p", "mysql.password="+password,
				"-p", "mongodb.url=mongodb://bench:"+password+"@host/x")
			got := call(t.Context(), list...)
			word := regexp.MustCompile(`(^|\W)` + regexp.QuoteMeta(password) + `($|\W)|SNcrNt|correct.*horse`)
			if word.MatchString(got.stdout + got.stderr) {
				t.Errorf("%s with password %s: exit code %d\n%s%s", args, password, got.code, got.stdout, got.stderr)
			}
		}
	}
}

func TestHide(t *testing.T) {
	p := properties.New()
	p.Set("x.password", "hunter22")
	p.Set("x.url", "mongodb://bob:p%40ss-word@host/db")
	p.Set("x.dsn", "root:top-secret@tcp(host)/db")
	p.Set("x.conn", "host=h password=in-the-middle dbname=d")
	p.Set("x.token", "ab")
	p.Set("x.secret", `with "quotes"`)
	p.Set("x.allow_password", "true")
	p.Set("y.key", "known-by-tag")
	s := secretsOf(p, map[string]bool{"y.key": true})
	for _, tt := range []struct{ in, want string }{
		{"login hunter22 failed", "login *** failed"},
		{"loginhunter22failed", "login***failed"},
		{"mongodb://bob:p%40ss-word@host/db", "***"},
		{"bob:p%40ss-word, p@ss-word", "bob:***, ***"},
		{"root:top-secret@tcp(host)/db", "***"},
		{"access for root with top-secret", "access for root with ***"},
		{"password in-the-middle", "password ***"},
		{"ab cab aba ab,ab", "*** cab aba ***,***"},
		{"it is true", "it is true"},
		{"known-by-tag", "***"},
		{fmt.Sprintf("%q", `with "quotes"`), `"***"`},
		{"", ""},
	} {
		if got := s.hide(tt.in); got != tt.want {
			t.Errorf("hide(%q) = %q; want %q", tt.in, got, tt.want)
		}
	}
}

func TestVerbose(t *testing.T) {
	r, id := newRecorder(t)
	r.op = func(_ context.Context, _ string, n int64) error {
		if n == 2 {
			return errors.New("it broke")
		}
		return nil
	}
	for _, tt := range []struct{ setting, want string }{
		{"silence=true", `^ycsb: warning: 2 of 3 reads .*\nycsb: run: 1 failures`},
		{"silence=false", `^READ: \S+: it broke\nycsb: warning: 2 of 3 reads .*\nycsb: run: 1 failures`},
		{"verbose=true", `^READ: \S+: ycsb: not found\nREAD: \S+: it broke\nREAD: \S+: ycsb: not found\nCLEANUP: \S+: ok\nycsb: warning: 2 of 3 reads .*\nycsb: run: 1 failures`},
	} {
		r.done.Store(0)
		got := call(t.Context(), "run", "recording", "-P", "a", "-p", id, "-p", "readproportion=1", "-p", "updateproportion=0", "-p", "operationcount=3", "-seed", "1", "-p", tt.setting)
		if !matches(tt.want, dropNotFound(tt.setting, got.stderr)) {
			t.Errorf("%s: stderr %q; want %s", tt.setting, got.stderr, tt.want)
		}
	}
}

// dropNotFound removes the lines of reads that find nothing where they are not asked for.
func dropNotFound(setting, stderr string) string {
	if setting == "silence=false" {
		return regexp.MustCompile(`(?m)^READ: \S+: ycsb: not found\n`).ReplaceAllString(stderr, "")
	}
	return stderr
}

// blocked is a writer that takes nothing until it is released.
type blocked chan struct{}

func (b blocked) Write(p []byte) (int, error) {
	<-b
	return len(p), nil
}

// TestSlowStderr has a terminal that was stopped: the run takes as long as without it.
func TestSlowStderr(t *testing.T) {
	_, id := newRecorder(t)
	synctest.Test(t, func(t *testing.T) {
		stderr := make(blocked)
		defer close(stderr)
		var stdout bytes.Buffer
		start := time.Now()
		var results time.Time
		err := Run(t.Context(), []string{
			"run", "recording", "-s", "-p", id, "-p", "recording.wait=70", "-p", "maxexecutiontime=20",
			"-p", "status.interval=2", "-p", "verbose=true",
		}, writerFunc(func(p []byte) (int, error) {
			results = time.Now()
			return stdout.Write(p)
		}), stderr)
		if err != nil {
			t.Error(err)
		}
		if m := regexp.MustCompile(`RunTime\(ms\), (\d+)\n`).FindStringSubmatch(stdout.String()); m == nil || len(m[1]) != 5 || m[1][:2] != "20" {
			t.Errorf("the run took %q ms; want 20000", m)
		}
		if took := results.Sub(start); took < 20*time.Second || took > 20*time.Second+consoleGrace+time.Second {
			t.Errorf("the results came after %v; want at most %v more than 20s", took, consoleGrace)
		}
	})
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
