// Game lets two levels play a game of Lines of Action, and writes its record.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games/loa"
	"quintet/record"
)

func main() {
	m, err := play(context.Background(), "level:2", "level:4")
	if err != nil {
		log.Fatal(err)
	}
	text, err := record.FromMatch(nil, m).Append(nil)
	if err != nil {
		log.Fatal(err)
	}
	_, _ = os.Stdout.Write(text)
}

func play(ctx context.Context, names ...string) (*game.Match, error) {
	start, err := loa.Game.Start(nil)
	if err != nil {
		return nil, fmt.Errorf("starting the game: %w", err)
	}
	var players [2]engine.Player
	for s := range players {
		if players[s], err = bots.NewPlayer(names[s], loa.Game, bots.Options{}); err != nil {
			return nil, fmt.Errorf("making a player: %w", err)
		}
		defer func() { _ = players[s].Close() }()
	}
	m := game.NewMatch(loa.Game, start)
	for !m.Over() {
		move, err := players[m.Position().Turn()].Choose(ctx, m, engine.Limit{Nodes: 2000})
		if err == nil {
			err = m.Play(move)
		}
		if err != nil {
			return nil, fmt.Errorf("playing: %w", err)
		}
	}
	return m, nil
}
