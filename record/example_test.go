package record_test

import (
	"errors"
	"fmt"
	"os"

	"quintet/game"
	"quintet/games/chess"
	"quintet/games/loa"
	"quintet/record"
)

// Write the record of a game, with a variation and a comment, and read it back.
func Example() {
	r, err := record.New(loa.Game, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r.Players = [2]string{"Ann", "Ben"}
	for _, text := range []string{"a1c1", "a1c3"} { // the second is a variation
		mv, err := r.Start.Parse(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		if _, err := r.Play(r.Root, mv); err != nil {
			fmt.Println(err)
			return
		}
	}
	r.Root.Next[0].Comment = "the usual start"
	text, err := r.Append(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _ = os.Stdout.Write(text)
	again, err := record.Parse(text)
	fmt.Println(len(again), again[0].Players[1], err)
	// Output:
	// [Game "loa"]
	// [First "Ann"]
	// [Second "Ben"]
	// [Result "*"]
	//
	// 1. a1c1 {the usual start} (1. a1c3) *
	// 1 Ben <nil>
}

// Turn the record of a game into a match, to go on from its last move.
func ExampleRecord_Match() {
	list, err := record.Parse([]byte("[Game \"othello\"]\n\n1. f4 d3 2. c2 *\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := list[0].Match(list[0].Last())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(m.Moves()), m.Position())
	// Output:
	// 3 8/2X5/3X4/3OXX2/3OX3/8/8/8 O
}

// Write the record of a match.
func ExampleFromMatch() {
	start, err := loa.Game.Start(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := game.NewMatch(loa.Game, start)
	if err := errors.Join(m.PlayText("a1c1"), m.Resign(game.Second)); err != nil {
		fmt.Println(err)
		return
	}
	text, err := record.FromMatch(nil, m).Append(nil)
	fmt.Print(string(text), err, "\n")
	// Output:
	// [Game "loa"]
	// [Result "1-0"]
	// [End "resignation"]
	//
	// 1. a1c1 1-0
	// <nil>
}

// Name a move of chess as PGN does.
func ExampleSAN() {
	p, err := chess.Game.Read("4k3/8/8/3q4/4P3/8/8/4K3 w")
	if err != nil {
		fmt.Println(err)
		return
	}
	move, err := p.Parse("e4d5")
	fmt.Println(record.SAN(p, move), err)
	// Output:
	// exd5 <nil>
}

// An error says where it is.
func ExampleParse() {
	_, err := record.Parse([]byte("[Game \"loa\"]\n\n1. a1c1 b8b9 *\n"))
	fmt.Println(err)
	// Output:
	// line 3, column 9: move "b8b9": b8 is outside of the board of 8 by 8, expected two cells written together, each from a0 to h7
}
