package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

const rootLong = `Benchmarks databases with the workloads of YCSB: the same keys, distributions and property
files, the same lines of output.

The exit code is 0 when all went well; 1 when operations failed, were abandoned or are missing;
2 when something has to be mended first; 130 when the run was interrupted.`

// The placeholders of rootExample are the program, a driver and settings of it; where bench keeps
// what it loads, and what it wants to be told of driver and settings.
const rootExample = `  # load a table, and run workload B on it with 16 workers
  %[1]s load %[2]s -P workloadb%[3]s -p recordcount=1000000 -threads 16
  %[1]s run %[2]s -P workloadb%[3]s -p recordcount=1000000 -p operationcount=1000000 -threads 16

  # both at once%[4]s
  %[1]s bench%[5]s -P workloada -threads 4

  # what would be done
  %[1]s run %[2]s -P workloadb%[3]s -p operationcount=0 -p maxexecutiontime=60 -target 5000 --dry-run`

const (
	loadLong = `A table that holds rows is loaded into with --append only, or emptied first by dropdata=true,
if it was made by this command.`
	runLong = `The run ends after operationcount operations or maxexecutiontime seconds; one of them has to be
set. With operationcount=0 and no time it goes on until it is interrupted.`
	benchLong = `The table is loaded as fast as possible, then run as the properties say: target and
maxexecutiontime are for the run. YCSB's formats have the results of the run alone, as their lines do
not tell the phase. `
	benchDefaults = `The driver is pebble with a store that is removed at the end,
and the workload workloada, unless something else is asked for.`
	benchWorkload = "The workload is workloada, unless something else is asked for."
)

// example returns examples with a driver of those that there are: one with a host, so that they
// show how to tell it, else one with properties, for what has none keeps nothing from one command
// to the next.
func (a *App) example(drivers []string) string {
	driver, settings, best := "DB", "", 0
	for _, name := range drivers {
		if rank, needs := sample(name, driverSpecs(name)); rank > best {
			driver, settings, best = name, needs, rank
		}
	}
	where, what := ", in a store of its own", ""
	if !slices.Contains(drivers, defaultDriver) {
		where, what = "", " "+driver+settings
	}
	return fmt.Sprintf(rootExample, a.name(), driver, settings, where, what)
}

// sample returns how good a driver with these properties is for an example, from 1, and what has to
// be set for it.
func sample(name string, specs []properties.Spec) (rank int, settings string) {
	rank = 1
	for _, s := range specs {
		rank = max(rank, 2)
		switch {
		case s.Key == name+".host":
			rank = 3
			settings += " -p " + s.Key + "=db1"
		case s.Required:
			settings += " -p " + s.Key + "=…"
		}
	}
	return rank, settings
}

// run parses the arguments and runs the command that they name.
func (a *App) run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	root := a.root(stdout, stderr)
	flags := newFlags(new(settings))
	if len(args) == 0 {
		root.SetOut(stderr)
		return errors.Join(root.Help(), errors.New("no command"))
	}
	if completesOneDash(args) {
		return a.completeOneDash(ctx, args, stdout, stderr)
	}
	args = twoDashes(args, flags)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return nil
	}
	found, _, unknown := root.Find(args)
	if found == root {
		if hint := a.noCommand(args); hint != nil {
			return hint
		}
	}
	if unknown != nil {
		return fmt.Errorf("%w: have %s%s", unknown, listed(commands(root)), meant(args[0], commands(root)))
	}
	return err
}

// completesOneDash tells whether a shell asks for the flags that begin with one dash and letters.
func completesOneDash(args []string) bool {
	last := args[len(args)-1]
	asks := args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd
	return asks && len(last) > 2 && last[0] == '-' && last[1] != '-' && !strings.Contains(last, "=")
}

// completeOneDash completes flags as if they began with two dashes, and writes them with one.
func (a *App) completeOneDash(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	args = slices.Clone(args)
	args[len(args)-1] = "-" + args[len(args)-1]
	var out strings.Builder
	if err := a.run(ctx, args, &out, stderr); err != nil {
		return err
	}
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "--") {
			line = line[1:]
		}
		if _, err := io.WriteString(stdout, line); err != nil {
			return failed(err)
		}
	}
	return nil
}

// meant returns what an error of a name ends in that was probably meant to be one of names.
func meant(name string, names []string) string {
	if n := properties.Nearest(name, names); n != "" {
		return " (did you mean " + n + "?)"
	}
	return ""
}

// root makes the tree of commands.
func (a *App) root(stdout, stderr io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:                a.name(),
		Short:              "Benchmarks databases with the workloads of YCSB",
		Long:               rootLong,
		Example:            a.example(ycsb.Drivers()),
		SilenceErrors:      true,
		SilenceUsage:       true,
		DisableSuggestions: true, // all commands are listed
		Version:            a.version(),
	}
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(a.flagError)
	root.AddCommand(
		a.phaseCommand("load DB", "Load the records of a workload", loadLong),
		a.phaseCommand("run DB", "Run the operations of a workload", runLong),
		a.benchCommand(ycsb.Drivers()),
		&cobra.Command{
			Use: "drivers", Short: "List the drivers", Args: cobra.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
			RunE: func(*cobra.Command, []string) error {
				_, err := io.WriteString(stdout, strings.Join(append(ycsb.Drivers(), ""), "\n"))
				return failed(err)
			},
		},
		&cobra.Command{
			Use: "workloads", Short: "List the workloads", Args: cobra.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
			RunE: func(*cobra.Command, []string) error { return failed(a.listWorkloads(stdout)) },
		},
		&cobra.Command{
			Use: "version", Short: "Tell versions and drivers", Args: cobra.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
			RunE: func(*cobra.Command, []string) error { return failed(a.writeVersion(stdout)) },
		},
	)
	root.SetHelpCommand(a.helpCommand(stdout))
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			needShell(c)
		}
	}
	return root
}

// needShell makes an argument that is no shell an error of the command completion.
func needShell(c *cobra.Command) {
	c.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return fmt.Errorf("completion: unknown shell %q: have %s%s", args[0], listed(commands(c)), meant(args[0], commands(c)))
	}
	c.RunE = func(*cobra.Command, []string) error { return failed(c.Help()) }
	c.DisableFlagsInUseLine = true
}

// failed gives an error that is not the user's to mend its code.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return &Error{Code: exitFailed, Err: err}
}

// benchCommand makes bench, which needs no driver if its default is among those that there are.
func (a *App) benchCommand(drivers []string) *cobra.Command {
	if !slices.Contains(drivers, defaultDriver) {
		return a.phaseCommand("bench DB", "Load, then run", benchLong+benchWorkload)
	}
	return a.phaseCommand("bench [DB]", "Load, then run, by default in a temporary store", benchLong+benchDefaults)
}

// phaseCommand makes load, run or bench.
func (a *App) phaseCommand(use, short, long string) *cobra.Command {
	name, _, _ := strings.Cut(use, " ")
	s := new(settings)
	c := &cobra.Command{
		Use:   use + " [-P FILE]... [-p KEY=VALUE]...",
		Short: short,
		Long: fmt.Sprintf("%s.\n\n%s\n\nLong flags may have one dash, as in YCSB. '%[3]s help core' lists the properties, '%[3]s help DB'\nthose of a driver.",
			short, long, a.name()),
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     completeDriver,
		RunE: func(c *cobra.Command, args []string) error {
			p, err := a.newPlan(name, args, s)
			if err != nil {
				return err
			}
			w := c.ErrOrStderr()
			if s.dryRun {
				return failed(p.dryRun(a.name(), c.OutOrStdout(), w))
			}
			return p.execute(c.Context(), a.name(), c.OutOrStdout(), w, terminalWidth(w))
		},
	}
	s.add(c.Flags(), name)
	for flag, complete := range map[string]cobra.CompletionFunc{
		"property-file": completeFile,
		"property":      s.completeProperty,
		"db": func(c *cobra.Command, _ []string, part string) ([]string, cobra.ShellCompDirective) {
			return completeDriver(c, nil, part)
		},
		"format": cobra.FixedCompletions([]string{"text", "ycsb", "ycsb-json", "json"}, cobra.ShellCompDirectiveNoFileComp),
	} {
		if err := c.RegisterFlagCompletionFunc(flag, complete); err != nil {
			panic("cli: " + err.Error()) // there is no such flag
		}
	}
	return c
}

// completeDriver completes the first argument.
func completeDriver(_ *cobra.Command, args []string, part string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return withPrefix(ycsb.Drivers(), part), cobra.ShellCompDirectiveNoFileComp
}

// completeProperty completes the keys of properties, those of the driver among them.
func (s *settings) completeProperty(_ *cobra.Command, args []string, part string) ([]string, cobra.ShellCompDirective) {
	for _, p := range s.properties {
		if p.Key == "db" {
			args = append(args, p.Value)
		}
	}
	specs := coreSpecs()
	if len(args) > 0 {
		specs = append(specs, driverSpecs(driverName(args[0], ycsb.Drivers()))...)
	}
	var keys []string
	for _, spec := range specs {
		if strings.HasPrefix(spec.Key, part) {
			keys = append(keys, cobra.CompletionWithDesc(spec.Key+"=", spec.Help))
		}
	}
	slices.Sort(keys)
	return keys, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// completeFile completes the names of files and of the standard workloads.
func completeFile(_ *cobra.Command, _ []string, part string) ([]string, cobra.ShellCompDirective) {
	names := withPrefix(standardFiles(), part)
	files, err := filepath.Glob(escapeGlob(part) + "*")
	if err != nil {
		return names, cobra.ShellCompDirectiveDefault
	}
	directive := cobra.ShellCompDirectiveNoFileComp
	for _, f := range files {
		if isDirectory(f) {
			f += string(filepath.Separator)
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		names = append(names, f)
	}
	slices.Sort(names)
	return slices.Compact(names), directive
}

func withPrefix(names []string, prefix string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(s string) bool { return !strings.HasPrefix(s, prefix) })
}

// helpCommand makes help, which knows of commands, drivers and core.
func (a *App) helpCommand(stdout io.Writer) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | DRIVER | core]",
		Short: "Describe a command, the properties of a driver, or the other properties",
		ValidArgsFunction: func(c *cobra.Command, args []string, part string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return withPrefix(topics(c.Root()), part), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			if len(args) == 1 && !slices.Contains(commands(root), args[0]) {
				switch {
				case args[0] == "core":
					return failed(helpCore(stdout))
				case slices.Contains(ycsb.Drivers(), args[0]):
					return failed(helpDriver(stdout, args[0]))
				}
			}
			found, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				name := strings.Join(args, " ")
				return fmt.Errorf("help: nothing is called %q: have %s%s", name, listed(topics(root)), meant(name, topics(root)))
			}
			found.InitDefaultHelpFlag()
			return failed(found.Help())
		},
	}
}

// commands returns the names of the commands.
func commands(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// topics returns what help can be asked for.
func topics(root *cobra.Command) []string {
	names := append(commands(root), "core")
	for _, d := range ycsb.Drivers() {
		if !slices.Contains(names, d) {
			names = append(names, d)
		}
	}
	return names
}

// escapeGlob returns a text as a pattern that stands for itself.
func escapeGlob(s string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(s)
}

func isDirectory(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
