package bots_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
)

// plainWins reports whether the side to move wins within the given number of its turns, of one
// move each, by the rules alone.
func plainWins(p game.Position, turns int) bool {
	return turns > 0 && slices.ContainsFunc(p.Moves(nil), func(m game.Move) bool { return plainMoveWins(p, m, turns) })
}

func plainMoveWins(p game.Position, m game.Move, turns int) bool {
	child := p.Clone()
	child.Play(m)
	if child.Result().Over() {
		return child.Result() == game.Win(p.Turn())
	}
	if turns == 1 {
		return false
	}
	for _, reply := range child.Moves(nil) {
		next := child.Clone()
		next.Play(reply)
		if next.Result() != game.Win(p.Turn()) && (next.Result().Over() || !plainWins(next, turns-1)) {
			return false
		}
	}
	return true
}

// lateGame returns a position some plies before the end of a random game.
func lateGame(t *testing.T, g game.Game, setup game.Setup, r *rand.PCG, before int) game.Position {
	t.Helper()
	start, err := g.Start(setup)
	if err != nil {
		t.Fatal(err)
	}
	var all []game.Position
	for p := start; len(all) < 500; {
		m := game.Sample(p, r, nil)
		if m == 0 {
			break
		}
		all = append(all, p.Clone())
		p.Play(m)
	}
	return all[max(len(all)-before, 0)]
}

// levelGame returns the positions of a game of two levels.
func levelGame(t *testing.T, g game.Game, seed uint64) (list []game.Position) {
	t.Helper()
	start, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	var players [2]engine.Player
	for i := range players {
		if players[i], err = bots.NewPlayer([2]string{"level:1", "level:5"}[i], g, bots.Options{Megabytes: 1}); err != nil {
			t.Fatal(err)
		}
		players[i].NewGame(seed)
	}
	m := game.NewMatch(g, start)
	for len(list) < 200 && !m.Over() {
		list = append(list, m.Position())
		mv, err := players[m.Position().Turn()].Choose(t.Context(), m, engine.Limit{})
		if err == nil {
			err = m.Play(mv)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// TestProverAgainstRules compares proofs with a plain search of the rules.
func TestProverAgainstRules(t *testing.T) {
	const turns = 2
	for _, name := range []string{"loa", "neighbors", "chess"} {
		g, err := games.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		prover, err := bots.NewProver(g, 1)
		if err != nil {
			t.Fatal(err)
		}
		won := 0
		var positions []game.Position
		for seed := range uint64(6) {
			list := levelGame(t, g, seed)
			positions = append(positions, list[max(len(list)-8, 0):]...)
		}
		for _, p := range positions {
			var want [][]game.Move
			for _, m := range p.Moves(nil) {
				if plainMoveWins(p, m, turns) {
					want = append(want, []game.Move{m})
				}
			}
			got, err := prover.Winning(t.Context(), p, turns)
			if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
				t.Fatalf("%s, %s: %v wins (%v), want %v", name, p, got, err, want)
			}
			n, err := prover.WinsIn(t.Context(), p, turns)
			if err != nil || (n > 0) != (len(want) > 0) || n > 0 && !plainWins(p, n) || n > 1 && plainWins(p, n-1) {
				t.Fatalf("%s, %s: wins in %d turns (%v)", name, p, n, err)
			}
			won += len(want)
			if len(want) == 1 {
				checkRefutations(t, prover, p, want[0], turns)
			}
		}
		if won < 20 {
			t.Errorf("%s: only %d winning moves in all positions", name, won)
		}
	}
}

// checkRefutations checks that every wrong move has one reply, and that it leaves no win.
func checkRefutations(t *testing.T, prover bots.Prover, p game.Position, winning []game.Move, turns int) {
	t.Helper()
	list, err := prover.Refutations(t.Context(), p, winning, turns)
	if err != nil {
		t.Fatal(err)
	}
	refuted := map[game.Move]bool{}
	for _, r := range list {
		for _, m := range r.Wrong {
			refuted[m] = true
			after := p.Clone()
			after.Play(m)
			for _, reply := range r.Reply {
				after.Play(reply)
			}
			if after.Result() == game.Win(p.Turn()) || !after.Result().Over() && plainWins(after, turns-1) {
				t.Fatalf("%s: %v is not refuted by %v", p, m, r.Reply)
			}
		}
	}
	if len(refuted) != len(p.Moves(nil))-1 || refuted[winning[0]] {
		t.Fatalf("%s: %d moves refuted, want all but %v", p, len(refuted), winning)
	}
}

// plainMargin returns the result of an Othello position for the side to move: 1, 0 or
// -1.
func plainMargin(p game.Position) int {
	if r := p.Result(); r.Over() {
		winner, won := r.Winner()
		switch {
		case !won:
			return 0
		case winner == p.Turn():
			return 1
		}
		return -1
	}
	best := -1
	for _, m := range p.Moves(nil) {
		child := p.Clone()
		child.Play(m)
		best = max(best, -plainMargin(child))
	}
	return best
}

// TestOthelloProver compares the winning moves of endgames with a plain search.
func TestOthelloProver(t *testing.T) {
	g, err := games.ByName("othello")
	if err != nil {
		t.Fatal(err)
	}
	prover, err := bots.NewProver(g, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.NewPCG(6, 6)
	for range 40 {
		p := lateGame(t, g, game.Setup{"size": "6"}, r, 6)
		var want [][]game.Move
		for _, m := range p.Moves(nil) {
			child := p.Clone()
			child.Play(m)
			if plainMargin(child) < 0 {
				want = append(want, []game.Move{m})
			}
		}
		got, err := prover.Winning(t.Context(), p, 0)
		if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("%s: %v wins (%v), want %v", p, got, err, want)
		}
	}
}

// TestProverStops checks that an ended context's error is returned.
func TestProverStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, g := range games.All() {
		prover, err := bots.NewProver(g, 1)
		if err != nil {
			t.Fatal(err)
		}
		p := lateGame(t, g, nil, rand.NewPCG(7, 7), 12)
		if _, err := prover.Winning(ctx, p, 3); err == nil && g.Name != "othello" { // which solves these before it looks
			t.Errorf("%s: no error", g.Name)
		}
	}
}
