package formats_test

import (
	"fmt"

	"quintet/record/formats"
)

// Convert bare moves to PGN. Read detects the format.
func Example() {
	list, format, _, err := formats.Read([]byte("e2e4 e7e5 g1f3"), formats.Hint{Game: "chess"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("read as", format)
	text, omitted, err := formats.Write("pgn", list)
	fmt.Println(string(text), omitted, err)
	// Output:
	// read as moves
	// [Event "?"]
	// [Site "?"]
	// [Date "????.??.??"]
	// [Round "?"]
	// [White "?"]
	// [Black "?"]
	// [Result "*"]
	// [Variant "King Capture"]
	// [Termination "unterminated"]
	//
	// 1. e4 e5 2. Nf3 *
	//  [] <nil>
}
