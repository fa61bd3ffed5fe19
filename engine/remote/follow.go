package remote

import (
	"context"
	"errors"
	"time"

	"quintet/engine"
)

// Pacer is an engine.Pacer that says how long a search should run before it calls Yield. A
// search elsewhere is not suspended for any other.
type Pacer interface {
	engine.Pacer

	// Left returns the time until a call of Yield suspends the search.
	Left() time.Duration
}

// search is a search at a server, as the client follows it.
type search struct {
	*Searcher
	pacer Pacer         // nil for none
	limit time.Duration // 0 for none

	began, heard, moved time.Time
	slice               time.Time // when the pacer wants to suspend it; zero if the server parks it
	beat                uint64
}

func newSearch(s *Searcher, l engine.Limit) *search {
	now := time.Now()
	x := &search{Searcher: s, limit: l.Time, began: now, heard: now, moved: now}
	x.pacer, _ = l.Pacer.(Pacer)
	x.cut()
	return x
}

// parkAfter returns how long the server lets the search run before it parks it; 0 for no limit.
func (x *search) parkAfter() time.Duration {
	if x.pacer == nil || !x.terms.Parks {
		return 0
	}
	return max(x.pacer.Left(), time.Nanosecond)
}

// leastSlice keeps a client from looking all the time.
const leastSlice = time.Millisecond

// cut begins a slice of a search that needs no processor here: only its caller is suspended.
func (x *search) cut() {
	if x.pacer != nil && !x.terms.Parks {
		x.slice = time.Now().Add(max(x.pacer.Left(), leastSlice))
	}
}

// panicError is a panic of the search.
type panicError struct{ text string }

// Error implements error.
func (e *panicError) Error() string { return "the search has panicked: " + e.text }

// follow waits for the line.
func (x *search) follow(ctx context.Context) (line engine.Line, err error) {
	for {
		s, err := x.next(ctx)
		switch {
		case err != nil:
			return line, err
		case s.final == nil && !s.parked:
			continue
		case s.final == nil:
			if err := x.suspend(ctx); err != nil {
				return line, err
			}
		case s.final.Error != "":
			return line, errors.New(s.final.Error)
		case s.final.Panic != "":
			return line, &panicError{s.final.Panic}
		default:
			return *s.final.Line, nil
		}
	}
}

// next waits until the server says something or has let too much time pass.
func (x *search) next(ctx context.Context) (s said, err error) {
	due, why := x.deadline()
	late := time.NewTimer(time.Until(due))
	defer late.Stop()
	select {
	case <-x.inbox.news:
		return x.take(), nil
	case <-ctx.Done():
		return s, ctx.Err()
	case <-x.link.Lost():
		if s = x.take(); s.final == nil {
			err = errLost
		}
		return s, err
	case <-late.C:
		if s = x.take(); s.heard || why == nil { // otherwise this process was late
			why = nil
		}
		if due.Equal(x.slice) {
			x.yield()
		}
		return s, why
	}
}

// take looks into the inbox.
func (x *search) take() said {
	s := x.inbox.take()
	if s.heard {
		x.heard = time.Now()
	}
	if s.beat != x.beat {
		x.beat, x.moved = s.beat, x.heard
	}
	return s
}

// deadline returns until when something must happen, and the error if it does not; nil if only
// the slice is over.
func (x *search) deadline() (at time.Time, why error) {
	at, why = x.heard.Add(x.terms.Silence), errMute
	if stall := x.moved.Add(x.terms.Stall); stall.Before(at) {
		at, why = stall, errStuck
	}
	if slow := x.began.Add(x.limit + x.terms.Overtime); x.limit > 0 && x.terms.Overtime > 0 && slow.Before(at) {
		at, why = slow, errSlow
	}
	if !x.slice.IsZero() && x.slice.Before(at) {
		return x.slice, nil
	}
	return at, why
}

// yield lets the pacer suspend the caller. The search goes on meanwhile.
func (x *search) yield() {
	before := time.Now()
	x.pacer.Yield()
	away := time.Since(before)
	x.began, x.heard, x.moved = x.began.Add(away), x.heard.Add(away), x.moved.Add(away)
	x.cut()
}

// suspend lets the pacer suspend a parked search, and resumes it.
func (x *search) suspend(ctx context.Context) error {
	x.pacer.Yield()
	select {
	case <-x.link.Lost():
		return errLeft
	default:
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	x.heard, x.moved = time.Now(), time.Now()
	return x.link.Send(Request{Do: Resume, Search: x.inbox.search, Slice: x.parkAfter()})
}
