// Package record holds games that have been played: their moves with
// variations, comments, clock times and evaluations, who played, and how it
// ended. It reads and writes them in the forms that people and other programs
// use.
//
// Start with Record, which New begins and Play goes on with; Record.Match
// replays it into a game.Match, from which any prefix can be continued. A
// record is a tree: the main line is the game that was played, the other lines
// are variations.
//
// The package promises that a record holds legal moves only, and that what a
// form cannot express is refused with the reason and never dropped.
package record

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"quintet/game"
)

// End is why a game ended: one of game.Reason, or what only a table knows.
type End string

// The ends of games.
const (
	NotOver    End = ""                   // still being played, or left
	ByRules        = End(game.ByRules)    // the position itself is an end
	Repetition     = End(game.Repetition) // a position had occurred often enough
	Resigned       = End(game.Resigned)   // a side gave up
	Halted         = End(game.Halted)     // the players stopped a game that counts then
	OnTime     End = "time"               // a side had no time left
	Agreed     End = "agreement"          // both sides wanted a draw
	Adjudged   End = "adjudication"       // somebody else decided
	Forfeit    End = "forfeit"            // a side broke the rules, crashed or went away
)

// Ends are the ends that a finished game can have.
func Ends() []End {
	return []End{ByRules, Repetition, Resigned, Halted, OnTime, Agreed, Adjudged, Forfeit}
}

// Tag is a fact about a game that the moves do not say, such as the date.
type Tag struct{ Name, Value string }

// Record is a game. Its fields may be set by whoever makes one; Check says
// whether they agree.
type Record struct {
	Game  game.Game
	Setup game.Setup // the options that were chosen; nil for the usual game

	// Start is the position in which the record begins: that of Setup, or
	// another one of the same board.
	Start game.Position

	Players [2]string // names of First and Second; "" if unknown
	Tags    []Tag     // further facts in the order in which they are written
	Root    *Node     // has no move; its comment is about the whole game

	Result game.Result // of the main line; Ongoing if the game is not over
	End    End
}

// Node is a move of a record and what was said about it.
type Node struct {
	Move    game.Move
	Comment string  // any text; lines are separated by \n
	Parent  *Node   // nil at the root
	Next    []*Node // what was played after it: the main line first, then variations

	Clock *time.Duration // what the clock of the side that moved showed afterwards
	Spent *time.Duration // what the move took
	Eval  *Eval

	Marks []uint8 // numeric annotation glyphs of PGN: 1 is "!", 2 "?", 3 "!!", 4 "??", 5 "!?", 6 "?!"
}

// Eval is what an engine thought of the position after a move.
type Eval struct {
	Score int // for First, in the game's unit (see package bots): discs, centipawns; not kept beside a Win
	Win   int // plies until First has won, below 0 if Second does; 0 unless proved
	Depth int // plies searched; 0 if unknown
}

// New returns the record of a game that has just been set up.
func New(g game.Game, s game.Setup) (*Record, error) {
	start, err := g.Start(s)
	if err != nil {
		return nil, err
	}
	return From(g, s, start), nil
}

// From returns an empty record that begins at a position of the game.
func From(g game.Game, s game.Setup, start game.Position) *Record {
	r := &Record{Game: g, Setup: s, Start: start.Clone(), Root: &Node{}}
	r.setOutcome(game.NewMatch(g, start).Outcome())
	return r
}

// FromMatch returns the record of a match as far as it has been played.
func FromMatch(s game.Setup, m *game.Match) *Record {
	r := From(m.Game(), s, m.Start())
	at := r.Root
	for _, mv := range m.Moves() {
		at = at.add(mv)
	}
	r.setOutcome(m.Outcome())
	return r
}

// setOutcome takes over how a match stands.
func (r *Record) setOutcome(o game.Outcome) { r.Result, r.End = o.Result, End(o.Reason) }

// Play puts a move after a node, or finds it there, and returns its node. If
// the node is the end of the main line, the game goes on there: the result is
// that of the new position. The error wraps game.ErrIllegal or game.ErrOver.
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
	n := at.add(mv)
	if main {
		r.setOutcome(m.Outcome())
	}
	return n, nil
}

// Add puts a move after a node without looking whether it is legal there, whether
// it is there already, and what it makes of the result, for callers that have a
// match of their own beside the record. Check finds what they get wrong.
func (r *Record) Add(at *Node, mv game.Move) *Node { return at.add(mv) }

// add puts a move after the node without looking whether it is legal.
func (n *Node) add(mv game.Move) *Node {
	next := &Node{Move: mv, Parent: n}
	n.Next = append(n.Next, next)
	return next
}

// Match returns a match in which the moves that lead to a node have been
// played. Nothing but the rules has ended it: whoever resigned at the node can
// be given back the move. The error says which move is not legal.
func (r *Record) Match(to *Node) (*game.Match, error) {
	m := game.NewMatch(r.Game, r.Start)
	for _, n := range to.Path() {
		if err := m.Play(n.Move); err != nil {
			return nil, fmt.Errorf("replaying %s: %w", r.Game.Name, err)
		}
	}
	return m, nil
}

// Last returns the last node of the main line, the root if nothing was played.
func (r *Record) Last() *Node { return r.Root.Last() }

// Main returns the nodes of the main line in order, without the root.
func (r *Record) Main() []*Node { return r.Last().Path() }

// Last returns the end of the first line that goes on from the node.
func (n *Node) Last() *Node {
	for len(n.Next) > 0 {
		n = n.Next[0]
	}
	return n
}

// Path returns the nodes from the first move to this one; none at the root.
func (n *Node) Path() []*Node {
	var path []*Node
	for ; n.Parent != nil; n = n.Parent {
		path = append(path, n)
	}
	slices.Reverse(path)
	return path
}

// Promote makes the line through the node the first of its parent's.
func (n *Node) Promote() {
	if n.Parent == nil {
		return
	}
	i := slices.Index(n.Parent.Next, n)
	n.Parent.Next = slices.Insert(slices.Delete(n.Parent.Next, i, i+1), 0, n)
}

// Remove takes the node and all that follows it out of its record.
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
	p := r.Start.Clone()
	var words []string
	for _, n := range r.Main() {
		words = append(words, p.Format(n.Move))
		p.Play(n.Move)
	}
	return strings.Join(words, " ")
}

// Tag returns the value of a further fact, "" if the record does not have it.
func (r *Record) Tag(name string) string {
	for _, t := range r.Tags {
		if strings.EqualFold(t.Name, name) {
			return t.Value
		}
	}
	return ""
}

// SetTag sets a further fact; an empty value takes it away.
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
