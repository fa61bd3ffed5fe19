package train

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"quintet/lab/train/selfplay"
)

// gameFile is a file of the games of a training run: a header, which says what the games depend
// on, and a line for each game. A run appends the games that the file lacks.
type gameFile struct {
	name, header string
	games        int
	threads      int

	record func() recorder // each thread has its own
}

// recorder plays a game, by its number, and returns its line.
type recorder func(ctx context.Context, i int) (line string, err error)

// encoded returns what writes records of games as lines, in base64.
func encoded(source selfplay.Source) recorder {
	return func(ctx context.Context, i int) (string, error) {
		record, err := source(ctx, i)
		return base64.RawStdEncoding.EncodeToString(record), err
	}
}

// decodeLine returns the record of game number i, which encoded has written.
func decodeLine(i int, line string) ([]byte, error) {
	record, err := base64.RawStdEncoding.DecodeString(line)
	if err != nil {
		return nil, fmt.Errorf("game %d: %w", i+1, err)
	}
	return record, nil
}

// each calls f with the line of each game, in order. It plays those that the file lacks.
func (g *gameFile) each(ctx context.Context, progress func(string), f func(i int, line string) error) (err error) {
	file, err := os.OpenFile(g.name, os.O_RDWR|os.O_CREATE, 0o644) //nolint:gosec // the user names it
	if err != nil {
		return err //nolint:wrapcheck // it names the file
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	lines, err := g.open(file)
	if err != nil {
		return err
	}
	for i, line := range lines[:min(len(lines), g.games)] {
		if err := f(i, line); err != nil {
			return err
		}
	}
	if len(lines) < g.games {
		if err := g.play(ctx, file, lines, progress, f); err != nil {
			return err
		}
	}
	progress(fmt.Sprintf("%d games", g.games))
	return nil
}

// open returns the lines of a file whose header is that of the games, and moves to the end of the
// last. An unfinished line will be overwritten.
func (g *gameFile) open(file io.ReadWriteSeeker) (lines []string, err error) {
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	end := bytes.LastIndexByte(text, '\n') + 1
	if _, err := file.Seek(int64(end), io.SeekStart); err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	for line := range strings.Lines(string(text[:end])) {
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
	switch {
	case len(lines) == 0:
		_, err := fmt.Fprintln(file, g.header)
		return nil, err //nolint:wrapcheck // it names the file
	case lines[0] != g.header:
		return nil, fmt.Errorf("%s begins with %q, expected %q: remove it to play its games again, or name other files", g.name, lines[0], g.header)
	}
	return lines[1:], nil
}

// play plays the games that follow some lines, and appends their lines.
func (g *gameFile) play(ctx context.Context, file io.Writer, lines []string, progress func(string), f func(i int, line string) error) error {
	players := make([]recorder, g.threads)
	for thread := range players {
		players[thread] = g.record()
	}
	if err := g.sameEngine(ctx, players[0], lines); err != nil {
		return err
	}
	for i := len(lines); i < g.games; {
		batch, err := g.batch(ctx, players, i)
		if err != nil {
			return err
		}
		for _, line := range batch {
			if err := f(i, line); err != nil {
				return err
			}
			if _, err := fmt.Fprintln(file, line); err != nil {
				return err //nolint:wrapcheck // it names the file
			}
			i++
		}
		if i%1000 < len(batch) && i < g.games {
			progress(fmt.Sprintf("%d games", i))
		}
	}
	return nil
}

// sameEngine plays the last game again: an engine that plays otherwise must not continue the file.
func (g *gameFile) sameEngine(ctx context.Context, play recorder, lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	line, err := play(ctx, len(lines)-1)
	if err == nil && line != lines[len(lines)-1] {
		err = fmt.Errorf("%s is from another version, whose engine plays otherwise: remove it to play its games again, or name other files", g.name)
	}
	return err
}

// batch returns the lines of some games from number first on. Each player plays in a thread of
// its own.
func (g *gameFile) batch(ctx context.Context, players []recorder, first int) ([]string, error) {
	const perThread = 64
	lines, errs := make([]string, min(len(players)*perThread, g.games-first)), make([]error, len(players))
	var wait sync.WaitGroup
	var next atomic.Int64
	for thread, play := range players {
		wait.Go(func() {
			for errs[thread] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(lines) {
					return
				}
				lines[i], errs[thread] = play(ctx, first+i)
			}
		})
	}
	wait.Wait()
	return lines, errors.Join(errs...)
}
