package lines_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/tui"
	"quintet/tui/lines"
	"quintet/tui/store"
	"quintet/tui/table"
	"quintet/web"
)

func env(t *testing.T) tui.Env {
	home := t.TempDir()
	return tui.Env{
		Games: games.All(),
		Store: store.Open(func(name string) string { return map[string]string{"HOME": home}[name] }),
		Now:   func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }, Seed: func() uint64 { return 1 },
		Player: func(_ context.Context, name string, g game.Game) (engine.Player, error) {
			return bots.NewPlayer(name, g, bots.Options{})
		},
		Searcher: func(g game.Game) (engine.Searcher, error) { return bots.Searcher(g, bots.Options{}) },
		Rules:    web.Rules,
	}
}

// TestDialogue is a conversation: what is typed, and parts of the answers in their order.
// The second one continues the game that the first one left.
func TestDialogue(t *testing.T) {
	e := env(t)
	for _, test := range []struct {
		typed string
		want  []string
	}{
		{
			"go\nothello\ne3\na1\nhelp\nmoves\nquit\n",
			[]string{"Which game?", `game "go": expected`, "a b c d", "(X)", "White plays", `"a1": not a legal move`, "undo", "Black>"},
		},
		{"yes\nboard\nundo\nresign\n", []string{"Continue Othello with pits, 2 plies?", "Black>", "White wins by resignation"}},
		{"loa\nrules\n", []string{"Which game?", "Black>", "itself\nincluded. It may", "Black>"}},
	} {
		var out strings.Builder
		if err := lines.Run(t.Context(), e, nil, strings.NewReader(test.typed), &out); err != nil {
			t.Fatal(err)
		}
		rest := out.String()
		for _, part := range test.want {
			_, after, ok := strings.Cut(rest, part)
			if !ok {
				t.Fatalf("after %q: no %q in\n%s", test.typed, part, out.String())
			}
			rest = after
		}
	}
}

// quitter is a player that gives up.
type quitter struct{ engine.Player }

func (quitter) Choose(context.Context, *game.Match, engine.Limit) (game.Move, error) {
	return 0, game.ErrResigned
}

// TestEngineResigns lets an engine give up: it has lost the game.
func TestEngineResigns(t *testing.T) {
	e := env(t)
	e.Player = func(_ context.Context, _ string, g game.Game) (engine.Player, error) {
		p, err := bots.NewPlayer("random", g, bots.Options{})
		return quitter{p}, err
	}
	g, err := games.ByName("loa")
	if err != nil {
		t.Fatal(err)
	}
	tb, err := table.New(g, nil, [2]string{"gtp:quitter", table.Person}, table.Control{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := lines.Run(t.Context(), e, tb, strings.NewReader(""), &out); err != nil || !strings.Contains(out.String(), "White wins by resignation") {
		t.Errorf("%v in\n%s", err, out.String())
	}
}
