// Package puzzles makes puzzles from games between engines; package puzzle keeps and proves them.
package puzzles

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/learn/puzzle"
)

// Maker makes puzzles of one game from games of a weak level against a strong one. The puzzle of
// a game depends only on the seed and the game's number.
type Maker struct {
	game    game.Game
	seed    uint64
	source  bots.PuzzleSource
	prover  bots.Prover
	know    engine.Knowledge // Danger may be nil
	players [puzzle.Difficulties - 1]engine.Player
}

// Bounds of the games that puzzles come from.
const (
	maxPlies     = 300
	fewestRandom = 2
	randomRange  = 8
	minMoves     = 4 // legal moves at the first turn, so that there is something to find
)

// NewMaker returns a maker of puzzles.
func NewMaker(g game.Game, seed uint64) (*Maker, error) {
	m := &Maker{game: g, seed: seed, source: bots.ProfileFor(g).Puzzles}
	if m.source.Strong == 0 {
		return nil, fmt.Errorf("puzzles of %s: the game has no source of puzzles", g.Name)
	}
	if k := bots.ProfileFor(g).Knowledge; k != nil {
		m.know = k()
	}
	var err error
	for i := range m.players {
		m.players[i], err = bots.NewPlayer("level:"+strconv.Itoa(i+1), g, bots.Options{Megabytes: 1})
		if err != nil {
			return nil, fmt.Errorf("puzzles of %s: %w", g.Name, err)
		}
	}
	return m, nil
}

// Make plays the game with a number, from 0, and returns its hardest puzzle: the one
// that begins earliest among the last plies. ok is false if the game has no puzzle.
func (m *Maker) Make(ctx context.Context, number int) (p puzzle.Puzzle, ok bool, err error) {
	if m.prover, err = bots.NewProver(m.game, puzzle.ProverMegabytes); err != nil { // the tables of an old one know other games
		return puzzle.Puzzle{}, false, fmt.Errorf("game %d: %w", number, err)
	}
	r := rand.New(rand.NewPCG(m.seed, uint64(number)))
	setup := m.setup(number)
	match, err := m.play(ctx, r, setup)
	if err != nil {
		return puzzle.Puzzle{}, false, fmt.Errorf("game %d: %w", number, err)
	}
	for _, at := range m.positions(match) {
		p, ok, err = m.measured(ctx, at)
		if err != nil {
			return puzzle.Puzzle{}, false, fmt.Errorf("game %d: %w", number, err)
		}
		if ok {
			p.Options, p.Seed, p.Source = m.game.FormatSetup(setup), m.seed, number
			return p, true, nil
		}
	}
	return puzzle.Puzzle{}, false, nil
}

// Rebuild makes a puzzle of the position of another one: it proves the solution again, and the
// themes and the difficulty are those of the present program. ok is false if the position has no
// puzzle. The games change with the engines, but a position that was once found stays a puzzle.
func (m *Maker) Rebuild(ctx context.Context, old *puzzle.Puzzle) (p puzzle.Puzzle, ok bool, err error) {
	at, err := old.Begin(m.game)
	if err != nil {
		return puzzle.Puzzle{}, false, err
	}
	if m.prover, err = bots.NewProver(m.game, puzzle.ProverMegabytes); err != nil { // as in Make
		return puzzle.Puzzle{}, false, fmt.Errorf("puzzle %s: %w", old.ID, err)
	}
	if p, ok, err = m.measured(ctx, at); err != nil {
		return puzzle.Puzzle{}, false, fmt.Errorf("puzzle %s: %w", old.ID, err)
	}
	p.Options, p.Seed, p.Source = old.Options, old.Seed, old.Source
	return p, ok, nil
}

// measured makes a puzzle of a position, with its difficulty. ok is false if the position
// has none, or if the proof takes too long.
func (m *Maker) measured(ctx context.Context, at game.Position) (p puzzle.Puzzle, ok bool, err error) {
	p, ok, err = m.build(ctx, at)
	if errors.Is(err, bots.ErrUnproved) {
		return puzzle.Puzzle{}, false, nil
	}
	if err != nil || !ok {
		return puzzle.Puzzle{}, false, err
	}
	p.Difficulty, err = m.difficulty(ctx, &p, at)
	return p, err == nil, err
}

func (m *Maker) setup(number int) game.Setup {
	if len(m.source.Setups) == 0 {
		return nil
	}
	return m.source.Setups[number%len(m.source.Setups)]
}

// play plays a game: some random moves, then the weak level against the strong one.
func (m *Maker) play(ctx context.Context, r *rand.Rand, setup game.Setup) (*game.Match, error) {
	start, err := m.game.Start(setup)
	if err != nil {
		return nil, fmt.Errorf("starting: %w", err)
	}
	match := game.NewMatch(m.game, start)
	players := [2]engine.Player{m.players[m.source.Weak-1], m.players[m.source.Strong-1]}
	if r.IntN(2) == 1 {
		players[0], players[1] = players[1], players[0]
	}
	for _, p := range players {
		p.NewGame(r.Uint64())
	}
	random := fewestRandom + r.IntN(randomRange)
	for ply := 0; ply < maxPlies && !match.Outcome().Result.Over(); ply++ {
		var mv game.Move
		if moves := match.Legal(); ply < random {
			mv = moves[r.IntN(len(moves))]
		} else if mv, err = players[match.Position().Turn()].Choose(ctx, match, engine.Limit{}); err != nil {
			return nil, fmt.Errorf("playing: %w", err)
		}
		if err := match.Play(mv); err != nil {
			return nil, fmt.Errorf("playing: %w", err)
		}
	}
	return match, nil
}

// positions returns the positions of the last plies in which a turn begins with enough
// legal moves.
func (m *Maker) positions(match *game.Match) (list []game.Position) {
	first, ply := max(len(match.Moves())-m.source.Last, 1), 0
	last := game.Side(2) // no side
	for p := range match.Replay() {
		if ply >= first && p.Turn() != last && len(p.Moves(nil)) >= minMoves {
			list = append(list, p.Clone())
		}
		last = p.Turn()
		ply++
	}
	return list
}
