// Package games is the one list of the games that there are.
//
// Everything outside the folders of the games finds them by [All] or [ByName]
// and knows them only as package game describes them. A new game is a folder
// beside the others and a line here.
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

// All returns the games, in the order in which they are shown to people.
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

// ByName returns the game of a name. The error lists the names that there are.
func ByName(name string) (game.Game, error) {
	all := All()
	i := slices.IndexFunc(all, func(g game.Game) bool { return g.Name == name })
	if i < 0 {
		return game.Game{}, fmt.Errorf("game %q: want %s", name, game.Alternatives(Names()))
	}
	return all[i], nil
}
