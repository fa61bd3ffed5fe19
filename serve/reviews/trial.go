package reviews

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/review"
	"quintet/serve/api"
	"quintet/web/wire"
)

// Trial is the assessment of an alternative to the move that was played.
type Trial = wire.Trial

// Try assesses a move in place of the one at a ply of a review, and waits for the result. The error is
// an *api.Problem or one of the queue.
func (s *Store) Try(ctx context.Context, id, client string, ply int, text string) (t Trial, err error) {
	r, err := s.Store.Get(ctx, id)
	if err != nil {
		return t, err
	}
	v, _ := r.View()
	if ply < 1 || ply > len(v.Spec.Moves) {
		return t, api.Invalid("ply", "ply %d: expected 1 to %d", ply, len(v.Spec.Moves))
	}
	first := len(v.Spec.Moves) - len(v.Plies) // plies that are not assessed yet
	if ply <= first {
		return t, api.Invalid("ply", "ply %d has not been reviewed yet: try again when the review is done", ply)
	}
	known := v.Plies[ply-1-first]
	v.Spec.Moves = v.Spec.Moves[:ply-1]
	m, _, err := s.replay(ctx, v.Spec)
	if err != nil {
		return t, err
	}
	w, err := s.newTrial(m, text, known)
	if err != nil {
		return t, err
	}
	switch w.result.Move {
	case known.Best:
		w.result.Assess(0)
		return w.result, nil
	case known.Move:
		w.result.Assess(known.Loss)
		return w.result, nil
	}
	ticket, err := s.config.Queue.Submit(client, w)
	if err != nil {
		return t, err
	}
	defer ticket.Cancel()
	select {
	case err := <-w.ended:
		return w.result, err
	case <-ctx.Done():
		return t, fmt.Errorf("trying a move: %w", ctx.Err())
	}
}

// trial is the task of a Trial.
type trial struct {
	match  *game.Match // up to the alternative
	known  review.Move // the assessment of the move that was played
	search engine.Searcher
	result Trial
	err    error
	ended  chan error // buffered: holds one
}

func (s *Store) newTrial(m *game.Match, text string, known Ply) (*trial, error) {
	mv, err := m.Position().Parse(text)
	switch {
	case errors.Is(err, game.ErrIllegal):
		return nil, api.Problemf(http.StatusUnprocessableEntity, "illegal", "%v", err)
	case err != nil:
		return nil, api.Invalid("move", "%v", err)
	}
	search, err := s.config.Searcher(m.Game())
	if err != nil {
		return nil, err
	}
	t := &trial{known: known.Assessment(), search: search, result: Trial{Move: m.Position().Format(mv)}, ended: make(chan error, 1)}
	t.match = m
	return t, m.Play(mv)
}

// Step implements jobs.Task.
func (t *trial) Step(ctx context.Context) (more bool) {
	g := t.match.Game()
	loss, err := review.Try(ctx, t.search, t.match, t.known, limit(g.Name), bots.ProfileFor(g).Exact)
	t.result.Assess(loss)
	t.err = err
	return false
}

// Elsewhere implements jobs.Task.
func (t *trial) Elsewhere() bool { return engine.Elsewhere(t.search) }

// Pause implements jobs.Task. A trial is short and keeps its memory in this process.
func (t *trial) Pause() { engine.Release(t.search) }

// End implements jobs.Task.
func (t *trial) End(err error) {
	engine.Release(t.search)
	if err == nil {
		err = t.err
	}
	t.ended <- err
}
