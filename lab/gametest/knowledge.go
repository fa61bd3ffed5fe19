package gametest

import (
	"math/rand/v2"
	"slices"

	"quintet/engine"
	"quintet/game"
)

// knowledgeGames is the number of random games in which CheckKnowledge looks at every position.
const knowledgeGames = 20

// CheckKnowledge checks that what a search knows about a game keeps the contract of
// engine.Knowledge, in random games from the usual start.
func CheckKnowledge(t TB, g game.Game, know engine.Knowledge) {
	t.Helper()
	checkHooks(t, g, know)
	start, err := g.Start(nil)
	if err != nil {
		t.Fatalf("%s: %v", g.Name, err)
	}
	c, r := knowledgeCheck{t, g, know}, rand.NewPCG(1, 1)
	for range knowledgeGames {
		p := start.Clone()
		for ply := 0; ply < 120 && !p.Result().Over(); ply++ {
			text := p.String()
			c.position(p)
			if p.String() != text {
				t.Fatalf("%s has become %s", text, p)
			}
			p.Play(game.Sample(p, r, nil))
		}
	}
}

// checkHooks checks which hooks need others.
func checkHooks(t TB, g game.Game, know engine.Knowledge) {
	t.Helper()
	for _, need := range []struct {
		set, kept bool
		rule      string
	}{
		{true, know.Eval != nil, "Eval must be set"},
		{know.Danger != nil, know.Candidates != nil, "Danger needs Candidates, or quiescence searches all legal moves in danger, ply after ply"},
		{know.Threat != nil, know.Danger != nil, "Threat needs Danger"},
		{know.Tactics != nil, know.Noisy != nil && know.Order != nil, "Tactics needs Noisy and Order"},
		{know.Gain != nil, know.Noisy != nil, "Gain needs Noisy"},
		{know.Null != nil, g.Passable, "Null needs a game that is Passable"},
		{true, know.Margin >= 0, "Margin must not be negative"},
	} {
		if need.set && !need.kept {
			t.Fatalf("%s: %s", g.Name, need.rule)
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
	moves := p.Moves(nil)
	for _, m := range moves {
		c.move(p, m)
	}
	candidates := moves
	if c.know.Candidates != nil {
		candidates = c.appended(p, "Candidates", moves, c.know.Candidates)
		if len(candidates) == 0 {
			c.Errorf("%s: no Candidates, but the game is not over", p)
		}
	}
	if c.know.Tactics != nil && (c.know.Danger == nil || !c.know.Danger(p)) {
		for _, m := range c.appended(p, "Tactics", candidates, c.know.Tactics) {
			if !c.know.Noisy(p, m) && after(p, m).Result() != game.Win(p.Turn()) {
				c.Errorf("%s: %s is among Tactics, but neither Noisy nor a win", p, p.Format(m))
			}
		}
	}
	if c.know.Danger != nil && c.g.Passable {
		c.danger(p)
	}
}

// move checks the hooks that get a move.
func (c knowledgeCheck) move(p game.Position, m game.Move) {
	if c.know.Order != nil {
		if v := c.know.Order(p, m); v < -1000 || v > 1000 {
			c.Errorf("%s: Order of %s is %d, want -1000 to 1000", p, p.Format(m), v)
		}
	}
	if m == game.Pass && c.know.Noisy != nil && c.know.Noisy(p, m) {
		c.Errorf("%s: a pass is Noisy", p)
	}
	if c.know.Threat == nil {
		return
	}
	if next := after(p, m); !next.Result().Over() && c.know.Threat(p, m) != c.know.Danger(next) {
		c.Errorf("%s: Threat of %s is %t, but Danger after it %t", p, p.Format(m), c.know.Threat(p, m), c.know.Danger(next))
	}
}

// appended returns what a hook appends to a buffer: distinct moves of a list.
func (c knowledgeCheck) appended(p game.Position, hook string, from []game.Move, call func(game.Position, []game.Move) []game.Move) []game.Move {
	list := call(p, []game.Move{game.Pass})
	if len(list) == 0 || list[0] != game.Pass {
		c.Fatalf("%s: %s gives %v, want it behind what the buffer held", p, hook, list)
	}
	list = list[1:]
	for i, m := range list {
		if !slices.Contains(from, m) || slices.Contains(list[:i], m) {
			c.Errorf("%s: %s gives %s, which comes twice or is no move to search", p, hook, p.Format(m))
		}
	}
	return list
}

// danger compares Danger with the opponent's moves after a pass.
func (c knowledgeCheck) danger(p game.Position) {
	passed := after(p, game.Pass)
	want := !passed.Result().Over() && slices.ContainsFunc(passed.Moves(nil), func(m game.Move) bool {
		return after(passed, m).Result() == game.Win(passed.Turn())
	})
	if got := c.know.Danger(p); got != want {
		c.Errorf("%s: Danger is %t, but after a pass the opponent wins at once: %t", p, got, want)
	}
}

// after returns the position after a move.
func after(p game.Position, m game.Move) game.Position {
	next := p.Clone()
	next.Play(m)
	return next
}
