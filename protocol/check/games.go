package check

import (
	"iter"
	"math/rand/v2"

	"quintet/game"
)

// Games are random games from a position, for clauses that follow one.
type Games struct {
	Game   game.Game
	Start  game.Position
	Random *rand.PCG
}

// Walk plays a random game: it yields the match at each non-terminal position, with the
// next move.
func (g Games) Walk(s *Session) iter.Seq2[*game.Match, game.Move] {
	return func(yield func(*game.Match, game.Move) bool) {
		m := game.NewMatch(g.Game, g.Start)
		for !m.Over() {
			next := game.Sample(m.Position(), g.Random, nil)
			if !yield(m, next) {
				return
			}
			s.Check(m.Play(next))
		}
	}
}

// Passing returns a random match at a forced pass, or skips the clause.
func (g Games) Passing(s *Session) *game.Match {
	for range 200 {
		for m, next := range g.Walk(s) {
			if next == game.Pass {
				return m
			}
		}
	}
	s.Skip("no random game has a pass")
	return nil
}
