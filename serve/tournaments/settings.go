package tournaments

import (
	"errors"
	"fmt"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/people/tournament"
	"quintet/serve/api"
)

// Limits of tournaments. The package tournament has those of players and rounds.
const (
	MaxOpen     = 200  // tournaments of a server that are not over, which it keeps in memory
	MaxHosted   = 5    // of an account
	MaxKept     = 5000 // tournaments of a server that are shown, the oldest that are over leave first
	MaxTitle    = 60   // characters
	MaxCode     = 40   // characters of a code to join
	MaxVariants = 10   // games of a medley
	MaxLevels   = 6    // levels that play along
	MaxMinutes  = 360  // of an arena
	MaxPause    = 600  // seconds between two rounds
	MaxAhead    = 60   // days before the start
	MaxHeld     = 7    // days that a tournament waits for its organiser to start it
	MaxMain     = 3 * 60 * 60
	MaxExtra    = 180 // seconds of increment or delay
)

// Settings are what a tournament is made with. They do not change.
type Settings struct {
	Form    tournament.Form  `json:"form"`
	Games   []Variant        `json:"games"` // each round plays the next one: several are a medley
	Clock   live.TimeControl `json:"clock"`
	Rated   bool             `json:"rated,omitempty"`
	Rounds  int              `json:"rounds,omitempty"`  // of a Swiss; how often two players of a round robin meet
	Minutes int              `json:"minutes,omitempty"` // of an arena
	Berserk bool             `json:"berserk,omitempty"` // an arena pays for winning with less time
	Pause   int              `json:"pause,omitempty"`   // seconds between two rounds
	Starts  int64            `json:"starts,omitempty"`  // time of day, milliseconds since 1970; 0: the organiser starts it
	Most    int              `json:"most"`              // players
	Low     int              `json:"low,omitempty"`     // the lowest rating; 0 for any
	High    int              `json:"high,omitempty"`    // the highest; 0 for any
	Code    string           `json:"code,omitempty"`    // hash of the code to join
	Series  string           `json:"series,omitempty"`  // name, which other tournaments of the organiser may share
	Class   string           `json:"class,omitempty"`   // identifier of the class that it is for
	Host    string           `json:"host"`              // identifier of the organiser's account
}

// Variant is a game with its options.
type Variant struct {
	Game    string     `json:"game"`
	Options game.Setup `json:"options,omitempty"`
}

// variant returns the game of a round.
func (s Settings) variant(round int) Variant {
	return s.Games[tournament.Variant(round, len(s.Games))]
}

// table returns the settings of a game of a round, with open seats.
func (s Settings) table(id string, round int) live.Settings {
	v := s.variant(round)
	return live.Settings{Game: v.Game, Options: v.Options, Clock: s.Clock, Rated: s.Rated, Unlisted: s.Class != "", Tournament: id, Berserk: s.Berserk}
}

// tour returns the tournament before its first player.
func (s Settings) tour() tournament.State {
	return tournament.State{Form: s.Form, Rounds: s.Rounds, Cycles: s.Rounds, Replays: 2, Berserk: s.Berserk}
}

// most returns the largest number of players of a form; 0 for unknown forms.
func most(f tournament.Form) int {
	return map[tournament.Form]int{tournament.Arena: tournament.MaxArena, tournament.Swiss: tournament.MaxSwiss, tournament.Robin: tournament.MaxRobin, tournament.Knockout: tournament.MaxKnockout}[f]
}

// check returns an error if no tournament can have the settings.
func (s Settings) check(now time.Time) error {
	if most(s.Form) == 0 {
		return invalid("form", fmt.Errorf("form %.20q: expected arena, swiss, robin or knockout", s.Form))
	}
	if len(s.Games) < 1 || len(s.Games) > MaxVariants {
		return invalid("games", fmt.Errorf("a tournament has 1 to %d games", MaxVariants))
	}
	for round := range s.Games {
		if err := s.table("", round+1).Check(); err != nil {
			return err
		}
	}
	if err := s.checkClock(); err != nil {
		return invalid("clock", err)
	}
	tour := s.tour()
	if s.Form != tournament.Swiss && s.Form != tournament.Robin {
		tour.Rounds, tour.Cycles = 0, 0
	}
	if s.Form != tournament.Robin {
		tour.Cycles = 0
	}
	if err := tour.Check(); err != nil {
		return invalid("rounds", err)
	}
	return s.checkNumbers(now)
}

// checkClock returns an error unless a game ends in a few hours.
func (s Settings) checkClock() error {
	c := s.Clock
	if c.Main < 1 || c.Main > MaxMain || c.Increment > MaxExtra || c.Delay > MaxExtra {
		return fmt.Errorf("games of a tournament need a clock of at most %d minutes with at most %d seconds for each move", MaxMain/60, MaxExtra)
	}
	return nil
}

// checkNumbers checks the numbers that depend on nothing else.
func (s Settings) checkNumbers(now time.Time) error {
	starts := time.UnixMilli(s.Starts)
	switch {
	case s.Form == tournament.Arena && (s.Minutes < 1 || s.Minutes > MaxMinutes):
		return invalid("minutes", fmt.Errorf("an arena lasts 1 to %d minutes", MaxMinutes))
	case s.Berserk && s.Form != tournament.Arena:
		return invalid("berserk", errors.New("only an arena can allow berserk"))
	case s.Pause < 0 || s.Pause > MaxPause:
		return invalid("pause", fmt.Errorf("the pause between rounds must be 0 to %d seconds", MaxPause))
	case s.Most < 2 || s.Most > most(s.Form):
		return invalid("most", fmt.Errorf("this form has 2 to %d players", most(s.Form)))
	case s.Low < 0 || s.High < 0 || s.High > 0 && s.Low > s.High:
		return invalid("rating", errors.New("the lowest rating must not be above the highest"))
	case s.Starts != 0 && (starts.Before(now.Add(-time.Minute)) || starts.After(now.AddDate(0, 0, MaxAhead))):
		return invalid("starts", fmt.Errorf("the start must be in the future, at most %d days ahead", MaxAhead))
	}
	return nil
}

// invalid returns the problem of a field. Pages show its text.
func invalid(field string, err error) error {
	return api.Invalid(field, "%v", err).WithReason("tournament.field")
}
