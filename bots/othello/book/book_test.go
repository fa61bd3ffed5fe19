package book

import (
	"bytes"
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

// onePly is a search of one ply: moves are worth the opponent's lack of replies, and a
// number that depends on the board.
type onePly struct{}

func (onePly) Reset() {}

func (onePly) Search(_ context.Context, p engine.Position, l engine.Limit, _ func(engine.Line)) engine.Line {
	best := engine.Line{Score: -1 << 20, Depth: 1}
	for _, m := range p.Moves(nil) {
		child := p.Clone().(*othello.Small)
		child.Play(m)
		w := child.Bitboards()
		c := canonical(w)
		score := int(l.Nodes) - 100*bits.OnesCount64(w.Moves) + int(game.Mix(game.Mix(1, c.own), c.other)%90)
		if !slices.Contains(p.Skip, m) && score > best.Score {
			best.Score, best.Moves = score, []game.Move{m}
		}
	}
	return best
}

func testSettings() Settings { return Settings{Nodes: 7, Margin: 250, Weight: 3, Seed: 5} }

// build expands a new book by the given number of rounds.
func build(t *testing.T, s Settings, rounds, threads int) *Book {
	t.Helper()
	b := New(s)
	expand(t, b, rounds, threads)
	return b
}

func expand(t *testing.T, b *Book, rounds, threads int) {
	t.Helper()
	searches := make([]engine.Searcher, threads)
	for i := range searches {
		searches[i] = onePly{}
	}
	r := NewBuilder(b, searches)
	for range rounds {
		if more, err := r.Round(t.Context()); err != nil || !more {
			t.Fatalf("round: more %t, error %v", more, err)
		}
	}
}

func encode(t *testing.T, b *Book) []byte {
	t.Helper()
	var data bytes.Buffer
	if err := b.Write(&data); err != nil {
		t.Fatal(err)
	}
	return data.Bytes()
}

func start(t *testing.T, name string) game.Position {
	t.Helper()
	p, err := othello.Game.Start(game.Setup{"start": name})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCanonical plays random games on the eight images of the board at once.
func TestCanonical(t *testing.T) {
	images := [8]func(row, col int) int{
		func(r, c int) int { return r*8 + c }, func(r, c int) int { return r*8 + 7 - c },
		func(r, c int) int { return (7-r)*8 + c }, func(r, c int) int { return (7-r)*8 + 7 - c },
		func(r, c int) int { return c*8 + r }, func(r, c int) int { return c*8 + 7 - r },
		func(r, c int) int { return (7-c)*8 + r }, func(r, c int) int { return (7-c)*8 + 7 - r },
	}
	image := func(x uint64, to func(row, col int) int) (y uint64) {
		for ; x != 0; x &= x - 1 {
			s := bits.TrailingZeros64(x)
			y |= 1 << to(s/8, s%8)
		}
		return y
	}
	random := rand.NewPCG(1, 2)
	for range 30 {
		p := start(t, "course").(*othello.Small)
		for !p.Result().Over() {
			w := p.Bitboards()
			least := board{w.Own, w.Other}
			for _, to := range images {
				if b := (board{image(w.Own, to), image(w.Other, to)}); b.less(least) {
					least = b
				}
			}
			for _, to := range images {
				got := canonical(othello.Bitboards{Own: image(w.Own, to), Other: image(w.Other, to)})
				if got != least {
					t.Fatalf("%s: %v, want %v", p, got, least)
				}
			}
			p.Play(p.Sample(random))
		}
	}
	for _, name := range []string{"course", "standard"} {
		if got := canonical(start(t, name).(*othello.Small).Bitboards()); got != startBoard() {
			t.Errorf("the %s start is %v, want %v", name, got, startBoard())
		}
	}
}

// TestMinimax compares the values with the definition, without a table.
func TestMinimax(t *testing.T) {
	b := build(t, testSettings(), 30, 1)
	var value func(p board) int
	value = func(p board) int {
		n := b.nodes[b.index[p]]
		best := int(n.score)
		for _, c := range children(p) {
			if _, in := b.index[c.board]; in {
				best = max(best, c.sign*value(c.board))
			}
		}
		return best
	}
	for _, n := range b.nodes {
		if want := value(n.board); int(n.value) != want {
			t.Fatalf("%v: value %d, want %d", n.board, n.value, want)
		}
	}
	if len(b.nodes) < 100 {
		t.Errorf("%d positions, want 100 or more", len(b.nodes))
	}
}

// TestDropOut compares the positions that rounds add with those of all paths from the
// start, by cost: in a deep book, and in a broad one, where many paths lead to a position.
func TestDropOut(t *testing.T) {
	deep, broad := testSettings(), testSettings()
	broad.Margin, broad.Weight = 2000, 1
	for _, s := range []Settings{deep, broad} {
		b := build(t, s, 1, 1)
		for range 25 {
			f := frontier{b, map[board]int{}}
			f.walk(b.nodes[0].board, 0)
			before := len(b.nodes)
			expand(t, b, 1, 1)
			f.check(t, b.nodes[before:])
		}
	}
}

// frontier has the deviations within the margin, with the cost of the cheapest path.
type frontier struct {
	book     *Book
	cheapest map[board]int
}

// walk follows every path from a position.
func (f *frontier) walk(p board, cost int) {
	b := f.book
	n := b.nodes[b.index[p]]
	for _, c := range children(p) {
		var value int
		inside := b.node(c.board)
		switch {
		case inside != nil:
			value = c.sign * int(inside.value)
		case c.square == int(n.dev):
			value = int(n.score)
		default:
			continue
		}
		loss := int(n.value) - value
		if loss > b.settings.Margin {
			continue
		}
		next := cost + 100 + b.settings.Weight*loss
		if inside != nil {
			f.walk(c.board, next)
		} else if next += b.settings.jitter(c.board); f.cheapest[c.board] == 0 || next < f.cheapest[c.board] {
			f.cheapest[c.board] = next
		}
	}
}

// check checks the positions that a round has added.
func (f *frontier) check(t *testing.T, added []node) {
	t.Helper()
	worst := 0
	for _, n := range added {
		cost, ok := f.cheapest[n.board]
		if !ok {
			t.Fatalf("%v was added, which no deviation within the margin leads to", n.board)
		}
		worst = max(worst, cost)
		delete(f.cheapest, n.board)
	}
	if len(added) != perRound && len(f.cheapest) > 0 {
		t.Fatalf("%d positions added with %d left, want %d", len(added), len(f.cheapest), perRound)
	}
	for p, cost := range f.cheapest {
		if cost < worst {
			t.Fatalf("%v of cost %d was not added, one of cost %d was", p, cost, worst)
		}
	}
}

// TestContinue checks that a book depends neither on interruptions nor on threads.
func TestContinue(t *testing.T) {
	want := encode(t, build(t, testSettings(), 10, 1))
	if got := encode(t, build(t, testSettings(), 10, 3)); !bytes.Equal(got, want) {
		t.Error("three threads make another book")
	}
	b := build(t, testSettings(), 4, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewBuilder(b, []engine.Searcher{onePly{}}).Round(ctx); err == nil {
		t.Error("an interrupted round has no error")
	}
	b, err := Read(bytes.NewReader(encode(t, b)))
	if err != nil {
		t.Fatal(err)
	}
	expand(t, b, 6, 2)
	if !bytes.Equal(encode(t, b), want) {
		t.Error("a continued book is another book")
	}
	other := testSettings()
	other.Seed++
	if bytes.Equal(encode(t, build(t, other, 10, 1))[len(header)+8:], want[len(header)+8:]) {
		t.Error("another seed makes the same book")
	}
}

// TestExhausted checks that a book without a margin ends.
func TestExhausted(t *testing.T) {
	b := New(Settings{Nodes: 1})
	r := NewBuilder(b, []engine.Searcher{onePly{}})
	for range 10_000 {
		more, err := r.Round(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			return
		}
	}
	t.Errorf("%d positions, and the book still grows", b.Len())
}

func TestMoves(t *testing.T) {
	b := build(t, testSettings(), 10, 1)
	for _, name := range []string{"course", "standard"} {
		p := start(t, name)
		moves := b.Moves(p)
		if len(moves) != 4 {
			t.Fatalf("%s: %d moves, want the 4 symmetric ones", name, len(moves))
		}
		for _, m := range moves {
			if m.Score != int(b.nodes[0].value) || m.Depth < len(m.Line) || m.Line[0] != m.Move {
				t.Errorf("%s: move %+v, want the value %d", name, m, b.nodes[0].value)
			}
			follow(t, b, p.Clone(), m)
		}
	}
	other, err := othello.Game.Start(game.Setup{"pits": "a1"})
	if err != nil {
		t.Fatal(err)
	}
	if moves := b.Moves(other); moves != nil {
		t.Errorf("a board with a pit has %v", moves)
	}
}

// follow plays the line of a move: it is legal, each move is the best of the book, and the
// last leads out of it.
func follow(t *testing.T, b *Book, p game.Position, m Move) {
	t.Helper()
	score, depth := m.Score, m.Depth
	for i, move := range m.Line {
		if !slices.Contains(p.Moves(nil), move) {
			t.Fatalf("%s: %s is not legal", p, p.Format(move))
		}
		if list := b.Moves(p); i > 0 && (len(list) == 0 || list[0].Score != score || list[0].Depth != depth) {
			t.Fatalf("%s: %+v, want score %d and depth %d", p, list, score, depth)
		}
		p.Play(move)
		score, depth = -score, depth-1
	}
	if left := b.Moves(p); left != nil {
		t.Errorf("%s: the line ends within the book", p)
	}
}

// TestOpenings checks that the openings lead to different positions of the book, and that
// together they are all of that ply.
func TestOpenings(t *testing.T) {
	b := build(t, testSettings(), 10, 1)
	want := map[int]int{}
	for _, n := range b.nodes {
		want[bits.OnesCount64(n.board.own|n.board.other)-4]++
	}
	for plies := range 6 {
		seen := map[board]bool{}
		for _, line := range b.Openings(start(t, "standard").(*othello.Small), plies) {
			p := start(t, "standard").(*othello.Small)
			for _, m := range line {
				p.Play(m)
			}
			at := canonical(p.Bitboards())
			if seen[at] || b.node(at) == nil || len(line) != plies {
				t.Errorf("%d plies: %v", plies, line)
			}
			seen[at] = true
		}
		if len(seen) != want[plies] {
			t.Errorf("%d openings of %d plies, want %d", len(seen), plies, want[plies])
		}
	}
}

// TestEmbedded checks the book that comes with the program.
func TestEmbedded(t *testing.T) {
	b, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if b.Len() < 500 || len(embedded) > 200_000 {
		t.Errorf("%d positions in %d bytes", b.Len(), len(embedded))
	}
	for _, name := range []string{"course", "standard"} {
		p := start(t, name)
		moves := b.Moves(p)
		if len(moves) == 0 {
			t.Fatalf("no move at the %s start", name)
		}
		follow(t, b, p, moves[0])
	}
	if !bytes.Equal(encode(t, b), embedded) {
		t.Error("writing the book again gives another file")
	}
}

func ExampleBook_Moves() {
	b, err := Embedded()
	if err != nil {
		fmt.Println(err)
		return
	}
	p, _ := othello.Game.Start(nil)
	fmt.Println(len(b.Moves(p)), "first moves, all symmetric")
	// Output: 4 first moves, all symmetric
}
