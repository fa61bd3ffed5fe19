package jobtypes

import (
	"context"
	"errors"
	"fmt"

	"quintet/bots"
	"quintet/engine"
	"quintet/farm"
	"quintet/game"
)

// SearchName is the name of the kind.
const SearchName = "search"

// SearchSettings are the settings of a job of Search.
type SearchSettings struct {
	Game  ReviewGame `json:"game"`
	First int        `json:"first,omitempty"` // moves before the first position
	Nodes uint64     `json:"nodes"`           // for each position
	Table int        `json:"table"`           // size of the transposition table in megabytes
	Once  string     `json:"once,omitempty"`  // makes equal searches different jobs
}

// SearchedLine is the line of a position. A finished game has no moves.
type SearchedLine struct {
	Score int    `json:"score"`
	Depth int    `json:"depth"`
	Nodes uint64 `json:"nodes"`
	Moves string `json:"moves"`
}

// Limits of searches.
const (
	maxTable     = 64
	maxOnceBytes = 64
)

func decodeSearch(text []byte) (s *SearchSettings, m *game.Match, err error) {
	s = &SearchSettings{}
	if err := farm.DecodeSettings(text, s); err != nil {
		return nil, nil, err
	}
	if s.Nodes < 1 || s.Nodes > maxReviewNodes || s.Table < 1 || s.Table > maxTable || len(s.Once) > maxOnceBytes {
		return nil, nil, fmt.Errorf("%d nodes, a table of %d MB: expected 1 to %d nodes, 1 to %d MB", s.Nodes, s.Table, maxReviewNodes, maxTable)
	}
	g, start, moves, err := s.Game.Read()
	if err != nil {
		return nil, nil, err
	}
	if s.First < 0 || s.First > len(moves) {
		return nil, nil, fmt.Errorf("the first position after %d moves: expected 0 to %d", s.First, len(moves))
	}
	m = game.NewMatch(g, start)
	for _, mv := range moves {
		if err := m.Play(mv); err != nil {
			return nil, nil, fmt.Errorf("playing the game: %w", err)
		}
	}
	return s, m, nil
}

// positions returns how many positions a job searches.
func (s *SearchSettings) positions(m *game.Match) int { return len(m.Moves()) - s.First + 1 }

// at returns a match that has come to a unit.
func (s *SearchSettings) at(m *game.Match, unit int) (*game.Match, error) {
	at := game.NewMatch(m.Game(), m.Start())
	for _, mv := range m.Moves()[:s.First+unit] {
		if err := at.Play(mv); err != nil {
			return nil, fmt.Errorf("playing the game: %w", err)
		}
	}
	return at, nil
}

// Search searches the positions of a game, each with empty tables. Unit n is the position
// after First + n moves; its payload is a SearchedLine.
func Search(settings []byte) (farm.Task, error) {
	s, m, err := decodeSearch(settings)
	if err != nil {
		return nil, err
	}
	return &farm.ListTask{
		Job: farm.About{Game: m.Game().Name, Units: s.positions(m), Counts: "positions", Deterministic: true, Prompt: true, Step: stepTime(s.Nodes), Memory: s.Table + memoryOfSearch},
		Valid: func(unit int, payload []byte) error {
			at, err := s.at(m, unit)
			if err != nil {
				return err
			}
			_, err = DecodeLine(payload, at)
			return err
		},
		Runner: func([]byte) (farm.RunnerFunc, error) {
			search, err := bots.Searcher(m.Game(), bots.Options{Megabytes: s.Table})
			if err != nil {
				return nil, fmt.Errorf("searching: %w", err)
			}
			return (&searchRunner{s, m, search}).do, nil
		},
	}, nil
}

// DecodeLine parses the payload of the unit of a position.
func DecodeLine(payload []byte, at *game.Match) (l engine.Line, err error) {
	var s SearchedLine
	if err := decodeResult(payload, &s); err != nil {
		return l, err
	}
	l = engine.Line{Score: s.Score, Depth: s.Depth, Nodes: s.Nodes}
	if l.Moves, err = ReadLine(at.Position(), s.Moves); err != nil {
		return l, err
	}
	switch over := at.Outcome().Result.Over(); {
	case max(s.Score, -s.Score) > engine.Won:
		return l, fmt.Errorf("score %d: expected at most %d", s.Score, engine.Won)
	case over != (len(l.Moves) == 0):
		return l, errors.New("want a move, unless the game is over")
	}
	return l, nil
}

// searchRunner searches positions.
type searchRunner struct {
	settings *SearchSettings
	match    *game.Match
	search   engine.Searcher
}

// do searches a position.
func (r *searchRunner) do(ctx context.Context, unit int, progress func()) ([]byte, error) {
	at, err := r.settings.at(r.match, unit)
	if err != nil {
		return nil, err
	}
	if at.Outcome().Result.Over() {
		return encodeResult(SearchedLine{})
	}
	r.search.Reset()
	line := r.search.Search(ctx, engine.At(at), engine.Limit{Nodes: r.settings.Nodes}, nil)
	progress()
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("searching: %w", err)
	}
	return encodeResult(SearchedLine{line.Score, line.Depth, line.Nodes, FormatLine(at.Position(), line.Moves)})
}
