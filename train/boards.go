package train

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

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

// The sizes of the boards of training games, which take turns. 16, 20 and 26 are held out: matches test
// the weights on them.
var trainingSizes = [...]int{6, 8, 10, 12, 14, 18, 22, 24}

// Boards trains the linear evaluation on games that the search plays against itself on random
// boards. The same settings give the same weights.
func Boards(ctx context.Context, s BoardSettings, progress func(string)) (*linear.Weights, error) {
	samples, err := s.play(ctx, progress)
	if err != nil {
		return nil, fmt.Errorf("playing games: %w", err)
	}
	return fitBoards(samples, s.From, progress), nil
}

// play returns the positions of the games.
func (s *BoardSettings) play(ctx context.Context, progress func(string)) (samples []boardSample, err error) {
	var text strings.Builder
	if err := s.From.Write(&text); err != nil {
		return nil, err //nolint:wrapcheck // it cannot fail
	}
	hash := uint64(0)
	for _, b := range []byte(text.String()) {
		hash = game.Mix(hash, uint64(b))
	}
	g := gameFile{
		name: s.Positions, games: s.Games, threads: s.Threads,
		header: fmt.Sprintf("othello boards: seed %d, nodes %d, weights %x", s.Seed, s.Nodes, hash),
		record: func() func(context.Context, int) (string, error) { return s.lines(s.PlayBoards().Record) },
	}
	if s.Source != nil {
		g.threads, g.record = 1, func() func(context.Context, int) (string, error) { return s.lines(s.Source) }
	}
	err = g.each(ctx, progress, func(i int, line string) (err error) {
		samples, err = s.readGame(samples, i, line)
		return err
	})
	return samples, err
}

// boardSample is a position of a game.
type boardSample struct {
	shape  *linear.Shape
	row    linear.Row
	empty  int
	margin int // of the side to move at the end of the game
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
