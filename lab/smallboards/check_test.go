package smallboards

import (
	"fmt"
	"slices"
	"strings"

	"quintet/bots/othello/solved"
	"quintet/game"
)

// checker computes values by the plain rules alone: every position that can occur is
// visited, and nothing is cut or evaluated. It remembers what it has visited.
type checker struct{ values map[plain]int }

func newChecker() *checker { return &checker{map[plain]int{}} }

// value returns the value of a position for the side to move.
func (c *checker) value(p plain) int {
	if v, ok := c.values[p]; ok {
		return v
	}
	_, after := p.moves()
	best := -1 << 10
	for _, next := range after {
		best = max(best, -c.value(next))
	}
	if len(after) == 0 {
		if best = p.margin(); p.canMove(opponent(p.turn)) {
			best = -c.value(p.pass())
		}
	}
	c.values[p] = best
	return best
}

// checkEntry checks an entry of the table: its line is legal, ends the game and has its value,
// and all positions of the line with at most the given number of empty cells have that value,
// too. With all cells of the board, that proves the entry.
func checkEntry(e solved.Entry, empty int) error {
	p, value := plainStart(e.Size, e.Pits), e.Value
	c := newChecker()
	for i, m := range e.Line {
		if err := c.compare(p, value, empty); err != nil {
			return fmt.Errorf("%d %s, ply %d: %w", e.Size, e.Pits, i, err)
		}
		next, err := p.play(m)
		if err != nil {
			return fmt.Errorf("%d %s, ply %d: %w", e.Size, e.Pits, i, err)
		}
		p, value = next, -value
	}
	if p.canMove('X') || p.canMove('O') {
		return fmt.Errorf("%d %s: the line does not end the game", e.Size, e.Pits)
	}
	if p.margin() != value {
		return fmt.Errorf("%d %s: the line ends with %d, want %d", e.Size, e.Pits, p.margin(), value)
	}
	return nil
}

// compare checks the value of a position with few empty cells.
func (c *checker) compare(p plain, value, empty int) error {
	if strings.Count(p.cells, ".") > empty {
		return nil
	}
	if got := c.value(p); got != value {
		return fmt.Errorf("the value is %d, not %d", got, value)
	}
	return nil
}

// play plays a move of the game's.
func (p plain) play(m game.Move) (plain, error) {
	cells, after := p.moves()
	if m == game.Pass {
		if len(cells) > 0 || !p.canMove(opponent(p.turn)) {
			return p, fmt.Errorf("a pass is not legal")
		}
		return p.pass(), nil
	}
	i := slices.Index(cells, int(m.To()))
	if i < 0 {
		return p, fmt.Errorf("cell %d is not a legal move", m.To())
	}
	return after[i], nil
}
