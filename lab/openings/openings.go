// Package openings finds openings of Connect6 that favour neither side, from which matches of
// engines start.
package openings

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games/connect6"
)

// Command returns the command.
func Command() *cobra.Command {
	f := finder{games: gameNodes[:]}
	var file string
	var keep bool
	var sample int
	c := &cobra.Command{
		Use:   "openings",
		Short: "Find or check balanced openings of Connect6",
		Long: `A candidate has a stone in the middle of the board, two random stones at most --distance rows
and columns from it or from each other, and two turns that the engine plays with random node
limits. It is kept if the engine finds it balanced in three steps: a search scores it within a
band around 0, the last iterations of a long search stay within the band, and each side wins one
of two games that the engine plays against itself with different node limits. The same flags and
the same engine give the same file. Openings of the file that --known names, and their mirror
images, are left out.

--check repeats the last two steps for a sample of a file, and prints what they find; with
--keep, it does so for the whole file and writes the openings that pass.`,
		Example: `  lab openings --seed 1 --count 21 > openings.txt
  lab openings --check bots/connect6_openings.txt`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case f.distance < 1:
				return fmt.Errorf("--distance %d: expected 1 or more", f.distance)
			case file != "":
				return f.checkFile(c.Context(), file, sample, keep, c.OutOrStdout())
			}
			return f.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	flags := c.Flags()
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the candidates")
	flags.IntVar(&f.count, "count", 21, "openings to find")
	flags.Uint64Var(&f.deep, "nodes", 2_500_000, "positions of the long search")
	flags.IntVar(&f.band, "band", 150, "largest score of a search, either way")
	flags.IntVar(&f.distance, "distance", 2, "rows and columns between a random stone and another stone, at most")
	flags.StringVar(&f.known, "known", "", "leave out the openings of this `file`")
	flags.StringVar(&file, "check", "", "check the openings of this `file` instead of finding new ones")
	flags.BoolVar(&keep, "keep", false, "with --check: write those that favour neither side")
	flags.IntVar(&sample, "sample", 30, "openings to check")
	return c
}

// boardSize is the size of the board of the openings.
const boardSize = 19

// gameNodes are the node limits of the games from a candidate.
var gameNodes = [...]uint64{100_000, 140_000}

// shallow is the node limit of the first search.
const shallow = 20_000

// settled is how many iterations at the end of the long search must stay within the band.
const settled = 3

// finder finds openings.
type finder struct {
	seed  uint64
	count int
	deep  uint64
	band  int

	distance int    // rows and columns between a random stone and another one, at most
	known    string // file of openings to leave out, or ""

	games []uint64 // node limits

	search engine.Searcher
	passed [4]int          // candidates that came so far
	seen   map[stones]bool // candidates without their mirror images
}

// run writes the openings, one a line.
func (f *finder) run(ctx context.Context, out, report io.Writer) error {
	var err error
	if f.search, err = newSearch(); err != nil {
		return err
	}
	if f.seen, err = readKnown(f.known); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "# Balanced openings of Connect6 on %d by %d, made by\n# go run ./cmd/lab openings %s\n", boardSize, boardSize, f.flags())
	for i := uint64(0); err == nil && f.passed[3] < f.count; i++ {
		m := f.candidate(ctx, rand.NewPCG(f.seed, i))
		board := canonical(m.Position().(*connect6.Position))
		ok := !f.seen[board] && f.balanced(ctx, m)
		f.seen[board] = true
		if err = ctx.Err(); err == nil && ok {
			_, err = fmt.Fprintln(out, textOf(m))
			_, _ = fmt.Fprintf(report, "%d of %d candidates: %v\n", f.passed[3], i+1, f.passed)
		}
	}
	return err
}

// flags returns the flags on which the openings depend.
func (f *finder) flags() string {
	text := fmt.Sprintf("--seed %d --count %d --nodes %d --band %d --distance %d", f.seed, f.count, f.deep, f.band, f.distance)
	if f.known != "" {
		text += " --known " + f.known
	}
	return text
}

// readKnown returns the boards after the openings of a file; none if it has no name.
func readKnown(path string) (map[stones]bool, error) {
	known := map[stones]bool{}
	if path == "" {
		return known, nil
	}
	text, err := os.ReadFile(path) //nolint:gosec // the user names the file
	if err != nil {
		return nil, fmt.Errorf("reading known openings: %w", err)
	}
	list, err := readOpenings(string(text))
	if err != nil {
		return nil, fmt.Errorf("reading known openings of %s: %w", path, err)
	}
	for _, m := range list {
		known[canonical(m.Position().(*connect6.Position))] = true
	}
	return known, nil
}

func newSearch() (engine.Searcher, error) {
	return bots.Searcher(connect6.Game, bots.Options{Megabytes: 32})
}

// What the engine plays of a candidate.
const (
	engineTurns = 2
	fewestNodes = 300  // a turn
	moreNodes   = 3000 // random, 0 to this minus 1
)

// candidate plays an opening.
func (f *finder) candidate(ctx context.Context, r *rand.PCG) *game.Match {
	start, err := connect6.Start(boardSize)
	if err != nil {
		panic(err) // the size is valid
	}
	m := game.NewMatch(connect6.Game, start)
	const middle = boardSize / 2
	must(m.Play(game.Put(middle*boardSize + middle)))
	for range connect6.PerTurn {
		near := NearMoves(m.Position().(*connect6.Position), f.distance)
		must(m.Play(near[game.IntN(r, len(near))]))
	}
	for range engineTurns {
		f.search.Reset()
		limit := engine.Limit{Nodes: fewestNodes + uint64(game.IntN(r, moreNodes))}
		for range connect6.PerTurn {
			must(m.Play(f.search.Search(ctx, engine.Position{Position: m.Position()}, limit, nil).Best()))
		}
	}
	return m
}

// NearMoves returns the moves to empty cells that are at most distance rows and columns from
// a stone; none on an empty board.
func NearMoves(p *connect6.Position, distance int) (moves []game.Move) {
	size := p.Size()
	for _, m := range p.Moves(nil) {
		row, col := int(m.To())/size, int(m.To())%size
		for y := max(row-distance, 0); y <= min(row+distance, size-1); y++ {
			stones := uint64(p.Row(game.First, y)|p.Row(game.Second, y)) << distance
			if stones>>col&(1<<(2*distance+1)-1) != 0 {
				moves = append(moves, m)
				break
			}
		}
	}
	return moves
}

// must panics on an error that cannot happen.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// balanced reports whether an opening favours neither side.
func (f *finder) balanced(ctx context.Context, m *game.Match) bool {
	for i, passes := range [...]func(context.Context, game.Position) bool{
		f.nearZero, f.staysNearZero, f.shared,
	} {
		f.passed[i]++
		if !passes(ctx, m.Position()) {
			return false
		}
	}
	f.passed[3]++
	return true
}

// nearZero reports whether a short search scores a position within the band.
func (f *finder) nearZero(ctx context.Context, p game.Position) bool {
	return f.inBand(f.scores(ctx, p, shallow, 1))
}

// staysNearZero reports whether a long search scores a position within the band in its last
// iterations.
func (f *finder) staysNearZero(ctx context.Context, p game.Position) bool {
	return f.inBand(f.scores(ctx, p, f.deep, settled))
}

// shared reports whether each side wins one of the games. No games count as shared.
func (f *finder) shared(ctx context.Context, p game.Position) bool {
	return sharedBy(f.winners(ctx, p))
}

// sharedBy reports the same of their winners.
func sharedBy(winners string) bool {
	return winners == "" || strings.Contains(winners, "B") && strings.Contains(winners, "W")
}

// winners plays the games and returns their winners as letters.
func (f *finder) winners(ctx context.Context, p game.Position) (text string) {
	for _, nodes := range f.games {
		winner, ok := f.play(ctx, p, nodes)
		if !ok {
			text += "-"
			continue
		}
		text += "BW"[winner : winner+1]
	}
	return text
}

// inBand reports whether all scores are within the band.
func (f *finder) inBand(scores []int) bool {
	for _, score := range scores {
		if score < -f.band || score > f.band {
			return false
		}
	}
	return true
}

// scores returns the scores of the last iterations of a search, at most the given number, for
// the side to move.
func (f *finder) scores(ctx context.Context, p game.Position, nodes uint64, last int) (scores []int) {
	f.search.Reset()
	f.search.Search(ctx, engine.Position{Position: p}, engine.Limit{Nodes: nodes}, func(l engine.Line) {
		scores = append(scores, l.Score)
	})
	return scores[max(len(scores)-last, 0):]
}

// play plays a game of the engine against itself and returns its winner.
func (f *finder) play(ctx context.Context, p game.Position, nodes uint64) (winner game.Side, ok bool) {
	f.search.Reset()
	p = p.Clone()
	for !p.Result().Over() && ctx.Err() == nil {
		line := f.search.Search(ctx, engine.Position{Position: p}, engine.Limit{Nodes: nodes}, nil)
		if line.Score > engine.MaxEval {
			return p.Turn(), true
		}
		p.Play(line.Best())
	}
	return p.Result().Winner()
}

// textOf returns the moves of an opening.
func textOf(m *game.Match) string { return strings.Join(game.FormatMoves(m.Start(), m.Moves()), " ") }
