package sqldb

import (
	"context"
	"sync/atomic"
)

// watch interrupts the operations of one connection when their context ends, at the price of
// one context.AfterFunc for as long as the context stays the same. Its methods are for the
// goroutine that uses the connection; only what AfterFunc calls runs elsewhere.
type watch struct {
	// interrupt breaks the connection. While it is nil, contexts are handed on as they are.
	interrupt func()

	ctx     context.Context // of the operation under way, or of the last one
	done    <-chan struct{} // which context is watched: contexts are not always comparable
	bare    context.Context // the same without its end
	stop    func() bool     // ends the watch; nil while there is none
	once    bool            // the context was seen once only: it may be this operation's own
	cut     bool            // the last operation was interrupted
	watches uint64          // begun so far
	state   atomic.Uint64   // number of the watch, and in the two lowest bits what goes on
}

// What goes on.
const (
	_           = iota // nothing
	busy               // an operation is under way
	interrupted        // it was, and was interrupted
)

// begin is called before an operation. It returns the context for the client. After an error,
// cut tells whether the connection was broken all the same.
func (w *watch) begin(ctx context.Context) (context.Context, error) {
	w.ctx, w.cut = ctx, false
	done := ctx.Done()
	if w.interrupt == nil || done == nil {
		w.forget()
		return ctx, ctx.Err()
	}
	if done == w.done && w.stop != nil {
		w.state.Store(w.watches<<2 | busy) // before ctx is asked, lest its end be missed by both
		if err := ctx.Err(); err != nil {
			w.end()
			return nil, err
		}
		return w.bare, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if w.once = done != w.done; w.once {
		w.forget()
		w.done, w.bare = done, context.WithoutCancel(ctx)
	}
	w.arm(ctx)
	return w.bare, nil
}

// arm begins a watch, with an operation under way. Its number keeps a watch that was ended too
// late from interrupting another one's operation.
func (w *watch) arm(ctx context.Context) {
	w.watches++
	during := w.watches<<2 | busy
	w.state.Store(during)
	interrupt := w.interrupt
	w.stop = context.AfterFunc(ctx, func() {
		if w.state.CompareAndSwap(during, during&^3|interrupted) {
			interrupt()
		}
	})
}

// end is called after an operation and sets cut. A context that was seen for the first time is
// not watched any longer: if it was made for this operation, it is cancelled next, which would
// wake a goroutine for nothing.
func (w *watch) end() {
	if w.stop == nil {
		return
	}
	w.cut = !w.state.CompareAndSwap(w.watches<<2|busy, w.watches<<2)
	if w.once || w.cut {
		w.stop()
		w.stop = nil
	}
}

// forget ends the watch.
func (w *watch) forget() {
	if w.stop != nil {
		w.stop()
	}
	w.state.Store(w.watches << 2)
	w.stop, w.done, w.bare = nil, nil, nil
}
