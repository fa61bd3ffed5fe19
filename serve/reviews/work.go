package reviews

import (
	"context"
	"errors"
	"time"

	"quintet/engine"
	"quintet/game"
	"quintet/live"
	"quintet/review"
)

// A batch of plies is written when it has batchPlies, or when batchTime has passed.
const (
	batchPlies = 20
	batchTime  = time.Second
)

// stepLimit bounds a step on a slow machine. A review that reaches it depends on time. In an
// engine process it is processor time, so that a busy machine makes reviews slower, not worse.
const stepLimit = 2 * time.Second

// writeLimit is how long an event may take to be written.
const writeLimit = 10 * time.Second

// limit returns the limit of the search of each position.
func limit(of string) engine.Limit { return engine.Limit{Nodes: review.Nodes(of), Time: stepLimit} }

// work is the task of a review in the queue.
type work struct {
	review  *Review
	claimed bool
	game    game.Game
	walk    *review.Walk
	at      game.Position   // before the next move
	search  engine.Searcher // nil while the work waits in line
	written time.Time
	err     error
}

// Step implements jobs.Task: it searches one position.
func (w *work) Step(ctx context.Context) (more bool) {
	more, w.err = w.step(ctx)
	return more && w.err == nil
}

// errElsewhere is the error when another server does the work.
var errElsewhere = errors.New("another server reviews the game")

func (w *work) step(ctx context.Context) (more bool, err error) {
	if err := w.prepare(ctx); err != nil {
		return false, err
	}
	if w.walk.Done() {
		return false, w.flush(ctx)
	}
	m, ok, err := w.walk.Step(ctx, w.search, limit(w.game.Name))
	if err != nil {
		return false, err
	}
	if ok {
		if !w.review.add(w.ply(m)) {
			return false, errElsewhere
		}
		w.at.Play(m.Played)
	}
	if w.walk.Done() || w.due() {
		if err := w.flush(ctx); err != nil {
			return false, err
		}
	}
	return !w.walk.Done() && w.review.wanted(), nil
}

// prepare claims the review and sets up the search, once.
func (w *work) prepare(ctx context.Context) (err error) {
	if !w.claimed {
		if err := w.review.claim(ctx); err != nil {
			return err
		}
		w.claimed, w.written = true, w.review.store.config.Time()
		if w.game, w.walk, err = w.review.walk(); err != nil {
			return err
		}
		w.at = w.walk.Position()
	}
	if w.search == nil {
		own, err := w.review.store.config.Searcher(w.game)
		if err != nil {
			return err
		}
		w.search = freshSearcher{own}
	}
	return nil
}

// ply converts an assessment to its entry in the log.
func (w *work) ply(m review.Move) Ply {
	p := Ply{
		Ply: w.walk.Ply(), Side: m.Side.String(), Move: w.at.Format(m.Played), Score: m.After, BestScore: m.Value, Best: w.at.Format(m.Best),
		PV: []string{}, Loss: round(m.ExpectedLoss), Judgement: string(m.Mark), Lead: round(m.Lead()),
	}
	at := w.at.Clone()
	for _, mv := range m.Line[:min(len(m.Line), maxPV)] {
		p.PV = append(p.PV, at.Format(mv))
		at.Play(mv)
	}
	return p
}

// maxPV is the maximum length of a stored line.
const maxPV = 12

// round keeps four digits: the rest is noise.
func round(v float64) float64 { return float64(int(v*10_000+0.5)) / 10_000 }

// due reports whether the plies should be written.
func (w *work) due() bool {
	r := w.review
	r.Mu.Lock()
	defer r.Mu.Unlock()
	return len(r.plies)-r.stored >= batchPlies || r.store.config.Time().Sub(w.written) >= batchTime
}

// flush writes the plies that are not in the log.
func (w *work) flush(ctx context.Context) error {
	r := w.review
	r.Mu.Lock()
	from, list := r.stored, r.plies[r.stored:]
	r.Mu.Unlock()
	w.written = r.store.config.Time()
	if len(list) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeLimit)
	defer cancel()
	return r.append(ctx, analyzed, event{From: from, Plies: list})
}

// claim takes the review for this server.
func (r *Review) claim(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, writeLimit)
	defer cancel()
	err := r.append(ctx, claimed, event{By: r.store.config.Name})
	if errors.Is(err, live.ErrStale) {
		return errElsewhere
	}
	return err
}

// add adds an assessed move, which is not in the log yet. It reports whether this server
// still holds the claim: another may have taken over.
func (r *Review) add(p Ply) bool {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	if r.by != r.store.config.Name || p.Ply != len(r.plies)+1 {
		return false
	}
	r.plies = append(r.plies, p)
	r.Change()
	return true
}

// wanted reports whether a client has recently asked for the review.
func (r *Review) wanted() bool {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	return !r.Idle()
}

// Pause implements jobs.Task.
func (w *work) Pause() {
	engine.Release(w.search)
	w.search = nil
}

// Elsewhere implements jobs.Task.
func (w *work) Elsewhere() bool { return engine.Elsewhere(w.search) }

// End implements jobs.Task.
func (w *work) End(err error) {
	w.Pause()
	r := w.review
	err = errors.Join(err, w.err)
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, errElsewhere) {
		r.store.config.Warn("a review stopped", "review", r.ID(), "error", err)
	}
	if w.claimed {
		if err := w.flush(context.Background()); err != nil {
			r.store.config.Warn("a review is not written", "review", r.ID(), "error", err)
		}
	}
	r.Mu.Lock()
	defer r.Mu.Unlock()
	r.plies = r.plies[:r.stored:r.stored] // unwritten plies are computed again
	r.ticket = nil
	r.Change()
}
