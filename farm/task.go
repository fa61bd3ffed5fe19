package farm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quintet/arena"
	"quintet/game"
)

// Task is what the kind of a job decides: how many units of work it has, which results
// are valid, and what they add up to. Units are numbered from 0. Its methods may be
// called at the same time.
type Task interface {
	Units() int

	// Check validates the result of a unit, which may come from anyone, and returns
	// its digest.
	Check(unit int, payload []byte) (Digest, error)

	// Fold returns the sum of no results.
	Fold() Fold

	// Deterministic reports whether a unit that is done again gives the same digest.
	Deterministic() bool
}

// Digest is what a fold needs of a result, and by which results are compared. It is
// short, so that the digests of a job stay in memory.
type Digest string

// Fold adds up digests.
type Fold interface {
	// Add adds the next unit and reports whether the job is now complete.
	Add(unit int, d Digest) (complete bool)
}

// MaxPayloadBytes bounds a result: a ply takes about 20 bytes.
const MaxPayloadBytes = 256 << 10

// NewTask returns the task of a job.
func NewTask(s *Spec) (Task, error) {
	o, err := s.Match.Options(nil, nil)
	if err != nil {
		return nil, err
	}
	t := &matchTask{options: o, deterministic: s.Match.Deterministic()}
	t.cheapOpenings = !strings.HasPrefix(s.Match.Openings, "band:")
	for _, p := range s.Match.Header.Players {
		t.names = append(t.names, p.Name)
	}
	return t, nil
}

// matchTask is the task of a match: a unit is a pair of games, and its payload is two
// lines of a record.
type matchTask struct {
	options       *arena.Options
	names         []string
	cheapOpenings bool // to compute: those in a band take searches
	deterministic bool
}

func (t *matchTask) Units() int { return t.options.Pairs() }

func (t *matchTask) Deterministic() bool { return t.deterministic }

func (t *matchTask) Fold() Fold { return &MatchFold{t: t, tally: arena.NewTally(t.options), stride: 1} }

// EncodePair returns the payload of a pair.
func EncodePair(games [2]arena.Record, names []string) ([]byte, error) {
	first, err := arena.EncodeRecord(games[0], names)
	if err != nil {
		return nil, err
	}
	second, err := arena.EncodeRecord(games[1], names)
	return slices.Concat(first, []byte("\n"), second), err
}

// DecodePair parses the payload of a pair, and checks that the moves are legal.
func DecodePair(payload []byte, g game.Game, names []string) (games [2]arena.Record, err error) {
	if len(payload) > MaxPayloadBytes {
		return games, fmt.Errorf("a result of %d bytes: want at most %d", len(payload), MaxPayloadBytes)
	}
	first, second, ok := bytes.Cut(payload, []byte("\n"))
	if !ok {
		return games, errors.New("want the lines of two games")
	}
	for i, line := range [][]byte{first, second} {
		if games[i], err = arena.DecodeRecord(line, g, names); err != nil {
			return games, fmt.Errorf("game %d of the pair: %w", i+1, err)
		}
	}
	return games, nil
}

func (t *matchTask) Check(unit int, payload []byte) (Digest, error) {
	games, err := DecodePair(payload, t.options.Game, t.names)
	if err != nil {
		return "", err
	}
	var want *arena.Opening
	if t.cheapOpenings {
		opening, err := t.options.PairOpening(context.Background(), unit)
		if err != nil {
			return "", err
		}
		want = &opening
	}
	if err := t.options.CheckPair(unit, games, want); err != nil {
		return "", err
	}
	return digestOf(games), nil
}

// ends are the reasons for the end of a game, in the order of their codes.
func ends() []arena.End {
	return []arena.End{arena.ByRules, arena.Repetition, arena.Resigned, arena.Illegal, arena.Crash, arena.TimeLoss, arena.Agreed, arena.MaxPlies}
}

// A digest of a pair has for each game its result, the code of its end and its key,
// then a hash of what the players decided: all moves and scores.
const (
	gameDigestBytes = 10
	pairDigestBytes = 2*gameDigestBytes + 16
)

func digestOf(games [2]arena.Record) Digest {
	var b []byte
	hash := sha256.New()
	for _, r := range games {
		s := r.Summary()
		b = append(b, byte(s.Result), byte(slices.Index(ends(), s.End)))
		b = binary.LittleEndian.AppendUint64(b, s.Key)
		_, _ = fmt.Fprintln(hash, r.Start, r.Moves, r.Values, r.Opening, s.Result, s.End) // a hash does not fail
	}
	return Digest(append(b, hash.Sum(nil)[:16]...))
}

// summaries returns what a digest says of the games of a pair.
func (t *matchTask) summaries(unit int, d Digest) (list [2]arena.Summary, ok bool) {
	if len(d) != pairDigestBytes {
		return list, false
	}
	for i := range list {
		b := d[i*gameDigestBytes:]
		number, end := 2*unit+i, int(b[1])
		if end >= len(ends()) {
			return list, false
		}
		list[i] = arena.Summary{
			Number: number, Players: t.options.Seats(number), Result: game.Result(b[0]), End: ends()[end],
			Key: binary.LittleEndian.Uint64([]byte(b[2:gameDigestBytes])),
		}
	}
	return list, true
}

// PairPoints returns the points from 0 to 2 of the player who moves first in the first
// game of a pair.
func PairPoints(d Digest) (points float64, ok bool) {
	if len(d) != pairDigestBytes {
		return 0, false
	}
	for i := range 2 {
		switch winner, won := game.Result(d[i*gameDigestBytes]).Winner(); {
		case !won:
			points += 0.5
		case int(winner) == i:
			points++
		}
	}
	return points, true
}

// MatchFold is the fold of a match.
type MatchFold struct {
	t       *matchTask
	tally   *arena.Tally
	history []Point
	stride  int // pairs between two points
}

// Point is the state of a match after some games.
type Point struct {
	Games  int     `json:"games"`
	Elo    float64 `json:"elo"`
	Margin float64 `json:"elo_error"`
	LLR    float64 `json:"llr"`
	Text   string  `json:"text,omitempty"` // the Elo in words
}

// maxPoints bounds the history: beyond it every second point is dropped.
const maxPoints = 400

// Add implements Fold.
func (f *MatchFold) Add(unit int, d Digest) bool {
	list, ok := f.t.summaries(unit, d)
	if !ok {
		return f.tally.Finished() // Check makes no such digest
	}
	f.tally.Add(list[0], nil)
	f.tally.Add(list[1], nil)
	if (unit+1)%f.stride == 0 || f.tally.Finished() {
		f.remember()
	}
	return f.tally.Finished()
}

func (f *MatchFold) remember() {
	point := f.Point()
	point.Text = "" // it is for the last point
	f.history = append(f.history, point)
	if len(f.history) <= maxPoints {
		return
	}
	kept := f.history[:0]
	for i, p := range f.history {
		if i%2 == 1 {
			kept = append(kept, p)
		}
	}
	f.history, f.stride = kept, 2*f.stride
}

// Point returns the state of the first pairing.
func (f *MatchFold) Point() Point {
	s := f.tally.Standings()
	score := s.Pairings[0].Score
	elo, margin := score.Elo()
	return Point{Games: s.Games, Elo: elo + 0, Margin: margin, LLR: score.LLR, Text: score.EloText()} // -0 is 0
}

// Standings returns the standings of the contiguous prefix.
func (f *MatchFold) Standings() arena.Standings { return f.tally.Standings() }

// History returns the course of the first pairing, in at most 400 points.
func (f *MatchFold) History() []Point { return slices.Clone(f.history) }
