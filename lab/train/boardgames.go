package train

import (
	"context"
	"fmt"
	"strings"

	"quintet/bots/othello/large"
	"quintet/bots/othello/linear"
	"quintet/engine"
	"quintet/game"
	"quintet/lab/train/selfplay"
)

// BoardGames are games on random boards of the training sizes, after random plies on up to a fifth of
// the cells.
type BoardGames struct {
	Games int
	Nodes uint64          // positions that the players visit for a move
	From  *linear.Weights // of the players
	Seed  uint64          // of boards, openings and the choice of positions
}

// Play returns the games. A game depends on its number alone.
func (s BoardGames) Play() *Games {
	search := large.New(s.From, 1, 1)
	return &Games{s.check, func(ctx context.Context, i int) (indices []byte, err error) {
		search.Reset()
		_, err = s.game(i, func(p large.Position, moves []game.Move) (int, error) {
			line := search.Search(ctx, engine.Position{Position: p}, engine.Limit{Nodes: s.Nodes}, nil)
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			index := indexOf(moves, line.Best())
			indices = append(indices, byte(index))
			return index, nil
		})
		return indices, err
	}}
}

// indexOf returns the index of a legal move.
func indexOf(moves []game.Move, m game.Move) int {
	for i, mv := range moves {
		if mv == m {
			return i
		}
	}
	panic("the search has chosen an illegal move")
}

// Check returns the games, which can be checked but not played.
func (s BoardGames) Check() *Games { return &Games{check: s.check} }

func (s BoardGames) check(i int, indices []byte) error {
	_, err := s.replay(i, indices)
	return err
}

// lines returns what writes the games of a source as lines.
func (s BoardGames) lines(source selfplay.Source) recorder {
	return func(ctx context.Context, i int) (string, error) {
		indices, err := choicesOf(ctx, source, i)
		if err != nil {
			return "", err
		}
		return s.replay(i, indices)
	}
}

// replay plays a game by the indices of the moves that the search chose.
func (s BoardGames) replay(i int, indices []byte) (line string, err error) {
	choices := recordedChoices{indices}
	line, err = s.game(i, func(_ large.Position, moves []game.Move) (int, error) { return choices.next(len(moves)) })
	return line, choices.end(i, err)
}

// game plays game number i and returns half of its positions that do not come from random
// moves: for each the margin at the end, the number of empty cells and the features. choose
// returns the index of a move among the legal ones; random moves are chosen here.
func (s BoardGames) game(i int, choose func(p large.Position, moves []game.Move) (int, error)) (string, error) {
	p, r := s.startGame(i)
	features := large.NewFeatures(p)
	random := 2 + r.IntN(p.Size()*p.Size()/5)
	var samples []boardSample
	var sides []game.Side
	for ply := 0; !p.Result().Over(); ply++ {
		moves := p.Moves(nil)
		if ply < random {
			p.Play(moves[r.IntN(len(moves))])
			continue
		}
		if moves[0] != game.Pass && r.IntN(2) == 0 {
			row, empty := features.Of(p)
			samples, sides = append(samples, boardSample{row: row, empty: empty}), append(sides, p.Turn())
		}
		index, err := choose(p, moves)
		if err != nil {
			return "", err
		}
		p.Play(moves[index])
	}
	return formatSamples(samples, sides, features.Margin(p), p.Turn()), nil
}

// formatSamples writes the positions of a game with a margin for the side to move at its
// end. sides are the sides to move in the positions.
func formatSamples(samples []boardSample, sides []game.Side, margin int, turn game.Side) string {
	var text strings.Builder
	for k, sample := range samples {
		m := margin
		if sides[k] != turn {
			m = -m
		}
		fmt.Fprint(&text, m, " ", sample.empty)
		for _, x := range sample.row {
			fmt.Fprint(&text, " ", x)
		}
		text.WriteByte(';')
	}
	return text.String()
}
