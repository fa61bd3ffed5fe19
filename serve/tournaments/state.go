package tournaments

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"quintet/live"
	"quintet/people/tournament"
)

// The kinds of events of a tournament.
const (
	Made      live.Kind = "made"      // Settings
	Joined    live.Kind = "joined"    // Player, again after withdrawing
	Withdrawn live.Kind = "withdrawn" // Who
	Started   live.Kind = "started"
	Paired    live.Kind = "paired"   // Games of a round or wave, with their identifiers
	Begun     live.Kind = "begun"    // the games among the first Count have been opened
	Finished  live.Kind = "finished" // Results
	Ended     live.Kind = "ended"    // Why
)

// Event is an event of a tournament. It has identifiers in place of names.
type Event struct {
	live.Envelope

	Settings *Settings `json:"settings,omitempty"`
	Player   *Player   `json:"player,omitempty"`
	Who      string    `json:"who,omitempty"` // identifier of a player
	Games    []Pairing `json:"games,omitempty"`
	Count    int       `json:"count,omitempty"`
	Results  []Result  `json:"results,omitempty"`
	Why      string    `json:"why,omitempty"`
}

// Player is a player as the log has it.
type Player struct {
	ID     string `json:"id"` // of a guest or an account, or the name of a level
	Rating int    `json:"rating"`
	Level  bool   `json:"level,omitempty"`
}

// Pairing is a game or a bye. Players are indexes.
type Pairing struct {
	ID      string             `json:"id,omitempty"` // of the game; none for byes and forfeits
	Round   int                `json:"round"`
	Leg     int                `json:"leg,omitempty"`
	Decider bool               `json:"decider,omitempty"`
	First   int                `json:"first"`
	Second  int                `json:"second"`
	Outcome tournament.Outcome `json:"outcome,omitempty"`
}

// Result is how a game ended.
type Result struct {
	Game    string             `json:"game"`
	Outcome tournament.Outcome `json:"outcome"`
	Agreed  bool               `json:"agreed,omitempty"`
	Berserk [2]bool            `json:"berserk,omitzero"` // whether a win of the side pays the point of berserk
}

// Phase is where a tournament stands.
type Phase string

// The phases.
const (
	Waiting Phase = "waiting" // for its start
	Running Phase = "running"
	Over    Phase = "over"
)

// Why a tournament ended.
const (
	whyDone     = "done"
	whyFew      = "few"      // players were too few
	whyCanceled = "canceled" // by the organiser
	whyLate     = "late"     // the organiser did not start it in time
)

// State is the fold of the events of a tournament.
type State struct {
	Settings Settings
	Phase    Phase
	Why      string
	Made     live.Stamp
	Started  live.Stamp
	Ended    live.Stamp
	Quiet    int64 // service time of the start, or of the last pairing or result
	Waved    int64 // service time of the last pairing
	Tour     tournament.State
	Players  []Seated  // as in Tour
	Games    []Pairing // as in Tour

	players map[string]int
	games   map[string]int
	table   *tournament.Table // the standings, of an arena
	open    []int             // indexes of the games that are not over
	begun   int               // games before this index have been opened
}

// Seated is what a tournament knows of a player beyond package tournament.
type Seated struct {
	Level bool
	Since int64  // service time since when the player waits for a game
	Game  string // identifier of the game that the player plays
	Miss  int    // games missed in a row
}

// maxMissed is how many games in a row a player may miss. The last one withdraws the player.
const maxMissed = 2

var errEvent = errors.New("the event does not fit the tournament")

// Apply applies an encoded event. It ignores kinds that it does not know.
func (s *State) Apply(data []byte) error {
	var e Event
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf("reading an event: %w", err)
	}
	at := live.Stamp{Service: e.At, Wall: e.Wall}
	switch e.Kind {
	case Made:
		return s.make(e, at)
	case Joined:
		return s.join(e)
	case Withdrawn:
		if i, ok := s.players[e.Who]; ok {
			s.Tour.Players[i].Withdrawn = true
		}
	case Started:
		s.Phase, s.Started, s.Quiet = Running, at, e.At
		for i := range s.Players {
			s.Players[i].Since = e.At
		}
	case Paired:
		return s.pair(e)
	case Begun:
		s.begun = min(max(s.begun, e.Count), len(s.Games))
	case Finished:
		for _, r := range e.Results {
			s.finish(r, e.At)
		}
	case Ended:
		s.Phase, s.Ended, s.Why = Over, at, e.Why
	}
	return nil
}

func (s *State) make(e Event, at live.Stamp) error {
	if e.Settings == nil || len(e.Settings.Games) == 0 || s.players != nil {
		return fmt.Errorf("event %d: %w", e.Number, errEvent)
	}
	*s = State{Settings: *e.Settings, Phase: Waiting, Made: at, Tour: e.Settings.tour(), players: map[string]int{}, games: map[string]int{}}
	s.table = s.Tour.Table()
	return nil
}

func (s *State) join(e Event) error {
	if e.Player == nil || s.players == nil {
		return fmt.Errorf("event %d: %w", e.Number, errEvent)
	}
	p := *e.Player
	i, ok := s.players[p.ID]
	if !ok {
		i = len(s.Players)
		s.players[p.ID] = i
		s.Players = append(s.Players, Seated{Level: p.Level})
		s.Tour.Players = append(s.Tour.Players, tournament.Player{ID: p.ID, Rating: p.Rating, Joined: s.Tour.Round() + 1})
		s.table.Join(p.Rating)
	}
	s.Tour.Players[i].Withdrawn, s.Players[i].Miss = false, 0
	if s.Players[i].Game == "" {
		s.Players[i].Since = e.At
	}
	return nil
}

func (s *State) pair(e Event) error {
	for _, g := range e.Games {
		inside := g.First >= 0 && g.First < len(s.Players) && g.Second >= tournament.None && g.Second < len(s.Players)
		inside = inside && (g.Outcome != tournament.Running || g.Second != tournament.None)
		inside = inside && (g.Outcome == tournament.Running || s.Settings.Form != tournament.Arena) // its table counts games as they finish
		if _, twice := s.games[g.ID]; !inside || twice && g.ID != "" {
			return fmt.Errorf("event %d: %w", e.Number, errEvent)
		}
		if g.Outcome == tournament.Running {
			s.games[g.ID] = len(s.Games)
			s.open = append(s.open, len(s.Games))
			s.Players[g.First].Game, s.Players[g.Second].Game = g.ID, g.ID
		}
		s.Games = append(s.Games, g)
		s.Tour.Games = append(s.Tour.Games, tournament.Game{Round: g.Round, Leg: g.Leg, Decider: g.Decider, First: g.First, Second: g.Second, Outcome: g.Outcome})
	}
	s.Quiet, s.Waved = e.At, e.At
	return nil
}

// finish applies the result of a game. Only the first counts. A player who misses several games in a row is
// withdrawn.
func (s *State) finish(r Result, at int64) {
	i, ok := s.games[r.Game]
	if !ok || s.Games[i].Outcome != tournament.Running {
		return
	}
	g := &s.Games[i]
	g.Outcome = r.Outcome
	s.Tour.Games[i].Outcome, s.Tour.Games[i].Agreed, s.Tour.Games[i].Berserk = r.Outcome, r.Agreed, r.Berserk
	s.table.Finish(s.Tour.Games[i])
	s.open = slices.DeleteFunc(s.open, func(j int) bool { return j == i })
	s.Quiet = at
	missed := [2]bool{r.Outcome == tournament.FirstAbsent, r.Outcome == tournament.SecondAbsent}
	for side, k := range [2]int{g.First, g.Second} {
		p := &s.Players[k]
		p.Game, p.Since = "", at
		p.Miss++
		if !missed[side] {
			p.Miss = 0
		}
		if p.Miss >= maxMissed {
			s.Tour.Players[k].Withdrawn = true
		}
	}
}

// player returns the index of the first of several identifiers that plays.
func (s *State) player(ids ...string) (i int, ok bool) {
	for _, id := range ids {
		if i, ok = s.players[id]; ok {
			return i, true
		}
	}
	return -1, false
}

// playing returns the index of the game that a player plays.
func (s *State) playing(player int) (i int, ok bool) {
	if s.Players[player].Game == "" {
		return 0, false
	}
	i = s.games[s.Players[player].Game]
	return i, i < s.begun
}

// count returns how many players have not withdrawn, and how many of them are people.
func (s *State) count() (all, people int) {
	for i, p := range s.Players {
		if s.Tour.Players[i].Withdrawn {
			continue
		}
		all++
		if !p.Level {
			people++
		}
	}
	return all, people
}

// due returns when something happens next by itself, as a time of day in milliseconds: the start, the next round, or
// the end of an arena. It is 0 if nothing is planned.
func (s *State) due(now live.Stamp) int64 {
	switch {
	case s.Phase == Waiting:
		return s.Settings.Starts
	case s.Phase == Running && s.Settings.Form == tournament.Arena:
		return now.Wall + s.arenaEnd() - now.Service
	case s.Phase == Running && len(s.open) == 0:
		return now.Wall + s.nextRound() - now.Service
	}
	return 0
}

// arenaEnd returns the service time at which an arena ends, so that an outage takes none of its minutes.
func (s *State) arenaEnd() int64 { return s.Started.Service + int64(s.Settings.Minutes)*60_000 }

// nextRound returns the service time at which the next round can be paired.
func (s *State) nextRound() int64 { return s.Quiet + int64(s.Settings.Pause)*1000 }
