package arena

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quintet/engine"
	"quintet/game"
)

// End is what ended a game.
type End string

// The ends. The first three are those of package game; the next three are faults
// of the side that lost.
const (
	ByRules        = End(game.ByRules)
	Repetition     = End(game.Repetition)
	Resigned       = End(game.Resigned)
	Illegal    End = "illegal move"
	Crash      End = "crash"
	TimeLoss   End = "time"
	Agreed     End = "adjudication" // both players had said so for long enough
	MaxPlies   End = "max plies"    // a draw because the game was too long

	unfinished End = "" // the run was stopped
)

// Record is a game that was played.
type Record struct {
	Number  int    // in the order of the run, from 0: 2n and 2n+1 are a pair
	Players [2]int // the entrants by side, as indices
	Seed    uint64 // that the players were given
	Start   game.Position
	Moves   []game.Move // the opening included
	Opening int         // how many of the moves are the opening
	Result  game.Result
	End     End
	Detail  string           // what a fault was, for people
	Left    [2]time.Duration // on the clocks by side, if there were clocks
	Times   []time.Duration  // of the moves behind the opening
	Values  []Value          // of the moves behind the opening
}

// Value is what a player thought of a move that it made.
type Value struct {
	Score int // from the view of its side
	Known bool
}

// defaultPlies is the number of plies after which a game is a draw where the
// options say nothing.
const defaultPlies = 2_000

// grace is by how much a move may overrun its time before it is lost: what a
// busy machine takes to wake a thread.
const grace = 50 * time.Millisecond

// table is where one game is played.
type table struct {
	game       game.Game
	opening    Opening
	players    [2]Player // by side
	limits     [2]engine.Limit
	adjudicate Adjudication
	record     Record
}

// play plays the game. Its End is unfinished if the context ended first.
func (t *table) play(ctx context.Context) Record {
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
	for r.End = t.end(m); r.End == unfinished && ctx.Err() == nil; {
		if r.End = t.move(ctx, m); r.End == unfinished {
			r.End = t.end(m)
		}
	}
	r.Moves = m.Moves()
	for side, l := range t.limits {
		r.Left[side] = max(l.Clock.Left, 0)
	}
	return *r
}

// end returns what has ended the game, if something has, and sets the result.
func (t *table) end(m *game.Match) End {
	r := &t.record
	if o := m.Outcome(); o.Result.Over() {
		r.Result = o.Result
		return End(o.Reason)
	}
	if result := t.adjudicate.result(t.opening.Start, m.Moves(), r.Values); result.Over() {
		r.Result = result
		return Agreed
	}
	if len(m.Moves()) >= t.adjudicate.maxPlies() {
		r.Result = game.Draw
		return MaxPlies
	}
	return unfinished
}

// move lets the side to move make its move, keeps its clock, and returns how it
// has lost, if it makes a fault or resigns.
func (t *table) move(ctx context.Context, m *game.Match) End {
	side := m.Position().Turn()
	l := &t.limits[side]
	began := time.Now()
	mv, err := t.players[side].Choose(ctx, m, *l)
	took := time.Since(began)
	if l.Clock.Left > 0 {
		defer func() { l.Clock.Left += l.Clock.Increment - took }()
	}
	if err != nil && !answered(err) && stopping(ctx) {
		return unfinished
	}
	late := overrun(*l, took)
	if err == nil && late == nil {
		err = m.Play(mv)
	}
	if err = errors.Join(late, err); err != nil {
		t.record.Result, t.record.Detail = game.Win(side.Other()), err.Error()
		return lostBy(err, late != nil)
	}
	t.record.Times = append(t.record.Times, took)
	t.record.Values = append(t.record.Values, valueOf(t.players[side]))
	return unfinished
}

// lostBy returns how a side has lost that has overrun its time or given an error
// in place of a move.
func lostBy(err error, late bool) End {
	switch {
	case late || errors.Is(err, context.DeadlineExceeded):
		return TimeLoss
	case errors.Is(err, game.ErrResigned):
		return Resigned
	case answered(err):
		return Illegal
	}
	return Crash
}

// answered reports whether an error is the answer of a player that lives.
func answered(err error) bool {
	return errors.Is(err, game.ErrIllegal) || errors.Is(err, game.ErrResigned)
}

// overrun returns what is wrong with the time that a move took.
func overrun(l engine.Limit, took time.Duration) error {
	switch {
	case l.Clock.Left > 0 && took >= l.Clock.Left:
		return fmt.Errorf("a move took %v of %v", took, l.Clock.Left)
	case l.Time > 0 && took > l.Time+grace:
		return fmt.Errorf("a move took %v of %v", took, l.Time)
	}
	return nil
}

// settle is how long the end of the context is waited for after an error. An
// interrupt of the terminal reaches other programs, too, and they may end before
// this one has heard of it: that is no crash.
const settle = 100 * time.Millisecond

// stopping reports whether the run is being stopped.
func stopping(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	case <-time.After(settle):
		return false
	}
}

// valueOf returns what a player thinks of the move that it has made.
func valueOf(p Player) (v Value) {
	if s, ok := p.(Scorer); ok {
		v.Score, v.Known = s.Score()
	}
	return v
}
