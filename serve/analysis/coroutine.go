package analysis

import (
	"fmt"
	"runtime/debug"
)

// coroutine runs a function in a goroutine of its own, in turns with the callers of next.
// It is not iter.Pull, because the goroutine lowers the priority of its thread and any
// goroutine may resume it.
type coroutine struct {
	resume, parked chan struct{}
	returned       chan struct{} // closed when the function has returned
	ended          bool          // next has said so
	fault          any           // the function panicked
}

// newCoroutine returns a coroutine that waits for the first next. The function gets what
// parks it. Its creator calls finish.
func newCoroutine(body func(park func())) *coroutine {
	c := &coroutine{resume: make(chan struct{}), parked: make(chan struct{}), returned: make(chan struct{})}
	go func() {
		defer close(c.returned)
		defer func() {
			if v := recover(); v != nil {
				c.fault = fmt.Sprintf("%v\n%s", v, debug.Stack())
			}
		}()
		<-c.resume
		body(func() { c.parked <- struct{}{}; <-c.resume })
	}()
	return c
}

// next runs the function until it parks or returns, and reports whether it has parked. It
// panics if the function did.
func (c *coroutine) next() (more bool) {
	if c.ended {
		return false
	}
	c.resume <- struct{}{}
	select {
	case <-c.parked:
		return true
	case <-c.returned:
		c.ended = true
	}
	if c.fault != nil {
		panic(c.fault)
	}
	return false
}

// finish runs the function until it returns, which it must do soon, whatever its fault.
func (c *coroutine) finish() {
	for !c.ended {
		c.resume <- struct{}{}
		select {
		case <-c.parked:
		case <-c.returned:
			c.ended = true
		}
	}
}
