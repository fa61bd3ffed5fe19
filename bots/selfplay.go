package bots

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

// SelfPlayTrainer is a Trainer whose games of self-play other machines can play.
type SelfPlayTrainer interface {
	Trainer

	// PlayRemotely lets other machines play the games that Train needs. The
	// error says which setting is against it.
	PlayRemotely(r Remote) error

	// gamesOf returns the games of a description. Without play they can only be checked.
	gamesOf(s SelfPlay, play bool) (Games, error)
}

// Remote lets other machines play games, and returns them one by one, in the order of their numbers.
type Remote func(ctx context.Context, s SelfPlay) (selfplay.Source, error)

// source returns the games of a description. They begin when the first is asked for.
func (r Remote) source(describe func() (SelfPlay, error)) selfplay.Source {
	var source selfplay.Source
	return func(ctx context.Context, game int) ([]byte, error) {
		if source == nil {
			s, err := describe()
			if err != nil {
				return nil, err
			}
			if source, err = r(ctx, s); err != nil {
				return nil, err
			}
		}
		return source(ctx, game)
	}
}

// Games are games of self-play. Each depends on its number alone.
type Games interface {
	// Record plays a game and returns its record.
	Record(ctx context.Context, i int) ([]byte, error)

	// Check checks the records of a number of games, the first of which has number first,
	// and returns them one by one. The records are untrusted.
	Check(first, games int, records []byte) ([][]byte, error)
}

// Plan returns the games, which are played with Weights. The description may come from
// anyone.
func (s SelfPlay) Plan(g game.Game) (Games, error) {
	if s.Given != (s.Weights != nil) {
		return nil, errors.New("expected the players' weights if the description says that they have some, else none")
	}
	return s.games(g, true)
}

// Checker returns the games, which can be checked but not played.
func (s SelfPlay) Checker(g game.Game) (Games, error) { return s.games(g, false) }

func (s SelfPlay) games(g game.Game, play bool) (Games, error) {
	if s.Games < 1 || s.Nodes < 1 && s.Depth < 1 {
		return nil, errors.New("expected at least one game, and one position for each move")
	}
	if make := ProfileFor(g).Trainer; make != nil {
		if t, ok := make().(SelfPlayTrainer); ok {
			return t.gamesOf(s, play)
		}
	}
	return nil, fmt.Errorf("%s has no trainer whose games of self-play can be shared", g.Name)
}
