package connect6_test

import (
	"context"
	"testing"

	"quintet/bots/connect6"
	"quintet/engine"
	"quintet/game"
	rules "quintet/games/connect6"
)

// TestSkippedWin is not to begin with the stone that wins: then the second does.
func TestSkippedWin(t *testing.T) {
	for _, position := range []string{
		"9/9/1BBBBB3/9/9/WWWW5/W8/9/9 B 2",
		"9/9/BBBBB4/9/9/WWWW5/W8/9/9 B 2", // one cell alone wins
	} {
		testSkippedWin(t, position)
	}
}

func testSkippedWin(t *testing.T, position string) {
	t.Helper()
	p, err := rules.Game.Read(position)
	if err != nil {
		t.Fatal(err)
	}
	at := engine.Position{Position: p}
	s := connect6.New(1)
	for range len(p.Moves(nil)) {
		line := s.Search(context.Background(), at, engine.Limit{Nodes: 1}, nil)
		next := p.Clone()
		for _, m := range line.Moves {
			if !game.Legal(next, m) {
				t.Fatalf("with %d moves to skip: %v cannot be played", len(at.Skip), line.Moves)
			}
			next.Play(m)
		}
		if winner, ok := next.Result().Winner(); line.Score <= engine.MaxEval || !ok || winner != p.Turn() {
			t.Fatalf("with %d moves to skip: %+v", len(at.Skip), line)
		}
		at.Skip = append(at.Skip, line.Best())
	}
}
