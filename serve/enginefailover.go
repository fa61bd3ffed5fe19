package serve

import (
	"hash/fnv"
	"time"
)

// Of the servers that share a log, the one that wrote the event by which an engine
// is to move thinks about the move. Another takes its place when nothing has come
// for as long as a move takes, and a moment that differs from server to server, so
// that one of them is the first. The log decides which move counts, as ever.

// reliefWait is how much longer than a move may take it is waited for another
// server, at least; and up to as much again.
const reliefWait = time.Second

// relieve lets an engine think here if it is still to move after a while. The
// caller holds mu.
func (r *room) relieve() {
	since := r.table.Since()
	if r.relief != nil && r.reliefFor == since {
		return
	}
	r.stopRelief()
	r.reliefFor = since
	r.relief = r.after("engine failover", r.hub.pool.reliefTime(r.id), func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !r.closed && r.loaded && r.table.Since() == since && r.thinks() {
			r.mine = true
			r.hub.pool.submit(r, since)
		}
	})
}

// stopRelief forgets the move that was waited for. The caller holds mu.
func (r *room) stopRelief() {
	if r.relief != nil {
		r.relief.Stop()
		r.relief = nil
	}
}

// reliefTime returns how long this server waits for the move of another in a game.
func (p *pool) reliefTime(id string) time.Duration {
	h := fnv.New32a()
	_, _ = h.Write([]byte(p.name + id)) // never fails
	part := time.Duration(h.Sum32() % 1000)
	return p.limit + p.pace + reliefWait + part*reliefWait/1000
}
