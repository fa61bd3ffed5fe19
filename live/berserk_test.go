package live_test

import (
	"testing"

	"quintet/game"
	"quintet/live"
)

// TestBerserk checks who may play with less time, what is left of it, and when a win pays.
func TestBerserk(t *testing.T) {
	first, second := live.Command{Do: live.Berserk}, live.Command{Do: live.Berserk, Side: game.Second}
	set := live.Settings{Game: "othello", Clock: live.TimeControl{Main: 60, Increment: 5}, Berserk: true}
	d := sit(t, set)
	d.now += 10_000
	d.must(t, first)
	if got, want := d.left(), [2]int64{25_000, 60_000}; got != want {
		t.Errorf("clocks %v, want %v", got, want)
	}
	d.move(t, 5_000, "f4")
	if err := d.do(first); err == nil {
		t.Error("the first side went berserk after its move")
	}
	d.must(t, second)
	if err := d.do(second); err == nil {
		t.Error("the second side went berserk twice")
	}
	if got, want := d.left(), [2]int64{20_000, 30_000}; got != want {
		t.Errorf("clocks %v, want %v: berserk has no increment", got, want)
	}
	for ply := 1; ply < 13; ply++ {
		if d.BerserkPays(game.First) {
			t.Errorf("after %d plies, a win pays", ply)
		}
		d.move(t, 0, d.Position().Format(d.Legal()[0]))
	}
	if !d.BerserkPays(game.First) || d.BerserkPays(game.Second) {
		t.Error("a win must pay after seven moves of the winner")
	}
	d = sit(t, set)
	d.must(t, first)
	d.now += 30_000 + live.MaxLag
	d.must(t, live.Command{Do: live.Flag})
	set.Berserk = false
	if err := sit(t, set).do(first); err == nil {
		t.Error("berserk in a game that does not allow it")
	}
	set.Berserk, set.Clock = true, live.TimeControl{Main: 60, Delay: 5}
	d = sit(t, set)
	d.must(t, second)
	d.move(t, 0, "f4")
	if d.now += 1_000; d.left()[1] != 29_000 {
		t.Errorf("clocks %v: berserk has no delay", d.left())
	}
	d = sit(t, set)
	d.must(t, first)
	if d.now += 1_000; d.left()[0] != 29_000 {
		t.Errorf("clocks %v: berserk ends the delay of the turn", d.left())
	}
}
