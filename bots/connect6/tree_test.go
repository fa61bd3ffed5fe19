package connect6

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"quintet/engine"
	"quintet/game"
	rules "quintet/games/connect6"
	"quintet/lab/enginetest"
)

func readBoard(t testing.TB, text string) *rules.Position {
	t.Helper()
	p, err := rules.Game.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*rules.Position)
}

// TestOwnSixComesFirst has a win by threats for Black that White does not have
// to answer, because it completes six itself.
func TestOwnSixComesFirst(t *testing.T) {
	const white = "13/13/13/4BBB6/13/13/3B9/3B9/3B9/13/13/13/"
	for _, test := range []struct {
		name, last string
		left, want int
	}{
		{"White has three", "5WWW5", 2, 1},
		{"White has four, and Black must stop them first", "5WWWW4", 2, -1},
		{"White has five, which the other stone can stop", "3BWWWWW4", 2, 1},
		{"White has four that are closed", "4BWWWWB3", 2, 1},
		{"one stone, White has three", "5WWW5", 1, 1},
		{"one stone, White has four", "3BWWWW5", 1, -1},
	} {
		p := readBoard(t, fmt.Sprintf("%s%s B %d", white, test.last, test.left))
		var b board
		b.reset(p)
		th := newThreats(&b, make(threatTable, 1<<10))
		if got := th.find(game.First, test.left, 1, 5000); got != test.want {
			t.Errorf("%s: a win in %d turns of threats, want %d", test.name, got, test.want)
		}
	}
}

// TestSixAgainstThreats completes six where the other side threatens to, in the
// tree as well as at the root.
func TestSixAgainstThreats(t *testing.T) {
	p := readBoard(t, "13/13/2BBBB7/13/13/13/13/2WWWW7/13/13/13/13/13 W 2")
	s := New(1)
	line := s.Search(t.Context(), engine.Position{Position: p}, engine.Limit{Nodes: 2000}, nil)
	if line.Score != engine.Won-2 {
		t.Errorf("White fills four: score %d, want %d", line.Score, engine.Won-2)
	}
	s.tree.begin(p, 2000, func(uint64) bool { return false })
	for _, depth := range []int{1, 0, -1} {
		if got := s.tree.node(game.Second, 1, depth, -engine.Won, engine.Won); got != engine.Won-s.tree.placed(1)-2 {
			t.Errorf("one turn below the root, to depth %d: %d, want %d", depth, got, engine.Won-s.tree.placed(1)-2)
		}
	}
}

// TestLostToThreats scores a node at which more threats stand than a turn can stop: the
// other side wins with its next turn.
func TestLostToThreats(t *testing.T) {
	s := New(1)
	s.tree.begin(readBoard(t, "WBBBB8/13/13/13/WBBBB8/13/13/13/13/8BBBBW/13/13/13 W 2"), 2000, func(uint64) bool { return false })
	for _, depth := range []int{1, 0, -1} {
		if got, want := s.tree.node(game.Second, 1, depth, -engine.Won, engine.Won), s.tree.placed(2)+2-engine.Won; got != want {
			t.Errorf("to depth %d: %d, want %d", depth, got, want)
		}
	}
}

// TestUnlistedTurns searches a turn that lets an open four stand. That it loses proves a loss only
// if there is no other turn.
func TestUnlistedTurns(t *testing.T) {
	tr := &New(1).tree
	for _, all := range []bool{false, true} {
		tr.begin(readBoard(t, "13/13/13/13/4BBBB5/13/13/13/13/13/13/13/13 W 2"), 0, func(uint64) bool { return false })
		tr.root.n, tr.all = 0, all
		tr.root.add(pair{0, 1}, 0, maxPairs)
		best, _ := tr.searchTurns(game.Second, 0, 2, -engine.Won, engine.Won, pair{none, none})
		if lost := best < -engine.MaxEval; lost != all {
			t.Errorf("every turn listed: %t, and the score is %d", all, best)
		}
	}
}

// TestAnswers counts the stones that stop what the other side threatens, and
// expects the search to place them.
func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		name, position string
		stones         int
	}{
		{"nothing", "13/13/13/13/4BBB6/13/13/13/13/13/13/13/13 W 2", 0},
		{"closed four", "13/13/13/13/3WBBBB5/13/13/13/13/13/13/13/13 W 2", 1},
		{"open four", "13/13/13/13/4BBBB5/13/13/13/13/13/13/13/13 W 2", 2},
		{"two fours", "13/13/13/13/WBBBB8/13/13/13/13/8BBBBW/13/13/13 W 2", 2},
		{"three fours", "WBBBB8/13/13/13/WBBBB8/13/13/13/13/8BBBBW/13/13/13 W 2", 3},
	} {
		p := readBoard(t, test.position)
		var b board
		var a answers
		b.reset(p)
		if b.answer(game.First, &a); a.stones != test.stones {
			t.Errorf("%s: %d stones, want %d", test.name, a.stones, test.stones)
		}
		line := New(1).Search(t.Context(), engine.Position{Position: p}, engine.Limit{Nodes: 1500}, nil)
		after := *p
		for _, m := range line.Moves[:min(2, len(line.Moves))] {
			after.Play(m)
		}
		if lost := line.Score < -engine.MaxEval; lost != (test.stones == 3) {
			t.Errorf("%s: score %d", test.name, line.Score)
		}
		if after.Turn() == game.First && winsNow(&after, game.First) != (test.stones == 3) {
			t.Errorf("%s: after %v Black wins at once: %t", test.name, line.Moves[:2], test.stones < 3)
		}
	}
}

// TestDefend takes random positions in which the other side would win by threats after a
// pass. The search must see that, and play a turn that stops the win if it lists one.
func TestDefend(t *testing.T) {
	r := rand.NewPCG(4, 4)
	s, judge := New(1), New(1)
	tr := &s.tree
	threatened, defended := 0, 0
	for i := range 160 {
		p := cluster(t, r, 9+i%4, 9+game.IntN(r, 14))
		side := p.Turn()
		tr.begin(p, 0, func(uint64) bool { return false })
		if tr.board.hot != [2]int32{} || tr.find(side, 2, 8, 3000) >= 0 || tr.find(side^1, 2, innerThreats, 50) < 1 {
			continue
		}
		threatened++
		if !tr.defend(side, 0, &tr.scratch[0]) {
			t.Fatalf("%s: the win of the other side is not seen", p)
		}
		if !stops(tr, side) {
			continue
		}
		defended++
		line := s.Search(t.Context(), engine.Position{Position: p}, engine.Limit{Nodes: 6000}, nil)
		after := *p
		for _, m := range line.Moves[:2] {
			after.Play(m)
		}
		if proof, err := judge.Prove(t.Context(), &after, 100); err != nil || proof.Value == 1 {
			t.Errorf("%s: %v leaves a win: %+v, %v", p, line.Moves[:2], proof, err)
		}
	}
	if threatened < 20 || defended < 10 {
		t.Errorf("only %d positions with a win to stop, %d of which can be", threatened, defended)
	}
	tr.begin(readBoard(t, "13/13/13/13/13/6B6/13/13/13/13/13/13/13 W 2"), 0, func(uint64) bool { return false })
	if tr.defend(game.Second, 0, &tr.scratch[0]) {
		t.Error("there is nothing to defend against")
	}
}

// TestCounterThreats has positions in which the other side would win by threats, and turns
// against that which stop nothing, but make a threat of their own.
func TestCounterThreats(t *testing.T) {
	for _, test := range []struct{ moves, turn string }{
		{"J9 J10 H10 K9 H8 G9 I9 K10 J8 F8 E7 D6 J12", "E9 F9"},       // one stone makes the threat
		{"J9 L10 I10 M11 I8 K10 H9 J10 K12 J11 H11 M8 H8", "I11 G11"}, // two on a line
		{"J9 I10 J11 J7 G12 L7 L9 I12 H9", "L10 L11"},                 // on different lines
	} {
		p := played(t, test.moves)
		tr := &New(1).tree
		tr.begin(p, 0, func(uint64) bool { return false })
		if !tr.defend(p.Turn(), 1, &tr.scratch[1]) {
			t.Fatalf("%s: no win of the other side is seen", test.moves)
		}
		var want pair
		for i, text := range strings.Fields(test.turn) {
			m, err := p.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if want.second = cell(m.To()); i == 0 {
				want.first = want.second
			}
		}
		if !tr.scratch[1].moves.has(want) {
			t.Errorf("%s: %s is not listed", test.moves, test.turn)
		}
	}
}

// stops reports whether one of the turns that are listed at the root leaves the
// other side without a win by threats.
func stops(tr *tree, side game.Side) bool {
	moves := tr.scratch[0].moves
	for _, turn := range moves.list[:moves.n] {
		tr.board.play(side, turn)
		won := tr.find(side^1, 2, 8, 2000) >= 0
		tr.board.undo(side, turn)
		if !won {
			return true
		}
	}
	return false
}

// TestPairRoom keeps the best pairs, in order, and of equals those that came first.
func TestPairRoom(t *testing.T) {
	var r pairList
	for i, v := range []int32{5, 9, 1, 5, 7, 9, 0, 6} {
		r.add(pair{cell(i), none}, v, 5)
	}
	want := []cell{1, 5, 4, 7, 0}
	for i, c := range want {
		if r.n != len(want) || r.list[i].first != c {
			t.Fatalf("%v of %d, want the firsts %v", r.list[:r.n], r.n, want)
		}
	}
	if !r.has(pair{none, 1}) || r.has(pair{2, none}) {
		t.Error("it does not know what it has")
	}
}

// TestTable stores entries and finds them again, at another distance from the root.
func TestTable(t *testing.T) {
	table := engine.NewTable(1)
	for i, f := range []ttEntry{
		{pair{0, maxCells - 1}, -engine.MaxEval, 39, engine.LowerBound},
		{pair{maxCells - 1, none}, engine.MaxEval, 0, engine.UpperBound},
		{pair{}, 7, 1, engine.Exact},
	} {
		store(table, uint64(i), f, 5)
		if got := lookUp(table, uint64(i), 9); got != f {
			t.Errorf("%+v, want %+v", got, f)
		}
	}
	store(table, 8, ttEntry{score: engine.Won - 12, bound: engine.Exact}, 4)
	if got := lookUp(table, 8, 6); got.score != engine.Won-14 {
		t.Errorf("a win 8 stones away is found 6 stones from the root as %d, want %d", got.score, engine.Won-14)
	}
	if got := lookUp(table, 9, 0); got != (ttEntry{}) {
		t.Errorf("a position that nothing is known of: %+v", got)
	}
}

// TestFingerprint searches boards of all sizes, with and without threats.
func TestFingerprint(t *testing.T) {
	s := New(1)
	g := rules.Game
	cases := enginetest.AfterRandomMoves(t, g, nil, engine.Limit{Depth: 4}, 0, 1, 6, 15)
	cases = append(cases, enginetest.AfterRandomMoves(t, g, game.Setup{"size": "7"}, engine.Limit{Depth: 6}, 6, 9, 14, 21)...)
	cases = append(cases, enginetest.AfterRandomMoves(t, g, game.Setup{"size": "4"}, engine.Limit{Depth: 10}, 3, 9)...)
	r := rand.NewPCG(9, 9)
	for i := range 12 {
		p := cluster(t, r, 9+i%6, 11+i)
		cases = append(cases, enginetest.Case{Name: p.String(), Position: engine.Position{Position: p}, Limit: engine.Limit{Nodes: 1500}})
	}
	enginetest.Fingerprint(t, "testdata/search.golden", s, cases)
}

// TestThreatWithAnswer finds a win that starts with a stone that stops the only threat and a
// second one that makes a threat but is not among the best cells.
func TestThreatWithAnswer(t *testing.T) {
	p := readBoard(t, "19/19/19/19/19/9B9/8B1B8/4B3W10/8W10/4W1BBBB9/4W1W12/4WW13/4W14/4B14/19/19/19/19/19 W 2")
	line := New(16).Search(t.Context(), engine.Position{Position: p}, engine.Limit{Nodes: 30_000}, nil)
	stop, threat := cell(9*19+10), cell(13*19+3)
	if got := pairOf([]game.Cell{line.Moves[0].To(), line.Moves[1].To()}); !got.same(pair{stop, threat}) || line.Score < 0 {
		t.Errorf("it plays %v with score %d, want %v with a win", got, line.Score, pair{stop, threat})
	}
}
