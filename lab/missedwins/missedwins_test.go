package missedwins

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"quintet/bots"
	"quintet/game"
	"quintet/games"
)

// TestRun makes small suites of Lines of Action: equal seeds give equal ones, different
// seeds different ones. The search of a level proves none of the wins, and a deeper one does,
// after as many nodes as stated.
func TestRun(t *testing.T) {
	suite := func(seed uint64) (string, *maker) {
		m := &maker{seed: seed, count: 2, deep: 20_000}
		var out bytes.Buffer
		if err := m.prepare("loa", 4); err != nil {
			t.Fatal(err)
		}
		if err := m.run(t.Context(), &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		return out.String(), m
	}
	first, m := suite(1)
	again, _ := suite(1)
	other, _ := suite(2)
	if first != again || first == other {
		t.Errorf("seed 1:\n%sand then\n%sseed 2:\n%s", first, again, other)
	}
	for _, line := range strings.Split(strings.TrimSpace(first), "\n") {
		var w win
		if err := json.Unmarshal([]byte(line), &w); err != nil {
			t.Fatal(err)
		}
		p, err := m.game.Read(w.Position)
		if err != nil {
			t.Fatal(err)
		}
		if _, proved := m.proof(t.Context(), p, m.weak); proved {
			t.Errorf("%s: the level proves the win", p)
		}
		if nodes, proved := m.proof(t.Context(), p, m.deep); !proved || nodes != w.Nodes {
			t.Errorf("%s: proved %v after %d nodes, want %d", p, proved, nodes, w.Nodes)
		}
	}
}

// TestPrepare names what is wrong with arguments.
func TestPrepare(t *testing.T) {
	for _, test := range []struct {
		game  string
		level int
		want  string
	}{
		{"go", 9, "choosing a game"},
		{"chess", 10, "expected one with a limit of nodes"},
		{"chess", 0, "expected one with a limit of nodes"},
	} {
		m := maker{count: 1, deep: 1}
		if err := m.prepare(test.game, test.level); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s, level %d: %v, want %q", test.game, test.level, err, test.want)
		}
	}
}

// TestRunError checks that an error ends the command, rather than counting as a game without
// a position for the suite.
func TestRunError(t *testing.T) {
	broken := errors.New("broken")
	m := maker{count: 1, game: game.Game{New: func(game.Setup) (game.Position, error) { return nil, broken }}}
	if err := m.run(t.Context(), io.Discard, io.Discard); !errors.Is(err, broken) {
		t.Errorf("%v, want %v", err, broken)
	}
}

// TestNoWin finds nothing in the initial position.
func TestNoWin(t *testing.T) {
	g, err := games.ByName("loa")
	if err != nil {
		t.Fatal(err)
	}
	start, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	search, err := bots.Searcher(g, bots.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := maker{game: g, search: search}
	if nodes, proved := m.proof(t.Context(), start, 500); proved || nodes != 0 {
		t.Errorf("a win is proved after %d nodes", nodes)
	}
}
