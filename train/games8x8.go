package train

import (
	"context"
	"math/bits"
	"math/rand/v2"

	"quintet/bots/othello/midgame"
	"quintet/bots/othello/pattern"
	"quintet/game"
	"quintet/games/othello"
	"quintet/train/selfplay"
)

// Play8x8 returns the games of the settings. A game depends on its number alone.
func (s Settings) Play8x8() *Games {
	policies := [2]player{newPlayer(s.From, s.Play), newPlayer(s.From, 1)}
	return &Games{s.check8x8, func(ctx context.Context, i int) (indices []byte, err error) {
		policy := policies[i%2]
		policy.reset()
		_, err = s.game(i, func(at *othello.Bitboards, r *rand.Rand) (int, error) {
			index := policy.choose(at, r)
			indices = append(indices, byte(index))
			return index, ctx.Err()
		})
		return indices, err
	}}
}

// Check8x8 returns the games of the settings, which can be checked but not played.
func (s Settings) Check8x8() *Games { return &Games{check: s.check8x8} }

func (s Settings) check8x8(i int, indices []byte) error {
	_, err := s.replay(i, indices)
	return err
}

// readGame returns game number i of a source.
func (s Settings) readGame(ctx context.Context, source selfplay.Source, i int) (g *sampledGame, err error) {
	indices, err := choicesOf(ctx, source, i)
	if err != nil {
		return nil, err
	}
	return s.replay(i, indices)
}

// replay plays a game by the indices of the moves that its players chose. It draws the
// same random numbers as they did.
func (s Settings) replay(i int, indices []byte) (*sampledGame, error) {
	choices := recordedChoices{indices}
	g, err := s.game(i, func(at *othello.Bitboards, r *rand.Rand) (int, error) {
		moves := bits.OnesCount64(at.Moves)
		for range moves {
			noise(r)
		}
		return choices.next(moves)
	})
	return g, choices.end(i, err)
}

// sampledGame is one position of each stage of a game, each with the same probability.
type sampledGame struct {
	sampled [pattern.Stages]board
	taken   [pattern.Stages]int // candidates; none for a stage without a position
}

// game plays game number i. choose returns the index of a move among the legal ones;
// random moves are chosen here. Every other game is played at full depth for realistic
// positions, the rest at depth 1 for the variety that a search meets. No position is
// sampled right after a random move: the side to move is better off there than in real
// play, which would bias the weights.
func (s Settings) game(i int, choose func(at *othello.Bitboards, r *rand.Rand) (int, error)) (*sampledGame, error) {
	g, r := &sampledGame{}, rand.New(rand.NewPCG(s.Seed, uint64(i)))
	often := [2]int{20, 10}[i%2] // one move in 20, or in 10, is random
	random := 2 + r.IntN(14)
	at, over := startBoard().words(), false
	for ply, any := 0, false; !over; ply++ {
		if !any {
			g.sample(r, board{at.Own, at.Other})
		}
		var index int
		if any = ply < random || r.IntN(often) == 0; any {
			index = r.IntN(bits.OnesCount64(at.Moves))
		} else {
			var err error
			if index, err = choose(&at, r); err != nil {
				return nil, err
			}
		}
		at, over = playAndPass(&at, game.NthBit(at.Moves, index))
	}
	return g, nil
}

// sample takes a position by reservoir sampling.
func (g *sampledGame) sample(r *rand.Rand, b board) {
	stage := pattern.Stage(bits.OnesCount64(b.own | b.other))
	g.taken[stage]++
	if n := g.taken[stage]; n == 1 || r.IntN(n) == 0 {
		g.sampled[stage] = b
	}
}

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

// reset makes the next game independent of those before it.
func (p player) reset() {
	if p.search != nil {
		p.search.Reset()
	}
}

// choose returns the index of the best legal move by evaluate, with noise.
func (p player) choose(w *othello.Bitboards, r *rand.Rand) (index int) {
	best := -1 << 30
	for i, m := 0, w.Moves; m != 0; i, m = i+1, m&(m-1) {
		child := w.Play(bits.TrailingZeros64(m))
		if v := p.evaluate(&child) + noise(r); v > best {
			best, index = v, i
		}
	}
	return index
}

// noise is up to half a disc.
func noise(r *rand.Rand) int { return r.IntN(pattern.Unit / 2) }

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
