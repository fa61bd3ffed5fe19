package engine

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"quintet/game"
	"quintet/games"
	"quintet/games/chess"
)

// plainKnowledge scores a position by something that any game has: a hash of
// it, so that moves differ, and the number of moves.
func plainKnowledge() Knowledge {
	return Knowledge{Eval: func(p game.Position) int {
		return int(p.Key()%64) + game.Count(p, nil) - 40
	}}
}

func start(t testing.TB, name, setup, moves string) Position {
	t.Helper()
	g, err := games.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := game.ParseSetup(setup)
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Start(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range strings.Fields(moves) {
		m, err := p.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
	}
	return Position{Position: p, Repeat: g.Repeat}
}

// minimax is the plain definition of what AlphaBeta finds.
func minimax(k Knowledge, p Position, depth, ply int, keys []uint64) int {
	if r := p.Result(); r.Over() {
		return ResultScore(r, p.Turn(), ply)
	}
	if key := p.Key(); ply > 0 && p.Repeat > 0 && (slices.Contains(keys, key) || occurrences(p.History, key) >= p.Repeat-1) {
		if k.Stopped != nil {
			return k.Stopped(p.Position)
		}
		return ResultScore(game.StoppedResult(p.Position), p.Turn(), ply)
	}
	if depth == 0 {
		return k.Eval(p.Position)
	}
	best := -Won - 1
	for _, m := range p.Moves(nil) {
		if slices.Contains(p.Skip, m) {
			continue
		}
		child := Position{Position: p.Clone(), Repeat: p.Repeat, History: p.History}
		child.Play(m)
		score := minimax(k, child, depth-1, ply+1, append(keys, p.Key()))
		if child.Turn() != p.Turn() {
			score = -score
		}
		best = max(best, score)
	}
	return best
}

func occurrences(keys []uint64, key uint64) (n int) {
	for _, k := range keys {
		if k == key {
			n++
		}
	}
	return n
}

// TestKeptTable searches a position with the table that earlier searches have left, after a game in which a
// position of the expected line occurred twice: the table must not hide that the game would end there.
func TestKeptTable(t *testing.T) {
	const depth = 4
	k, changed := plainKnowledge(), 0
	k.Tuning = Tuning{NullEval: 1} // reduces nothing
	for _, text := range []string{"7k/5p2/8/8/8/2P5/8/K7 b - - 0 1", "k7/8/8/2p5/8/3P4/8/7K w - - 0 1", "7k/8/5p2/8/8/2PN4/8/K7 w - - 0 1"} {
		p := start(t, "chess", "", "")
		var err error
		if p.Position, err = chess.Game.Read(text); err != nil {
			t.Fatal(err)
		}
		for _, sign := range []int{1, -1} { // who wants the end: the side to move at the root, or the other one
			k.Stopped = func(q game.Position) int { return sign * (1000 - 2000*int(q.Turn()^p.Turn())) }
			for plies := 1; plies < depth; plies++ {
				a, at := NewAlphaBeta(k, 1, 1), p
				line := a.Search(t.Context(), at, Limit{Depth: depth}, nil)
				after := p.Clone()
				for _, m := range line.Moves[:plies] {
					after.Play(m)
				}
				at.History = []uint64{after.Key(), 1, after.Key(), 2}
				got := a.Search(t.Context(), at, Limit{Depth: depth}, nil).Score
				want := minimax(k, at, depth, 0, nil)
				if got != want {
					t.Errorf("%s, if the position after %d plies has occurred twice: %d, want %d; %d before", text, plies, got, want, line.Score)
				}
				if want != line.Score {
					changed++
				}
			}
		}
	}
	if changed < 10 {
		t.Errorf("only %d histories change the score", changed)
	}
}

func TestAgainstMinimax(t *testing.T) {
	k := plainKnowledge()
	for _, test := range []struct {
		name, setup, moves string
		depth              int
	}{
		{"othello", "size=4", "", 6}, {"othello", "size=6", "", 4}, {"othello", "size=10 pits=c3", "", 3},
		{"neighbors", "", "", 2}, {"loa", "", "a1c3 b0b2", 2}, {"chess", "", "e2e4 d7d5", 3},
		{"connect6", "size=3", "", 4}, {"connect6", "size=6", "C2", 2},
	} {
		p := start(t, test.name, test.setup, test.moves)
		for depth := 1; depth <= test.depth; depth++ {
			a := NewAlphaBeta(k, 1, 1)
			a.full = true
			line := a.Search(context.Background(), p, Limit{Depth: depth}, nil)
			if want := minimax(k, p, depth, 0, nil); line.Score != want {
				t.Errorf("%s %s to depth %d: %d, want %d", test.name, test.setup, depth, line.Score, want)
			}
			checkLine(t, p, line)
		}
	}
}

// checkLine checks that a line can be played.
func checkLine(t *testing.T, p Position, line Line) {
	t.Helper()
	at := p.Clone()
	for _, m := range line.Moves {
		if !game.Legal(at, m) {
			t.Errorf("%s: the line %v cannot be played", p, line.Moves)
			return
		}
		at.Play(m)
	}
	if line.Best() == 0 {
		t.Errorf("%s: no move is found", p)
	}
}

// TestSolves plays small games out: the value does not depend on the
// evaluation then.
func TestSolves(t *testing.T) {
	for _, test := range []struct {
		name, setup, moves string
		want               int // of the result, for the side to move
	}{
		{"othello", "size=4", "", -1}, // known: the second player wins
		{"othello", "size=4 pits=b1,c1,a2,d2,a3,d3,b4,c4", "", 0},
		{"connect6", "size=2", "", 0},
	} {
		p := start(t, test.name, test.setup, test.moves)
		line := NewAlphaBeta(plainKnowledge(), 4, 1).Search(context.Background(), p, Limit{Depth: 30}, nil)
		sign := 0
		if line.Score > MaxEval {
			sign = 1
		} else if line.Score < -MaxEval {
			sign = -1
		}
		if sign != test.want {
			t.Errorf("%s %s: score %d, want sign %d", test.name, test.setup, line.Score, test.want)
		}
	}
}

func TestDeterministic(t *testing.T) {
	p := start(t, "chess", "", "")
	limit := Limit{Nodes: 20_000}
	a := NewAlphaBeta(plainKnowledge(), 4, 1)
	first := a.Search(context.Background(), p, limit, nil)
	a.Reset()
	again := a.Search(context.Background(), p, limit, nil)
	other := NewAlphaBeta(plainKnowledge(), 4, 1).Search(context.Background(), p, limit, nil)
	for _, line := range []Line{again, other} {
		if !slices.Equal(line.Moves, first.Moves) || line.Score != first.Score || line.Nodes != first.Nodes {
			t.Errorf("%+v, and then %+v", first, line)
		}
	}
	if first.Nodes > limit.Nodes {
		t.Errorf("%d nodes, want at most %d", first.Nodes, limit.Nodes)
	}
}

// TestCancel cancels a search while it runs, and one before it starts.
func TestCancel(t *testing.T) {
	p := start(t, "loa", "", "")
	for _, s := range []Searcher{NewAlphaBeta(plainKnowledge(), 4, 2), NewMCTS(1)} {
		for _, wait := range []time.Duration{0, 30 * time.Millisecond} {
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(wait, cancel)
			checkLine(t, p, s.Search(ctx, p, Limit{}, nil))
			cancel()
		}
	}
}

// TestCancelElsewhere searches one position, and is stopped at once at another: the
// move is one of the second.
func TestCancelElsewhere(t *testing.T) {
	a := NewAlphaBeta(plainKnowledge(), 1, 1)
	a.Search(context.Background(), start(t, "chess", "", ""), Limit{Depth: 3}, nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, moves := range []string{"e2e4", "e2e4 e7e5 f1c4"} {
		p := start(t, "chess", "", moves)
		checkLine(t, p, a.Search(ctx, p, Limit{Nodes: 1}, nil))
	}
}

// TestReports checks that reported lines get deeper and that the last is the result.
func TestReports(t *testing.T) {
	p := start(t, "othello", "", "")
	for _, s := range []Searcher{NewAlphaBeta(plainKnowledge(), 4, 1), NewMCTS(1)} {
		var last Line
		line := s.Search(context.Background(), p, Limit{Nodes: 5_000}, func(l Line) {
			if l.Nodes < last.Nodes || l.Depth < last.Depth {
				t.Errorf("%+v is reported after %+v", l, last)
			}
			last = l
		})
		if last.Nodes == 0 || !slices.Equal(last.Moves, line.Moves) {
			t.Errorf("%+v is reported last, %+v returned", last, line)
		}
	}
}

// TestOver searches finished games.
func TestOver(t *testing.T) {
	p := start(t, "connect6", "size=1", "A0")
	for _, s := range []Searcher{NewAlphaBeta(plainKnowledge(), 1, 1), NewMCTS(1)} {
		if line := s.Search(context.Background(), p, Limit{Depth: 3}, nil); line.Best() != 0 || line.Score != 0 {
			t.Errorf("a line of a finished game: %+v", line)
		}
	}
}

// TestAllocations checks that a search of twice the nodes allocates no more.
func TestAllocations(t *testing.T) {
	p := start(t, "chess", "", "")
	k := Knowledge{Eval: func(p game.Position) int { return int(p.Key() % 100) }}
	a := NewAlphaBeta(k, 4, 1)
	a.Search(context.Background(), p, Limit{Nodes: 1_000}, nil)
	allocations := func(nodes uint64) float64 {
		return testing.AllocsPerRun(1, func() {
			a.table.Clear()
			a.Search(context.Background(), p, Limit{Nodes: nodes}, nil)
		})
	}
	few, many := allocations(20_000), allocations(80_000)
	if many > few+40 { // a deeper line, and what the timers of the run need
		t.Errorf("%.0f allocations for 20,000 nodes, %.0f for 80,000", few, many)
	}
}

// TestThreads lets threads share the table.
func TestThreads(t *testing.T) {
	p := start(t, "othello", "size=4", "")
	a := NewAlphaBeta(plainKnowledge(), 1, 4)
	for range 3 {
		if line := a.Search(context.Background(), p, Limit{Depth: 30}, nil); line.Score >= -MaxEval {
			t.Errorf("four threads find %+v, want a loss", line)
		}
	}
}

// TestLines checks that every move occurs once, the best first, with the value that
// minimax gives it.
func TestLines(t *testing.T) {
	p := start(t, "othello", "size=4", "c1")
	a := NewAlphaBeta(plainKnowledge(), 1, 1)
	a.full = true
	lines := Lines(context.Background(), a, p, Limit{Depth: 4}, 99)
	if len(lines) != len(p.Moves(nil)) {
		t.Fatalf("%d lines, want one for each of %d moves", len(lines), len(p.Moves(nil)))
	}
	seen := map[game.Move]bool{}
	for i, line := range lines {
		child := Position{Position: p.Clone()}
		child.Play(line.Best())
		if want := -minimax(plainKnowledge(), child, 3, 1, nil); line.Score != want || seen[line.Best()] {
			t.Errorf("%s: %d, want %d, once", p.Format(line.Best()), line.Score, want)
		}
		if seen[line.Best()] = true; i > 0 && line.Score > lines[i-1].Score {
			t.Errorf("line %d is better than the one before it", i)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := Lines(ctx, a, p, Limit{}, 3); len(got) != 1 {
		t.Errorf("cancelled: %d lines, want one", len(got))
	}
}

// TestSkipBeyondCandidates skips all candidates: another legal move is found.
func TestSkipBeyondCandidates(t *testing.T) {
	k := plainKnowledge()
	k.Candidates = func(p game.Position, buf []game.Move) []game.Move { return append(buf, p.Moves(nil)[0]) }
	p := start(t, "chess", "", "")
	lines := Lines(context.Background(), NewAlphaBeta(k, 1, 1), p, Limit{Depth: 2}, 20)
	if len(lines) != 20 {
		t.Errorf("%d lines, want 20", len(lines))
	}
}
