package bots_test

import (
	"context"
	"fmt"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games/chess"
	"quintet/games/othello"
)

// Search a position with the strongest search that the game has.
func ExampleSearcher() {
	p, err := chess.Game.Read("4k3/8/8/3q4/4P3/8/8/4K3 w")
	if err != nil {
		fmt.Println(err)
		return
	}
	search, err := bots.Searcher(chess.Game, bots.Options{Megabytes: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	at := engine.Position{Position: p, Repeat: chess.Game.Repeat}
	line := search.Search(context.Background(), at, engine.Limit{Depth: 4}, nil)
	fmt.Println(p.Format(line.Best()))
	// Output: e4d5
}

// Let a level play against itself for two moves.
func ExampleNewPlayer() {
	start, err := chess.Game.Start(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	player, err := bots.NewPlayer("level:10", chess.Game, bots.Options{Megabytes: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = player.Close() }()
	m := game.NewMatch(chess.Game, start)
	for range 2 {
		move, err := player.Choose(context.Background(), m, engine.Limit{Depth: 2})
		if err == nil {
			err = m.Play(move)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(len(m.Moves()), m.Outcome().Result)
	// Output: 2 ongoing
}

// Solve an endgame of Othello: the value is the margin for the side to move.
func ExampleSolve() {
	p, err := othello.Game.Read("OOOOOOOO/OOOOOOOO/OOOOOOOO/OOOOOOOO/OOOOOOOO/XXXXXXXX/XXXXOOOO/XXXXXXO1 X")
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := bots.Solve(context.Background(), othello.Game, p, bots.SolveLimit{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.Value, found.Proved, p.Format(found.Line[0]))
	// Output:
	// -20 true h8
}

// List the names of players; engines of other authors join as "ugi:COMMAND" and the like.
func ExampleNames() {
	fmt.Println(bots.Names()[:3], bots.Levels)
	// Output:
	// [random mcts engine] 10
}
