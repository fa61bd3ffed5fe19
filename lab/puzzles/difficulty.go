package puzzles

import (
	"context"
	"fmt"

	"quintet/engine"
	"quintet/game"
	"quintet/learn/puzzle"
)

// How often a level tries a puzzle, and how often it must find the solution.
const (
	levelTries  = 3
	levelSolves = 2
)

// difficulty returns the lowest level that finds the whole solution in most tries, or
// one more than the highest level that tries.
func (m *Maker) difficulty(ctx context.Context, p *puzzle.Puzzle, start game.Position) (int, error) {
	for i, player := range m.players {
		solved := 0
		for seed := range uint64(levelTries) {
			player.NewGame(seed)
			ok, err := m.solves(ctx, player, p, start)
			if err != nil {
				return 0, fmt.Errorf("level %d: %w", i+1, err)
			}
			if ok {
				solved++
			}
		}
		if solved >= levelSolves {
			return i + 1, nil
		}
	}
	return len(m.players) + 1, nil
}

// solves reports whether a player finds every turn of the solution.
func (m *Maker) solves(ctx context.Context, player engine.Player, p *puzzle.Puzzle, start game.Position) (bool, error) {
	match := game.NewMatch(m.game, start)
	for _, t := range p.Turns {
		var played []string
		for range t.Moves {
			mv, err := player.Choose(ctx, match, engine.Limit{})
			if err != nil {
				return false, fmt.Errorf("choosing: %w", err)
			}
			if played = append(played, match.Position().Format(mv)); !t.Begins(played) {
				return false, nil
			}
			if err := match.Play(mv); err != nil {
				return false, fmt.Errorf("choosing: %w", err)
			}
		}
		for _, text := range t.Reply {
			if err := match.PlayText(text); err != nil {
				return false, fmt.Errorf("replying: %w", err)
			}
		}
	}
	return true, nil
}
