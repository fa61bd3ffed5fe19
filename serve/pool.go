package serve

import (
	"context"
	"hash/fnv"
	"log/slog"
	"sync"
	"time"

	"quintet/bots"
	"quintet/engine"
	"quintet/live"
)

// pool lets engines think for the seats that they have: so many at a time and no
// more, so that games between people never wait for them.
type pool struct {
	hub    *hub
	jobs   chan job
	limit  time.Duration // the most that a move takes
	pace   time.Duration // the least between two moves of engines that play each other
	logger *slog.Logger
	name   string // of this server among those that share a log

	mu       sync.Mutex   // guards the rest
	waiting  map[job]bool // jobs that wait or are being done
	draining bool         // nothing more is thought about
}

type job struct {
	room *room
	ply  int
}

func newPool(queue int, limit, pace time.Duration, logger *slog.Logger) *pool {
	return &pool{jobs: make(chan job, queue), limit: limit, pace: pace, logger: logger, waiting: map[job]bool{}}
}

// submit asks for a move at a ply. If the queue is full, it asks again later.
func (p *pool) submit(r *room, ply int) {
	j := job{r, ply}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting[j] || p.draining {
		return
	}
	select {
	case p.jobs <- j:
		p.waiting[j] = true
	default:
		p.hub.count.queueFull.Add(1)
		time.AfterFunc(200*time.Millisecond, r.again)
	}
}

func (p *pool) done(j job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.waiting, j)
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
		all.Go(func() { p.work(ctx) })
	}
	all.Wait()
}

func (p *pool) work(ctx context.Context) {
	desk := map[string]bots.Player{} // by game and name
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-p.jobs:
			p.think(ctx, j, desk)
			p.done(j)
		}
	}
}

// think lets an engine move.
func (p *pool) think(ctx context.Context, j job, desk map[string]bots.Player) {
	t, ok := j.room.thinking(j.ply)
	if !ok {
		return
	}
	began := time.Now()
	text, err := p.choose(ctx, t, desk)
	p.hub.count.thought(time.Since(began))
	if ctx.Err() != nil {
		return
	}
	c := live.Command{Do: live.Move, Side: t.side, Move: text, Ply: j.ply}
	if err != nil {
		p.logger.Error("an engine could not move, and resigns", "game", j.room.id, "engine", t.engine, "error", err)
		c.Do = live.Resign
	}
	if wait := p.pace - time.Since(began); t.both && wait > 0 {
		time.AfterFunc(wait, func() { p.play(context.WithoutCancel(ctx), j.room, c) })
		return
	}
	p.play(ctx, j.room, c)
}

// play makes the engine's move. If the log does not take it, it is asked for
// again later.
func (p *pool) play(ctx context.Context, r *room, c live.Command) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	err := p.hub.do(ctx, r.id, c)
	if err != nil && !isRefusal(err) {
		p.logger.Warn("an engine's move was not taken", "game", r.id, "error", err)
		time.AfterFunc(time.Second, r.again)
	}
}

// most is how many engines a worker keeps ready.
const most = 6

func (p *pool) choose(ctx context.Context, t thought, desk map[string]bots.Player) (string, error) {
	name := t.match.Game().Name + " " + t.engine
	player := desk[name]
	if player == nil {
		for other, old := range desk {
			if len(desk) < most {
				break
			}
			_ = old.Close() // players of this program hold nothing but memory
			delete(desk, other)
		}
		made, err := bots.NewPlayer(t.engine, t.match.Game(), bots.Options{Megabytes: 4})
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
