// Package proofcheck reads certificates of wins in Connect6, and verifies them by a plain checker that
// shares no code with the search.
package proofcheck

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quintet/bots/connect6/certificate"
	"quintet/game"
	rules "quintet/games/connect6"
)

// Proved is what Verify found.
type Proved struct {
	Turns int // turns of the winner in the longest line, the one that completes six included
	Free  int // turns in a line, at most, that one stone answers
}

// Verify checks that a tree wins a position for the side to move, whatever the defender
// replies. It tries every turn of the defender at every node.
func Verify(p *rules.Position, t *certificate.Tree) (Proved, error) {
	if p.Result().Over() {
		return Proved{}, errors.New("certificate: expected a position whose game is not over")
	}
	c := newChecker(p)
	proved, err := c.tree(t, p.Left(), 0, 0)
	if err != nil {
		return Proved{}, fmt.Errorf("certificate: %w", err)
	}
	return Proved{Turns: proved.turns, Free: proved.free}, nil
}

// owner says which player, if any, has a stone on a cell.
type owner uint8

const (
	empty owner = iota
	winner
	defender
)

// window is six cells in a line.
type window [rules.Six]game.Cell

// checker is a board of plain cells.
type checker struct {
	coords  game.Coords
	at      []owner
	windows []window
	nodes   int
}

func newChecker(p *rules.Position) *checker {
	n := p.Size()
	c := &checker{coords: coords(n), at: make([]owner, n*n)}
	for row := range n {
		for col := range n {
			switch {
			case p.Row(p.Turn(), row)>>col&1 != 0:
				c.at[row*n+col] = winner
			case p.Row(p.Turn().Other(), row)>>col&1 != 0:
				c.at[row*n+col] = defender
			}
			for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
				endRow, endCol := row+(rules.Six-1)*d[0], col+(rules.Six-1)*d[1]
				if endRow >= n || endCol < 0 || endCol >= n {
					continue
				}
				var w window
				for i := range w {
					w[i] = game.Cell((row+i*d[0])*n + col + i*d[1])
				}
				c.windows = append(c.windows, w)
			}
		}
	}
	return c
}

// count returns the number of stones of both sides in a window.
func (c *checker) count(w window) (own, other int) {
	for _, cell := range w {
		switch c.at[cell] {
		case winner:
			own++
		case defender:
			other++
		}
	}
	return own, other
}

// place places stones on empty cells.
func (c *checker) place(o owner, list []game.Cell) error {
	for i, cell := range list {
		if c.at[cell] != empty {
			c.remove(list[:i])
			return fmt.Errorf("%s is not empty", c.coords.Name(cell))
		}
		c.at[cell] = o
	}
	return nil
}

func (c *checker) remove(list []game.Cell) {
	for _, cell := range list {
		c.at[cell] = empty
	}
}

// zone is the cells that matter to a part of the proof: it still holds if the defender has
// a given number of extra stones elsewhere.
type zone []bool

func (z zone) add(list []game.Cell) {
	for _, cell := range list {
		z[cell] = true
	}
}

// part is a proved part of a tree.
type part struct {
	zone  zone
	turns int
	free  int
}

// tree checks a tree for the winner to place a number of stones. The defender may
// have this many extra stones outside of the zone that it returns.
func (c *checker) tree(t *certificate.Tree, left, extra, depth int) (part, error) {
	if c.nodes++; depth >= maxDepth || c.nodes > maxNodes {
		return part{}, fmt.Errorf("expected at most %d turns in a line and %d in all", maxDepth, maxNodes)
	}
	if err := c.place(winner, t.Turn); err != nil {
		return part{}, err
	}
	defer c.remove(t.Turn)
	proved := part{zone: make(zone, len(c.at)), turns: 1}
	proved.zone.add(t.Turn)
	if c.six(winner) {
		return proved, nil
	}
	if len(t.Turn) != left {
		return part{}, fmt.Errorf("the turn %s has %d stones, expected %d", c.names(t.Turn), len(t.Turn), left)
	}
	threats, err := c.threats(t.Turn, extra, proved.zone)
	if err != nil {
		return part{}, err
	}
	return c.replies(t, threats, extra, depth, proved)
}

// six reports whether a side has six in a line.
func (c *checker) six(o owner) bool {
	for _, w := range c.windows {
		if own, other := c.count(w); o == winner && own == rules.Six || o == defender && other == rules.Six {
			return true
		}
	}
	return false
}

// threats returns the winner's threats after a turn. It adds to the zone where the defender
// could stop them, and where extra stones would give the defender a threat.
func (c *checker) threats(turn []game.Cell, extra int, z zone) (list []window, err error) {
	const most = rules.Six - rules.PerTurn // stones from which on a turn completes six
	for _, w := range c.windows {
		own, other := c.count(w)
		switch {
		case own >= most && other == 0:
			list = append(list, w)
			z.add(w[:])
		case own == 0 && other >= most:
			return nil, fmt.Errorf("after %s the other side completes six at %s", c.names(turn), c.names(w[:]))
		case own == 0 && other+extra >= most:
			z.add(w[:])
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("the turn %s makes no threat", c.names(turn))
	}
	return list, nil
}

// stops reports whether two stones stop all threats.
func stops(threats []window, x, y game.Cell) bool {
	for _, w := range threats {
		hit := false
		for _, cell := range w {
			hit = hit || cell == x || cell == y
		}
		if !hit {
			return false
		}
	}
	return true
}

// free returns the empty cells, and whether one of them stops all threats.
func (c *checker) free(threats []window) (list []game.Cell, single bool) {
	for cell, o := range c.at {
		if o == empty {
			list = append(list, game.Cell(cell))
			single = single || stops(threats, game.Cell(cell), game.Cell(cell))
		}
	}
	return list, single
}

// replies checks the replies to a turn's threats, and that every defence has one.
func (c *checker) replies(t *certificate.Tree, threats []window, extra, depth int, proved part) (part, error) {
	empties, single := c.free(threats)
	if single {
		extra++ // the defender's free stone
	}
	zones := make([]zone, len(t.Replies))
	turns, free := 1, 0 // the turn that completes six
	for i, r := range t.Replies {
		below, err := c.reply(r, extra, depth)
		if err != nil {
			return part{}, err
		}
		zones[i], turns, free = below.zone, max(turns, below.turns), max(free, below.free)
		for cell, in := range below.zone {
			proved.zone[cell] = proved.zone[cell] || in
		}
	}
	for i, x := range empties {
		for _, y := range empties[min(i+1, len(empties)-1):] { // x alone if it is the last empty cell
			if stops(threats, x, y) && !covered(t.Replies, zones, threats, x, y) {
				return part{}, fmt.Errorf("%s has no reply to %s", c.names(t.Turn), c.names([]game.Cell{x, y}))
			}
		}
	}
	proved.turns += turns
	proved.free = free
	if single {
		proved.free++
	}
	return proved, nil
}

func (c *checker) reply(r certificate.Reply, extra, depth int) (part, error) {
	if err := c.place(defender, r.Stones); err != nil {
		return part{}, err
	}
	defer c.remove(r.Stones)
	if c.six(defender) {
		return part{}, fmt.Errorf("the reply %s completes six", c.names(r.Stones))
	}
	return c.tree(r.Then, rules.PerTurn, extra, depth+1)
}

// covered reports whether a reply holds against two stones: one with both, or one with a
// stone that stops all threats if the other stone is outside of its zone.
func covered(replies []certificate.Reply, zones []zone, threats []window, x, y game.Cell) bool {
	for i, r := range replies {
		hasX, hasY := slices.Contains(r.Stones, x), slices.Contains(r.Stones, y)
		switch {
		case hasX && hasY,
			hasX && stops(threats, x, x) && !zones[i][y],
			hasY && stops(threats, y, y) && !zones[i][x]:
			return true
		}
	}
	return false
}

func (c *checker) names(list []game.Cell) string {
	var words []string
	for _, cell := range list {
		words = append(words, c.coords.Name(cell))
	}
	return strings.Join(words, " ")
}
