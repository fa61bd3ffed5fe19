// Package games lists all games.
//
// Other packages find games by [All] or [ByName] and use them through package game.
// To add a game, add a folder beside the others and a line here.
package games

import (
	"fmt"
	"slices"

	"quintet/game"
	"quintet/games/chess"
	"quintet/games/connect6"
	"quintet/games/loa"
	"quintet/games/neighbors"
	"quintet/games/othello"
)

// All returns the games in display order.
func All() []game.Game {
	return []game.Game{
		neighbors.Game,
		othello.Game,
		loa.Game,
		connect6.Game,
		chess.Game,
	}
}

// Names returns the names of all games.
func Names() (names []string) {
	for _, g := range All() {
		names = append(names, g.Name)
	}
	return names
}

// ByName returns the game with the name. The error lists the valid names.
func ByName(name string) (game.Game, error) {
	all := All()
	i := slices.IndexFunc(all, func(g game.Game) bool { return g.Name == name })
	if i < 0 {
		return game.Game{}, fmt.Errorf("game %q: expected %s", name, game.Alternatives(Names()))
	}
	return all[i], nil
}
