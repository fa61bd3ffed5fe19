package remote

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"quintet/engine"
)

// pacer tells the client that a search runs, parks it when its slice is over, and ends it when
// its processor time is used up. It implements engine.Pacer at the server.
type pacer struct {
	session *Session
	request Request
	ctx     context.Context //nolint:containedctx // of the search
	end     context.CancelFunc
	beats   sync.WaitGroup

	yields atomic.Uint64
	parked atomic.Bool

	began time.Time
	spent time.Duration // processor time of the process when the search began
	slice time.Duration // 0 for no limit
	since time.Time     // when the slice began
}

// newPacer returns the pacer of a search that begins. The caller calls stop.
func newPacer(x *Session, r Request) *pacer {
	now := time.Now()
	p := &pacer{session: x, request: r, began: now, slice: r.Slice, since: now}
	if x.server.Processor != nil {
		p.spent = x.server.Processor()
	}
	p.ctx, p.end = context.WithCancel(x.ctx)
	p.beats.Go(p.beat)
	return p
}

func (p *pacer) stop() {
	p.end()
	p.beats.Wait()
}

// beat tells the client that the search runs, and whether it makes progress.
func (p *pacer) beat() {
	ticks := time.NewTicker(p.session.server.Beat)
	defer ticks.Stop()
	for {
		select {
		case <-p.ctx.Done():
			return
		case <-ticks.C:
			if !p.parked.Load() && p.ctx.Err() == nil {
				p.session.reply(Reply{Search: p.request.Search, Beat: p.yields.Load() + 1})
			}
		}
	}
}

// limit returns the limit of the search.
func (p *pacer) limit() engine.Limit {
	j := p.request.Job
	l := engine.Limit{Depth: j.Depth, Nodes: j.Nodes, Pacer: p}
	if p.session.server.Processor == nil {
		l.Time = j.Time
	}
	return l
}

// Yield implements engine.Pacer.
func (p *pacer) Yield() {
	p.yields.Add(1)
	now := time.Now()
	switch {
	case p.ctx.Err() != nil:
	case p.timeUsed(now):
		p.end()
	case p.slice > 0 && now.Sub(p.since) >= p.slice:
		p.park()
	}
}

// timeUsed reports whether the processor time of the search is used up. Reading it is a system
// call, which is left out until as much time has passed.
func (p *pacer) timeUsed(now time.Time) bool {
	limit, used := p.request.Job.Time, p.session.server.Processor
	return used != nil && limit > 0 && now.Sub(p.began) >= limit && used()-p.spent >= limit
}

// park waits until the client resumes the search or ends the session.
func (p *pacer) park() {
	p.parked.Store(true)
	p.session.reply(Reply{Search: p.request.Search, Parked: true})
	select {
	case p.slice = <-p.session.resume:
	case <-p.ctx.Done():
	}
	p.parked.Store(false)
	p.since = time.Now()
}
