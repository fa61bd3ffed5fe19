package train

import (
	"context"
	"errors"
	"fmt"

	"quintet/game"
	"quintet/lab/train/selfplay"
)

// SelfPlay describes games of self-play, so that another machine can play the same.
type SelfPlay struct {
	Game   string `json:"game"`
	Boards string `json:"boards,omitempty"` // of Othello: "8x8" or "any"
	Nodes  uint64 `json:"nodes"`            // for each move; 0 with Depth
	Depth  int    `json:"depth,omitempty"`  // search depth of the players on 8x8, in plies
	Exact  int    `json:"exact,omitempty"`  // on 8x8: the empty cells from which the players search to the end
	Games  int    `json:"games"`
	Seed   uint64 `json:"seed"`
	Given  bool   `json:"weights,omitempty"` // whether the players have Weights, as always in Othello; others play by the linear evaluation without

	Weights []byte `json:"-"` // a file of the players' weights
}

// Remote returns the games of a description, which other machines play from when the first is asked
// for.
type Remote func(s SelfPlay) selfplay.Source

// SelfPlayGames are games of self-play. Each depends on its number alone.
type SelfPlayGames interface {
	// Record plays a game and returns its record.
	Record(ctx context.Context, i int) ([]byte, error)

	// Check checks the records of a number of games, the first of which has number first,
	// and returns them one by one. The records are untrusted.
	Check(first, games int, records []byte) ([][]byte, error)
}

// Plan returns the games, which are played with Weights. The description may come from
// anyone.
func (s SelfPlay) Plan(g game.Game) (SelfPlayGames, error) {
	if s.Given != (s.Weights != nil) {
		return nil, errors.New("expected the players' weights if the description says that they have some, else none")
	}
	return s.games(g, true)
}

// Checker returns the games, which can be checked but not played.
func (s SelfPlay) Checker(g game.Game) (SelfPlayGames, error) { return s.games(g, false) }

func (s SelfPlay) games(g game.Game, play bool) (SelfPlayGames, error) {
	if s.Games < 1 || s.Nodes < 1 && s.Depth < 1 {
		return nil, errors.New("expected at least one game, and one position for each move")
	}
	t := TrainerOf(g)
	if t == nil {
		return nil, fmt.Errorf("%s has no trainer", g.Name)
	}
	return t.gamesOf(s, play)
}
