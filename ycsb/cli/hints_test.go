package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

const (
	ourDrivers = "have hanging, memory, noop, other, recording"
	ourFormats = "have json, text, ycsb, ycsb-json, site.ycsb.measurements.exporter.JSONArrayMeasurementsExporter, " +
		"site.ycsb.measurements.exporter.JSONMeasurementsExporter, site.ycsb.measurements.exporter.TextMeasurementsExporter"
	ourWorkloads = "the standard ones are workloada, workloadb, workloadc, workloadd, workloade, workloadf"
)

// TestHints has what people write who know another YCSB, or whose fingers slip: each is an error
// that says what to write.
func TestHints(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tt := range []struct{ args, want string }{
		// The flags of Java's client.
		{"-load -db site.ycsb.BasicDB -P workloads/workloada", "no command: the phase is a command here, and comes first: 'ycsb load noop …'"},
		{"-t -db site.ycsb.BasicDB -P workloads/workloada -threads 4 -s", "no command: the phase is a command here, and comes first: 'ycsb run noop …'"},
		{"-db site.ycsb.BasicDB -t", "no command: the phase is a command here, and comes first: 'ycsb run noop …'"},
		{"-P a -p db=memory -load", "no command: the phase is a command here, and comes first: 'ycsb load memory …'"},
		{"-db nope -treads 4", "no command: the phase is a command here, and comes first: 'ycsb load DB …' or 'ycsb run DB …'"},
		{"-s run noop", "no command: the phase is a command here, and comes first: 'ycsb load DB …' or 'ycsb run DB …'"},
		{"-load", "no command: the phase is a command here, and comes first: 'ycsb load DB …'"},
		{"-load -help", "no command: the phase is a command here, and comes first: 'ycsb load DB …'"},
		{"-t", "no command: the phase is a command here, and comes first: 'ycsb run DB …'"},
		{"run noop -t -P a", "unknown flag: -t: the phase is a command here, such as 'ycsb run DB …'"},
		{"run noop -load", "unknown flag: -load: the phase is a command here, such as 'ycsb load DB …'"},
		{"-nothing", "unknown flag: --nothing: ycsb --help lists the flags"},

		// Flags that are elsewhere.
		{"run noop --interval 5", "unknown flag: --interval: have -p status.interval=SECONDS"},
		{"run noop -interval=5", "unknown flag: --interval: have -p status.interval=SECONDS"},
		{"run noop --table t", "unknown flag: --table: have -p table=NAME"},
		{"run noop --append", "unknown flag: --append: only load and bench have it"},

		// Arguments that are no drivers.
		{"load basic -p recordcount 100", `-p "recordcount": want KEY=VALUE` + "\n" + `load: unexpected argument "100"`},
		{"load basic -p recordcount = 100", `-p "recordcount": want KEY=VALUE` + "\n" + `load: unexpected argument "="` + "\n" + `load: unexpected argument "100"`},
		{"load -p recordcount 100 noop", `-p "recordcount": want KEY=VALUE` + "\n" + `load: unexpected argument "100"`},
		{"load -p recordcount 100", `-p "recordcount": want KEY=VALUE` + "\n" + `load: unexpected argument "100"` + "\n" + "load: no driver: " + ourDrivers},
		{"load noop -s true", `load: unexpected argument "true"`},
		{"load -db noop -s false", `load: unexpected argument "false"`},
		{"load -db noop this", `load: unexpected argument "this"`},
		{"load this that", `load: unexpected argument "that"` + "\n" + `unknown driver "this": ` + ourDrivers},
		{"load noop memory 7", "load: more than one driver: noop, memory" + "\n" + `load: unexpected argument "7"`},
		{"load noop -p recording.password S3cr3t-XYZ", `-p "recording.password": want KEY=VALUE` + "\n" + `load: unexpected argument "***"`},
		{"load noop -p other.token= abc", `load: unexpected argument "***"`},

		// Slips.
		{"run noop --treads 4", "unknown flag: --treads (did you mean --threads?)"},
		{"run noop -thread 4", "unknown flag: --thread (did you mean --threads?)"},
		{"run noop -staus", "unknown flag: --staus (did you mean --status?)"},
		{"run -hlep", "unknown flag: --hlep (did you mean --help?)"},
		{"laod noop", `unknown command "laod" for "ycsb": have bench, completion, drivers, load, run, version, workloads (did you mean load?)`},
		{"help recordin", `help: nothing is called "recordin": have bench, completion, drivers, load, run, version, workloads, core, hanging, memory, noop, other, recording (did you mean recording?)`},
		{"load memroy", `unknown driver "memroy": ` + ourDrivers + " (did you mean memory?)"},
		{"load -db memroy", "-db: db=memroy: unknown driver: " + ourDrivers + " (did you mean memory?)"},
		{"completion foo", `completion: unknown shell "foo": have bash, fish, powershell, zsh`},
		{"completion fihs", `completion: unknown shell "fihs": have bash, fish, powershell, zsh (did you mean fish?)`},
		{"run noop -P workloadA", "open workloadA: no such file or directory (did you mean workloada?)"},
		{"run noop -P Workloads/WorkloadB", "open Workloads/WorkloadB: no such file or directory (did you mean workloadb?)"},
		{"run noop -P workloadz", "open workloadz: no such file or directory: " + ourWorkloads},
		{"run noop -P workloads/worklaoda", "open workloads/worklaoda: no such file or directory: " + ourWorkloads},
		{"run noop -P a.properties", "open a.properties: no such file or directory"},
		{"run noop -P a -p threads=5", "-p: threads: unknown key (did you mean threadcount?)"},
		{"run noop -P a -p append=true -p dry_run=true", "-p: append: unknown key (did you mean load.append?)" + "\n" + "-p: dry_run: unknown key (did you mean --dry-run?)"},
		{"run noop -P a -p exporter=ycsb-jsn", "-p: exporter=ycsb-jsn: unknown exporter: " + ourFormats + " (did you mean ycsb-json?)"},
		{"run noop -P a -format ycsb-jsn", "--format=ycsb-jsn: unknown format: " + ourFormats + " (did you mean ycsb-json?)"},

		// The other phase.
		{"run noop -P a -p dotransactions=false", "-p: dotransactions=false: asks for the load phase, and the command is run"},
		{"load noop -P a -p dotransactions=TRUE", "-p: dotransactions=TRUE: asks for the run phase, and the command is load"},
	} {
		got := call(t.Context(), strings.Fields(tt.args)...)
		want := "ycsb: " + strings.ReplaceAll(tt.want, "\n", "\nycsb: ") + "\n"
		if got.code != 2 || got.stdout != "" || got.stderr != want {
			t.Errorf("ycsb %s: exit code %d, stdout %q, stderr:\n%s\nwant 2, nothing,\n%s", tt.args, got.code, got.stdout, got.stderr, want)
		}
	}
}

// TestNotes has what is worth a note before anything is done: a dry run tells the same.
func TestNotes(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"count":  "operationcount=0\n",
		"run":    enough + "dotransactions=true\ndropdata=true\nload.append=true\n",
		"load":   enough + "dotransactions=false\n",
		"maybe":  enough + "dotransactions=maybe\n",
		"driver": enough + "db=nope\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ args, want string }{
		{"load noop -P run", "ycsb: warning: run:3: dotransactions=true: asks for the run phase, and the command is load\n"},
		{"run noop -P load", "ycsb: warning: load:3: dotransactions=false: asks for the load phase, and the command is run\n"},
		{"run noop -P run", ""},
		{"load noop -P load", ""},
		{"bench noop -P run", ""},
		{"bench noop -P load", ""},
		{"load noop -P a -p dotransactions=false", ""},
		{"run noop -P a -p dotransactions=true", ""},
		{"bench noop -P a -p dotransactions=false", ""},
		{"run noop -P maybe", "ycsb: warning: properties without effect here: dotransactions (maybe:3)\n"},
		{"run noop -P a -p dropdata=true", "ycsb: warning: a run ignores dropdata=true (-p)\n"},
		{"run noop -P a -p load.append=True", "ycsb: warning: a run ignores load.append=true (-p)\n"},
		{"run noop -P a -p dropdata=false", ""},
		{"load noop -P a -p dropdata=true", ""},
		{"bench noop -P a --append", ""},
		{"load noop -P count", "ycsb: recordcount is not set: 1000\n"},
		{"load noop -P count -p recordcount=7", ""},
		{"bench noop", "ycsb: no -P: the workload is workloada\n"},
		{"load noop -P a -p mongodb.url=mongodb://bench:S3cr3t-XYZ@h -p histogram.buckets=7", "ycsb: warning: properties without effect here: mongodb.url (-p), histogram.buckets (-p)\n"},
		{"run -P a -P driver noop", ""}, // the argument is stronger
	} {
		args := append(strings.Fields(tt.args), "-seed", "1")
		for _, args := range [][]string{args, append(args, "--dry-run")} {
			if got := call(t.Context(), args...); got.code != 0 || got.stderr != tt.want {
				t.Errorf("%q: exit code %d, stderr %q; want 0, %q", args, got.code, got.stderr, tt.want)
			}
		}
	}
}

// TestIntent has what dry runs say would be done.
func TestIntent(t *testing.T) {
	a := &App{Workloads: map[string]func(*properties.Properties) (ycsb.Workload, error){
		"ours": func(*properties.Properties) (ycsb.Workload, error) { return appWorkload{}, nil },
	}}
	for _, tt := range []struct{ args, want string }{
		{"load memory -P c -threads 16", "# load: 1000 records of workload c into memory, 16 threads, as fast as possible\n"},
		{
			"load memory -P c -p insertstart=10 -target 0.5 -p warmuptime=3 -p dropdata=true",
			"# load: 990 records of workload c into memory, 1 thread, 0.5 a second, after its table was emptied\n",
		},
		{
			"load memory -P c -p insertstart=10 -p insertcount=1 -p maxexecutiontime=90 -p readproportion=0.5 -p updateproportion=0.3",
			"# load: 1 record of workload core into memory, 1 thread, as fast as possible, for 1m30s at most\n",
		},
		{
			"run site.ycsb.db.NullDB -P c -target 1e6 -p maxexecutiontime=60 -p openloop=true -p warmuptime=3",
			"# run: 1000 operations of workload c on noop, 1 thread, 1000000 a second in an open loop, for 1m0s at most, after a warm-up of 3s\n",
		},
		{
			"run noop -P c -p operationcount=0 -p maxexecutiontime=0.5",
			"# run: operations of workload c on noop, 1 thread, as fast as possible, for 500ms at most\n",
		},
		{"run noop -P c -p operationcount=0", "# run: operations of workload c on noop, 1 thread, as fast as possible, until interrupted\n"},
		{
			"bench noop -P c -p operationcount=1 -p maxexecutiontime=60 -target 10 -p openloop=true",
			"# load: 1000 records of workload c into noop, 1 thread, as fast as possible\n" +
				"# run: 1 operation of workload c on noop, 1 thread, 10 a second in an open loop, for 1m0s at most\n",
		},
		{"load noop -p workload=ours", "# load: records of workload ours into noop, 1 thread, as fast as possible\n"},
	} {
		got := callApp(t.Context(), a, append(strings.Fields(tt.args), "--dry-run")...)
		if rest, ok := strings.CutPrefix(got.stdout, tt.want); !ok || strings.Contains(rest, "#") || got.code != 0 {
			t.Errorf("%s: exit code %d, stdout:\n%s%s\nwant %s", tt.args, got.code, got.stdout, got.stderr, tt.want)
		}
	}
}

// TestExamples has the examples of the help text for programs with these drivers.
func TestExamples(t *testing.T) {
	a := &App{Name: "ourbench"}
	for _, tt := range []struct {
		drivers    []string
		run, bench string // what lines begin with
	}{
		{nil, "run DB -P workloadb -p operationcount=0 -p max", "bench DB -P workloada "},
		{[]string{"memory", "noop"}, "run memory -P workloadb -p operationcount=0 -p max", "bench memory -P workloada "},
		{[]string{"memory", "noop", "pebble"}, "run memory -P workloadb -p operationcount=0 -p max", "bench -P workloada "},
		{
			[]string{"memory", "noop", "recording"},
			"run recording -P workloadb -p recording.host=db1 -p operationcount=0 -p max", "bench recording -p recording.host=db1 -P workloada ",
		},
	} {
		got := a.example(tt.drivers)
		for _, want := range []string{tt.run, tt.bench} {
			if !strings.Contains(got, "  ourbench "+want) {
				t.Errorf("no %q with drivers %v in\n%s", want, tt.drivers, got)
			}
		}
	}

	// Those of this program are right.
	n := 0
	for line := range strings.Lines(call(t.Context(), "help").stdout) {
		args := strings.Fields(line)
		if len(args) < 3 || args[0] != "ycsb" || strings.HasPrefix(args[1], "[") {
			continue
		}
		n++
		if got := call(t.Context(), append(args[1:], "--dry-run")...); got.code != 0 || got.stderr != "" {
			t.Errorf("%s: exit code %d, stderr %q", line, got.code, got.stderr)
		}
	}
	if n != 4 {
		t.Errorf("%d examples; want 4", n)
	}
}

func TestSample(t *testing.T) {
	type config struct {
		Dir  string `prop:"files.dir,required"`
		Mode string `prop:"files.mode"`
	}
	for _, tt := range []struct {
		name     string
		specs    []properties.Spec
		rank     int
		settings string
	}{
		{"noop", nil, 1, ""},
		{"files", properties.Describe(config{}), 2, " -p files.dir=…"},
		{"recording", properties.Describe(recordingConfig{}), 3, " -p recording.host=db1"},
	} {
		if rank, settings := sample(tt.name, tt.specs); rank != tt.rank || settings != tt.settings {
			t.Errorf("sample(%s) = %d, %q; want %d, %q", tt.name, rank, settings, tt.rank, tt.settings)
		}
	}
}

// TestBenchHelp has the help of bench in programs with and without its default driver.
func TestBenchHelp(t *testing.T) {
	a := new(App)
	for _, tt := range []struct {
		drivers          []string
		use, short, long string
	}{
		{[]string{"noop", "pebble"}, "bench [DB] ", "Load, then run, by default in a temporary store", "The driver is pebble with a store that is removed"},
		{[]string{"noop"}, "bench DB ", "Load, then run", "The workload is workloada, unless something else is asked for."},
	} {
		c := a.benchCommand(tt.drivers)
		if !strings.HasPrefix(c.Use, tt.use) || c.Short != tt.short || !strings.Contains(c.Long, tt.long) {
			t.Errorf("with %v: %q, %q, %q; want %q, %q, %q", tt.drivers, c.Use, c.Short, c.Long, tt.use, tt.short, tt.long)
		}
	}
	if got := call(t.Context(), "help", "bench").stdout; strings.Contains(got, "pebble") {
		t.Errorf("help bench of a program without pebble:\n%s", got)
	}
}
