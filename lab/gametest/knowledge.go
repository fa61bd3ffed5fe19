package gametest

import (
	"math/rand/v2"
	"slices"

	"quintet/engine"
	"quintet/game"
)

// CheckKnowledge checks that what a search knows about a game keeps the contract of
// engine.Knowledge, in all positions of some random games from the usual start.
func CheckKnowledge(t TB, g game.Game, know engine.Knowledge) {
	checkHooks(t, g, know)
	start, err := g.Start(nil)
	if err != nil {
		t.Fatalf("%v", err)
	}
	r := rand.NewPCG(1, 1)
	for range 20 {
		p := start.Clone()
		for ply := 0; ply < 120 && !p.Result().Over(); ply++ {
			text := p.String()
			knowledgeCheck{t, g, know}.position(p)
			if p.String() != text {
				t.Fatalf("%s has become %s", text, p)
			}
			p.Play(game.Sample(p, r, nil))
		}
	}
}

// checkHooks checks which hooks need others.
func checkHooks(t TB, g game.Game, know engine.Knowledge) {
	for _, broken := range []struct {
		is   bool
		rule string
	}{
		{know.Eval == nil, "Eval must be set"},
		{know.Danger != nil && know.Candidates == nil, "Danger needs Candidates, or quiescence searches all legal moves in danger, ply after ply"},
		{know.Threat != nil && know.Danger == nil, "Threat needs Danger"},
		{know.Tactics != nil && (know.Noisy == nil || know.Order == nil), "Tactics needs Noisy and Order"},
		{know.Gain != nil && know.Noisy == nil, "Gain needs Noisy"},
		{know.Null != nil && !g.Passable, "Null needs a game that is Passable"},
		{know.Margin < 0, "Margin must not be negative"},
	} {
		if broken.is {
			t.Fatalf("%s: %s", g.Name, broken.rule)
		}
	}
}

// knowledgeCheck checks the hooks in one position.
type knowledgeCheck struct {
	TB
	g    game.Game
	know engine.Knowledge
}

func (c knowledgeCheck) position(p game.Position) {
	if v := c.know.Eval(p); v < -engine.MaxEval || v > engine.MaxEval {
		c.Errorf("%s: Eval is %d, beyond MaxEval", p, v)
	}
	for _, m := range p.Moves(nil) {
		c.move(p, m)
	}
	if c.know.Candidates != nil && len(c.appended(p, "Candidates", c.know.Candidates)) == 0 {
		c.Errorf("%s: no Candidates, but the game is not over", p)
	}
	danger := c.know.Danger != nil && c.know.Danger(p)
	if c.know.Danger != nil && c.g.Passable {
		passed := after(p, game.Pass)
		if wins := slices.ContainsFunc(passed.Moves(nil), func(m game.Move) bool { return wins(passed, m) }); wins != danger {
			c.Errorf("%s: Danger is %t, but after a pass the opponent wins at once: %t", p, danger, wins)
		}
	}
	if c.know.Tactics == nil || danger {
		return
	}
	for _, m := range c.appended(p, "Tactics", c.know.Tactics) {
		if !c.know.Noisy(p, m) && !wins(p, m) {
			c.Errorf("%s: %s is among Tactics, but neither Noisy nor a win", p, p.Format(m))
		}
	}
}

// move checks the hooks that get a move.
func (c knowledgeCheck) move(p game.Position, m game.Move) {
	if c.know.Order != nil && (c.know.Order(p, m) < -1000 || c.know.Order(p, m) > 1000) {
		c.Errorf("%s: Order of %s is %d, want -1000 to 1000", p, p.Format(m), c.know.Order(p, m))
	}
	if m == game.Pass && c.know.Noisy != nil && c.know.Noisy(p, m) {
		c.Errorf("%s: a pass is Noisy", p)
	}
	if next := after(p, m); c.know.Threat != nil && !next.Result().Over() && c.know.Threat(p, m) != c.know.Danger(next) {
		c.Errorf("%s: Threat of %s is not Danger after it, %t", p, p.Format(m), c.know.Danger(next))
	}
}

// appended returns what a hook appends to a buffer: distinct legal moves.
func (c knowledgeCheck) appended(p game.Position, hook string, call func(game.Position, []game.Move) []game.Move) []game.Move {
	list := call(p, []game.Move{game.Pass})
	if len(list) == 0 || list[0] != game.Pass {
		c.Fatalf("%s: %s gives %v, want it behind what the buffer held", p, hook, list)
	}
	for i, m := range list[1:] {
		if !game.Legal(p, m) || slices.Contains(list[1:1+i], m) {
			c.Errorf("%s: %s gives %s, which comes twice or is not legal", p, hook, p.Format(m))
		}
	}
	return list[1:]
}

// after returns the position after a move.
func after(p game.Position, m game.Move) game.Position {
	next := p.Clone()
	next.Play(m)
	return next
}

// wins reports whether a move wins at once.
func wins(p game.Position, m game.Move) bool { return after(p, m).Result() == game.Win(p.Turn()) }
