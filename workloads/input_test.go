package workloads_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// parse returns the properties in text, as those of the file w.
func parse(t testing.TB, text string) *properties.Properties {
	t.Helper()
	p, err := properties.Parse(strings.NewReader(text), "w")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// badSettings are settings with what is said of each.
var badSettings = []struct{ setting, want string }{
	{"recordcount=abc", "not a whole number"},
	{"recordcount=-1", "must be at least 1"},
	{"recordcount=0", "must be at least 1"},
	{"recordcount=1,000", "not a whole number"},
	{"recordcount=1e6", "not a whole number"},
	{"recordcount=99999999999999999999", "must be at most 9223372036854775807"},
	{"insertstart=-1", "must be at least 0"},
	{"insertstart=1000", "insertstart 1000 leaves nothing of recordcount 1000"},
	{"insertcount=0", "must be at least 1"},
	{"insertcount=1001", "insertstart 0 and insertcount 1001 exceed recordcount 1000"},
	{"insertstart.run=999", "lies among the records of recordcount 1000"},
	{"insertstart.run=x", "not a whole number"},
	{"fieldcount=0", "must be at least 1"},
	{"fieldcount=2147483648", "must be at most 1000000"},
	{"fieldlength=0", "must be at least 1"},
	{"fieldlength=1073741825", "must be at most 1073741824"},
	{"minfieldlength=-1", "must be at least 0"},
	{"fieldlengthdistribution=normal", "must be one of constant, uniform, zipfian, histogram"},
	{"readallfields=maybe", "not true or false"},
	{"readallfieldsbyname=1", "not true or false"},
	{"writeallfields=yes", "not true or false"},
	{"dataintegrity=", "not true or false"},
	{"readproportion=lots", "not a number"},
	{"readproportion=NaN", "not a finite number"},
	{"updateproportion=-0.5", "must be at least 0"},
	{"insertproportion=Inf", "not a finite number"},
	{"scanproportion=50%", "not a number"},
	{"readmodifywriteproportion=-1", "must be at least 0"},
	{"deleteproportion=-1e-9", "must be at least 0"},
	{"requestdistribution=gauss", "must be one of uniform, zipfian, zipfian_exact, latest, hotspot, exponential, sequential"},
	{"requestdistribution=zipfain", "(did you mean zipfian?)"},
	{"zipfian.theta=0", "must be more than 0"},
	{"zipfian_const=4", "must be at most 3"},
	{"hotspotdatafraction=1.1", "must be at most 1"},
	{"hotspotopnfraction=-0.1", "must be at least 0"},
	{"exponential.percentile=100", "must be less than 100"},
	{"exponential.frac=0", "must be more than 0"},
	{"minscanlength=0", "must be at least 1"},
	{"minscanlength=1001", "minscanlength 1001 exceeds maxscanlength 1000"},
	{"maxscanlength=0", "must be at least 1"},
	{"maxscanlength=3000000000", "want 1 to 2147483647"},
	{"scanlengthdistribution=latest", "must be one of uniform, zipfian"},
	{"insertorder=random", "must be one of hashed, ordered"},
	{"zeropadding=-1", "must be at least 0"},
	{"zeropadding=1001", "must be at most 1000"},
	{"keyhash=md5", "must be one of ycsb, go-ycsb"},
	{"table=", "empty name"},
	{"core_workload_insertion_retry_limit=-1", "must be at least 0"},
	{"core_workload_insertion_retry_interval=soon", "not a duration"},
	{"core_workload_insertion_retry_interval=-3", "must be at least 0"},
	{"core_workload_insertion_keep_going_on_error=no", "not true or false"},
	{"batch.size=0", "must be at least 1"},
	{"batch.size=2000000", "must be at most 1000000"},
	{"workload=tpcc", "unknown workload: have core"},
}

func TestBadSettings(t *testing.T) {
	for _, tt := range badSettings {
		_, err := workloads.Open(parse(t, "# the first line\n\n"+tt.setting+"\n"))
		fails(t, tt.setting, err, "w:3: "+tt.setting+": ", tt.want)
		equal(t, tt.setting+": the error is ErrValue", errors.Is(err, properties.ErrValue), true)
		if err != nil {
			equal(t, fmt.Sprintf("%s: lines of %q", tt.setting, err), strings.Count(err.Error(), "\n"), 0)
		}
	}
}

// TestBadSettingsTogether has settings that are bad only beside others.
func TestBadSettingsTogether(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string // one fault a line, in this order
	}{
		{
			"beyond the table", "recordcount=1000\ninsertstart=900\ninsertcount=200",
			[]string{"w:3: insertcount=200: insertstart 900 and insertcount 200 exceed recordcount 1000"},
		},
		{
			"nothing to do", "readproportion=0\nupdateproportion=0",
			[]string{"w:1: readproportion=0: all proportions are 0: nothing to do"},
		},
		{
			"fewest above most", "fieldlengthdistribution=uniform\nminfieldlength=200",
			[]string{"w:2: minfieldlength=200: minfieldlength 200 exceeds fieldlength 100"},
		},
		{
			"scans", "minscanlength=20\nmaxscanlength=10",
			[]string{"w:1: minscanlength=20: minscanlength 20 exceeds maxscanlength 10"},
		},
		{
			"verified values of any length", "dataintegrity=true\nfieldlengthdistribution=uniform",
			[]string{"w:1: dataintegrity=true: needs fieldlengthdistribution constant, not uniform"},
		},
		{
			"steep zipfian", "requestdistribution=zipfian\nzipfian_const=1.5",
			[]string{"w:2: zipfian_const=1.5: 1.5: want more than 0 and less than 1 for requestdistribution zipfian (zipfian_exact takes up to 3)"},
		},
		{
			"steep latest", "requestdistribution=latest\nzipfian.theta=1",
			[]string{"w:2: zipfian.theta=1: 1: want more than 0 and less than 1 for requestdistribution latest (zipfian_exact takes up to 3)"},
		},
		{
			"no histogram", "fieldlengthdistribution=histogram\nfieldlengthhistogram=testdata/none.txt",
			[]string{"w:2: fieldlengthhistogram=testdata/none.txt: open testdata/none.txt: no such file or directory"},
		},
		{
			"no histogram by default", "fieldlengthdistribution=histogram",
			[]string{"fieldlengthhistogram: open hist.txt: no such file or directory"},
		},
		{
			"empty name of a histogram", "fieldlengthdistribution=histogram\nfieldlengthhistogram=",
			[]string{"w:2: fieldlengthhistogram=: no file"},
		},
		{
			"all at once",
			"recordcount=abc\ninsertstart=5000\nfieldcount=0\nfieldlength=0\nminfieldlength=200\nfieldlengthdistribution=histogram\n" +
				"fieldlengthhistogram=testdata/none.txt\nreadproportion=-1\nworkload=tpcc\nrequestdistribution=latest\n" +
				"zipfian.theta=2\nmaxscanlength=0\nminscanlength=7\ndataintegrity=true\ninsertstart.run=3",
			[]string{
				"w:9: workload=tpcc: ", "w:1: recordcount=abc: ", "w:3: fieldcount=0: ", "w:4: fieldlength=0: ",
				"w:8: readproportion=-1: ", "w:12: maxscanlength=0: ",
				"w:14: dataintegrity=true: ", "w:11: zipfian.theta=2: ", "w:7: fieldlengthhistogram=testdata/none.txt: ",
			},
		},
		{
			"all of a kind at once", "insertstart=5\ninsertcount=1000\nminscanlength=2000\nupdateproportion=0\nreadproportion=0\ninsertstart.run=2",
			[]string{
				"w:2: insertcount=1000: ", "w:6: insertstart.run=2: ", "w:5: readproportion=0: ", "w:3: minscanlength=2000: ",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := workloads.Open(parse(t, tt.text))
			if err == nil {
				t.Fatal("no error")
			}
			lines := strings.Split(err.Error(), "\n")
			equal(t, fmt.Sprintf("faults in %q", lines), len(lines), len(tt.want))
			for i, want := range tt.want[:min(len(lines), len(tt.want))] {
				equal(t, fmt.Sprintf("%q begins with %q", lines[i], want), strings.HasPrefix(lines[i], want), true)
			}
		})
	}
}

// TestValidate has parameters that no property can have, or that come from no file.
func TestValidate(t *testing.T) {
	negative, zero, one := int64(-1), int64(0), int64(1)
	nan := 0.0
	nan /= nan
	tests := map[string]struct {
		change change
		want   string
	}{
		"zero value":          {func(c *workloads.CoreConfig) { *c = workloads.CoreConfig{} }, "recordcount: 0: want at least 1\nfieldcount: 0"},
		"records":             {func(c *workloads.CoreConfig) { c.RecordCount = -1 }, "recordcount: -1: want at least 1"},
		"start":               {func(c *workloads.CoreConfig) { c.InsertStart = -1 }, "insertstart: -1: want at least 0"},
		"count":               {func(c *workloads.CoreConfig) { c.InsertCount = &zero }, "insertcount: 0: want at least 1"},
		"start of run":        {func(c *workloads.CoreConfig) { c.InsertStartRun = &negative }, "insertstart.run: insertstart.run -1 lies among"},
		"start at the end":    {func(c *workloads.CoreConfig) { c.InsertStart, c.InsertCount = 1000, &one }, "insertcount: insertstart 1000 and insertcount 1 exceed recordcount 1000"},
		"fields":              {func(c *workloads.CoreConfig) { c.FieldCount = 2_000_000 }, "fieldcount: 2000000: want 1 to 1000000"},
		"length":              {func(c *workloads.CoreConfig) { c.FieldLength = 1 << 40 }, "fieldlength: 1099511627776: want 1 to 1073741824"},
		"fewest bytes":        {func(c *workloads.CoreConfig) { c.FieldLengthDistribution, c.MinFieldLength = "zipfian", -1 }, "minfieldlength: -1: want at least 0"},
		"lengths":             {func(c *workloads.CoreConfig) { c.FieldLengthDistribution = "" }, `fieldlengthdistribution: unknown distribution ""`},
		"histogram":           {func(c *workloads.CoreConfig) { c.FieldLengthDistribution, c.FieldLengthHistogram = "histogram", "" }, "fieldlengthhistogram: no file"},
		"NaN":                 {func(c *workloads.CoreConfig) { c.Update = nan }, "updateproportion: NaN: want a finite number"},
		"negative weight":     {func(c *workloads.CoreConfig) { c.Delete = -1 }, "deleteproportion: -1: want a finite number"},
		"requests":            {func(c *workloads.CoreConfig) { c.RequestDistribution = "x" }, `requestdistribution: unknown distribution "x": have uniform, zipfian`},
		"NaN theta":           {func(c *workloads.CoreConfig) { c.RequestDistribution, c.ZipfianTheta = "zipfian_exact", nan }, "zipfian.theta: NaN"},
		"hotspot":             {func(c *workloads.CoreConfig) { c.RequestDistribution, c.HotspotDataFraction = "hotspot", nan }, "hotspotdatafraction: NaN: want 0 to 1"},
		"hot operations":      {func(c *workloads.CoreConfig) { c.RequestDistribution, c.HotspotOpFraction = "hotspot", 2 }, "hotspotopnfraction: 2: want 0 to 1"},
		"percentile":          {func(c *workloads.CoreConfig) { c.RequestDistribution, c.ExponentialPercentile = "exponential", 100 }, "exponential.percentile: 100"},
		"fraction":            {func(c *workloads.CoreConfig) { c.RequestDistribution, c.ExponentialFrac = "exponential", nan }, "exponential.frac: NaN"},
		"shortest scan":       {func(c *workloads.CoreConfig) { c.MinScanLength = 0 }, "minscanlength: 0: want at least 1"},
		"longest scan":        {func(c *workloads.CoreConfig) { c.MaxScanLength = 1 << 31 }, "maxscanlength: 2147483648: want 1 to 2147483647"},
		"scans":               {func(c *workloads.CoreConfig) { c.ScanLengthDistribution = "latest" }, `scanlengthdistribution: unknown distribution "latest": have uniform, zipfian`},
		"order":               {func(c *workloads.CoreConfig) { c.InsertOrder = "" }, `insertorder: unknown order "": have hashed, ordered`},
		"hash":                {func(c *workloads.CoreConfig) { c.KeyHash = "md5" }, `keyhash: unknown hash "md5": have ycsb, go-ycsb`},
		"padding":             {func(c *workloads.CoreConfig) { c.ZeroPadding = -1 }, "zeropadding: -1: want 0 to 1000"},
		"retries":             {func(c *workloads.CoreConfig) { c.InsertionRetryLimit = -1 }, "core_workload_insertion_retry_limit: -1"},
		"interval of retries": {func(c *workloads.CoreConfig) { c.InsertionRetryInterval = -1 }, "core_workload_insertion_retry_interval: -1ns"},
		"batches":             {func(c *workloads.CoreConfig) { c.BatchSize = -1 }, "batch.size: -1"},
		"huge batches":        {func(c *workloads.CoreConfig) { c.BatchSize = 1 << 50 }, "batch.size: 1125899906842624: want 1 to 1000000"},
		"much padding":        {func(c *workloads.CoreConfig) { c.ZeroPadding = 1001 }, "zeropadding: 1001: want 0 to 1000"},
		"huge weights":        {func(c *workloads.CoreConfig) { c.Read, c.Update = 1e308, 1e308 }, "readproportion: the proportions add up to more than a number holds"},
		"many records":        {func(c *workloads.CoreConfig) { c.RequestDistribution, c.RecordCount = "latest", 1<<53+1 }, "recordcount: 9007199254740993 records: want at most 9007199254740992 for requestdistribution latest"},
		"memory of records":   {func(c *workloads.CoreConfig) { c.FieldCount, c.FieldLength = 1e6, 1<<30 }, "fieldlength: fieldcount 1000000, fieldlength 1073741824 and batch.size 1 take 1.07e+15 bytes of each worker: want at most 4294967296"},
		"memory of a batch":   {func(c *workloads.CoreConfig) { c.FieldLength, c.BatchSize = 10_000, 1e6 }, "fieldlength: fieldcount 10, fieldlength 10000 and batch.size 1000000 take 1e+11 bytes"},
		"table":               {func(c *workloads.CoreConfig) { c.Table = "" }, "table: empty name"},
	}
	for name, tt := range tests {
		c := workloads.Default()
		tt.change(&c)
		fails(t, name, c.Validate(), tt.want)
		_, err := workloads.NewCore(c)
		fails(t, name, err, "workloads: ", tt.want)
	}
}

func TestUnknownNames(t *testing.T) {
	_, err := workloads.Standard("g")
	fails(t, "Standard", err, `workloads: unknown standard workload "g": have a, b, c, d, e, f`)
	_, err = workloads.Standard("")
	fails(t, "Standard", err, `unknown standard workload ""`)
	_, ok := workloads.File("workloadg")
	equal(t, "there is a workloadg", ok, false)
	_, err = workloads.Open(parse(t, "\nworkload=site.ycsb.workloads.RestWorkload"))
	fails(t, "Open", err, "w:2: workload=site.ycsb.workloads.RestWorkload: unknown workload: have core (in Java's words site.ycsb.workloads.CoreWorkload)")
}

func TestNamesOfTheCoreWorkload(t *testing.T) {
	for _, name := range append(workloads.Names(), "site.ycsb.workloads.CoreWorkload", "com.yahoo.ycsb.workloads.CoreWorkload") {
		w, err := workloads.Open(parse(t, "workload="+name+"\nrecordcount=7"))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "recordcount", w.(*workloads.Core).Config().RecordCount, 7)
	}
}

// standardText is what the standard mixes have in common, and what each has of its own.
var standardText = map[string]string{
	"":  "recordcount=1000 readallfields=true fieldcount=10 fieldlength=100 insertorder=hashed keyprefix=user table=usertable minscanlength=1",
	"a": "readproportion=0.5 updateproportion=0.5 insertproportion=0 scanproportion=0 readmodifywriteproportion=0 deleteproportion=0 requestdistribution=zipfian",
	"b": "readproportion=0.95 updateproportion=0.05 insertproportion=0 scanproportion=0 readmodifywriteproportion=0 deleteproportion=0 requestdistribution=zipfian",
	"c": "readproportion=1 updateproportion=0 insertproportion=0 scanproportion=0 readmodifywriteproportion=0 deleteproportion=0 requestdistribution=zipfian",
	"d": "readproportion=0.95 updateproportion=0 insertproportion=0.05 scanproportion=0 readmodifywriteproportion=0 deleteproportion=0 requestdistribution=latest",
	"e": "readproportion=0 updateproportion=0 insertproportion=0.05 scanproportion=0.95 readmodifywriteproportion=0 deleteproportion=0 requestdistribution=zipfian maxscanlength=100 scanlengthdistribution=uniform",
	"f": "readproportion=0.5 updateproportion=0 insertproportion=0 scanproportion=0 readmodifywriteproportion=0.5 deleteproportion=0 requestdistribution=zipfian",
}

func TestStandards(t *testing.T) {
	equalLists(t, "standard mixes", workloads.Standards(), []string{"a", "b", "c", "d", "e", "f"})
	for _, name := range workloads.Standards() {
		settings := newCore(t, standard(t, name)).Settings()
		for _, s := range strings.Fields(standardText[""] + " " + standardText[name]) {
			key, want, _ := strings.Cut(s, "=")
			equal(t, name+": "+key, settings[key], want)
		}
		equal(t, "parameters by the long name of "+name, standard(t, "workload"+name), standard(t, name))
	}
}

// TestFilesOfStandards reads the files strictly: they have no keys that nobody knows.
func TestFilesOfStandards(t *testing.T) {
	for _, name := range workloads.Standards() {
		text, ok := workloads.File("workload" + name)
		equal(t, "there is a file of "+name, ok, true)
		p, err := properties.Parse(bytes.NewReader(text), "workload"+name)
		if err != nil {
			t.Fatal(err)
		}
		var c workloads.CoreConfig
		if err := p.Decode(&c); err != nil {
			t.Error(err)
		}
		if err := p.Unknown("workload", "operationcount"); err != nil {
			t.Error(err)
		}
		var o ycsb.Options
		if err := p.Decode(&o); err != nil {
			t.Error(err)
		}
		equal(t, "operationcount of "+name, o.Operations, 1000)
		if _, err := workloads.Open(p); err != nil {
			t.Error(err)
		}
		for _, key := range []string{"recordcount", "operationcount", "workload", "readallfields"} {
			_, ok := p.Lookup(key)
			equal(t, name+" has "+key, ok, true)
		}
	}
}

func TestDefault(t *testing.T) {
	c := workloads.Default()
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
	want := map[string]string{
		"workload": "core", "table": "usertable", "recordcount": "1000", "insertstart": "0",
		"fieldcount": "10", "fieldnameprefix": "field", "fieldlength": "100", "minfieldlength": "1",
		"fieldlengthdistribution": "constant", "fieldlengthhistogram": "hist.txt",
		"readallfields": "true", "readallfieldsbyname": "false", "writeallfields": "false", "dataintegrity": "false",
		"readproportion": "0.95", "updateproportion": "0.05", "insertproportion": "0", "scanproportion": "0",
		"readmodifywriteproportion": "0", "deleteproportion": "0",
		"requestdistribution": "uniform", "zipfian.theta": "0.99", "hotspotdatafraction": "0.2", "hotspotopnfraction": "0.8",
		"exponential.percentile": "95", "exponential.frac": "0.8571428571",
		"minscanlength": "1", "maxscanlength": "1000", "scanlengthdistribution": "uniform",
		"insertorder": "hashed", "zeropadding": "1", "keyprefix": "user", "keyhash": "ycsb",
		"core_workload_insertion_retry_limit": "0", "core_workload_insertion_retry_interval": "3",
		"core_workload_insertion_keep_going_on_error": "false", "batch.size": "1",
	}
	got := newCore(t, c).Settings()
	for key, v := range want {
		equal(t, key, got[key], v)
	}
	equal(t, "settings", len(got), len(want))

	w, err := workloads.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "parameters without properties", w.(*workloads.Core).Config(), c)
}

// TestSettingsRepeatTheWorkload sets every property to something that is not its default.
func TestSettingsRepeatTheWorkload(t *testing.T) {
	text := `
table=t
recordcount=10000000000
insertstart=100
insertcount=200
insertstart.run=20000000000
fieldcount=3
fieldnameprefix=f
fieldlength=20
minfieldlength=2
fieldlengthdistribution=histogram
fieldlengthhistogram=testdata/hist-example.txt
readallfields=false
readallfieldsbyname=true
writeallfields=true
readproportion=1
updateproportion=2
insertproportion=3
scanproportion=4
readmodifywriteproportion=5
deleteproportion=0.5
requestdistribution=zipfian_exact
zipfian.theta=1.25
hotspotdatafraction=0.1
hotspotopnfraction=0.9
exponential.percentile=90
exponential.frac=0.5
minscanlength=2
maxscanlength=20
scanlengthdistribution=zipfian
insertorder=ordered
zeropadding=12
keyprefix=k
keyhash=go-ycsb
core_workload_insertion_retry_limit=4
core_workload_insertion_retry_interval=1.5
core_workload_insertion_keep_going_on_error=true
batch.size=16
`
	p := parse(t, text)
	w, err := workloads.Open(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Unknown(); err != nil {
		t.Error(err)
	}
	got := w.(*workloads.Core).Settings()
	again := properties.New()
	for key, v := range got {
		again.Set(key, v)
	}
	for s := range p.All() {
		equal(t, s.Key, got[s.Key], s.Value)
	}
	w, err = workloads.Open(again)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "settings of the workload that the settings describe", fmt.Sprint(w.(*workloads.Core).Settings()), fmt.Sprint(got))

	keys := slices.Sorted(func(yield func(string) bool) {
		for _, s := range properties.Describe(workloads.CoreConfig{}) {
			if s.Key != "dataintegrity" && !yield(s.Key) { // it wants a constant length
				return
			}
		}
	})
	equal(t, "properties set", len(keys), len(slices.Collect(p.All())))
}

func TestMisspeltSetting(t *testing.T) {
	p := parse(t, "readpropotion=1")
	if _, err := workloads.Open(p); err != nil {
		t.Fatal(err)
	}
	fails(t, "Unknown", p.Unknown(), "w:1: readpropotion: unknown key (did you mean readproportion?)")
}

// TestHugeCounts goes beyond 2^31, where Java's numbers end.
func TestHugeCounts(t *testing.T) {
	p := parse(t, "recordcount=10000000000\noperationcount=3000000000\nreadproportion=0\nupdateproportion=0\ninsertproportion=1\n"+
		"fieldcount=1\ninsertorder=ordered\ninsertstart=2147483647\ninsertcount=4")
	var o ycsb.Options
	if err := p.Decode(&o); err != nil {
		t.Fatal(err)
	}
	equal(t, "operations", o.Operations, 3_000_000_000)
	w, err := workloads.Open(p)
	if err != nil {
		t.Fatal(err)
	}
	db := newMemDB()
	flawless(t, ycsb.Load, db, w, nil)
	flawless(t, ycsb.Run, db, w, seeded(2, 1))
	equalLists(t, "keys", db.mu.keys, []string{
		"user10000000000", "user10000000001", "user2147483647", "user2147483648", "user2147483649", "user2147483650",
	})
	equal(t, "next record", w.(*workloads.Core).NextRecord(), 10_000_000_002)
}

func TestHugeTables(t *testing.T) {
	for _, d := range distributions {
		w := newCore(t, small(func(c *workloads.CoreConfig) {
			c.Read, c.Insert, c.RequestDistribution, c.RecordCount, c.InsertOrder = .5, .5, d, 10_000_000_000, "ordered"
		}))
		db := newMemDB()
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		db.after = func(context.Context, *call) error {
			if n++; n == 1000 {
				cancel()
			}
			return nil
		}
		_, err := ycsb.Run(ctx, db, w, seeded(3_000_000_000, 1))
		equal(t, d+" ends when it is told to", errors.Is(err, context.Canceled), true)
		beyond := 0
		for _, c := range db.calls(ycsb.OpRead) {
			if len(c.key) == len("user10000000000") || c.key > "user2147483648" && len(c.key) == len("user2147483648") {
				beyond++
			}
		}
		equal(t, d+": keys beyond 2^31 are read", beyond > 0, d != "sequential")
	}
}
