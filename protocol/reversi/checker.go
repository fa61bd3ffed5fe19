package reversi

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"quintet/game"
	"quintet/protocol/check"
	"quintet/protocol/program"
	"quintet/record/ggf"
)

// checker implements what the clauses of both protocols share. Games begin in the
// standard position.
type checker struct {
	check.Limits
	game   game.Game
	start  game.Position
	random *rand.PCG
}

func newChecker(g game.Game, start game.Position, l check.Limits, seed uint64) (*checker, error) {
	p, err := standardStart(g, ggf.Size(start))
	if err != nil {
		return nil, err
	}
	return &checker{Limits: l, game: g, start: p, random: rand.NewPCG(seed, 0)}, nil
}

// errStopWalk stops a walk.
var errStopWalk = errors.New("enough")

// walk plays a random game and calls visit at each non-terminal position, with the
// next move.
func (c *checker) walk(visit func(m *game.Match, next game.Move) error) error {
	m := game.NewMatch(c.game, c.start)
	for !m.Outcome().Result.Over() {
		next := game.Sample(m.Position(), c.random, nil)
		if err := visit(m, next); err != nil {
			return err
		}
		if err := m.Play(next); err != nil {
			return fmt.Errorf("playing at random: %w", err)
		}
	}
	return nil
}

// passing returns a random match at a forced pass, or an error that wraps ErrSkip.
func (c *checker) passing() (found *game.Match, err error) {
	for range 200 {
		err := c.walk(func(m *game.Match, next game.Move) error {
			if next == game.Pass {
				found = m
				return errStopWalk
			}
			return nil
		})
		if errors.Is(err, errStopWalk) {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%w: no random game has a pass", check.ErrSkip)
}

// legal fails unless the answer is a legal move.
func legal(p game.Position, answer string) error {
	if _, err := ggf.Parse(p, answer); err != nil {
		return fmt.Errorf("%q at %q: %w", answer, p, err)
	}
	return nil
}

func (c *checker) silent(ctx context.Context, p *program.Program) error {
	return check.ExpectSilence(ctx, p, c.Pause)
}
