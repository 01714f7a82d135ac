//go:build race

package generator

// The race detector makes draws ten times as slow, so that statistical tests make do with fewer, and reject
// what is wrong less clearly.
const (
	draws    = 1_000_000
	rejected = 7
)
