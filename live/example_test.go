package live_test

import (
	"context"
	"fmt"

	"quintet/game"
	"quintet/live"
)

// Open a table and play a move: each event is decided, appended to the log, and then
// applied to the table.
func Example() {
	ctx, log, table := context.Background(), live.NewMemory(), live.New("abcdefgh2345")
	var last uint64
	accept := func(e live.Event, err error) error {
		if err != nil {
			return err
		}
		data, err := e.Encode()
		if err != nil {
			return err
		}
		if last, err = log.Append(ctx, table.ID(), last, data); err != nil {
			return err // wraps live.ErrStale if another server was first
		}
		_, err = table.Load(data)
		return err
	}
	settings := live.Settings{Game: "othello", Seats: [2]live.Player{{Name: "Ann"}, {Name: "Ben"}}}
	if err := accept(live.OpenTable(table.ID(), settings, "", live.Stamp{})); err != nil {
		fmt.Println(err)
		return
	}
	move := live.Command{Do: live.Move, Side: game.First, Move: "e3", Ply: 0}
	if err := accept(table.Decide(move, live.Stamp{Service: 1000})); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.Moves(), table.Turn())
	_, err := table.Decide(move, live.Stamp{Service: 2000})
	fmt.Println(err)
	// Output:
	// [e3] second
	// the move is meant for ply 0, but the game is at ply 1
}
