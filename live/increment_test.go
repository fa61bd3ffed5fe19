package live_test

import (
	"bytes"
	"errors"
	"os"
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

// early loads testdata/early.ndjson: a game with 300+2, written when the increment was
// given for a move before the second seat was taken, too.
func early(t *testing.T) (lines [][]byte, d *desk) {
	t.Helper()
	data, err := os.ReadFile("testdata/early.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	d = &desk{Table: live.New("t")}
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if _, err := d.Load(line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines, d
}

// TestIncrementsOfBefore continues old games with their legacy increment.
func TestIncrementsOfBefore(t *testing.T) {
	_, d := early(t)
	d.now = d.LastEventTime()
	if got, want := d.left(), [2]int64{302_000, 301_000}; got != want || d.Ply() != 2 {
		t.Errorf("clocks %v at ply %d, want %v at 2", got, d.Ply(), want)
	}
	d.move(t, 1_000, "e3")
	if got, want := d.left(), [2]int64{303_000, 301_000}; got != want {
		t.Errorf("a move later: clocks %v, want %v", got, want)
	}
}

// TestOtherIncrementsAreRefused rejects logs with any other clock after such a move.
func TestOtherIncrementsAreRefused(t *testing.T) {
	lines, _ := early(t)
	for _, clocks := range []string{"[301000,300000]", "[304000,300000]", "[300000,302000]", "[302000,302000]"} {
		d := live.New("t")
		if _, err := d.Load(lines[0]); err != nil {
			t.Fatal(err)
		}
		changed := bytes.Replace(lines[1], []byte("[302000,300000]"), []byte(clocks), 1)
		if bytes.Equal(changed, lines[1]) {
			t.Fatalf("%s has no clocks to change", lines[1])
		}
		if _, err := d.Load(changed); !errors.Is(err, live.ErrBroken) {
			t.Errorf("clocks %s after a move that cost nothing: %v, want %v", clocks, err, live.ErrBroken)
		}
	}
}
