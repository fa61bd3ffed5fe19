package review_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"quintet/engine"
	"quintet/game"
	"quintet/games/chess"
	"quintet/review"
)

// material is an evaluation that counts men, by the letters of the text.
func material(p game.Position) int {
	board, _, _ := strings.Cut(p.String(), " ")
	v := 0
	for letter, worth := range map[string]int{"q": 900, "r": 500, "b": 300, "n": 300, "p": 100} {
		v += worth * (strings.Count(board, strings.ToUpper(letter)) - strings.Count(board, letter))
	}
	if p.Turn() == game.Second {
		return -v
	}
	return v
}

func read(t *testing.T, text, moves string) (game.Position, []game.Move) {
	t.Helper()
	start, err := chess.Game.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	at, list := start.Clone(), []game.Move(nil)
	for _, word := range strings.Fields(moves) {
		m, err := at.Parse(word)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
		at.Play(m)
	}
	return start, list
}

// TestGame has games with one move that is bad, or none.
func TestGame(t *testing.T) {
	for _, test := range []struct {
		name, position, moves string
		marks                 []review.Mark
	}{
		{"takes the queen", "4k3/8/8/3q4/4P3/8/8/4K3 w", "e4d5 e8e7", []review.Mark{review.Good, review.Good}},
		{"leaves the queen where it is", "4k3/8/8/3q4/4P3/8/8/4K3 w", "e1f1 d5e4", []review.Mark{review.Blunder, review.Good}},
		{"does not take the king, but still stands to win", "4k3/8/8/8/B7/8/8/4K3 w", "e1d1", []review.Mark{review.Mistake}},
		{"takes the king, which ends the game", "4k3/8/8/8/8/8/4R3/4K3 w", "e2e8", []review.Mark{review.Good}},
		{"no moves", "4k3/8/8/8/8/8/4R3/4K3 w", "", nil},
	} {
		start, moves := read(t, test.position, test.moves)
		s := engine.NewAlphaBeta(engine.Knowledge{Eval: material}, 1, 1)
		list, err := review.Game(context.Background(), s, chess.Game, start, moves, engine.Limit{Depth: 3}, nil)
		if err != nil || len(list) != len(test.marks) {
			t.Fatalf("%s: %+v, %v", test.name, list, err)
		}
		for i, m := range list {
			if m.Mark != test.marks[i] || m.Loss < 0 || m.Played != moves[i] || (m.Mark != review.Good) != (m.ExpectedLoss >= 0.05) {
				t.Errorf("%s: move %d is %+v, want the mark %q", test.name, i+1, m, test.marks[i])
			}
		}
	}
}

// TestErrors has a move that is not legal, and a context that has ended.
func TestErrors(t *testing.T) {
	start, moves := read(t, "4k3/8/8/3q4/4P3/8/8/4K3 w", "e4d5 e8e7")
	s := engine.NewAlphaBeta(engine.Knowledge{Eval: material}, 1, 1)
	list, err := review.Game(context.Background(), s, chess.Game, start, []game.Move{moves[0], moves[0]}, engine.Limit{Depth: 1}, nil)
	if !errors.Is(err, game.ErrIllegal) || len(list) != 1 {
		t.Errorf("a move that is not legal: %+v, %v", list, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := review.Game(ctx, s, chess.Game, start, moves, engine.Limit{Depth: 1}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestExact checks that exact scores and finished games leave no doubt about the result.
func TestExact(t *testing.T) {
	always := func(game.Position, engine.Line) bool { return true }
	for _, test := range []struct {
		name, position, moves string
		exact                 review.Exact
		loss, chance          float64
	}{
		{"a smaller win", "4k3/8/8/3q4/4P3/8/8/QQ2K3 w", "e1f1", always, 0, 1},
		{"a win thrown away", "4k3/8/8/3q4/4P3/8/8/4K3 w", "e1f1", always, 1, 0},
		{"a loss in any case", "4k3/q7/8/3q4/4P3/8/8/4K3 w", "e4d5", always, 0, 0},
		{"the end of the game", "4k3/8/8/8/8/8/4R3/4K3 w", "e2e8", nil, 0, 1},
	} {
		start, moves := read(t, test.position, test.moves)
		s := engine.NewAlphaBeta(engine.Knowledge{Eval: material}, 1, 1)
		list, err := review.Game(t.Context(), s, chess.Game, start, moves, engine.Limit{Depth: 1}, test.exact)
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %d moves, %v", test.name, len(list), err)
		}
		if m := list[0]; m.ExpectedLoss != test.loss || m.Chance != test.chance {
			t.Errorf("%s: loss %.2f and chance %.2f, want %.2f and %.2f", test.name, m.ExpectedLoss, m.Chance, test.loss, test.chance)
		}
	}
}

// TestSwingingScores reviews quiet moves by an evaluation that favours the side to move, so
// that scores swing between odd and even depths: only the lost queen is a blunder.
func TestSwingingScores(t *testing.T) {
	start, moves := read(t, "4k3/p6p/8/3q4/8/8/P6P/3QK3 w", "e1f2 d5d1 f2e3 e8f7 e3f4 d1g1")
	swings := func(p game.Position) int { return material(p) + 300 }
	for depth := 1; depth <= 4; depth++ {
		s := engine.NewAlphaBeta(engine.Knowledge{Eval: swings}, 1, 1)
		list, err := review.Game(t.Context(), s, chess.Game, start, moves, engine.Limit{Depth: depth}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range list {
			if blunder := i == 0; (m.Mark == review.Blunder) != blunder || !blunder && m.Mark != review.Good {
				t.Errorf("depth %d: move %d is %+v", depth, i+1, m)
			}
			if m.After > m.Value || m.Loss != m.Value-m.After {
				t.Errorf("depth %d: move %d loses %d from %d to %d", depth, i+1, m.Loss, m.Value, m.After)
			}
		}
	}
}

// failing is a search that fails at one of its searches. It implements engine.Remote.
type failing struct {
	engine.Searcher
	at, n int
}

var errGone = errors.New("the process is gone")

func (f *failing) Search(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) engine.Line {
	if f.n++; f.n == f.at {
		return engine.Line{}
	}
	return f.Searcher.Search(ctx, p, l, report)
}

func (f *failing) Err() error {
	if f.n == f.at {
		return errGone
	}
	return nil
}

func (*failing) Release() {}

func (*failing) Elsewhere() bool { return false }

var _ engine.Remote = (*failing)(nil)

// TestFailingSearch checks that a failed search ends a review, the searches that confirm a
// loss included, and that the walk can continue.
func TestFailingSearch(t *testing.T) {
	start, moves := read(t, "4k3/8/8/3q4/4P3/8/8/4K3 w", "e1f1")
	for at := 1; at <= 4; at++ {
		s := &failing{Searcher: engine.NewAlphaBeta(engine.Knowledge{Eval: material}, 1, 1), at: at}
		w := review.NewWalk(chess.Game, start, moves, 0, nil)
		var err error
		for err == nil && !w.Done() {
			_, _, err = w.Step(t.Context(), s, engine.Limit{Depth: 2})
		}
		if !errors.Is(err, errGone) {
			t.Errorf("search %d fails: %v", at, err)
		}
		m, ok, err := w.Step(t.Context(), s, engine.Limit{Depth: 2})
		if at == 1 {
			m, ok, err = w.Step(t.Context(), s, engine.Limit{Depth: 2})
		}
		if err != nil || !ok || m.Mark != review.Blunder || !w.Done() {
			t.Errorf("search %d has failed: %+v, %v", at, m, err)
		}
	}
}
