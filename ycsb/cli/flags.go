package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// settings are what the command line says of properties and of the command itself.
type settings struct {
	files      []string              // of -P, in order
	properties []properties.Property // of -p and of flags that stand for properties, in order
	faults     faults                // of -p
	unset      []string              // keys that -p gave no value: an argument may be it

	format       string
	allowErrors  tolerance
	allowUnknown bool
	dryRun       bool
}

// newFlags returns the flags of all commands that run phases.
func newFlags(s *settings) *pflag.FlagSet {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.add(f, "")
	return f
}

// add adds the flags of a command that runs phases; "" is all such commands.
func (s *settings) add(f *pflag.FlagSet, command string) {
	f.SortFlags = false
	f.SetNormalizeFunc(normalize)
	f.VarP((*fileNames)(&s.files), "property-file", "P", "a property file, or the name of a standard one such as workloada; the last one wins")
	f.VarP(&assignment{s}, "property", "p", "a property; wins over all files")
	s.flag(f, "threads", "", "threadcount", "N", "number of workers")
	s.flag(f, "target", "", "target", "N", "operations a second of all workers; 0: as fast as possible")
	s.flag(f, "status", "s", "status", "", "status lines on stderr")
	s.flag(f, "label", "l", "label", "TEXT", "what status lines begin with")
	s.flag(f, "db", "", "db", "NAME", "the driver, if no argument names it")
	s.flag(f, "seed", "", "seed", "N", "seed of all random numbers; 0: a new one")
	if command != "run" {
		s.flag(f, "append", "", "load.append", "", "load into a table that is not empty")
	}
	f.Var((*formatName)(&s.format), "format", "format of the results on stdout: text, ycsb, ycsb-json or json")
	f.Var(&s.allowErrors, "allow-errors", "operations that may fail without exit code 1: a number, a fraction, or per cent with a %")
	f.BoolVar(&s.allowUnknown, "allow-unknown", false, "unknown properties are no errors")
	f.BoolVar(&s.dryRun, "dry-run", false, "check everything, print what would be done and all settings, and do nothing")
}

// flag adds a flag that stands for a property. Without an operand it takes none and means true.
func (s *settings) flag(f *pflag.FlagSet, name, short, key, operand, usage string) {
	v := f.VarPF(&propertyFlag{s, key, name, operand}, name, short, usage)
	if operand == "" {
		v.NoOptDefVal = "true"
	}
}

// set appends a property of the command line.
func (s *settings) set(key, value, origin string) {
	s.properties = append(s.properties, properties.Property{Key: key, Value: value, File: origin})
}

// normalize maps the names that flags have elsewhere to ours.
func normalize(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	switch name = strings.ReplaceAll(name, "_", "-"); name {
	case "prop":
		name = "property"
	}
	return pflag.NormalizedName(name)
}

// fileNames is -P.
type fileNames []string

func (n *fileNames) String() string { return "" }

// Set appends a name.
func (n *fileNames) Set(text string) error {
	*n = append(*n, text)
	return nil
}

func (n *fileNames) Type() string { return "FILE" }

// formatName is --format.
type formatName string

func (n *formatName) String() string { return string(*n) }

// Set sets the name; it is checked with everything else.
func (n *formatName) Set(text string) error {
	*n = formatName(text)
	return nil
}

func (n *formatName) Type() string { return "NAME" }

// propertyFlag is a flag that stands for a property.
type propertyFlag struct {
	s                  *settings
	key, name, operand string
}

func (f *propertyFlag) String() string { return "" }

// Set sets the property; the text is checked when it is decoded.
func (f *propertyFlag) Set(text string) error {
	f.s.set(f.key, text, "-"+f.name)
	return nil
}

// Type returns what the usage calls the operand; bool has none.
func (f *propertyFlag) Type() string { return cmp.Or(f.operand, "bool") }

// assignment is -p.
type assignment struct{ s *settings }

func (a *assignment) String() string { return "" }

// Set notes the property, or what is wrong with it: there may be more that is wrong.
func (a *assignment) Set(text string) error {
	key, value, ok := strings.Cut(text, "=")
	if value == "" {
		a.s.unset = append(a.s.unset, key)
	}
	if !ok || key == "" {
		a.s.faults = append(a.s.faults, fmt.Errorf("-p %s: want KEY=VALUE", beginning(text)))
		return nil
	}
	a.s.set(key, value, "-p")
	return nil
}

func (a *assignment) Type() string { return "KEY=VALUE" }

// beginning returns what of a text may be a key: there may be a secret behind it.
func beginning(text string) string {
	i := strings.IndexFunc(text, func(r rune) bool {
		return r != '.' && r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if i < 0 {
		return strconv.Quote(text)
	}
	return strconv.Quote(text[:i] + "…")
}

// tolerance is how many operations may fail.
type tolerance struct {
	text  string
	count int64
	share float64 // of all operations
}

func (t *tolerance) String() string { return t.text }

// Set reads a count, a fraction, which has a point, or a percentage.
func (t *tolerance) Set(text string) error {
	*t = tolerance{text: text}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
		t.count = n
		return nil
	}
	number, percent := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(number, 64)
	if percent {
		x /= 100
	}
	if err != nil || !(x >= 0 && x <= 1) {
		return fmt.Errorf("want a number of operations, a fraction such as 0.001 or a percentage such as 0.1%%")
	}
	t.share = x
	return nil
}

func (t *tolerance) Type() string { return "N" }

// allows tells whether so many of all operations may fail.
func (t *tolerance) allows(failed, all int64) bool {
	return failed <= t.count || float64(failed) <= t.share*float64(all)
}

// phases are our commands by the flags of Java's client that ask for them.
var phases = map[string]string{"load": "load", "t": "run"}

// elsewhere says what there is instead of flags that other commands have, ours or go-ycsb's.
var elsewhere = map[string]string{
	"append":   "only load and bench have it",
	"interval": "have -p status.interval=SECONDS",
	"table":    "have -p table=NAME",
}

// flagError returns the error of parsing the flags of a command with what helps to mend it.
func (a *App) flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return fmt.Errorf("%w: %s --help lists the flags", err, c.CommandPath())
	}
	name := cmp.Or(unknown.GetSpecifiedShortnames(), unknown.GetSpecifiedName())
	if phase := phases[name]; phase != "" {
		return fmt.Errorf("unknown flag: -%s: the phase is a command here, such as '%s %s DB …'", name, a.name(), phase)
	}
	if hint := elsewhere[name]; hint != "" {
		return fmt.Errorf("%w: %s", err, hint)
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if nearest := properties.Nearest(name, names); nearest != "" {
		return fmt.Errorf("%w (did you mean --%s?)", err, nearest)
	}
	return fmt.Errorf("%w: %s --help lists the flags", err, c.CommandPath())
}

// noCommand returns the error of a command line that begins with a flag of a phase, as those of
// Java's client do, or nil if it has none.
func (a *App) noCommand(args []string) error {
	s := new(settings)
	flags := newFlags(s)
	flags.Usage = func() {} // help is no flag of them
	flags.ParseErrorsAllowlist.UnknownFlags = true
	load := flags.Bool("load", false, "")
	run := flags.BoolP("transactions", "t", false, "")
	_ = flags.Parse(args) // the flags before a fault tell enough
	if !strings.HasPrefix(args[0], "-") || flags.NFlag() == 0 {
		return nil
	}
	driver := "DB"
	for _, p := range s.properties {
		if name := driverName(p.Value, ycsb.Drivers()); p.Key == "db" && slices.Contains(ycsb.Drivers(), name) {
			driver = name
		}
	}
	var ways []string
	if *load || !*run {
		ways = append(ways, fmt.Sprintf("'%s load %s …'", a.name(), driver))
	}
	if *run || !*load {
		ways = append(ways, fmt.Sprintf("'%s run %s …'", a.name(), driver))
	}
	return fmt.Errorf("no command: the phase is a command here, and comes first: %s", strings.Join(ways, " or "))
}

// keyOfFlag returns the property that a flag stands for, the flag with its dashes if it stands for
// none, or "" if there is no flag of that name.
func keyOfFlag(name string) string {
	f := newFlags(new(settings)).Lookup(name)
	if f == nil {
		return ""
	}
	if p, ok := f.Value.(*propertyFlag); ok {
		return p.key
	}
	return "--" + f.Name
}

// isLetters tells whether what is behind one dash are flags of one letter, the last one perhaps
// with its operand.
func isLetters(name string, flags *pflag.FlagSet) bool {
	for i := range len(name) {
		f := flags.ShorthandLookup(name[i : i+1])
		if f == nil {
			return name[i:] == "h"
		}
		if f.NoOptDefVal == "" {
			return true
		}
	}
	return true
}

// twoDashes returns args with the dashes that pflag wants: YCSB has one before long names.
func twoDashes(args []string, flags *pflag.FlagSet) []string {
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(out, args[i:]...)
		}
		var f *pflag.Flag
		name, _, attached := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		switch {
		case strings.HasPrefix(arg, "--"):
			f = flags.Lookup(name)
		case strings.HasPrefix(arg, "-") && len(name) > 1:
			f = flags.Lookup(name)
			if f != nil || name == "load" || !isLetters(name, flags) { // pflag would complain of one letter
				arg = "-" + arg
			}
		case strings.HasPrefix(arg, "-") && len(name) == 1:
			f = flags.ShorthandLookup(name)
		}
		out = append(out, arg)
		if f != nil && !attached && f.NoOptDefVal == "" && i+1 < len(args) {
			i++
			out = append(out, args[i]) // its operand, whatever it looks like
		}
	}
	return out
}
