package main

import (
	"context"
	"fmt"
	"time"

	"quintet/bots"
	"quintet/bots/othello/endgame"
	"quintet/bots/othello/midgame"
	"quintet/bots/othello/pattern"
	"quintet/engine"
	"quintet/game"
	"quintet/games/connect6"
	"quintet/games/othello"
	"quintet/sixes"
)

// solver solves positions of a game.
type solver func(context.Context, solveFlags, game.Game, game.Position) (solveReport, error)

// solvers lists how positions of each game are solved.
func solvers() map[string]solver {
	return map[string]solver{
		"neighbors": solveWin, "othello": solveOthello, "loa": solveWin, "connect6": solveConnect6, "chess": solveWin,
	}
}

// solveOthello finds the margin of an ending.
func solveOthello(ctx context.Context, _ solveFlags, g game.Game, p game.Position) (solveReport, error) {
	small, ok := p.(*othello.Small)
	if !ok {
		return solveReport{}, fmt.Errorf("%s: want a position of othello on a board of up to 8 by 8", p)
	}
	w, err := pattern.Trained()
	if err != nil {
		return solveReport{}, failed(err)
	}
	var r endgame.Result
	if r, err = midgame.New(w, 256, 1).Solve(ctx, small); err != nil {
		return solveReport{}, failed(err)
	}
	return newSolveReport(g, p, true, r.Value, r.Line, r.Nodes, r.Time), nil
}

// solveConnect6 looks for a win by threats.
func solveConnect6(ctx context.Context, f solveFlags, g game.Game, p game.Position) (solveReport, error) {
	r, err := sixes.New(256).Prove(ctx, p.(*connect6.Position), f.nodes)
	if err != nil {
		return solveReport{}, failed(err)
	}
	return newSolveReport(g, p, r.Proved, r.Value, r.Line, r.Nodes, r.Time), nil
}

// solveWin looks for a forced win by a search of all moves. The value is the
// number of plies up to it, negative if the side to move loses; 0 and not proved
// if neither was found in time.
func solveWin(ctx context.Context, f solveFlags, g game.Game, p game.Position) (solveReport, error) {
	k, err := bots.For(g)
	if err != nil {
		return solveReport{}, err
	}
	at := engine.Position{Position: p, Repeat: g.Repeat}
	if p.Result().Over() {
		return newSolveReport(g, p, true, 0, nil, 0, 0), nil
	}
	line := engine.NewAlphaBeta(k, 64, 1).Search(ctx, at, engine.Limit{Time: f.movetime}, nil)
	switch {
	case line.Score > engine.MaxEval:
		return newSolveReport(g, p, true, engine.Won-line.Score, line.Moves, line.Nodes, line.Time), nil
	case line.Score < -engine.MaxEval:
		return newSolveReport(g, p, true, -engine.Won-line.Score, line.Moves, line.Nodes, line.Time), nil
	}
	return newSolveReport(g, p, false, 0, nil, line.Nodes, line.Time), nil
}

func newSolveReport(g game.Game, p game.Position, proved bool, value int, line []game.Move, nodes uint64, took time.Duration) solveReport {
	r := solveReport{Game: g.Name, Position: p.String(), Proved: proved, Value: value, PV: formatLine(p, line), Nodes: nodes, Seconds: took.Seconds()}
	if len(r.PV) > 0 {
		r.Best = r.PV[0]
	}
	return r
}
