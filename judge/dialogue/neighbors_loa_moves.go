package dialogue

import (
	"fmt"
	"strings"
)

// cell reads a position that refusal has found to be one.
func (g *neighborsLOA) cell(text string) [2]int {
	row, col := int(text[1]-'0'), column(text[0])
	switch {
	case g.Has("rows-columns"):
		row, col = col, row
	case g.Has("from-bottom"):
		row = 7 - row
	}
	return [2]int{row, col}
}

func (g *neighborsLOA) isCell(text string) bool {
	if len(text) < 2 || len(text) > 2 && !g.Has(LengthPrefix) || strings.ContainsAny(text, g.Unread) {
		return false
	}
	letter, digit := text[0], text[1]
	lower := letter >= 'a' && letter <= 'h' || g.Has("any-case") && letter >= 'A' && letter <= 'H'
	last := byte('7')
	if g.Has("last-row") {
		last = '6'
	}
	return lower && digit >= '0' && digit <= last
}

// refusal returns why a move is invalid, "" if it is not.
func (g *neighborsLOA) refusal(from, to string) string {
	if !g.isCell(from) || !g.isCell(to) {
		return notCell(from, to)
	}
	a, b := g.cell(from), g.cell(to)
	switch own := stones[g.player]; {
	case g.at(a) == '.':
		return "starts from an empty cell"
	case g.at(a) != own && !g.Has("enemy-piece"):
		return "moves a piece of the other side"
	}
	return g.wrongWay(a, b)
}

// notCell says why a text is not a cell.
func notCell(texts ...string) string {
	for _, s := range texts {
		switch {
		case len(s) == 2 && s[0] >= 'A' && s[0] <= 'H' && s[1] >= '0' && s[1] <= '7':
			return "names a column by a capital letter"
		case len(s) > 2 && s[0] >= 'a' && s[0] <= 'h' && s[1] >= '0' && s[1] <= '7':
			return "has more than a letter and a digit for a cell"
		}
	}
	return "names a cell that is not on the board"
}

// wrongWay returns why a piece cannot go from a to b.
func (g *neighborsLOA) wrongWay(a, b [2]int) string {
	dy, dx := b[0]-a[0], b[1]-a[1]
	steps, sy, sx := max(dy, -dy, dx, -dx), sign(dy), sign(dx)
	straight := dy == 0 || dx == 0
	mover := g.at(a)
	switch {
	case steps == 0 && !g.Has("stays"):
		return "stays where it is"
	case !straight && dy != dx && dy != -dx && !g.Has("any-direction"):
		return "goes neither along a row, nor a column, nor a diagonal"
	case !straight && g.Has("no-diagonals"), straight && g.Has("only-diagonals"):
		return "goes in a direction that is refused"
	}
	if k := g.reach(a, sy, sx); !g.mayGo(steps, k) {
		return fmt.Sprintf("goes %s instead of %d", plural(steps, "step"), k)
	}
	if why := g.blocked(a, sy, sx, steps); why != "" {
		return why
	}
	switch target := g.at(b); {
	case target == mover && !g.Has("own-target"):
		return "lands on an own piece"
	case target != mover && target != '.' && g.Has("no-capture"):
		return "captures"
	}
	return ""
}

func (g *neighborsLOA) mayGo(steps, k int) bool {
	return steps == k || g.Has("any-length") || steps < k && g.Has("shorter") || steps > k && g.Has("longer")
}

// blocked returns why the pieces between are in the way.
func (g *neighborsLOA) blocked(a [2]int, sy, sx, steps int) string {
	for i := 1; i < steps; i++ {
		row, col := a[0]+i*sy, a[1]+i*sx
		if !inside(8, row, col) {
			break
		}
		switch c := g.cells[row][col]; {
		case c == '.':
		case c == g.at(a) && g.Has("no-jump-own"):
			return "jumps over a piece of the same side"
		case c != g.at(a) && (g.loa && !g.Has("jumps-enemy") || g.Has("no-jump-enemy")):
			return "jumps over an enemy piece"
		}
	}
	return ""
}

// reach returns how many steps a piece goes in a direction.
func (g *neighborsLOA) reach(a [2]int, sy, sx int) int {
	n := g.around(a)
	if g.loa && !g.Has("counts-around") {
		n = g.onLine(a, sy, sx)
	}
	if g.Has("counts-one-more") {
		n++
	}
	if g.Has("counts-one-less") {
		n--
	}
	return n
}

// around counts the neighbours of a piece.
func (g *neighborsLOA) around(a [2]int) (n int) {
	for _, d := range eight {
		row, col := a[0]+d[0], a[1]+d[1]
		beside := d[0] == 0 || d[1] == 0
		if g.Has("counts-beside") && !beside || g.Has("counts-slanted") && beside {
			continue
		}
		if inside(8, row, col) && g.counts(a, g.cells[row][col]) {
			n++
		}
	}
	return n
}

// counts reports whether what stands on a cell counts for the piece on a.
func (g *neighborsLOA) counts(a [2]int, c byte) bool {
	return c != '.' && (c == g.at(a) || !g.Has("counts-own")) && (c != g.at(a) || !g.Has("counts-enemy"))
}

// onLine counts the pieces on the line through a.
func (g *neighborsLOA) onLine(a [2]int, sy, sx int) (n int) {
	switch {
	case g.Has("wrong-diagonal") && sy != 0 && sx != 0:
		sx = -sx
	case g.Has("row-for-column") && sx == 0:
		sy, sx = 0, 1
	}
	if g.counts(a, g.at(a)) || g.Has("counts-enemy") {
		n = 1
	}
	for _, way := range [2]int{1, -1} {
		if way < 0 && g.Has("counts-ahead") {
			break
		}
		for i := 1; i < 8; i++ {
			row, col := a[0]+i*way*sy, a[1]+i*way*sx
			if inside(8, row, col) && g.counts(a, g.cells[row][col]) {
				n++
			}
		}
	}
	return n
}

func sign(n int) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
