package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"quintet/bots"
	"quintet/farm"
	"quintet/game"
	"quintet/games"
	"quintet/lab/puzzles"
	"quintet/learn/puzzle"
)

// PuzzlesName is the name of the job type.
const PuzzlesName = "puzzles"

// PuzzlesSettings are the settings of a job of Puzzles.
type PuzzlesSettings struct {
	Game  string   `json:"game"`
	Seed  uint64   `json:"seed"`
	First int      `json:"first,omitempty"` // number of the first game
	Known []string `json:"known,omitempty"` // identifiers of puzzles that do not count again
	Count int      `json:"count"`           // puzzles to find
}

// memoryOfPuzzles is what a slot needs, in megabytes: ten players and the tables of proofs.
const memoryOfPuzzles = 128

// maxUnits bounds the games that are looked at.
const maxUnits = 1_000_000

// maxPuzzles bounds the puzzles of a job.
const maxPuzzles = 20_000

// Puzzles makes puzzles. A unit is a game; its payload is the puzzle that it holds, or
// null. The job is complete when enough puzzles are found.
func Puzzles(settings []byte) (farm.Task, error) {
	s := &PuzzlesSettings{}
	if err := farm.DecodeJSON(settings, s); err != nil {
		return nil, err
	}
	if s.Count < 1 || s.Count > maxPuzzles || s.First < 0 || s.First > 1<<40 {
		return nil, fmt.Errorf("%d puzzles from game %d on: expected 1 to %d, from a game of 0 or more", s.Count, s.First, maxPuzzles)
	}
	g, err := games.ByName(s.Game)
	if err != nil {
		return nil, err
	}
	if bots.ProfileFor(g).Puzzles.Strong == 0 {
		return nil, fmt.Errorf("%s has no source of puzzles", g.Name)
	}
	return &puzzlesTask{s, g}, nil
}

type puzzlesTask struct {
	settings *PuzzlesSettings
	game     game.Game
}

// About returns a description with more units than any number of puzzles takes: the fold
// ends the job.
func (t *puzzlesTask) About() farm.About {
	return farm.About{Game: t.game.Name, Units: maxUnits, Counts: "puzzles", Deterministic: true, Step: time.Minute, Memory: memoryOfPuzzles}
}

func (t *puzzlesTask) Check(unit int, payload []byte) (farm.Digest, error) {
	p, err := DecodePuzzle(payload)
	if err != nil || p == nil {
		return farm.DigestOf(payload), err
	}
	switch {
	case p.Seed != t.settings.Seed || p.Source != t.settings.First+unit:
		return "", fmt.Errorf("a puzzle of game %d with seed %d: expected game %d with seed %d", p.Source, p.Seed, t.settings.First+unit, t.settings.Seed)
	case len(p.Turns) > maxTurns:
		return "", fmt.Errorf("a puzzle of %d turns: expected at most %d", len(p.Turns), maxTurns)
	}
	return farm.DigestOf(payload) + farm.Digest(p.ID), p.Check(t.game)
}

// maxTurns bounds the turns of a puzzle.
const maxTurns = 100

// DecodePuzzle parses the payload of a unit. The puzzle is nil if there is none.
func DecodePuzzle(payload []byte) (p *puzzle.Puzzle, err error) {
	if len(payload) > farm.MaxPayloadBytes {
		return nil, fmt.Errorf("a result of %d bytes: expected at most %d", len(payload), farm.MaxPayloadBytes)
	}
	return p, farm.DecodeJSON(payload, &p)
}

func (t *puzzlesTask) Fold() farm.Fold {
	f := &puzzlesFold{seen: map[string]bool{}, wanted: t.settings.Count}
	for _, id := range t.settings.Known {
		f.seen[id] = true
	}
	f.known = len(f.seen)
	return f
}

// puzzlesFold counts different puzzles.
type puzzlesFold struct {
	seen          map[string]bool
	known, wanted int
}

func (f *puzzlesFold) Add(unit int, d farm.Digest) bool {
	if len(d) > farm.HashBytes {
		f.seen[string(d[farm.HashBytes:])] = true
	}
	return len(f.seen)-f.known >= f.wanted || unit == maxUnits-1
}

func (f *puzzlesFold) Progress() (done, planned int) { return len(f.seen) - f.known, f.wanted }

// NewRunner implements farm.Task.
func (t *puzzlesTask) NewRunner([]byte, float64) (farm.Runner, error) {
	maker, err := puzzles.NewMaker(t.game, t.settings.Seed)
	if err != nil {
		return nil, err
	}
	return farm.RunnerFunc(func(ctx context.Context, unit int, progress func()) ([]byte, error) {
		p, ok, err := maker.Make(ctx, t.settings.First+unit)
		progress()
		switch {
		case err != nil:
			return nil, err
		case !ok:
			return []byte("null"), nil
		}
		return json.Marshal(p)
	}), nil
}
