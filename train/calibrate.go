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

// Calibration plays one game for every calibrationShare training games, at least
// minCalibrationGames. Both sides search to calibrationDepth.
const (
	calibrationShare    = 100
	minCalibrationGames = 10
	calibrationDepth    = 6
)

// calibrate shifts the evaluation at each number of discs so that it is unbiased in
// well-played games. In training positions the opponent has just erred more often
// than in searched ones; that bias would accumulate from stage to stage.
func (s Settings) calibrate(ctx context.Context, w *pattern.Weights, progress func(string)) error {
	var sum, n [65]int
	search := midgame.New(midgame.Weights{Patterns: w}, 4, 1)
	games := max(s.Games/calibrationShare, minCalibrationGames)
	for i := range games {
		if err := ctx.Err(); err != nil {
			return err
		}
		r := rand.NewPCG(s.Seed, uint64(s.Games+i))
		evals, margin, err := calibrationGame(ctx, search, w, r)
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
	progress(fmt.Sprintf("calibrated by %d games: shifted by at most %.2f discs", games, float64(worst)/pattern.Unit))
	return nil
}

// stageEval is an evaluation for the side to move, and the sign of that side: 1 for
// the first, -1 for the second.
type stageEval struct {
	value, sign int
	known       bool
}

// calibrationGame plays a game from a random opening. It returns the evaluations by
// number of discs and the final margin of the first side.
func calibrationGame(ctx context.Context, search *midgame.Search, w *pattern.Weights, r *rand.PCG) (evals [65]stageEval, margin int, err error) {
	p, err := othello.Game.Start(nil)
	if err != nil {
		return evals, 0, err
	}
	small := p.(*othello.Small)
	random := 4 + game.IntN(r, 8)
	for ply := 0; !p.Result().Over(); ply++ {
		at := small.Bitboards()
		if ply < random || at.Moves == 0 {
			p.Play(game.Sample(p, r, nil))
			continue
		}
		replies := at.Pass().Moves
		evals[bits.OnesCount64(at.Own|at.Other)] = stageEval{
			w.Eval(at.Own, at.Other, bits.OnesCount64(at.Moves), bits.OnesCount64(replies)), 1 - 2*int(p.Turn()), true,
		}
		p.Play(search.Search(ctx, engine.Position{Position: p}, engine.Limit{Depth: calibrationDepth}, nil).Best())
	}
	at := small.Bitboards()
	margin = pattern.Unit * at.Margin() * (1 - 2*int(p.Turn()))
	return evals, margin, nil
}
