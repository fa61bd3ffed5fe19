package train

import (
	"context"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"slices"

	"quintet/bots/othello/endgame"
	"quintet/bots/othello/midgame"
	"quintet/bots/othello/pattern"
	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
	"quintet/lab/train/selfplay"
)

// ScoredGames are games of 8 by 8 Othello in which each position is searched. They begin with 4 to
// 15 random plies. In the plies after them, up to a random ply, one move in six is random, so
// that searches meet what one side's error leads to. A record has three bytes for each search:
// the index of the best move, and the score in points, in little-endian order.
type ScoredGames struct {
	Games int
	From  *pattern.Weights // of the players
	Depth int              // of their searches, in plies; two more with up to Exact+4 empty cells
	Exact int              // positions with at most this many empty cells are searched to the end
	Seed  uint64
}

// Play returns the games. A game depends on its number alone.
func (s ScoredGames) Play() selfplay.Source {
	search := newPlayer(s.From)
	return func(ctx context.Context, i int) (choices []byte, err error) {
		search.Reset()
		_, err = s.game(i, func(p *othello.Small, moves []game.Move) (index, score int, err error) {
			line := search.Search(ctx, engine.Position{Position: p}, engine.Limit{Depth: s.depth(p)}, nil)
			index = slices.Index(moves, line.Best())
			choices = binary.LittleEndian.AppendUint16(append(choices, byte(index)), uint16(line.Score))
			return index, line.Score, ctx.Err()
		})
		return choices, err
	}
}

// depth returns how deep a position is searched.
func (s ScoredGames) depth(p *othello.Small) int {
	const nearEnd, more = 4, 2
	switch empty := midgame.Empty(p); {
	case empty <= s.Exact:
		return empty
	case empty <= s.Exact+nearEnd:
		return s.Depth + more
	}
	return s.Depth
}

// choiceBytes is the size of a choice in a record.
const choiceBytes = 3

// replay plays a game by the choices of its record.
func (s ScoredGames) replay(i int, choices []byte) (*scoredGame, error) {
	indices := recordedChoices{}
	for k := 0; k < len(choices); k += choiceBytes {
		indices.left = append(indices.left, choices[k])
	}
	at := 0
	g, err := s.game(i, func(_ *othello.Small, moves []game.Move) (index, score int, err error) {
		if index, err = indices.next(len(moves)); err != nil || len(choices) < (at+1)*choiceBytes {
			return 0, 0, errRecord
		}
		score = int(int16(binary.LittleEndian.Uint16(choices[at*choiceBytes+1:])))
		at++
		if score < -maxScore || score > maxScore {
			return 0, 0, errRecord
		}
		return index, score, nil
	})
	return g, indices.end(i, err)
}

// board is a position with the side to move first.
type board struct{ own, other uint64 }

func (b board) words() othello.Bitboards {
	w := othello.Bitboards{Own: b.other, Other: b.own, Ground: ^uint64(0)}
	return w.Pass()
}

func (b board) empty() int { return 64 - bits.OnesCount64(b.own|b.other) }

// maxScore bounds the score of a search: 64 discs.
const maxScore = 64 * pattern.Unit

// scoredGame is the positions of a game that were searched, and its end.
type scoredGame struct {
	positions []scoredPosition
	margin    int // at the end, of the first player
}

// scoredPosition is a position and the result of its search.
type scoredPosition struct {
	board

	score  int     // of the side to move, in points
	sign   float64 // 1 if the first player is to move, else -1
	random bool    // whether a random move followed
}

// game plays game number i. choose returns the index and the score of a move among the legal ones;
// random moves are chosen here.
func (s ScoredGames) game(i int, choose func(p *othello.Small, moves []game.Move) (index, score int, err error)) (*scoredGame, error) {
	g, r := &scoredGame{}, rand.New(rand.NewPCG(s.Seed, uint64(i)))
	start, err := othello.Game.Start(nil)
	if err != nil {
		return nil, err //nolint:wrapcheck // it cannot fail
	}
	p := start.(*othello.Small)
	opening, errorsUntil := 4+r.IntN(12), r.IntN(48)
	var moves []game.Move
	for ply := 0; !p.Result().Over(); ply++ {
		moves = p.Moves(moves[:0])
		switch {
		case moves[0] == game.Pass:
			p.Play(game.Pass)
			continue
		case ply < opening:
			p.Play(moves[r.IntN(len(moves))])
			continue
		}
		index, score, err := choose(p, moves)
		if err != nil {
			return nil, err
		}
		w := p.Bitboards()
		at := scoredPosition{board: board{w.Own, w.Other}, score: score, sign: 1 - 2*float64(p.Turn())}
		if at.random = ply < errorsUntil && r.IntN(6) == 0; at.random {
			index = r.IntN(len(moves))
		}
		g.positions = append(g.positions, at)
		p.Play(moves[index])
	}
	g.margin = endgame.Final(p.Bitboards()) * (1 - 2*int(p.Turn()))
	return g, nil
}
