package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// enough is a property file that is right.
const enough = "recordcount=10\noperationcount=10\n"

// TestBadInput has one bad setting each, on line 3 of a file: each is one error, before
// anything was opened.
func TestBadInput(t *testing.T) {
	for _, tt := range []struct{ setting, want string }{
		{"recordcount=abc", `recordcount=abc: not a whole number`},
		{"recordcount=1,000", `recordcount=1,000: not a whole number`},
		{"recordcount=-1", `recordcount=-1: must be at least 1`},
		{"recordcount=0", `recordcount=0: must be at least 1`},
		{"recordcount=", `recordcount=: `},
		{"recordcount=99999999999999999999", `recordcount=99999999999999999999: `},
		{"operationcount=-1", `operationcount=-1: must be at least 0`},
		{"operationcount=1e3", `operationcount=1e3: not a whole number`},
		{"threadcount=0", `threadcount=0: must be at least 1`},
		{"threadcount=-4", `threadcount=-4: must be at least 1`},
		{"threadcount=2000000", `threadcount=2000000: must be at most 1048576`},
		{"target=NaN", `target=NaN: `},
		{"target=-1", `target=-1: must be at least 0`},
		{"target=Inf", `target=Inf: `},
		{"target=1e10", `target=1e10: must be at most 1e9`},
		{"target=1e-400", `target=1e-400: too small to be told from 0`},
		{"openloop=true", `openloop=true: an open loop needs a target rate`},
		{"status.interval=0", `status.interval=0: must be at least 0.001`},
		{"status.interval=0.0001", `status.interval=0.0001: must be at least 0.001`},
		{"maxexecutiontime=-1", `maxexecutiontime=-1: must be at least 0`},
		{"maxexecutiontime=1e-12", `maxexecutiontime=1e-12: not a duration`},
		{"maxexecutiontime=0.1ns", `maxexecutiontime=0.1ns: finer than a nanosecond`},
		{"warmuptime=x", `warmuptime=x: `},
		{"grace=0", `grace=0: must be more than 0`},
		{"seed=-1", `seed=-1: `},
		{"maxerrors=-1", `maxerrors=-1: must be at least 0`},
		{"dropdata=maybe", `dropdata=maybe: `},
		{"status=2", `status=2: `},
		{"fieldcount=0", `fieldcount=0: must be at least 1`},
		{"fieldlength=0", `fieldlength=0: must be at least 1`},
		{"fieldlengthdistribution=normal", `fieldlengthdistribution=normal: must be one of `},
		{"fieldlengthdistribution=histogram", `fieldlengthhistogram: open hist.txt: `},
		{"insertstart=10", `insertstart=10: insertstart 10 leaves nothing of recordcount 10`},
		{"insertcount=11", `insertcount=11: insertstart 0 and insertcount 11 exceed recordcount 10`},
		{"minscanlength=1001", `minscanlength=1001: minscanlength 1001 exceeds maxscanlength 1000`},
		{"readproportion=-1", `readproportion=-1: must be at least 0`},
		{"readproportion=NaN", `readproportion=NaN: `},
		{"readproportion=0", `readproportion=0: all proportions are 0: nothing to do`}, // with line 4
		{"hotspotdatafraction=1.5", `hotspotdatafraction=1.5: must be at most 1`},
		{"hotspotopnfraction=-0.5", `hotspotopnfraction=-0.5: must be at least 0`},
		{"exponential.percentile=100", `exponential.percentile=100: must be less than 100`},
		{"exponential.frac=0", `exponential.frac=0: must be more than 0`},
		{"requestdistribution=zipfain", `requestdistribution=zipfain: must be one of .* \(did you mean zipfian\?\)`},
		{"scanlengthdistribution=x", `scanlengthdistribution=x: must be one of `},
		{"insertorder=x", `insertorder=x: must be one of `},
		{"keyhash=x", `keyhash=x: must be one of `},
		{"workload=site.ycsb.workloads.RestWorkload", `workload=site.ycsb.workloads.RestWorkload: unknown workload: have core`},
		{"exporter=xml", `exporter=xml: unknown exporter: have `},
		{"measurementtype=timeseries", `measurementtype=timeseries: not available in this version: have hdrhistogram, with -p measurementtype=hdrhistogram`},
		{"measurement.interval=always", `measurement.interval=always: `},
		{"measurement.interval=0", `measurement.interval=0: want one of op, intended, both, or go-ycsb's seconds, at least 1`},
		{"latencytrackederrors=ERROR,NOPE", `latencytrackederrors=ERROR,NOPE: item 2: must be one of NOT_FOUND, .*, BAD_REQUEST, `},
		{"hdrhistogram.percentiles=50,101", `hdrhistogram.percentiles=50,101: item 2: must be at most 100`},
		{"exportfile=no/such/directory/file", `exportfile=no/such/directory/file: .*no such file or directory`},
		{"exportfile=.", `exportfile=.: is a directory`},
		{"readpropotion=1", `readpropotion: unknown key \(did you mean readproportion\?\)`},
		{"ReadProportion=1", `ReadProportion: unknown key \(did you mean readproportion\?\)`},
		{"something.else=1", `something.else: unknown key`},
		{"recording.port=0", `recording.port=0: must be at least 1`},
		{"recording.prot=1", `recording.prot: unknown key \(did you mean recording.port\?\)`},
		{"recording.mode=slow", `recording.mode=slow: must be one of fast, safe`},
		{`fieldnameprefix=\u12`, `malformed escape`},
	} {
		t.Run(tt.setting, func(t *testing.T) {
			r, id := newRecorder(t)
			text := enough + tt.setting + "\n"
			if tt.setting == "readproportion=0" {
				text += "updateproportion=0\n"
			}
			file := write(t, "bad.properties", text)
			got := call(t.Context(), "run", "recording", "-P", file, "-p", id)
			where := regexp.QuoteMeta(file) + ":3: "
			if strings.HasPrefix(tt.want, "fieldlengthhistogram") { // nobody set it
				where = ""
			}
			want := "^ycsb: " + where + tt.want + "[^\n]*\n$"
			if got.code != 2 || got.stdout != "" || !matches(want, got.stderr) {
				t.Errorf("exit code %d, stdout %q, stderr %q; want 2, nothing, %s", got.code, got.stdout, got.stderr, want)
			}
			if n := r.opened.Load(); n != 0 {
				t.Errorf("the database was opened %d times", n)
			}
		})
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	file := write(t, "bad.properties", "recordcount=x\nrecording.port=y\ntable=t\nreadpropotion=1\nhdrhistogram.percentiles=z\n")
	got := call(t.Context(), "run", "recording", "-P", file, "-P", "missing", "-threads", "0", "-p", "noequals",
		"-format", "f", "-p", "exporter=e", "-p", "exportfile=/", "-p", "openloop=true")
	want := []string{
		`-p "noequals": want KEY=VALUE`,
		"open missing: no such file or directory",
		"-threads: threadcount=0: must be at least 1",
		file + ":5: hdrhistogram.percentiles=z: item 1: not a number",
		"-p: exporter=e: unknown exporter",
		"-p: exportfile=/: is a directory",
		"--format=f: unknown format",
		file + ":1: recordcount=x: not a whole number",
		file + ":2: recording.port=y: not a whole number",
		file + ":4: readpropotion: unknown key (did you mean readproportion?)",
	}
	lines := strings.Split(strings.TrimSuffix(got.stderr, "\n"), "\n")
	if got.code != 2 || len(lines) != len(want) {
		t.Fatalf("exit code %d; want 2; stderr:\n%s\nwant %d lines", got.code, got.stderr, len(want))
	}
	for i := range want {
		if !strings.HasPrefix(lines[i], "ycsb: "+want[i]) {
			t.Errorf("line %d: %s\nwant %s", i+1, lines[i], want[i])
		}
	}
}

// TestLimits has what ends a run.
func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		name, command, props string
		want                 string // the fault, "" for none
	}{
		{"neither", "run", "recordcount=1", `^ycsb: operationcount: neither it nor maxexecutiontime is set: .*\n$`},
		{"neither, bench", "bench", "recordcount=1", `^ycsb: operationcount: neither`},
		{"no time", "run", "maxexecutiontime=0", `^ycsb: operationcount: neither`},
		{"bad time", "run", "maxexecutiontime=x", `^ycsb: [^\n]*: maxexecutiontime=x: [^\n]*\n$`},
		{"neither, and another fault", "run", "threadcount=x", `^ycsb: [^\n]*: threadcount=x: [^\n]*\nycsb: operationcount: neither`},
		{"operations", "run", "operationcount=3000000000\nrecordcount=10000000000", ""},
		{"no limit", "run", "operationcount=0\nrecordcount=1", ""},
		{"time", "run", "maxexecutiontime=1\nrecordcount=1", ""},
		{"load", "load", "recordcount=1", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := call(t.Context(), tt.command, "noop", "-P", write(t, "f", tt.props), "--dry-run")
			if !matches(tt.want, got.stderr) {
				t.Errorf("stderr %q; want %s", got.stderr, tt.want)
			}
		})
	}
}

// TestPrecedence says which setting counts.
func TestPrecedence(t *testing.T) {
	one := write(t, "one", enough+"table=one\nfieldcount=1\nthreadcount=1\n")
	two := write(t, "two", "table=two\n")
	blanks := write(t, "blanks", enough+"measurement.interval=5 \nexporter=json\t\nmeasurementtype=hdrhistogram \n")
	for _, tt := range []struct{ args, key, want string }{
		{"-P " + one + " -P " + two, "table", "two " + two + ":1"},
		{"-P " + two + " -P " + one, "table", "one " + one + ":3"},
		{"-P " + one + " -P " + two, "fieldcount", "1 " + one + ":4"},
		{"-p table=p -P " + one, "table", "p -p"},
		{"-P " + one + " -p table=p", "table", "p -p"},
		{"-P " + one + " -p table=p -p table=q", "table", "q -p"},
		{"-P " + one + " -threads 7", "threadcount", "7 -threads"},
		{"-threads 7 -P " + one, "threadcount", "7 -threads"},
		{"-P " + one + " -threads 7 -p threadcount=8", "threadcount", "8 -p"},
		{"-P " + one + " -p threadcount=8 --threads=7", "threadcount", "7 -threads"},
		{"-P " + one, "target", "0 default"},
		{"-P " + one + " -target 1.5", "target", "1.5 -target"},
		{"-P " + one + " -s", "status", "true -status"},
		{"-P " + one + " -label a=b", "label", "a=b -label"},
		{"-P " + one + " -p keyprefix=a=b,c", "keyprefix", "a=b,c -p"},
		{"-P " + one + " -p hdrhistogram.percentiles=50,95", "hdrhistogram.percentiles", "50,95 -p"},
		{"-P " + one + " -p recording.address=h", "recording.host", "h -p"},
		{"-P " + one + " -p measurement.interval=7", "status.interval", "7 -p"},
		{"-P " + one + " -p measurement.interval=7 -p status.interval=3", "status.interval", "3 -p"},
		{"-P " + one + " -p measurement.interval=both", "status.interval", "10 default"},
		{"-P " + blanks, "status.interval", "5 " + blanks + ":3"},
		{"-P " + blanks, "exporter", "json " + blanks + ":4"},
		{"-P " + blanks, "measurementtype", "hdrhistogram " + blanks + ":5"},
		{"-P " + one + " -p measurement.output_file=f", "exportfile", "f -p"},
		{"-P " + one, "exporter", "ycsb default"},
		{"-P " + one + " -p mongodb.url=u", "mongodb.url", "u without effect, -p"},
		{"-P " + one, "db", "recording default"},
	} {
		got := call(t.Context(), append([]string{"run", "recording", "--dry-run"}, strings.Fields(tt.args)...)...)
		if got.code != 0 {
			t.Fatalf("%s: exit code %d, stderr %s", tt.args, got.code, got.stderr)
		}
		value, origin, _ := strings.Cut(tt.want, " ")
		want := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(tt.key+"="+value) + ` +` + regexp.QuoteMeta(origin) + `$`)
		if !want.MatchString(got.stdout) {
			t.Errorf("%s: no line %s in\n%s", tt.args, want, got.stdout)
		}
	}
}

func TestFileBeforeStandardName(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("workloadb", []byte(enough+"table=mine\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ file, want string }{
		{"workloadb", `table=mine +workloadb:3\n`},
		{"b", `readproportion=0.95 +workloadb:\d+\n`},
		{"workloada", `readproportion=0.5 +workloada:\d+\n`},
	} {
		if got := call(t.Context(), "run", "noop", "-P", tt.file, "--dry-run"); !matches(tt.want, got.stdout) {
			t.Errorf("-P %s: no %s in\n%s%s", tt.file, tt.want, got.stdout, got.stderr)
		}
	}
}

// TestBlanksAfterNames has files whose lines end in blanks, which Java keeps.
func TestBlanksAfterNames(t *testing.T) {
	for _, tt := range []struct{ props, stderr string }{
		{"workload=core \ndb=noop\t\n", ""},
		{"workload=site.ycsb.workloads.CoreWorkload \ndb= site.ycsb.db.NullDB \n", ""},
		{"workload=core\ndb=nope \n", `^ycsb: .*:4: db=nope: unknown driver: have `},
		{"workload=nope \ndb=noop\n", `^ycsb: .*:3: workload=nope: unknown workload: have core`},
	} {
		got := call(t.Context(), "run", "-seed", "1", "-P", write(t, "f", enough+tt.props))
		if !matches(tt.stderr, got.stderr) || (got.code == 0) != (tt.stderr == "") {
			t.Errorf("%q: exit code %d, stderr %q; want %q", tt.props, got.code, got.stderr, tt.stderr)
		}
	}
}

// TestDryRun looks for what a dry run left behind.
func TestDryRun(t *testing.T) {
	t.Chdir(t.TempDir())
	r, id := newRecorder(t)
	args := []string{
		"-P", "a", "-p", id, "-p", "exportfile=results", "-p", "recording.password=S3cr3t-XYZ",
		"-p", "other.password=S3cr3t-XYZ", "--dry-run",
	}
	for _, command := range []string{"load", "run", "bench"} {
		got := call(t.Context(), append([]string{command, "recording"}, args...)...)
		if got.code != 0 || got.stderr != "" {
			t.Errorf("%s: exit code %d, stderr %q", command, got.code, got.stderr)
		}
		lines := strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\n")
		for i, want := range map[string][]string{
			"load":  {"load: 1000 records of workload a into recording, 1 thread, as fast as possible"},
			"run":   {"run: 1000 operations of workload a on recording, 1 thread, as fast as possible"},
			"bench": {"load: 1000 records of workload a into recording, 1 thread, as fast as possible", "run: 1000 operations of workload a on recording, 1 thread, as fast as possible"},
		}[command] {
			if lines[i] != "# "+want {
				t.Errorf("%s: line %d is %s; want # %s", command, i+1, lines[i], want)
			}
		}
		keys := make([]string, len(lines))
		for i, line := range lines {
			keys[i], _, _ = strings.Cut(line, "=")
		}
		for i := 1; i < len(keys); i++ {
			if keys[i-1] >= keys[i] {
				t.Errorf("%s: %s before %s", command, keys[i-1], keys[i])
			}
		}
		for _, want := range []string{`(?m)^recording.password=\*\*\* +-p$`, `(?m)^other.password=\*\*\* `, `(?m)^recordcount=1000 +workloada:\d+$`} {
			if !matches(want, got.stdout) {
				t.Errorf("%s: no %s in\n%s", command, want, got.stdout)
			}
		}
		if strings.Contains(got.stdout, "S3cr3t") {
			t.Errorf("%s shows a secret:\n%s", command, got.stdout)
		}
	}
	if files, err := os.ReadDir("."); err != nil || len(files) > 0 {
		t.Errorf("files: %v, %v; want none", files, err)
	}
	if n := r.opened.Load(); n != 0 {
		t.Errorf("the database was opened %d times", n)
	}
}

// TestForeignFiles runs what was written for Java YCSB and go-ycsb.
func TestForeignFiles(t *testing.T) {
	for _, tt := range []struct {
		file, driver string
		want         []string // in the one warning
		not          []string
	}{
		{
			"java.properties", "",
			[]string{
				"spin.sleep (testdata/java.properties:18)", "htrace.sampler.classes (", "db.driver (", "db.url (", "db.user (",
				"db.passwd (", "jdbc.autocommit (", "mongodb.url (", "cassandra.readconsistencylevel (", "columnfamily (", "hosts (",
			},
			[]string{"dotransactions", "histogram.buckets", "timeseries.granularity", "exporter", " db ("},
		},
		{
			"go-ycsb.properties", "noop",
			[]string{"debug.pprof (", "outputstyle (", "mysql.host (", "mysql.password (", "tidb.instances (", "pg.host (", "redis.addr (", "tikv.pd (", "badger.dir ("},
			[]string{"silence", "measurement.interval", "batch.size"},
		},
	} {
		t.Run(tt.file, func(t *testing.T) {
			args := []string{"run", "-P", filepath.Join("testdata", tt.file), "-seed", "1"}
			if tt.driver != "" {
				args = append(args, tt.driver)
			}
			got := call(t.Context(), args...)
			if got.code != 0 || strings.Count(got.stderr, "\n") != 1 || !strings.HasPrefix(got.stderr, "ycsb: warning: ") {
				t.Fatalf("exit code %d, stderr:\n%s", got.code, got.stderr)
			}
			for _, want := range tt.want {
				if !strings.Contains(got.stderr, want) {
					t.Errorf("no %s in\n%s", want, got.stderr)
				}
			}
			for _, not := range tt.not {
				if strings.Contains(got.stderr, not) {
					t.Errorf("%s in\n%s", not, got.stderr)
				}
			}
			if strings.Contains(got.stdout+got.stderr, "S3cr3t") {
				t.Errorf("a secret is shown:\n%s%s", got.stdout, got.stderr)
			}
		})
	}
}

// TestNamespaces says which properties of drivers pass.
func TestNamespaces(t *testing.T) {
	for _, tt := range []struct {
		driver, setting string
		want            string // stderr
	}{
		{"recording", "other.host=h", ""},       // of a registered driver
		{"recording", "other.future=h", ""},     // in the namespace of one
		{"noop", "recording.port=99999999", ""}, // not asked for, not checked
		{"recording", "recording.x=1", `^ycsb: -p: recording.x: unknown key\n$`},
		{"recording", "mysql.host=h", `^ycsb: warning: properties without effect here: mysql.host \(-p\)\n$`},
		{"recording", "dotransactions=maybe", `^ycsb: warning: properties without effect here: dotransactions \(-p\)\n$`},
		{"recording", "histogram.buckets=1000", ""}, // the default
		{"recording", "timeseries.granularity=1000 ", ""},
		{"recording", "measurement.raw.no_summary=false", ""},
		{"recording", "histogram.buckets=2000", `^ycsb: warning: properties without effect here: histogram.buckets \(-p\)\n$`},
		{"recording", "timeseries.granularity=10", `^ycsb: warning: properties without effect here: timeseries.granularity \(-p\)\n$`},
		{"recording", "hdrhistogram.output.path=x", `^ycsb: warning: properties without effect here: hdrhistogram.output.path \(-p\)\n$`},
		{"recording", "measurement.raw.output_file=x", `^ycsb: warning: properties without effect here: measurement.raw.output_file \(-p\)\n$`},
		{"recording", "measurement.raw.no_summary=true", `^ycsb: warning: properties without effect here: measurement.raw.no_summary \(-p\)\n$`},
		{"recording", "histogram.bucket=1", `^ycsb: -p: histogram.bucket: unknown key \(did you mean histogram.buckets\?\)\n$`},
		{"nope", "nope.host=1", `^ycsb: unknown driver "nope": have [^\n]*\n$`}, // nobody knows its properties
	} {
		_, id := newRecorder(t)
		got := call(t.Context(), "run", tt.driver, "-P", "a", "-seed", "1", "-p", tt.setting, "-p", id, "-p", "readproportion=0", "-p", "updateproportion=1")
		if !matches(tt.want, got.stderr) {
			t.Errorf("%s with %s: stderr %q; want %q", tt.driver, tt.setting, got.stderr, tt.want)
		}
	}
}

func TestAllowUnknown(t *testing.T) {
	got := call(t.Context(), "run", "noop", "-P", "a", "-seed", "1", "-p", "readpropotion=1", "-p", "x=1", "--allow-unknown")
	want := "ycsb: warning: -p: readpropotion: unknown key (did you mean readproportion?)\nycsb: warning: -p: x: unknown key\n"
	if got.code != 0 || got.stderr != want {
		t.Errorf("exit code %d, stderr %q; want 0, %q", got.code, got.stderr, want)
	}
}

// appWorkload is a workload that a program adds.
type appWorkload struct{ ycsb.Mix }

type appConfig struct {
	Size int `prop:"ours.size,min=1" default:"1"`
}

func TestAppWorkloads(t *testing.T) {
	open := func(p *properties.Properties) (ycsb.Workload, error) {
		var c appConfig
		if err := p.Decode(&c); err != nil {
			return nil, err
		}
		return appWorkload{ycsb.Mix{{Name: "NOTHING", Weight: 1, Do: func(context.Context, *ycsb.Client) error { return nil }}}}, nil
	}
	a := &App{Workloads: map[string]func(*properties.Properties) (ycsb.Workload, error){"ours": open}}
	for _, tt := range []struct {
		props          string
		code           int
		stdout, stderr string
	}{
		{"workload=ours ours.size=3", 0, `\[NOTHING\], Operations, 10\n`, `^$|seed`},
		{"workload=ours ours.size=0", 2, "", `^ycsb: -p: ours.size=0: must be at least 1\n$`},
		{"workload=core", 0, `\[READ\]`, ``},
		{"workload=nope", 2, "", `^ycsb: -p: workload=nope: unknown workload: have core, ours\n$`},
	} {
		args := []string{"run", "noop", "-P", write(t, "f", enough), "-seed", "1"}
		for _, p := range strings.Fields(tt.props) {
			args = append(args, "-p", p)
		}
		got := callApp(t.Context(), a, args...)
		if got.code != tt.code || !matches(tt.stdout, got.stdout) || !matches(tt.stderr, got.stderr) {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q; want %d, %s, %s", tt.props, got.code, got.stdout, got.stderr, tt.code, tt.stdout, tt.stderr)
		}
	}
	if got := callApp(t.Context(), a, "workloads"); !strings.Contains(got.stdout, "-p workload=ours ") {
		t.Errorf("workloads prints %s", got.stdout)
	}
}

// TestErrorsOfRun says what Run returns to a program.
func TestErrorsOfRun(t *testing.T) {
	var out, errs bytes.Buffer
	err := Run(t.Context(), []string{"load", "noop", "-p", "recordcount=x"}, &out, &errs)
	var e *Error
	if !errors.As(err, &e) || e.Code != 2 || ExitCode(err) != 2 || !errors.Is(err, properties.ErrValue) {
		t.Errorf("Run = %#v; want an *Error with code 2 that is ErrValue", err)
	}
	if out.Len()+errs.Len() > 0 {
		t.Errorf("Run wrote %q and %q; want nothing", out.String(), errs.String())
	}
	if got := ExitCode(errors.New("x")); got != 1 {
		t.Errorf("ExitCode of another error = %d; want 1", got)
	}
	if err := Run(t.Context(), []string{"load", "noop"}, &out, &errs); err != nil || ExitCode(err) != 0 {
		t.Errorf("Run = %v; want nil", err)
	}
}

// TestForeignKeysAreNotOurs keeps the list of what means nothing here honest.
func TestForeignKeysAreNotOurs(t *testing.T) {
	for _, s := range coreSpecs() {
		for _, key := range append([]string{s.Key}, s.Aliases...) {
			if isForeign(key) {
				t.Errorf("%s is a property of ours", key)
			}
		}
	}
	for _, s := range workloads.Standards() {
		if standardFile(s) != "workload"+s || standardFile("workloads/workload"+s) != "workload"+s || standardFile("x/workload"+s) != "" {
			t.Errorf("standardFile does not know %s", s)
		}
	}
}
