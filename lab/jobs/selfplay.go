// Package jobs distributes training games and the making of puzzles over machines. It has their
// types of jobs, and the lab's own coordinator and worker, because those of quintet do not know
// these types.
package jobs

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"time"

	"quintet/farm"
	"quintet/games"
	"quintet/lab/train"
	"quintet/lab/train/selfplay"
)

// SelfPlayName is the name of the job type.
const SelfPlayName = "selfplay"

// SelfPlaySettings are the settings of a job of SelfPlay.
type SelfPlaySettings struct {
	train.SelfPlay

	Batch int `json:"batch"` // games of a unit
}

// Limits of self-play. A game of more nodes would take an hour.
const (
	maxBatch         = 256
	maxSelfPlayGames = 50_000_000
	maxSelfPlayNodes = 10_000_000
	pliesOfGame      = 100
	memoryOfSelfPlay = 64 // megabytes, with networks
)

// NewSelfPlay returns the settings of a job. A unit takes some seconds.
func NewSelfPlay(s train.SelfPlay) *SelfPlaySettings {
	const nodesOfUnit, most = 2_000_000, 64
	if s.Depth > 0 { // 64 games of 8 plies, more of fewer
		return &SelfPlaySettings{s, max(maxBatch>>(max(s.Depth-4, 0)/2), 1)}
	}
	return &SelfPlaySettings{s, int(min(max(nodesOfUnit/(max(s.Nodes, 1)*pliesOfGame), 1), most))}
}

// nodesOfGame is about how many positions a game visits.
func (s *SelfPlaySettings) nodesOfGame() uint64 {
	if s.Depth > 0 { // searches with ProbCut, and endings
		return 4<<(2*s.Depth) + 20<<s.Exact
	}
	return s.Nodes * pliesOfGame
}

// games returns the first game of a unit, and how many it has.
func (s *SelfPlaySettings) games(unit int) (first, n int) {
	first = unit * s.Batch
	return first, min(s.Batch, s.Games-first)
}

func (s *SelfPlaySettings) units() int { return (s.Games + s.Batch - 1) / s.Batch }

// SelfPlay plays training games. A unit is a batch of games; its payload is their records
// in base64. The blob is the weights, if the players have some.
func SelfPlay(settings []byte) (farm.Task, error) {
	s := &SelfPlaySettings{}
	if err := farm.DecodeJSON(settings, s); err != nil {
		return nil, err
	}
	switch {
	case s.Batch < 1 || s.Batch > maxBatch:
		return nil, fmt.Errorf("batches of %d games: expected 1 to %d", s.Batch, maxBatch)
	case s.Games > maxSelfPlayGames || s.Nodes > maxSelfPlayNodes:
		return nil, fmt.Errorf("%d games of %d nodes a move: expected at most %d of %d", s.Games, s.Nodes, maxSelfPlayGames, maxSelfPlayNodes)
	}
	g, err := games.ByName(s.Game)
	if err != nil {
		return nil, err
	}
	p, err := s.Checker(g)
	if err != nil {
		return nil, err
	}
	return &farm.ListTask{
		Valid: func(unit int, payload []byte) error {
			_, err := s.records(p, unit, payload)
			return err
		},
		Job: farm.About{
			Game: s.Game, Units: s.units(), Blob: s.Given, Counts: "games", PerUnit: s.Batch, Total: s.Games, Deterministic: true, Step: stepOf(s.nodesOfGame()), Memory: memoryOfSelfPlay,
		},
		Runner: func(weights []byte) (farm.RunnerFunc, error) {
			own := s.SelfPlay
			own.Weights = weights
			plan, err := own.Plan(g)
			if err != nil {
				return nil, err
			}
			return s.player(plan), nil
		},
	}, nil
}

// stepOf is how long a search of a number of nodes may take on a slow machine.
func stepOf(nodes uint64) time.Duration {
	const slowest = 10_000 // nodes a second
	return time.Duration(min(nodes/slowest, 3600)) * time.Second
}

// player plays batches of games.
func (s *SelfPlaySettings) player(plan train.SelfPlayGames) farm.RunnerFunc {
	return func(ctx context.Context, unit int, progress func()) ([]byte, error) {
		var records bytes.Buffer
		first, n := s.games(unit)
		for i := first; i < first+n; i++ {
			record, err := plan.Record(ctx, i)
			if err != nil {
				return nil, err
			}
			records.Write(record)
			progress()
		}
		return []byte(base64.StdEncoding.EncodeToString(records.Bytes())), nil
	}
}

// records returns the records of a unit, one by one.
func (s *SelfPlaySettings) records(p train.SelfPlayGames, unit int, payload []byte) ([][]byte, error) {
	records, err := base64.StdEncoding.DecodeString(string(payload))
	if err != nil {
		return nil, fmt.Errorf("expected records in base64: %w", err)
	}
	first, n := s.games(unit)
	return p.Check(first, n, records)
}

// Records returns a source of records from the payloads of a job's units, in order.
// next is asked for the units from the one of the first game on.
func (s *SelfPlaySettings) Records(next func(ctx context.Context, unit int) (payload string, err error)) selfplay.Source {
	var queue [][]byte
	return func(ctx context.Context, number int) ([]byte, error) {
		if len(queue) == 0 {
			payload, err := next(ctx, number/s.Batch)
			if errors.Is(err, io.EOF) {
				return nil, fmt.Errorf("game %d: the farm has no result: %w", number+1, io.ErrUnexpectedEOF)
			}
			if err != nil {
				return nil, err
			}
			g, err := games.ByName(s.Game)
			if err != nil {
				return nil, err
			}
			p, err := s.Checker(g)
			if err != nil {
				return nil, err
			}
			if queue, err = s.records(p, number/s.Batch, []byte(payload)); err != nil {
				return nil, err
			}
			queue = queue[number%s.Batch:]
		}
		record := queue[0]
		queue = queue[1:]
		return record, nil
	}
}
