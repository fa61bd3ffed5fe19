package review_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
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
		{"does not take the king, but still stands to win", "4k3/8/8/8/B7/8/8/4K3 w", "e1d1", []review.Mark{review.Inaccuracy}},
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
	if list, err := review.Game(t.Context(), s, chess.Game, start, []game.Move{moves[0], moves[0]}, engine.Limit{Depth: 1}, nil); !errors.Is(err, game.ErrIllegal) {
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

// TestFailingSearch checks that a failed search ends a step, those that confirm a loss included, and
// that the walk can continue with the same result.
func TestFailingSearch(t *testing.T) {
	start, moves := read(t, "4k3/8/8/3q4/4P3/8/8/4K3 w", "e1f1")
	for at := 1; ; at++ {
		s := &failing{Searcher: engine.NewAlphaBeta(engine.Knowledge{Eval: material}, 1, 1), at: at}
		w, err := review.NewWalk(chess.Game, start, moves, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		var turn []review.Move
		failed := 0
		for !w.Done() {
			if turn, err = w.Step(t.Context(), s, engine.Limit{Depth: 2}); err != nil {
				failed++
			}
			if err != nil && !errors.Is(err, errGone) {
				t.Fatalf("search %d fails: %v", at, err)
			}
		}
		if len(turn) != 1 || turn[0].Mark != review.Blunder {
			t.Errorf("search %d has failed: %+v", at, turn)
		}
		if failed == 0 {
			if at < 5 {
				t.Errorf("a review of a blunder has %d searches, want those that confirm it", at-1)
			}
			return
		}
	}
}

// TestChargedSum checks in random games of every game that the losses of one side, less those of the
// other, are the difference between the chances before and after the game: nothing that was lost
// is charged to nobody. It also checks that a review which continues after any of its moves is the
// same.
func TestChargedSum(t *testing.T) {
	for _, g := range games.All() {
		t.Run(g.Name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(2) {
				start, moves := random(t, g, seed)
				s, err := bots.Searcher(g, bots.Options{Megabytes: 1})
				if err != nil {
					t.Fatal(err)
				}
				list := walked(t, s, g, start, moves, nil)
				checkSum(t, g, start, moves, list)
				from := len(list) / 2
				for from > 0 && list[from-1].Side == list[from].Side {
					from-- // a turn is one step
				}
				if diff := cmp.Diff(list[:from], walked(t, s, g, start, moves, list[from:])); diff != "" {
					t.Errorf("continued before ply %d (-want +got):\n%s", from+1, diff)
				}
			}
		})
	}
}

// TestPlantedBlunders checks that the largest loss of games that were decided by one turn is found there,
// and is what decided the game.
func TestPlantedBlunders(t *testing.T) {
	for _, c := range []struct {
		game, moves string
		plies       []int // of the turn
	}{
		{"connect6", "C1 A1 M8 F7 G6 M9 L9 H5 E8 N9 I4 C10 D9", []int{10, 11}},
		{"connect6", "C1 A1 M8 F7 F6 L9 K8 F4 G5 L8 J8 I8 N8 J7 M10 N11 G4 H5 I6", []int{8, 9}},
		{"chess", "e2e3 a7a6 d1g4 a6a5 g4g6 h7g6", []int{5}},
	} {
		g, err := games.ByName(c.game)
		if err != nil {
			t.Fatal(err)
		}
		start, err := g.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		moves, err := game.PlayTexts(start.Clone(), strings.Fields(c.moves))
		if err != nil {
			t.Fatal(err)
		}
		s, err := bots.Searcher(g, bots.Options{Megabytes: 4})
		if err != nil {
			t.Fatal(err)
		}
		list, err := review.Game(t.Context(), s, g, start, moves, engine.Limit{Nodes: review.Nodes(g.Name)}, bots.ProfileFor(g).Exact)
		if err != nil {
			t.Fatal(err)
		}
		at, ok := review.TurningPoint(list)
		if !ok || !slices.Contains(c.plies, at+1) || list[at].Mark != review.Blunder || list[at].Why == "" {
			t.Errorf("%s: the turning point is ply %d, %+v; want %v", c.game, at+1, list[at], c.plies)
		}
	}
}

// walked reviews the moves of a game that are not known yet.
func walked(t *testing.T, s engine.Searcher, g game.Game, start game.Position, moves []game.Move, known []review.Move) (list []review.Move) {
	t.Helper()
	w, err := review.NewWalk(g, start, moves, known, bots.ProfileFor(g).Exact)
	for err == nil && !w.Done() {
		var turn []review.Move
		turn, err = w.Step(t.Context(), s, engine.Limit{Nodes: 100})
		list = append(turn, list...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// random returns a random game, or its beginning.
func random(t *testing.T, g game.Game, seed uint64) (game.Position, []game.Move) {
	t.Helper()
	start, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	m, r := game.NewMatch(g, start), rand.New(rand.NewPCG(seed, 1))
	for legal := m.Legal(); len(legal) > 0 && len(m.Moves()) < 40; legal = m.Legal() {
		if err := m.Play(legal[r.IntN(len(legal))]); err != nil {
			t.Fatal(err)
		}
	}
	return start, m.Moves()
}

// checkSum checks that the chances between moves agree, and so do their sums.
func checkSum(t *testing.T, g game.Game, start game.Position, moves []game.Move, list []review.Move) {
	t.Helper()
	if len(list) != len(moves) {
		t.Fatalf("%s: %d assessments of %d moves", g.Name, len(list), len(moves))
	}
	lead := func(side game.Side, chance float64) float64 {
		if side == game.Second {
			return 1 - chance
		}
		return chance
	}
	sum := lead(list[0].Side, list[0].Chance+list[0].ExpectedLoss)
	for i, m := range list {
		if before := lead(m.Side, m.Chance+m.ExpectedLoss); math.Abs(before-sum) > 1e-9 || m.ExpectedLoss < 0 {
			t.Errorf("%s: ply %d begins with chances of %.4f and loses %.4f, want %.4f by the moves before", g.Name, i+1, before, m.ExpectedLoss, sum)
		}
		if m.Side == game.First {
			sum -= m.ExpectedLoss
		} else {
			sum += m.ExpectedLoss
		}
	}
	m := game.NewMatch(g, start)
	for _, mv := range moves {
		if err := m.Play(mv); err != nil {
			t.Fatal(err)
		}
	}
	if winner, won := m.Outcome().Result.Winner(); won && math.Abs(sum-lead(winner, 1)) > 1e-9 {
		t.Errorf("%s: chances of %.4f less all losses, want the result of the game", g.Name, sum)
	}
}
