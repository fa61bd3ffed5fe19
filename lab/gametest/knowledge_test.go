package gametest

import (
	"testing"

	"pgregory.net/rapid"

	"quintet/engine"
	"quintet/game"
)

// noMoves is a hook that appends nothing.
func noMoves(_ game.Position, buf []game.Move) []game.Move { return buf }

// legal is a hook that appends all moves.
func legal(p game.Position, buf []game.Move) []game.Move { return p.Moves(buf) }

// TestKnowledgeContract breaks the contract of engine.Knowledge in every way that the check finds.
func TestKnowledgeContract(t *testing.T) {
	no := func(game.Position) bool { return false }
	yes := func(game.Position) bool { return true }
	always := func(game.Position, game.Move) bool { return true }
	never := func(game.Position, game.Move) bool { return false }
	number := func(n int) func(game.Position, game.Move) int { return func(game.Position, game.Move) int { return n } }
	for finding, know := range map[string]engine.Knowledge{
		"Eval must be set":                    {},
		"beyond MaxEval":                      {Eval: func(game.Position) int { return engine.MaxEval + 1 }},
		"Danger needs Candidates":             {Danger: no},
		"Threat needs Danger":                 {Threat: never},
		"Tactics needs Noisy and Order":       {Tactics: noMoves, Noisy: never},
		"Gain needs Noisy":                    {Gain: number(1)},
		"Margin must not be negative":         {Margin: -1},
		"no Candidates, but":                  {Candidates: noMoves},
		"which comes twice":                   {Candidates: func(p game.Position, buf []game.Move) []game.Move { return legal(p, legal(p, buf)) }},
		"or is not legal":                     {Candidates: func(_ game.Position, buf []game.Move) []game.Move { return append(buf, game.Put(77)) }},
		"want it behind what the buffer held": {Candidates: func(p game.Position, _ []game.Move) []game.Move { return p.Moves(nil) }},
		"a pass is Noisy":                     {Noisy: always},
		"is 1001, want -1000 to 1000":         {Order: number(1001)},
		"is among Tactics, but neither":       {Tactics: legal, Noisy: never, Order: number(0)},
		"after a pass the opponent wins":      {Danger: yes, Candidates: legal},
		"Threat of ":                          {Danger: no, Threat: always, Candidates: legal},
		" has become ":                        {Eval: func(p game.Position) int { p.Play(p.Moves(nil)[0]); return 0 }},
	} {
		if know.Eval == nil && finding != "Eval must be set" {
			know.Eval = func(game.Position) int { return 0 }
		}
		wantFinding(t, failures(func(t rapid.TB) { CheckKnowledge(t, fillGame(), know) }), finding)
	}
	g := fillGame()
	g.Passable = false
	know := engine.Knowledge{Eval: func(game.Position) int { return 0 }, Null: yes}
	wantFinding(t, failures(func(t rapid.TB) { CheckKnowledge(t, g, know) }), "Null needs a game that is Passable")
}
