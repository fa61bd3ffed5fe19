package openings

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/engine"
	"quintet/game"
	"quintet/games/connect6"
)

// TestRun checks that equal seeds give equal openings, different seeds different ones,
// each of whole turns.
func TestRun(t *testing.T) {
	find := func(seed uint64) string {
		var out bytes.Buffer
		f := finder{seed: seed, count: 3, deep: 300, band: 1000, distance: 2, games: []uint64{40, 50, 60, 70}}
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
		if n := len(strings.Fields(line)); n != 7 || !strings.HasPrefix(line, "J9 ") {
			t.Errorf("%q: want 7 moves that begin with J9", line)
		}
	}
}

// TestKnown leaves out the openings of a file, also as mirror images.
func TestKnown(t *testing.T) {
	find := func(known string) string {
		var out bytes.Buffer
		f := finder{seed: 1, count: 2, deep: 300, band: 1000, distance: 3, known: known, games: []uint64{40, 50, 60, 70}}
		if err := f.run(t.Context(), &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	first := find("")
	lines := strings.Split(strings.TrimSpace(first), "\n")
	known := filepath.Join(t.TempDir(), "known.txt")
	mirrored := mirror(lines[len(lines)-2]) + "\n"
	if err := os.WriteFile(known, []byte("# known\n"+mirrored), 0o600); err != nil {
		t.Fatal(err)
	}
	second := strings.Split(strings.TrimSpace(find(known)), "\n")
	if got, want := second[len(second)-2], lines[len(lines)-1]; got != want {
		t.Errorf("after %s is known the first opening is %s, want %s", mirrored, got, want)
	}
	if !strings.HasSuffix(second[1], " --distance 3 --known "+known) {
		t.Errorf("the comment %q lacks the flags", second[1])
	}
	f := finder{known: filepath.Join(t.TempDir(), "none")}
	if err := f.run(t.Context(), io.Discard, io.Discard); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v: want that the file does not exist", err)
	}
}

// mirror returns an opening with the columns reversed.
func mirror(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		words[i] = string('A'+'S'-w[0]) + w[1:]
	}
	return strings.Join(words, " ")
}

// Openings: one that Black wins by threats, and one that no short search decides.
const (
	wonOpening  = "J9 A0 S0 K9 L9 A18 S18" // three in the middle, White far away
	openOpening = "J9 K10 M8 L8 M7"
)

func opening(t *testing.T, text string) *game.Match {
	t.Helper()
	list, err := readOpenings(text)
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// TestSteps rejects a won opening in each step.
func TestSteps(t *testing.T) {
	f := finder{band: 150, deep: 5000, games: []uint64{60, 80}}
	var err error
	if f.search, err = newSearch(); err != nil {
		t.Fatal(err)
	}
	won := opening(t, wonOpening)
	for name, step := range map[string]func(context.Context, game.Position) bool{
		"short search": f.nearZero, "long search": f.staysNearZero, "games": f.shared,
	} {
		if step(t.Context(), won.Position()) {
			t.Errorf("%s: a won opening passes", name)
		}
	}
	if f.balanced(t.Context(), won) || f.passed != [4]int{1} {
		t.Errorf("a won opening came so far: %v", f.passed)
	}
	for winners, want := range map[string]bool{"": true, "BW": true, "BB": false, "WW": false, "W-": false} {
		if sharedBy(winners) != want {
			t.Errorf("games won by %q count as shared: %v", winners, !want)
		}
	}
}

// scripted is a search that reports an iteration with each score.
type scripted []int

func (s scripted) Reset() {}

func (s scripted) Search(_ context.Context, _ engine.Position, _ engine.Limit, report func(engine.Line)) (line engine.Line) {
	for _, score := range s {
		line.Score = score
		report(line)
	}
	return line
}

// TestBand checks which iterations count: the last of the short search, the last three of the
// long one.
func TestBand(t *testing.T) {
	for _, test := range []struct {
		scores      []int
		short, long bool
	}{
		{[]int{900, 150, -150, 0}, true, true},
		{[]int{151, 0, 0}, true, false},
		{[]int{0, 0, -151}, false, false},
		{[]int{29_990}, false, false},
	} {
		f := finder{band: 150, search: scripted(test.scores)}
		p := opening(t, openOpening).Position()
		if short, long := f.nearZero(t.Context(), p), f.staysNearZero(t.Context(), p); short != test.short || long != test.long {
			t.Errorf("%v: within the band of the short search %v, of the long one %v", test.scores, short, long)
		}
	}
}

// TestCheck checks a sample of a file: what it prints of an opening that Black wins by
// threats and of one that no search decides, what it counts, and what keep writes.
func TestCheck(t *testing.T) {
	file := "# comment\n\n" + wonOpening + "\n" + wonOpening + "\n" + openOpening + "\n"
	var out bytes.Buffer
	f := finder{deep: 5000, band: 700, games: []uint64{60, 80}}
	if err := f.check(t.Context(), file, 2, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 4 || lines[0] != wonOpening+": scores won, games won by BB" || !strings.HasPrefix(lines[1], wonOpening+": ") {
		t.Errorf("a sample of 2 prints\n%s", &out)
	}
	out.Reset()
	f.games = nil
	if err := f.check(t.Context(), file, 9, &out); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, openOpening+": scores ") || !strings.Contains(text, "3 openings: 1 within 700 of 0 in the last 3 iterations of 5000 positions; in ") {
		t.Errorf("all three print\n%s", text)
	}
	out.Reset()
	if err := f.keep(t.Context(), file, &out); err != nil || !strings.HasSuffix(out.String(), "\n"+openOpening+"\n") || strings.Contains(out.String(), wonOpening) {
		t.Errorf("kept, %v:\n%s", err, &out)
	}
	if err := f.check(t.Context(), "# comment\nJ9 J9\n", 9, &out); err == nil || !strings.Contains(err.Error(), "line 2") {
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
