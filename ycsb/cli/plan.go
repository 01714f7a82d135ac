package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
	"github.com/ycsbkit/ycsbkit/ycsb/report"
)

// config are the properties of the command itself.
type config struct {
	DB              string `prop:"db" help:"the driver, if no argument names it"`
	Label           string `prop:"label" help:"what status lines begin with"`
	Status          bool   `prop:"status" default:"false" help:"status lines on stderr"`
	Exporter        string `prop:"exporter" help:"format of the results: text, ycsb, ycsb-json, json or one of Java's classes; default ycsb, of bench text"`
	ExportFile      string `prop:"exportfile,alias=measurement.output_file" help:"file for the results, instead of stdout"`
	Silence         bool   `prop:"silence" default:"true" help:"no line on stderr for each failed operation"`
	Verbose         bool   `prop:"verbose" default:"false" help:"a line on stderr for every operation"`
	MeasurementType string `prop:"measurementtype" default:"hdrhistogram" help:"how latencies are kept: hdrhistogram"`
	FileOutput      bool   `prop:"hdrhistogram.fileoutput" default:"false" help:"not available in this version"`
}

// The measurement types of YCSB and go-ycsb.
var measurementTypes = []string{
	"hdrhistogram", "histogram", "hdrhistogram+histogram", "hdrhistogram+raw", "timeseries", "raw", "csv",
}

// plan is all that a command is going to do, checked.
type plan struct {
	command      string // load, run or bench
	props        *properties.Properties
	settings     *settings
	config       config
	options      ycsb.Options
	report       report.Config
	driver       string
	driverConfig any // nil if it has no properties
	workload     ycsb.Workload
	format       report.Writer // for stdout; nil: nothing goes there
	exporter     report.Writer // for the export file, and for stdout when that fails
	secrets      secrets
	notes        []string // for stderr
	stray        []string // arguments that nobody has a use for
}

// defaultDriver is the driver of bench: its store is in a temporary directory unless a
// property says where.
const defaultDriver = "pebble"

// newPlan makes the plan of a command with arguments. It touches nothing; its error joins all
// faults there are.
func (a *App) newPlan(command string, args []string, s *settings) (*plan, error) {
	p := &plan{command: command, settings: s}
	faults := slices.Clone(s.faults)
	p.readProperties(&faults)
	trim(p.props)
	adopt(p.props)

	p.readOptions(&faults)
	faults.add(p.props.Decode(&p.report))
	faults.add(p.props.Decode(&p.config))
	p.checkConfig(&faults)
	p.checkPhase(&faults)
	faults.add(a.openWorkload(p))
	p.findDriver(&faults, args)
	p.checkUnknown(&faults)
	keys := secretKeys()
	p.secrets = secretsOf(p.props, keys, p.strayed(keys)...)
	if !faults.none() {
		text := p.secrets.hide(faults.text())
		return nil, &Error{Code: exitUsage, Err: errors.Join(faults...), text: text}
	}
	return p, nil
}

// optionsOf returns the options of a phase. Of a bench, time and rate are for what is measured.
func (p *plan) optionsOf(phase string) ycsb.Options {
	o := p.options
	if phase == "load" {
		o.Warmup = 0
		if p.command == "bench" {
			o.Duration, o.Target, o.Open = 0, 0, false
		}
	}
	return o
}

// strayed returns the arguments that nobody has a use for and that may be the values of secrets which
// -p has set to nothing. keys are those of secrets.
func (p *plan) strayed(keys map[string]bool) []string {
	var values []string
	for _, key := range p.settings.unset {
		for _, arg := range p.stray {
			set := properties.New()
			set.Set(key, arg)
			if keys[key] || set.Secret(key) {
				values = append(values, arg)
			}
		}
	}
	return values
}

// faults are errors to be told together.
type faults []error

func (f *faults) add(err error) {
	if err != nil {
		*f = append(*f, err)
	}
}

func (f *faults) none() bool { return len(*f) == 0 }

// text returns one fault a line, each once: a property may be asked for by several.
func (f *faults) text() string {
	var lines []string
	for line := range strings.SplitSeq(errors.Join(*f...).Error(), "\n") {
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// readProperties reads the files in order, and over them what the command line says.
func (p *plan) readProperties(faults *faults) {
	p.props = properties.New()
	files := p.settings.files
	if p.command == "bench" && len(files) == 0 {
		files = []string{"workloada"}
		p.notes = append(p.notes, "no -P: the workload is workloada")
	}
	for _, file := range files {
		read, err := load(file)
		faults.add(err)
		p.props.Merge(read)
	}
	for _, prop := range p.settings.properties {
		p.props.SetFrom(prop.Key, prop.Value, prop.File, 0)
	}
}

// load reads a property file or, when there is none, the standard one of that name.
func load(file string) (*properties.Properties, error) {
	_, err := os.Stat(file)
	if !errors.Is(err, fs.ErrNotExist) {
		return properties.Load(file)
	}
	if name := standardFile(file); name != "" {
		text, _ := workloads.File(name)
		return properties.Parse(bytes.NewReader(text), name)
	}
	p, err := properties.Load(file)
	if err != nil {
		err = fmt.Errorf("%w%s", err, standardMeant(file))
	}
	return p, err
}

// standardMeant returns what the error of a file that is not there ends in: the standard file that
// was probably meant, or all of them.
func standardMeant(file string) string {
	file = strings.ToLower(file)
	switch {
	case standardFile(file) != "":
		return " (did you mean " + standardFile(file) + "?)"
	case properties.Nearest(path.Base(file), standardFiles()) != "":
		return ": the standard ones are " + listed(standardFiles())
	}
	return ""
}

// standardFiles returns the names of the standard files.
func standardFiles() []string {
	var names []string
	for _, s := range workloads.Standards() {
		names = append(names, "workload"+s)
	}
	return names
}

// standardFile returns the name of the standard file that a name stands for: workloada, a, or,
// as YCSB's documents have it, workloads/workloada.
func standardFile(name string) string {
	if dir, base := path.Split(name); dir == "workloads/" {
		name = base
	}
	for _, s := range workloads.Standards() {
		if name == s || name == "workload"+s {
			return "workload" + s
		}
	}
	return ""
}

// trim cuts off the blanks around values that are names of something: files often have some at
// the end of a line, where nobody sees them.
func trim(p *properties.Properties) {
	for _, key := range []string{"db", "workload", "exporter", "measurementtype"} {
		prop, ok := p.Lookup(key)
		if name := strings.TrimSpace(prop.Value); ok && name != prop.Value {
			p.SetFrom(key, name, prop.File, prop.Line)
		}
	}
}

// readOptions reads the options and reports a run that nobody said the end of.
func (p *plan) readOptions(faults *faults) {
	if !faults.none() { // what seems to be missing may have been meant to be there
		faults.add(p.props.Decode(&p.options))
		return
	}
	err := p.options.Decode(p.props)
	faults.add(err)
	_, given := p.props.Lookup("operationcount")
	if p.command != "load" && !given && p.options.Duration == 0 && !p.props.Faulty(err, "maxexecutiontime") {
		faults.add(p.props.Fault("operationcount",
			errors.New("neither it nor maxexecutiontime is set: say how many operations there are to be (0: until interrupted), or how many seconds")))
	}
}

// checkConfig checks what the properties of the command say.
func (p *plan) checkConfig(faults *faults) {
	c := &p.config
	if c.MeasurementType != "hdrhistogram" {
		why := "not available in this version: have hdrhistogram, with -p measurementtype=hdrhistogram"
		if !slices.Contains(measurementTypes, c.MeasurementType) {
			why = "unknown measurement type: have hdrhistogram"
		}
		faults.add(p.props.Fault("measurementtype", errors.New(why)))
	}
	if c.FileOutput {
		faults.add(p.props.Fault("hdrhistogram.fileoutput", errors.New("not available in this version: have false")))
	}
	usual := "ycsb"
	if p.command == "bench" {
		usual = "text"
	}
	if c.Exporter == "" && c.ExportFile == "" {
		c.Exporter = usual
	}
	c.Exporter = cmp.Or(c.Exporter, "ycsb")
	w, err := p.writer(c.Exporter)
	if err != nil {
		faults.add(p.unknown("exporter", "exporter", report.Formats()))
	}
	p.exporter, p.format = w, w
	if c.ExportFile != "" {
		p.format = nil
		if p.command == "bench" {
			p.format = report.Text
		}
		if err := checkExport(c.ExportFile); err != nil {
			faults.add(p.props.Fault("exportfile", err))
		}
	}
	if f := p.settings.format; f != "" {
		if p.format, err = p.writer(f); err != nil {
			faults.add(fmt.Errorf("--format=%s: unknown format: have %s%s", f, strings.Join(report.Formats(), ", "), meant(f, report.Formats())))
		}
		if _, set := p.props.Lookup("exporter"); !set {
			p.exporter = p.format
		}
	}
}

// writer returns the writer of a format. YCSB's do not tell one phase from another: of a bench they
// have the last one alone, lest figures of the load be taken for those of the run.
func (p *plan) writer(name string) (report.Writer, error) {
	write, err := report.Lookup(name)
	if err != nil || p.command != "bench" || name == "text" || name == "json" {
		return write, err
	}
	return func(w io.Writer, results ...*ycsb.Result) error { return write(w, results[len(results)-1]) }, nil
}

// unknown returns the fault of a property whose value is none of the names that there are.
func (p *plan) unknown(key, what string, names []string) error {
	e := p.props.Fault(key, fmt.Errorf("unknown %s: have %s", what, listed(names)))
	e.Suggestion = properties.Nearest(e.Value, names)
	return e
}

// checkPhase checks what asks for another phase than the command, and what only the load heeds. A
// file may be for both phases: there the command is stronger, as it is in Java.
func (p *plan) checkPhase(faults *faults) {
	const asks = "dotransactions"
	prop, _ := p.props.Lookup(asks)
	phase := map[string]string{"true": "run", "false": "load"}[strings.ToLower(strings.TrimSpace(prop.Value))]
	if phase != "" {
		p.props.Know(asks)
	}
	if phase != "" && phase != p.command && p.command != "bench" {
		fault := p.props.Fault(asks, fmt.Errorf("asks for the %s phase, and the command is %s", phase, p.command))
		if prop.Line == 0 {
			faults.add(fault)
		} else {
			p.notes = append(p.notes, "warning: "+fault.Error())
		}
	}
	for _, key := range []string{"dropdata", "load.append"} {
		prop, _ := p.props.Lookup(key)
		if p.command == "run" && prop.Line == 0 && strings.EqualFold(strings.TrimSpace(prop.Value), "true") {
			p.notes = append(p.notes, fmt.Sprintf("warning: a run ignores %s=true (%s)", key, prop.File))
		}
	}
}

// openWorkload makes the workload.
func (a *App) openWorkload(p *plan) error {
	p.props.Know("workload")
	knowAll(p.props, properties.Describe(workloads.CoreConfig{}))
	set, _ := p.props.Lookup("workload")
	name := set.Value
	var err error
	switch open := a.Workloads[name]; {
	case open != nil:
		p.workload, err = open(p.props)
	case name == "" || strings.Contains(name, ".") || slices.Contains(workloads.Names(), name) || len(a.Workloads) == 0:
		if p.workload, err = workloads.Open(p.props); err != nil {
			return err
		}
		if c, ok := p.workload.(*workloads.Core); ok {
			if _, given := p.props.Lookup("recordcount"); !given {
				p.notes = append(p.notes, fmt.Sprintf("recordcount is not set: %d", c.Config().RecordCount))
			}
		}
	default:
		err = p.unknown("workload", "workload", a.workloads())
	}
	return err
}

// workloads returns the values of the property workload.
func (a *App) workloads() []string {
	names := append(workloads.Names(), slices.Collect(maps.Keys(a.Workloads))...)
	slices.Sort(names)
	return slices.Compact(names)
}

// findDriver finds the driver and decodes its properties.
func (p *plan) findDriver(faults *faults, args []string) {
	db, set := p.props.Lookup("db")
	arg := p.driverOf(faults, args)
	switch {
	case arg != "":
		p.driver = arg
		if db.File == "-db" && db.Value != arg {
			faults.add(fmt.Errorf("two drivers, %s and -db %s", arg, db.Value))
		}
	case set:
		p.driver = db.Value
	case p.command == "bench":
		p.driver = defaultDriver
		if !slices.Contains(ycsb.Drivers(), defaultDriver) {
			faults.add(fmt.Errorf("bench: driver %s, the default, is not part of this program: name one of %s",
				defaultDriver, listed(ycsb.Drivers())))
			return
		}
	default:
		faults.add(fmt.Errorf("%s: no driver: have %s", p.command, listed(ycsb.Drivers())))
		return
	}
	given := p.driver
	p.driver = driverName(given, ycsb.Drivers())
	d, err := ycsb.LookupDriver(p.driver)
	if err != nil {
		err = fmt.Errorf("unknown driver %q: have %s%s", given, listed(ycsb.Drivers()), meant(given, ycsb.Drivers()))
		if arg == "" {
			err = p.unknown("db", "driver", ycsb.Drivers())
		}
		faults.add(err)
		p.props.KnowPrefix(given + ".") // nobody can tell which of them there are
		return
	}
	if p.driverConfig = d.Config(); p.driverConfig == nil {
		return
	}
	err = p.props.Decode(p.driverConfig)
	if v, ok := p.driverConfig.(interface{ Validate() error }); ok && err == nil {
		err = v.Validate()
	}
	faults.add(err)
}

// driverOf returns the argument that is the driver, "" if none is, and reports the others. One that
// is no driver's name is taken for a wrong one only if nothing else on the command line says which.
func (p *plan) driverOf(faults *faults, args []string) string {
	drivers := ycsb.Drivers()
	var names, others []string
	for _, arg := range args {
		if slices.Contains(drivers, driverName(arg, drivers)) {
			names = append(names, arg)
		} else {
			others = append(others, arg)
		}
	}
	if len(names) > 1 {
		faults.add(fmt.Errorf("%s: more than one driver: %s", p.command, strings.Join(names, ", ")))
	}
	db, set := p.props.Lookup("db")
	said := len(names) > 0 || set && db.Line == 0
	for _, arg := range others {
		if said || isValue(arg) {
			faults.add(fmt.Errorf("%s: unexpected argument %q", p.command, arg))
			p.stray = append(p.stray, arg)
			continue
		}
		names, said = []string{arg}, true
	}
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// isValue tells whether an argument is a number, true or false, and so no driver's name.
func isValue(arg string) bool {
	_, err := strconv.ParseFloat(arg, 64)
	return err == nil || strings.EqualFold(arg, "true") || strings.EqualFold(arg, "false")
}

// driverSettings returns the properties that a driver's configuration stands for. Where one says
// what others are, as a data source name does, the configuration's method Settings tells these.
func driverSettings(config any) []properties.Property {
	all := properties.Encode(config)
	c, ok := config.(interface{ Settings() map[string]string })
	if !ok {
		return all
	}
	said := c.Settings()
	for i, p := range all {
		if value, ok := said[p.Key]; ok {
			all[i].Value, all[i].File = value, "derived"
		}
	}
	return all
}

// listed returns names as a list in a sentence.
func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// knowAll makes the keys of specs known.
func knowAll(p *properties.Properties, specs []properties.Spec) {
	for _, s := range specs {
		p.Know(s.Key)
		p.Know(s.Aliases...)
	}
}

// driverSpecs returns the properties of a registered driver.
func driverSpecs(name string) []properties.Spec {
	d, err := ycsb.LookupDriver(name)
	if err != nil {
		return nil
	}
	c := d.Config()
	if c == nil {
		return nil
	}
	return properties.Describe(c)
}

// secretKeys returns the keys that any registered driver says are secret.
func secretKeys() map[string]bool {
	keys := make(map[string]bool)
	for _, name := range ycsb.Drivers() {
		for _, s := range driverSpecs(name) {
			for _, key := range append([]string{s.Key}, s.Aliases...) {
				keys[key] = keys[key] || s.Secret
			}
		}
	}
	return keys
}

// checkUnknown reports properties that nobody knows, and warns of those that mean nothing here.
func (p *plan) checkUnknown(faults *faults) {
	p.props.Know(slices.Collect(maps.Keys(unused))...)
	mine := map[string]bool{"": true}
	for _, specs := range [][]properties.Spec{coreSpecs(), driverSpecs(p.driver)} {
		for _, s := range specs {
			for _, key := range append([]string{s.Key}, s.Aliases...) {
				mine[namespace(key)] = true
			}
		}
	}
	for _, name := range ycsb.Drivers() {
		specs := driverSpecs(name)
		knowAll(p.props, specs)
		for _, s := range specs {
			if ns := namespace(s.Key); !mine[ns] {
				p.props.KnowPrefix(ns)
			}
		}
	}

	var idle []string
	for _, err := range split(p.props.Unknown()) {
		var e *properties.Error
		if errors.As(err, &e) {
			e.Suggestion = cmp.Or(keyOfFlag(e.Key), e.Suggestion)
		}
		switch {
		case e != nil && isForeign(e.Key) && (namespace(e.Key) == "" || !mine[namespace(e.Key)]):
			idle = append(idle, fmt.Sprintf("%s (%s)", e.Key, origin(e.Property)))
		case p.settings.allowUnknown:
			p.notes = append(p.notes, "warning: "+err.Error())
		default:
			faults.add(err)
		}
	}
	for prop := range p.props.All() {
		if usual, ok := unused[prop.Key]; ok && strings.TrimSpace(prop.Value) != usual {
			idle = append(idle, fmt.Sprintf("%s (%s)", prop.Key, origin(prop)))
		}
	}
	if len(idle) > 0 {
		p.notes = append(p.notes, "warning: properties without effect here: "+strings.Join(idle, ", "))
	}
}

// origin returns where a property was set: workloada:12, or -p.
func origin(p properties.Property) string {
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return p.File
}

// split returns the errors that err joins.
func split(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// coreSpecs returns all properties but those of drivers.
func coreSpecs() []properties.Spec {
	var specs []properties.Spec
	for _, g := range coreGroups() {
		specs = append(specs, g.specs...)
	}
	return specs
}
