package arena

import (
	"context"
	"math/rand/v2"
	"time"

	"quintet/engine"
	"quintet/game"
)

// Fault is what ended a game that a player lost by other than the rules.
type Fault string

// The faults.
const (
	NoFault  Fault = ""
	Illegal  Fault = "illegal move"
	Crash    Fault = "crash"
	TimeLoss Fault = "time"
)

// Record is a game that was played.
type Record struct {
	Moves   []game.Move // the opening included
	Opening int         // plies of the opening
	Result  game.Result
	Reason  game.Reason // empty if a fault or the limit of plies ended the game
	Fault   Fault       // of the side that lost
	ASide   game.Side   // which side player A had
}

// maxPlies is the number of plies after which a game is a draw.
const maxPlies = 2_000

// grace is by how much a move may overrun its time before it is lost: what a
// busy machine takes to wake a thread.
const grace = 50 * time.Millisecond

// table is where one game is played.
type table struct {
	game    game.Game
	start   game.Position
	opening []game.Move
	seed    uint64
	players [2]Player // by side
	limits  [2]engine.Limit
}

func (t *table) play(ctx context.Context) Record {
	m := game.NewMatch(t.game, t.start)
	for _, mv := range t.opening {
		if err := m.Play(mv); err != nil {
			break // the opening ended the game
		}
	}
	for i, p := range t.players {
		p.NewGame(t.seed ^ uint64(i)<<63)
	}
	r := Record{Opening: len(m.Moves())}
	for !m.Outcome().Result.Over() && len(m.Moves()) < maxPlies && ctx.Err() == nil {
		side := m.Position().Turn()
		if r.Fault = t.move(ctx, m, side); r.Fault != NoFault {
			r.Result = game.Win(side.Other())
			break
		}
	}
	r.Moves = m.Moves()
	switch {
	case r.Fault != NoFault:
	case m.Outcome().Result.Over():
		r.Result, r.Reason = m.Outcome().Result, m.Outcome().Reason
	default:
		r.Result = game.Draw
	}
	return r
}

// move lets a side make its move, and keeps its clock.
func (t *table) move(ctx context.Context, m *game.Match, side game.Side) Fault {
	l := &t.limits[side]
	began := time.Now()
	mv, err := t.players[side].Choose(ctx, m, *l)
	took := time.Since(began)
	switch {
	case err != nil && ctx.Err() != nil:
		return NoFault // the match is being stopped
	case err != nil:
		return Crash
	case l.Clock.Left > 0 && took > l.Clock.Left, l.Time > 0 && took > l.Time+grace:
		return TimeLoss
	case m.Play(mv) != nil:
		return Illegal
	}
	if l.Clock.Left > 0 {
		l.Clock.Left += l.Clock.Increment - took
	}
	return NoFault
}

// RandomOpening returns so many random plies from a position, after which the
// game is not over. If ten tries find none, it returns as many as there are.
func RandomOpening(start game.Position, plies int, r *rand.PCG) (moves []game.Move) {
	for range 10 {
		p := start.Clone()
		moves = moves[:0]
		for len(moves) < plies {
			mv := game.Sample(p, r, nil)
			if mv == 0 {
				break
			}
			moves = append(moves, mv)
			p.Play(mv)
		}
		if !p.Result().Over() {
			break
		}
	}
	return moves
}
