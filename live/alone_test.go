package live_test

import (
	"errors"
	"testing"

	"quintet/game"
	"quintet/live"
)

// TestAlone rejects requests to a missing opponent, and wins without an opponent.
func TestAlone(t *testing.T) {
	agreed := game.Setup{"halt": "agreed"}
	for _, c := range []struct {
		name     string
		settings live.Settings
		before   []live.Command
		do       live.Verb
		want     string
	}{
		{"a draw", live.Settings{Game: "loa"}, nil, live.Offer, "draw.nobody"},
		{"a claim", live.Settings{Game: "chess"}, nil, live.Claim, "claim.nobody"},
		{"a claim that needs both", live.Settings{Game: "chess", Options: agreed}, nil, live.Claim, "claim.nobody"},
		{"a claim in another game", live.Settings{Game: "neighbors"}, nil, live.Claim, "claim.never"},
		{"a rematch", live.Settings{Game: "connect6", Position: "BBBBB1/6/6/6/6/6 B 1"}, []live.Command{{Do: live.Move, Move: "F0"}}, live.AskRematch, "rematch.nobody"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.settings.Seats[0] = live.Player{Name: "Ann"}
			d := open(t, c.settings)
			for _, b := range c.before {
				d.must(t, b)
			}
			var refused *live.Error
			if err := d.do(live.Command{Do: c.do}); !errors.As(err, &refused) || refused.Code != live.CodeNothing || refused.Reason != c.want {
				t.Errorf("%s alone: %v, want it refused as %s", c.do, err, c.want)
			}
			if asked := d.Asked(game.First); len(asked) > 0 {
				t.Errorf("%v is asked without an opponent", asked)
			}
		})
	}
}
