package serve

import (
	"context"
	"errors"
	"hash/fnv"
	"log/slog"
	"sync"
	"time"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/live"
)

// pool lets engines think for the seats that they have: so many at a time and no
// more, so that games between people never wait for them.
type pool struct {
	hub    *hub
	jobs   chan *room
	limit  time.Duration // the most that a move takes
	pace   time.Duration // the least between two moves of engines that play each other
	logger *slog.Logger
	name   string // of this server among those that share a log

	newPlayer func(name string, g game.Game, o bots.Options) (bots.Player, error)

	mu       sync.Mutex    // guards the rest
	waiting  map[*room]int // games that wait or are thought about, and the latest position that was asked for, see live.Table.Since
	draining bool          // nothing more is thought about
}

func newPool(queue int, limit, pace time.Duration, logger *slog.Logger) *pool {
	return &pool{jobs: make(chan *room, queue), limit: limit, pace: pace, logger: logger, newPlayer: bots.NewPlayer, waiting: map[*room]int{}}
}

// submit asks for a move in the position of a room that came about then. If the queue
// is full, it asks again later. A game is in the queue once, however often its moves
// are taken back and played anew: a worker looks at the position when it begins, and
// again if there is another one when it is done.
func (p *pool) submit(r *room, since int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.draining {
		return
	}
	if asked, ok := p.waiting[r]; ok {
		p.waiting[r] = max(asked, since)
		return
	}
	p.enqueue(r, since)
}

// enqueue puts a room into the queue. The caller holds mu.
func (p *pool) enqueue(r *room, since int) {
	select {
	case p.jobs <- r:
		p.waiting[r] = since
	default:
		delete(p.waiting, r)
		p.hub.count.queueFull.Add(1)
		r.after("queueing an engine", 200*time.Millisecond, r.again)
	}
}

// asked returns the latest position of a room that was asked for.
func (p *pool) asked(r *room) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiting[r]
}

// done says that a room was thought about. It waits again if a later position was
// asked for meanwhile.
func (p *pool) done(r *room, since int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if later := p.waiting[r]; later > since {
		p.enqueue(r, later)
		return
	}
	delete(p.waiting, r)
}

// drain takes no more jobs and waits for those that there are, or for the context
// to end.
func (p *pool) drain(ctx context.Context) {
	p.mu.Lock()
	p.draining = true
	p.mu.Unlock()
	for ctx.Err() == nil && p.busy() {
		sleep(ctx, 5*time.Millisecond)
	}
}

func (p *pool) busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.waiting) > 0
}

// run thinks with so many workers until the context ends, and then waits for them.
func (p *pool) run(ctx context.Context, workers int) {
	var all sync.WaitGroup
	for range workers {
		p.hub.loop(ctx, &all, "engines", func() { p.work(ctx) })
	}
	all.Wait()
}

func (p *pool) work(ctx context.Context) {
	desk := map[string]bots.Player{} // by game and name
	for {
		select {
		case <-ctx.Done():
			return
		case r := <-p.jobs:
			since := p.asked(r)
			thought := 0
			_ = r.contain("engine", func() { thought = p.think(ctx, r, desk) }) // it is logged
			p.done(r, max(since, thought))
		}
	}
}

// think lets an engine move, and returns for which position; 0 if none is to.
func (p *pool) think(ctx context.Context, r *room, desk map[string]bots.Player) (since int) {
	t, ok := r.thinking()
	if !ok {
		return 0
	}
	began := time.Now()
	text, err := p.chooseSafely(ctx, r, t, desk)
	p.hub.count.thought(time.Since(began))
	if ctx.Err() != nil {
		return t.since
	}
	c := live.Command{Do: live.Move, Side: t.side, Move: text, Ply: -1, Since: t.since}
	if err != nil {
		p.logger.Error("an engine could not move, and resigns", "game", r.id, "engine", t.engine, "error", err)
		c.Do = live.Resign
	}
	if wait := p.pace - time.Since(began); t.both && wait > 0 {
		r.after("engine", wait, func() { p.play(context.WithoutCancel(ctx), r, c) })
		return t.since
	}
	p.play(ctx, r, c)
	return t.since
}

// play makes the engine's move, if it is still asked for: whoever took a move back
// meanwhile has woken the engine for the position that came about. If the log does not
// take it, it is asked for again later.
func (p *pool) play(ctx context.Context, r *room, c live.Command) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	err := p.hub.do(ctx, r.id, c)
	if live.IsCode(err, live.CodeIllegal) || live.IsCode(err, live.CodeMany) {
		p.logger.Error("an engine's move is refused, and it resigns", "game", r.id, "move", c.Move, "error", err)
		c.Do = live.Resign
		err = p.hub.do(ctx, r.id, c)
	}
	if err != nil && !isRefusal(err) && !errors.Is(err, errFault) {
		p.logger.Warn("an engine's move was not taken", "game", r.id, "error", err)
		r.after("queueing an engine", time.Second, r.again)
	}
}

// deskName is under which name the player of a thought is kept ready.
func deskName(t thought) string { return t.match.Game().Name + " " + t.engine }

// most is how many engines a worker keeps ready.
const most = 6

func (p *pool) choose(ctx context.Context, t thought, desk map[string]bots.Player) (string, error) {
	name := deskName(t)
	player := desk[name]
	if player == nil {
		for other, old := range desk {
			if len(desk) < most {
				break
			}
			_ = old.Close() // players of this program hold nothing but memory
			delete(desk, other)
		}
		made, err := p.newPlayer(t.engine, t.match.Game(), bots.Options{Megabytes: 4})
		if err != nil {
			return "", err
		}
		desk[name], player = made, made
	}
	player.NewGame(t.seed())
	mv, err := player.Choose(ctx, t.match, t.limit(p.limit))
	if err != nil {
		return "", err
	}
	return t.match.Position().Format(mv), nil
}

// limit returns what a move may take: no more than a little of the clock.
func (t thought) limit(most time.Duration) engine.Limit {
	if t.clock {
		most = min(most, t.left/20+time.Millisecond)
	}
	return engine.Limit{Time: most}
}

// seed is another one for each game and ply, so that no two games are alike.
func (t thought) seed() uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(t.id)) // never fails
	return h.Sum64() + uint64(len(t.match.Moves()))
}
