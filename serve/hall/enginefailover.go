package hall

import (
	"hash/fnv"
	"time"
)

// Of the servers that share a log, the one that wrote the last event makes the engine's
// move. If the move does not come in time, another server takes over. Each waits for a time
// of its own, so that usually one is first; if two move, the log accepts one.

// takeOverMargin is added to the time of a move before another server takes over, and up
// to as much again, by server and game.
const takeOverMargin = time.Second

// awaitTakeOver sets the timer after which this server makes the engine's move.
func (r lockedRoom) awaitTakeOver() {
	position := r.table.PositionID()
	if r.takeOver != nil && r.takeOverFor == position {
		return
	}
	stopTimer(&r.takeOver)
	r.takeOverFor = position
	r.takeOver = r.after("engine failover", r.hall.pool.takeOverDelay(r.id), func() {
		l := r.lock()
		defer l.unlock()
		if l.active() && l.table.PositionID() == position && l.engineToMove() {
			l.wrote = l.seq
			r.hall.pool.submit(r.Room, l.engineMove())
		}
	})
}

// takeOverDelay returns how long this server waits for the move of another server.
func (p *enginePool) takeOverDelay(id string) time.Duration {
	c, h := p.hall.config, fnv.New32a()
	_, _ = h.Write([]byte(c.Name + id)) // never fails
	part := time.Duration(h.Sum32() % 1000)
	return c.EngineTime + c.EnginePace + takeOverMargin + part*takeOverMargin/1000
}
