// Package train makes the weights of evaluations, from games that the program
// plays against itself and from searches of their positions.
//
// The same settings and seed make the same weights.
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

// Settings are how weights are made.
type Settings struct {
	Games   int              // from each of which a position of each stage is taken
	From    *pattern.Weights // by which the games are played; nil to play by mobility
	Play    int              // plies that the players of every other game look ahead; in the others, 1
	Depth   int              // plies that positions are searched to
	Exact   int              // positions with so many empty cells, or fewer, are played out
	Ridge   float64          // how much small weights are preferred
	Seed    uint64           // of the games
	Threads int
}

// Othello makes weights for 8 by 8 Othello. It plays games and takes a position
// of each stage from each. The last stages learn the exact values of theirs; each
// earlier stage learns what searches find that look into the stages after it. In
// the end the weights are settled: see there. Progress is told in sentences.
func Othello(ctx context.Context, s Settings, progress func(string)) (*pattern.Weights, error) {
	w := new(pattern.Weights)
	if s.From != nil {
		*w = *s.From
	}
	f := pattern.NewFitter()
	samples, err := s.sample(ctx)
	for stage := pattern.Stages - 1; stage >= 0 && err == nil; stage-- {
		var values []float64
		if values, err = s.label(ctx, samples[stage], w); err != nil {
			break
		}
		v, miss := s.fit(f, samples[stage], values)
		f.Set(w, stage, v)
		progress(fmt.Sprintf("stage %2d: %d positions, missed by %.2f discs, %.2f for those kept apart",
			stage, len(values), miss[0]/pattern.Unit, miss[1]/pattern.Unit))
	}
	if err == nil {
		err = s.settle(ctx, w, progress)
	}
	if err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	return w, nil
}

// board is a position with the side to move first.
type board struct{ own, other uint64 }

func (b board) words() othello.Words {
	w := othello.Words{Own: b.other, Other: b.own, Ground: ^uint64(0)}
	return w.Pass()
}

// sample plays games and takes a position of each stage from each, but none after
// a move that was any: whoever moves then is better off than in play that makes
// sense, and the weights would come to expect it. Every other game is played
// better, for positions as they come, and the others worse, for variety: searches
// see much that does not come.
func (s Settings) sample(ctx context.Context) (stages [pattern.Stages][]board, err error) {
	policies := [2]player{newPlayer(s.From, s.Play), newPlayer(s.From, 1)}
	every := [2]int{20, 10} // one move in so many is any
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
				stages[stage] = take(r, stages[stage], board{at.Own, at.Other}, &taken[stage])
			}
			if any = ply < random || r.IntN(often) == 0; any {
				at, over = next(&at, game.NthBit(at.Moves, r.IntN(bits.OnesCount64(at.Moves))))
			} else {
				at, over = next(&at, policy.choose(&at, r))
			}
		}
	}
	return stages, nil
}

// next plays a move, and passes if the other side has none. It reports whether
// the game is over.
func next(w *othello.Words, square int) (after othello.Words, over bool) {
	if after = w.Play(square); after.Moves == 0 {
		after = after.Pass()
	}
	return after, after.Moves == 0
}

// take adds a position to those of a stage, or puts it in the place of the one
// that was taken from the same game, so that each has the same chance.
func take(r *rand.Rand, list []board, b board, taken *int) []board {
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

// player chooses the moves of the games.
type player struct {
	search *midgame.Search // nil to go by mobility
	depth  int
}

func newPlayer(w *pattern.Weights, depth int) player {
	if w == nil {
		return player{}
	}
	return player{midgame.New(w, 1, 1), depth}
}

// choose returns the square of the move after which the other side stands worst,
// give or take half a disc.
func (p player) choose(w *othello.Words, r *rand.Rand) int {
	best, square := -1<<30, 0
	for m := w.Moves; m != 0; m &= m - 1 {
		at := bits.TrailingZeros64(m)
		child := w.Play(at)
		if v := p.worth(&child) + r.IntN(pattern.Unit/2); v > best {
			best, square = v, at
		}
	}
	return square
}

// playOut is with how many empty cells the players see the end.
const playOut = 8

// worth scores a board for the side that is not to move.
func (p player) worth(w *othello.Words) int {
	if p.search != nil {
		if empty := bits.OnesCount64(w.Empty()); empty <= playOut {
			return -p.search.Value(*w, empty)
		}
		return -p.search.Value(*w, p.depth-1)
	}
	const corners = 0x8100000000000081
	other := w.Pass()
	moves, replies := bits.OnesCount64(w.Moves), bits.OnesCount64(other.Moves)
	return 60*(replies-moves) + 600*(bits.OnesCount64(w.Other&corners)-bits.OnesCount64(w.Own&corners))
}

// label returns the values of positions, in points.
func (s Settings) label(ctx context.Context, boards []board, w *pattern.Weights) ([]float64, error) {
	values := make([]float64, len(boards))
	var wait sync.WaitGroup
	for thread := range s.Threads {
		wait.Go(func() {
			search := midgame.New(w, 1, 1)
			for i := thread; i < len(boards) && ctx.Err() == nil; i += s.Threads {
				at := boards[i].words()
				depth := s.Depth
				if empty := bits.OnesCount64(at.Empty()); empty <= s.Exact {
					depth = empty
				}
				search.Reset() // so that no value depends on those before it
				values[i] = float64(search.Value(at, depth))
			}
		})
	}
	wait.Wait()
	return values, ctx.Err()
}

// apart is the share of positions that do not take part in a fit: one in so many.
const apart = 20

// fit returns the weights of a stage, and by how much they miss the values they
// were made from and those kept apart.
func (s Settings) fit(f *pattern.Fitter, boards []board, values []float64) (v pattern.Vector, miss [2]float64) {
	rows := make([][pattern.Features]int32, len(boards))
	for i, b := range boards {
		w := b.words()
		other := w.Pass()
		rows[i] = f.Row(b.own, b.other, bits.OnesCount64(b.own|b.other), bits.OnesCount64(w.Moves), bits.OnesCount64(other.Moves))
	}
	all := equations[[]int32]{func(i int) []int32 { return rows[i][:] }, values, f.Length()}
	part := all
	part.targets = values[:len(values)-len(values)/apart]
	v = part.solve(make([]float64, f.Length()), s.Ridge, 60)
	return v, [2]float64{part.miss(v, 0), all.miss(v, len(part.targets))}
}
