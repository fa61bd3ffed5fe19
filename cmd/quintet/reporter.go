package main

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

// reporter is a player that is another program. It reports the program's faults.
type reporter struct {
	otherProgram
	name  string
	errs  io.Writer
	moves int
}

// otherProgram is a player that is another program.
type otherProgram interface {
	arena.Player
	LastAnswer() string              // to the last request for a move
	Score() (score int, ok bool)     // of its last move
	CPU() (d time.Duration, ok bool) // processor time used, after Close, if it is to be reported
}

// reporting wraps players that are other programs, so that their faults are written to
// errs.
func reporting(p arena.Player, name string, errs io.Writer) arena.Player {
	if other, ok := p.(otherProgram); ok {
		return &reporter{otherProgram: other, name: name, errs: errs}
	}
	return p
}

// Choose asks the program for a move and reports its fault, if any.
func (r *reporter) Choose(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error) {
	mv, err := r.otherProgram.Choose(ctx, m, l)
	r.moves++
	switch {
	case errors.Is(err, game.ErrResigned): // no fault
	case errors.Is(err, game.ErrIllegal), err == nil && !game.Legal(m.Position(), mv):
		r.report("move %d: %q is not a legal move in %q", len(m.Moves())+1, r.LastAnswer(), m.Position())
	case err != nil && !stopped(ctx):
		r.report("move %d: %v", len(m.Moves())+1, err)
	}
	return mv, err //nolint:wrapcheck // it is the player's own
}

// stopped reports whether the match is being stopped. Ctrl-C also reaches the other
// programs, which may end before this one notices.
func stopped(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	case <-time.After(100 * time.Millisecond):
		return false
	}
}

// Close ends the program and reports its processor time on request.
func (r *reporter) Close() error {
	err := r.otherProgram.Close()
	if used, ok := r.CPU(); ok && r.moves > 0 {
		each := used / time.Duration(r.moves)
		r.report("%d moves, %.2f s of processor time, %.2f ms a move", r.moves, used.Seconds(), float64(each.Microseconds())/1000)
	}
	return err //nolint:wrapcheck // it is the player's own
}

func (r *reporter) report(format string, args ...any) {
	_, _ = fmt.Fprintf(r.errs, "quintet: player %q: %s\n", r.name, fmt.Sprintf(format, args...))
}

// locked is a writer that is safe for concurrent use.
type locked struct {
	mu  sync.Mutex // guards out
	out io.Writer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(b) //nolint:wrapcheck // it is the writer's own
}
