// Package book is an opening book for Othello on 8x8 without pits: positions with the
// value that a search of many positions gives them.
//
// [Read] and [Embedded] load a [Book], and [Book.Moves] looks a position up. A [Builder]
// expands a book.
//
// A book is a graph of positions. Each stores its best move that leads out of the book, the
// deviation, with the value of a search. All other values are minimaxed from these (Buro,
// "Toward opening book learning", 1999). Positions that are mirror images of each other, or
// have the colours swapped, are one; so a book serves the start of the course and the
// standard start, which is its mirror image.
package book

import (
	"cmp"
	"math/bits"
	"slices"

	"quintet/game"
	"quintet/games/othello"
)

// Book is an opening book. It is safe for concurrent lookups.
type Book struct {
	settings Settings
	nodes    []node // the first is the start
	index    map[board]int32
}

// node is a position of the book and its deviation.
type node struct {
	board board
	dev   int8  // the deviation: its square, or none or unsearched
	depth uint8 // of the search of the deviation, in plies
	score int16 // of the deviation, in hundredths of a disc for the side to move
	value int16 // minimaxed
}

// Values of node.dev other than squares.
const (
	none       = -1 // all moves lead to positions of the book
	unsearched = -2 // while the book is expanded
)

// noValue is less than every value.
const noValue = -1 << 14

// maxScore is the largest value: 64 discs.
const maxScore = 64_00

// New returns a book that holds the start only.
func New(s Settings) *Book {
	b := &Book{settings: s, index: map[board]int32{}}
	b.add(startBoard())
	return b
}

// Len returns the number of positions.
func (b *Book) Len() int { return len(b.nodes) }

// Settings returns how the book was made.
func (b *Book) Settings() Settings { return b.settings }

// add adds an unsearched position.
func (b *Book) add(p board) {
	b.index[p] = int32(len(b.nodes))
	b.nodes = append(b.nodes, node{board: p, dev: unsearched, score: noValue, value: noValue})
}

// Move is a move of the book.
type Move struct {
	Move  game.Move
	Score int         // in hundredths of a disc, for the side to move
	Depth int         // plies from the position to where the search gave the score its value
	Line  []game.Move // the best line of the book, from this move on
}

// Moves returns the book's moves in a position, best first; none if it is not in the book.
// Of symmetric moves, all are listed.
func (b *Book) Moves(p game.Position) (list []Move) {
	small, ok := p.(*othello.Small)
	if !ok || small.Bitboards().Ground != whole {
		return nil
	}
	n := b.node(canonical(small.Bitboards()))
	if n == nil {
		return nil
	}
	for _, m := range small.Moves(nil) {
		if value := b.valueOf(n, successor(small.Bitboards(), int(m.To()))); value != noValue {
			line, depth := b.line(*small, n, m)
			list = append(list, Move{m, value, depth, line})
		}
	}
	slices.SortStableFunc(list, func(a, b Move) int { return cmp.Compare(b.Score, a.Score) })
	return list
}

// node returns the node of a board; nil if the book does not have it.
func (b *Book) node(p board) *node {
	if i, ok := b.index[p]; ok {
		return &b.nodes[i]
	}
	return nil
}

// line returns a move of a position and the best moves of the book after it, and the plies
// to the end of the search behind the last of them.
func (b *Book) line(at othello.Small, n *node, m game.Move) (line []game.Move, depth int) {
	for {
		depth = len(line) + int(n.depth)
		line = append(line, m)
		at.Play(m)
		var pass []game.Move
		if moves := at.Moves(nil); len(moves) == 1 && moves[0] == game.Pass {
			pass = moves
			at.Play(game.Pass)
		}
		if n = b.node(canonical(at.Bitboards())); n == nil {
			return line, depth
		}
		line = append(line, pass...)
		m = b.best(n, &at)
	}
}

// best returns the best move of a position.
func (b *Book) best(n *node, p *othello.Small) (m game.Move) {
	best := noValue
	for _, candidate := range p.Moves(nil) {
		if v := b.valueOf(n, successor(p.Bitboards(), int(candidate.To()))); v > best {
			best, m = v, candidate
		}
	}
	return m
}

// valueOf returns the value of a move of a position: noValue if the book does not know it.
func (b *Book) valueOf(n *node, c child) int {
	if next := b.node(c.board); next != nil {
		return c.sign * int(next.value)
	}
	if n.dev >= 0 && c.board == n.deviation().board {
		return int(n.score)
	}
	return noValue
}

// Openings returns a line of moves from a start to each position the given number of plies
// later that is in the book. Of mirror images and transpositions it returns one.
func (b *Book) Openings(start *othello.Small, plies int) (list [][]game.Move) {
	seen := map[board]bool{}
	var walk func(at othello.Small, line []game.Move)
	walk = func(at othello.Small, line []game.Move) {
		p := canonical(at.Bitboards())
		if seen[p] || b.node(p) == nil {
			return
		}
		seen[p] = true
		if len(line) == plies {
			list = append(list, line)
			return
		}
		for _, m := range at.Moves(nil) {
			next := at
			next.Play(m)
			walk(next, append(slices.Clone(line), m))
		}
	}
	walk(*start, nil)
	return list
}

// minimax computes the values from those of the deviations: a move adds a disc, so
// positions with more discs come first.
func (b *Book) minimax() {
	for _, i := range b.byDiscs() {
		n := &b.nodes[i]
		n.value = n.score
		for _, c := range children(n.board) {
			if next := b.node(c.board); next != nil {
				n.value = max(n.value, int16(c.sign)*next.value)
			}
		}
	}
}

// byDiscs returns the indices of the positions, those with most discs first.
func (b *Book) byDiscs() []int32 {
	var lists [65][]int32
	for i := range b.nodes {
		discs := bits.OnesCount64(b.nodes[i].board.own | b.nodes[i].board.other)
		lists[64-discs] = append(lists[64-discs], int32(i))
	}
	return slices.Concat(lists[:]...)
}

// deviation returns the position after the deviation.
func (n *node) deviation() child {
	if n.dev < 0 {
		return child{}
	}
	return successor(n.board.bitboards(), int(n.dev))
}
