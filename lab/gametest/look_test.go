package gametest

import (
	"testing"

	"quintet/game"
)

// TestLook checks that the suite finds games that look otherwise than they play.
func TestLook(t *testing.T) {
	for finding, change := range map[string]func(g *game.Game){
		"White moves first, but Look.LightFirst is false": func(g *game.Game) { g.Sides = [2]string{"White", "Black"} },
		"Black moves first, but Look.LightFirst is true":  func(g *game.Game) { g.Look.LightFirst = true },
		"Face: ":                      func(g *game.Game) { g.Look.Face = "a1 a1" },
		"Demo: ":                      func(g *game.Game) { g.Look.Demo.Moves = "a1 pass" },
		"Look.Form has no letter for": func(g *game.Game) { g.Look.Form.Letters = g.Look.Form.Letters[1:] },
		"Look.Form gives \"":          func(g *game.Game) { g.Look.Form.Letters = nil },
		", which is ":                 func(g *game.Game) { g.Look.Form.Turn = [2]string{"O", "X"} },
		"but Look.PerTurn says 1":     func(g *game.Game) { g.New = func(game.Setup) (game.Position, error) { return &slow{*newSlow()}, nil } },
		"but the game is Passable": func(g *game.Game) {
			g.New = func(game.Setup) (game.Position, error) { return &stubborn{*newSlow()}, nil }
		},
	} {
		g := fillGame()
		change(&g)
		wantFinding(t, findingsOf(t, g), finding)
	}
}

func newSlow() *fill { f := newFill(); return &f }

// slow is a fill in which Black has all turns.
type slow struct{ fill }

func (*slow) Turn() game.Side            { return game.First }
func (s *slow) Clone() game.Position     { c := *s; return &c }
func (s *slow) CopyFrom(p game.Position) { *s = *p.(*slow) }

// stubborn is a fill that ignores a pass that is not legal.
type stubborn struct{ fill }

func (s *stubborn) Play(m game.Move) {
	if m != game.Pass || s.passes() {
		s.fill.Play(m)
	}
}
func (s *stubborn) Clone() game.Position     { c := *s; return &c }
func (s *stubborn) CopyFrom(p game.Position) { *s = *p.(*stubborn) }
