package connect6_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"quintet/bots/connect6"
	"quintet/engine"
	"quintet/game"
	rules "quintet/games/connect6"
)

func read(t testing.TB, text string) *rules.Position {
	t.Helper()
	p, err := rules.Game.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*rules.Position)
}

// play reads a position, or plays moves in notation from an empty board of 19 by
// 19.
func play(t testing.TB, moves string) *rules.Position {
	t.Helper()
	if strings.Contains(moves, "/") {
		return read(t, moves)
	}
	p, err := rules.Start(19)
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
	return p
}

// TestForcedWins checks that forced wins are proved within a number of nodes.
func TestForcedWins(t *testing.T) {
	for _, test := range []struct {
		name, position, best string
		plies                int
		nodes                uint64
	}{
		{"fills five", "7/7/1BBBBB1/7/7/WWWW3/W6 B 1", "", 1, 1},
		{"fills four", "9/9/1BBBB4/9/9/WWW6/9/9/9 B 2", "", 2, 1},
		{"fills a gap of two", "9/9/9/9/9/9/WW2WW3/9/9 W 2", "C6", 2, 1},
		{"makes three threats from two open threes", "13/13/13/4BBB6/13/13/3B9/3B9/3B9/13/13/13/13 B 2", "", 6, 100},
		{"wins by threats over several turns", "J9 J8 K9 I7 I10 K8 I8 L8 K7 J7 F8 H8 H9 I6 J6", "", 0, 1000},
	} {
		p := play(t, test.position)
		proof, err := connect6.New(1).Prove(context.Background(), p, test.nodes)
		if err != nil || !proof.Proved || proof.Value != 1 || proof.Nodes > test.nodes {
			t.Errorf("%s: %+v, %v, want a win within %d positions", test.name, proof, err, test.nodes)
			continue
		}
		if got := p.Format(proof.Line[0]); test.best != "" && got != test.best {
			t.Errorf("%s: %s, want %s", test.name, got, test.best)
		}
		if test.plies > 0 && len(proof.Line) != test.plies {
			t.Errorf("%s: won in %d, want %d", test.name, len(proof.Line), test.plies)
		}
		checkWins(t, p, proof.Line)
	}
}

// checkWins plays a line that must win for the side to move.
func checkWins(t *testing.T, p *rules.Position, line []game.Move) {
	t.Helper()
	at := *p
	for _, m := range line {
		if !game.Legal(&at, m) {
			t.Fatalf("%s: the line cannot be played at %s", p, &at)
		}
		at.Play(m)
	}
	if at.Result() != game.Win(p.Turn()) {
		t.Errorf("%s: the line ends at %s", p, &at)
	}
}

// TestNothingForced has positions without a win by force.
func TestNothingForced(t *testing.T) {
	for _, test := range []struct {
		position      string
		value         int
		proved, moved bool
	}{
		{"19" + strings.Repeat("/19", 18) + " B 1", 0, false, false},
		{"5/5/5/5/5 W 2", 0, false, false},
		{"BW/WB W 1", 0, true, false},
		{"BBBBBB/6/6/6/6/6 W 2", -1, true, false},
		{"9/9/1BBBB4/9/BBBB5/9/B8/B8/BB7 W 2", -1, true, true},
	} {
		p := read(t, test.position)
		proof, err := connect6.New(1).Prove(context.Background(), p, 5000)
		if err != nil || proof.Value != test.value || proof.Proved != test.proved || len(proof.Line) > 0 != test.moved {
			t.Errorf("%s: %+v, %v", p, proof, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if proof, err := connect6.New(1).Prove(ctx, play(t, "J9 J8 K9 I7 I10 K8 I8 L8 K7 J7 F8 H8 H9"), 0); !proof.Proved && !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %+v, %v", proof, err)
	}
}

// TestDefends has a threat that is lost unless it is answered.
func TestDefends(t *testing.T) {
	p := read(t, "13/13/13/13/4BBBB5/13/13/13/2W10/2W10/2W10/13/13 W 2")
	s := connect6.New(1)
	line := s.Search(context.Background(), engine.Position{Position: p}, engine.Limit{Nodes: 5000}, nil)
	at := *p
	for _, m := range line.Moves[:2] {
		at.Play(m)
	}
	if proof, err := s.Prove(context.Background(), &at, 100); err != nil || proof.Value == 1 {
		t.Errorf("%s, %s lets the other side win: %v, %v", p.Format(line.Moves[0]), p.Format(line.Moves[1]), proof, err)
	}
}

// TestAnySize plays games on all sizes, and expects legal moves.
func TestAnySize(t *testing.T) {
	for size := 1; size <= 26; size++ {
		p, err := rules.Start(size)
		if err != nil {
			t.Fatal(err)
		}
		s := connect6.New(1)
		for i := 0; i < 60 && !p.Result().Over(); i++ {
			line := s.Search(context.Background(), engine.Position{Position: p}, engine.Limit{Nodes: 60}, nil)
			if !game.Legal(p, line.Best()) {
				t.Fatalf("%s: %v is no legal move", p, line.Moves)
			}
			p.Play(line.Best())
		}
	}
}

// TestLinesCanBePlayed searches random positions, and plays the lines.
func TestLinesCanBePlayed(t *testing.T) {
	r := rand.NewPCG(1, 1)
	s := connect6.New(1)
	for i := range 60 {
		p, err := rules.Start(4 + i%16)
		if err != nil {
			t.Fatal(err)
		}
		for range game.IntN(r, 60) {
			if !p.Result().Over() {
				p.Play(p.Sample(r))
			}
		}
		last := engine.Line{}
		line := s.Search(context.Background(), engine.Position{Position: p}, engine.Limit{Nodes: 500}, func(l engine.Line) { last = l })
		if p.Result().Over() {
			if line.Best() != 0 {
				t.Errorf("%s is over and has the line %v", p, line.Moves)
			}
			continue
		}
		if line.Best() == 0 || !slices.Equal(last.Moves, line.Moves) || line.Nodes > 500 {
			t.Fatalf("%s: %+v, reported last %+v", p, line, last)
		}
		at := *p
		for _, m := range line.Moves {
			if !game.Legal(&at, m) {
				t.Fatalf("%s: the line %v cannot be played", p, line.Moves)
			}
			at.Play(m)
		}
		if line.Score > engine.MaxEval && at.Result() != game.Win(p.Turn()) {
			t.Errorf("%s: a proved win ends at %s", p, &at)
		}
	}
}

// TestSecondStone asks for the second stone of a turn: it is the one that was
// chosen with the first, and it takes no search. Asked alone, it is searched.
func TestSecondStone(t *testing.T) {
	p := play(t, "J9 I8 K8")
	s := connect6.New(1)
	limit := engine.Limit{Nodes: 3000}
	line := s.Search(context.Background(), engine.Position{Position: p}, limit, nil)
	p.Play(line.Moves[0])
	next := s.Search(context.Background(), engine.Position{Position: p}, limit, nil)
	if next.Best() != line.Moves[1] || next.Nodes != 0 {
		t.Errorf("%+v, and then %+v", line, next)
	}
	alone := connect6.New(1).Search(context.Background(), engine.Position{Position: p}, limit, nil)
	if alone.Nodes < 1000 || !game.Legal(p, alone.Best()) {
		t.Errorf("the second stone alone: %+v", alone)
	}
}

func TestDeterministic(t *testing.T) {
	p := engine.Position{Position: play(t, "J9 I8 K8 L7 J8 K10 I10")}
	limit := engine.Limit{Nodes: 20_000}
	s := connect6.New(1)
	first := s.Search(context.Background(), p, limit, nil)
	s.Reset()
	for _, again := range []engine.Line{
		s.Search(context.Background(), p, limit, nil), connect6.New(1).Search(context.Background(), p, limit, nil),
	} {
		if !slices.Equal(again.Moves, first.Moves) || again.Score != first.Score || again.Nodes != first.Nodes {
			t.Errorf("%+v, and then %+v", first, again)
		}
	}
	if first.Nodes > limit.Nodes {
		t.Errorf("%d nodes, want at most %d", first.Nodes, limit.Nodes)
	}
}

// TestDepth checks that lines consist of whole turns and reach the requested depth.
func TestDepth(t *testing.T) {
	for depth := 1; depth <= 6; depth++ {
		line := connect6.New(1).Search(context.Background(), engine.Position{Position: play(t, "J9")}, engine.Limit{Depth: depth}, nil)
		if want := (depth + 1) / 2 * 2; line.Depth != want {
			t.Errorf("depth %d: %d plies, want %d", depth, line.Depth, want)
		}
	}
}

// TestLines asks for every move of a small board, and for the best of a large one.
func TestLines(t *testing.T) {
	for _, test := range []struct {
		size, lines int
		moves       string
	}{{3, 8, "A0"}, {7, 48, "D3"}, {7, 47, "D3 E4"}, {19, 70, ""}} {
		p, err := rules.Start(test.size)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range strings.Fields(test.moves) {
			m, err := p.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			p.Play(m)
		}
		seen := map[game.Move]bool{}
		for _, line := range engine.Lines(context.Background(), connect6.New(1), engine.Position{Position: p}, engine.Limit{Nodes: 100}, test.lines) {
			if !game.Legal(p, line.Best()) {
				t.Errorf("%s: %v is no legal move", p, line.Best())
			}
			seen[line.Best()] = true
		}
		if len(seen) != test.lines {
			t.Errorf("%s: %d different moves, want %d", p, len(seen), test.lines)
		}
	}
}

// TestCancel cancels a search while it runs, and one before it starts.
func TestCancel(t *testing.T) {
	p := play(t, "J9 I8 K8 L7 J8 K10 I10")
	for _, wait := range []time.Duration{0, 30 * time.Millisecond} {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(wait, cancel)
		if line := connect6.New(1).Search(ctx, engine.Position{Position: p}, engine.Limit{}, nil); !game.Legal(p, line.Best()) {
			t.Errorf("stopped after %v: %+v", wait, line)
		}
		cancel()
	}
}

// TestAllocations doubles the nodes of a search and expects no more allocations.
func TestAllocations(t *testing.T) {
	p := engine.Position{Position: play(t, "J9 I8 K8 A0 S18")}
	s := connect6.New(1)
	allocations := func(nodes uint64) float64 {
		return testing.AllocsPerRun(1, func() {
			s.Reset()
			s.Search(context.Background(), p, engine.Limit{Nodes: nodes}, nil)
		})
	}
	few, many := allocations(10_000), allocations(40_000)
	if many > few+40 { // deeper lines
		t.Errorf("%.0f allocations for 10,000 nodes, %.0f for 40,000", few, many)
	}
}
