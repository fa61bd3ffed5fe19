package train

import (
	"context"
	"slices"

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
func (s BoardGames) Play() selfplay.Source {
	search := large.New(s.From, 1, 1)
	return func(ctx context.Context, i int) (indices []byte, err error) {
		search.Reset()
		_, err = s.game(i, func(p large.Position, moves []game.Move) (int, error) {
			line := search.Search(ctx, engine.Position{Position: p}, engine.Limit{Nodes: s.Nodes}, nil)
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			index := slices.Index(moves, line.Best())
			indices = append(indices, byte(index))
			return index, nil
		})
		return indices, err
	}
}

// replay plays a game by the indices of the moves that the search chose.
func (s BoardGames) replay(i int, indices []byte) (samples []boardSample, err error) {
	choices := recordedChoices{indices}
	samples, err = s.game(i, func(_ large.Position, moves []game.Move) (int, error) { return choices.next(len(moves)) })
	return samples, choices.end(i, err)
}

// game plays game number i and returns half of its positions that do not come from random
// moves: for each the margin at the end, the number of empty cells and the features. choose
// returns the index of a move among the legal ones; random moves are chosen here.
func (s BoardGames) game(i int, choose func(p large.Position, moves []game.Move) (int, error)) ([]boardSample, error) {
	p, r := s.startGame(i)
	features := large.NewFeatures(p)
	shape := features.Shape()
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
			samples, sides = append(samples, boardSample{shape: shape, row: row, empty: empty}), append(sides, p.Turn())
		}
		index, err := choose(p, moves)
		if err != nil {
			return nil, err
		}
		p.Play(moves[index])
	}
	margin := features.Margin(p)
	for k := range samples {
		if samples[k].margin = margin; sides[k] != p.Turn() {
			samples[k].margin = -margin
		}
	}
	return samples, nil
}
