package hall

import (
	"hash/fnv"
	"time"
)

// Of the servers that share a log, the one that wrote the event by which an engine
// is to move thinks about the move. Another takes its place when nothing has come
// for as long as a move takes, and a moment that differs from server to server, so
// that one of them is the first. The log decides which move counts, as ever.

// takeOverMargin is how much longer than a move may take it is waited for another
// server, at least; and up to as much again.
const takeOverMargin = time.Second

// awaitTakeOver lets an engine think here if it is still to move after a while. The
// caller holds mu.
func (r *Room) awaitTakeOver() {
	since := r.table.Since()
	if r.takeOver != nil && r.takeOverFor == since {
		return
	}
	r.stopTakeOver()
	r.takeOverFor = since
	r.takeOver = r.after("engine failover", r.hall.pool.takeOverDelay(r.id), func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.active() && r.table.Since() == since && r.engineToMove() {
			r.wrote = r.seq
			r.hall.pool.submit(r, since)
		}
	})
}

// stopTakeOver forgets the move that was waited for. The caller holds mu.
func (r *Room) stopTakeOver() {
	if r.takeOver != nil {
		r.takeOver.Stop()
		r.takeOver = nil
	}
}

// takeOverDelay returns how long this server waits for the move of another in a game.
func (p *enginePool) takeOverDelay(id string) time.Duration {
	h := fnv.New32a()
	_, _ = h.Write([]byte(p.name + id)) // never fails
	part := time.Duration(h.Sum32() % 1000)
	return p.limit + p.pace + takeOverMargin + part*takeOverMargin/1000
}
