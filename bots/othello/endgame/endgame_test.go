package endgame_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"quintet/bots/othello/endgame"
	"quintet/game"
	"quintet/games/othello"
)

func read(t testing.TB, text string) *othello.Small {
	t.Helper()
	p, err := othello.Game.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*othello.Small)
}

// brute is minimax by the contract alone.
func brute(p game.Position) int {
	moves := p.Moves(nil)
	if len(moves) == 0 {
		return margin(p)
	}
	best := -100
	for _, m := range moves {
		child := p.Clone()
		child.Play(m)
		best = max(best, -brute(child))
	}
	return best
}

// TestAgainstBruteForce solves endings on small boards with pits, and on 8 by
// 8, and plays the lines out.
func TestAgainstBruteForce(t *testing.T) {
	r := rand.NewPCG(1, 1)
	s := endgame.NewSolver(1)
	for i := range 150 {
		setup := []game.Setup{{"size": "4"}, {"size": "4", "pits": "a1,d2"}, {"size": "6", "pits": "a1,b2,f3"}, {"size": "8", "pits": "h8"}, nil}[i%5]
		p, err := othello.Game.Start(setup)
		if err != nil {
			t.Fatal(err)
		}
		for empties(p) > 7 && !p.Result().Over() {
			p.Play(game.Sample(p, r, nil))
		}
		got, err := s.Solve(context.Background(), p.(*othello.Small))
		if want := brute(p); err != nil || got.Value != want {
			t.Fatalf("%s: %d, %v, want %d", p, got.Value, err, want)
		}
		checkLine(t, p, got)
	}
}

// margin counts the discs of a finished game for the side to move, and the empty
// cells for the winner.
func margin(p game.Position) (n int) {
	for _, c := range p.Board().Cells {
		switch {
		case c.Kind == game.Stone && c.Side == p.Turn():
			n++
		case c.Kind == game.Stone:
			n--
		}
	}
	switch {
	case n > 0:
		n += empties(p)
	case n < 0:
		n -= empties(p)
	}
	return n
}

func empties(p game.Position) (n int) {
	for _, c := range p.Board().Cells {
		if c.Kind == game.Empty {
			n++
		}
	}
	return n
}

// checkLine plays a line to the end, where the margin is the value.
func checkLine(t *testing.T, p game.Position, r endgame.Result) {
	t.Helper()
	at := p.Clone()
	for _, m := range r.Line {
		if !game.Legal(at, m) {
			t.Fatalf("%s: the line cannot be played at %s", p, at)
		}
		at.Play(m)
	}
	value := margin(at)
	if at.Turn() != p.Turn() {
		value = -value
	}
	if !at.Result().Over() || value != r.Value {
		t.Errorf("%s: the line ends at %s with %+d, want %+d", p, at, value, r.Value)
	}
}

// TestSmallBoard solves 4 by 4 from the start: the second side wins by 11 discs
// to 3, as is well known, and two cells stay empty.
func TestSmallBoard(t *testing.T) {
	p, err := othello.Game.Start(game.Setup{"size": "4"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := endgame.NewSolver(1).Solve(context.Background(), p.(*othello.Small))
	if err != nil || r.Value != -10 {
		t.Errorf("%d, %v, want -10", r.Value, err)
	}
	checkLine(t, p, r)
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p, err := othello.Game.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := endgame.NewSolver(1).Solve(ctx, p.(*othello.Small)); !errors.Is(err, context.Canceled) || len(r.Line) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestCancelOne checks that a cancelled search stops itself, never the next one.
func TestCancelOne(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	s, p := endgame.NewSolver(1), read(t, "4/1XO1/1OX1/4 X")
	for range 300 {
		_, _ = s.Solve(cancelled, p)
		if _, err := s.Solve(context.Background(), p); err != nil {
			t.Fatal(err)
		}
	}
}

// TestStopped stops searches after some nodes and searches the same boards again without a limit:
// what a search that was stopped has left in the table is right.
func TestStopped(t *testing.T) {
	s, never := endgame.NewSolver(1), new(atomic.Bool)
	for seed := range uint64(12) {
		p, err := othello.Game.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		for r := rand.NewPCG(seed, 12); empties(p) > 12 && !p.Result().Over(); {
			p.Play(game.Sample(p, r, nil))
		}
		w := p.(*othello.Small).Bitboards()
		for limit := uint64(1); limit < 20_000; limit *= 3 {
			s.Bound(w, -64, 64, limit, never, never)
		}
		const all = math.MaxUint64
		if got, want := s.Bound(w, -64, 64, all, never, never), endgame.NewSolver(1).Bound(w, -64, 64, all, never, never); got != want {
			t.Errorf("%s: %d after searches that were stopped, want %d", p, got, want)
		}
	}
}

// TestOver solves finished games.
func TestOver(t *testing.T) {
	for text, want := range map[string]int{"XXXX/XXXX/XXOO/OOOO X": 4, "XXXX/XXXX/XXOO/OOOO O": -4, "X3/4/4/3O X": 0, "XX2/4/4/3O X": 14, "OO2/4/4/3X X": -14} {
		r, err := endgame.NewSolver(1).Solve(context.Background(), read(t, text))
		if err != nil || r.Value != want || len(r.Line) > 0 {
			t.Errorf("%s: %+v, %v, want %d", text, r, err, want)
		}
	}
}

// TestNodes counts the nodes of longer endings, which depend on the order of the moves.
func TestNodes(t *testing.T) {
	s := endgame.NewSolver(1)
	var nodes uint64
	for seed := range uint64(4) {
		p, err := othello.Game.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		for r := rand.NewPCG(seed, 14); empties(p) > 14; {
			p.Play(game.Sample(p, r, nil))
		}
		s.Reset()
		found, err := s.Solve(context.Background(), p.(*othello.Small))
		if err != nil {
			t.Fatal(err)
		}
		nodes += found.Nodes
	}
	const want = 784_638
	if nodes != want {
		t.Errorf("%d nodes, want %d: the order of the moves has changed", nodes, want)
	}
}
