//go:build !unix

package ycsb

import "time"

func cpuTime() (user, system time.Duration) { return 0, 0 }
