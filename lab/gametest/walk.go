package gametest

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quintet/game"
)

// newRand returns the random source of one game.
func newRand(seed uint64) *rand.PCG { return rand.NewPCG(seed, 0x7175696e746574) }

// TB is the part of testing.TB that checks need; rapid's tests implement it too.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

var _ TB = (testing.TB)(nil)

// walk plays one random game and checks each position of it.
type walk struct {
	TB
	g         game.Game
	pick      *rand.PCG
	ply       int
	hasShifts bool // the game has moves from one cell to another
	turn      game.Side
	run       int // plies of the turn so far
}

func (w *walk) play(start game.Position, plies int) {
	p := start.Clone()
	for w.ply = range plies {
		w.checkPosition(p)
		moves := p.Moves(nil)
		if len(moves) == 0 {
			return
		}
		w.step(p, moves[game.IntN(w.pick, len(moves))])
	}
}

// step plays the move and checks that a copy is independent of the original.
func (w *walk) step(p game.Position, m game.Move) {
	before, text, key := p.Clone(), p.String(), p.Key()
	p.Play(m)
	if before.String() != text || before.Key() != key {
		w.Fatalf("%s: playing %s changed a copy of the position", text, before.Format(m))
	}
	if p.Key() == key {
		w.Errorf("%s: playing %s left the key unchanged", text, before.Format(m))
	}
	w.checkKeyFields(before, p.String())
	before.CopyFrom(p)
	if before.String() != p.String() || before.Key() != p.Key() {
		w.Errorf("CopyFrom(%s) = %s", p, before)
	}
}

// checkKeyFields checks that positions with different texts have different keys: it
// replaces each field of the text by that of the next position. Random play alone
// never reaches the same board with the other side to move.
func (w *walk) checkKeyFields(p game.Position, later string) {
	text, key := p.String(), p.Key()
	fields, others := strings.Fields(text), strings.Fields(later)
	for i := range min(len(fields), len(others)) {
		if fields[i] == others[i] {
			continue
		}
		crossed := slices.Clone(fields)
		crossed[i] = others[i]
		q, err := w.g.Read(strings.Join(crossed, " "))
		if err == nil && q.Key() == key && q.String() != text {
			w.Errorf("%s and %s share a key", text, q)
		}
	}
}

func (w *walk) checkPosition(p game.Position) {
	moves := p.Moves(nil)
	w.checkOrder(p, moves)
	w.checkEnd(p, moves)
	w.checkNotation(p, moves)
	w.checkWhyIllegal(p, moves)
	w.checkText(p, moves)
	w.checkBoard(p)
	w.checkForm(p)
	w.checkPass(p, moves)
	w.checkTurn(p)
	depth := 1
	switch {
	case len(moves) > 100:
		depth = 0
	case w.ply%8 == 0:
		depth = 2 // too slow for every position
	}
	CheckFastPaths(w, p, w.pick, depth)
}

// checkOrder checks that the moves are distinct, have a fixed order, and are appended
// to the buffer.
func (w *walk) checkOrder(p game.Position, moves []game.Move) {
	again := p.Moves([]game.Move{game.Pass})
	if len(again) == 0 || again[0] != game.Pass || !slices.Equal(again[1:], moves) {
		w.Errorf("%s: Moves gives %v, then %v", p, moves, again)
	}
	sorted := slices.Clone(moves)
	slices.Sort(sorted)
	if len(slices.Compact(sorted)) != len(moves) {
		w.Errorf("%s: a move comes twice in %v", p, moves)
	}
	if slices.Contains(moves, game.Pass) && len(moves) > 1 {
		w.Errorf("%s: a pass among other moves in %v", p, moves)
	}
}

func (w *walk) checkEnd(p game.Position, moves []game.Move) {
	if p.Result().Over() != (len(moves) == 0) {
		w.Errorf("%s: %d moves, but the result is %s", p, len(moves), p.Result())
	}
}

// checkNotation checks that moves (a sample if there are many) round-trip through
// their notation, and that Parse rejects other texts.
func (w *walk) checkNotation(p game.Position, moves []game.Move) {
	seen := map[string]bool{}
	for _, m := range moves {
		text := p.Format(m)
		if seen[text] {
			w.Errorf("%s: two moves are written %q", p, text)
		}
		seen[text] = true
	}
	for _, m := range w.pickSome(moves, 24) {
		text := p.Format(m)
		for _, s := range []string{text, strings.ToUpper(text), strings.ToLower(text)} {
			if got, err := p.Parse(s); err != nil || got != m {
				w.Errorf("%s: Parse(%q) = %v, %v, want %v", p, s, got, err, m)
			}
		}
	}
	if _, err := p.Parse("pass"); (err == nil) != seen["pass"] || err != nil && !errors.Is(err, game.ErrIllegal) {
		w.Errorf("%s: Parse(pass): %v", p, err)
	}
	for _, s := range []string{"", "?", "a", "a99", "zz", "pas", "passs", "a1a1a1"} {
		if got, err := p.Parse(s); err == nil {
			w.Errorf("%s: Parse(%q) = %v, want an error", p, s, got)
		}
	}
}

// pickSome returns all moves, or n random ones if there are more.
func (w *walk) pickSome(moves []game.Move, n int) []game.Move {
	if len(moves) <= n {
		return moves
	}
	var picked []game.Move
	for range n {
		picked = append(picked, moves[game.IntN(w.pick, len(moves))])
	}
	return picked
}

func (w *walk) checkText(p game.Position, moves []game.Move) {
	text := p.String()
	if strings.ContainsAny(text, "\n\r\t") || text != strings.TrimSpace(text) {
		w.Errorf("String() = %q, want one line without outer blanks", text)
	}
	q, err := w.g.Read(text)
	if err != nil {
		w.Fatalf("Read(%q): %v", text, err)
	}
	if is, was := w.g.SetupAt(q, nil), w.g.SetupAt(p, nil); !maps.Equal(is, was) {
		w.Errorf("Read(%q) has the options %v, want %v", text, is, was)
	}
	if q.String() != text || q.Key() != p.Key() || q.Turn() != p.Turn() || q.Result() != p.Result() || !slices.Equal(q.Moves(nil), moves) {
		w.Errorf("Read(%q) is another position: %s, %s, moves %v, want %s, moves %v", text, q, q.Result(), q.Moves(nil), p.Result(), moves)
	}
}

func (w *walk) checkBoard(p game.Position) {
	b := p.Board()
	if len(b.Cells) != len(b.Rows)*len(b.Cols) {
		w.Errorf("%s: %d cells on a board of %d by %d", p, len(b.Cells), len(b.Rows), len(b.Cols))
	}
}

// CheckFastPaths checks the optional methods of a position against plain implementations: Perft up
// to a depth.
func CheckFastPaths(t TB, p game.Position, r *rand.PCG, depth int) {
	moves, text := p.Moves(nil), p.String()
	if got := game.Count(p, nil); got != len(moves) {
		t.Errorf("%s: Count() = %d, want %d", p, got, len(moves))
	}
	if m := game.Sample(p, r, nil); !slices.Contains(moves, m) && (m != 0 || len(moves) > 0) {
		t.Errorf("%s: Sample gives %s, want one of %v", p, m, moves)
	}
	perfter, ok := p.(game.Perfter)
	for d := 1; ok && d <= depth; d++ {
		if got, want := perfter.Perft(d), leaves(p, d); got != want {
			t.Errorf("%s: Perft(%d) = %d, want %d", p, d, got, want)
		}
	}
	if p.String() != text {
		t.Errorf("Perft changed %s to %s", text, p)
	}
}

// leaves is a plain perft, the oracle of the fast ones.
func leaves(p game.Position, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	moves := p.Moves(nil)
	if len(moves) == 0 {
		return 1
	}
	var n uint64
	for _, m := range moves {
		child := p.Clone()
		child.Play(m)
		n += leaves(child, depth-1)
	}
	return n
}
