package people

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"quintet/live"
)

// progressKey begins the keys of records of progress, which accounts do not hold in memory. The rest is the identifier
// of the account.
const progressKey = "progress-"

// Limits on the progress of an account.
const (
	MaxProgress      = 64 << 10 // bytes
	maxProgressKey   = 40       // characters of the name of a game or a puzzle
	maxProgressSteps = 1000     // number of a step of a lesson
)

// Progress is a person's results in puzzles and lessons. Maps are by the name of the game.
type Progress struct {
	Puzzles map[string]map[string]*bool `json:"puzzles"` // by identifier: true: solved at the first try; false: solved later; nil: tried, not solved
	Lessons map[string][]int            `json:"lessons"` // the steps that are done
	Ratings map[string]PuzzleRating     `json:"ratings"`
	Streak  Streak                      `json:"streak"`
}

// PuzzleRating is a rating against puzzles, after how many of them, and what the latest changed.
type PuzzleRating struct {
	Rating  int `json:"rating"`
	Puzzles int `json:"puzzles"`
	Change  int `json:"change"`
}

// Streak counts the successive days on which a person solved a puzzle of the day, up to the last one.
type Streak struct {
	Last string `json:"last"` // a day (UTC), or ""
	Run  int    `json:"run"`
	Best int    `json:"best"`
}

// merge adds progress that was made elsewhere.
func (p *Progress) merge(o Progress) {
	*p = Progress{filled(p.Puzzles), filled(p.Lessons), filled(p.Ratings), p.Streak}
	for game, list := range o.Puzzles {
		own := filled(p.Puzzles[game])
		for id, solved := range list {
			if own[id] == nil {
				own[id] = solved
			}
		}
		p.Puzzles[game] = own
	}
	for game, steps := range o.Lessons {
		p.Lessons[game] = slices.Compact(slices.Sorted(slices.Values(slices.Concat(p.Lessons[game], steps))))
	}
	for game, r := range o.Ratings {
		if r.Puzzles > p.Ratings[game].Puzzles {
			p.Ratings[game] = r
		}
	}
	best := max(p.Streak.Best, o.Streak.Best)
	if o.Streak.Last > p.Streak.Last || o.Streak.Last == p.Streak.Last && o.Streak.Run > p.Streak.Run {
		p.Streak = o.Streak
	}
	p.Streak.Best = best
}

// Solved returns how many puzzles of a game are solved.
func (p Progress) Solved(game string) (n int) {
	for _, solved := range p.Puzzles[game] {
		if solved != nil {
			n++
		}
	}
	return n
}

// filled returns a map, or an empty one for nil.
func filled[V any](m map[string]V) map[string]V {
	if m == nil {
		return map[string]V{}
	}
	return m
}

// Check returns an error if a client may not store the progress.
func (p Progress) Check() error {
	long := func(key string) bool { return len(key) > maxProgressKey }
	for game, list := range p.Puzzles {
		for id := range list {
			if long(game) || long(id) {
				return fmt.Errorf("puzzle %.60q of %.60q: expected at most %d characters", id, game, maxProgressKey)
			}
		}
	}
	for game, steps := range p.Lessons {
		if long(game) || slices.ContainsFunc(steps, func(n int) bool { return n < 0 || n > maxProgressSteps }) {
			return fmt.Errorf("lessons of %.60q: expected steps from 0 to %d", game, maxProgressSteps)
		}
	}
	for game := range p.Ratings {
		if long(game) {
			return fmt.Errorf("ratings: expected a game, not %.60q", game)
		}
	}
	if _, err := time.Parse(time.DateOnly, p.Streak.Last); p.Streak.Last != "" && err != nil {
		return fmt.Errorf("last day %.60q: expected one such as 2026-11-27", p.Streak.Last)
	}
	return nil
}

// Progress returns the progress of an account, and its record.
func (s *Store) Progress(ctx context.Context, id string) (p Progress, r live.Record, err error) {
	return ReadProgress(ctx, s.records, progressKey+id)
}

// ReadProgress returns the progress in a record.
func ReadProgress(ctx context.Context, records live.Records, key string) (p Progress, r live.Record, err error) {
	if r, err = records.GetRecord(ctx, key); err == nil && len(r.Data) > 0 {
		err = json.Unmarshal(r.Data, &p)
	}
	if err != nil {
		return p, r, fmt.Errorf("reading progress: %w", err)
	}
	p.merge(Progress{})
	return p, r, nil
}

// AddProgress merges progress into that of an account, and returns the result. It writes nothing if that changes
// nothing. The error wraps ErrMissing if there is no such account, and ErrMany if the progress has more than MaxProgress.
func (s *Store) AddProgress(ctx context.Context, id string, more Progress) (p Progress, err error) {
	p, _, err = MergeProgress(ctx, s.records, progressKey+id, more, func() error {
		if err := s.Sync(ctx, id); err != nil {
			return fmt.Errorf("reading an account: %w", err)
		}
		if a, ok := s.Account(id); !ok || a.Erased {
			return ErrMissing
		}
		return nil
	})
	return p, err
}

// MergeProgress merges progress into a record, and returns the result and its revision, unless its owner was erased before: owned then
// returns an error. It writes nothing if that changes nothing. The error wraps ErrMany if there is more than MaxProgress.
func MergeProgress(ctx context.Context, records live.Records, key string, more Progress, owned func() error) (p Progress, revision uint64, err error) {
	for range maxTries {
		var r live.Record
		if p, r, err = ReadProgress(ctx, records, key); err != nil {
			return p, 0, err
		}
		if err := owned(); err != nil { // after the record was read: EraseProgress writes it last
			return p, 0, err
		}
		p.merge(more)
		data, err := json.Marshal(p)
		switch {
		case err != nil:
			return p, 0, fmt.Errorf("writing progress: %w", err)
		case len(data) > MaxProgress:
			return p, 0, ErrMany
		case bytes.Equal(data, r.Data):
			return p, r.Revision, nil
		}
		if revision, err = records.PutRecord(ctx, key, r.Revision, data); !errors.Is(err, live.ErrStale) {
			return p, revision, err //nolint:wrapcheck // the caller says what it was doing
		}
	}
	return p, 0, live.ErrStale
}

// EraseProgress erases the progress in a record, after its owner. It writes a record even if there is none, so that
// nobody else can who saw the owner before.
func EraseProgress(ctx context.Context, records live.Records, key string) error {
	for range maxTries {
		r, err := records.GetRecord(ctx, key)
		if err == nil {
			_, err = records.PutRecord(ctx, key, r.Revision, nil)
		}
		if !errors.Is(err, live.ErrStale) {
			return err //nolint:wrapcheck // the caller says what it was doing
		}
	}
	return live.ErrStale
}
