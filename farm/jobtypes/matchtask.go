package jobtypes

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"quintet/arena"
	"quintet/farm"
	"quintet/game"
)

// matchTask is the task of a match: a unit is a pair of games, and its payload is two
// lines of a record.
type matchTask struct {
	settings      *MatchSettings
	maker         MakePlayer
	value         Evaluator
	options       *arena.Options // without them
	about         farm.About
	cheapOpenings bool // to compute: those in a band take searches
}

// Match returns the type of job that plays matches, with the players of a maker and the openings of an
// evaluator. A coordinator needs neither, unless it replays games.
func Match(maker MakePlayer, value Evaluator) farm.Kind {
	return func(settings []byte) (farm.Task, error) {
		m, o, err := decodeMatch(settings)
		if err != nil {
			return nil, err
		}
		return &matchTask{settings: m, maker: maker, value: value, options: o, cheapOpenings: !strings.HasPrefix(m.Openings, "band:"), about: farm.About{
			Game: m.Header.Game, Names: m.Header.Names(), Units: o.Pairs(), Counts: "games", PerUnit: 2, SPRT: m.Header.SPRT != nil, Deterministic: m.Deterministic(), Step: m.longestMove(), Memory: m.memory(),
		}}, nil
	}
}

// longestMove is how long a move may take, roughly.
func (m *MatchSettings) longestMove() (longest time.Duration) {
	for _, p := range m.Header.Players {
		l, err := arena.ParseLimit(p.Limit)
		if err != nil {
			continue // check has refused it
		}
		longest = max(longest, l.Time, l.Clock.Left, stepTime(l.Nodes))
	}
	return longest
}

// What players need, in megabytes. A tree of mcts grows with its nodes.
const (
	memoryOfPlayer = 32
	memoryOfTree   = 240
	nodesOfTree    = 100 // for each megabyte
)

// memory is what a slot needs: it keeps a player of each entrant.
func (m *MatchSettings) memory() (megabytes int) {
	for _, p := range m.Header.Players {
		switch p.Player {
		case "random":
			megabytes++
		case "mcts":
			megabytes += treeMemory(p.Limit)
		default:
			megabytes += memoryOfPlayer
		}
	}
	if strings.HasPrefix(m.Openings, "band:") {
		megabytes += memoryOfPlayer
	}
	return megabytes
}

// treeMemory is what mcts needs with a limit.
func treeMemory(limit string) int {
	l, err := arena.ParseLimit(limit)
	if err != nil || l.Nodes == 0 {
		return memoryOfTree
	}
	return int(min(l.Nodes/nodesOfTree+8, memoryOfTree))
}

func (t *matchTask) About() farm.About { return t.about }

func (t *matchTask) Fold() farm.Fold {
	return &MatchFold{t: t, tally: arena.NewTally(t.options), stride: 1}
}

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
	if len(payload) > farm.MaxPayloadBytes {
		return games, fmt.Errorf("a result of %d bytes: expected at most %d", len(payload), farm.MaxPayloadBytes)
	}
	first, second, ok := bytes.Cut(payload, []byte("\n"))
	if !ok {
		return games, errors.New("expected the lines of two games")
	}
	for i, line := range [][]byte{first, second} {
		if games[i], err = arena.DecodeRecord(line, g, names); err != nil {
			return games, fmt.Errorf("game %d of the pair: %w", i+1, err)
		}
	}
	return games, nil
}

func (t *matchTask) Check(unit int, payload []byte) (farm.Digest, error) {
	games, err := DecodePair(payload, t.options.Game, t.about.Names)
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
	return pairDigest(games), nil
}

// A digest of a pair has for each game its result, the code of its end and its key,
// then a hash of what the players decided: all moves and scores.
const (
	gameDigestBytes = 10
	pairDigestBytes = 2*gameDigestBytes + 16
)

func pairDigest(games [2]arena.Record) farm.Digest {
	var b []byte
	hash := sha256.New()
	for _, r := range games {
		s := r.Summary()
		b = append(b, byte(s.Result), byte(slices.Index(arena.EndNames(), string(s.End))))
		b = binary.LittleEndian.AppendUint64(b, s.Key)
		_, _ = fmt.Fprintln(hash, r.Start, r.Moves, r.Values, r.Opening, s.Result, s.End) // a hash does not fail
	}
	return farm.Digest(append(b, hash.Sum(nil)[:16]...))
}

// summaries returns what a digest says of the games of a pair.
func (t *matchTask) summaries(unit int, d farm.Digest) (list [2]arena.Summary, ok bool) {
	if len(d) != pairDigestBytes {
		return list, false
	}
	for i := range list {
		b := d[i*gameDigestBytes:]
		number, end, ends := 2*unit+i, int(b[1]), arena.EndNames()
		if end >= len(ends) {
			return list, false
		}
		list[i] = arena.Summary{
			Number: number, Players: t.options.Seats(number), Result: game.Result(b[0]), End: arena.End(ends[end]),
			Key: binary.LittleEndian.Uint64([]byte(b[2:gameDigestBytes])),
		}
	}
	return list, true
}

// Points implements farm.Scorer. It returns the points, 0 to 2, of the player that has the
// first move in a pair's first game.
func (t *matchTask) Points(d farm.Digest) (points float64, ok bool) {
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
	history []farm.Point
	stride  int // pairs between two points
	pairs   int
}

// maxPoints bounds the history: beyond it every second point is dropped.
const maxPoints = 400

// Add implements farm.Fold.
func (f *MatchFold) Add(unit int, d farm.Digest) bool {
	f.pairs++
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

// Progress implements farm.Fold.
func (f *MatchFold) Progress() (done, planned int) { return 2 * f.pairs, 2 * f.t.about.Units }

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
func (f *MatchFold) Point() farm.Point {
	s := f.tally.Standings()
	score := s.Pairings[0].Score
	elo, margin := score.Elo()
	return farm.Point{Games: s.Games, Elo: elo + 0, Margin: margin, LLR: score.LLR, Text: score.EloText()} // -0 is 0
}

// Verdict implements farm.Rated.
func (f *MatchFold) Verdict() string {
	if test := f.t.options.SPRT; test != nil {
		return test.Verdict(f.Point().LLR)
	}
	return ""
}

// Faults implements farm.Rated.
func (f *MatchFold) Faults() string {
	illegal, late, crashes := 0, 0, 0
	for _, p := range f.Standings().Pairings {
		illegal, late, crashes = illegal+p.Score.Illegal, late+p.Score.TimeLosses, crashes+p.Score.Crashes
	}
	if illegal+late+crashes == 0 {
		return ""
	}
	return fmt.Sprintf("illegal moves %d, losses on time %d, crashes %d", illegal, late, crashes)
}

// Standings returns the standings of the contiguous prefix.
func (f *MatchFold) Standings() arena.Standings { return f.tally.Standings() }

// History returns the course of the first pairing, in at most 400 points.
func (f *MatchFold) History() []farm.Point { return slices.Clone(f.history) }
