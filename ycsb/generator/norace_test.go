//go:build !race

package generator

const (
	draws    = 5_000_000 // how many numbers a statistical test draws
	rejected = 20        // the least misfit of what is wrong, see accepted
)
