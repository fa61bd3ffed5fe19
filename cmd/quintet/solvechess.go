package main

import (
	"context"
	"fmt"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
)

// solveChess looks for a forced capture of a king. The value is the number of
// plies up to it, negative if the side to move loses its own; 0 if none was
// proved in time.
func solveChess(ctx context.Context, f solveFlags, g game.Game, p game.Position) (solveReport, error) {
	if f.movetime <= 0 {
		return solveReport{}, fmt.Errorf(`movetime "%s": want a time above 0, such as 10s`, f.movetime)
	}
	k, err := bots.For(g)
	if err != nil {
		return solveReport{}, err
	}
	at := engine.Position{Position: p, Repeat: g.Repeat}
	line := engine.NewAlphaBeta(k, 64, 1).Search(ctx, at, engine.Limit{Time: f.movetime}, nil)
	value := 0
	switch {
	case line.Score > engine.MaxEval:
		value = engine.Won - line.Score
	case line.Score < -engine.MaxEval:
		value = -engine.Won - line.Score
	default:
		line.Moves = nil
	}
	return newSolveReport(g, p, value, line.Moves, line.Nodes, line.Time), nil
}
