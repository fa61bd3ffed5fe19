package reversi

import (
	"iter"
	"math/rand/v2"

	"quintet/game"
	"quintet/protocol/check"
	"quintet/record/ggf"
)

// checker implements what the clauses of both protocols share. Games begin in the
// standard position.
type checker struct {
	game   game.Game
	start  game.Position
	random *rand.PCG
}

func newChecker(g game.Game, start game.Position, seed uint64) (*checker, error) {
	p, err := standardStart(g, ggf.Size(start))
	if err != nil {
		return nil, err
	}
	return &checker{game: g, start: p, random: rand.NewPCG(seed, 0)}, nil
}

// walk plays a random game: it yields the match at each non-terminal position, with the
// next move.
func (c *checker) walk(s *check.Session) iter.Seq2[*game.Match, game.Move] {
	return func(yield func(*game.Match, game.Move) bool) {
		m := game.NewMatch(c.game, c.start)
		for !m.Outcome().Result.Over() {
			next := game.Sample(m.Position(), c.random, nil)
			if !yield(m, next) {
				return
			}
			s.Check(m.Play(next))
		}
	}
}

// passing returns a random match at a forced pass, or skips the clause.
func (c *checker) passing(s *check.Session) *game.Match {
	for range 200 {
		for m, next := range c.walk(s) {
			if next == game.Pass {
				return m
			}
		}
	}
	s.Skip("no random game has a pass")
	return nil
}

// legal fails unless the answer is a legal move, and returns it.
func legal(s *check.Session, p game.Position, answer string) game.Move {
	mv, err := ggf.Parse(p, answer)
	if err != nil {
		s.Failf("%q at %q: %w", answer, p, err)
	}
	return mv
}
