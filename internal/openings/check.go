package main

import (
	"bufio"
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
	file, err := os.Open(path) //nolint:gosec // the user names the file
	if err != nil {
		return fmt.Errorf("reading openings: %w", err)
	}
	defer func() { _ = file.Close() }()
	if keep {
		return f.keep(ctx, file, out)
	}
	return f.check(ctx, file, sample, out)
}

// check prints what it finds of a sample of openings at equal distances, and counts those that
// favour neither side.
func (f *finder) check(ctx context.Context, in io.Reader, sample int, out io.Writer) error {
	list, err := f.begin(in)
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
		if _, err := fmt.Fprintf(out, "%s: %s, games won by %s\n", textOf(m), scoreText(found.score), found.winners); err != nil {
			return fmt.Errorf("writing the check: %w", err)
		}
	}
	_, err = fmt.Fprintf(out, "%d openings: %d within %d of 0 after %d positions; in %d each side wins %d of %d games or more\n",
		sample, inBand, f.band, f.deep, shared, f.fewestLarge, len(f.large))
	return err
}

// keep writes the openings of a file that favour neither side, with its comments.
func (f *finder) keep(ctx context.Context, in io.Reader, out io.Writer) error {
	var comments strings.Builder
	list, err := f.begin(io.TeeReader(in, &comments))
	if err != nil {
		return err
	}
	for line := range strings.Lines(comments.String()) {
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
func (f *finder) begin(in io.Reader) (list []*game.Match, err error) {
	if list, err = readOpenings(in); err == nil {
		f.search, err = newSearch()
	}
	return list, err
}

// finding is what a check finds of an opening.
type finding struct {
	score   int    // of a long search, for the side to move
	inBand  bool   // whether it is near 0
	winners string // of the large games
	shared  bool   // whether each side wins enough of them
}

func (f *finder) examine(ctx context.Context, p game.Position) (found finding) {
	var wins [2]int
	found.score = f.score(ctx, p, f.deep)
	found.inBand = -f.band <= found.score && found.score <= f.band
	found.winners, wins = f.winners(ctx, p, f.large)
	found.shared = min(wins[0], wins[1]) >= f.fewestLarge
	return found
}

// readOpenings reads openings, one a line; lines that begin with # are comments.
func readOpenings(in io.Reader) (list []*game.Match, err error) {
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		start, err := connect6.Start(boardSize)
		if err != nil {
			return nil, err
		}
		m := game.NewMatch(connect6.Game, start)
		for _, word := range strings.Fields(text) {
			if err := m.PlayText(word); err != nil {
				return nil, fmt.Errorf("line %d of the openings: %w", n, err)
			}
		}
		list = append(list, m)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading openings: %w", err)
	}
	return list, nil
}

// winners plays a game with each node limit and returns the winners as letters, and how many
// games each side won.
func (f *finder) winners(ctx context.Context, p game.Position, games []uint64) (text string, wins [2]int) {
	for _, nodes := range games {
		winner, ok := f.play(ctx, p, nodes)
		if !ok {
			text += "-"
			continue
		}
		wins[winner]++
		text += "BW"[winner : winner+1]
	}
	return text, wins
}

// scoreText describes a score.
func scoreText(score int) string {
	switch {
	case score > engine.MaxEval:
		return "the side to move wins"
	case score <= -engine.MaxEval:
		return "the other side wins"
	}
	return fmt.Sprintf("score %+d", score)
}
