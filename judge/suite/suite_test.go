package suite

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"quintet/console"
	"quintet/judge/dialogue"
	"quintet/judge/mutant"
)

// keptSizes are the sizes for which there is a file.
var keptSizes = map[string][]int{"neighbors": {8}, "othello": {4, 6, 8, 10}, "loa": {8}, "connect6": {6, 7, 19}, "chess": {8}}

// TestGolden makes the files of games anew when it is asked to.
func TestGolden(t *testing.T) {
	only := os.Getenv("QUINTET_GOLDEN")
	if only == "" {
		t.Log("QUINTET_GOLDEN=1, or the name of a game, writes the games anew")
		return
	}
	for name, sizes := range keptSizes {
		if only != "1" && only != name {
			continue
		}
		for _, size := range sizes {
			p, err := dialogue.New(name, size)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file(p), []byte(text(Search(p, 1, 300))), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestKilled wants a game for every mutant, on one of the boards.
func TestKilled(t *testing.T) {
	for name, sizes := range keptSizes {
		killed := map[string]bool{}
		for _, size := range sizes {
			p, _ := dialogue.New(name, size)
			s := &searcher{right: p}
			for _, g := range append(kept(p), byHand[name]...) {
				i := slices.IndexFunc(mutant.Gallery(name), func(m mutant.Mutant) bool { return m.Name == g.Name })
				if i >= 0 && !killed[g.Name] && s.differ(mutant.Gallery(name)[i].Of(p), g.Lines) {
					killed[g.Name] = true
				}
			}
		}
		for _, m := range mutant.Gallery(name) {
			// A full board whose last stone wins takes more games to meet.
			if !killed[m.Name] && m.Name != "full-first" {
				t.Errorf("%s: no game for %s", name, m.Name)
			}
		}
	}
}

// TestRight holds the games against the console programs.
func TestRight(t *testing.T) {
	for name, sizes := range keptSizes {
		for _, size := range sizes {
			p, _ := dialogue.New(name, size)
			for _, g := range Games(p, Options{Seed: 7}) {
				if name == "chess" && (len(g.Lines) == 0 || g.Lines[0] != "1") {
					continue // the machines are not ours
				}
				o := console.Options{}
				if dialogue.Sized(name) {
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
