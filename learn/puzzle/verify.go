package puzzle

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quintet/bots"
	"quintet/game"
)

// Verifier proves puzzles of one game.
type Verifier struct {
	game   game.Game
	prover bots.Prover
}

// ProverMegabytes is the size of the tables for proofs.
const ProverMegabytes = 16

// NewVerifier returns a verifier.
func NewVerifier(g game.Game) (*Verifier, error) {
	if bots.ProfileFor(g).Puzzles.Strong == 0 {
		return nil, fmt.Errorf("puzzles of %s: the game has no source of puzzles", g.Name)
	}
	prover, err := bots.NewProver(g, ProverMegabytes)
	if err != nil {
		return nil, fmt.Errorf("puzzles of %s: %w", g.Name, err)
	}
	return &Verifier{g, prover}, nil
}

// Verify proves that the moves of every turn of the solution are the only ones that
// win, that the replies are legal, and that each refutation refutes. The error names
// the first claim that does not hold.
func (v *Verifier) Verify(ctx context.Context, p *Puzzle) error {
	at, err := p.Begin(v.game)
	if err != nil {
		return err
	}
	for i := range p.Turns {
		if at, err = v.turn(ctx, p, i, at); err != nil {
			return fmt.Errorf("puzzle %s, turn %d: %w", p.ID, i+1, err)
		}
	}
	return nil
}

// Begin returns the position of a puzzle, and checks the puzzle's game, identifier and side.
func (p *Puzzle) Begin(of game.Game) (game.Position, error) {
	g, at, err := p.Start()
	switch {
	case err != nil:
		return nil, err
	case g.Name != of.Name:
		return nil, fmt.Errorf("puzzle %s is of %s, not of %s", p.ID, g.Name, of.Name)
	case p.ID != ID(g, at):
		return nil, fmt.Errorf("puzzle %s: the position has the ID %s", p.ID, ID(g, at))
	case len(p.Turns) == 0 || at.Turn().String() != p.Side:
		return nil, fmt.Errorf("puzzle %s: expected turns of the %s side", p.ID, at.Turn())
	}
	return at, nil
}

// Check checks the form of a puzzle of a game, which may come from anyone: its position,
// its identifier, and that the moves of the solution are legal. It proves nothing.
func (p *Puzzle) Check(of game.Game) error {
	at, err := p.Begin(of)
	if err != nil {
		return err
	}
	for i, t := range p.Turns {
		if _, err := game.PlayTexts(at, slices.Concat(t.Moves, t.Reply)); err != nil {
			return fmt.Errorf("puzzle %s, turn %d: %w", p.ID, i+1, err)
		}
	}
	return nil
}

// turn proves a turn and returns the position after the reply.
func (v *Verifier) turn(ctx context.Context, p *Puzzle, i int, at game.Position) (game.Position, error) {
	turns, t := max(p.WinsIn-i, p.Horizon), &p.Turns[i]
	winning, err := v.prover.Winning(ctx, at, turns)
	if err != nil {
		return nil, fmt.Errorf("proving: %w", err)
	}
	if len(winning) != 1 || !t.Solves(game.FormatMoves(at, winning[0])) {
		return nil, fmt.Errorf("%d turns win, expected %q alone", len(winning), t.Moves)
	}
	if p.WinsIn > 0 {
		n, err := v.prover.WinsIn(ctx, at, turns)
		if err != nil {
			return nil, fmt.Errorf("proving: %w", err)
		}
		if n != p.WinsIn-i {
			return nil, fmt.Errorf("it wins in %d turns, expected %d", n, p.WinsIn-i)
		}
	}
	if err := v.refutations(ctx, at, t, winning[0], turns-1); err != nil {
		return nil, err
	}
	next := at.Clone()
	if _, err := game.PlayTexts(next, slices.Concat(t.Moves, t.Reply)); err != nil {
		return nil, err
	}
	if i < len(p.Turns)-1 && next.Turn() != at.Turn() {
		return nil, errors.New("the solution continues in the opponent's turn")
	}
	return next, nil
}

// refutations proves that every wrong move has a refutation, and that it refutes. In
// games of several moves a turn it only checks that there are replies to play.
func (v *Verifier) refutations(ctx context.Context, at game.Position, t *Turn, winning []game.Move, turns int) error {
	if len(winning) > 1 {
		if reply, ok := t.Refutation(nil); !ok || len(reply) <= len(winning) {
			return fmt.Errorf("the reply %q to all other turns: expected more cells than a turn has", reply)
		}
		return nil
	}
	for _, m := range at.Moves(nil) {
		if m == winning[0] {
			continue
		}
		reply, ok := t.Refutation([]string{at.Format(m)})
		if !ok {
			return fmt.Errorf("%s has no refutation", at.Format(m))
		}
		after := PlayTurn(at, []game.Move{m})
		if after.Result() == game.Win(at.Turn()) {
			return fmt.Errorf("%s wins at once", at.Format(m))
		}
		if _, err := game.PlayTexts(after, reply); err != nil {
			return fmt.Errorf("the refutation of %s: %w", at.Format(m), err)
		}
		if err := v.lost(ctx, after, at.Turn(), turns); err != nil {
			return fmt.Errorf("%s, refuted by %q: %w", at.Format(m), reply, err)
		}
	}
	return nil
}

// lost proves that the side that solves does not win after a refutation.
func (v *Verifier) lost(ctx context.Context, p game.Position, side game.Side, turns int) error {
	switch {
	case p.Result() == game.Win(side):
		return errors.New("it wins")
	case p.Result().Over() || p.Turn() != side || turns < 1:
		return nil
	}
	winning, err := v.prover.Winning(ctx, p, turns)
	if err != nil {
		return fmt.Errorf("proving: %w", err)
	}
	if len(winning) > 0 {
		return fmt.Errorf("%s still wins", game.FormatMoves(p, winning[0]))
	}
	return nil
}
