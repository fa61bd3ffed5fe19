package connect6

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"quintet/bots/connect6/certificate"
	"quintet/engine"
	"quintet/game"
	rules "quintet/games/connect6"
	"quintet/lab/proofcheck"
)

// freeWins are positions with wins that no search of turns that all need both stones finds.
var freeWins = []string{
	"14/14/3W6B3/6B7/3WBWW7/1B2BB1W6/2B1WW1B6/3W6W3/3WB1BW6/7BW5/9W4/4B4B4/7W6/14 B 2",
	"11/6B1W2/3B2B1W2/2BBBBBWB2/7B3/4W1W4/5WW4/2WB1WW4/11/11/11 W 2",
}

// TestFreeWins finds wins with free stones, which the threat search alone does not find.
func TestFreeWins(t *testing.T) {
	for _, text := range freeWins {
		p := readBoard(t, text)
		s := New(16)
		if n := s.WinsIn(t.Context(), p, maxThreatTurns, 1_000_000); n != 0 {
			t.Errorf("%s: a win by double threats in %d turns", p, n)
		}
		proof, err := s.Prove(t.Context(), p, 100_000)
		if err != nil || proof.Value != 1 || proof.Certificate == nil {
			t.Fatalf("%s: %+v, %v, want a win with a certificate", p, proof, err)
		}
		got, err := proofcheck.Verify(p, proof.Certificate)
		if err != nil || got.Free == 0 {
			t.Errorf("%s: %+v, %v, want a turn with a free stone", p, got, err)
		}
		checkLine(t, p, proof.Line)
	}
}

func checkLine(t *testing.T, p *rules.Position, line []game.Move) {
	t.Helper()
	at := *p
	for _, m := range line {
		if !game.Legal(&at, m) {
			t.Fatalf("%s: the line %v cannot be played", p, line)
		}
		at.Play(m)
	}
	if at.Result() != game.Win(p.Turn()) {
		t.Errorf("%s: the line %v does not win", p, line)
	}
}

// TestCertificates proves wins in random positions, and verifies their certificates.
func TestCertificates(t *testing.T) {
	r := rand.NewPCG(5, 5)
	s := New(4)
	won := 0
	for i := range 40 {
		p := cluster(t, r, 6+i%21, 9+game.IntN(r, 18))
		if p.Result().Over() {
			continue
		}
		s.Reset()
		proof, err := s.Prove(t.Context(), p, 3000)
		if err != nil {
			t.Fatal(err)
		}
		if proof.Value != 1 {
			continue
		}
		won++
		if _, err := proofcheck.Verify(p, proof.Certificate); err != nil {
			t.Errorf("%s: %v", p, err)
		}
		checkLine(t, p, proof.Line)
	}
	if won < 20 {
		t.Errorf("only %d wins", won)
	}
}

// TestFreeStones plays a certificate with free stones against every turn that stops the
// threats, without relevance zones: one of the replies with a stone of the turn must win.
func TestFreeStones(t *testing.T) {
	p := readBoard(t, freeWins[1])
	proof, err := New(16).Prove(t.Context(), p, 100_000)
	if err != nil || proof.Value != 1 {
		t.Fatalf("%+v, %v, want a win", proof, err)
	}
	var b board
	b.reset(p)
	if !wins(&b, p.Turn(), proof.Certificate) {
		t.Errorf("%s: the certificate does not win", p)
	}
	first := &proof.Certificate.Replies
	*first = (*first)[:1]
	if wins(&b, p.Turn(), proof.Certificate) {
		t.Errorf("%s: it wins with one reply, whatever the free stone", p)
	}
}

// follow returns the replies that may stand for a turn: those with both stones first.
func follow(tree *certificate.Tree, turn pair) (list []certificate.Reply) {
	for _, least := range []int{2, 1} {
		for _, r := range tree.Replies {
			n := 0
			for _, c := range [2]cell{turn.first, turn.second} {
				if slices.Contains(r.Stones, game.Cell(c)) {
					n++
				}
			}
			if n == least {
				list = append(list, r)
			}
		}
	}
	return list
}

// wins reports whether a tree wins against every turn of the defender that stops the threats.
func wins(b *board, s game.Side, tree *certificate.Tree) bool {
	if b.hot[s] > 0 {
		return true
	}
	p := pairOf(tree.Turn)
	if p.first == p.second || !b.vacant(p.first) || !b.vacant(p.second) {
		return false
	}
	b.play(s, p)
	defer b.undo(s, p)
	var a answers
	if b.answer(s, &a); a.stones == 3 || b.hot[s^1] > 0 {
		return b.hot[s^1] == 0
	}
	defences := slices.Clone(a.pairs[:a.m])
	for _, x := range a.single[:a.n] {
		for y := range cell(b.size * b.size) {
			if y != x && b.vacant(y) {
				defences = append(defences, pair{x, y})
			}
		}
	}
	for _, q := range defences {
		b.play(s^1, q)
		won := slices.ContainsFunc(follow(tree, q), func(r certificate.Reply) bool { return wins(b, s, r.Then) })
		b.undo(s^1, q)
		if !won {
			return false
		}
	}
	return len(defences) > 0
}

// setWin is a line of a set of wins.
type setWin struct {
	Position, Certificate string
	Turns, Free           int
}

// winSet reads a set of wins.
func winSet(t testing.TB, name string) (list []setWin) {
	t.Helper()
	set, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(set)) {
		var w setWin
		if err := json.Unmarshal([]byte(line), &w); err != nil {
			t.Fatal(err)
		}
		list = append(list, w)
	}
	return list
}

// check verifies a win and finds it again.
func (w setWin) check(t *testing.T) {
	t.Helper()
	p := readBoard(t, w.Position)
	tree, err := proofcheck.Parse(p.Size(), w.Certificate)
	if err != nil {
		t.Fatal(err)
	}
	got, err := proofcheck.Verify(p, tree)
	if err != nil || got.Turns != w.Turns || got.Free != w.Free {
		t.Errorf("%s: %+v, %v, want %d turns, %d with a free stone", p, got, err, w.Turns, w.Free)
	}
	if proof, err := New(16).Prove(t.Context(), p, 200_000); err != nil || proof.Value != 1 {
		t.Errorf("%s: %+v, %v, want a win", p, proof, err)
	}
}

// TestForcedWinSet verifies some of the set of wins, and finds them again.
func TestForcedWinSet(t *testing.T) {
	const each, count = 7, 50
	set := winSet(t, "forcedwins.jsonl")
	for i := each - 1; i < len(set); i += each {
		set[i].check(t)
	}
	if len(set) != count {
		t.Errorf("%d wins, want %d", len(set), count)
	}
}

// TestMissedWins verifies the tactical suite: wins in games against another engine that a search
// of 20,000 positions missed when they were played. That the search finds them is for
// BenchmarkMissedWins to measure.
func TestMissedWins(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range winSet(t, "missedwins.jsonl") {
		w.check(t)
		if seen[w.Position] {
			t.Errorf("%s occurs twice", w.Position)
		}
		seen[w.Position] = true
	}
	if len(seen) < 17 {
		t.Errorf("%d wins, want 17 or more", len(seen))
	}
}

// BenchmarkMissedWins reports how many wins of the suite a search proves with 20,000 and with
// 150,000 positions.
func BenchmarkMissedWins(b *testing.B) {
	s := New(16)
	for b.Loop() {
		for _, nodes := range []uint64{20_000, 150_000} {
			proved := 0
			for _, w := range winSet(b, "missedwins.jsonl") {
				s.Reset()
				p := engine.Position{Position: readBoard(b, w.Position)}
				if s.Search(b.Context(), p, engine.Limit{Nodes: nodes}, nil).Score > engine.MaxEval {
					proved++
				}
			}
			b.ReportMetric(float64(proved), fmt.Sprintf("proved/%d", nodes))
		}
	}
}
