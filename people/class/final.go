package class

import (
	"fmt"

	"quintet/live"
)

// The kinds of events of the final of a league.
const (
	FinalHeld   live.Kind = "final"       // the teacher holds a final of some programs
	FinalPlayed live.Kind = "finalplayed" // a match of the final is over
)

// MaxFinalists is the most programs of a final.
const MaxFinalists = 16

// Final is a knockout of the best programs of a league.
type Final struct {
	Number   int          // of its event: another final of the same league has another number
	Programs []string     // submissions, the best of the table first
	Matches  []FinalMatch // in the order in which they were played
}

// FinalMatch is a match of a final, as a game of a knockout (see tournament.Game), with the games that decided it. It
// has none if a player got a bye or was erased.
type FinalMatch struct {
	Round   int         `json:"round"` // from 1
	Leg     int         `json:"leg,omitempty"`
	Decider bool        `json:"decider,omitempty"`
	First   int         `json:"first"`  // indexes of programs
	Second  int         `json:"second"` // -1 in a bye
	Outcome int         `json:"outcome"`
	Games   []FinalGame `json:"games,omitempty"`
}

// FinalGame is a game of a match. The first player of the match moves first in the first game.
type FinalGame struct {
	Points   int    `json:"points"` // of the first player of the match: 2 for a win, 1 for a draw
	End      string `json:"end"`
	Position string `json:"position"`
	Moves    string `json:"moves"`
}

// Final returns the last final of a league.
func (s *State) Final(assignment string) (f Final, ok bool) {
	f, ok = s.finals[assignment]
	return f, ok
}

func (s *State) holdFinal(e Event) {
	if s.finals == nil {
		s.finals = map[string]Final{}
	}
	s.finals[e.To] = Final{Number: e.Number, Programs: e.Programs[:min(len(e.Programs), MaxFinalists)]}
}

// playFinal adds a match to a final.
func (s *State) playFinal(e Event) error {
	f, ok := s.finals[e.To]
	m := e.Match
	switch n := len(f.Programs); {
	case !ok:
		return nil // from a newer server
	case m == nil || m.First < 0 || m.First >= n || m.Second < -1 || m.Second >= n || len(m.Games) > 2:
		return fmt.Errorf("event %d: a final cannot have this match", e.Number)
	}
	f.Matches = append(f.Matches, *m)
	s.finals[e.To] = f
	return nil
}
