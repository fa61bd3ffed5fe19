package classes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"quintet/judge/league"
	"quintet/live"
	"quintet/people/class"
	"quintet/serve/api"
)

// A round is a unit of work: a program plays matches against programs that it has not met or that are of
// similar strength, and against the next level. As with verdicts, its games are a record that can be written only once, and the event about it
// follows. A program that has something to play is in the queue; verdicts go first.

// Match is a match to be played: two games from the opening with its number.
type Match struct {
	Assignment class.Assignment `json:"assignment"`
	Programs   [2]Program       `json:"programs"`
	Number     int              `json:"number"`
}

// Program is a player of a match: a submission, or a level.
type Program struct {
	ID    string `json:"id,omitempty"` // of the submission
	Files []File `json:"files,omitempty"`
	Level int    `json:"level,omitempty"` // 0 for a submission
}

// roundTime is how long a round goes on. Matches that it does not reach belong to the next one.
const roundTime = 10 * time.Second

// playedMatch is a match of a round, as it is stored.
type playedMatch struct {
	Opponent string       `json:"opponent"`
	Match    league.Match `json:"match"`
}

// in returns which students are in a class.
func in(c class.Class) func(student string) bool {
	return func(student string) bool { _, ok := c.Student(student); return ok }
}

// round plays the next round of a program; more reports whether it has more to play.
func (s *Service) round(ctx context.Context, e entry) (more bool, err error) {
	c, ok := s.directory.Class(e.class)
	d, err := s.document(ctx, e.class)
	if err != nil || !ok {
		return false, err
	}
	var n class.Submission
	var a class.Assignment
	var list []opponent
	d.view(func(st *class.State) {
		n, _ = st.Submission(e.submission)
		if a, _ = st.Assignment(n.Assignment); a.League != nil {
			list = newLeagueTable(st, a, in(c)).next(a, n)
		}
	})
	if len(list) == 0 || c.Archived {
		return false, nil
	}
	games, err := s.gamesOfRound(ctx, a, n, list)
	if err != nil {
		return false, err
	}
	event := class.Event{Submission: n.ID, Round: n.Rounds}
	for _, g := range games {
		event.Results = append(event.Results, resultOf(g))
	}
	event.Points, event.Rule = points(append(n.Results[:len(n.Results):len(n.Results)], event.Results...), a)
	err = s.append(ctx, d, class.Played, event, func(st *class.State) error {
		if now, _ := st.Submission(n.ID); now.Rounds != n.Rounds || now.Replaced {
			return errJudged
		}
		return nil
	})
	if errors.Is(err, errJudged) {
		return false, nil
	}
	return err == nil, err
}

// resultOf returns the result of a match.
func resultOf(g playedMatch) (r class.Result) {
	r.Opponent = g.Opponent
	for i, o := range g.Match {
		r.Games[i] = class.Ended{Points: o.Points, End: o.End}
	}
	return r
}

// gamesOfRound returns the stored games of a round, or plays and stores them.
func (s *Service) gamesOfRound(ctx context.Context, a class.Assignment, n class.Submission, list []opponent) (games []playedMatch, err error) {
	id := class.RoundID(n.ID, n.Rounds)
	if games, ok, err := s.storedRound(ctx, id); ok || err != nil {
		return games, err
	}
	files, err := s.files(ctx, n.ID)
	if err != nil {
		return nil, err
	}
	me, until := Program{ID: n.ID, Files: files}, time.Now().Add(roundTime)
	for _, o := range list {
		other, err := s.program(ctx, o.name)
		if err != nil {
			return nil, err
		}
		played := playedMatch{Opponent: o.name}
		m := Match{Assignment: a, Programs: [2]Program{me, other}, Number: o.match}
		if played.Match, err = s.play(ctx, m); err != nil {
			return nil, err
		}
		if games = append(games, played); time.Now().After(until) {
			break
		}
	}
	err = s.directory.Put(ctx, class.Games, id, api.Encode(games))
	if errors.Is(err, live.ErrStale) {
		games, _, err = s.storedRound(ctx, id)
	}
	return games, err
}

// play plays a match.
func (s *Service) play(ctx context.Context, m Match) (played league.Match, err error) {
	if !s.config.Hall.Contain("playing a league", func() { played, err = s.config.Judge.Play(ctx, m) }) {
		err = errors.New("a fault stopped the match")
	}
	return played, err
}

// program returns a player by its name.
func (s *Service) program(ctx context.Context, name string) (p Program, err error) {
	if _, err := fmt.Sscanf(name, "level:%d", &p.Level); err == nil {
		return p, nil
	}
	p.ID = name
	p.Files, err = s.files(ctx, name)
	return p, err
}

// files returns the files of a submission.
func (s *Service) files(ctx context.Context, submission string) ([]File, error) {
	data, err := s.directory.Get(ctx, class.Files, submission)
	if err != nil || len(data) == 0 { // erased
		return nil, err
	}
	return unpack(data)
}

// storedRound returns the games of a round, if they are stored.
func (s *Service) storedRound(ctx context.Context, id string) (games []playedMatch, ok bool, err error) {
	data, err := s.directory.Get(ctx, class.Games, id)
	if err != nil || len(data) == 0 {
		return nil, false, err
	}
	return games, true, json.Unmarshal(data, &games)
}

// unplayed returns the programs and finals of a class that have something to play.
func unplayed(st *class.State, c class.Class) (list []entry) {
	if c.Archived {
		return nil
	}
	list = unplayedFinals(st, c)
	for _, a := range st.Assignments {
		if a.League == nil {
			continue
		}
		t := newLeagueTable(st, a, in(c))
		for _, n := range t.programs {
			if len(t.next(a, n)) > 0 {
				list = append(list, entry{class: c.ID, student: n.Student, submission: n.ID, plays: true})
			}
		}
	}
	return list
}
