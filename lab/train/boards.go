package train

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"quintet/bots/othello/large"
	"quintet/bots/othello/linear"
	"quintet/game"
	"quintet/games/othello"
	"quintet/lab/randomboard"
)

// BoardSettings are the settings of a training run for Othello boards of any size.
type BoardSettings struct {
	Rounds    []BoardRound
	From      *linear.Weights // of the players of the first round
	Seed      uint64          // of the games of the first round; that of the next round is one more
	Threads   int
	Positions string // file of the games, to continue: ".1" follows for the first round
}

// BoardRound is a round of training for boards of any size.
type BoardRound struct {
	Games int
	Nodes uint64 // positions that the players visit for a move
}

// BoardRounds returns the rounds that made the weights of the program.
func BoardRounds() []BoardRound { return []BoardRound{{8_000, 300}, {12_000, 300}} }

// UntrainedBoards returns linear weights of Othello set by hand, the same for all boards and phases, with which
// training begins.
func UntrainedBoards() *linear.Weights {
	w := new(linear.Weights)
	for f, discs := range map[int]float64{
		linear.Parity: 1, linear.Mobility: 0.7, linear.Anchors: 5, linear.Frontier: -0.25, linear.Adjacent: -1.8, linear.Diagonal: -1.8, linear.Stable: 1.7,
	} {
		for k := range w[f][0] {
			w[f][0][k] = discs
		}
	}
	return w
}

// The sizes of the boards of training games, which take turns. 16, 20 and 26 are held out: matches test
// the weights on them.
var trainingSizes = [...]int{6, 8, 10, 12, 14, 18, 22, 24}

// Boards trains the linear evaluation on games that the search plays against itself on random
// boards. progress receives status lines.
func Boards(ctx context.Context, s BoardSettings, progress func(string)) (*linear.Weights, error) {
	w := s.From
	for i, r := range s.Rounds {
		progress(roundLine(i, len(s.Rounds)))
		games := BoardGames{Games: r.Games, Nodes: r.Nodes, From: w, Seed: s.Seed + uint64(i)}
		file, err := games.file(roundFile(s.Positions, i), s.Threads)
		if err != nil {
			return nil, err
		}
		samples, err := games.samples(ctx, file, progress)
		if err != nil {
			return nil, fmt.Errorf("playing games: %w", err)
		}
		if w, err = fitBoards(ctx, samples, w, progress); err != nil {
			return nil, fmt.Errorf("fitting: %w", err)
		}
	}
	return w, nil
}

// file returns the file of the games.
func (s BoardGames) file(name string, threads int) (*gameFile, error) {
	var text strings.Builder
	if err := s.From.Write(&text); err != nil {
		return nil, err //nolint:wrapcheck // it cannot fail
	}
	hash := uint64(0)
	for _, b := range []byte(text.String()) {
		hash = game.Mix(hash, uint64(b))
	}
	return &gameFile{
		name: name, games: s.Games, threads: threads,
		header: fmt.Sprintf("othello boards, choices: seed %d, nodes %d, weights %x", s.Seed, s.Nodes, hash),
		record: func() recorder { return encoded(s.Play()) },
	}, nil
}

// samples plays the games that the file lacks, and returns the positions of all.
func (s BoardGames) samples(ctx context.Context, file *gameFile, progress func(string)) (samples []boardSample, err error) {
	err = file.each(ctx, progress, func(i int, line string) error {
		choices, err := decodeLine(i, line)
		if err != nil {
			return err
		}
		list, err := s.replay(i, choices)
		samples = append(samples, list...)
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
func (s BoardGames) startGame(i int) (large.Position, *rand.Rand) {
	r := rand.New(rand.NewPCG(s.Seed, uint64(i)))
	size := trainingSizes[i%len(trainingSizes)]
	start, err := othello.Game.Start(randomboard.Setup(size, r.IntN(min(size*size/5, 24)+1), r))
	if err != nil {
		panic(err) // the set-up is valid
	}
	return start.(large.Position), r
}
