package tui

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
)

// TestPictures draws the pictures of docs/terminal.md: screens of games between engines. "make
// pictures" writes them to docs/pictures.
func TestPictures(t *testing.T) {
	for i, test := range []struct {
		game  string
		setup game.Setup
		plies int
		keys  string
		theme string
	}{
		{"neighbors", nil, 9, "g", "light"},
		{"othello", game.Setup{"pits": "c2,f7"}, 14, "v", "dark"},
		{"loa", nil, 11, "", "safe"},
		{"connect6", nil, 19, "d", "light"},
		{"chess", nil, 17, "", "dark"},
	} {
		t.Run(test.game, func(t *testing.T) {
			h := newHarnessOf(t, 88, 24,
				func(_ context.Context, name string, g game.Game) (engine.Player, error) {
					return bots.NewPlayer(name, g, bots.Options{})
				},
				func(g game.Game) (engine.Searcher, error) {
					s, err := bots.Searcher(g, bots.Options{})
					return bounded{s}, err
				})
			g, err := games.ByName(test.game)
			if err != nil {
				t.Fatal(err)
			}
			c := h.app.shared
			c.choices.Theme = test.theme
			c.applyTheme()
			p := h.play(g.Name, test.setup, "level:7", "level:6", "none")
			h.until("the plies", func() bool { return p.t.Ply() >= test.plies })
			p.t.Sit(p.t.Turn(), "person")
			h.run(p.proceed())
			h.press(test.keys, "e")
			h.until("an evaluation", func() bool {
				return p.analysis.lineAt == p.t.At() && (test.keys != "v" || p.analysis.line.Nodes > 5_000)
			})
			svg := svgOf(c.paint(), c.theme)
			if len(svg) > 60_000 {
				t.Errorf("the picture has %d bytes, want at most 60,000", len(svg))
			}
			if os.Getenv("QUINTET_PICTURES") == "" {
				return
			}
			path := filepath.Join("..", "docs", "pictures", games.Names()[i]+".svg")
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(svg), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// bounded is a search of some nodes, so that pictures come out the same.
type bounded struct{ engine.Searcher }

func (b bounded) Search(ctx context.Context, p engine.Position, l engine.Limit, _ func(engine.Line)) engine.Line {
	if l.Nodes == 0 || l.Nodes > 20_000 {
		l = engine.Limit{Nodes: 20_000}
	}
	return b.Searcher.Search(ctx, p, l, nil)
}
