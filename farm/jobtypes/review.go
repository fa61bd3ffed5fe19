package jobtypes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"quintet/bots"
	"quintet/engine"
	"quintet/farm"
	"quintet/game"
	"quintet/games"
	"quintet/review"
)

// ReviewName is the name of the kind.
const ReviewName = "review"

// ReviewSettings are the settings of a job of Review.
type ReviewSettings struct {
	Nodes uint64       `json:"nodes,omitempty"` // for each position
	Depth int          `json:"depth,omitempty"`
	Games []ReviewGame `json:"games"`
}

// ReviewGame is a game to review.
type ReviewGame struct {
	Game  string `json:"game"`
	Start string `json:"start"`
	Moves string `json:"moves"` // separated by blanks
}

// NewReviewGame returns the description of a game.
func NewReviewGame(g game.Game, start game.Position, moves []game.Move) ReviewGame {
	return ReviewGame{g.Name, start.String(), FormatLine(start, moves)}
}

// Read returns the game, its start and its moves.
func (r ReviewGame) Read() (g game.Game, start game.Position, moves []game.Move, err error) {
	if g, err = games.ByName(r.Game); err != nil {
		return g, nil, nil, err
	}
	if start, err = g.Read(r.Start); err != nil {
		return g, nil, nil, fmt.Errorf("start: %w", err)
	}
	m := game.NewMatch(g, start)
	for i, text := range strings.Fields(r.Moves) {
		if err := m.PlayText(text); err != nil {
			return g, nil, nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return g, start, m.Moves(), nil
}

// ReviewedMove is the assessment of a move.
type ReviewedMove struct {
	Best  string  `json:"best"`
	Value int     `json:"value"` // scores as in review.Move
	After int     `json:"after"`
	Share float64 `json:"share"` // loss of winning chances
	Mark  string  `json:"mark"`
	Why   string  `json:"why,omitempty"`
}

// Limits of reviews.
const (
	maxReviewNodes = 100_000_000
	maxReviewDepth = 100
	depthStep      = 3600 * 10_000 // nodes that a search to a depth may take
	reviewTable    = 16            // megabytes; each step of a review clears it
)

func decodeReview(text []byte) (*ReviewSettings, error) {
	s := &ReviewSettings{}
	if err := farm.DecodeJSON(text, s); err != nil {
		return nil, err
	}
	switch {
	case s.Nodes == 0 && s.Depth == 0 || s.Nodes > maxReviewNodes || s.Depth < 0 || s.Depth > maxReviewDepth:
		return nil, fmt.Errorf("limits of %d nodes and %d plies: expected 1 to %d nodes or 1 to %d plies", s.Nodes, s.Depth, maxReviewNodes, maxReviewDepth)
	case len(s.Games) < 1:
		return nil, errors.New("no games: expected at least one")
	}
	for i, r := range s.Games {
		if _, _, _, err := r.Read(); err != nil {
			return nil, fmt.Errorf("game %d: %w", i+1, err)
		}
	}
	return s, nil
}

func (s *ReviewSettings) limit() engine.Limit { return engine.Limit{Nodes: s.Nodes, Depth: s.Depth} }

// about describes the job. All games of a folder may be of one game, or of several.
func (s *ReviewSettings) about() farm.About {
	a := farm.About{Game: s.Games[0].Game, Units: len(s.Games), Counts: "games", Deterministic: true, Step: stepTime(review.MaxStep * max(s.Nodes, 1)), Memory: reviewTable + memoryOfSearch}
	for _, r := range s.Games {
		if r.Game != a.Game {
			a.Game = "several"
		}
	}
	if s.Nodes == 0 {
		a.Step = stepTime(depthStep)
	}
	return a
}

// Review reviews games. A unit is a game; its payload is a list of ReviewedMove.
func Review(settings []byte) (farm.Task, error) {
	s, err := decodeReview(settings)
	if err != nil {
		return nil, err
	}
	return &farm.ListTask{
		Job: s.about(),
		Valid: func(unit int, payload []byte) error {
			_, err := s.Games[unit].Decode(payload)
			return err
		},
		Runner: func() (farm.RunnerFunc, error) { return s.review, nil },
	}, nil
}

// Decode returns the assessments of a game from the payload of its unit.
func (r ReviewGame) Decode(payload []byte) (list []review.Move, err error) {
	_, start, moves, err := r.Read()
	if err != nil {
		return nil, err
	}
	var found []ReviewedMove
	if err := farm.DecodeJSON(payload, &found); err != nil {
		return nil, err
	}
	if len(found) != len(moves) {
		return nil, fmt.Errorf("%d reviewed moves: expected %d", len(found), len(moves))
	}
	at := start.Clone()
	for i, f := range found {
		best, err := at.Parse(f.Best)
		if err != nil {
			return nil, fmt.Errorf("the best move at ply %d: %w", i+1, err)
		}
		if !(f.Share >= 0 && f.Share <= 1) || f.After > f.Value || f.Mark != string(review.MarkOf(f.Share)) || len(f.Why) > review.MaxWhy || strings.ContainsFunc(f.Why, unicode.IsControl) {
			return nil, fmt.Errorf("the assessment of ply %d contradicts itself", i+1)
		}
		list = append(list, review.Move{
			Side: at.Turn(), Played: moves[i], Best: best, Value: f.Value, After: f.After, Loss: f.Value - f.After,
			ExpectedLoss: f.Share, Mark: review.Mark(f.Mark), Why: f.Why,
		})
		at.Play(moves[i])
	}
	return list, nil
}

// SearcherFor returns the searcher that reviews a game, with empty tables.
func SearcherFor(g game.Game, threads int) (engine.Searcher, error) {
	s, err := bots.Searcher(g, bots.Options{Megabytes: reviewTable, Threads: threads})
	if err != nil {
		return nil, fmt.Errorf("reviewing: %w", err)
	}
	return s, nil
}

// review reviews a game.
func (s *ReviewSettings) review(ctx context.Context, unit int, progress func()) ([]byte, error) {
	g, start, moves, err := s.Games[unit].Read()
	if err != nil {
		return nil, err
	}
	search, err := SearcherFor(g, 1)
	if err != nil {
		return nil, err
	}
	w, err := review.NewWalk(g, start, moves, nil, bots.ProfileFor(g).Exact)
	if err != nil {
		return nil, fmt.Errorf("game %d: %w", unit+1, err)
	}
	found := make([]ReviewedMove, len(moves))
	for ; !w.Done(); progress() {
		turn, err := w.Step(ctx, search, s.limit())
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", unit+1, err)
		}
		at := w.Position()
		for i, m := range turn {
			found[w.Ply()+i] = ReviewedMove{at.Format(m.Best), m.Value, m.After, m.ExpectedLoss, string(m.Mark), m.Why}
			at.Play(m.Played)
		}
	}
	return json.Marshal(found)
}
