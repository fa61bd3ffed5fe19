package suite

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"quintet/judge/console"
	"quintet/judge/dialogue"
)

// embeddedSizes are the sizes for which there is a file.
var embeddedSizes = map[string][]int{"neighbors": {8}, "othello": {4, 6, 8, 10}, "loa": {8}, "connect6": {6, 7, 19}, "chess": {8}}

// TestGolden regenerates the files of games on request.
func TestGolden(t *testing.T) {
	only := os.Getenv("QUINTET_GOLDEN")
	if only == "" {
		t.Log("QUINTET_GOLDEN=1, or the name of a game, regenerates the games")
		return
	}
	for name, sizes := range embeddedSizes {
		if only != "1" && only != name {
			continue
		}
		for _, size := range sizes {
			p, err := dialogue.New(name, size)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file(p), []byte(text(findGames(p, 1, 300))), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestNoChance checks that every mistake shows in games without machines, whose moves are
// random, except a machine's own mistake.
func TestNoChance(t *testing.T) {
	p, err := dialogue.New("chess", 8)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range embedded(p) {
		if p.Machines(g.Lines) && g.Name != "machine-rows" {
			t.Errorf("%s is shown by a game of machines, %q: want one without", g.Name, g.Lines)
		}
	}
}

// someSizes are the sizes tested by default: all small ones, where much does not fit, and
// some others; under the race detector only those up to 8.
var someSizes = []int{1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 26}

// TestEverySize checks that boards of every size have a game for every mutant that can
// differ there, and none for the others. QUINTET_MUTANTS=all tests all sizes.
func TestEverySize(t *testing.T) {
	for _, name := range dialogue.Games() {
		different := map[string]bool{}
		for size := 1; size <= 26; size++ {
			p, err := dialogue.New(name, size)
			if err != nil || !slices.Contains(someSizes, size) && os.Getenv("QUINTET_MUTANTS") == "" || raced && size > 8 {
				continue
			}
			games := Games(p, Options{Seed: 3, AnySpace: true})
			for _, m := range dialogue.Mutants(name) {
				can := canDiffer(p, m.Name)
				if can != shows(p, m, games) {
					t.Errorf("%s %d: %s differs in a game: %v, want %v", name, size, m.Name, !can, can)
				}
				different[m.Name] = different[m.Name] || can
			}
		}
		for _, m := range dialogue.Mutants(name) {
			if !different[m.Name] {
				t.Errorf("%s: %s is no mutant: it differs on no board", name, m.Name)
			}
		}
	}
}

// canDiffer reports whether a mutant can differ on a board of the program's size: a wrong rule
// about six in a row does not show where six do not fit. On boards with an odd number of rows the
// last turn is complete, so a program may look for a full board only at the end of a turn.
func canDiffer(p dialogue.Program, mutant string) bool {
	minRows := map[string]int{
		"first-two": 2, "one-each": 2, "three-each": 2, "on-stones": 2, "board-at-turn-end": 2, "full-at-turn-end": 2, "both-colours": 6, "lines-wrap": 4,
		"five-wins": 5, "seven-wins": 6, "exactly-six": 7, "no-vertical": 6, "no-horizontal": 6, "no-falling": 6, "no-rising": 6, "only-ends": 6,
		"win-at-turn-end": 6, "full-first": 6, "winner-swapped": 6, "win-spelling": 6, "result-letters": 6,
	}
	return p.Game != "connect6" || p.Size >= minRows[mutant] && (mutant != "full-at-turn-end" || p.Size%2 == 0)
}

// shows reports whether a mutant differs from the program in one of the games.
func shows(p dialogue.Program, m dialogue.Mutant, games []Game) bool {
	s, wrong := &searcher{right: p}, m.Of(p)
	return slices.ContainsFunc(games, func(g Game) bool { return s.differ(wrong, g.Lines) })
}

// TestRight holds the games against the console programs.
func TestRight(t *testing.T) {
	for name, sizes := range embeddedSizes {
		for _, size := range sizes {
			p, _ := dialogue.New(name, size)
			for _, g := range Games(p, Options{Seed: 7, AnySpace: true}) {
				if name == "chess" && (len(g.Lines) == 0 || g.Lines[0] != "1") {
					continue // the machines are not ours
				}
				o := console.Options{}
				if name == "othello" || name == "connect6" {
					o.Size = size
				}
				var want bytes.Buffer
				in := strings.Join(append(g.Lines, ""), "\n")
				err := console.Run(t.Context(), name, o, strings.NewReader(in), &want)
				got := p.Play(g.Lines, "")
				if got.Output() != want.String() || got.Over != (err == nil) {
					t.Fatalf("%s %d: %q differs from the console", name, size, g.Lines)
				}
			}
		}
	}
}
