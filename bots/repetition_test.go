package bots_test

import (
	"context"
	"testing"

	"quintet/engine"
	"quintet/games"
)

// TestTableRepetition searches a won position of chess twice. The second time, the opponent's reply to the move
// found first would halt the game by repetition, with more pieces: an entry of the table from the first search
// must not hide that.
func TestTableRepetition(t *testing.T) {
	g, err := games.ByName("chess")
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Read("k7/8/1K6/8/3Q4/8/6pp/5nrr w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	s, at := searcherOf(t, g), engine.Position{Position: p, Repeat: g.Repeat}
	first := s.Search(context.Background(), at, engine.Limit{Depth: 8}, nil)
	after := p.Clone()
	for _, m := range first.Moves[:2] {
		after.Play(m)
	}
	at.History = []uint64{after.Key(), after.Key()}
	second := s.Search(context.Background(), at, engine.Limit{Depth: 8}, nil)
	if second.Best() == first.Best() {
		t.Errorf("%s, score %d, is played again, although the reply repeats the position", p.Format(second.Best()), second.Score)
	}
}
