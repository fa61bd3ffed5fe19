// Package recordtest generates random records to test record formats, and compares
// records.
package recordtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"quintet/game"
	"quintet/games"
	"quintet/record"
)

// Shape configures random records.
type Shape struct {
	Game       string   // one of the games; any if empty
	Setups     []string // to choose from, "name=value" each; the usual game if empty
	Starts     bool     // games may begin at a random position
	Variations bool
	Clocks     bool // clocks and times, in milliseconds
	Evals      bool // evaluations
	Marked     bool
	Plies      int // maximum of the main line; 0 for a whole game

	// Comments are fragments of comments; none if empty.
	Comments []string
	Players  []string // names of players; none if empty

	// Ends lists the ends besides those by the rules; none if empty.
	Ends []record.End
}

// Everything is the shape of records with every feature.
func Everything(name string) Shape {
	return Shape{
		Game: name, Setups: setups[name], Starts: true, Variations: true, Clocks: true, Evals: true, Marked: true,
		Comments: []string{"good", " ", "\n", "\r", "\\", "{", "}", "[%clk 0:01:00]", "[%", "]", ";", "(", ")", "é", "黒", "\u2028", "\\r", "1-0", "%", "\t", "\x00", "🙂", "\""},
		Players:  []string{"Ann", "level:3", `O"Hara \ Söhne`, "a\nb"},
		Ends:     record.Ends(),
	}
}

// setups lists set-ups by game.
var setups = map[string][]string{
	"othello":  {"", "size=4", "size=6", "size=10", "size=6 pits=a1,c2", "start=standard", "size=6 start=standard", "size=4 pits=b1,c1,a2,d2,a3,d3,b4,c4"},
	"connect6": {"", "size=1", "size=5", "size=8", "size=9"},
	"chess":    {"", "halt=none", "halt=agreed"},
}

// Random returns a random record of the shape.
func Random(r *rand.Rand, s Shape) *record.Record {
	g := pickGame(r, s.Game)
	setup, err := game.ParseSetup(pick(r, s.Setups))
	if err != nil {
		panic(err)
	}
	rec, err := record.New(g, setup)
	if err != nil {
		panic(err)
	}
	if s.Starts && setup["start"] == "" && r.IntN(3) == 0 { // the option says nothing of a position in mid-game
		rec = record.From(g, setup, randomPlies(r, rec.Start, r.IntN(20)))
	}
	rec.Players = [2]string{pick(r, s.Players), pick(r, s.Players)}
	if len(s.Players) > 0 && r.IntN(2) == 0 {
		rec.SetTag("Event", "Cup of "+pick(r, s.Players))
	}
	plies := s.Plies
	if plies == 0 || r.IntN(4) > 0 {
		plies = min(max(plies, 1000), 1+r.IntN(1000))
	}
	s.line(r, rec, rec.Root, plies)
	s.finish(r, rec)
	if s.Variations {
		s.branch(r, rec)
	}
	s.annotate(r, rec.Root)
	return rec
}

func pickGame(r *rand.Rand, name string) game.Game {
	if name == "" {
		name = pick(r, games.Names())
	}
	g, err := games.ByName(name)
	if err != nil {
		panic(err)
	}
	return g
}

func pick(r *rand.Rand, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[r.IntN(len(list))]
}

// randomPlies returns the position after some random moves, unless they end the game.
func randomPlies(r *rand.Rand, p game.Position, plies int) game.Position {
	p = p.Clone()
	for range plies {
		q := p.Clone()
		moves := p.Moves(nil)
		if len(moves) == 0 {
			break
		}
		q.Play(moves[r.IntN(len(moves))])
		if q.Result().Over() {
			break
		}
		p = q
	}
	return p
}

// line plays random moves after a node.
func (s Shape) line(r *rand.Rand, rec *record.Record, at *record.Node, plies int) {
	m, err := rec.Match(at)
	if err != nil {
		return // the line would end by a repetition with the game
	}
	for range plies {
		moves := m.Legal()
		if len(moves) == 0 {
			break
		}
		mv := moves[r.IntN(len(moves))]
		if err := m.Play(mv); err != nil {
			panic(err)
		}
		at = at.Add(mv)
	}
	if at == rec.Last() {
		o := m.Outcome()
		rec.Result, rec.End = o.Result, record.End(o.Reason)
	}
}

// finish ends an unfinished game.
func (s Shape) finish(r *rand.Rand, rec *record.Record) {
	if rec.Result.Over() || len(s.Ends) == 0 || r.IntN(2) == 0 {
		return
	}
	m, err := rec.Match(rec.Last())
	if err != nil {
		panic(err)
	}
	switch end := s.Ends[r.IntN(len(s.Ends))]; end {
	case record.ByRules, record.Repetition, record.NotOver:
	case record.Agreed:
		rec.Result, rec.End = game.Draw, end
	case record.Halted:
		if p, ok := m.Position().(game.Stopper); ok {
			rec.Result, rec.End = p.Stopped(), end
		}
	default:
		rec.Result, rec.End = game.Win(game.Side(r.IntN(2))), end
	}
}

// branch adds a few variations, and variations within them.
func (s Shape) branch(r *rand.Rand, rec *record.Record) {
	nodes := append([]*record.Node{rec.Root}, rec.Main()...)
	for range r.IntN(5) {
		at := nodes[r.IntN(len(nodes))]
		if len(at.Next) == 0 {
			continue
		}
		m, err := rec.Match(at)
		if err != nil {
			panic(err)
		}
		moves := m.Legal()
		n, err := rec.Play(at, moves[r.IntN(len(moves))])
		if err != nil {
			panic(err)
		}
		if len(n.Next) == 0 && n != rec.Last() {
			s.line(r, rec, n, 1+r.IntN(6))
		}
		nodes = append(nodes, n.Last().Path()...)
	}
}

// annotate adds random annotations to some moves.
func (s Shape) annotate(r *rand.Rand, n *record.Node) {
	for todo := []*record.Node{n}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], n.Next...)
		if len(s.Comments) > 0 && r.IntN(4) == 0 {
			n.Comment = s.remark(r)
		}
		if n.Parent == nil {
			continue
		}
		if s.Clocks && r.IntN(3) == 0 {
			left, spent := milliseconds(r), milliseconds(r)
			n.Clock, n.Spent = &left, &spent
		}
		if s.Evals && r.IntN(3) == 0 {
			n.Eval = eval(r)
		}
		if s.Marked && r.IntN(5) == 0 {
			n.Marks = []uint8{uint8(r.IntN(256)), uint8(1 + r.IntN(6))}[:1+r.IntN(2)]
		}
	}
}

func (s Shape) remark(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(6) {
		b.WriteString(pick(r, s.Comments))
	}
	return b.String()
}

func milliseconds(r *rand.Rand) time.Duration {
	return time.Duration(r.IntN(10_000_000)) * time.Millisecond
}

func eval(r *rand.Rand) *record.Eval {
	if r.IntN(4) == 0 {
		return &record.Eval{Win: (1 + r.IntN(20)) * (1 - 2*r.IntN(2)), Depth: r.IntN(20)}
	}
	return &record.Eval{Score: r.IntN(2001) - 1000, Depth: r.IntN(20)}
}

// Diff describes the difference of two records; "" if they are equal.
func Diff(a, b *record.Record) string {
	x, y := dump(a), dump(b)
	if slices.Equal(x, y) {
		return ""
	}
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("%s, but %s", x[i], y[i])
		}
	}
	return fmt.Sprintf("%d lines, but %d", len(x), len(y))
}

// dump lists the content of a record, one fact a line.
func dump(r *record.Record) []string {
	list := []string{
		fmt.Sprintf("game %s %q %s", r.Game.Name, r.Game.FormatSetup(r.Setup), r.Start),
		fmt.Sprintf("players %q, tags %q", r.Players, r.Tags),
		fmt.Sprintf("result %s, end %q", r.Result, r.End),
	}
	type task struct {
		n     *record.Node
		depth int
	}
	for todo := []task{{r.Root, 0}}; len(todo) > 0; {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		list = append(list, dumpNode(t.n, t.depth))
		for _, n := range slices.Backward(t.n.Next) {
			todo = append(todo, task{n, t.depth + 1})
		}
	}
	return list
}

func dumpNode(n *record.Node, depth int) string {
	text := fmt.Sprintf("%d: %s %q %v", depth, n.Move, n.Comment, n.Marks)
	if n.Clock != nil {
		text += fmt.Sprintf(" clock %s", *n.Clock)
	}
	if n.Spent != nil {
		text += fmt.Sprintf(" spent %s", *n.Spent)
	}
	if n.Eval != nil {
		text += fmt.Sprintf(" eval %+v", *n.Eval)
	}
	return text
}
