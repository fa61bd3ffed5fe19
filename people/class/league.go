package class

import (
	"errors"
	"fmt"
	"slices"

	"quintet/live"
)

// League has the rules of an assignment whose programs play against each other.
type League struct {
	Level int `json:"level"`           // programs climb the levels up to this one, for points
	Nodes int `json:"nodes,omitempty"` // positions to search for a move, which programs are told
	Time  int `json:"time,omitempty"`  // processor time of a move, in milliseconds
}

// Limits and defaults of leagues.
const (
	MaxNodes     = 1_000_000
	MaxTime      = 5000 // milliseconds
	leastTime    = 10
	defaultNodes = 1000
	defaultTime  = 500
)

// Complete sets what is not set, and checks the rest. It does not check the level.
func (l *League) Complete() error {
	if l.Nodes == 0 {
		l.Nodes = defaultNodes
	}
	if l.Time == 0 {
		l.Time = defaultTime
	}
	switch {
	case l.Nodes < 1 || l.Nodes > MaxNodes:
		return fmt.Errorf("the limit of positions must be 1 to %d a move", MaxNodes)
	case l.Time < leastTime || l.Time > MaxTime:
		return fmt.Errorf("the limit of processor time must be %d to %d ms a move", leastTime, MaxTime)
	}
	return nil
}

// Played is the kind of event of a round of a league: the matches that a submission has played against others.
const Played live.Kind = "played"

// Result is the result of a match of a round.
type Result struct {
	Opponent string   `json:"o"` // a submission, or "level:3"
	Games    [2]Ended `json:"g"` // the submission moves first in the first one

	Round int `json:"-"` // of the submission
	Index int `json:"-"` // in the round
}

// Ended is how a game ended.
type Ended struct {
	Points int    `json:"p"`           // of the submission: 2 for a win, 1 for a draw
	End    string `json:"e,omitempty"` // an arena.End
}

// Half returns the points of both games, from 0 to 4.
func (r Result) Half() int { return r.Games[0].Points + r.Games[1].Points }

// maxMatches bounds the matches of an event, which a newer server may have written.
const maxMatches = 100

// check returns an error for a result that cannot be counted.
func (r Result) check() error {
	for _, g := range r.Games {
		if g.Points < 0 || g.Points > 2 {
			return errors.New("a game has 0 to 2 points")
		}
	}
	return nil
}

// play adds a round to a submission. Each round counts once, and only those of programs that still play.
func (n *Submission) play(e Event) error {
	if e.Round != n.Rounds || len(e.Results) > maxMatches {
		return nil
	}
	n.Rounds++
	if n.Replaced {
		return nil
	}
	for i, r := range e.Results {
		if err := r.check(); err != nil {
			return fmt.Errorf("event %d: %w", e.Number, err)
		}
		r.Round, r.Index = e.Round, i
		n.Results = append(n.Results, r)
	}
	n.Points, n.Rule = e.Points, e.Rule
	return nil
}

// replace takes the earlier programs of a student out of a league.
func (s *State) replace(by Submission) {
	a, ok := s.Assignment(by.Assignment)
	if !ok || a.League == nil || !by.Plays() {
		return
	}
	for i := range s.Submissions[:s.at[by.ID]] {
		n := &s.Submissions[i]
		if n.Student == by.Student && n.Assignment == by.Assignment {
			n.Replaced, n.Results = true, nil
		}
	}
}

// Plays reports whether the submission is a program that plays in a league, unless a later one has replaced it.
func (n Submission) Plays() bool { return n.Judged && n.Verdict == "accepted" && !n.Replaced }

// Programs returns the programs that play in a league, in the order in which they were handed in.
func (s *State) Programs(assignment string, in func(student string) bool) []Submission {
	return slices.DeleteFunc(slices.Clone(s.Submissions), func(n Submission) bool {
		return n.Assignment != assignment || !n.Plays() || !in(n.Student)
	})
}
