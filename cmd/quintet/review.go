package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/review"
)

// reviewReport is the JSON report of the moves of a game.
type reviewReport struct {
	Game     string       `json:"game"`
	Position string       `json:"position"` // at the start
	Moves    []reviewMove `json:"moves"`
	Sides    [2]reviewSum `json:"sides"` // the first side, then the second
}

// reviewMove is a move with its loss.
type reviewMove struct {
	Ply    int     `json:"ply"` // from 1
	number string  // as players count: "7." or "7..."
	Side   string  `json:"side"`
	Move   string  `json:"move"`
	Best   string  `json:"best"`
	Value  int     `json:"value"` // of the best move, for the side to move
	Loss   int     `json:"loss"`
	Share  float64 `json:"share"` // loss of expected result, 0 to 1
	Mark   string  `json:"mark"`  // "", "?!", "?" or "??"
	Why    string  `json:"why,omitempty"`
}

// reviewSum counts the marks of one side.
type reviewSum struct {
	Side         string `json:"side"`
	Moves        int    `json:"moves"`
	Inaccuracies int    `json:"inaccuracies"`
	Mistakes     int    `json:"mistakes"`
	Blunders     int    `json:"blunders"`
}

// runReview reviews the moves of a game. After an interrupt it prints the last moves, which were reviewed
// first.
func runReview(ctx context.Context, out io.Writer, s engine.Searcher, g game.Game, start game.Position, moves []game.Move, l engine.Limit, asJSON bool) error {
	list, err := review.Game(ctx, s, g, start, moves, l, bots.ProfileFor(g).Exact)
	if err != nil && ctx.Err() == nil {
		return failed(err)
	}
	return writeReview(out, g, start, moves, list, asJSON)
}

// writeReview prints the assessments of the last moves of a game.
func writeReview(out io.Writer, g game.Game, start game.Position, moves []game.Move, list []review.Move, asJSON bool) error {
	r := newReviewReport(g, start, moves, list)
	return writeResult(out, asJSON, r, r.text())
}

func newReviewReport(g game.Game, start game.Position, moves []game.Move, list []review.Move) reviewReport {
	r := reviewReport{Game: g.Name, Position: start.String(), Moves: []reviewMove{}}
	r.Sides[0].Side, r.Sides[1].Side = g.Sides[0], g.Sides[1]
	at, first := start.Clone(), len(moves)-len(list)
	for _, mv := range moves[:first] {
		at.Play(mv)
	}
	numbers := game.Numbers(start, moves)
	for i, m := range list {
		r.Moves = append(r.Moves, reviewMove{
			Ply: first + i + 1, number: numbers[first+i], Side: g.Sides[m.Side], Move: at.Format(m.Played), Best: at.Format(m.Best),
			Value: m.Value, Loss: m.Loss, Share: m.ExpectedLoss, Mark: string(m.Mark), Why: m.Why,
		})
		r.Sides[m.Side].add(m.Mark)
		at.Play(m.Played)
	}
	return r
}

func (s *reviewSum) add(m review.Mark) {
	s.Moves++
	switch m {
	case review.Inaccuracy:
		s.Inaccuracies++
	case review.Mistake:
		s.Mistakes++
	case review.Blunder:
		s.Blunders++
	case review.Good:
	}
}

func (r *reviewReport) text() string {
	var text strings.Builder
	for _, m := range r.Moves {
		fmt.Fprintf(&text, "%6s %-8s %-12s %12s", m.number, m.Side, m.Move+m.Mark, scoreText(m.Value))
		if m.Loss > 0 {
			fmt.Fprintf(&text, "  gives away %d, best %s", m.Loss, m.Best)
		}
		if m.Why != "" {
			fmt.Fprintf(&text, ": %s", m.Why)
		}
		text.WriteByte('\n')
	}
	for _, s := range r.Sides {
		fmt.Fprintf(&text, "%s: %d moves, %d inaccuracies (?!), %d mistakes (?), %d blunders (??)\n", s.Side, s.Moves, s.Inaccuracies, s.Mistakes, s.Blunders)
	}
	return text.String()
}
