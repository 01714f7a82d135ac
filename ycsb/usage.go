package ycsb

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

// usage returns what the process has used so far.
func usage() ClientUsage {
	var gc debug.GCStats
	debug.ReadGCStats(&gc)
	host, err := os.Hostname()
	if err != nil {
		host = ""
	}
	u := ClientUsage{
		Host: host, OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.GOMAXPROCS(0),
		GoVersion: runtime.Version(), GCs: gc.NumGC, GCPause: gc.PauseTotal,
	}
	u.User, u.System = cpuTime()
	return u
}

// since returns the usage between two calls of usage.
func (u ClientUsage) since(o ClientUsage) ClientUsage {
	u.User -= o.User
	u.System -= o.System
	u.GCs -= o.GCs
	u.GCPause -= o.GCPause
	return u
}

// sampleRuntime samples the runtime; used is what was used since the sample before.
func sampleRuntime(offset time.Duration, used ClientUsage) *RuntimeSample {
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(heap)
	return &RuntimeSample{
		Offset: offset, Heap: heap[0].Value.Uint64(), Goroutines: runtime.NumGoroutine(),
		LoadAvg: loadAverage(), GCs: used.GCs, GCPause: used.GCPause,
	}
}

// loadAverage returns the load of the last minute, as Linux tells it, else -1.
func loadAverage() float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return -1
	}
	first, _, _ := strings.Cut(string(text), " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return -1
	}
	return load
}
