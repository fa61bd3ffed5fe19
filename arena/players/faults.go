package players

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"quintet/arena"
	"quintet/engine"
	"quintet/game"
)

// reporter wraps an external engine and reports its faults.
type reporter struct {
	externalPlayer
	name   string
	faults *Faults
	moves  int
}

// externalPlayer is a player that runs another program.
type externalPlayer interface {
	engine.Player
	LastAnswer() string              // the answer to the last request for a move
	Score() (score int, ok bool)     // the score of its last move
	Nodes() (nodes uint64, ok bool)  // the positions visited for it
	CPU() (d time.Duration, ok bool) // processor time after Close, if the user asked for it
}

// Faults reports what external players do wrong, a line each.
type Faults struct {
	mu  sync.Mutex // guards out
	out io.Writer
}

// NewFaults returns reports to a writer.
func NewFaults(out io.Writer) *Faults { return &Faults{out: out} }

// Watch returns the player. If it is an external program, its faults are reported.
func (f *Faults) Watch(p engine.Player, name string) engine.Player {
	if other, ok := p.(externalPlayer); ok {
		return &reporter{externalPlayer: other, name: name, faults: f}
	}
	return p
}

// Choose asks the program for a move and reports its fault, if any.
func (r *reporter) Choose(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error) {
	mv, err := r.externalPlayer.Choose(ctx, m, l)
	r.moves++
	switch {
	case errors.Is(err, game.ErrResigned): // not a fault
	case errors.Is(err, game.ErrIllegal), err == nil && !game.Legal(m.Position(), mv):
		r.report("move %d: %q is not a legal move in %q", len(m.Moves())+1, r.LastAnswer(), m.Position())
	case err != nil && !arena.Cancelled(ctx):
		r.report("move %d: %v", len(m.Moves())+1, err)
	}
	return mv, err //nolint:wrapcheck // the player's own error
}

// Close ends the program and reports its processor time on request.
func (r *reporter) Close() error {
	err := r.externalPlayer.Close()
	if used, ok := r.CPU(); ok && r.moves > 0 {
		each := used / time.Duration(r.moves)
		r.report("%d moves, %.2f s of processor time, %.2f ms a move", r.moves, used.Seconds(), float64(each.Microseconds())/1000)
	}
	return err //nolint:wrapcheck // the player's own error
}

func (r *reporter) report(format string, args ...any) {
	r.faults.mu.Lock()
	defer r.faults.mu.Unlock()
	_, _ = fmt.Fprintf(r.faults.out, "quintet: player %q: %s\n", r.name, fmt.Sprintf(format, args...))
}
