package reviews

import (
	"context"
	"errors"
	"slices"
	"time"

	"quintet/engine"
	"quintet/game"
	"quintet/live"
	"quintet/review"
	"quintet/serve/api"
	"quintet/web/wire"
)

// TableMegabytes is the size of the transposition table of a review.
const TableMegabytes = 4

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
	client  string // that has asked for it
	claimed bool
	game    game.Game
	walk    *review.Walk
	search  engine.Searcher // nil while the work waits in line
	written time.Time
	err     error
}

// Step implements jobs.Task: it assesses one turn.
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
	turn, err := w.walk.Step(ctx, w.search, limit(w.game.Name))
	if err != nil {
		return false, err
	}
	if !w.review.add(w.plies(turn)) {
		return false, errElsewhere
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
		if err := w.review.claim(api.OnAccount(ctx, w.client)); err != nil {
			return err
		}
		w.claimed, w.written = true, w.review.store.config.Time()
		if w.game, w.walk, err = w.review.walk(); err != nil {
			return err
		}
	}
	if w.search == nil {
		w.search, err = w.review.store.config.Searcher(w.game)
	}
	return err
}

// plies converts the assessments of a turn to their entries in the log, the last first.
func (w *work) plies(turn []review.Move) []Ply {
	list := wire.PliesOf(w.walk, turn)
	slices.Reverse(list)
	return list
}

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
	ctx, cancel := context.WithTimeout(api.OnAccount(context.WithoutCancel(ctx), w.client), writeLimit)
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

// add adds the assessed moves of a turn, which are not in the log yet. It reports whether this server
// still holds the claim: another may have taken over.
func (r *Review) add(list []Ply) bool {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	if r.by != r.store.config.Name || !r.fits(len(r.plies), list) {
		return false
	}
	r.plies = append(r.plies, list...)
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
