// Package missedwins makes the positions on which tactics of the engine are tested: in each is a
// win that a level of the engine misses and a deeper search proves.
package missedwins

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
)

// Command returns the command.
func Command() *cobra.Command {
	var m maker
	var level int
	c := &cobra.Command{
		Use:   "missedwins GAME",
		Short: "Make positions whose wins a level misses",
		Long: `Missedwins lets the engine play games against itself from random openings until a score proves
a win. Then it searches the winner's positions before, from the last backwards: with the nodes of
the level until that proves no win, and this position again with many nodes. If that proves one,
the position is kept, with the nodes it took and a line to the end of the game. The same flags
and the same engine give the same suite.`,
		Example: "  lab missedwins --seed 1 --count 24 chess > bots/testdata/chess_missed_wins.jsonl",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := m.prepare(args[0], level); err != nil {
				return err
			}
			return m.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.Uint64Var(&m.seed, "seed", 1, "seed of the openings")
	f.IntVar(&m.count, "count", 24, "positions to find")
	f.IntVar(&level, "level", 9, "level that misses the wins")
	f.Uint64Var(&m.deep, "nodes", 400_000, "positions of a search that must prove the win")
	return c
}

// maker makes a suite.
type maker struct {
	seed  uint64
	count int
	weak  uint64 // nodes of the level
	deep  uint64

	game   game.Game
	search engine.Searcher
}

// win is a line of the suite.
type win struct {
	Position string `json:"position"`
	Nodes    uint64 `json:"nodes"` // after which a search of the engine that made the suite proves the win
	Line     string `json:"line"`  // to the end of the game, separated by spaces
}

// Limits of a game.
const (
	openingPlies = 8
	gameNodes    = 1_000 // of each move
	gamePlies    = 240
	backwards    = 12 // plies before the proof that are searched
	longestLine  = 40 // plies
)

// prepare sets the game of a name, the nodes of a level, and the search.
func (m *maker) prepare(name string, level int) (err error) {
	if m.count < 1 || m.deep < 1 {
		return fmt.Errorf("count %d, nodes %d: expected at least 1 and 1", m.count, m.deep)
	}
	if m.game, err = games.ByName(name); err != nil {
		return fmt.Errorf("choosing a game: %w", err)
	}
	if level < 1 || level > bots.Levels || bots.ProfileFor(m.game).Levels[level-1].Nodes == 0 {
		return fmt.Errorf("level %d of %s: expected one with a limit of nodes", level, m.game.Name)
	}
	m.weak = bots.ProfileFor(m.game).Levels[level-1].Nodes
	m.search, err = bots.Searcher(m.game, bots.Options{})
	return err //nolint:wrapcheck // it says what failed
}

// run writes the suite.
func (m *maker) run(ctx context.Context, out, report io.Writer) error {
	for i, found := uint64(0), 0; found < m.count; i++ {
		w, err := m.find(ctx, rand.NewPCG(m.seed, i))
		if ctx.Err() != nil {
			return fmt.Errorf("making the suite: %w", ctx.Err())
		}
		if errors.Is(err, errNone) {
			continue
		}
		if err != nil {
			return err
		}
		if err := json.NewEncoder(out).Encode(w); err != nil {
			return fmt.Errorf("writing the suite: %w", err)
		}
		found++
		_, _ = fmt.Fprintf(report, "game %d: %d nodes, %d plies\n", i+1, w.Nodes, len(strings.Fields(w.Line)))
	}
	return nil
}

// errNone says that a game has no position for the suite.
var errNone = errors.New("no such position")

// find plays a game and returns its position for the suite.
func (m *maker) find(ctx context.Context, r *rand.PCG) (win, error) {
	positions, err := m.play(ctx, r)
	if err != nil {
		return win{}, err
	}
	last := len(positions) - 1
	for i := last; i >= max(last-backwards, 0); i-- {
		if positions[i].Turn() != positions[last].Turn() {
			continue
		}
		if _, proved := m.proof(ctx, positions[i], m.weak); proved {
			continue
		}
		nodes, proved := m.proof(ctx, positions[i], m.deep)
		if !proved {
			break
		}
		line, err := m.line(ctx, positions[i])
		return win{positions[i].String(), nodes, line}, err
	}
	return win{}, errNone
}

// play plays a game until a score proves a win, and returns its positions up to the last
// with the winner to move.
func (m *maker) play(ctx context.Context, r *rand.PCG) ([]game.Position, error) {
	start, err := m.game.Start(nil)
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", m.game.Name, err)
	}
	match := game.NewMatch(m.game, start)
	for range openingPlies {
		if mv := game.Sample(match.Position(), r, nil); mv == 0 || match.Play(mv) != nil {
			return nil, errNone
		}
	}
	m.search.Reset()
	var positions []game.Position
	for !match.Over() && len(positions) < gamePlies {
		line := m.search.Search(ctx, engine.At(match), engine.Limit{Nodes: gameNodes}, nil)
		if line.Score < -engine.MaxEval {
			return positions, nil
		}
		positions = append(positions, match.Position())
		if line.Score > engine.MaxEval {
			return positions, nil
		}
		if err := match.Play(line.Best()); err != nil {
			return nil, fmt.Errorf("playing: %w", err)
		}
	}
	return nil, errNone
}

// proof searches a position with an empty table, and returns the nodes after which it
// proves a win of the side to move.
func (m *maker) proof(ctx context.Context, p game.Position, nodes uint64) (used uint64, proved bool) {
	m.search.Reset()
	line := m.search.Search(ctx, engine.Position{Position: p, Repeat: m.game.Repeat}, engine.Limit{Nodes: nodes}, func(l engine.Line) {
		if !proved && l.Score > engine.MaxEval {
			used, proved = l.Nodes, true
		}
	})
	return used, proved && line.Score > engine.MaxEval
}

// line lets both sides play to the end, and returns the moves. The side to move must win.
func (m *maker) line(ctx context.Context, p game.Position) (string, error) {
	match, winner := game.NewMatch(m.game, p), p.Turn()
	var moves []string
	for !match.Over() && len(moves) < longestLine {
		at := match.Position()
		best := m.search.Search(ctx, engine.At(match), engine.Limit{Nodes: m.deep}, nil).Best()
		moves = append(moves, at.Format(best))
		if err := match.Play(best); err != nil {
			return "", fmt.Errorf("playing: %w", err)
		}
	}
	if side, ok := match.Outcome().Result.Winner(); !ok || side != winner {
		return "", errNone
	}
	return strings.Join(moves, " "), nil
}
