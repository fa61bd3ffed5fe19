package train

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"quintet/bots/othello/midgame"
	"quintet/bots/othello/pattern"
	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

// Games by which weights are settled: one for so many that they were made from,
// but at least a few, in which both sides look ahead by some plies.
const (
	settleShare = 100
	settleLeast = 10
	settleDepth = 6
)

// settle moves the weights by the number of discs so that, in games of good play,
// evaluations are right on average. The positions that they were made from are
// ones in which the other side has just erred more than searches let it; what
// that adds to each stage would add up from stage to stage.
func (s Settings) settle(ctx context.Context, w *pattern.Weights, progress func(string)) error {
	var sum, n [65]int
	search := midgame.New(w, 4, 1)
	games := max(s.Games/settleShare, settleLeast)
	for i := range games {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := rand.NewPCG(s.Seed, uint64(s.Games+i))
		evals, margin, err := settleGame(ctx, search, w, r)
		if err != nil {
			return err
		}
		for discs, e := range evals {
			if e.known {
				sum[discs] += e.value - e.sign*margin
				n[discs]++
			}
		}
	}
	worst := 0
	for discs := range n {
		if n[discs] >= games/10 && n[discs] > 0 {
			shift := -sum[discs] / n[discs]
			w.Shift(discs, shift)
			worst = max(worst, shift, -shift)
		}
	}
	progress(fmt.Sprintf("settled by %d games: at most by %.2f discs", games, float64(worst)/pattern.Unit))
	return nil
}

// settled is what the side to move at a number of discs was thought to win by,
// and whether that side is the first (1) or the second (-1).
type settled struct {
	value, sign int
	known       bool
}

// settleGame plays a game from a random opening, and returns what was thought of
// its positions, and by what margin the first side has won.
func settleGame(ctx context.Context, search *midgame.Search, w *pattern.Weights, r *rand.PCG) (evals [65]settled, margin int, err error) {
	p, err := othello.Game.Start(nil)
	if err != nil {
		return evals, 0, err
	}
	small := p.(*othello.Small)
	random := 4 + game.IntN(r, 8)
	for ply := 0; !p.Result().Over(); ply++ {
		at := small.Words()
		if ply < random || at.Moves == 0 {
			p.Play(game.Sample(p, r, nil))
			continue
		}
		replies := at.Pass().Moves
		evals[bits.OnesCount64(at.Own|at.Other)] = settled{
			w.Eval(at.Own, at.Other, bits.OnesCount64(at.Moves), bits.OnesCount64(replies)), 1 - 2*int(p.Turn()), true,
		}
		p.Play(search.Search(ctx, engine.Position{Position: p}, engine.Limit{Depth: settleDepth}, nil).Best())
	}
	at := small.Words()
	margin = pattern.Unit * at.Margin() * (1 - 2*int(p.Turn()))
	return evals, margin, nil
}
