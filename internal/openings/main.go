// Command openings finds openings of Connect6 that favour neither side:
//
//	go run ./internal/openings -seed 1 -count 140 > bots/connect6_openings.txt
//
// A candidate has a stone in the middle of the board and a few turns of two random stones
// near others. It is kept if the engine finds it balanced in four steps: a search scores it
// within a band around 0, each side wins some of a set of games that the engine plays
// against itself with different node limits, a longer search of it neither proves a win nor
// leaves the band, and each side wins some of a few larger games. The same flags and the same
// engine give the same file.
//
//	go run ./internal/openings -check bots/connect6_openings.txt -nodes 1000000
//
// repeats the last two steps for a sample of a file, and prints what they find; with -keep, it
// does so for the whole file and writes the openings that pass.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"

	"quintet/bots"
	search "quintet/bots/connect6"
	"quintet/engine"
	"quintet/game"
	"quintet/games/connect6"
)

func main() {
	f := finder{games: gameNodes[:], fewest: fewest, large: largeNodes[:], fewestLarge: fewestLarge}
	flag.Uint64Var(&f.seed, "seed", 1, "seed of the candidates")
	flag.IntVar(&f.count, "count", 140, "openings to find")
	flag.Uint64Var(&f.deep, "nodes", 300_000, "positions of the last search")
	flag.IntVar(&f.band, "band", 150, "largest score of a search, either way")
	file := flag.String("check", "", "check the openings of this file instead of finding new ones")
	keep := flag.Bool("keep", false, "with -check: write those that favour neither side")
	sample := flag.Int("sample", 30, "openings to check")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	var err error
	if *file != "" {
		err = f.checkFile(ctx, *file, *sample, *keep, os.Stdout)
	} else {
		err = f.run(ctx, os.Stdout, os.Stderr)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "openings:", err)
		os.Exit(1)
	}
}

// boardSize is the size of the board of the openings.
const boardSize = 19

// gameNodes are the node limits of the games from a candidate, and fewest is how many of
// them each side must win.
var gameNodes = [...]uint64{1_000, 1_500, 2_000, 3_000, 4_000, 5_500, 7_500, 10_000}

const fewest = 3

// largeNodes are the node limits of larger games, and fewestLarge is how many of them each
// side must win.
var largeNodes = [...]uint64{20_000, 30_000, 40_000, 60_000}

const fewestLarge = 1

// shallow is the node limit of the first search.
const shallow = 20_000

// finder finds openings.
type finder struct {
	seed  uint64
	count int
	deep  uint64
	band  int

	games  []uint64 // node limits
	fewest int      // games that each side must win

	large       []uint64 // node limits of the larger games
	fewestLarge int      // of them that each side must win

	search engine.Searcher
	passed [5]int // candidates that came so far
	kept   map[stones]bool
}

// run writes the openings, one a line.
func (f *finder) run(ctx context.Context, out, report io.Writer) error {
	var err error
	if f.search, err = newSearch(); err != nil {
		return err
	}
	f.kept = map[stones]bool{}
	_, err = fmt.Fprintf(out, "# Balanced openings of Connect6 on %d by %d, made by\n# go run ./internal/openings -seed %d -count %d -nodes %d -band %d\n",
		boardSize, boardSize, f.seed, f.count, f.deep, f.band)
	for i := uint64(0); err == nil && f.passed[4] < f.count; i++ {
		m := candidate(rand.NewPCG(f.seed, i))
		board := canonical(m.Position().(*connect6.Position))
		ok := !f.kept[board] && f.balanced(ctx, m)
		if err = ctx.Err(); err == nil && ok {
			f.kept[board] = true
			_, err = fmt.Fprintln(out, textOf(m))
			_, _ = fmt.Fprintf(report, "%d of %d candidates: %v\n", f.passed[4], i+1, f.passed)
		}
	}
	return err
}

func newSearch() (engine.Searcher, error) {
	return bots.Searcher(connect6.Game, bots.Options{Megabytes: 4})
}

// Numbers of turns after the first stone.
const (
	fewestTurns = 2
	moreTurns   = 2 // random, 0 to this minus 1
)

// candidate plays a random opening.
func candidate(r *rand.PCG) *game.Match {
	start, err := connect6.Start(boardSize)
	if err != nil {
		panic(err) // the size is valid
	}
	m := game.NewMatch(connect6.Game, start)
	const middle = boardSize / 2
	must(m.Play(game.Put(middle*boardSize + middle)))
	for range connect6.PerTurn * (fewestTurns + game.IntN(r, moreTurns)) {
		near := search.NearMoves(m.Position().(*connect6.Position), distance)
		must(m.Play(near[game.IntN(r, len(near))]))
	}
	return m
}

// must panics on an error that cannot happen.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// distance is how many rows and columns the stones of an opening are at most from another.
const distance = 2

// balanced reports whether an opening favours neither side.
func (f *finder) balanced(ctx context.Context, m *game.Match) bool {
	f.passed[0]++
	if !f.even(ctx, m.Position(), shallow) {
		return false
	}
	f.passed[1]++
	if !f.shared(ctx, m.Position(), f.games, f.fewest) {
		return false
	}
	f.passed[2]++
	if !f.even(ctx, m.Position(), f.deep) {
		return false
	}
	f.passed[3]++
	if !f.shared(ctx, m.Position(), f.large, f.fewestLarge) {
		return false
	}
	f.passed[4]++
	return true
}

// shared reports whether each side wins a number of the games with the given node limits.
func (f *finder) shared(ctx context.Context, p game.Position, games []uint64, fewest int) bool {
	wins := [2]int{}
	for _, nodes := range games {
		if winner, ok := f.play(ctx, p, nodes); ok {
			wins[winner]++
		}
		if max(wins[0], wins[1]) > len(games)-fewest {
			return false
		}
	}
	return min(wins[0], wins[1]) >= fewest
}

// even reports whether a search scores a position within the band.
func (f *finder) even(ctx context.Context, p game.Position, nodes uint64) bool {
	score := f.score(ctx, p, nodes)
	return -f.band <= score && score <= f.band
}

// score returns the score of a search for the side to move.
func (f *finder) score(ctx context.Context, p game.Position, nodes uint64) int {
	f.search.Reset()
	return f.search.Search(ctx, engine.Position{Position: p}, engine.Limit{Nodes: nodes}, nil).Score
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
func textOf(m *game.Match) string {
	var words []string
	p := m.Start()
	for _, mv := range m.Moves() {
		words = append(words, p.Format(mv))
		p.Play(mv)
	}
	return strings.Join(words, " ")
}
