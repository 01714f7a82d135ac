package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ycsbkit/ycsbkit/ycsb"
	"github.com/ycsbkit/ycsbkit/ycsb/cli"
)

func TestDrivers(t *testing.T) {
	want := []string{"memory", "mysql", "noop", "pebble"}
	if got := ycsb.Drivers(); !slices.Equal(got, want) {
		t.Errorf("drivers %v; want %v", got, want)
	}
}

// TestBench runs the command without arguments but those that make it short, and looks for what
// it left behind.
func TestBench(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	var stdout, stderr bytes.Buffer
	args := []string{"bench", "-p", "recordcount=100", "-p", "operationcount=100", "-p", "pebble.nosync=true"}
	if err := cli.Run(t.Context(), args, &stdout, &stderr); err != nil {
		t.Fatalf("%v; stderr:\n%s", err, stderr.String())
	}
	for _, want := range []string{"phase       load, ", "phase       run, ", "Pebble v"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("no %q in\n%s", want, stdout.String())
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("left behind: %v, %v", files, err)
	}
}

// TestReload loads a store twice: the second time it is not empty.
func TestReload(t *testing.T) {
	args := []string{"load", "pebble", "-p", "recordcount=10", "-p", "pebble.dir=" + t.TempDir() + "/store", "-p", "pebble.nosync=true"}
	for i, want := range []int{0, 2} {
		var stdout, stderr bytes.Buffer
		err := cli.Run(t.Context(), args, &stdout, &stderr)
		if got := cli.ExitCode(err); got != want {
			t.Errorf("load %d: exit code %d, %v; want %d", i+1, got, err, want)
		}
	}
	var stdout, stderr bytes.Buffer
	if err := cli.Run(t.Context(), append(args, "-p", "dropdata=true"), &stdout, &stderr); err != nil {
		t.Error(err)
	}
}
