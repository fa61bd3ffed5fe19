package engine

import (
	"testing"
	"time"

	"quintet/game"
	"quintet/games/chess"
)

// TestConfidenceFactor lengthens a search whose score falls or whose nodes went to other moves, and
// shortens one that is sure of its move.
func TestConfidenceFactor(t *testing.T) {
	for _, test := range []struct {
		s         confidence
		low, high float64
	}{
		{confidence{stable: 2, effort: usualEffort}, 0.999, 1.001},
		{confidence{stable: 0, effort: usualEffort}, 1.399, 1.401},
		{confidence{stable: 2, effort: 1}, 0.599, 0.601},
		{confidence{stable: 2, effort: 0}, 1.499, 1.501},
		{confidence{stable: 2, effort: usualEffort, fall: 60}, 1.399, 1.401},
		{confidence{stable: 2, effort: usualEffort, fall: 9_000}, 1.599, 1.601},
		{confidence{stable: 2, effort: usualEffort, fall: -9_000}, 0.849, 0.851},
	} {
		if got := test.s.factor(); got < test.low || got > test.high {
			t.Errorf("%+v: %.3f, want %.3f to %.3f", test.s, got, test.low, test.high)
		}
	}
}

// sure is a Tree with an effort.
type sure struct{ scripted }

func (*sure) effort() float64 { return 0.25 }

// TestConfidenceNote follows the best move, and the effort and the score of a tree that has an
// effort, from line to line.
func TestConfidenceNote(t *testing.T) {
	s := confidence{effort: usualEffort}
	for i, test := range []struct {
		last, line Line
		want       confidence
	}{
		{Line{Moves: []game.Move{1}}, Line{Moves: []game.Move{1}, Depth: 1, Score: -50}, confidence{1, 0, 0.25}},
		{Line{Moves: []game.Move{1}, Depth: 1, Score: -50}, Line{Moves: []game.Move{1}, Depth: 2, Score: -80}, confidence{2, 30, 0.25}},
		{Line{Moves: []game.Move{1}, Depth: 2, Score: -80}, Line{Moves: []game.Move{2}, Depth: 3, Score: -70}, confidence{0, -10, 0.25}},
	} {
		if s.note(&sure{}, test.last, test.line); s != test.want {
			t.Errorf("iteration %d: %+v, want %+v", i+1, s, test.want)
		}
	}
	plain := confidence{effort: usualEffort}
	plain.note(&scripted{}, Line{Depth: 1, Score: 90}, Line{Depth: 2})
	if want := (confidence{1, 0, usualEffort}); plain != want {
		t.Errorf("a tree without an effort: %+v, want %+v", plain, want)
	}
}

// TestForced searches for one iteration if there is one move to play, but only on a clock.
func TestForced(t *testing.T) {
	g := chess.Game
	p, err := g.Read("k7/8/8/8/8/8/r7/7K w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	know := Knowledge{Eval: func(game.Position) int { return 0 }, Candidates: func(p game.Position, buf []game.Move) []game.Move {
		return append(buf, p.Moves(nil)[0])
	}}
	s := NewAlphaBeta(know, 1, 1)
	clock := Limit{Clock: Clock{Left: time.Minute}, NodesTime: 1_000, Depth: 5}
	if line := s.Search(t.Context(), Position{Position: p}, clock, nil); line.Depth != 1 {
		t.Errorf("depth %d on a clock, want 1", line.Depth)
	}
	if line := s.Search(t.Context(), Position{Position: p}, Limit{Depth: 5}, nil); line.Depth != 5 {
		t.Errorf("depth %d without a clock, want 5", line.Depth)
	}
}

// TestEffort counts the nodes below the best move.
func TestEffort(t *testing.T) {
	p, err := chess.Game.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := NewAlphaBeta(Knowledge{Eval: func(p game.Position) int { return int(p.Key() % 100) }}, 1, 1)
	s.Search(t.Context(), Position{Position: p}, Limit{Depth: 4}, nil)
	if got := s.workers[0].effort(); got <= 0 || got >= 1 {
		t.Errorf("%.3f of the nodes, want more than none and less than all", got)
	}
}
