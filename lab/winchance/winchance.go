// Package winchance fits review.Chance, which turns the score of an engine into a winning chance,
// to games of the arena.
package winchance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/lab/train/network"
	"quintet/review"
)

// Command returns the command.
func Command() *cobra.Command {
	var most int
	c := &cobra.Command{
		Use:   "winchance FILE...",
		Short: "Fit winning chances to games of the arena",
		Long: `Winchance searches every third position of each game with as many nodes as a review, and
prints the score at which a side wins ten points to one, by maximum likelihood, with the mean
likelihood of the results in nats. Players of a game should be equally strong, or their difference
shows as noise. Positions with proved scores do not count. Files of the same game are fitted
together; the same files and flags give the same output.

It also prints the scales of six bands of plies with equally many positions, and the likelihood
with them: if it is hardly higher, the constant need not depend on the ply.`,
		Example: `  quintet arena loa --a level:6 --b other=level:6 --games 200 --nodes 100000 --openings random:6 --record loa.jsonl
  lab winchance loa.jsonl`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return run(c.OutOrStdout(), args, most) },
	}
	c.Flags().IntVar(&most, "games", 200, "games of each file")
	return c
}

func run(out io.Writer, paths []string, most int) error {
	all, number := map[string][]sample{}, map[string]int{}
	for _, path := range paths {
		text, err := os.ReadFile(path) //nolint:gosec // the user names it
		if err != nil {
			return err
		}
		name, list, n, err := samples(text, most)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		all[name] = append(all[name], list...)
		number[name] += n
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list := all[name]
		best := fit(list)
		if _, err := fmt.Fprintf(out, "%s: scale %.0f from %d positions of %d games; likelihood %.4f, at 400 %.4f\n",
			name, best, len(list), number[name], likelihood(list, best), likelihood(list, 400)); err != nil {
			return err
		}
		if err := writeBands(out, list); err != nil {
			return err
		}
	}
	return nil
}

// bands is how many bands of plies are fitted apart.
const bands = 6

// writeBands fits bands of plies with equally many positions.
func writeBands(out io.Writer, list []sample) error {
	slices.SortStableFunc(list, func(a, b sample) int { return a.ply - b.ply })
	scales, sum := make([]string, 0, bands), 0.0
	for i := range bands {
		band := list[len(list)*i/bands : len(list)*(i+1)/bands]
		if len(band) == 0 {
			continue
		}
		best := fit(band)
		sum += likelihood(band, best) * float64(len(band))
		scales = append(scales, fmt.Sprintf("%.0f from ply %d", best, band[0].ply))
	}
	_, err := fmt.Fprintf(out, "  by ply: scales %s; likelihood %.4f\n", strings.Join(scales, ", "), sum/float64(max(len(list), 1)))
	return err
}

// sample is the score of a position, what its side got in the end: 0, 0.5 or 1, and how
// many plies were played before it.
type sample struct {
	score, result float64
	ply           int
}

// arenaLine is what a line of the arena's record file says, its header or a game.
type arenaLine struct {
	Game   json.RawMessage `json:"game"` // the name in the header, the number in a game
	Start  string          `json:"start"`
	Opens  string          `json:"opening"`
	Moves  string          `json:"moves"`
	Result string          `json:"result"`
}

// samples reads the games of a file, and searches their positions.
func samples(text []byte, most int) (name string, list []sample, n int, err error) {
	var g game.Game
	var s engine.Searcher
	for line := range bytes.Lines(text) {
		if n == most {
			break
		}
		var l arenaLine
		if err := json.Unmarshal(line, &l); err != nil {
			return name, nil, n, fmt.Errorf("expected a record file of quintet arena: %w", err)
		}
		if name == "" {
			if err := json.Unmarshal(l.Game, &name); err != nil {
				return name, nil, n, fmt.Errorf("expected a header with the name of the game: %w", err)
			}
			if g, err = games.ByName(name); err == nil {
				s, err = bots.Searcher(g, bots.Options{Megabytes: 8})
			}
			if err != nil {
				return name, nil, n, err
			}
			continue
		}
		more, err := ofGame(g, s, l)
		if err != nil {
			return name, nil, n, fmt.Errorf("game %s: %w", l.Game, err)
		}
		list = append(list, more...)
		n++
	}
	return name, list, n, nil
}

// every is how many plies lie between two positions of a game that count.
const every = 3

func ofGame(g game.Game, s engine.Searcher, l arenaLine) (list []sample, err error) {
	p, err := g.Read(l.Start)
	if err != nil {
		return nil, err
	}
	m := game.NewMatch(g, p)
	points := map[string]float64{game.FirstWins.String(): 1, game.Draw.String(): 0.5}[l.Result]
	for i, text := range strings.Fields(l.Opens + " " + l.Moves) {
		if opening := len(strings.Fields(l.Opens)); i > opening && i%every == 0 {
			line := s.Search(context.Background(), engine.At(m), engine.Limit{Nodes: review.Nodes(g.Name)}, nil)
			if line.Score <= engine.MaxEval && line.Score >= -engine.MaxEval {
				score, result := float64(line.Score), points
				if m.Position().Turn() == game.Second {
					result = 1 - points
				}
				list = append(list, sample{score, result, i})
			}
		}
		if err := m.PlayText(text); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// likelihood returns the mean log-likelihood of the results at a scale.
func likelihood(list []sample, scale float64) (sum float64) {
	for _, s := range list {
		p := min(max(network.Expected(s.score, scale), 1e-6), 1-1e-6)
		sum += s.result*math.Log(p) + (1-s.result)*math.Log(1-p)
	}
	return sum / float64(max(len(list), 1))
}

// fit returns the scale of the highest likelihood, by golden-section search over its
// logarithm: the likelihood has one maximum.
func fit(list []sample) float64 {
	const golden = 0.6180339887498949
	low, high := math.Log(20), math.Log(20_000)
	for high-low > 1e-3 {
		a, b := high-golden*(high-low), low+golden*(high-low)
		if likelihood(list, math.Exp(a)) > likelihood(list, math.Exp(b)) {
			high = b
		} else {
			low = a
		}
	}
	return math.Exp((low + high) / 2)
}
