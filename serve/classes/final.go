package classes

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"quintet/live"
	"quintet/people"
	"quintet/people/class"
	"quintet/people/tournament"
	"quintet/serve/api"
)

// The final of a league is a knockout of the best programs of its table. A game of the knockout is a match: two games
// from one opening. A drawn match is replayed from another opening. The games are in the events, for the class to
// watch.

const (
	usualFinalists = 8
	finalReplays   = 2    // matches that follow a drawn one before the deciding one
	finalOpenings  = 1000 // the number of the first opening: the league plays others
)

// knockout returns the state of a final. Programs of erased students forfeit.
func knockout(st *class.State, f class.Final, c class.Class) *tournament.State {
	k := &tournament.State{Form: tournament.Knockout, Replays: finalReplays}
	for i, id := range f.Programs {
		n, _ := st.Submission(id)
		_, there := c.Student(n.Student)
		k.Players = append(k.Players, tournament.Player{ID: id, Rating: -i, Withdrawn: !there})
	}
	for _, m := range f.Matches {
		k.Games = append(k.Games, tournament.Game{Round: m.Round, Leg: m.Leg, Decider: m.Decider, First: m.First, Second: m.Second, Outcome: tournament.Outcome(m.Outcome)})
	}
	return k
}

// nextMatch returns the next match of a final; ok is false if it is over.
func nextMatch(st *class.State, f class.Final, c class.Class) (g tournament.Game, ok bool) {
	games, err := knockout(st, f, c).Pair()
	if err != nil || len(games) == 0 {
		return g, false
	}
	return games[0], true
}

// finalEntry is the entry of a final in the queue.
func finalEntry(id, assignment string) entry {
	return entry{class: id, submission: "final " + assignment, final: assignment, plays: true}
}

// unplayedFinals returns the finals of a class that are not over.
func unplayedFinals(st *class.State, c class.Class) (list []entry) {
	for _, a := range st.Assignments {
		f, ok := st.Final(a.ID)
		if _, more := nextMatch(st, f, c); ok && more {
			list = append(list, finalEntry(c.ID, a.ID))
		}
	}
	return list
}

// holdFinal begins a final, and cancels one in progress.
func (s *Service) holdFinal(w http.ResponseWriter, r *http.Request, v visit) error {
	q := struct {
		Players int `json:"players"`
	}{usualFinalists}
	if err := api.Read(w, r, api.SmallBody, &q); err != nil {
		return err
	}
	if q.Players < 2 || q.Players > class.MaxFinalists {
		return invalidField("players", "a final has 2 to %d programs", class.MaxFinalists)
	}
	event := class.Event{To: r.PathValue("to")}
	err := v.league(r, func(st *class.State, a class.Assignment) {
		for _, one := range newLeagueTable(st, a, in(v.Class)).rows(a) {
			if one.Submission != "" && len(event.Programs) < q.Players {
				event.Programs = append(event.Programs, one.Submission)
			}
		}
	})
	switch {
	case err != nil:
		return err
	case len(event.Programs) < 2:
		return api.Problemf(http.StatusConflict, string(live.CodeNothing), "a final needs two programs in the league: wait until two play").WithReason("class.state")
	}
	if err := s.LimitCreates(s.Address(r)); err != nil {
		return err
	}
	return s.done(w, s.append(r.Context(), v.d, class.FinalHeld, event, nil))
}

// finalHasMatches reports whether a final has matches to play. Call it after the entry has left the queue: a final that
// began while the entry was queued was not queued again.
func (s *Service) finalHasMatches(ctx context.Context, e entry) (more bool) {
	c, ok := s.directory.Class(e.class)
	d, err := s.document(ctx, e.class)
	if err != nil || !ok || c.Archived {
		return false
	}
	d.view(func(st *class.State) {
		f, _ := st.Final(e.final)
		_, more = nextMatch(st, f, c)
	})
	return more
}

// playFinal plays the next match of a final. more says that there may be another one.
func (s *Service) playFinal(ctx context.Context, e entry) (more bool, err error) {
	c, ok := s.directory.Class(e.class)
	d, err := s.document(ctx, e.class)
	if err != nil || !ok || c.Archived {
		return false, err
	}
	var f class.Final
	var a class.Assignment
	var g tournament.Game
	d.view(func(st *class.State) {
		a, _ = st.Assignment(e.final)
		f, _ = st.Final(e.final)
		g, more = nextMatch(st, f, c)
	})
	if !more || a.League == nil {
		return !more, nil
	}
	m := class.FinalMatch{Round: g.Round, Leg: g.Leg, Decider: g.Decider, First: g.First, Second: g.Second}
	if g.Outcome == tournament.Running {
		if g.Outcome, m.Games, err = s.finalGames(ctx, a, f, g); err != nil {
			return false, err
		}
	}
	m.Outcome = int(g.Outcome)
	err = s.append(ctx, d, class.FinalPlayed, class.Event{To: a.ID, Match: &m}, func(st *class.State) error {
		if now, _ := st.Final(a.ID); now.Number != f.Number || len(now.Matches) != len(f.Matches) {
			return errJudged
		}
		return nil
	})
	if errors.Is(err, errJudged) { // by another server, or the teacher began another final
		return true, nil
	}
	return err == nil, err
}

// finalGames plays a match of a final. All matches of a round have the same opening.
func (s *Service) finalGames(ctx context.Context, a class.Assignment, f class.Final, g tournament.Game) (o tournament.Outcome, games []class.FinalGame, err error) {
	m := Match{Assignment: a, Number: finalOpenings + g.Round*(tournament.MaxReplays+2) + g.Leg}
	for i, player := range [2]int{g.First, g.Second} {
		if m.Programs[i], err = s.program(ctx, f.Programs[player]); err != nil {
			return o, nil, err
		}
	}
	points := 0
	played, err := s.play(ctx, m)
	for _, one := range played {
		points += one.Points
		games = append(games, class.FinalGame{Points: one.Points, End: one.End, Position: one.Position, Moves: one.Moves})
	}
	switch {
	case points > 2:
		o = tournament.FirstWins
	case points < 2:
		o = tournament.SecondWins
	default:
		o = tournament.Drawn
	}
	return o, games, err
}

// finalView is a final as its teacher or a student sees it.
type finalView struct {
	Title    string      `json:"title"`
	Game     string      `json:"game"`
	Number   int         `json:"number"`
	Players  []finalist  `json:"players"` // the best of the table first
	Matches  []duel      `json:"matches"` // in the order in which they were played
	Rounds   [][]meeting `json:"rounds"`
	Champion int         `json:"champion"` // -1 until the final is over
}

// finalist is a player of a final. A screen that the class watches shows the guest names.
type finalist struct {
	Name  string `json:"name"`
	Guest string `json:"guest"`
	You   bool   `json:"you"`
}

// duel is a match of a final.
type duel struct {
	Players [2]int     `json:"players"` // the first one moves first in the first game; the second is -1 in a bye
	Games   []duelGame `json:"games"`
}

type duelGame struct {
	Points   int      `json:"points"` // of the first player of the match
	End      string   `json:"end"`
	Position string   `json:"position"`
	Moves    []string `json:"moves"`
	Path     string   `json:"path"`
}

// meeting is two players of a round of the bracket.
type meeting struct {
	Players [2]int `json:"players"` // -1 if there was nobody
	Winner  int    `json:"winner"`  // -1 while it is open
	After   int    `json:"after"`   // the number of matches of the final after which the winner is known
}

// showFinal shows the last final of a league.
func (s *Service) showFinal(w http.ResponseWriter, r *http.Request, from visit) error {
	v := finalView{Players: []finalist{}, Matches: []duel{}, Rounds: [][]meeting{}}
	found := false
	err := from.assignment(r, func(st *class.State, a class.Assignment) {
		var f class.Final
		if f, found = st.Final(a.ID); found {
			v.Title, v.Game, v.Number = a.Title, a.Game, f.Number
			v.fill(st, f, from.Class, from.student)
		}
	})
	if err == nil && !found {
		err = errMissing("final")
	}
	if err != nil {
		return err
	}
	return s.OK(w, v)
}

// fill fills a view from the state.
func (v *finalView) fill(st *class.State, f class.Final, c class.Class, who string) {
	for _, id := range f.Programs {
		n, _ := st.Submission(id)
		one := finalist{You: who != "" && n.Student == who}
		if o, ok := c.Student(n.Student); ok {
			one.Guest = people.GuestName(o.Person)
			if one.Name = one.Guest; who == "" || one.You {
				one.Name = o.Name
			}
		}
		v.Players = append(v.Players, one)
	}
	for _, m := range f.Matches {
		one := duel{[2]int{m.First, m.Second}, []duelGame{}}
		for _, g := range m.Games {
			path := "/analysis/" + v.Game + "?" + url.Values{"position": {g.Position}, "moves": {g.Moves}}.Encode()
			one.Games = append(one.Games, duelGame{g.Points, g.End, g.Position, orEmpty(strings.Fields(g.Moves)), path})
		}
		v.Matches = append(v.Matches, one)
	}
	rounds, champion := knockout(st, f, c).Bracket()
	v.Champion = champion
	for i, round := range rounds {
		list := []meeting{}
		for _, m := range round {
			one := meeting{[2]int{m.High, m.Low}, m.Winner, 0}
			for k, p := range f.Matches {
				if p.Round == i+1 && (p.First == m.High || p.Second == m.High) && m.Winner >= 0 {
					one.After = k + 1
				}
			}
			list = append(list, one)
		}
		v.Rounds = append(v.Rounds, list)
	}
}
