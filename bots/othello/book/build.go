package book

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

// Settings are what the contents of a book depend on, besides its number of positions and the
// search.
type Settings struct {
	Nodes  uint64 // positions that a search visits
	Margin int    // hundredths of a disc that a move may lose against the best
	Weight int    // how many plies a loss of one disc counts as
	Seed   uint64 // of the order among positions whose priorities differ by less than a ply
}

// Check reports the first setting that is out of range.
func (s Settings) Check() error {
	switch {
	case s.Nodes < 1:
		return fmt.Errorf("nodes %d: expected 1 or more", s.Nodes)
	case s.Margin < 0 || s.Margin > maxScore:
		return fmt.Errorf("margin of %d hundredths: expected 0 to %d", s.Margin, maxScore)
	case s.Weight < 0 || s.Weight > 100:
		return fmt.Errorf("weight %d: expected 0 to 100", s.Weight)
	}
	return nil
}

// Builder expands a book by drop-out expansion (Lincke, "Strategies for the automatic
// construction of opening books", 2000): the deviation that becomes a position of the book
// is the one with the fewest plies from the start, where what a move loses against the best
// counts as further plies. So the book is deepest along the best lines, and broad.
//
// A round expands a fixed number of deviations at once, so that the result does not depend
// on the number of threads.
type Builder struct {
	book     *Book
	searches []engine.Searcher
}

// perRound is the number of positions that a round adds at most.
const perRound = 16

// lastDiscs is the number of discs of the latest positions.
const lastDiscs = 40

// NewBuilder returns a Builder of a book, which it changes; each search runs in a goroutine
// of its own.
func NewBuilder(b *Book, searches []engine.Searcher) *Builder {
	b.minimax()
	return &Builder{book: b, searches: searches}
}

// Round adds up to 16 positions. It reports whether there is more to do: there is not once
// no deviation is within the margin. A round that the context interrupts changes nothing.
func (r *Builder) Round(ctx context.Context) (more bool, err error) {
	b := r.book
	before := len(b.nodes)
	for _, p := range b.leaves() {
		b.add(p)
	}
	stale := b.stale()
	found := make([]node, len(stale))
	if err := r.searchAll(ctx, stale, found); err != nil {
		for _, n := range b.nodes[before:] {
			delete(b.index, n.board)
		}
		b.nodes = b.nodes[:before]
		return false, err
	}
	for i, at := range stale {
		b.nodes[at] = found[i]
	}
	b.minimax()
	return len(stale) > 0, nil
}

// leaf is a deviation and its priority.
type leaf struct {
	board board
	cost  int // hundredths of a ply; the least comes first
}

// leaves returns the positions to add next.
func (b *Book) leaves() (list []board) {
	var all []leaf
	costs := b.costs()
	for i := range b.nodes {
		n := &b.nodes[i]
		c := n.deviation()
		if n.dev < 0 || c.over || bits.OnesCount64(c.board.own|c.board.other) > lastDiscs {
			continue
		}
		if cost, ok := b.settings.step(n, int(n.score)); ok && costs[i] != unreached {
			all = append(all, leaf{c.board, costs[i] + cost + b.settings.jitter(c.board)})
		}
	}
	slices.SortFunc(all, func(a, b leaf) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.board.own, b.board.own), cmp.Compare(a.board.other, b.board.other))
	})
	for _, l := range all {
		if len(list) < perRound && !slices.Contains(list, l.board) {
			list = append(list, l.board)
		}
	}
	return list
}

// unreached is the cost of a position to which only moves beyond the margin lead.
const unreached = 1 << 30

// costs returns the cost of the cheapest path from the start to each position.
func (b *Book) costs() []int {
	costs := make([]int, len(b.nodes))
	for i := range costs {
		costs[i] = unreached
	}
	costs[0] = 0
	order := b.byDiscs()
	slices.Reverse(order)
	for _, i := range order {
		n := &b.nodes[i]
		if costs[i] == unreached {
			continue
		}
		for _, c := range children(n.board) {
			next, in := b.index[c.board]
			if !in {
				continue
			}
			if cost, ok := b.settings.step(n, c.sign*int(b.nodes[next].value)); ok {
				costs[next] = min(costs[next], costs[i]+cost)
			}
		}
	}
	return costs
}

// step returns the cost of a move with a value, in hundredths of a ply; ok is false if it
// loses more than the margin.
func (s Settings) step(n *node, value int) (cost int, ok bool) {
	loss := int(n.value) - value
	return 100 + s.Weight*loss, loss <= s.Margin
}

// jitter returns a part of a ply that depends on the seed.
func (s Settings) jitter(p board) int {
	return int(game.Mix(game.Mix(s.Seed, p.own), p.other) % 100)
}

// stale returns the positions without a deviation that leads out of the book.
func (b *Book) stale() (list []int32) {
	for i := range b.nodes {
		n := &b.nodes[i]
		if c := n.deviation(); n.dev == unsearched || n.dev >= 0 && b.node(c.board) != nil {
			list = append(list, int32(i))
		}
	}
	return list
}

// searchAll finds the deviations of positions.
func (r *Builder) searchAll(ctx context.Context, list []int32, found []node) error {
	var threads sync.WaitGroup
	for t, s := range r.searches {
		threads.Go(func() {
			for i := t; i < len(list) && ctx.Err() == nil; i += len(r.searches) {
				found[i] = r.book.deviate(ctx, s, r.book.nodes[list[i]])
			}
		})
	}
	threads.Wait()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("searching: %w", err)
	}
	return nil
}

// deviate searches the moves of a position that lead out of the book.
func (b *Book) deviate(ctx context.Context, s engine.Searcher, n node) node {
	p := othello.NewSmall(n.board.own, n.board.other)
	w := p.Bitboards()
	at := engine.Position{Position: p}
	left := 0
	for m := w.Moves; m != 0; m &= m - 1 {
		c := successor(w, bits.TrailingZeros64(m))
		if b.node(c.board) != nil {
			at.Skip = append(at.Skip, p.Move(c.square))
		} else {
			left++
		}
	}
	n.dev, n.score, n.depth = none, noValue, 0
	if left > 0 {
		s.Reset()
		line := s.Search(ctx, at, engine.Limit{Nodes: b.settings.Nodes}, nil)
		n.dev, n.depth = int8(line.Best().To()), uint8(line.Depth)
		n.score = int16(min(max(line.Score, -maxScore), maxScore))
	}
	return n
}
