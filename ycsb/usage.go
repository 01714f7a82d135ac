package ycsb

import (
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
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

// add adds the usage of another client. Those on the same host share its CPUs.
func (u *ClientUsage) add(o ClientUsage) {
	u.User += o.User
	u.System += o.System
	u.GCs += o.GCs
	u.GCPause += o.GCPause
	hosts := u.cpusByHost()
	for host, cpus := range o.cpusByHost() {
		hosts[host] = max(hosts[host], cpus)
	}
	var names []string
	for _, host := range strings.Split(u.Host+","+o.Host, ",") {
		if host != "" && !slices.Contains(names, host) {
			names = append(names, host)
		}
	}
	u.Host, u.CPUs = strings.Join(names, ","), 0
	for _, cpus := range hosts {
		u.CPUs += cpus
	}
	if len(hosts) > 1 {
		u.Hosts = hosts
	}
}

// cpusByHost returns a new map of the CPUs of each host.
func (u ClientUsage) cpusByHost() map[string]int {
	if u.Hosts != nil {
		return maps.Clone(u.Hosts)
	}
	return map[string]int{u.Host: u.CPUs}
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
