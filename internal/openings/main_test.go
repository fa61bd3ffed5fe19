package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"quintet/game"
	"quintet/games/connect6"
)

// TestRun checks that equal seeds give equal openings, different seeds different ones,
// each of whole turns.
func TestRun(t *testing.T) {
	find := func(seed uint64) string {
		var out bytes.Buffer
		f := finder{seed: seed, count: 3, deep: 300, band: 1000, games: []uint64{40, 50, 60, 70}, fewest: 1, large: []uint64{80, 90}}
		if err := f.run(t.Context(), &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	first, again, other := find(1), find(1), find(2)
	if first != again || first == other {
		t.Errorf("seed 1:\n%sand then\n%sseed 2:\n%s", first, again, other)
	}
	lines := strings.Split(strings.TrimSpace(first), "\n")
	if len(lines) != 2+3 {
		t.Fatalf("%d lines, want 2 of comment and 3 openings:\n%s", len(lines), first)
	}
	for _, line := range lines[2:] {
		if n := len(strings.Fields(line)); n != 5 && n != 7 || !strings.HasPrefix(line, "J9 ") {
			t.Errorf("%q: want 5 or 7 moves that begin with J9", line)
		}
	}
}

// TestBalanced rejects an opening that a side wins by threats, in each of the four steps.
func TestBalanced(t *testing.T) {
	start, err := connect6.Start(boardSize)
	if err != nil {
		t.Fatal(err)
	}
	m := game.NewMatch(connect6.Game, start)
	for _, text := range strings.Fields("J9 A0 S0 K9 L9 A18 S18") { // three in the middle, White far away
		if err := m.PlayText(text); err != nil {
			t.Fatal(err)
		}
	}
	for name, f := range map[string]*finder{
		"search": {deep: 300, band: 150},
		"games":  {deep: 300, band: 1 << 20, games: []uint64{500, 600, 700}, fewest: 1},
		"larger": {deep: 300, band: 1 << 20, large: []uint64{500, 600, 700}, fewestLarge: 1},
	} {
		if f.search, err = newSearch(); err != nil {
			t.Fatal(err)
		}
		if f.balanced(t.Context(), m) || f.passed[4] != 0 {
			t.Errorf("%s: a won opening is kept: %v", name, f.passed)
		}
	}
}

// TestCheck checks a sample of a file: what it prints of an opening that Black wins by
// threats and of one that no search decides, and what it counts.
func TestCheck(t *testing.T) {
	const won, open = "J9 A0 S0 K9 L9 A18 S18", "J9 K10 M8 L8 M7"
	file := "# comment\n\n" + won + "\n" + won + "\n" + open + "\n"
	var out bytes.Buffer
	f := finder{deep: 5000, band: 700, large: []uint64{60, 80}}
	if err := f.check(t.Context(), strings.NewReader(file), 2, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 4 || lines[0] != won+": the side to move wins, games won by BB" || !strings.HasPrefix(lines[1], won+": ") {
		t.Errorf("a sample of 2 prints\n%s", &out)
	}
	out.Reset()
	f.fewestLarge = 1
	if err := f.check(t.Context(), strings.NewReader(file), 9, &out); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, open+": score ") || !strings.Contains(text, "3 openings: 1 within 700 of 0 after 5000 positions; in ") {
		t.Errorf("all three print\n%s", text)
	}
	if err := f.check(t.Context(), strings.NewReader("# comment\nJ9 J9\n"), 9, &out); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("an illegal opening gives %v", err)
	}
}

// TestCanonical checks that mirror images share one canonical board, and that different
// positions do not.
func TestCanonical(t *testing.T) {
	boards := map[stones]bool{}
	for _, moves := range []string{"J9 K10 L10", "J9 I10 H10", "J9 K8 L8", "J9 I8 H8", "J9 K10 K11", "J9 I10 I11", "J9 K8 K7", "J9 I8 I7"} {
		p, err := connect6.Start(boardSize)
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
		boards[canonical(p)] = true
		if q := *p; len(boards) != 1 {
			t.Fatalf("%s: %s is another board than its image", moves, &q)
		}
		p.Play(game.Put(0))
		if boards[canonical(p)] {
			t.Errorf("%s: the same board with one more stone", moves)
		}
	}
}
