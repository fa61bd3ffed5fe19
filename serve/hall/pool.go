package hall

import (
	"context"
	"errors"
	"hash/fnv"
	"sync"
	"time"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/live"
	"quintet/serve/clock"
	"quintet/serve/fair"
)

// enginePool runs engines with a limited number of workers, so that games between people
// never wait for processors. Quick moves have workers of their own, so that they do not wait for
// searches that take a second.
type enginePool struct {
	hall *Hall

	quick, slow *fair.Line[*Room]

	options   bots.Options // of players
	newPlayer func(name string, g game.Game, o bots.Options) (engine.Player, error)

	mu       sync.Mutex // guards the rest
	searches searchCache
	waiting  map[*Room]engineMove // queued and running games, with the latest move that was submitted
	draining bool                 // no more moves are accepted
}

// engineMove is a move that a room submits to the pool.
type engineMove struct {
	position int    // see live.Table.PositionID
	client   string // whose turn the move takes
	urgent   bool   // a person waits for it
	quick    bool   // see bots.Quick
}

// clientShare is how many clients it takes to fill the queue.
const clientShare = 32

func newEnginePool(h *Hall, c Config) *enginePool {
	line := func() *fair.Line[*Room] { return fair.NewLine[*Room](max(c.EngineQueue/clientShare, 1), c.EngineQueue) }
	return &enginePool{
		hall: h, quick: line(), slow: line(), newPlayer: c.NewPlayer, waiting: map[*Room]engineMove{},
		searches: searchCache{most: maxIdle * max(c.Engines, 1)},
		options:  bots.Options{Megabytes: playerTable, Cache: c.Cache, Search: elsewhere(c)},
	}
}

// DrainEngines starts no more moves of engines, and waits until those that are being
// thought about have been played or the context ends.
func (h *Hall) DrainEngines(ctx context.Context) {
	p := h.pool
	p.mu.Lock()
	p.draining = true
	p.mu.Unlock()
	for ctx.Err() == nil && p.busy() {
		clock.Sleep(ctx, 5*time.Millisecond)
	}
}

func (p *enginePool) busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.waiting) > 0
}

// EngineQueueLen returns how many moves of engines wait.
func (h *Hall) EngineQueueLen() int { return h.pool.quick.Len() + h.pool.slow.Len() }

// submit queues a room whose engine is to move. If the queue is full, the
// room is queued later. A game is queued once, however often moves are taken back and
// replayed: a worker reads the position when it begins, and the game is queued again if
// the position is another one when the worker is done. A queued game that becomes urgent moves ahead.
func (p *enginePool) submit(r *Room, m engineMove) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.draining {
		return
	}
	asked, ok := p.waiting[r]
	switch {
	case !ok || m.urgent && !asked.urgent && p.line(asked).Remove(func(q *Room, _ bool) bool { return q == r }):
		p.enqueue(r, m)
	case m.position > asked.position:
		p.waiting[r] = m
	}
}

// line returns the queue of a move.
func (p *enginePool) line(m engineMove) *fair.Line[*Room] {
	if m.quick {
		return p.quick
	}
	return p.slow
}

// enqueue puts a room into the queue. The caller holds mu.
func (p *enginePool) enqueue(r *Room, m engineMove) {
	if err := p.line(m).Push(m.client, m.urgent, r); err != nil {
		delete(p.waiting, r)
		p.hall.config.Metrics.EngineQueueFull()
		r.after("queueing an engine", 200*time.Millisecond, r.reschedule)
		return
	}
	p.waiting[r] = m
}

// requested returns the latest position of a room that was submitted.
func (p *enginePool) requested(r *Room) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiting[r].position
}

// done ends the work on a room, which is queued again if a later position was submitted
// meanwhile.
func (p *enginePool) done(r *Room, position int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if later := p.waiting[r]; later.position > position {
		p.enqueue(r, later)
		return
	}
	delete(p.waiting, r)
}

// run runs a worker for each engine until the context ends, and waits for them.
func (p *enginePool) run(ctx context.Context) {
	slow := p.hall.config.Engines
	if p.hall.config.Elsewhere != nil {
		slow += maxElsewhere
	}
	var all sync.WaitGroup
	for range slow {
		p.hall.Loop(ctx, &all, "engines", func() { p.work(ctx, p.slow) })
	}
	for range p.hall.config.Engines {
		p.hall.Loop(ctx, &all, "engines", func() { p.work(ctx, p.quick) })
	}
	all.Wait()
}

func (p *enginePool) work(ctx context.Context, line *fair.Line[*Room]) {
	for {
		r, err := line.Pop(ctx)
		if err != nil {
			return
		}
		position, thought := p.requested(r), 0
		_ = r.contain("engine", func() { thought = p.think(ctx, r) }) // it is logged
		p.done(r, max(position, thought))
	}
}

// think makes the move of a room's engine. It returns the position that it thought about,
// or 0 if no engine is to move.
func (p *enginePool) think(ctx context.Context, r *Room) (position int) {
	t, ok := r.engineTask()
	if !ok {
		return 0
	}
	began := time.Now()
	text, err := p.chooseSafely(ctx, r, t)
	p.hall.config.Metrics.EngineThought(time.Since(began))
	if ctx.Err() != nil {
		return t.position
	}
	c := live.Command{Do: live.Move, Side: t.side, Move: text, Ply: -1, PositionID: t.position}
	if err != nil {
		p.hall.config.Logger.Error("an engine could not move, and resigns", "game", r.id, "engine", t.engine, "error", err)
		c.Do = live.Resign
	}
	if wait := p.hall.config.EnginePace - time.Since(began); t.both && wait > 0 {
		r.after("engine", wait, func() { p.play(context.WithoutCancel(ctx), r, c) })
		return t.position
	}
	p.play(ctx, r, c)
	return t.position
}

// play makes the engine's move, which is refused if the position has changed meanwhile. If
// the log does not accept it, the room is queued again later.
func (p *enginePool) play(ctx context.Context, r *Room, c live.Command) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	_, err := p.hall.Do(ctx, r.id, c)
	if live.IsCode(err, live.CodeIllegal) || live.IsCode(err, live.CodeMany) {
		p.hall.config.Logger.Error("an engine's move is refused, and it resigns", "game", r.id, "move", c.Move, "error", err)
		c.Do = live.Resign
		_, err = p.hall.Do(ctx, r.id, c)
	}
	if err != nil && !IsRefusal(err) && !errors.Is(err, ErrFault) {
		p.hall.config.Logger.Warn("an engine's move was not taken", "game", r.id, "error", err)
		r.after("queueing an engine", time.Second, r.reschedule)
	}
}

func (p *enginePool) choose(ctx context.Context, t engineTask) (string, error) {
	o, put := p.borrowing()
	player, err := p.newPlayer(t.engine, t.match.Game(), o)
	if err != nil {
		return "", err
	}
	player.NewGame(t.seed()) // with empty tables
	mv, err := player.Choose(ctx, t.match, engine.Limit{Time: t.limit})
	if err != nil {
		return "", err
	}
	put()
	return t.match.Position().Format(mv), nil
}

// seed differs from game to game and from ply to ply, so that no two games are alike.
func (t engineTask) seed() uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(t.id)) // never fails
	return h.Sum64() + uint64(len(t.match.Moves()))
}
