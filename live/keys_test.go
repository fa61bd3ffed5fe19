package live_test

import (
	"fmt"
	"strings"
	"testing"

	"quintet/game"
	"quintet/live"
)

// TestKeys remembers the keys of the last 64 commands that had one.
func TestKeys(t *testing.T) {
	d := sit(t, live.Settings{Game: "othello"})
	key := func(i int) string { return fmt.Sprintf("k%d.hash", i) }
	check := func(done int, first int) {
		t.Helper()
		for i := range done + 2 {
			if want := i >= first && i < done; d.TookEffect(key(i)) != want {
				t.Errorf("after %d commands: key %d has been used: %t, want %t", done, i, !want, want)
			}
		}
		if d.TookEffect("") {
			t.Error("a command without a key is one that was done")
		}
	}
	check(0, 0)
	for i := range 70 {
		c := live.Command{Do: live.Offer, Side: game.First, Ply: -1, Key: key(i)}
		if i%2 == 1 {
			c.Do, c.Side = live.Decline, game.Second
		}
		d.must(t, c)
		check(i+1, i+1-min(i+1, 64))
	}
	d.must(t, live.Command{Do: live.Offer, Side: game.First, Ply: -1}) // it has no key, and takes no place
	check(70, 6)
}

// TestMeantForTheStart rejects a command for the first position of a game that has moved on.
func TestMeantForTheStart(t *testing.T) {
	d := sit(t, live.Settings{Game: "othello"})
	first := d.PositionID()
	d.move(t, 0, "f4")
	err := d.do(live.Command{Do: live.Resign, Side: game.Second, Ply: -1, PositionID: first})
	if first != 1 || !live.IsCode(err, live.CodeStale) {
		t.Errorf("meant for event %d: %v, want it refused as stale", first, err)
	}
}

// TestGoBackWithinTheGame checks that take-backs reach only plies of the game, not the
// moves of the set-up.
func TestGoBackWithinTheGame(t *testing.T) {
	d := sit(t, live.Settings{Game: "othello", Moves: []string{"f4", "f3"}})
	d.move(t, 0, "e3")
	d.move(t, 0, "f5")
	for _, ply := range []int{0, 1, 4, 99} {
		err := d.do(live.Command{Do: live.GoBack, Side: game.First, Ply: ply})
		want := fmt.Sprintf("plies 2 to 3, not to %d", ply)
		if !live.IsCode(err, live.CodeNothing) || !strings.Contains(err.Error(), want) {
			t.Errorf("back to ply %d: %v, want it refused with %q", ply, err, want)
		}
	}
	for _, ply := range []int{2, 3} {
		if err := d.do(live.Command{Do: live.GoBack, Side: game.First, Ply: ply}); err != nil && !live.IsCode(err, live.CodeNothing) {
			t.Errorf("back to ply %d: %v", ply, err)
		}
	}
}
