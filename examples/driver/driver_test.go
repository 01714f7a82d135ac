package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/cli"
	"github.com/ycsbkit/ycsbkit/ycsb/ycsbtest"
)

func TestDB(t *testing.T) {
	ycsbtest.TestDB(t, func(t testing.TB) ycsb.DB {
		db, err := open(t.Context(), config{t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		return db
	})
}

func TestCommand(t *testing.T) {
	dir := "files.dir=" + t.TempDir()
	for _, tt := range []struct {
		args string
		code int
		want string // in what it writes
	}{
		{"help files", 0, "files.dir"},
		{"load files -P workloada", 2, "files.dir"},
		{"load files -P workloada -p fiels.dir=store -p " + dir, 2, "fiels.dir"},
		{"load files -P workloada -p recordcount=50 -p " + dir, 0, "[INSERT], Return=OK, 50\n"},
		{"run files -P workloadf -p recordcount=50 -p operationcount=100 -threads 4 -p " + dir, 0, "[READ], Return=OK, 100\n"},
		{"run files -P workloade -p recordcount=50 -p " + dir, 2, "needs scans"},
		{"load files -P workloada -p dropdata=true -p " + dir, 2, "cannot empty a table"},
	} {
		var stdout, stderr bytes.Buffer
		err := app.Run(t.Context(), strings.Fields(tt.args), &stdout, &stderr)
		text := stdout.String() + stderr.String()
		if err != nil {
			text += err.Error()
		}
		if code := cli.ExitCode(err); code != tt.code || !strings.Contains(text, tt.want) {
			t.Errorf("%s: exit code %d; want %d and %q in\n%s", tt.args, code, tt.code, tt.want, text)
		}
	}
}
