package engineproc

import (
	"context"
	"time"

	"quintet/internal/platform"
)

// aliveEvery is how often a running search tells the server so.
const aliveEvery = time.Second

// pacer parks a search when its slice is over, and ends it when its processor time is used
// up. It implements engine.Pacer in the engine process.
type pacer struct {
	worker *worker
	search *search
	end    context.CancelFunc // ends the search, which then returns its best line

	began time.Time
	spent time.Duration // processor time of the process when the search began
	slice time.Duration // 0 for no limit
	since time.Time     // when the slice began
	heard time.Time     // when the server last heard of the search
}

func newPacer(w *worker, x *search, end context.CancelFunc) *pacer {
	now := time.Now()
	return &pacer{worker: w, search: x, end: end, began: now, spent: processorTime(), slice: x.Slice, since: now, heard: now}
}

// Yield implements engine.Pacer.
func (p *pacer) Yield() {
	now := time.Now()
	switch {
	case p.search.ctx.Err() != nil:
	case p.timeUsed(now):
		p.end()
	case p.slice > 0 && now.Sub(p.since) >= p.slice:
		p.park()
	case now.Sub(p.heard) >= aliveEvery:
		p.heard = now
		p.say(reply{Alive: true})
	}
}

// timeUsed reports whether the processor time of the search is used up. Reading it is a system
// call, which is left out until as much time has passed.
func (p *pacer) timeUsed(now time.Time) bool {
	limit := p.search.Job.Time
	return limit > 0 && now.Sub(p.began) >= limit && processorTime()-p.spent >= limit
}

// park waits until the server resumes the search or stops it.
func (p *pacer) park() {
	p.say(reply{Parked: true})
	select {
	case p.slice = <-p.search.resume:
	case <-p.search.ctx.Done():
	}
	p.since = time.Now()
	p.heard = p.since
}

// say tells the server something of the search.
func (p *pacer) say(r reply) {
	r.Search = p.search.Search
	_ = p.worker.write(r) // if the server is gone, the input ends, too
}

// processorTime returns the processor time that this process has used, and where that is
// unknown the time of the clock: a limit of that is better than none.
func processorTime() time.Duration {
	used, err := platform.Used()
	if err != nil {
		return time.Duration(time.Now().UnixNano())
	}
	return used.User + used.System
}
