package arena_test

import (
	"context"
	"fmt"

	"quintet/arena"
	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games/connect6"
)

// first is a bot: it plays the first legal move. Whatever chooses moves can play
// in the arena.
type first struct{}

func (first) Choose(_ context.Context, m *game.Match, _ engine.Limit) (game.Move, error) {
	return m.Legal()[0], nil
}
func (first) NewGame(uint64) {}
func (first) Close() error   { return nil }

// Play a match between a bot of your own and one of the engine's levels.
func ExampleRun() {
	start, err := connect6.Game.Start(game.Setup{"size": "9"})
	if err != nil {
		fmt.Println(err)
		return
	}
	standings, err := arena.Run(context.Background(), arena.Options{
		Game: connect6.Game, Start: start, Games: 4, Concurrency: 2,
		Entrants: []arena.Entrant{
			{Name: "first", Make: func() (engine.Player, error) { return first{}, nil }},
			{Name: "level 9", Make: func() (engine.Player, error) {
				return bots.NewPlayer("level:9", connect6.Game, bots.Options{Megabytes: 1})
			}},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range standings.Players {
		fmt.Println(p.Name, p.Wins, "wins")
	}
	// Output:
	// first 0 wins
	// level 9 4 wins
}

// Estimate a difference in strength. Its margin comes from pairs, whose two games share an opening.
func ExampleScore_Elo() {
	s := arena.Score{Counts: arena.Counts{Wins: 60, Losses: 30, Draws: 10}, Pentanomial: [5]int{4, 6, 15, 15, 10}}
	elo, margin := s.Elo()
	fmt.Printf("%.0f points of 100: %+.0f ± %.0f Elo\n", 100*s.Share(), elo, margin)
	// Output:
	// 65 points of 100: +74 ± 59 Elo
}

// Decide whether A is at least 10 Elo ahead, as soon as the games allow it.
func ExampleSPRT() {
	t := arena.SPRT{Elo0: 0, Elo1: 10}
	llr := t.LLR([5]int{40, 200, 500, 340, 120})
	fmt.Printf("%.2f %q\n", llr, t.Verdict(llr))
	// Output:
	// 16.57 "H1"
}
