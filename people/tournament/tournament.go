// Package tournament decides who plays whom in a tournament, and who leads.
//
// [State] is all there is: the form, the players and their games. [State.Pair] returns the games to
// begin now in a Swiss, a round robin or a knockout, [State.Wave] in an arena. The caller adds them
// to the state and later sets their outcomes. [State.Standings] is the table. The package has no
// log, no clock and no randomness: the same state gives the same games on every server.
package tournament

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Limits of tournaments.
const (
	MaxArena    = 1000 // players of an arena
	MaxSwiss    = 300  // players of a Swiss
	MaxKnockout = 64   // players of a knockout
	MaxRobin    = 32   // players of a round robin
	MaxRounds   = 30   // rounds of a Swiss
	MaxCycles   = 4    // times that two players meet in a round robin
	MaxReplays  = 5    // games after drawn games of a knockout
)

// Form is how a tournament pairs its players.
type Form string

// The forms.
const (
	Arena    Form = "arena"
	Swiss    Form = "swiss"
	Robin    Form = "robin"
	Knockout Form = "knockout"
)

// State is a tournament. Players and games are only ever appended: an index identifies them.
type State struct {
	Form    Form
	Rounds  int  // of a Swiss
	Cycles  int  // of a round robin: 1 or 2 and more; 0 is 1
	Replays int  // games of a knockout that follow a drawn game before the deciding one
	Berserk bool // an arena pays for winning with less time
	Lot     bool // in round 1, the first of the ranking has the second move
	Players []Player
	Games   []Game
}

// Player is a player. Ratings do not change during a tournament.
type Player struct {
	ID        string
	Rating    int
	Joined    int   // the first round that the player can be paired in; 0 and 1 are both the first
	Withdrawn bool  // the player is not paired any more
	Byes      []int // rounds of a Swiss without a game that the player asked for: half a point each
}

// None is the second player of a bye.
const None = -1

// Game is a game, or a bye of a player in a round.
type Game struct {
	Round         int  // from 1; in an arena the wave
	Leg           int  // of a knockout: 0 for the first game of two players in the round, then the replays
	Decider       bool // the last game of a knockout match: if it is drawn, the second player goes through
	First, Second int  // players; First has the first move, Second is None in a bye
	Outcome       Outcome
	Agreed        bool    // drawn by agreement: pays nothing in an arena
	Berserk       [2]bool // whether the first and the second player played with less time
}

// Outcome is how a game ended.
type Outcome int

// The outcomes.
const (
	Running   Outcome = iota
	FirstWins         // of a game that was played
	SecondWins
	Drawn
	FirstAbsent  // the first player did not come: the second wins by forfeit
	SecondAbsent // the first wins by forfeit
	BothAbsent
	PairingBye // no opponent was left: a full point
	HalfBye    // the player asked for it: half a point
	ZeroBye    // the player joined later or was away
)

// Played reports whether both players moved, so that the game counts for colours and opponents.
func (o Outcome) Played() bool { return o <= Drawn }

// Errors of pairing.
var (
	ErrNoPairing = errors.New("no pairing is left that the rules allow")
	ErrForm      = errors.New("unknown form")
)

// Check returns why a tournament cannot be held: its form, numbers or players.
func (s *State) Check() error {
	most := map[Form]int{Arena: MaxArena, Swiss: MaxSwiss, Robin: MaxRobin, Knockout: MaxKnockout}[s.Form]
	switch {
	case most == 0:
		return fmt.Errorf("form %q: %w", s.Form, ErrForm)
	case len(s.Players) > most:
		return fmt.Errorf("%d players: want at most %d", len(s.Players), most)
	case s.Form == Swiss && (s.Rounds < 1 || s.Rounds > MaxRounds):
		return fmt.Errorf("%d rounds: want 1 to %d", s.Rounds, MaxRounds)
	case s.Cycles < 0 || s.Cycles > MaxCycles:
		return fmt.Errorf("%d cycles: want 1 to %d", s.Cycles, MaxCycles)
	case s.Replays < 0 || s.Replays > MaxReplays:
		return fmt.Errorf("%d replays: want 0 to %d", s.Replays, MaxReplays)
	}
	return nil
}

// Round returns the last round that was paired, 0 before the first.
func (s *State) Round() int {
	if len(s.Games) == 0 {
		return 0
	}
	return s.Games[len(s.Games)-1].Round
}

// running reports whether a game of any player goes on.
func (s *State) running() bool {
	return slices.ContainsFunc(s.Games, func(g Game) bool { return g.Outcome == Running })
}

// Ranking returns the players by rating, those who joined first before others.
func (s *State) Ranking() []int {
	list := make([]int, len(s.Players))
	for i := range list {
		list[i] = i
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(s.Players[b].Rating, s.Players[a].Rating) })
	return list
}

// Pair returns the games and byes to begin now, in the order of boards: the next round when the last
// one ended, or the replays of a knockout. It returns none while games go on and when the tournament is
// over, and [ErrNoPairing] if no further round is possible: the tournament ends then.
func (s *State) Pair() ([]Game, error) {
	if s.Form == Knockout {
		return s.knockout(), nil
	}
	if s.Over() || s.running() {
		return nil, nil
	}
	switch s.Form {
	case Robin:
		return s.robin(s.Round() + 1), nil
	case Swiss:
		return s.swiss(s.Round() + 1)
	}
	return nil, nil
}

// Over reports whether all rounds are complete. It is always false for an arena, which ends when its time is up.
func (s *State) Over() bool {
	if s.running() {
		return false
	}
	switch s.Form {
	case Knockout:
		rounds, champion := s.Bracket()
		return len(rounds) == 0 || champion != None
	case Robin:
		return s.Round() >= s.robinRounds()
	case Swiss:
		return s.Round() >= s.Rounds
	}
	return false
}

// Variant returns the index, among the n games of a medley, of the one that a round plays.
func Variant(round, n int) int { return (round - 1) % n }
