package ycsb

import (
	"syscall"
	"time"
)

const canNap = true

// nap sleeps d, or less when a signal arrives.
func nap(d time.Duration) {
	ts := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&ts, nil) // an early return is noticed by the caller's clock
}
