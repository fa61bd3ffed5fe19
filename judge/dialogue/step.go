package dialogue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// position is a board with the player to move, from which one turn is checked.
type position struct {
	cells  [][]byte
	player int
	placed int // stones that the player has placed in this turn, in Connect6
	first  bool
	passed int // turns that were passed before, in Othello
}

// reply is what a right program does with an answer.
type reply struct {
	why    string   // it refuses the answer, or ""
	cells  [][]byte // the board afterwards
	kind   string   // of the move, such as its direction: a wrong rule may concern only some
	passes int      // how many turns are passed before the next answer or the end
	over   bool     // the game ends
	winner int      // of a game that ended, or -1
	player int      // whose turn it is
	placed int      // as in position
	stop   bool     // the answer stops a game of chess
	last   [2]int   // where the move ended
	forced [][]byte // the board if the refused move were made
}

// table returns a talk with a copy of a board, to apply the rules to.
func (p Program) table(cells [][]byte, player int) *talk {
	t := &talk{Program: p, player: player, Conversation: Conversation{Turns: []Turn{{}}}}
	t.cells = copied(cells)
	return t
}

// copied returns a copy of a board.
func copied(cells [][]byte) (list [][]byte) {
	for _, row := range cells {
		list = append(list, slices.Clone(row))
	}
	return list
}

// reply returns what a right program does with a move.
func (p Program) reply(at position, line string) reply {
	r := p.made(at, line)
	if r.why == "" {
		p.goOn(&r, at)
	}
	return r
}

// made returns the refusal of a move or the board after it.
func (p Program) made(at position, line string) reply {
	t := p.table(at.cells, at.player)
	r := reply{cells: t.cells, winner: -1, player: at.player, placed: at.placed}
	switch p.Game {
	case "neighbors", "loa":
		r.slide(&neighborsLOA{talk: t, loa: p.Game == "loa"}, line)
	case "chess":
		r.chess(newChess(t), line)
	default:
		r.disc(t, line)
	}
	return r
}

// slide makes a move of Neighbors or Lines of Action.
func (r *reply) slide(g *neighborsLOA, line string) {
	words := append(strings.Fields(line), "", "")
	if r.why = g.refusal(words[0], words[1]); r.why != "" {
		if g.isCell(words[0]) && g.isCell(words[1]) {
			r.force(g.talk, g.cell(words[0]), g.cell(words[1]))
		}
		return
	}
	a, b := g.cell(words[0]), g.cell(words[1])
	r.last, r.kind = b, heading(a, b)
	if g.at(b) != '.' {
		r.kind += ", captures"
	}
	g.move(a, b)
}

// force makes a move whatever the rules say.
func (r *reply) force(t *talk, a, b [2]int) {
	r.forced = t.table(t.cells, t.player).cells
	r.forced[b[0]][b[1]], r.forced[a[0]][a[1]] = t.at(a), '.'
}

// heading names the direction from one cell to another.
func heading(a, b [2]int) string {
	return [3]string{"up", "", "down"}[sign(b[0]-a[0])+1] + [3]string{" left", "", " right"}[sign(b[1]-a[1])+1]
}

// disc places a disc or a stone.
func (r *reply) disc(t *talk, line string) {
	number, err := strconv.Atoi(strings.TrimSpace(line[1:]))
	if t.Game == "othello" {
		t.firstRow = 1
	}
	t.capitals = t.Game == "connect6"
	row, col, why := t.locate(line[0], number, err == nil)
	g := &othello{talk: t}
	switch {
	case why != "":
		r.why = why
	case t.Game == "connect6":
		r.why = (&connect6{talk: t}).notStone(row, col)
	default:
		r.why = g.notMove(row, col)
	}
	if r.last = [2]int{row, col}; r.why != "" {
		return
	}
	if t.Game == "connect6" {
		t.cells[row][col] = stones[t.player]
		return
	}
	turned := g.turns(t.player, row, col)
	r.kind = "several lines"
	if len(turned) == 0 { // with a wrong rule
		r.kind = ""
	} else if one := heading(r.last, turned[0]); !slices.ContainsFunc(turned, func(c [2]int) bool { return heading(r.last, c) != one }) {
		r.kind = one
	}
	g.place(row, col, turned)
}

// newChess returns the rules for a board: pawns that have left their row have moved.
func newChess(t *talk) *chess {
	g := &chess{talk: t}
	for i := range 64 {
		if c := t.cells[i/8][i%8]; c == 'p' && i/8 != 6 || c == 'P' && i/8 != 1 {
			g.moved[i/8][i%8] = true
		}
	}
	return g
}

func (r *reply) chess(g *chess, line string) {
	var from, to byte
	var y1, y2 int
	if _, err := fmt.Sscanf(line, "%c%d %c%d", &from, &y1, &to, &y2); err != nil {
		if _, err = fmt.Sscanf(line, "%c%d%c%d", &from, &y1, &to, &y2); err != nil {
			r.why = garbled
			return
		}
	}
	if g.stops(from, to, y1, y2) {
		r.stop = true
		return
	}
	a, b := [2]int{y1 - 1, column(from)}, [2]int{y2 - 1, column(to)}
	if r.why = g.refusal(a, b); r.why != "" {
		if inside(8, a[0], a[1]) && inside(8, b[0], b[1]) {
			r.force(g.talk, a, b)
		}
		return
	}
	r.last, r.kind = b, string(upper(g.at(a)))
	if g.at(b) != '.' {
		r.kind += ", captures"
	}
	g.move(a, b)
}

// goOn finds out what follows a move: passes, the end, or the next player.
func (p Program) goOn(r *reply, at position) {
	t := p.table(r.cells, at.player)
	switch p.Game {
	case "neighbors", "loa":
		r.afterSlide(&neighborsLOA{talk: t, loa: p.Game == "loa"})
	case "othello":
		r.player = 1 - at.player
		g := &othello{talk: t}
		if g.Has("passes-add") {
			g.passes = at.passed
		}
		r.afterDisc(g)
	case "connect6":
		r.afterStone(&connect6{talk: t, left: 1}, at)
	default:
		g := newChess(t)
		kings := t.count('K') + t.count('k')
		if r.player = 1 - at.player; r.stop || kings < 2 {
			r.over, r.winner = true, leader(g.scores())
		}
	}
}

func (r *reply) afterSlide(g *neighborsLOA) {
	mover := g.player
	over := g.result(mover, false)
	r.player, g.player = 1-mover, 1-mover
	if over == 0 && g.passes() {
		r.passes++
		over = g.result(1-mover, true)
		r.player = mover
	}
	if over != 0 {
		r.over, r.winner = true, strings.IndexByte(stones, over)
	}
}

func (r *reply) afterDisc(g *othello) {
	for ; ; r.player = 1 - r.player {
		if g.full() || g.passes >= g.mostPasses() || g.wiped() {
			r.over, r.winner = true, leader([2]int{g.count('X'), g.count('O')})
			return
		}
		if g.has(r.player) || g.Has("asks-stuck") {
			return
		}
		g.player = r.player
		g.passed()
		r.player = g.player
		r.passes++
	}
}

func (r *reply) afterStone(g *connect6, at position) {
	r.placed = at.placed + 1
	switch {
	case g.six(r.last[0], r.last[1]):
		r.over, r.winner = true, at.player
	case g.count('.') == 0:
		r.over = true
	case r.placed == 2 || at.first:
		r.player, r.placed = 1-at.player, 0
	}
}
