package cli_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/cli"
	"github.com/ycsbkit/ycsbkit/ycsb/properties"
)

func ExampleRun() {
	err := cli.Run(context.Background(), []string{"load", "noop", "-p", "recordcount=1,000"}, os.Stdout, os.Stderr)
	fmt.Println(err)
	fmt.Println("exit code", cli.ExitCode(err))
	// Output:
	// -p: recordcount=1,000: not a whole number
	// exit code 2
}

// logins is a workload that a program adds to the command.
type logins struct {
	Users int64 `prop:"logins.users,min=1" default:"100" help:"users that log in"`
}

func openLogins(p *properties.Properties) (ycsb.Workload, error) {
	w := new(logins)
	if err := p.Decode(w); err != nil {
		return nil, err
	}
	return ycsb.Mix{{Name: "LOGIN", Weight: 1, Do: w.login}}, nil
}

func (w *logins) login(ctx context.Context, c *ycsb.Client) error {
	key := fmt.Appendf(nil, "user%d", c.Rand().Int64N(w.Users))
	err := c.Read(ctx, "users", key, nil, new(ycsb.Record))
	if errors.Is(err, ycsb.ErrNotFound) {
		return nil
	}
	return err
}

func ExampleApp() {
	app := &cli.App{
		Name: "loginbench",
		Workloads: map[string]func(*properties.Properties) (ycsb.Workload, error){
			"logins": openLogins,
		},
	}
	// A program calls app.Main() here.
	args := []string{"run", "noop", "-p", "workload=logins", "-p", "logins.users=0", "-p", "operationcount=10"}
	fmt.Println(app.Run(context.Background(), args, os.Stdout, os.Stderr))
	// Output:
	// -p: logins.users=0: must be at least 1
}
