package bots

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"quintet/engine/nnue"
	"quintet/game"
	"quintet/games/chess"
)

// randomChess calls f with positions of random games that are not over.
func randomChess(t testing.TB, games int, f func(p *chess.Position)) {
	t.Helper()
	r := rand.NewPCG(5, 5)
	for range games {
		p := chess.Start()
		for ply := 0; ply < 150 && !p.Result().Over(); ply++ {
			f(p)
			p.Play(p.Sample(r))
		}
	}
}

// TestGain compares the exchanges with captures played out on the board.
func TestGain(t *testing.T) {
	var buf []game.Move
	randomChess(t, 60, func(p *chess.Position) {
		buf = p.Moves(buf[:0])
		for _, m := range buf {
			from, ok := m.From()
			if !ok || p.At(m.To()).Kind == chess.King || p.At(from).Kind == chess.King {
				continue
			}
			got, want := gainChess(p, m), playedOut(*p, m)
			if least := chessValue(p.At(m.To())) - chessValue(p.At(from)); least >= 0 {
				if want < least {
					t.Errorf("%s %s: %d, less than %d", p, p.Format(m), want, least)
				}
				want = least
			}
			if got != want {
				t.Errorf("%s %s: %d, want %d", p, p.Format(m), got, want)
			}
		}
	})
}

// playedOut plays a move, and then what is best of capturing on its cell by the
// cheapest man and of leaving it.
func playedOut(p chess.Position, m game.Move) int {
	won := chessValue(p.At(m.To()))
	p.Play(m)
	reply, cheapest := game.Move(0), 1<<30
	for _, n := range p.Moves(nil) {
		if from, ok := n.From(); ok && n.To() == m.To() && chessValue(p.At(from)) < cheapest {
			reply, cheapest = n, chessValue(p.At(from))
		}
	}
	if reply == 0 {
		return won
	}
	return won - max(0, playedOut(p, reply))
}

// TestChessEvalIsFair turns board and colours around: nothing changes for the
// side to move. Nor does it from left to right.
func TestChessEvalIsFair(t *testing.T) {
	net := ChessEvaluation().network()
	eval := evalChess(net.Linear, net)
	randomChess(t, 60, func(p *chess.Position) {
		rows := strings.Split(strings.Fields(p.String())[0], "/")
		turned, mirrored := make([]string, 8), make([]string, 8)
		for i, row := range rows {
			turned[7-i] = swapCase(row)
			mirrored[i] = reversed(row)
		}
		turn := map[game.Side]string{game.First: "w", game.Second: "b"}
		for _, text := range []string{
			strings.Join(turned, "/") + " " + turn[p.Turn().Other()], strings.Join(mirrored, "/") + " " + turn[p.Turn()],
		} {
			q, err := chess.Game.Read(text)
			if err != nil {
				t.Fatal(err)
			}
			if a, b := eval(p), eval(q); a != b {
				t.Errorf("%s is worth %d, %s %d", p, a, q, b)
			}
		}
	})
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if l := strings.ToLower(string(r)); l != string(r) {
			return rune(l[0])
		}
		return rune(strings.ToUpper(string(r))[0])
	}, s)
}

func reversed(s string) string {
	b := []byte(s)
	for i := range len(b) / 2 {
		b[i], b[len(b)-1-i] = b[len(b)-1-i], b[i]
	}
	return string(b)
}

func TestPackWeight(t *testing.T) {
	for _, w := range [][2]int{{0, 0}, {1, -1}, {-1, 1}, {-500, -700}, {980, -1}, {-1, -1}} {
		sum := packWeight(w[0], w[1])*3 - packWeight(5, -7)
		if m, e := unpackWeight(sum); m != 3*w[0]-5 || e != 3*w[1]+7 {
			t.Errorf("three times %v less 5 and -7 is %d, %d", w, m, e)
		}
	}
}

// TestPlaces checks that every cell has its own index, up to mirror symmetry, from the
// last row to the home row.
func TestPlaces(t *testing.T) {
	for cell := range 64 {
		white, black := place(cell, game.First), place(cell^56, game.Second)
		if white != black || white != place(cell^7, game.First) || white/4 != cell/8 {
			t.Errorf("cell %d has the places %d and %d", cell, white, black)
		}
	}
	if ahead := aheadOf(27, game.First) ^ aheadOf(27, game.Second); bits.OnesCount64(ahead) != 56 || ahead>>27&1 != 0 {
		t.Errorf("ahead of cell 27 are %x", ahead)
	}
}

// TestChessAllocations checks that no function of Knowledge allocates.
func TestChessAllocations(t *testing.T) {
	net := ChessEvaluation().network()
	p, k := game.Position(chess.Start()), chessKnowledge(net.Linear, net)
	buf := make([]game.Move, 0, 64)
	if n := testing.AllocsPerRun(100, func() {
		k.Eval(p)
		buf = k.Tactics(p, k.Candidates(p, buf[:0]))
		for _, m := range buf {
			_ = k.Gain(p, m) + k.Order(p, m)
			_ = k.Noisy(p, m)
		}
		_ = k.Danger(p) || k.Null(p) || k.Stopped(p) > 0
	}); n != 0 {
		t.Errorf("%.0f allocations", n)
	}
}

// TestPawnCache evaluates positions with a cache of pawn structures and without, twice.
func TestPawnCache(t *testing.T) {
	cache := new(pawnCache)
	var weights chessTable
	for i := range weights {
		weights[i] = packWeight(3*i, -7*i)
	}
	for range 2 {
		randomChess(t, 10, func(p *chess.Position) {
			cached, plain := chessEval{weights: &weights, cache: cache}, chessEval{weights: &weights}
			if got, want := cached.linear(p), plain.linear(p); got != want {
				t.Fatalf("%s: %d with the cache, %d without", p, got, want)
			}
		})
	}
}

// TestChessTrace checks that the counts for training add up to the linear evaluation.
func TestChessTrace(t *testing.T) {
	weights := ChessEvaluation().network().Linear
	var in nnue.Input
	randomChess(t, 60, func(p *chess.Position) {
		e := chessEval{weights: tableChess(weights)}
		want, got := e.linear(p), 0.0
		ahead := p.Turn()
		if want < 0 {
			ahead = ahead.Other()
		}
		TraceChess(p, ahead, &in)
		for _, term := range in.Terms {
			got += float64(term.Count) * float64(weights[term.Feature])
		}
		if d := got - float64(want); d < -2 || d > 2 {
			t.Errorf("%s: %.1f by the trace, %d by the evaluation", p, got, want)
		}
	})
}
