package live_test

import (
	"errors"
	"testing"

	"quintet/game"
	"quintet/live"
)

// TestClockRange checks that the smallest and the largest value of each field of a clock
// are accepted, and the next ones rejected.
func TestClockRange(t *testing.T) {
	const day = 24 * 60 * 60
	for c, ok := range map[live.TimeControl]bool{
		{}:                          true,
		{Days: 1}:                   true,
		{Days: 60}:                  true,
		{Days: 61}:                  false,
		{Days: -1}:                  false,
		{Days: 1, Main: 60}:         false,
		{Main: 1}:                   true,
		{Main: day}:                 true,
		{Main: day + 1}:             false,
		{Main: -1}:                  false,
		{Increment: 5}:              false, // without main
		{Main: 60, Increment: 3600}: true,
		{Main: 60, Increment: 3601}: false,
		{Main: 60, Increment: -1}:   false,
		{Main: 60, Delay: 3600}:     true,
		{Main: 60, Delay: 3601}:     false,
		{Main: 60, Delay: -1}:       false,
	} {
		if err := c.Check(); (err == nil) != ok {
			t.Errorf("%+v: %v, want it taken: %t", c, err, ok)
		}
	}
}

// TestOverAtStart rejects a game that is over at its start, and names the field to blame:
// pits, position or moves.
func TestOverAtStart(t *testing.T) {
	for _, c := range []struct {
		field    string
		settings live.Settings
	}{
		{"options", live.Settings{Game: "othello", Options: game.Setup{"size": "4", "pits": "b1,c1,a2,d2,a3,d3,b4,c4"}}},
		{"position", live.Settings{Game: "chess", Position: "4k3/8/8/8/8/8/8/8 w"}},
		{"moves", live.Settings{Game: "chess", Moves: []string{"e2e4", "f7f5", "d1h5", "a7a6", "h5e8"}}},
	} {
		var wrong *live.Error
		if err := c.settings.Check(); !errors.As(err, &wrong) || wrong.Reason != "start.over" || wrong.Field != c.field {
			t.Errorf("%+v: %+v, want start.over at %s", c.settings, wrong, c.field)
		}
	}
}

// TestRatedSettings checks which games can be rated.
func TestRatedSettings(t *testing.T) {
	clock := live.TimeControl{Main: 300}
	for _, tt := range []struct {
		name string
		s    live.Settings
		ok   bool
	}{
		{"with a clock", live.Settings{Game: "loa", Clock: clock}, true},
		{"with days", live.Settings{Game: "othello", Clock: live.TimeControl{Days: 1}}, true},
		{"without a clock", live.Settings{Game: "loa"}, false},
		{"from some moves on", live.Settings{Game: "chess", Clock: clock, Options: game.Setup{"halt": "none"}, Moves: []string{"e2e4"}}, false},
		{"chess that may be halted", live.Settings{Game: "chess", Clock: clock}, false},
		{"a small board", live.Settings{Game: "connect6", Options: game.Setup{"size": "9"}, Clock: clock}, false},
	} {
		tt.s.Rated = true
		if err := tt.s.Check(); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
