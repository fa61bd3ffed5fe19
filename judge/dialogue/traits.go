package dialogue

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A mistake that no mutant has is named by the traits that all wrong moves share and no right move has: "upward, along
// a column".

// decisions are the moves that a program gets wrong or right in one respect, by their traits.
type decisions struct{ wrong, right map[string]bool }

// Decisions that have traits.
const (
	Refusing = "refusing" // valid moves
	Showing  = "showing"  // the board after a move
	Skipping = "skipping" // players
	Ending   = "ending"   // games
)

// decided records how a program decided on a move with some traits.
func (w *witness) decided(what string, traits []string, right bool) {
	d, ok := w.decisions[what]
	if !ok {
		d = decisions{map[string]bool{}, map[string]bool{}}
		w.decisions[what] = d
	}
	if right {
		d.right[strings.Join(traits, ", ")] = true
	} else {
		d.wrong[strings.Join(traits, ", ")] = true
	}
}

// misplaced says how a board differs from the right one after a move to a cell.
func misplaced(want, shown, before [][]byte, to [2]int) string {
	for row := range want {
		for col, right := range want[row] {
			switch is, was := shown[row][col], before[row][col]; {
			case is == right:
			case to == [2]int{row, col}:
				return "the moved piece is missing"
			case right == '.' && was != '.':
				return "the moved piece stays on its old cell, too"
			case is == '.' && right == was:
				return "another piece disappears"
			case is == was:
				return "some pieces that should change do not"
			default:
				return "other pieces change, too"
			}
		}
	}
	return ""
}

// Common says what is always wrong with the boards. Otherwise it names the fewest traits that all wrong moves share and
// that no right move has together. It returns "" if there are none.
func (w *witness) Common(what string) string {
	d := w.decisions[what]
	if what == Showing && len(w.misplaced) == 1 {
		for says := range w.misplaced {
			return says
		}
	}
	var shared []string
	for traits := range d.wrong {
		list := strings.Split(traits, ", ")
		if shared == nil {
			shared = list
		}
		shared = slices.DeleteFunc(shared, func(s string) bool { return !slices.Contains(list, s) })
	}
	if len(d.wrong) < 2 || len(d.right) == 0 {
		return ""
	}
	for _, a := range shared {
		if !together(d.right, a) {
			return fmt.Sprintf("only moves %s go wrong", a)
		}
	}
	for i, a := range shared {
		for _, b := range shared[i+1:] {
			if !together(d.right, a, b) {
				return fmt.Sprintf("only moves both %s and %s go wrong", a, b)
			}
		}
	}
	return ""
}

// together reports whether any of the moves has all of the traits.
func together(moves map[string]bool, traits ...string) bool {
	for move := range moves {
		list := strings.Split(move, ", ")
		if !slices.ContainsFunc(traits, func(s string) bool { return !slices.Contains(list, s) }) {
			return true
		}
	}
	return false
}

// inAnswer matches the cells of an answer.
var inAnswer = regexp.MustCompile(`([A-Za-z])(\d+)`)

// traits lists the properties of a valid move.
func (p Program) traits(at position, line string) (list []string) {
	first := map[string]int{"othello": 1, "chess": 1}[p.Game]
	var cells [][2]int
	for _, m := range inAnswer.FindAllStringSubmatch(line, -1) {
		row, _ := strconv.Atoi(m[2])
		cells = append(cells, [2]int{row - first, column(m[1][0])})
	}
	slides := p.Game != "othello" && p.Game != "connect6"
	if len(cells) != map[bool]int{false: 1, true: 2}[slides] || slices.ContainsFunc(cells, func(c [2]int) bool { return !inside(p.Size, c[0], c[1]) }) {
		return nil
	}
	from, to := cells[0], cells[len(cells)-1]
	switch {
	case p.Game == "othello":
		g := &othello{talk: p.table(at.cells, at.player)}
		ways := map[string]bool{}
		for _, c := range g.turns(at.player, to[0], to[1]) {
			ways["turning discs "+strings.TrimSpace(heading(to, c))] = true
		}
		for way := range ways {
			list = append(list, way)
		}
		slices.Sort(list)
		if len(ways) == 1 {
			list = append(list, "turning discs in one direction")
		}
	case slides:
		list = append(p.slideTraits(at, from, to), edges("from", p.Size, from)...)
	}
	if at.placed == 1 {
		list = append(list, "with the second stone")
	}
	list = append(list, edges("to", p.Size, to)...)
	if p.Game == "neighbors" {
		list = append(list, neighbors(at.cells, from)...)
	}
	if (at.player == 0) == (p.Game == "chess") { // where white begins
		return append(list, "by white")
	}
	return append(list, "by black")
}

// legalTraits lists the traits that all valid moves of a player share.
func (p Program) legalTraits(at position) (shared []string) {
	for _, line := range p.legal(at) {
		list := p.traits(at, line)
		if shared == nil {
			shared = list
		}
		shared = slices.DeleteFunc(shared, func(s string) bool { return !slices.Contains(list, s) })
	}
	return shared
}

// legal lists the valid moves of a player in a game with passes.
func (p Program) legal(at position) []string {
	t := p.table(at.cells, at.player)
	if p.Game == "othello" {
		t.firstRow = 1
		return t.cellsFor((&othello{talk: t}).notMove)()
	}
	return (&neighborsLOA{talk: t, loa: p.Game == "loa"}).legal()
}

// pieceNames are the pieces of chess.
var pieceNames = map[byte]string{'K': "with a king", 'Q': "with a queen", 'B': "with a bishop", 'N': "with a knight", 'R': "with a rook", 'P': "with a pawn"}

// slideTraits lists the properties of a move from one cell to another.
func (p Program) slideTraits(at position, from, to [2]int) (list []string) {
	if p.Game == "chess" {
		list = append(list, pieceNames[upper(at.cells[from[0]][from[1]])])
	}
	if at.cells[to[0]][to[1]] != '.' {
		list = append(list, "with a capture")
	}
	dy, dx := to[0]-from[0], to[1]-from[1]
	list = append(list, strings.Fields([3]string{"upward", "", "downward"}[sign(dy)+1]+" "+[3]string{"leftward", "", "rightward"}[sign(dx)+1])...)
	if dy == dx || dy == -dx {
		list = append(list, "along a diagonal")
	} else if dy == 0 || dx == 0 {
		list = append(list, "along a row or column")
	}
	if steps := max(dy, -dy, dx, -dx); steps == 1 {
		list = append(list, "by one cell")
	} else if dy == 0 || dx == 0 || dy == dx || dy == -dx { // no knight
		own := at.cells[from[0]][from[1]]
		for i := 1; i < steps; i++ {
			if c := at.cells[from[0]+i*sign(dy)][from[1]+i*sign(dx)]; c != '.' {
				list = append(list, map[bool]string{true: "over a piece of the same side", false: "over an enemy piece"}[c == own])
			}
		}
	}
	return slices.Compact(list)
}

// neighbors lists where a piece has neighbours.
func neighbors(cells [][]byte, a [2]int) (list []string) {
	for _, d := range eight {
		if c := [2]int{a[0] + d[0], a[1] + d[1]}; inside(8, c[0], c[1]) && cells[c[0]][c[1]] != '.' {
			where := map[int]string{-1: "above", 1: "below"}[d[0]]
			if d[1] != 0 {
				where = "to the " + [3]string{"upper ", "", "lower "}[d[0]+1] + map[int]string{-1: "left", 1: "right"}[d[1]]
			}
			list = append(list, "of a piece with a neighbour "+where)
		}
	}
	return list
}

// edges says where a cell is at the edge of a board.
func edges(preposition string, n int, c [2]int) (list []string) {
	for i, name := range [2]string{"row", "column"} {
		switch c[i] {
		case 0:
			list = append(list, preposition+" the first "+name)
		case n - 1:
			list = append(list, preposition+" the last "+name)
		}
	}
	if len(list) > 0 {
		list = append(list, preposition+" the edge of the board")
	}
	return list
}
