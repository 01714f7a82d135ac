package ycsb

import (
	"os"
	"runtime"
	"runtime/debug"
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
