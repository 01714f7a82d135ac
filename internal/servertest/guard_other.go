//go:build !unix

package servertest

import "os"

// Without signals a server cannot be halted.
var (
	pause     os.Signal = os.Interrupt
	resume    os.Signal = os.Interrupt
	terminate os.Signal = os.Kill
)

func halted(int) bool { return true }

type guard struct{}

func newGuard(string) (*guard, error) { return nil, nil }

func (*guard) set(string, int) {}
func (*guard) close() error    { return nil }
