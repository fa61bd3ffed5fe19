// Package record stores played games: moves with variations, comments, clock times
// and evaluations, the players and the result. It reads and writes the project's text
// form and PGN.
//
// Start with [New] and [Record.Play]; [Record.Match] replays a prefix of the record
// into a game.Match to continue it. A record is a tree: the main line is the game as
// played, the other lines are variations.
//
// A record holds only legal moves. What a format cannot express causes an error and
// is never dropped silently.
package record

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"quintet/game"
)

// End is why a game ended: a game.Reason, or a reason outside the rules.
type End string

// The ends of games.
const (
	NotOver    End = ""                   // still in progress, or abandoned
	ByRules        = End(game.ByRules)    // the position is terminal
	Repetition     = End(game.Repetition) // a position had occurred often enough
	Resigned       = End(game.Resigned)   // a side gave up
	Halted         = End(game.Halted)     // the players stopped a game that is then scored
	OnTime     End = "time"               // a side had no time left
	Agreed     End = "agreement"          // both sides agreed on a draw
	Adjudged   End = "adjudication"       // an arbiter decided
	Forfeit    End = "forfeit"            // a side broke the rules, crashed or left
)

// Ends returns the ends that a finished game can have.
func Ends() []End {
	return []End{ByRules, Repetition, Resigned, Halted, OnTime, Agreed, Adjudged, Forfeit}
}

// Tag is a fact about a game, such as the date.
type Tag struct{ Name, Value string }

// Record is a game. Callers may set its fields; Check validates them.
type Record struct {
	Game  game.Game
	Setup game.Setup // the chosen options; nil for the usual game

	// Start is the position in which the record begins: that of Setup, or another one
	// on the same board.
	Start game.Position

	Players [2]string // names of First and Second; "" if unknown
	Tags    []Tag     // further facts in the order in which they are written
	Root    *Node     // without a move; its comment is about the whole game

	Result game.Result // of the main line; Ongoing if the game is not over
	End    End
}

// Node is a move of a record with its annotations.
type Node struct {
	Move    game.Move
	Comment string  // any text; lines are separated by \n
	Parent  *Node   // nil at the root
	Next    []*Node // moves after it: the main line first, then variations

	Clock *time.Duration // clock of the side that moved, after the move
	Spent *time.Duration // time of the move
	Eval  *Eval

	Marks []uint8 // numeric annotation glyphs of PGN: 1 is "!", 2 "?", 3 "!!", 4 "??", 5 "!?", 6 "?!"
}

// Eval is an engine's evaluation of the position after a move.
type Eval struct {
	Score int // for First, in the game's unit (see package bots): discs, centipawns; not stored together with a Win
	Win   int // plies until First has won, below 0 if Second does; 0 unless proved
	Depth int // plies searched; 0 if unknown
}

// New returns an empty record of a game with a set-up.
func New(g game.Game, s game.Setup) (*Record, error) {
	start, err := g.Start(s)
	if err != nil {
		return nil, err
	}
	return From(g, s, start), nil
}

// From returns an empty record that begins at a position.
func From(g game.Game, s game.Setup, start game.Position) *Record {
	r := &Record{Game: g, Setup: s, Start: start.Clone(), Root: &Node{}}
	r.setOutcome(game.NewMatch(g, start).Outcome())
	return r
}

// FromMatch returns the record of a match so far.
func FromMatch(s game.Setup, m *game.Match) *Record {
	r := From(m.Game(), s, m.Start())
	at := r.Root
	for _, mv := range m.Moves() {
		at = at.Add(mv)
	}
	r.setOutcome(m.Outcome())
	return r
}

// setOutcome sets the result and the end.
func (r *Record) setOutcome(o game.Outcome) { r.Result, r.End = o.Result, End(o.Reason) }

// Play adds a move after a node and returns its node, an existing one if the move is
// already there. At the end of the main line it also updates the result. The error
// wraps game.ErrIllegal or game.ErrOver.
func (r *Record) Play(at *Node, mv game.Move) (*Node, error) {
	if i := slices.IndexFunc(at.Next, func(n *Node) bool { return n.Move == mv }); i >= 0 {
		return at.Next[i], nil
	}
	m, err := r.Match(at)
	if err != nil {
		return nil, err
	}
	if err := m.Play(mv); err != nil {
		return nil, err
	}
	main := at == r.Last()
	n := at.Add(mv)
	if main {
		r.setOutcome(m.Outcome())
	}
	return n, nil
}

// Add adds a move after the node without any check: of legality, of duplicates, or of
// the result. It is for callers that keep a match of their own; Record.Check finds
// their mistakes.
func (n *Node) Add(mv game.Move) *Node {
	next := &Node{Move: mv, Parent: n}
	n.Next = append(n.Next, next)
	return next
}

// Follow returns the node of a move after this one, and adds it if it is not there.
func (n *Node) Follow(mv game.Move) *Node {
	for _, next := range n.Next {
		if next.Move == mv {
			return next
		}
	}
	return n.Add(mv)
}

// Match returns a match after the moves that lead to a node. Only the rules end it: a
// resignation at the node is not replayed. The error names the illegal move.
func (r *Record) Match(to *Node) (*game.Match, error) {
	m := game.NewMatch(r.Game, r.Start)
	for _, n := range to.Path() {
		if err := m.Play(n.Move); err != nil {
			return nil, fmt.Errorf("replaying %s: %w", r.Game.Name, err)
		}
	}
	return m, nil
}

// Last returns the last node of the main line; the root if it is empty.
func (r *Record) Last() *Node { return r.Root.Last() }

// Main returns the nodes of the main line in order, without the root.
func (r *Record) Main() []*Node { return r.Last().Path() }

// Moves returns the moves of a line.
func Moves(line []*Node) []game.Move {
	moves := make([]game.Move, len(line))
	for i, n := range line {
		moves[i] = n.Move
	}
	return moves
}

// Last returns the end of the first line from the node.
func (n *Node) Last() *Node {
	for len(n.Next) > 0 {
		n = n.Next[0]
	}
	return n
}

// Path returns the nodes from the first move to this one; none for the root.
func (n *Node) Path() []*Node {
	var path []*Node
	for ; n.Parent != nil; n = n.Parent {
		path = append(path, n)
	}
	slices.Reverse(path)
	return path
}

// Promote makes the node the first child of its parent.
func (n *Node) Promote() {
	if n.Parent == nil {
		return
	}
	i := slices.Index(n.Parent.Next, n)
	n.Parent.Next = slices.Insert(slices.Delete(n.Parent.Next, i, i+1), 0, n)
}

// Remove removes the node and its subtree from the record.
func (n *Node) Remove() {
	if n.Parent == nil {
		return
	}
	i := slices.Index(n.Parent.Next, n)
	n.Parent.Next = slices.Delete(n.Parent.Next, i, i+1)
	n.Parent = nil
}

// Moves returns the notation of the main line, separated by blanks.
func (r *Record) Moves() string {
	return strings.Join(game.FormatMoves(r.Start, Moves(r.Main())), " ")
}

// Tag returns the value of a tag, "" if the record lacks it.
func (r *Record) Tag(name string) string {
	for _, t := range r.Tags {
		if strings.EqualFold(t.Name, name) {
			return t.Value
		}
	}
	return ""
}

// SetTag sets a tag; an empty value removes it.
func (r *Record) SetTag(name, value string) {
	i := slices.IndexFunc(r.Tags, func(t Tag) bool { return strings.EqualFold(t.Name, name) })
	switch {
	case i < 0 && value != "":
		r.Tags = append(r.Tags, Tag{name, value})
	case i >= 0 && value == "":
		r.Tags = slices.Delete(r.Tags, i, i+1)
	case i >= 0:
		r.Tags[i].Value = value
	}
}
