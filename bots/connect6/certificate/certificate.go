// Package certificate holds proofs of forced wins in Connect6. Package lab/proofcheck reads and
// checks them.
//
// A certificate is a [Tree]: a turn of the winner, and for the replies to it the next turn.
// Each turn makes threats: six cells in a line with at least four stones of the winner and
// none of the defender, of which the winner fills the rest in the next turn. The defender
// must put a stone into each threat, so a turn needs replies only to these stones.
//
// Where one stone stops all threats, the other is free. The reply without the free stone
// holds for every free stone outside of its relevance zone, and others need a reply of their
// own (I-Chen Wu and Ping-Hung Lin, "Relevance-Zone-Oriented Proof Search for Connect6", IEEE
// Transactions on Computational Intelligence and AI in Games 2, 2010). The certificate does
// not list zones: the checker computes them.
package certificate

import (
	"strings"

	"quintet/game"
)

// Tree is a strategy that wins a position with the winner to move.
type Tree struct {
	Turn    []game.Cell // two stones, or one if it completes six or only one is left
	Replies []Reply     // none if the turn completes six or nothing stops its threats
}

// Reply is a reply and the strategy after it.
type Reply struct {
	// Stones are stones that the defender gets at once. More than the two of a turn stand for
	// every turn of two of them: a strategy that wins against all wins against fewer.
	Stones []game.Cell
	Then   *Tree
}

// Turns returns the number of turns in the longest line.
func (t *Tree) Turns() int {
	n := 0
	for _, r := range t.Replies {
		n = max(n, r.Then.Turns())
	}
	return n + 1
}

// Nodes returns the number of turns in the tree.
func (t *Tree) Nodes() int {
	n := 1
	for _, r := range t.Replies {
		n += r.Then.Nodes()
	}
	return n
}

// Format writes a tree for a board of a size: "H9 I9 {J9 K9: L9 M9; G9 K9: E9 F9}" plays H9 I9,
// and L9 M9 or E9 F9 after the replies before the colons.
func Format(size int, t *Tree) string {
	var b strings.Builder
	write(&b, game.Coords{Rows: size, Cols: size, Upper: true}, t)
	return b.String()
}

func write(b *strings.Builder, c game.Coords, t *Tree) {
	writeCells(b, c, t.Turn)
	for i, r := range t.Replies {
		b.WriteString([]string{" {", "; "}[min(i, 1)])
		writeCells(b, c, r.Stones)
		b.WriteString(": ")
		write(b, c, r.Then)
	}
	if len(t.Replies) > 0 {
		b.WriteString("}")
	}
}

func writeCells(b *strings.Builder, c game.Coords, list []game.Cell) {
	for i, cell := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(c.Name(cell))
	}
}
