//go:build unix

package ycsb

import (
	"syscall"
	"time"
)

// cpuTime returns the CPU time of the process, by itself and in the kernel.
func cpuTime() (user, system time.Duration) {
	var ru syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
		return 0, 0
	}
	return time.Duration(ru.Utime.Nano()), time.Duration(ru.Stime.Nano())
}
