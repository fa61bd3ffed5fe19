package train

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"

	"quintet/bots/othello/large"
	"quintet/bots/othello/linear"
	"quintet/game"
	"quintet/games/othello"
	"quintet/train/selfplay"
)

// BoardSettings are the settings of a training run for Othello boards of any size.
type BoardSettings struct {
	Games     int             // self-play games
	Nodes     uint64          // positions that the players visit for a move
	From      *linear.Weights // of the players
	Seed      uint64          // of boards, openings and the choice of positions
	Threads   int
	Positions string // file of the games played so far, to continue

	// Source returns the games, as PlayBoards records them; nil to play them here.
	Source selfplay.Source
}

// The boards of training games: their sizes take turns. Those held out are tested by matches.
var trainingSizes = [...]int{6, 8, 10, 12, 14}

// Boards trains the linear evaluation on games that the search plays against itself on random
// boards. The same settings give the same weights.
func Boards(ctx context.Context, s BoardSettings, progress func(string)) (*linear.Weights, error) {
	file, err := os.OpenFile(s.Positions, os.O_RDWR|os.O_CREATE, 0o644) //nolint:gosec // the user names it
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	samples, err := s.play(ctx, file, progress)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("playing games: %w", err)
	}
	return fitBoards(samples, s.From, progress), nil
}

// boardSample is a position of a game.
type boardSample struct {
	shape  *linear.Shape
	row    linear.Row
	empty  int
	margin int // of the side to move at the end of the game
}

// header is the first line of the file of positions: what the games depend on.
func (s *BoardSettings) header() (string, error) {
	var text strings.Builder
	if err := s.From.Write(&text); err != nil {
		return "", err //nolint:wrapcheck // it cannot fail
	}
	hash := uint64(0)
	for _, b := range []byte(text.String()) {
		hash = game.Mix(hash, uint64(b))
	}
	return fmt.Sprintf("othello boards: seed %d, nodes %d, weights %x", s.Seed, s.Nodes, hash), nil
}

// play reads the games of a file, plays those that lack and appends them. An unfinished last
// line is overwritten.
func (s *BoardSettings) play(ctx context.Context, file io.ReadWriteSeeker, progress func(string)) (samples []boardSample, err error) {
	header, err := s.header()
	if err != nil {
		return nil, err
	}
	lines, end, err := completeLines(file)
	if err != nil {
		return nil, err
	}
	if _, err := file.Seek(end, io.SeekStart); err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	switch {
	case len(lines) == 0:
		if _, err := fmt.Fprintln(file, header); err != nil {
			return nil, err //nolint:wrapcheck // it names the file
		}
	case lines[0] != header:
		return nil, fmt.Errorf("the file of positions begins with %q, expected %q: use another file", lines[0], header)
	}
	for i, line := range lines[min(len(lines), 1):] {
		if i < s.Games {
			if samples, err = s.readGame(samples, i, line); err != nil {
				return nil, err
			}
		}
	}
	for i := max(len(lines)-1, 0); i < s.Games; {
		batch, err := s.batch(ctx, i)
		if err != nil {
			return nil, err
		}
		for _, line := range batch {
			if samples, err = s.readGame(samples, i, line); err != nil {
				return nil, err
			}
			if _, err := fmt.Fprintln(file, line); err != nil {
				return nil, err //nolint:wrapcheck // it names the file
			}
			i++
		}
		if i%1000 < len(batch) {
			progress(fmt.Sprintf("%d games, %d positions", i, len(samples)))
		}
	}
	return samples, nil
}

// completeLines returns the lines of a file that end, and where the last of them does.
func completeLines(file io.Reader) (lines []string, end int64, err error) {
	for r := bufio.NewReader(file); ; {
		line, err := r.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return lines, end, nil
		}
		if err != nil {
			return nil, 0, fmt.Errorf("reading positions: %w", err)
		}
		lines, end = append(lines, strings.TrimSuffix(line, "\n")), end+int64(len(line))
	}
}

// batch returns the lines of some games from number first on.
func (s *BoardSettings) batch(ctx context.Context, first int) ([]string, error) {
	if s.Source != nil {
		line, err := s.line(ctx, s.Source, first)
		return []string{line}, err
	}
	const perThread = 4
	lines, errs := make([]string, min(s.Threads*perThread, s.Games-first)), make([]error, s.Threads)
	var wait sync.WaitGroup
	for thread := range s.Threads {
		wait.Go(func() {
			games := s.PlayBoards()
			for i := thread; i < len(lines) && errs[thread] == nil; i += s.Threads {
				lines[i], errs[thread] = s.line(ctx, games.Record, first+i)
			}
		})
	}
	wait.Wait()
	return lines, errors.Join(errs...)
}

// startGame returns the start of a game, and the source of its random choices.
func (s *BoardSettings) startGame(i int) (large.Position, *rand.Rand) {
	r := rand.New(rand.NewPCG(s.Seed, uint64(i)))
	size := trainingSizes[i%len(trainingSizes)]
	start, err := othello.Game.Start(othello.RandomPits(size, r.IntN(min(size*size/5, 24)+1), r))
	if err != nil {
		panic(err) // the set-up is valid
	}
	return start.(large.Position), r
}

// readGame appends the positions of a line.
func (s *BoardSettings) readGame(samples []boardSample, i int, line string) ([]boardSample, error) {
	p, _ := s.startGame(i)
	shape := large.NewFeatures(p).Shape()
	for _, text := range slices.Collect(strings.SplitSeq(line, ";")) {
		if text == "" {
			continue
		}
		sample := boardSample{shape: shape}
		in := strings.NewReader(text)
		targets := []any{&sample.margin, &sample.empty}
		for f := range sample.row {
			targets = append(targets, &sample.row[f])
		}
		if _, err := fmt.Fscan(in, targets...); err != nil {
			return nil, fmt.Errorf("positions of game %d: %w", i, err)
		}
		samples = append(samples, sample)
	}
	return samples, nil
}
