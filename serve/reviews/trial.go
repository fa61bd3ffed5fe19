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
)

// Trial is the assessment of an alternative to the move that was played.
type Trial struct {
	Move     string      `json:"move"`
	Loss     float64     `json:"loss"` // of winning chances, 0 to 1
	Mark     review.Mark `json:"judgement"`
	Accepted bool        `json:"accepted"` // the loss is small enough for a solution
}

// Try assesses a move in place of the one at a ply of a review, with the limit of the
// review, and waits for the result. The error is an *api.Problem or one of the queue.
func (s *Store) Try(ctx context.Context, id, client string, ply int, text string) (t Trial, err error) {
	r, err := s.Store.Get(ctx, id)
	if err != nil {
		return t, err
	}
	v, _ := r.View()
	if ply < 1 || ply > len(v.Spec.Moves) {
		return t, api.Invalid("ply", "ply %d: expected 1 to %d", ply, len(v.Spec.Moves))
	}
	v.Spec.Moves = v.Spec.Moves[:ply-1]
	m, _, err := s.replay(ctx, v.Spec)
	if err != nil {
		return t, err
	}
	w, err := s.newTrial(m, text)
	if err != nil {
		return t, err
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
	walk   *review.Walk
	search engine.Searcher
	limit  engine.Limit
	result Trial
	err    error
	ended  chan error // buffered: holds one
}

func (s *Store) newTrial(m *game.Match, text string) (*trial, error) {
	mv, err := m.Position().Parse(text)
	switch {
	case errors.Is(err, game.ErrIllegal):
		return nil, api.Problemf(http.StatusUnprocessableEntity, "illegal", "%v", err)
	case err != nil:
		return nil, api.Invalid("move", "%v", err)
	}
	g := m.Game()
	search, err := s.config.Searcher(g)
	if err != nil {
		return nil, err
	}
	played := m.Moves()
	return &trial{
		walk: review.NewWalk(g, m.Start(), append(played, mv), len(played), bots.ProfileFor(g).Exact), search: search, limit: limit(g.Name),
		result: Trial{Move: m.Position().Format(mv)}, ended: make(chan error, 1),
	}, nil
}

// Step implements jobs.Task.
func (t *trial) Step(ctx context.Context) (more bool) {
	m, ok, err := t.walk.Step(ctx, freshSearcher{t.search}, t.limit)
	if err == nil && ok {
		t.result.Loss, t.result.Mark, t.result.Accepted = round(m.ExpectedLoss), m.Mark, m.ExpectedLoss <= review.AcceptedLoss
	}
	t.err = err
	return err == nil && !ok
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
