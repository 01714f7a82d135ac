package cli

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// TestMain makes the test's binary the command itself for tests that need a process.
func TestMain(m *testing.M) {
	if os.Getenv("YCSB_TEST_MAIN") != "" {
		Main()
	}
	os.Exit(m.Run())
}

// called is how a command ended.
type called struct {
	code           int
	stdout, stderr string
}

// call runs a command line as Main does.
func call(ctx context.Context, args ...string) called {
	return callApp(ctx, new(App), args...)
}

func callApp(ctx context.Context, a *App, args ...string) called {
	var stdout, stderr bytes.Buffer
	code := a.main(ctx, args, &stdout, &stderr)
	return called{code, stdout.String(), stderr.String()}
}

// write writes a file of a test and returns its name.
func write(t *testing.T, name, text string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestCommandLines has whole command lines. What is wanted are regular expressions; "" is
// nothing.
func TestCommandLines(t *testing.T) {
	const any = `(?s).*`
	for _, tt := range []struct {
		name           string
		args           string
		code           int
		stdout, stderr string
	}{
		{"no command", "", 2, "", `(?s)^Benchmarks.*\nycsb: no command\n$`},
		{"help flag", "--help", 0, `^Benchmarks`, ""},
		{"help command", "help", 0, `^Benchmarks`, ""},
		{"help of a command", "help load", 0, `^Load the records`, ""},
		{"help of a driver without properties", "help noop", 0, `^Driver noop has no properties.\n$`, ""},
		{"help core", "help core", 0, `(?s)^The phase\n.*recordcount=1000\n.*status.interval=10\n.*hdrhistogram.percentiles=50,95,99\n.*|.*exportfile`, ""},
		{"help of nothing", "help nothing", 2, "", `^ycsb: help: nothing is called "nothing": have bench, .*core.*noop.*\n$`},
		{"drivers", "drivers", 0, `^hanging\nmemory\nnoop\nother\nrecording\n$`, ""},
		{"drivers with an argument", "drivers x", 2, "", `unknown command "x" for "ycsb drivers"`},
		{"workloads", "workloads", 0, `(?s)^-P workloada +50 % read, 50 % update; zipfian\n.*-p workload=core +the core`, ""},
		{"version", "version", 0, `(?s)^ycsb \S+\n.*go1\.\d.*\ndrivers: hanging, memory, noop, other, recording\n$`, ""},
		{"version flag", "-version", 0, `^ycsb version \S+\n$`, ""},
		{"unknown command", "lod noop", 2, "", `^ycsb: unknown command "lod" for "ycsb": have bench, .*load.*\n$`},
		{"unknown flag", "load noop -nothing 4", 2, "", `^ycsb: unknown flag: --nothing: ycsb load --help lists the flags\n$`},
		{"help flag with one dash", "run -help", 0, `^Run the operations`, ""},
		{"flag without value", "load noop -threads", 2, "", `^ycsb: flag needs an argument: --threads`},
		{"no driver", "load", 2, "", `^ycsb: load: no driver: have hanging, memory, noop, other, recording\n$`},
		{"unknown driver", "load nope", 2, "", `^ycsb: unknown driver "nope": have hanging, memory, noop, other, recording\n$`},
		{"unknown driver of a flag", "load -db nope", 2, "", `^ycsb: -db: db=nope: unknown driver: have hanging, memory, noop, other, recording\n$`},
		{"two drivers", "load noop memory", 2, "", `^ycsb: load: more than one driver: noop, memory\n$`},
		{"two different drivers", "load noop -db memory", 2, "", `^ycsb: two drivers, noop and -db memory\n$`},
		{"the same driver twice", "load noop -db noop", 0, `\[INSERT\], Operations, 1000\n`, any},
		{"driver by property", "load -p db=noop", 0, `\[INSERT\], Operations, 1000\n`, any},
		{"Java's class of a driver", "load -db site.ycsb.db.NullDB", 0, `\[INSERT\], Operations, 1000\n`, any},
		{"Java's name of a driver", "load basic", 0, `\[INSERT\], Operations, 1000\n`, any},
		{"-p without =", "load noop -p foo", 2, "", `^ycsb: -p "foo": want KEY=VALUE\n$`},
		{"-p without key", "load noop -p =foo", 2, "", `^ycsb: -p "…": want KEY=VALUE\n$`},
		{"unknown workload", "load noop -p workload=nope", 2, "", `^ycsb: -p: workload=nope: unknown workload: have core`},
		{"unknown exporter", "load noop -p exporter=nope", 2, "", `^ycsb: -p: exporter=nope: unknown exporter: have json, text, ycsb, ycsb-json, site\.`},
		{"unknown format", "load noop --format nope", 2, "", `^ycsb: --format=nope: unknown format: have json, text, ycsb, ycsb-json`},
		{"measurement type to come", "load noop -p measurementtype=raw", 2, "", `^ycsb: -p: measurementtype=raw: not available in this version: have hdrhistogram, with -p measurementtype=hdrhistogram\n$`},
		{"no measurement type", "load noop -p measurementtype=x", 2, "", `^ycsb: -p: measurementtype=x: unknown measurement type: have hdrhistogram\n$`},
		{"files of histograms", "load noop -p hdrhistogram.fileoutput=true", 2, "", `^ycsb: -p: hdrhistogram.fileoutput=true: not available in this version: have false\n$`},
		{"no such property file", "load noop -P nope.properties", 2, "", `^ycsb: open nope.properties: .*\n$`},
		{"bad tolerance", "load noop --allow-errors 200%", 2, "", `--allow-errors.*want a number of operations`},
		{"bench without its default driver", "bench", 2, "", `^ycsb: bench: driver pebble, the default, is not part of this program: name one of hanging, memory, noop, other, recording\n$`},
		{"bench", "bench memory", 0, `(?s)^phase +load.*phase +run`, any},
		{"bench as one JSON document", "bench memory --format json", 0, `(?s)^\[\n  \{.*\n\]\n$`, any},
		{"text", "load noop -format=text", 0, `^phase +load`, any},
		{"exporter", "load noop -p exporter=site.ycsb.measurements.exporter.JSONArrayMeasurementsExporter", 0, `^\[ \{`, any},
		{"format wins over exporter", "load noop -p exporter=json -format ycsb", 0, `^\[OVERALL\]`, any},
		{"seed drawn", "load noop -P a", 0, any, `^ycsb: seed \d+\n$`},
		{"seed given", "load noop -P a -seed 4", 0, any, ""},
		{"standard file", "run noop -P workloada -seed 1", 0, `\[READ\]`, ""},
		{"standard letter", "run noop -P c -seed 1", 0, `(?s)\[READ\], Operations, 1000`, ""},
		{"standard file as YCSB's documents call it", "run noop -P workloads/workloade -seed 1", 0, `\[SCAN\]`, any},
		{"nothing found", "run memory -P c -seed 1", 0, `\[READ-FAILED\], Operations, 1000`, `(?m)^ycsb: warning: no read found a record: was the table loaded\?\n$`},
		{"label and status", "run noop -P c -seed 1 -s -l one:", 0, any, `^one:\d{4}-\d\d-\d\d [0-9:]+ \d+ sec: 1000 operations; .*\n$`},
		{"status is a property", "run noop -P c -seed 1 -p status=true -p label=two:", 0, any, `^two:\d{4}-\d\d-\d\d`},
		{"shares that do not add up", "run noop -P c -seed 1 -p updateproportion=1", 0, any, `^ycsb: the proportions do not add up to 1: they are taken as weights \(sum=2\)\n$`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := call(t.Context(), strings.Fields(tt.args)...)
			if got.code != tt.code || !matches(tt.stdout, got.stdout) || !matches(tt.stderr, got.stderr) {
				t.Errorf("ycsb %s: exit code %d; want %d\nstdout: %s\nwant: %s\nstderr: %s\nwant: %s",
					tt.args, got.code, tt.code, got.stdout, tt.stdout, got.stderr, tt.stderr)
			}
		})
	}
}

// matches tells whether a text is what an expression wants; "" wants "".
func matches(want, got string) bool {
	return want == "" && got == "" || want != "" && regexp.MustCompile(want).MatchString(got)
}

func TestTwoDashes(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"load db -threads 4", "load db --threads 4"},
		{"load db -threads=4", "load db --threads=4"},
		{"load db --threads 4", "load db --threads 4"},
		{"-target 9 -s -l x -label y -db z", "--target 9 -s -l x --label y --db z"},
		{"-P a -p k=v", "-P a -p k=v"},
		{"-Pa -pk=v", "-Pa -pk=v"},
		{"-p -threads", "-p -threads"},                      // an operand
		{"-p threads -threads 1", "-p threads --threads 1"}, // and one that looks like none
		{"--label -threads -seed 1", "--label -threads --seed 1"},
		{"-label=-threads -seed 1", "--label=-threads --seed 1"},
		{"-status -append -dry-run", "--status --append --dry-run"},
		{"-s -threads 1", "-s --threads 1"}, // -s takes none
		{"-status=false", "--status=false"},
		{"-allow-errors 1% -allow-unknown", "--allow-errors 1% --allow-unknown"},
		{"-property_file a -prop k=v", "--property_file a --prop k=v"}, // go-ycsb's
		{"-thread 4", "--thread 4"},                                    // wrong, and told as a word
		{"-load", "--load"},
		{"-h -help -sh", "-h --help -sh"},
		{"-staus -hlep -sp k=v", "--staus --hlep -sp k=v"}, // wrong, unless it is letters
		{"- -- -threads 1", "- -- -threads 1"},
		{"-threads", "--threads"},
	} {
		a := new(settings)
		flags := newFlags(a)
		got := strings.Join(twoDashes(strings.Fields(tt.in), flags), " ")
		if got != tt.want {
			t.Errorf("twoDashes(%q) = %q; want %q", tt.in, got, tt.want)
		}
	}
}

func TestTolerance(t *testing.T) {
	for _, tt := range []struct {
		text        string
		failed, all int64
		want        bool
	}{
		{"0", 0, 100, true},
		{"0", 1, 100, false},
		{"3", 3, 100, true},
		{"3", 4, 100, false},
		{"1", 1, 1, true},
		{"1.0", 100, 100, true},
		{"0.1%", 1, 1000, true},
		{"0.1%", 2, 1000, false},
		{"0.01", 10, 1000, true},
		{"0.01", 11, 1000, false},
		{"100%", 7, 7, true},
		{"0%", 0, 0, true},
	} {
		var tol tolerance
		if err := tol.Set(tt.text); err != nil {
			t.Errorf("Set(%q) = %v", tt.text, err)
		}
		if got := tol.allows(tt.failed, tt.all); got != tt.want {
			t.Errorf("%q: allows(%d, %d) = %v; want %v", tt.text, tt.failed, tt.all, got, tt.want)
		}
	}
	for _, text := range []string{"", "x", "-1", "-1%", "101%", "1.5", "NaN", "NaN%", "1e400", "%"} {
		if err := new(tolerance).Set(text); err == nil {
			t.Errorf("Set(%q) = nil; want an error", text)
		}
	}
}

func TestHelpOfDriver(t *testing.T) {
	got := call(t.Context(), "help", "recording").stdout
	golden := filepath.Join("testdata", "help-recording.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("help recording:\n%s\nwant:\n%s", got, want)
	}
}

func TestCompletion(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"work.properties", "other.txt"} {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("wide", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		want string // the first lines
	}{
		{[]string{"run", ""}, "hanging\nmemory\nnoop\nother\nrecording\n:4"},
		{[]string{"run", "rec"}, "recording\n:4"},
		{[]string{"run", "noop", ""}, ":4"},
		{[]string{"run", "-db", "no"}, "noop\n:4"},
		{[]string{"run", "-P", "work"}, "work.properties\nworkloada\nworkloadb\nworkloadc\nworkloadd\nworkloade\nworkloadf\n:4"},
		{[]string{"run", "-P", "wi"}, "wide/\n:6"},
		{[]string{"run", "-format", ""}, "text\nycsb\nycsb-json\njson\n:4"},
		{[]string{"help", "c"}, "completion\ncore\n:4"},
		{[]string{"run", "-p", "record"}, "recordcount=\trecords in the table when it is loaded\n:6"},
		{[]string{"run", "-p", "recording.p"}, ":6"},
		{[]string{"run", "recording", "-p", "recording.p"}, "recording.password=\tits password\nrecording.port=\tits port\n:6"},
		{[]string{"run", "-db", "recording", "-p", "recording.po"}, "recording.port=\tits port\n:6"},
		{[]string{"run", "-p", "recordcount=1"}, ":6"},
		{[]string{"run", "--thr"}, "--threads\tnumber of workers\n:4"},
		{[]string{"run", "-thr"}, "-threads\tnumber of workers\n:4"},
		{[]string{"run", "-la"}, "-label\twhat status lines begin with\n:4"},
		{[]string{"run", "-format=te"}, "text\nycsb\nycsb-json\njson\n:4"},
		{[]string{"load", "--ap"}, "--append\tload into a table that is not empty\n:4"},
		{[]string{"run", "--ap"}, ":4"},
	} {
		got := call(t.Context(), append([]string{"__complete"}, tt.args...)...)
		if !strings.HasPrefix(got.stdout, tt.want) || got.code != 0 {
			t.Errorf("completing %q: exit code %d\n%s\nwant 0\n%s", tt.args, got.code, got.stdout, tt.want)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if got := call(t.Context(), "completion", shell); got.code != 0 || !strings.Contains(got.stdout, "__complete") {
			t.Errorf("completion %s: exit code %d, stdout %.80q", shell, got.code, got.stdout)
		}
	}
}

func TestNameAndVersion(t *testing.T) {
	a := &App{Name: "ourbench", Version: "v9"}
	if got := callApp(t.Context(), a, "version"); !strings.HasPrefix(got.stdout, "ourbench v9\n") {
		t.Errorf("version prints %q", got.stdout)
	}
	if got := callApp(t.Context(), a, "load"); !strings.HasPrefix(got.stderr, "ourbench: load: no driver") {
		t.Errorf("an error is %q", got.stderr)
	}
}
