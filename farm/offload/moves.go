package offload

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quintet/farm"
	"quintet/farm/jobtypes"
	"quintet/game"
)

// Times of a move of a live game. A worker that dies costs at most beatTime, and one that
// is alive and does not move overtime.
const (
	ackTime   = 100 * time.Millisecond // until a worker accepts
	beatTime  = 4 * farm.ThinkBeat     // without a heartbeat
	overtime  = 500 * time.Millisecond // beyond the time of the move
	leastTime = 200 * time.Millisecond // shorter moves are not worth the way
	maxMoves  = 64                     // at a time
	moveRest  = 5 * time.Second        // without asking, after a worker was lost
)

// Thinker asks workers for moves and analyses; natsrpc.Thinking is one.
type Thinker interface {
	// Think sends a request for a move, and returns its answers. The caller ends it.
	Think(r farm.ThinkRequest) (answers <-chan farm.ThinkAnswer, end func(), err error)

	// Analyze sends a request for an analysis, and returns its answers and its name in
	// leases. The caller ends it.
	Analyze(r farm.AnalysisRequest) (answers <-chan farm.ThinkAnswer, id string, end func(), err error)

	// Lease tells a worker, which has given its name when it accepted an analysis, that the
	// lease is renewed or released.
	Lease(worker string, l farm.AnalysisLease) error
}

// Choose lets a worker choose the move of a built-in player in a live game. ok is false if
// none does: the caller chooses itself then. That is so after at most ackTime if no worker
// accepts, and beatTime after the last heartbeat of a worker that dies.
func (s *Searches) Choose(ctx context.Context, m *game.Match, player string, seed uint64, limit time.Duration) (mv game.Move, ok bool) {
	t, program := s.beginMove(limit)
	if t == nil {
		return 0, false
	}
	defer s.endMove()
	position, ok := describe(m)
	if !ok {
		return 0, false
	}
	text, err := choose(ctx, t, farm.ThinkRequest{
		Version: farm.Version, Program: program, Game: position.Game, Start: position.Start, Moves: position.Moves,
		Player: player, Seed: seed, Time: limit,
	})
	if err == nil {
		mv, err = m.Position().Parse(text)
	}
	if err == nil && !game.Legal(m.Position(), mv) {
		err = errors.New("the move is illegal")
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, errBusy) {
		s.config.Log.Warn("a worker does not choose a move: this server does", "reason", err)
		s.restMoves()
	}
	return mv, err == nil
}

// describe returns the game of a request; ok is false if it is too long for one.
func describe(m *game.Match) (g jobtypes.ReviewGame, ok bool) {
	const others = 4096 // bytes of the other fields, at most
	g = jobtypes.NewReviewGame(m.Game(), m.Start(), m.Moves())
	return g, len(g.Start)+len(g.Moves) <= farm.MaxThinkRequest-others
}

// beginMove returns the connection to workers, or nil if no worker should be asked.
func (s *Searches) beginMove(limit time.Duration) (Thinker, farm.Program) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.live || limit < leastTime || limit > farm.MaxThinkTime || s.moves >= maxMoves || time.Now().Before(s.moveRest) {
		return nil, farm.Program{}
	}
	s.moves++
	return s.thinker, s.build.Program
}

func (s *Searches) endMove() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moves--
}

func (s *Searches) restMoves() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moveRest = time.Now().Add(moveRest)
}

// Errors of moves.
var (
	errBusy    = errors.New("no worker is free")
	errMute    = errors.New("no worker has answered in time")
	errLost    = errors.New("the worker sends no heartbeats")
	errSlow    = errors.New("the worker takes longer than the time of the move")
	errRefused = errors.New("the worker could not choose a move")
)

// choose asks for a move and waits as long as heartbeats come. A worker that declines is
// followed by another, within the time in which one must accept.
func choose(ctx context.Context, t Thinker, r farm.ThinkRequest) (move string, err error) {
	q := request{send: func() (<-chan farm.ThinkAnswer, string, func(), error) {
		answers, end, err := t.Think(r)
		return answers, "", end, err
	}}
	defer q.end()
	if err := q.sendNext(); err != nil {
		return "", err
	}
	slow := time.NewTimer(r.Time + overtime)
	defer slow.Stop()
	late, why := time.NewTimer(ackTime), errMute
	defer late.Stop()
	for {
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case <-slow.C:
			return "", errSlow
		case <-late.C:
			return "", why
		case a := <-q.answers:
			switch {
			case q.declined(a):
				if err := q.sendNext(); err != nil {
					return "", err
				}
			case a.State == farm.ThinkAccepted || a.State == farm.ThinkAlive:
				why = errLost
				late.Reset(beatTime)
			case a.State == farm.ThinkMove:
				return a.Text, nil
			case a.State == farm.ThinkBusy || a.State == farm.ThinkNobody:
				return "", errBusy
			default:
				return "", fmt.Errorf("%w: %.200s", errRefused, a.Text)
			}
		}
	}
}
