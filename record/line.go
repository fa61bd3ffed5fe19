package record

import (
	"fmt"
	"slices"

	"quintet/game"
)

// Line is a line of play from the start of a record: a game.Match without a list of its moves.
// A clone shares the history, so that a variation costs no more than its own moves, however
// late it branches off and however many there are.
type Line struct {
	pos     game.Position
	ply     int
	repeat  int
	seen    *occurrences // nil in games without repetition
	outcome game.Outcome
	scratch []game.Move
}

// NewLine returns the empty line that begins at a copy of a position.
func NewLine(g game.Game, start game.Position) *Line {
	l := &Line{pos: start.Clone(), repeat: g.Repeat}
	l.arrive()
	return l
}

// Clone returns a line with the same history, which can be continued on its own.
func (l *Line) Clone() *Line {
	c := *l
	c.pos, c.scratch = l.pos.Clone(), nil
	return &c
}

// copyFrom makes the line equal to another of the same game.
func (l *Line) copyFrom(from *Line) {
	pos, scratch := l.pos, l.scratch
	pos.CopyFrom(from.pos)
	*l = *from
	l.pos, l.scratch = pos, scratch
}

// Position returns the position after the last move. Callers must not change it.
func (l *Line) Position() game.Position { return l.pos }

// Outcome returns the result so far and its reason.
func (l *Line) Outcome() game.Outcome { return l.outcome }

// Legal returns the legal moves, valid until the next call; none when the game is over.
func (l *Line) Legal() []game.Move {
	if l.outcome.Result.Over() {
		return nil
	}
	l.scratch = l.pos.Moves(l.scratch[:0])
	return l.scratch
}

// Play plays a move. The error is that of game.Match.Play and leaves the line unchanged.
func (l *Line) Play(mv game.Move) error {
	if l.outcome.Result.Over() {
		return fmt.Errorf("move %d: %w", l.ply+1, game.ErrOver)
	}
	if !slices.Contains(l.Legal(), mv) {
		return fmt.Errorf("move %d: %w", l.ply+1, game.Illegal(l.pos, mv))
	}
	l.play(mv)
	return nil
}

// play plays a legal move in a game that is not over.
func (l *Line) play(mv game.Move) {
	l.pos.Play(mv)
	l.ply++
	l.arrive()
}

// arrive counts the position and sets the outcome.
func (l *Line) arrive() {
	times := 0
	if l.repeat > 0 {
		l.seen, times = l.seen.add(l.pos.Key(), 0)
	}
	switch r := l.pos.Result(); {
	case r.Over():
		l.outcome = game.Outcome{Result: r, Reason: game.ByRules}
	case l.ply > 0 && l.repeat > 0 && times >= l.repeat:
		l.outcome = game.Outcome{Result: game.StoppedResult(l.pos), Reason: game.Repetition}
	default:
		l.outcome = game.Outcome{}
	}
}

// occurrences counts the positions of a line by their keys, in a trie that is never changed:
// the lines that branch off a long line share its part.
type occurrences struct {
	key   uint64
	times int
	child [2]*occurrences // by the bit of the key at the depth of the node
}

// add returns the trie with one more occurrence of a key, and how many it then has. The
// root has depth 0.
func (o *occurrences) add(key uint64, depth int) (*occurrences, int) {
	if o == nil {
		return &occurrences{key: key, times: 1}, 1
	}
	c := *o
	if c.key == key {
		c.times++
		return &c, c.times
	}
	bit := key >> depth & 1
	child, times := o.child[bit].add(key, depth+1)
	c.child[bit] = child
	return &c, times
}
