package live_test

import (
	"encoding/json"
	"errors"
	"testing"

	"quintet/game"
	"quintet/live"
)

// TestPause checks that the time for which pages show a player's move before the engine's
// reply is not charged, and that nothing else is free.
func TestPause(t *testing.T) {
	person, level := live.Player{}, live.Player{Name: "level:1", Engine: "level:1"}
	type move struct {
		after int64 // milliseconds after the move before
		text  string
	}
	for name, c := range map[string]struct {
		game  string
		seats [2]live.Player
		clock live.TimeControl
		moves []move
		free  int64 // after the last move
	}{
		"reply at once":          {"othello", [2]live.Player{person, level}, live.TimeControl{Main: 60}, []move{{1000, "f4"}, {3, "f3"}}, 497},
		"reply after a while":    {"othello", [2]live.Player{person, level}, live.TimeControl{Main: 60}, []move{{1000, "f4"}, {400, "f3"}}, 100},
		"reply after long":       {"othello", [2]live.Player{person, level}, live.TimeControl{Main: 60}, []move{{1000, "f4"}, {500, "f3"}}, 0},
		"with a delay":           {"othello", [2]live.Player{person, level}, live.TimeControl{Main: 60, Delay: 2}, []move{{1000, "f4"}, {3, "f3"}}, 2497},
		"the engine moves first": {"othello", [2]live.Player{level, person}, live.TimeControl{Main: 60}, []move{{3, "f4"}}, 0},
		"the engine's turn":      {"othello", [2]live.Player{person, level}, live.TimeControl{Main: 60}, []move{{3, "f4"}}, 0},
		"two people":             {"othello", [2]live.Player{person, person}, live.TimeControl{Main: 60}, []move{{3, "f4"}, {3, "f3"}}, 0},
		"two engines":            {"othello", [2]live.Player{level, level}, live.TimeControl{Main: 60}, []move{{3, "f4"}, {3, "f3"}}, 0},
		"two stones":             {"connect6", [2]live.Player{person, level}, live.TimeControl{Main: 60}, []move{{1000, "J10"}, {3, "K10"}, {3, "K11"}}, 994},
		"between two stones":     {"connect6", [2]live.Player{person, level}, live.TimeControl{Main: 60}, []move{{1000, "J10"}, {3, "K10"}}, 0},
		"no clock":               {"othello", [2]live.Player{person, level}, live.TimeControl{}, []move{{1000, "f4"}, {3, "f3"}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := sit(t, live.Settings{Game: c.game, Seats: c.seats, Clock: c.clock})
			d.now += 1000
			for _, m := range c.moves {
				d.move(t, m.after, m.text)
			}
			if got := d.DelayLeft(d.now); got != c.free {
				t.Fatalf("%d ms are free, want %d", got, c.free)
			}
			before := d.left()
			d.now += c.free + 100
			if c.clock.Main > 0 && before[d.Turn()]-d.left()[d.Turn()] != 100 {
				t.Errorf("100 ms after the free time the clock went from %d to %d", before[d.Turn()], d.left()[d.Turn()])
			}
		})
	}
}

// TestForgedPause checks that a log cannot give a turn more than the longest pause.
func TestForgedPause(t *testing.T) {
	d := sit(t, live.Settings{Game: "othello", Clock: live.TimeControl{Main: 60}})
	e, err := d.Decide(live.Command{Do: live.Move, Side: game.First, Move: "f4", Ply: 0}, live.Stamp{Service: d.now})
	if err != nil {
		t.Fatal(err)
	}
	for _, pause := range []int64{-1, 1001} {
		e.Pause = pause
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := replayed(t, d).Load(data); !errors.Is(err, live.ErrBroken) {
			t.Errorf("a pause of %d ms: %v, want ErrBroken", pause, err)
		}
	}
}

// replayed returns another table with the same events.
func replayed(t *testing.T, d *desk) *live.Table {
	t.Helper()
	again := live.New("t")
	for _, data := range d.log {
		if _, err := again.Load(data); err != nil {
			t.Fatal(err)
		}
	}
	return again
}
