// Package train fits the weights of evaluations to self-play games and to searches of
// their positions.
//
// The same settings and seed give the same weights.
package train

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"sync"

	"quintet/bots/othello/midgame"
	"quintet/bots/othello/pattern"
	"quintet/game"
	"quintet/games/othello"
)

// Settings are the settings of a training run.
type Settings struct {
	Games   int              // self-play games; each gives one position per stage
	From    *pattern.Weights // weights of the players; nil to play by mobility
	Play    int              // search depth of the players in every other game; 1 in the rest
	Depth   int              // search depth of the labels, in plies
	Exact   int              // positions with at most this many empty cells are solved
	Ridge   float64          // L2 penalty
	Seed    uint64           // of the games
	Threads int
}

// Othello trains weights for 8 by 8 Othello. It samples one position of each stage
// from every self-play game. The last stages learn exact values; each earlier stage
// learns the results of searches that reach the later stages. Calibration follows;
// see calibrate. progress receives status lines.
func Othello(ctx context.Context, s Settings, progress func(string)) (*pattern.Weights, error) {
	w := new(pattern.Weights)
	if s.From != nil {
		*w = *s.From
	}
	f := pattern.NewFitter()
	samples, err := s.samplePositions(ctx)
	for stage := pattern.Stages - 1; stage >= 0 && err == nil; stage-- {
		var values []float64
		if values, err = s.label(ctx, samples[stage], w); err != nil {
			break
		}
		v, miss := s.fit(f, samples[stage], values)
		f.Set(w, stage, v)
		progress(fmt.Sprintf("stage %2d: %d positions, error %.2f discs, held out %.2f",
			stage, len(values), miss[0]/pattern.Unit, miss[1]/pattern.Unit))
	}
	if err == nil {
		err = s.calibrate(ctx, w, progress)
	}
	if err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	return w, nil
}

// board is a position with the side to move first.
type board struct{ own, other uint64 }

func (b board) words() othello.Bitboards {
	w := othello.Bitboards{Own: b.other, Other: b.own, Ground: ^uint64(0)}
	return w.Pass()
}

// samplePositions plays games and samples one position of each stage from every game,
// but none right after a random move: the side to move is better off there than in
// real play, which would bias the weights. Every other game is played at full depth
// for realistic positions, the rest at depth 1 for the variety that a search meets.
func (s Settings) samplePositions(ctx context.Context) (stages [pattern.Stages][]board, err error) {
	policies := [2]player{newPlayer(s.From, s.Play), newPlayer(s.From, 1)}
	every := [2]int{20, 10} // one move in 20, or in 10, is random
	for i := range s.Games {
		policy, often := policies[i%2], every[i%2]
		if err := ctx.Err(); err != nil {
			return stages, err
		}
		r := rand.New(rand.NewPCG(s.Seed, uint64(i)))
		var taken [pattern.Stages]int
		random := 2 + r.IntN(14)
		at, over := startBoard().words(), false
		for ply, any := 0, false; !over; ply++ {
			stage := pattern.Stage(bits.OnesCount64(at.Own | at.Other))
			if !any {
				stages[stage] = reservoirSample(r, stages[stage], board{at.Own, at.Other}, &taken[stage])
			}
			if any = ply < random || r.IntN(often) == 0; any {
				at, over = playAndPass(&at, game.NthBit(at.Moves, r.IntN(bits.OnesCount64(at.Moves))))
			} else {
				at, over = playAndPass(&at, policy.choose(&at, r))
			}
		}
	}
	return stages, nil
}

// playAndPass plays a move, and a pass if the opponent must pass. It reports whether
// the game is over.
func playAndPass(w *othello.Bitboards, square int) (after othello.Bitboards, over bool) {
	if after = w.Play(square); after.Moves == 0 {
		after = after.Pass()
	}
	return after, after.Moves == 0
}

// reservoirSample keeps one position of a stage from each game, each with the same
// probability. taken counts the candidates of the current game.
func reservoirSample(r *rand.Rand, list []board, b board, taken *int) []board {
	*taken++
	switch {
	case *taken == 1:
		return append(list, b)
	case r.IntN(*taken) == 0:
		list[len(list)-1] = b
	}
	return list
}

func startBoard() board { return board{1<<28 | 1<<35, 1<<27 | 1<<36} }

// player chooses the moves of self-play games.
type player struct {
	search *midgame.Search // nil to play by mobility
	depth  int
}

func newPlayer(w *pattern.Weights, depth int) player {
	if w == nil {
		return player{}
	}
	return player{midgame.New(midgame.Weights{Patterns: w}, 1, 1), depth}
}

// choose returns the square of the best move by evaluate, with noise of up to half a
// disc.
func (p player) choose(w *othello.Bitboards, r *rand.Rand) int {
	best, square := -1<<30, 0
	for m := w.Moves; m != 0; m &= m - 1 {
		at := bits.TrailingZeros64(m)
		child := w.Play(at)
		if v := p.evaluate(&child) + r.IntN(pattern.Unit/2); v > best {
			best, square = v, at
		}
	}
	return square
}

// exactEmpties is the number of empty cells from which the players search to the end.
const exactEmpties = 8

// evaluate scores a board for the side not to move.
func (p player) evaluate(w *othello.Bitboards) int {
	if p.search != nil {
		if empty := bits.OnesCount64(w.Empty()); empty <= exactEmpties {
			return -p.search.Value(*w, empty)
		}
		return -p.search.Value(*w, p.depth-1)
	}
	const corners = 0x8100000000000081
	other := w.Pass()
	moves, replies := bits.OnesCount64(w.Moves), bits.OnesCount64(other.Moves)
	return 60*(replies-moves) + 600*(bits.OnesCount64(w.Other&corners)-bits.OnesCount64(w.Own&corners))
}

// label returns the search values of positions, in units of pattern.Unit discs.
func (s Settings) label(ctx context.Context, boards []board, w *pattern.Weights) ([]float64, error) {
	values := make([]float64, len(boards))
	var wait sync.WaitGroup
	for thread := range s.Threads {
		wait.Go(func() {
			search := midgame.New(midgame.Weights{Patterns: w}, 1, 1)
			for i := thread; i < len(boards) && ctx.Err() == nil; i += s.Threads {
				at := boards[i].words()
				depth := s.Depth
				if empty := bits.OnesCount64(at.Empty()); empty <= s.Exact {
					depth = empty
				}
				search.Reset() // so that no value depends on earlier searches
				values[i] = float64(search.Value(at, depth))
			}
		})
	}
	wait.Wait()
	return values, ctx.Err()
}

// heldOutShare is the share of the held-out set: one position in 20.
const heldOutShare = 20

// fit returns the weights of a stage and their errors on the training set and on the
// held-out set.
func (s Settings) fit(f *pattern.Fitter, boards []board, values []float64) (v pattern.Vector, miss [2]float64) {
	rows := make([][pattern.Features]int32, len(boards))
	for i, b := range boards {
		w := b.words()
		other := w.Pass()
		rows[i] = f.Row(b.own, b.other, bits.OnesCount64(b.own|b.other), bits.OnesCount64(w.Moves), bits.OnesCount64(other.Moves))
	}
	all := equations[[]int32]{func(i int) []int32 { return rows[i][:] }, values, f.Length()}
	part := all
	part.targets = values[:len(values)-len(values)/heldOutShare]
	v = part.solve(make([]float64, f.Length()), s.Ridge, 60)
	return v, [2]float64{part.rmse(v, 0), all.rmse(v, len(part.targets))}
}
