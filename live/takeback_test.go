package live_test

import (
	"errors"
	"testing"

	"quintet/game"
	"quintet/live"
)

// TestTakebackEndsOffers withdraws offers made in the positions that are taken back.
func TestTakebackEndsOffers(t *testing.T) {
	d := sit(t, live.Settings{Game: "othello"})
	d.move(t, 0, "f4")
	d.must(t, live.Command{Do: live.GoBack, Side: game.First, Ply: -1})
	if len(d.Asked(game.First)) == 0 {
		t.Fatal("the takeback is not asked for")
	}
	d.must(t, live.Command{Do: live.Accept, Side: game.Second})
	for _, side := range []game.Side{game.First, game.Second} {
		if list := d.Asked(side); d.Ply() != 0 || len(list) > 0 {
			t.Errorf("at ply %d the %s side still asks for %v", d.Ply(), side, list)
		}
	}
}

// TestRatedTakeback refuses take-backs in a rated game, also from an engine, and in a tournament.
func TestRatedTakeback(t *testing.T) {
	clock, level := live.TimeControl{Main: 300}, [2]live.Player{{}, {Name: "level:1", Engine: "level:1"}}
	for _, set := range []live.Settings{{Rated: true}, {Rated: true, Seats: level}, {Tournament: "x"}} {
		set.Game, set.Clock = "othello", clock
		d := sit(t, set)
		d.move(t, 0, "f4")
		var refused *live.Error
		if err := d.do(live.Command{Do: live.GoBack, Side: game.First, Ply: -1}); !errors.As(err, &refused) || refused.Reason != "takeback.rated" {
			t.Errorf("take-back: %v, want takeback.rated", err)
		}
	}
}

// TestTakebackClocks checks that a take-back restores the clocks of its ply, also of a
// ply that was played again after a take-back.
func TestTakebackClocks(t *testing.T) {
	d := sit(t, live.Settings{Game: "othello", Clock: live.TimeControl{Main: 300}})
	back := func(ply int) {
		d.must(t, live.Command{Do: live.GoBack, Side: game.First, Ply: ply})
		d.must(t, live.Command{Do: live.Accept, Side: game.Second})
	}
	wantLeft := func(first, second int64) {
		t.Helper()
		if got := d.left(); got != [2]int64{first, second} {
			t.Errorf("at ply %d: clocks %v, want %d and %d", d.Ply(), got, first, second)
		}
	}
	d.move(t, 1000, "f4")
	d.move(t, 2000, "f3")
	wantLeft(299_000, 298_000)
	back(0)
	wantLeft(300_000, 300_000)
	d.move(t, 7000, "f4")
	d.move(t, 9000, "f3")
	wantLeft(293_000, 291_000)
	back(1)
	wantLeft(293_000, 300_000)
}
