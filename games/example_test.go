package games_test

import (
	"fmt"

	"quintet/game"
	"quintet/games"
)

// Play a game by the notation of its moves. Illegal moves are rejected with the
// reason.
func Example_play() {
	g, err := games.ByName("connect6")
	if err != nil {
		fmt.Println(err)
		return
	}
	start, err := g.Start(game.Setup{"size": "9"})
	if err != nil {
		fmt.Println(err)
		return
	}
	m := game.NewMatch(g, start)
	for _, move := range []string{"E4", "A0", "B0", "E4"} {
		if err := m.PlayText(move); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(m.Position(), m.Outcome().Result)
	for p, mv := range m.Replay() {
		fmt.Print(g.Sides[p.Turn()], " ", p.Format(mv), "; ")
	}
	// Output:
	// move 4: move "E4": not a legal move: Black has a stone on E4 already
	// WW7/9/9/9/4B4/9/9/9/9 B 2 ongoing
	// Black E4; White A0; White B0;
}

// List the games and their options.
func ExampleAll() {
	for _, g := range games.All() {
		fmt.Print(g.Name, " (", g.Sides[game.First], " moves first)")
		for _, o := range g.Options {
			fmt.Print(" ", o.Name)
		}
		fmt.Println()
	}
	// Output:
	// neighbors (Black moves first)
	// othello (Black moves first) size pits start
	// loa (Black moves first)
	// connect6 (Black moves first) size
	// chess (White moves first) halt
}

// Find a game by its name.
func ExampleByName() {
	g, err := games.ByName("loa")
	fmt.Println(g.Title, err)
	_, err = games.ByName("go")
	fmt.Println(err)
	// Output:
	// Lines of Action <nil>
	// game "go": expected neighbors, othello, loa, connect6 or chess
}
