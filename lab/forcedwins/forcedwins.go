// Package forcedwins makes the positions on which the search for forced wins in Connect6 is
// tested: each with a certificate of its win, which the command also checks.
package forcedwins

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/spf13/cobra"

	search "quintet/bots/connect6"

	"quintet/bots/connect6/certificate"
	"quintet/engine"
	"quintet/game"
	"quintet/games/connect6"
	"quintet/lab/openings"
	"quintet/lab/proofcheck"
)

// Command returns the command.
func Command() *cobra.Command {
	m := maker{fewest: fewestTurns}
	var check, positions string
	c := &cobra.Command{
		Use:   "forcedwins",
		Short: "Make or check forced wins of Connect6 with certificates",
		Long: `Forcedwins lets the engine play games against itself from random openings on boards of several
sizes. The first position of a game from which the side to move is proved to win is kept if the
win is long enough or leaves the defender a free stone. The same flags and the same engine give
the same set. With --positions, it proves given positions instead.`,
		Example: `  lab forcedwins --seed 1 --count 50 > bots/connect6/testdata/forcedwins.jsonl
  lab forcedwins --check bots/connect6/testdata/forcedwins.jsonl
  lab forcedwins --positions FILE`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case check != "":
				return checkFile(check, c.OutOrStdout())
			case positions != "":
				text, err := os.ReadFile(positions) //nolint:gosec // the user names the file
				if err != nil {
					return fmt.Errorf("reading the positions: %w", err)
				}
				return m.proveAll(c.Context(), string(text), c.OutOrStdout())
			}
			return m.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.StringVar(&check, "check", "", "check the set in this `file` instead")
	f.StringVar(&positions, "positions", "", "prove the positions in this `file` instead, one a line")
	f.Uint64Var(&m.seed, "seed", 1, "seed of the games")
	f.IntVar(&m.count, "count", 50, "positions to find")
	f.Uint64Var(&m.nodes, "nodes", 100_000, "positions of each proof")
	return c
}

// win is a line of the set.
type win struct {
	Position    string `json:"position"`
	Turns       int    `json:"turns"` // of the winner in the longest line
	Free        int    `json:"free"`  // turns in a line at most that one stone answers
	Certificate string `json:"certificate"`
}

// checkFile verifies every certificate of a file.
func checkFile(name string, out io.Writer) error {
	text, err := os.ReadFile(name) //nolint:gosec // the user names the file
	if err != nil {
		return fmt.Errorf("reading the set: %w", err)
	}
	n, long, free := 0, 0, 0
	for line := range bytes.Lines(text) {
		var w win
		if err := json.Unmarshal(line, &w); err != nil {
			return fmt.Errorf("position %d: %w", n+1, err)
		}
		if err := w.check(); err != nil {
			return fmt.Errorf("position %d, %s: %w", n+1, w.Position, err)
		}
		n++
		long += min(w.Turns/longTurns, 1)
		free += min(w.Free, 1)
	}
	_, err = fmt.Fprintf(out, "%d wins hold: %d in %d turns or more, %d with free stones\n", n, long, longTurns, free)
	return err
}

func (w win) check() error {
	p, err := connect6.Game.Read(w.Position)
	if err != nil {
		return err
	}
	q := p.(*connect6.Position)
	tree, err := proofcheck.Parse(q.Size(), w.Certificate)
	if err != nil {
		return err
	}
	got, err := proofcheck.Verify(q, tree)
	if err == nil && (got.Turns != w.Turns || got.Free != w.Free) {
		err = fmt.Errorf("the win takes %d turns, %d of them with a free stone, not %d and %d", got.Turns, got.Free, w.Turns, w.Free)
	}
	return err
}

// sizes are those of the boards.
var sizes = [...]int{19, 15, 19, 13, 19, 11, 26, 9}

const (
	openingStones = 7
	openingReach  = 2      // rows and columns from another stone at most
	gameNodes     = 1_000  // of each turn
	longTurns     = 8      // from which on a win is long
	maxText       = 20_000 // bytes of a certificate
)

// fewestTurns are those of a win without and with free stones.
var fewestTurns = [2]int{longTurns, 4}

// maker makes a set.
type maker struct {
	seed   uint64
	count  int
	nodes  uint64
	fewest [2]int // turns of a win without and with free stones
}

// run writes the set. Half of it are long wins, half have free stones.
func (m *maker) run(ctx context.Context, out, report io.Writer) error {
	left := [2]int{m.count - m.count/2, m.count / 2}
	s := search.New(16)
	for i := uint64(0); left[0]+left[1] > 0; i++ {
		w, ok := m.find(ctx, s, rand.NewPCG(m.seed, i), sizes[i%uint64(len(sizes))])
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("making the set: %w", err)
		}
		kind := min(w.Free, 1)
		if !ok || left[kind] == 0 || w.Turns < m.fewest[kind] || len(w.Certificate) > maxText {
			continue
		}
		left[kind]--
		if err := json.NewEncoder(out).Encode(w); err != nil {
			return fmt.Errorf("writing the set: %w", err)
		}
		_, _ = fmt.Fprintf(report, "game %d: %d turns, %d with a free stone; %v to find\n", i+1, w.Turns, w.Free, left)
	}
	return nil
}

// find plays a game and returns the win in its first position that has one.
func (m *maker) find(ctx context.Context, s *search.Search, r *rand.PCG, size int) (win, bool) {
	p, err := connect6.Start(size)
	if err != nil {
		panic(err) // the size is valid
	}
	p.Play(game.Put(game.Cell(size * size / 2)))
	for p.Count() > size*size-openingStones {
		near := openings.NearMoves(p, openingReach)
		p.Play(near[game.IntN(r, len(near))])
	}
	s.Reset()
	for !p.Result().Over() && ctx.Err() == nil {
		if p.Left() == connect6.PerTurn {
			if proof, err := s.Prove(ctx, p, m.nodes); err == nil && proof.Certificate != nil {
				w, err := describe(p, proof.Certificate)
				return w, err == nil
			}
		}
		line := s.Search(ctx, engine.Position{Position: p}, engine.Limit{Nodes: gameNodes}, nil)
		p.Play(line.Best())
	}
	return win{}, false
}

func describe(p *connect6.Position, tree *certificate.Tree) (win, error) {
	got, err := proofcheck.Verify(p, tree)
	return win{Position: p.String(), Turns: got.Turns, Free: got.Free, Certificate: certificate.Format(p.Size(), tree)}, err
}

// proveAll writes the wins of positions, one a line. It fails if one of them has no win that is
// proved within the node limit.
func (m *maker) proveAll(ctx context.Context, text string, out io.Writer) error {
	s := search.New(16)
	for n, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		w, err := m.prove(ctx, s, line)
		if err != nil {
			return fmt.Errorf("position %d: %w", n+1, err)
		}
		if err := json.NewEncoder(out).Encode(w); err != nil {
			return fmt.Errorf("writing the set: %w", err)
		}
	}
	return nil
}

// prove proves the win of a position.
func (m *maker) prove(ctx context.Context, s *search.Search, text string) (win, error) {
	read, err := connect6.Game.Read(text)
	if err != nil {
		return win{}, err
	}
	s.Reset()
	p := read.(*connect6.Position)
	proof, err := s.Prove(ctx, p, m.nodes)
	if err != nil {
		return win{}, err //nolint:wrapcheck // it says what failed
	}
	if proof.Certificate == nil {
		return win{}, fmt.Errorf("no win is proved within %d positions", m.nodes)
	}
	return describe(p, proof.Certificate)
}
