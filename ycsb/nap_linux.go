package ycsb

import (
	"runtime"
	"syscall"
	"time"
)

// napper is the system's own sleep, which wakes within some 60 µs.
type napper struct{}

// newNapper returns nil when there is but one processor for Go code: the sleep would keep it
// from the workers whose answers have come.
func newNapper() *napper {
	if runtime.GOMAXPROCS(0) == 1 {
		return nil
	}
	return new(napper)
}

// nap sleeps d, or less when a signal arrives, which the caller's clock tells.
func (*napper) nap(d time.Duration) {
	ts := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&ts, nil)
}
