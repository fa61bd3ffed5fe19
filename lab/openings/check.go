package openings

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"quintet/engine"
	"quintet/game"
	"quintet/games/connect6"
)

// checkFile checks a sample of the openings of a file.
func (f *finder) checkFile(ctx context.Context, path string, sample int, keep bool, out io.Writer) error {
	text, err := os.ReadFile(path) //nolint:gosec // the user names the file
	if err != nil {
		return fmt.Errorf("reading openings: %w", err)
	}
	if keep {
		return f.keep(ctx, string(text), out)
	}
	return f.check(ctx, string(text), sample, out)
}

// check prints what it finds of a sample of openings at equal distances, and counts those that
// favour neither side.
func (f *finder) check(ctx context.Context, text string, sample int, out io.Writer) error {
	list, err := f.begin(text)
	if err != nil {
		return err
	}
	sample = min(sample, len(list))
	inBand, shared := 0, 0
	for i := range sample {
		m := list[i*len(list)/sample]
		found := f.examine(ctx, m.Position())
		if err := ctx.Err(); err != nil {
			return err
		}
		if found.inBand {
			inBand++
		}
		if found.shared {
			shared++
		}
		if _, err := fmt.Fprintf(out, "%s: %s, games won by %s\n", textOf(m), scoreText(found.scores), found.winners); err != nil {
			return fmt.Errorf("writing the check: %w", err)
		}
	}
	_, err = fmt.Fprintf(out, "%d openings: %d within %d of 0 in the last %d iterations of %d positions; in %d each side wins one of %d games\n",
		sample, inBand, f.band, settled, f.deep, shared, len(f.games))
	return err
}

// keep writes the openings of a file that favour neither side, with its comments.
func (f *finder) keep(ctx context.Context, text string, out io.Writer) error {
	list, err := f.begin(text)
	if err != nil {
		return err
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			_, err = io.WriteString(out, line)
		}
	}
	if err == nil {
		_, err = fmt.Fprintf(out, "# and kept by -keep -nodes %d -band %d\n", f.deep, f.band)
	}
	for i := 0; err == nil && i < len(list); i++ {
		found := f.examine(ctx, list[i].Position())
		if err = ctx.Err(); err == nil && found.inBand && found.shared {
			_, err = fmt.Fprintln(out, textOf(list[i]))
		}
	}
	return err
}

// begin reads openings and makes the search.
func (f *finder) begin(text string) (list []*game.Match, err error) {
	if list, err = readOpenings(text); err == nil {
		f.search, err = newSearch()
	}
	return list, err
}

// finding is what a check finds of an opening.
type finding struct {
	scores  []int  // of the last iterations of the long search, for the side to move
	inBand  bool   // whether all are near 0
	winners string // of the games
	shared  bool   // whether each side wins one of them
}

func (f *finder) examine(ctx context.Context, p game.Position) (found finding) {
	found.scores = f.scores(ctx, p, f.deep, settled)
	found.inBand = f.inBand(found.scores)
	found.winners = f.winners(ctx, p)
	found.shared = sharedBy(found.winners)
	return found
}

// readOpenings reads openings, one a line; lines that begin with # are comments.
func readOpenings(text string) (list []*game.Match, err error) {
	for n, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		start, err := connect6.Start(boardSize)
		if err != nil {
			return nil, err
		}
		m := game.NewMatch(connect6.Game, start)
		for _, word := range strings.Fields(line) {
			if err := m.PlayText(word); err != nil {
				return nil, fmt.Errorf("line %d of the openings: %w", n+1, err)
			}
		}
		list = append(list, m)
	}
	return list, nil
}

// scoreText describes scores, in the order of the iterations.
func scoreText(scores []int) string {
	words := make([]string, len(scores))
	for i, score := range scores {
		switch {
		case score > engine.MaxEval:
			words[i] = "won"
		case score <= -engine.MaxEval:
			words[i] = "lost"
		default:
			words[i] = fmt.Sprintf("%+d", score)
		}
	}
	return "scores " + strings.Join(words, ", ")
}
