package suite

import (
	"bytes"
	"os"
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

// TestKilled wants a game for every mutant, and says how long they are.
func TestKilled(t *testing.T) {
	for name, sizes := range keptSizes {
		p, _ := dialogue.New(name, sizes[len(sizes)-1])
		games := map[string][]string{}
		for _, g := range kept(p) {
			games[g.Name] = g.Lines
		}
		s := &searcher{right: p}
		for _, m := range mutant.Gallery(name) {
			if lines, ok := games[m.Name]; !ok || !s.differ(m.Of(p), lines) {
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
