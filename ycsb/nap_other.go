//go:build !linux

package ycsb

import "time"

const canNap = false

func nap(time.Duration) {}
