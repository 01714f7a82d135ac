package ycsb

import (
	"os"
	"syscall"
	"time"
	"unsafe"
)

// napper sleeps on a timer of the kernel that the runtime's poller waits for, like for a
// connection: it wakes within some 50 µs, and takes no processor from the workers meanwhile.
type napper struct {
	file *os.File
	fd   uintptr
}

// newNapper returns nil when there is no such timer.
func newNapper() *napper {
	const monotonic = 1 // CLOCK_MONOTONIC
	fd, _, errno := syscall.RawSyscall(syscall.SYS_TIMERFD_CREATE, monotonic, syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if errno != 0 {
		return nil
	}
	return &napper{os.NewFile(fd, "timer"), fd}
}

// nap sleeps d. It returns false when that is not possible.
func (n *napper) nap(d time.Duration) bool {
	spec := struct{ interval, value syscall.Timespec }{value: syscall.NsecToTimespec(int64(d))}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, n.fd, 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
	if errno != 0 {
		return false
	}
	var expirations [8]byte
	_, err := n.file.Read(expirations[:])
	return err == nil
}

func (n *napper) close() error { return n.file.Close() }
