package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
	"github.com/ycsbkit/ycsbkit/ycsb/report"
)

// group is a group of properties in a help text.
type group struct {
	title string
	specs []properties.Spec
}

// coreGroups are all properties but those of drivers.
func coreGroups() []group {
	return []group{
		{"The phase", properties.Describe(ycsb.Options{})},
		{"The core workload", append([]properties.Spec{{
			Key: "workload", Type: "text", Default: "core", Help: "the workload, or its class in Java",
		}}, properties.Describe(workloads.CoreConfig{})...)},
		{"Measurements", properties.Describe(report.Config{})},
		{"The command", properties.Describe(config{})},
	}
}

// helpCore describes all properties but those of drivers.
func helpCore(w io.Writer) error {
	var b strings.Builder
	for i, g := range coreGroups() {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(g.title + "\n\n")
		writeSpecs(&b, g.specs)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// helpDriver describes the properties of a registered driver.
func helpDriver(w io.Writer, name string) error {
	var b strings.Builder
	specs := driverSpecs(name)
	if len(specs) == 0 {
		b.WriteString("Driver " + name + " has no properties.\n")
	} else {
		b.WriteString("Driver " + name + "\n\n")
		writeSpecs(&b, specs)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeSpecs writes a list of properties: key and default, and below them what they are.
func writeSpecs(b *strings.Builder, specs []properties.Spec) {
	for _, s := range specs {
		line := "  " + s.Key
		if s.Default != "" {
			line += "=" + s.Default
		}
		b.WriteString(line + "\n        ")
		if s.Help != "" {
			b.WriteString(s.Help + " ")
		}
		b.WriteString("(" + strings.Join(details(s), "; ") + ")\n")
	}
}

// details returns type, bounds and what else there is to know of a property.
func details(s properties.Spec) []string {
	d := []string{s.Type}
	least, above := strings.CutPrefix(s.Min, ">")
	most, below := strings.CutPrefix(s.Max, "<")
	switch {
	case s.Min != "" && above:
		d = append(d, "more than "+least)
	case s.Min != "":
		d = append(d, "at least "+least)
	}
	switch {
	case s.Max != "" && below:
		d = append(d, "less than "+most)
	case s.Max != "":
		d = append(d, "at most "+most)
	}
	if s.Required {
		d = append(d, "required")
	}
	if s.Secret {
		d = append(d, "secret")
	}
	if len(s.Aliases) > 0 {
		d = append(d, "also called "+strings.Join(s.Aliases, ", "))
	}
	return d
}

// listWorkloads lists the standard files and the values of the property workload.
func (a *App) listWorkloads(w io.Writer) error {
	var rows [][2]string
	for _, s := range workloads.Standards() {
		c, err := workloads.Standard(s)
		if err != nil {
			return err
		}
		rows = append(rows, [2]string{"-P workload" + s, mix(&c)})
	}
	for _, name := range a.workloads() {
		what := "the core workload: help core lists its properties"
		if a.Workloads[name] != nil {
			what = "a workload of this program"
		}
		rows = append(rows, [2]string{"-p workload=" + name, what})
	}
	_, err := io.WriteString(w, columns(rows))
	return err
}

// columns returns rows of two cells one below the other.
func columns(rows [][2]string) string {
	width := 0
	for _, r := range rows {
		width = max(width, utf8.RuneCountInString(r[0]))
	}
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(r[0] + strings.Repeat(" ", width-utf8.RuneCountInString(r[0])+2) + r[1] + "\n")
	}
	return b.String()
}

// mix says what a core workload does.
func mix(c *workloads.CoreConfig) string {
	var parts []string
	for _, p := range []struct {
		name   string
		weight float64
	}{
		{"read", c.Read},
		{"update", c.Update},
		{"insert", c.Insert},
		{"scan", c.Scan},
		{"read-modify-write", c.ReadModifyWrite},
		{"delete", c.Delete},
	} {
		if p.weight > 0 {
			parts = append(parts, strconv.FormatFloat(p.weight*100, 'g', -1, 64)+" % "+p.name)
		}
	}
	return strings.Join(parts, ", ") + "; " + c.RequestDistribution
}

const (
	ourModule = "github.com/ycsbkit/ycsbkit"
	ourPrefix = ourModule + "/"
)

// writeVersion tells what the program is made of.
func (a *App) writeVersion(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", a.name(), a.version())
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range ours(info) {
			fmt.Fprintf(&b, "%s %s\n", m.Path, m.Version)
		}
	}
	fmt.Fprintf(&b, "%s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(&b, "drivers: %s\n", listed(ycsb.Drivers()))
	_, err := io.WriteString(w, b.String())
	return err
}

// version returns the version of the program.
func (a *App) version() string {
	if a.Version != "" {
		return a.Version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// ours returns the modules of ours in a program, its own not among them.
func ours(info *debug.BuildInfo) []*debug.Module {
	var list []*debug.Module
	for _, m := range info.Deps {
		if m.Path == ourModule || strings.HasPrefix(m.Path, ourPrefix) {
			list = append(list, m)
		}
	}
	return list
}

// dryRun writes what would be done, in comments, and the settings in force, one a line, each with
// where it was set. The notes of the plan go to stderr, as the program of that name writes them.
func (p *plan) dryRun(name string, stdout, stderr io.Writer) error {
	for _, n := range p.notes {
		// As in a run, nobody is told of an error.
		_, _ = fmt.Fprintf(stderr, "%s: %s\n", name, p.secrets.hide(n))
	}
	var b strings.Builder
	for _, line := range p.intent() {
		b.WriteString("# " + printable(p.secrets.long().hide(line)) + "\n")
	}
	b.WriteString(columns(p.inForce()))
	_, err := io.WriteString(stdout, b.String())
	return err
}

// intent returns what would be done, a line a phase.
func (p *plan) intent() []string {
	set, _ := p.props.Lookup("workload")
	workload := set.Value
	if s, ok := p.workload.(fmt.Stringer); ok {
		workload = s.String()
	}
	var lines []string
	if p.command != "run" {
		what := "records"
		if core, ok := p.workload.(*workloads.Core); ok {
			c := core.Config()
			n := c.RecordCount - c.InsertStart
			if c.InsertCount != nil {
				n = *c.InsertCount
			}
			what = plural(n, "record")
		}
		o := p.optionsOf("load")
		line := fmt.Sprintf("load: %s of workload %s into %s, %s", what, workload, p.driver, pace(&o))
		if o.Drop {
			line += ", after its table was emptied"
		}
		lines = append(lines, line)
	}
	if p.command != "load" {
		o := &p.options
		what := "operations"
		if o.Operations > 0 {
			what = plural(o.Operations, "operation")
		}
		line := fmt.Sprintf("run: %s of workload %s on %s, %s", what, workload, p.driver, pace(o))
		if o.Operations == 0 && o.Duration == 0 {
			line += ", until interrupted"
		}
		lines = append(lines, line)
	}
	return lines
}

// pace says with how many threads, how fast and for how long options have a phase go on.
func pace(o *ycsb.Options) string {
	s := plural(int64(o.Threads), "thread") + ", "
	if o.Target > 0 {
		s += strconv.FormatFloat(o.Target, 'f', -1, 64) + " a second"
	} else {
		s += "as fast as possible"
	}
	if o.Open {
		s += " in an open loop"
	}
	if o.Duration > 0 {
		s += fmt.Sprintf(", for %v at most", o.Duration)
	}
	if o.Warmup > 0 {
		s += fmt.Sprintf(", after a warm-up of %v", o.Warmup)
	}
	return s
}

// plural returns a number of things.
func plural(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// inForce returns the settings in force, each with where it was set.
func (p *plan) inForce() [][2]string {
	effective := make(map[string]properties.Property)
	show := func(props []properties.Property) {
		for _, prop := range props {
			effective[prop.Key] = prop
		}
	}
	show(properties.Encode(&p.options))
	show(properties.Encode(&p.report))
	show(properties.Encode(&p.config))
	if p.driverConfig != nil {
		show(driverSettings(p.driverConfig))
	}
	if c, ok := p.workload.(ycsb.Configured); ok {
		for key, value := range c.Settings() {
			show([]properties.Property{{Key: key, Value: value}})
		}
	}
	show([]properties.Property{{Key: "db", Value: p.driver}})

	names, keys := p.names(), secretKeys()
	for prop := range p.props.All() {
		key, known := names[prop.Key]
		if e, ok := effective[key]; ok && known {
			e.File, e.Line = prop.File, prop.Line
			effective[key] = e
			continue
		}
		if _, ok := effective[prop.Key]; !ok {
			prop.File = "without effect, " + origin(prop)
			prop.Line = 0
			if p.props.Secret(prop.Key) || keys[prop.Key] {
				prop.Value = blot
			}
		} else {
			prop.Value = effective[prop.Key].Value
		}
		effective[prop.Key] = prop
	}

	var rows [][2]string
	for _, key := range slices.Sorted(maps.Keys(effective)) {
		prop := effective[key]
		rows = append(rows, [2]string{
			key + "=" + printable(p.secrets.long().hide(prop.Value)), cmp.Or(origin(prop), "default"),
		})
	}
	return rows
}

// names maps the names of settings, aliases among them, to their keys.
func (p *plan) names() map[string]string {
	names := make(map[string]string)
	for _, specs := range [][]properties.Spec{coreSpecs(), driverSpecs(p.driver)} {
		for _, s := range specs {
			names[s.Key] = s.Key
			for _, alias := range s.Aliases {
				names[alias] = s.Key
			}
		}
	}
	return names
}

// printable returns a value so that it stays on its line.
func printable(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}
