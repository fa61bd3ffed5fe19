// Package puzzles makes puzzles from games between engines; package puzzle keeps and proves them.
package puzzles

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
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
	players [2]engine.Player // the weak one and the strong one
	search  engine.Searcher  // measures the effort
	moves   int              // fewest legal moves at the first turn
}

// Bounds of the games that puzzles come from.
const (
	maxPlies     = 300
	fewestRandom = 2
	randomRange  = 8
	minMoves     = 4 // legal moves at the first turn, so that there is something to find
	minMovesEasy = 3
	maxAhead     = 5 // pawns by which the solver may be ahead in chess: beyond that, the win is routine
)

// NewMaker returns a maker of puzzles.
func NewMaker(g game.Game, seed uint64) (*Maker, error) {
	m := &Maker{game: g, seed: seed, source: bots.ProfileFor(g).Puzzles, moves: minMoves}
	if m.source.Strong == 0 {
		return nil, fmt.Errorf("puzzles of %s: the game has no source of puzzles", g.Name)
	}
	if k := bots.ProfileFor(g).Knowledge; k != nil {
		m.know = k()
	}
	var err error
	for i, level := range []int{m.source.Weak, m.source.Strong} {
		m.players[i], err = bots.NewPlayer("level:"+strconv.Itoa(level), g, bots.Options{Megabytes: 1})
		if err != nil {
			return nil, fmt.Errorf("puzzles of %s: %w", g.Name, err)
		}
	}
	if m.search, err = bots.Searcher(g, bots.Options{Megabytes: effortMegabytes}); err != nil {
		return nil, fmt.Errorf("puzzles of %s: %w", g.Name, err)
	}
	return m, nil
}

// Easy makes the maker look for puzzles for beginners: nearer the end of games, and with an immediate
// win where puzzles include the last turn.
func (m *Maker) Easy() {
	m.moves, m.source.Last = minMovesEasy, m.source.Last/2
	if m.source.Turns > 0 && !m.source.SkipLast {
		m.winAtOnce()
	}
}

func (m *Maker) winAtOnce() { m.source.Fewest, m.source.Turns, m.source.Horizon = 1, 1, 1 }

// Make plays the game with a number, from 0, and returns a puzzle from its last plies: the one that
// begins earliest. In chess it prefers a first move that neither captures nor gives check. ok is false
// if the game has no puzzle.
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
		if !m.promising(ctx, at) {
			continue
		}
		next, found, err := m.proved(ctx, at)
		if err != nil {
			return puzzle.Puzzle{}, false, fmt.Errorf("game %d: %w", number, err)
		}
		if found && (!ok || !loud(&next)) {
			p, ok = next, true
		}
		if ok && !loud(&p) {
			break
		}
	}
	p.Options, p.Seed, p.Source = m.game.FormatSetup(setup), m.seed, number
	return p, ok, nil
}

// promisingNodes is how many positions promising searches.
const promisingNodes = 20_000

// promising reports whether a short search proves a win. This is much faster than proving that there is no
// win. In games won by counting, all positions are promising.
func (m *Maker) promising(ctx context.Context, at game.Position) bool {
	if m.source.Turns == 0 {
		return true
	}
	m.search.Reset()
	return m.search.Search(ctx, engine.At(game.NewMatch(m.game, at)), engine.Limit{Nodes: promisingNodes}, nil).Score > engine.MaxEval
}

// loud reports whether the first move of a chess puzzle captures or gives check.
func loud(p *puzzle.Puzzle) bool {
	return slices.Contains(p.Themes, themeCheck) || p.Game == "chess" && slices.Contains(p.Themes, themeCapture)
}

// Rebuild makes a puzzle from an old one's position: it proves the solution again and computes the
// themes again. In chess it removes pieces if the solver is too far ahead. ok is false if the position
// has no puzzle. Rebuild does not replay the games, because they change with the engines.
func (m *Maker) Rebuild(ctx context.Context, old *puzzle.Puzzle) (p puzzle.Puzzle, ok bool, err error) {
	at, err := old.Begin(m.game)
	if err != nil {
		return puzzle.Puzzle{}, false, err
	}
	if m.prover, err = bots.NewProver(m.game, puzzle.ProverMegabytes); err != nil { // as in Make
		return puzzle.Puzzle{}, false, fmt.Errorf("puzzle %s: %w", old.ID, err)
	}
	if old.WinsIn == 1 {
		defer func(s bots.PuzzleSource) { m.source = s }(m.source)
		m.winAtOnce()
	}
	if p, ok, err = m.lightened(ctx, at); err != nil {
		return puzzle.Puzzle{}, false, fmt.Errorf("puzzle %s: %w", old.ID, err)
	}
	p.Options, p.Seed, p.Source = old.Options, old.Seed, old.Source
	return p, ok, nil
}

// proved makes a puzzle from a position. ok is false if the position has none, if the solver is too far
// ahead, or if the proof takes too long.
func (m *Maker) proved(ctx context.Context, at game.Position) (p puzzle.Puzzle, ok bool, err error) {
	if m.lead(at) > maxAhead {
		return puzzle.Puzzle{}, false, nil
	}
	p, ok, err = m.build(ctx, at)
	if errors.Is(err, bots.ErrUnproved) {
		return puzzle.Puzzle{}, false, nil
	}
	return p, ok, err
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
	players := m.players
	if r.IntN(2) == 1 {
		players[0], players[1] = players[1], players[0]
	}
	for _, p := range players {
		p.NewGame(r.Uint64())
	}
	random := fewestRandom + r.IntN(randomRange)
	for ply := 0; ply < maxPlies && !match.Over(); ply++ {
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
		if ply >= first && p.Turn() != last && len(p.Moves(nil)) >= m.moves {
			list = append(list, p.Clone())
		}
		last = p.Turn()
		ply++
	}
	return list
}
