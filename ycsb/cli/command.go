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

	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

const rootLong = `Benchmarks databases with the workloads of YCSB: the same keys, distributions and property
files, the same lines of output.

The exit code is 0 when all went well; 1 when operations failed, were abandoned or are missing;
2 when something has to be mended first; 130 when the run was interrupted.`

const rootExample = `  # load a table, and run workload B on it with 16 workers
  %[1]s load mysql -P workloadb -p mysql.host=db1 -p recordcount=1000000 -threads 16
  %[1]s run mysql -P workloadb -p mysql.host=db1 -p recordcount=1000000 -p operationcount=1000000 -threads 16

  # both at once, in a store of its own
  %[1]s bench -P workloada -threads 4

  # what would be done
  %[1]s run mysql -P workloadb -target 5000 -p maxexecutiontime=60 --dry-run`

const (
	loadLong = `A table that holds rows is loaded into with --append only, or emptied first by dropdata=true,
if it was made by this command.`
	runLong = `The run ends after operationcount operations or maxexecutiontime seconds; one of them has to be
set. With operationcount=0 and no time it goes on until it is interrupted.`
	benchLong = `The table is loaded as fast as possible, then run as the properties say: target and
maxexecutiontime are for the run. The driver is pebble with a store that is removed at the end,
and the workload workloada, unless something else is asked for.`
)

// run parses the arguments and runs the command that they name.
func (a *App) run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	root := a.root(stdout, stderr)
	flags := newFlags(new(settings))
	if len(args) == 0 {
		root.SetOut(stderr)
		return errors.Join(root.Help(), errors.New("no command"))
	}
	args = twoDashes(args, flags)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if _, _, unknown := root.Find(args); unknown != nil && err != nil {
		return fmt.Errorf("%w: have %s", unknown, listed(commands(root)))
	}
	return err
}

// root makes the tree of commands.
func (a *App) root(stdout, stderr io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:                a.name(),
		Short:              "Benchmarks databases with the workloads of YCSB",
		Long:               rootLong,
		Example:            fmt.Sprintf(rootExample, a.name()),
		SilenceErrors:      true,
		SilenceUsage:       true,
		DisableSuggestions: true, // all commands are listed
		Version:            a.version(),
	}
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w: %s --help lists the flags", err, c.CommandPath())
	})
	root.AddCommand(
		a.phaseCommand("load DB", "Load the records of a workload", loadLong),
		a.phaseCommand("run DB", "Run the operations of a workload", runLong),
		a.phaseCommand("bench [DB]", "Load, then run, by default in a temporary store", benchLong),
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
	return root
}

// failed gives an error that is not the user's to mend its code.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return &Error{Code: exitFailed, Err: err}
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
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("%s: more than one driver: %s", name, strings.Join(args, ", "))
			}
			return nil
		},
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     completeDriver,
		RunE: func(c *cobra.Command, args []string) error {
			p, err := a.newPlan(name, args, s)
			if err != nil {
				return err
			}
			if s.dryRun {
				return failed(p.dryRun(c.OutOrStdout()))
			}
			w := c.ErrOrStderr()
			return p.execute(c.Context(), a.name(), c.OutOrStdout(), w, terminalWidth(w))
		},
	}
	s.add(c.Flags())
	for flag, complete := range map[string]cobra.CompletionFunc{
		"property-file": completeFile,
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

// completeFile completes the names of files and of the standard workloads.
func completeFile(_ *cobra.Command, _ []string, part string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, s := range workloads.Standards() {
		names = append(names, "workload"+s)
	}
	names = withPrefix(names, part)
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
				return fmt.Errorf("help: nothing is called %q: have %s", strings.Join(args, " "), listed(topics(root)))
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
