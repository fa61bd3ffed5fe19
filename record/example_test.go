package record_test

import (
	"fmt"
	"os"

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
