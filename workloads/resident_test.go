package workloads_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "github.com/ycsbkit/ycsbkit/drivers/noop"
	"github.com/ycsbkit/ycsbkit/workloads"
	"github.com/ycsbkit/ycsbkit/ycsb"
)

// residentVar makes the test binary a process that runs a benchmark with so many workers.
const residentVar = "YCSB_TEST_RESIDENT_WORKERS"

// TestResidentMemory holds the memory of a whole process, its high-water mark, under a bound,
// whatever the number of operations: the engine must not keep a histogram for each worker.
func TestResidentMemory(t *testing.T) {
	if workers := os.Getenv(residentVar); workers != "" {
		runResident(t, workers)
		return
	}
	if runtime.GOOS != "linux" {
		t.Skip("the high-water mark is read from /proc, which Linux has")
	}
	if raceEnabled {
		t.Skip("the race detector takes memory of its own")
	}
	for _, tt := range []struct{ workers, mib int }{{64, 64}, {1000, 160}} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestResidentMemory$", "-test.v")
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", residentVar, tt.workers))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		_, rest, _ := strings.Cut(string(out), "VmHWM:")
		kib, err := strconv.Atoi(strings.Fields(rest)[0])
		if err != nil {
			t.Fatalf("%v in %s", err, out)
		}
		t.Logf("%d workers: %d MiB", tt.workers, kib/1024)
		if kib > tt.mib<<10 {
			t.Errorf("%d workers take %d MiB; want at most %d", tt.workers, kib/1024, tt.mib)
		}
	}
}

// runResident loads and runs workload A, with everything that keeps histograms, and prints the
// high-water mark.
func runResident(t *testing.T, workers string) {
	n, err := strconv.Atoi(workers)
	if err != nil {
		t.Fatal(err)
	}
	db, err := ycsb.Open(t.Context(), "noop", nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := workloads.Standard("a")
	if err != nil {
		t.Fatal(err)
	}
	c.RecordCount = 200_000
	w, err := workloads.NewCore(c)
	if err != nil {
		t.Fatal(err)
	}
	o := &ycsb.Options{Threads: n, Interval: 100 * time.Millisecond, Hooks: &ycsb.Hooks{Status: func(ycsb.Status) {}}}
	if _, err := ycsb.Load(t.Context(), db, w, o); err != nil {
		t.Fatal(err)
	}
	o.Operations, o.Target = 3_000_000, 1e9
	if _, err := ycsb.Run(t.Context(), db, w, o); err != nil {
		t.Fatal(err)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, hwm, _ := strings.Cut(string(status), "VmHWM:")
	hwm, _, _ = strings.Cut(hwm, "\n")
	t.Logf("VmHWM: %s", hwm)
}
