package i18n_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quintet/game"
	"quintet/games"
	"quintet/internal/lang"
	"quintet/judge/dialogue"
	"quintet/lab/i18n"
)

// TestCatalogues checks that every language has all texts, and no other. todo.txt lists what is still to be translated.
func TestCatalogues(t *testing.T) {
	list, err := i18n.Check(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("todo.txt")
	if err != nil {
		t.Fatal(err)
	}
	todo := strings.Split(strings.TrimSpace(string(data)), "\n")
	for _, problem := range list {
		if !slices.Contains(todo, problem) {
			t.Errorf("%s\n\ttranslate it, or: go run ./cmd/lab i18n > lab/i18n/todo.txt", problem)
		}
	}
	for _, line := range todo {
		if line != "" && !slices.Contains(list, line) {
			t.Errorf("todo.txt has a line too many: %s", line)
		}
	}
}

// key matches the key of a text in a catalogue.
var key = regexp.MustCompile(`(?m)^\s*("(?:[^"\\]|\\.)*"): "`)

// TestOnce checks that no catalogue has two texts for one key, as a merge can leave behind.
func TestOnce(t *testing.T) {
	for _, tag := range lang.Tags()[1:] {
		data, err := os.ReadFile(filepath.Join("..", "..", "internal", "lang", tag+".json"))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, m := range key.FindAllSubmatch(data, -1) {
			if seen[string(m[1])] {
				t.Errorf("%s has two texts for %s", tag, m[1])
			}
			seen[string(m[1])] = true
		}
		if len(seen) < 1000 {
			t.Errorf("%s has %d texts", tag, len(seen))
		}
	}
}

// TestNotHere checks that the command says where it must run.
func TestNotHere(t *testing.T) {
	if _, err := i18n.Check(t.TempDir()); err == nil || !strings.Contains(err.Error(), "run this in the folder of the project") {
		t.Errorf("error %v", err)
	}
}

// english are words of English that may stand in no translation.
var english = regexp.MustCompile(`\b(?:the|a|is|are|on|and|of|piece|pieces|stone|pawn|White|Black)\b`)

// TestRefusals translates the reasons against all illegal moves in random games.
func TestRefusals(t *testing.T) {
	var languages []*lang.Language
	for _, tag := range lang.Tags()[1:] {
		l, err := lang.Open(tag)
		if err != nil {
			t.Fatal(err)
		}
		languages = append(languages, l)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, g := range games.All() {
		for why := range refusals(t, g, r) {
			for _, l := range languages {
				if own := l.Sentence(why); own == why || english.MatchString(own) {
					t.Errorf("%s: %q is %q", l.Tag, why, own)
				}
			}
		}
	}
}

// TestMistakes translates all mistakes that the judge knows, and a message that it puts together.
func TestMistakes(t *testing.T) {
	for _, tag := range lang.Tags()[1:] {
		l, err := lang.Open(tag)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range games.All() {
			for _, m := range dialogue.Mutants(g.Name) {
				if l.Sentence(m.Description) == m.Description {
					t.Errorf("%s: %q is not translated", tag, m.Description)
				}
			}
		}
		message := `The program accepts a move that jumps over a piece of the same side. The answer "a1c3" jumps over a piece of the same side. It should print "B's move: " but prints "Invalid. Try. "`
		if own := l.Paragraph(message); regexp.MustCompile(`program|answer|jumps|should`).MatchString(own) || !strings.Contains(own, `"Invalid. Try. "`) {
			t.Errorf("%s: %s", tag, own)
		}
	}
}

// refusals returns the reasons against illegal moves in a random game.
func refusals(t *testing.T, g game.Game, r *rand.Rand) map[string]bool {
	t.Helper()
	p, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for ply := 0; ply < 60 && !p.Result().Over(); ply++ {
		for n := 0; n < 200; n++ {
			from, to := game.Cell(r.IntN(64)), game.Cell(r.IntN(64))
			for _, m := range []game.Move{game.Put(to), game.Shift(from, to), game.Pass} {
				if e, ok := p.(game.Explainer); ok {
					if why := e.WhyIllegal(m); why != "" {
						all[why] = true
					}
				}
			}
		}
		moves := p.Moves(nil)
		p.Play(moves[r.IntN(len(moves))])
	}
	return all
}

// TestNoPieces checks that pages put no sentence together from texts: its order differs from language to language.
func TestNoPieces(t *testing.T) {
	joined := regexp.MustCompile(`\bsay\([^()]*\) \+|\+ say\(|\bsay\("[^"]*" \+`)
	names, err := filepath.Glob(filepath.Join("..", "..", "web", "ui", "*.ts*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%v, %v", names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range joined.FindAllString(string(data), -1) {
			t.Errorf("%s joins texts: %q", name, found)
		}
	}
}
