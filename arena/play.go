package arena

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quintet/engine"
	"quintet/game"
)

// End is why a game ended.
type End string

// The reasons. The first three are those of package game; the next three are faults
// of the losing side.
const (
	ByRules        = End(game.ByRules)
	Repetition     = End(game.Repetition)
	Resigned       = End(game.Resigned)
	Illegal    End = "illegal move"
	Crash      End = "crash"
	TimeLoss   End = "time"
	Agreed     End = "adjudication" // both players' scores agreed for long enough
	MaxPlies   End = "max plies"    // drawn for its length

	unfinished End = "" // the run was cancelled
)

// Record is a finished game.
type Record struct {
	Number  int    // in the order of the run, from 0: 2n and 2n+1 are a pair
	Players [2]int // the entrants by side, as indices
	Seed    uint64 // passed to the players
	Start   game.Position
	Moves   []game.Move // including the opening
	Opening int         // how many of the moves are the opening
	Result  game.Result
	End     End
	Detail  string           // the fault, for people
	Left    [2]time.Duration // on the clocks by side, if there were clocks
	Times   []time.Duration  // of the moves after the opening
	Values  []Value          // of the moves after the opening
}

// Value is a player's evaluation of its move.
type Value struct {
	Score int // from the view of its side
	Known bool
}

// defaultPlies is the default of Adjudication.MaxPlies.
const defaultPlies = 2_000

// moveGrace is how long a move may overrun its time before it loses: a busy machine
// takes that long to wake a thread.
const moveGrace = 50 * time.Millisecond

// gameRunner plays one game.
type gameRunner struct {
	game       game.Game
	opening    Opening
	players    [2]engine.Player // by side
	limits     [2]engine.Limit
	adjudicate Adjudication
	now        func() time.Time
	moved      func(worker int, m *game.Match) // may be nil
	worker     int
	record     Record
	scores     []sideValue // of the moves after the opening
}

// play plays the game. Its End is unfinished if the context ended first.
func (t *gameRunner) play(ctx context.Context) Record {
	m := game.NewMatch(t.game, t.opening.Start)
	for _, mv := range t.opening.Moves {
		if err := m.Play(mv); err != nil {
			break // the opening ended the game
		}
	}
	r := &t.record
	r.Start, r.Opening = t.opening.Start, len(m.Moves())
	for i, p := range t.players {
		p.NewGame(r.Seed ^ uint64(i)<<63)
	}
	for r.End = t.checkEnd(m); r.End == unfinished && ctx.Err() == nil; {
		if r.End = t.playMove(ctx, m); r.End == unfinished {
			r.End = t.checkEnd(m)
		}
	}
	r.Moves = m.Moves()
	for side, l := range t.limits {
		r.Left[side] = max(l.Clock.Left, 0)
	}
	return *r
}

// checkEnd returns why the game has ended, or unfinished, and sets the result.
func (t *gameRunner) checkEnd(m *game.Match) End {
	r := &t.record
	if o := m.Outcome(); o.Result.Over() {
		r.Result = o.Result
		return End(o.Reason)
	}
	if result := t.adjudicate.result(len(m.Moves()), t.scores); result.Over() {
		r.Result = result
		return Agreed
	}
	if len(m.Moves()) >= t.adjudicate.maxPlies() {
		r.Result = game.Draw
		return MaxPlies
	}
	return unfinished
}

// playMove plays one move and updates the clock. It returns the reason if the side to
// move resigns or makes a fault, which loses.
func (t *gameRunner) playMove(ctx context.Context, m *game.Match) End {
	side := m.Position().Turn()
	l := &t.limits[side]
	began := t.now()
	mv, err := t.players[side].Choose(ctx, m, *l)
	took := t.now().Sub(began)
	if err == nil && l.NodesTime > 0 {
		took, err = nodesTime(t.players[side], *l)
	}
	if err != nil && !isAnswer(err) && Cancelled(ctx) {
		return unfinished
	}
	late, increment := overrun(*l, took), time.Duration(0)
	if l.Clock.Left > 0 {
		l.Clock.Left, increment = l.Clock.Left-took, l.Clock.Increment
	}
	if err == nil && late == nil {
		err = m.Play(mv)
	}
	if err = errors.Join(late, err); err != nil {
		t.record.Result, t.record.Detail = game.Win(side.Other()), err.Error()
		return endOf(err, late != nil)
	}
	l.Clock.Left += increment // only a move that was made earns it
	t.record.Times = append(t.record.Times, took)
	value := valueOf(t.players[side])
	t.record.Values = append(t.record.Values, value)
	if side == game.Second {
		value.Score = -value.Score
	}
	t.scores = append(t.scores, sideValue{value, side})
	if t.moved != nil {
		t.moved(t.worker, m)
	}
	return unfinished
}

var errNoNodes = errors.New("expected the number of nodes that the move took, because the clock counts them")

// nodesTime returns what a player's last move took on a clock that counts nodes.
func nodesTime(p engine.Player, l engine.Limit) (time.Duration, error) {
	if c, ok := p.(NodeCounter); ok {
		if nodes, ok := c.Nodes(); ok {
			return l.NodesToTime(nodes), nil
		}
	}
	return 0, errNoNodes
}

// endOf returns the reason for a loss by an error or on time.
func endOf(err error, late bool) End {
	switch {
	case late || errors.Is(err, context.DeadlineExceeded):
		return TimeLoss
	case errors.Is(err, game.ErrResigned):
		return Resigned
	case isAnswer(err):
		return Illegal
	}
	return Crash
}

// isAnswer reports whether the player returned the error deliberately and still runs.
func isAnswer(err error) bool {
	return errors.Is(err, game.ErrIllegal) || errors.Is(err, game.ErrResigned)
}

// overrun returns an error if a move took too long.
func overrun(l engine.Limit, took time.Duration) error {
	switch {
	case l.Clock.Left > 0 && took >= l.Clock.Left:
		return fmt.Errorf("a move took %v of %v", took, l.Clock.Left)
	case l.Time > 0 && took > l.Time+moveGrace:
		return fmt.Errorf("a move took %v of %v", took, l.Time)
	}
	return nil
}

// cancelGrace is how long to wait for the context to end after an error. An interrupt
// from the terminal also reaches external programs, which may exit before the context
// is cancelled; that is not a crash.
const cancelGrace = 100 * time.Millisecond

// Cancelled reports whether the run is cancelled within cancelGrace.
func Cancelled(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	case <-time.After(cancelGrace):
		return false
	}
}

// valueOf returns a player's evaluation of its last move.
func valueOf(p engine.Player) (v Value) {
	if s, ok := p.(Scorer); ok {
		v.Score, v.Known = s.Score()
	}
	return v
}
