package bots_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quintet/engine"
	"quintet/game"
)

// scattered calls f with positions of a few pieces, many of them about to be decided.
func scattered(t *testing.T, g game.Game, f func(p game.Position)) {
	t.Helper()
	r := rand.New(rand.NewPCG(2, 3))
	empties := strings.NewReplacer("........", "8", ".......", "7", "......", "6", ".....", "5", "....", "4", "...", "3", "..", "2", ".", "1")
	for range 3_000 {
		cells := []byte(strings.Repeat(".", 64))
		for i := range 4 + r.IntN(10) {
			cells[16+8*r.IntN(5)+r.IntN(6)] = "BW"[i&1]
		}
		var rows []string
		for row := range slices.Chunk(cells, 8) {
			rows = append(rows, empties.Replace(string(row)))
		}
		p, err := g.Read(strings.Join(rows, "/") + " " + "BW"[r.IntN(2):][:1])
		if err != nil {
			t.Fatal(err)
		}
		if !p.Result().Over() {
			f(p)
		}
	}
}

// after returns the position after a move.
func after(p game.Position, m game.Move) game.Position {
	q := p.Clone()
	q.Play(m)
	return q
}

// wins reports whether the side to move can force a win within a number of plies,
// by trying all moves. It is what the rules say, and knows no more.
func wins(p game.Position, plies int) bool {
	if plies < 1 {
		return false
	}
	return slices.ContainsFunc(p.Moves(nil), func(m game.Move) bool { return winsBy(p, m, plies) })
}

// winsBy reports whether a move starts such a win.
func winsBy(p game.Position, m game.Move, plies int) bool {
	q := after(p, m)
	if r := q.Result(); r.Over() {
		winner, ok := r.Winner()
		return ok && winner == p.Turn()
	}
	if plies < 3 {
		return false
	}
	return !slices.ContainsFunc(q.Moves(nil), func(reply game.Move) bool {
		next := after(q, reply)
		if r := next.Result(); r.Over() {
			winner, ok := r.Winner()
			return !ok || winner != p.Turn()
		}
		return !wins(next, plies-2)
	})
}

// loses reports whether a move loses the game at once.
func loses(p game.Position, m game.Move) bool {
	winner, ok := after(p, m).Result().Winner()
	return ok && winner != p.Turn()
}

// TestNearWins compares danger and candidates of winInOne with trying all moves.
func TestNearWins(t *testing.T) {
	for _, name := range []string{"loa", "neighbors"} {
		g, k := find(t, name)
		dangers, won := 0, 0
		scattered(t, g, func(p game.Position) {
			danger := wins(after(p, game.Pass), 1)
			if danger {
				dangers++
			}
			if got := k.Danger(p); got != danger {
				t.Fatalf("%s: %s: danger %t, want %t", name, p, got, danger)
			}
			got := k.Candidates(p, nil)
			if wins(p, 1) {
				won++
				if len(got) != 1 || !winsBy(p, got[0], 1) {
					t.Fatalf("%s: %s: candidates %v, want one that wins", name, p, got)
				}
				return
			}
			want := p.Moves(nil)
			if danger {
				want = slices.DeleteFunc(want, func(m game.Move) bool {
					return loses(p, m) || !after(p, m).Result().Over() && wins(after(p, m), 1)
				})
			}
			if len(want) == 0 {
				want = p.Moves(nil)[:1]
				got = append(want[:0:0], got...)
				if len(got) != 1 {
					t.Fatalf("%s: %s: candidates %v, all lose: want one", name, p, got)
				}
				return
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %s: candidates %v, want %v", name, p, got, want)
			}
		})
		if dangers < 100 || won < 100 {
			t.Errorf("%s: %d dangers and %d wins, too few to say much", name, dangers, won)
		}
	}
}

// TestThreat compares threats with the danger after each move, and after a pass.
func TestThreat(t *testing.T) {
	for _, name := range []string{"loa", "neighbors"} {
		g, k := find(t, name)
		threats := 0
		scattered(t, g, func(p game.Position) {
			for _, m := range append(p.Moves(nil), game.Pass) {
				want := k.Danger(after(p, m))
				if want {
					threats++
				}
				if got := k.Threat(p, m); got != want {
					t.Fatalf("%s: %s: %s: threat %t, want %t", name, p, p.Format(m), got, want)
				}
			}
		})
		if threats < 100 {
			t.Errorf("%s: %d threats, too few to say much", name, threats)
		}
	}
}

// TestNearTactics checks that only a winning move is returned, or else the captures.
func TestNearTactics(t *testing.T) {
	for _, name := range []string{"loa", "neighbors"} {
		g, k := find(t, name)
		scattered(t, g, func(p game.Position) {
			got := k.Tactics(p, nil)
			if wins(p, 1) {
				if len(got) != 1 || !winsBy(p, got[0], 1) {
					t.Errorf("%s: %s: tactics %v, want a move that wins", name, p, got)
				}
				return
			}
			want := slices.DeleteFunc(p.Moves(nil), func(m game.Move) bool { return !k.Noisy(p, m) })
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s: tactics %v, want the captures %v", name, p, got, want)
			}
		})
	}
}

// TestWinInOneAllocatesNothing holds the evaluation and the knowledge of wins in one to
// what a hot path may do.
func TestWinInOneAllocatesNothing(t *testing.T) {
	for _, name := range []string{"loa", "neighbors"} {
		g, k := find(t, name)
		p, err := g.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		moves := make([]game.Move, 0, 128)
		sum := 0
		if n := testing.AllocsPerRun(100, func() {
			sum += k.Eval(p) + len(k.Candidates(p, moves)) + len(k.Tactics(p, moves))
			if k.Threat(p, p.Moves(moves)[0]) {
				sum++
			}
			if k.Danger(p) {
				sum++
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations, want none", name, n)
		}
		if sum > engine.Won {
			t.Errorf("%s: the start is worth %d", name, sum)
		}
	}
}
