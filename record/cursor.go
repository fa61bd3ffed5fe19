package record

import (
	"fmt"
	"slices"

	"quintet/game"
)

// Cursor is a place in a record that is being replayed: a game.Match without a list of its moves.
// A clone shares the history, so that a variation costs no more than its own moves, however
// late it branches off and however many there are.
type Cursor struct {
	pos     game.Position
	ply     int
	repeat  int
	seen    *occurrences // nil in games without repetition
	outcome game.Outcome
	scratch []game.Move
}

// NewCursor returns a cursor at a copy of a start position.
func NewCursor(g game.Game, start game.Position) *Cursor {
	c := &Cursor{pos: start.Clone(), repeat: g.Repeat}
	c.arrive()
	return c
}

// Clone returns a cursor with the same history, which moves on its own.
func (c *Cursor) Clone() *Cursor {
	clone := *c
	clone.pos, clone.scratch = c.pos.Clone(), nil
	return &clone
}

// copyFrom makes the cursor equal to another of the same game.
func (c *Cursor) copyFrom(from *Cursor) {
	pos, scratch := c.pos, c.scratch
	pos.CopyFrom(from.pos)
	*c = *from
	c.pos, c.scratch = pos, scratch
}

// Position returns the position after the last move. Callers must not change it.
func (c *Cursor) Position() game.Position { return c.pos }

// Outcome returns the result so far and its reason.
func (c *Cursor) Outcome() game.Outcome { return c.outcome }

// Legal returns the legal moves, valid until the next call; none when the game is over.
func (c *Cursor) Legal() []game.Move {
	if c.outcome.Result.Over() {
		return nil
	}
	c.scratch = c.pos.Moves(c.scratch[:0])
	return c.scratch
}

// Play plays a move. The error is that of game.Match.Play and leaves the cursor unchanged.
func (c *Cursor) Play(mv game.Move) error {
	if c.outcome.Result.Over() {
		return fmt.Errorf("move %d: %w", c.ply+1, game.ErrOver)
	}
	if !slices.Contains(c.Legal(), mv) {
		return fmt.Errorf("move %d: %w", c.ply+1, game.Illegal(c.pos, mv))
	}
	c.play(mv)
	return nil
}

// play plays a legal move in a game that is not over.
func (c *Cursor) play(mv game.Move) {
	c.pos.Play(mv)
	c.ply++
	c.arrive()
}

// arrive counts the position and sets the outcome.
func (c *Cursor) arrive() {
	times := 0
	if c.repeat > 0 {
		c.seen, times = c.seen.add(c.pos.Key(), 0)
	}
	switch r := c.pos.Result(); {
	case r.Over():
		c.outcome = game.Outcome{Result: r, Reason: game.ByRules}
	case c.ply > 0 && c.repeat > 0 && times >= c.repeat:
		c.outcome = game.Outcome{Result: game.StoppedResult(c.pos), Reason: game.Repetition}
	default:
		c.outcome = game.Outcome{}
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
