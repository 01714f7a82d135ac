//go:build !linux

package ycsb

import "time"

// napper is what Linux has.
type napper struct{}

func newNapper() *napper { return nil }

func (*napper) nap(time.Duration) {}
