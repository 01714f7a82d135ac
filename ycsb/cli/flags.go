package cli

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/pflag"

	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

// settings are what the command line says of properties and of the command itself.
type settings struct {
	files      []string              // of -P, in order
	properties []properties.Property // of -p and of flags that stand for properties, in order
	faults     faults                // of -p

	format       string
	allowErrors  tolerance
	allowUnknown bool
	dryRun       bool
}

// newFlags returns the flags of the commands that run phases.
func newFlags(s *settings) *pflag.FlagSet {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.add(f)
	return f
}

// add adds the flags of the commands that run phases.
func (s *settings) add(f *pflag.FlagSet) {
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
	s.flag(f, "append", "", "load.append", "", "load into a table that is not empty")
	f.Var((*formatName)(&s.format), "format", "format of the results on stdout: text, ycsb, ycsb-json or json")
	f.Var(&s.allowErrors, "allow-errors", "operations that may fail without exit code 1: a number, a fraction, or per cent with a %")
	f.BoolVar(&s.allowUnknown, "allow-unknown", false, "unknown properties are no errors")
	f.BoolVar(&s.dryRun, "dry-run", false, "check everything, print the settings and do nothing")
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
			unknown := flags.ShorthandLookup(name[:1]) == nil && name[0] != 'h' || name == "load"
			if f != nil || unknown { // pflag would complain of one letter
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
