package ycsb

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
)

// Errors that a driver returns, alone or wrapped, and that the engine counts apart. Each
// one's outcome is named in brackets.
var (
	ErrNotFound    = errors.New("ycsb: not found")   // no record has the key [NOT_FOUND]
	ErrExists      = errors.New("ycsb: exists")      // an insert found the key taken [EXISTS]
	ErrConflict    = errors.New("ycsb: conflict")    // the operation or transaction may be tried again [CONFLICT]
	ErrTimeout     = errors.New("ycsb: timeout")     // Options.Timeout passed, or a limit of the client's own [TIMEOUT]
	ErrCorrupt     = errors.New("ycsb: wrong data")  // what was read is not what was written [UNEXPECTED_STATE]
	ErrUnavailable = errors.New("ycsb: unavailable") // the server is not there: workers wait before they go on [SERVICE_UNAVAILABLE]
	ErrUnsupported = errors.New("ycsb: unsupported") // the driver or database cannot do this [NOT_IMPLEMENTED]
)

// ErrDone is returned by a [Worker] that has no more work. It is not an outcome.
var ErrDone = errors.New("ycsb: done")

// Fatal wraps an error so that a step that returns it ends the whole phase, with what was
// measured so far in the Result and err returned. It returns nil when err is nil.
func Fatal(err error) error {
	if err == nil {
		return nil
	}
	return &fatalError{err}
}

type fatalError struct{ err error }

func (e *fatalError) Error() string { return e.err.Error() }
func (e *fatalError) Unwrap() error { return e.err }

// Names of outcomes. They are those of Java YCSB's Status where it has one.
const (
	OutcomeOK          = "OK"
	OutcomeNotFound    = "NOT_FOUND"
	OutcomeExists      = "EXISTS"
	OutcomeConflict    = "CONFLICT"
	OutcomeTimeout     = "TIMEOUT"
	OutcomeCorrupt     = "UNEXPECTED_STATE"
	OutcomeUnavailable = "SERVICE_UNAVAILABLE"
	OutcomeUnsupported = "NOT_IMPLEMENTED"
	OutcomeCancelled   = "CANCELLED" // cut short because the phase ended
	OutcomeError       = "ERROR"     // any other error
)

// outcome is the index of an outcome's name in outcomeNames.
type outcome uint8

const (
	outcomeOK outcome = iota
	outcomeNotFound
	outcomeExists
	outcomeConflict
	outcomeTimeout
	outcomeCorrupt
	outcomeUnavailable
	outcomeUnsupported
	outcomeCancelled
	outcomeError
	outcomes // their number
)

var outcomeNames = [outcomes]string{
	OutcomeOK, OutcomeNotFound, OutcomeExists, OutcomeConflict, OutcomeTimeout, OutcomeCorrupt,
	OutcomeUnavailable, OutcomeUnsupported, OutcomeCancelled, OutcomeError,
}

// classify returns the outcome that err stands for. cut tells whether the phase was over when
// the operation returned, and not the operation's own time.
func classify(err error, cut bool) outcome {
	switch {
	case err == nil:
		return outcomeOK
	case errors.Is(err, ErrExists):
		return outcomeExists
	case errors.Is(err, ErrConflict):
		return outcomeConflict
	case errors.Is(err, ErrCorrupt):
		return outcomeCorrupt
	case errors.Is(err, ErrUnsupported):
		return outcomeUnsupported
	case cut && (errors.Is(err, context.Canceled) || isTimeout(err) || isOutage(err)):
		return outcomeCancelled // drivers cancel by deadlines in the past and by breaking connections
	case isTimeout(err):
		return outcomeTimeout
	case isOutage(err):
		return outcomeUnavailable
	case errors.Is(err, ErrNotFound) && !isJoined(err):
		return outcomeNotFound
	}
	return outcomeError
}

// isJoined tells whether err joins several errors, of which ErrNotFound is not all there is to
// tell. An error that wraps nothing but ErrNotFound in several ways is no such one.
func isJoined(err error) bool {
	for err != nil {
		if j, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range j.Unwrap() {
				if !errors.Is(e, ErrNotFound) {
					return true
				}
			}
			return false
		}
		err = errors.Unwrap(err)
	}
	return false
}

// failure tells whether an outcome speaks against the database or the workload.
func (o outcome) failure() bool {
	return o != outcomeOK && o != outcomeNotFound && o != outcomeCancelled
}

func isTimeout(err error) bool {
	if errors.Is(err, ErrTimeout) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) {
		return true
	}
	var ne net.Error
	return errors.As(err, &ne) && ne.Timeout()
}

// isOutage tells whether err means that the server cannot be reached, so that trying again
// at once would only burn the operation budget.
func isOutage(err error) bool {
	for _, target := range []error{
		ErrUnavailable, driver.ErrBadConn, net.ErrClosed, io.EOF, io.ErrUnexpectedEOF,
		syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE,
		syscall.EHOSTUNREACH, syscall.ENETUNREACH,
	} {
		if errors.Is(err, target) {
			return true
		}
	}
	var oe *net.OpError
	return errors.As(err, &oe) && oe.Op == "dial"
}
