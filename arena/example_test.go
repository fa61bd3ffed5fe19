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
