package bots

import (
	"errors"
	"fmt"

	"quintet/game"
	"quintet/train/selfplay"
)

// SelfPlay describes games of self-play, so that another machine can play the same.
type SelfPlay struct {
	Game    string `json:"game"`
	Nodes   uint64 `json:"nodes"` // for each move
	Games   int    `json:"games"`
	Seed    uint64 `json:"seed"`
	Weights []byte `json:"weights,omitempty"` // a file of the player's weights; those that come with the program if there are none
}

// SelfPlayTrainer is a Trainer whose games of self-play can be played elsewhere.
type SelfPlayTrainer interface {
	Trainer

	// SelfPlay returns the games. Flags must have been parsed.
	SelfPlay() (SelfPlay, error)

	// PlayElsewhere lets Train take the games from a source instead of playing them.
	PlayElsewhere(source selfplay.Source)
}

// Plan returns the plan of the games. The description may come from anyone.
func (s SelfPlay) Plan(g game.Game) (*selfplay.Plan, error) {
	if s.Nodes < 1 || s.Games < 1 {
		return nil, errors.New("expected at least one game, and one position for each move")
	}
	if make := For(g).Trainer; make != nil {
		if t, ok := make().(*networkTrainer); ok {
			return t.planOf(s)
		}
	}
	return nil, fmt.Errorf("%s has no trainer that keeps games of self-play", g.Name)
}
