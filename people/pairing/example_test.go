package pairing_test

import (
	"fmt"

	"quintet/people/pairing"
)

// Four people wait for a game of Othello: those of like strength meet.
func ExampleWave() {
	waits := func(client string, rating int) pairing.Seek {
		return pairing.Seek{Client: client, Wants: []pairing.Want{{Game: "othello 5+3", Rating: rating, Low: 0, High: 3000}}}
	}
	list := []pairing.Seek{waits("Ann", 1900), waits("Ben", 1200), waits("Cem", 1250), waits("Dee", 1850)}
	for _, p := range pairing.Wave(list, func() bool { return true }) {
		fmt.Println(list[p.First].Client, "-", list[p.Second].Client, p.Game)
	}
	// Output:
	// Dee - Ann othello 5+3
	// Cem - Ben othello 5+3
}
