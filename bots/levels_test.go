package bots

import (
	"context"
	"slices"
	"testing"
	"time"

	"quintet/engine"
	"quintet/game"
	"quintet/games"
)

// TestLevelNames reads names of levels.
func TestLevelNames(t *testing.T) {
	g, err := games.ByName("othello")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"level:1": "", "level:10": "",
		"level:0":  `the levels are 1 to 10`,
		"level:11": `the levels are 1 to 10`,
		"level:03": `the levels are 1 to 10`,
		"level:":   `the levels are 1 to 10`,
		"level3":   `player "level3": expected random, mcts, engine, or level:1 to level:10`,
	} {
		got := ""
		if _, err := NewPlayer(name, g, Options{Megabytes: 1}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestLadder checks that each level searches at least as much as the one below and errs
// no more, and that the last has no limit.
func TestLadder(t *testing.T) {
	for _, g := range games.All() {
		list := ProfileFor(g).levels()
		for i, l := range list[1:] {
			below := list[i]
			if l != (Level{}) && (l == below || l.Nodes < below.Nodes || l.Chance > below.Chance || l.Loss > below.Loss) {
				t.Errorf("%s: level %d is %+v, the one below %+v", g.Name, i+2, l, below)
			}
		}
		if list[Levels-1] != (Level{}) || list[0].Chance == 0 || list[0].Nodes == 0 {
			t.Errorf("%s: the first level is %+v, the last %+v", g.Name, list[0], list[Levels-1])
		}
	}
}

// TestLevelsPlay lets each level choose some moves in each game: legal ones, the
// same from the same seed.
func TestLevelsPlay(t *testing.T) {
	for _, g := range games.All() {
		for n := range Levels {
			var first []game.Move
			for range 2 {
				moves := levelMoves(t, g, n+1)
				if first != nil && !slices.Equal(first, moves) {
					t.Errorf("%s, level %d: %v, then %v from the same seed", g.Name, n+1, first, moves)
				}
				first = moves
			}
		}
	}
}

func levelMoves(t *testing.T, g game.Game, n int) []game.Move {
	t.Helper()
	p, err := newLevelPlayer(g, n, Options{Megabytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	start, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	p.NewGame(7)
	m := game.NewMatch(g, start)
	for range 4 {
		mv, err := p.Choose(context.Background(), m, engine.Limit{Nodes: 300})
		if err != nil || m.Play(mv) != nil {
			t.Fatalf("%s, level %d: %v, %v", g.Name, n, mv, err)
		}
	}
	return m.Moves()
}

// rigged is a search that finds lines of known scores: the moves in order, each
// worth ten points less than the one before.
type rigged struct{}

func (rigged) Reset() {}

func (rigged) Search(_ context.Context, p engine.Position, _ engine.Limit, _ func(engine.Line)) engine.Line {
	moves := p.Moves(nil)
	for i, m := range moves {
		if !slices.Contains(p.Skip, m) {
			return engine.Line{Score: -10 * i, Moves: []game.Move{m}}
		}
	}
	return engine.Line{}
}

// TestErrors counts errors: their number matches the probability, none exceeds the allowed
// loss, and all sizes up to it occur. The score is that of the chosen move, and of no move of
// the game before.
func TestErrors(t *testing.T) {
	g, err := games.ByName("chess")
	if err != nil {
		t.Fatal(err)
	}
	start, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &levelPlayer{searchPlayer: searchPlayer{current: rigged{}}, level: Level{Nodes: 1, Chance: 40, Loss: 30}}
	p.NewGame(1)
	m := game.NewMatch(g, start)
	counts := map[game.Move]int{}
	for range 1000 {
		mv, err := p.Choose(context.Background(), m, engine.Limit{})
		if err != nil {
			t.Fatal(err)
		}
		counts[mv]++
		if score, ok := p.Score(); !ok || score != -10*slices.Index(start.Moves(nil), mv) {
			t.Fatalf("move %d has score %d, %v", slices.Index(start.Moves(nil), mv), score, ok)
		}
	}
	p.NewGame(2)
	if score, ok := p.Score(); ok {
		t.Errorf("score %d before the first move of a game", score)
	}
	for i, mv := range start.Moves(nil) {
		n := counts[mv]
		switch {
		case i == 0 && (n < 630 || n > 770), i >= 1 && i <= 3 && (n < 70 || n > 130), i > 3 && n > 0:
			t.Errorf("the move that gives away %d points was played %d times of 1000", 10*i, n)
		}
	}
}

// TestLevelLimit takes the stricter limit of two.
func TestLevelLimit(t *testing.T) {
	l := Level{Nodes: 100}
	for _, test := range []struct{ other, want engine.Limit }{
		{engine.Limit{}, engine.Limit{Nodes: 100, Time: levelTime}},
		{engine.Limit{Depth: 2, Nodes: 50, Time: time.Second}, engine.Limit{Depth: 2, Nodes: 50, Time: time.Second}},
		{engine.Limit{Depth: 9, Nodes: 500, Time: time.Hour}, engine.Limit{Depth: 9, Nodes: 100, Time: levelTime}},
	} {
		if got := l.limit(test.other); got != test.want {
			t.Errorf("%+v: %+v, want %+v", test.other, got, test.want)
		}
	}
}
