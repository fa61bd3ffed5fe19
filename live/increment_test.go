package live_test

import (
	"testing"

	"quintet/game"
	"quintet/live"
)

// TestNoIncrementBeforeTheClockRuns checks that a move earns no increment while it costs
// no time: before both seats are taken.
func TestNoIncrementBeforeTheClockRuns(t *testing.T) {
	d := open(t, live.Settings{Game: "othello", Clock: live.TimeControl{Main: 300, Increment: 2}, Seats: [2]live.Player{{Name: "Ann"}}})
	clocks := func(want ...int64) {
		t.Helper()
		if got := d.left(); got != [2]int64(want) {
			t.Errorf("at ply %d: clocks %v, want %v", d.Ply(), got, want)
		}
	}
	d.move(t, 10_000, "f4")
	clocks(300_000, 300_000)
	d.now += 10_000
	d.must(t, live.Command{Do: live.Sit, Side: game.Second, Player: live.Player{Name: "Ben"}})
	d.move(t, 1_000, "f3")
	clocks(300_000, 301_000)
	d.move(t, 3_000, "e3")
	clocks(299_000, 301_000)
	d.must(t, live.Command{Do: live.GoBack, Side: game.First, Ply: 0})
	d.must(t, live.Command{Do: live.Accept, Side: game.Second})
	clocks(300_000, 300_000)
	d.move(t, 500, "f4") // the clock runs now
	clocks(301_500, 300_000)
}
