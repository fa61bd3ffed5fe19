package puzzle_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quintet/bots"
	"quintet/game"
	"quintet/games"
	"quintet/learn/puzzle"
)

// few is the number of puzzles that every game has at least.
const few = 180

// withPuzzles returns the games that have a source of puzzles.
func withPuzzles() []game.Game {
	return slices.DeleteFunc(games.All(), func(g game.Game) bool { return bots.ProfileFor(g).Puzzles.Strong == 0 })
}

// TestEmbedded plays all solutions through: IDs, moves and replies, and the result of
// those that end the game.
func TestEmbedded(t *testing.T) {
	for _, g := range withPuzzles() {
		list, err := puzzle.Embedded(g.Name)
		if err != nil || len(list) < few {
			t.Fatalf("%s: %d puzzles, %v, want %d", g.Name, len(list), err, few)
		}
		seen, levels := map[string]bool{}, map[int]int{}
		for i := range list {
			p := &list[i]
			if seen[p.ID] || p.Game != g.Name || len(p.Themes) == 0 || p.Difficulty < 1 || p.Difficulty > 10 {
				t.Errorf("%s: %+v", g.Name, p)
			}
			seen[p.ID] = true
			levels[p.Difficulty]++
			checkSolution(t, p)
		}
		for d := 1; d <= puzzle.Difficulties; d++ {
			if share := float64(levels[d]) / float64(len(list)); share < 0.05 || share > 0.2 {
				t.Errorf("%s: %.0f %% have difficulty %d, want 5 to 20 %%", g.Name, 100*share, d)
			}
		}
	}
}

func checkSolution(t *testing.T, p *puzzle.Puzzle) {
	t.Helper()
	g, at, err := p.Start()
	if err != nil {
		t.Fatal(err)
	}
	side := at.Turn()
	if g.Look.Set.Lead(at.Board(), side) > 5 {
		t.Errorf("%s: the solver is more than five pawns ahead", p.ID)
	}
	if at.String() != p.Position || side.String() != p.Side {
		t.Errorf("%s: the position is written %s, with %s to move", p.ID, at, side)
	}
	for i, turn := range p.Turns {
		if at.Turn() != side || (len(turn.Reply) == 0) != (i == len(p.Turns)-1) {
			t.Fatalf("%s, turn %d: %s, reply %q", p.ID, i+1, at, turn.Reply)
		}
		for _, text := range slices.Concat(turn.Moves, turn.Reply) {
			m, err := at.Parse(text)
			if err != nil {
				t.Fatalf("%s, turn %d: %v", p.ID, i+1, err)
			}
			at.Play(m)
		}
	}
	if p.WinsIn > 0 && len(p.Turns) == p.WinsIn && at.Result() != game.Win(side) {
		t.Errorf("%s: the solution ends with %s", p.ID, at.Result())
	}
}

// TestProofs proves all puzzles again.
func TestProofs(t *testing.T) {
	for _, g := range withPuzzles() {
		list, err := puzzle.Embedded(g.Name)
		if err != nil {
			t.Fatal(err)
		}
		v, err := puzzle.NewVerifier(g)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			if err := v.Verify(t.Context(), &list[i]); err != nil {
				t.Errorf("%s: %v", g.Name, err)
			}
		}
	}
}

// TestSetsDocumented checks that the file which says how the sets were made has the sums
// of the sets as they are.
func TestSetsDocumented(t *testing.T) {
	doc, err := os.ReadFile("sets/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range withPuzzles() {
		name := g.Name + ".jsonl.gz"
		data, err := os.ReadFile("sets/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if sum := fmt.Sprintf("%x", sha256.Sum256(data)); !regexp.MustCompile(`(?m)^\| ` + name + ` \| \d+ \| ` + sum + ` \|$`).Match(doc) {
			t.Errorf("sets/README.md: expected the nodes of the engine that made %s, and %s", name, sum)
		}
	}
}

// TestVerifyRejects changes a puzzle in every way that a proof must notice.
func TestVerifyRejects(t *testing.T) {
	list, err := puzzle.Embedded("loa")
	if err != nil || len(list) == 0 {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(p puzzle.Puzzle) bool { return len(p.Turns) == 2 })
	whole, err := json.Marshal(list[i])
	if err != nil {
		t.Fatal(err)
	}
	g, err := games.ByName("loa")
	if err != nil {
		t.Fatal(err)
	}
	v, err := puzzle.NewVerifier(g)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(p *puzzle.Puzzle){
		"nothing":                func(*puzzle.Puzzle) {},
		"another game":           func(p *puzzle.Puzzle) { p.Game = "chess" },
		"an unknown game":        func(p *puzzle.Puzzle) { p.Game = "go" },
		"a broken position":      func(p *puzzle.Puzzle) { p.Position += "x" },
		"another ID":             func(p *puzzle.Puzzle) { p.ID = "loa-00000000" },
		"the other side":         func(p *puzzle.Puzzle) { p.Side = map[string]string{"first": "second", "second": "first"}[p.Side] },
		"no turns":               func(p *puzzle.Puzzle) { p.Turns = nil },
		"a wrong solution":       func(p *puzzle.Puzzle) { p.Turns[0].Moves = p.Turns[0].Refutations[0].Moves[:1] },
		"another length":         func(p *puzzle.Puzzle) { p.WinsIn++ },
		"a missing refutation":   func(p *puzzle.Puzzle) { p.Turns[0].Refutations = p.Turns[0].Refutations[1:] },
		"an illegal reply":       func(p *puzzle.Puzzle) { p.Turns[0].Reply = []string{"a0a0"} },
		"an illegal refutation":  func(p *puzzle.Puzzle) { p.Turns[0].Refutations[0].Reply = []string{"a0a0"} },
		"no reply to go on from": func(p *puzzle.Puzzle) { p.Turns[0].Reply = nil },
	} {
		var p puzzle.Puzzle
		if err := json.Unmarshal(whole, &p); err != nil {
			t.Fatal(err)
		}
		change(&p)
		if err := v.Verify(t.Context(), &p); (err == nil) != (name == "nothing") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTurn checks turns of one and of two moves.
func TestTurn(t *testing.T) {
	two := puzzle.Turn{Moves: []string{"J9", "K10"}, Refutations: []puzzle.Refutation{{Reply: []string{"A1"}}}}
	one := puzzle.Turn{Moves: []string{"e2e4"}, Refutations: []puzzle.Refutation{{Reply: []string{"a7a6"}, Moves: []string{"d2d4"}}}}
	for _, test := range []struct {
		turn   puzzle.Turn
		moves  string
		begins bool
		solves bool
	}{
		{two, "J9 K10", true, true}, {two, "k10 j9", true, true}, {two, "K10", true, false}, {two, "J9 J9", false, false},
		{two, "A1 J9", false, false}, {one, "E2E4", true, true}, {one, "d2d4", false, false}, {one, "", true, false},
	} {
		moves := strings.Fields(test.moves)
		if test.turn.Begins(moves) != test.begins || test.turn.Solves(moves) != test.solves {
			t.Errorf("%q of %q: begins %v, solves %v", test.moves, test.turn.Moves, !test.begins, !test.solves)
		}
	}
	if reply, ok := two.Refutation([]string{"B2", "B3"}); !ok || len(reply) != 1 {
		t.Errorf("any other turn: %q, %v", reply, ok)
	}
	if reply, ok := one.Refutation([]string{"d2d4"}); !ok || reply[0] != "a7a6" {
		t.Errorf("a listed move: %q, %v", reply, ok)
	}
	if _, ok := one.Refutation([]string{"a2a3"}); ok {
		t.Error("a move that is not listed has a refutation")
	}
}

// TestRead checks that the error says which puzzle is broken.
func TestRead(t *testing.T) {
	if _, err := puzzle.Read(bytes.NewBufferString("{}\n{")); err == nil || !strings.HasPrefix(err.Error(), "puzzle 2:") {
		t.Errorf("%v, want an error of puzzle 2", err)
	}
}
