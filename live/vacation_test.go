package live_test

import (
	"testing"

	"quintet/game"
	"quintet/live"
)

// TestVacation checks that time on vacation is charged in no event of a turn: neither in the stones of a turn of two, nor
// in offers, nor when a flag falls; and that games with other clocks know no vacation.
func TestVacation(t *testing.T) {
	const day = 86_400_000
	d := sit(t, live.Settings{Game: "connect6", Clock: live.TimeControl{Days: 2}})
	d.move(t, 0, "j10")
	d.now += 10 * day // nine of them on vacation
	for _, c := range []live.Command{{Do: live.Offer, Side: game.First, Grace: 9 * day}, {Do: live.Move, Side: game.Second, Move: "a1", Ply: -1}} {
		d.must(t, c)
		if left := d.left()[1]; left != day {
			t.Errorf("after %s, %d ms are left, want a day", c.Do, left)
		}
	}
	d.now += day + live.MaxLag + 5_000
	flag := live.Command{Do: live.Flag, Grace: 5_001}
	if err := d.do(flag); !live.IsCode(err, live.CodeInvalid) {
		t.Fatalf("a flag that vacation holds up a millisecond longer gives %v", err)
	}
	d.must(t, live.Command{Do: live.Offer, Side: game.First, Grace: 5_000}) // as the flag falls
	flag.Grace = 0
	d.must(t, flag)
	if d.Ending().Reason != live.ReasonTime || d.left()[1] != 0 {
		t.Errorf("the game ends by %q with %d ms left", d.Ending().Reason, d.left()[1])
	}
	again := live.New("t")
	for _, data := range d.log {
		if _, err := again.Load(data); err != nil {
			t.Fatal(err)
		}
	}
	timed := sit(t, live.Settings{Game: "loa", Clock: live.TimeControl{Main: 60}})
	timed.now += 61_000
	timed.must(t, live.Command{Do: live.Flag, Grace: day})
}

// TestFalseGrace refuses events with more grace than has passed.
func TestFalseGrace(t *testing.T) {
	d := sit(t, live.Settings{Game: "loa", Clock: live.TimeControl{Days: 1}})
	e, err := d.Decide(live.Command{Do: live.Resign}, live.Stamp{Service: d.now + 50})
	if err != nil {
		t.Fatal(err)
	}
	for _, grace := range []int64{-1, 51} {
		e.Grace = grace
		if err := d.add(e, nil); err == nil {
			t.Errorf("an event with a grace of %d ms is applied", grace)
		}
	}
}
