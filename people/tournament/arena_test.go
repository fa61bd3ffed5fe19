package tournament_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quintet/lab/tournaments"
	"quintet/people/tournament"
)

// TestArena simulates arenas: nobody is paired twice, meets the last opponent again or has a colour four times
// in a row, unless nobody else is there.
func TestArena(t *testing.T) {
	for _, tt := range []struct {
		n, seconds, wave int
		idle             int
		leaving          float64
		few              bool // so few that the rules may have to give way
	}{
		{n: 2, seconds: 1800, wave: 1, idle: 1, few: true},
		{n: 3, seconds: 1800, wave: 1, idle: 60, few: true},
		{n: 5, seconds: 3600, wave: 1, idle: 30, leaving: 0.5, few: true},
		{n: 12, seconds: 3600, wave: 1, idle: 8, leaving: 0.2},
		{n: 120, seconds: 1200, wave: 4, idle: 8, leaving: 0.2},
	} {
		a := tournaments.Arena{Players: tt.n, Seconds: tt.seconds, Wave: tt.wave, Leaving: tt.leaving}
		r := a.Run(rand.New(rand.NewPCG(5, uint64(tt.n))))
		t.Logf("%d players: %+v", tt.n, r)
		if r.Idle > tt.idle || r.Double > 0 {
			t.Errorf("%d players: idle for %d s (median), want at most %d s; %d double pairings", tt.n, r.Idle, tt.idle, r.Double)
		}
		if !tt.few && (r.Rematches > 0 || r.Colours > 0 || r.Longest > 120) {
			t.Errorf("%d players: %+v", tt.n, r)
		}
		if games := tt.seconds / 90 * min(tt.n/2, 1+tt.n/8); r.Games < games {
			t.Errorf("%d players: %d games, want at least %d: somebody is stuck", tt.n, r.Games, games)
		}
	}
}

// unblocked is for arenas in which no player blocks another.
func unblocked(int, int) bool { return false }

// TestWaveApart checks that players who block each other are not paired, not even if the arena stalls.
func TestWaveApart(t *testing.T) {
	s := tournament.State{Form: tournament.Arena, Players: []tournament.Player{{ID: "a"}, {ID: "b"}, {ID: "c"}}}
	apart := func(a, b int) bool { return a != 2 && b != 2 }
	list := []tournament.Waiting{{Player: 0}, {Player: 1}, {Player: 2}}
	if games := s.Wave(list, apart); len(games) != 1 || games[0].First != 2 && games[0].Second != 2 {
		t.Errorf("of a and b, who block each other, and c, %v meet", games)
	}
	if games := s.Wave(list[:2], apart); len(games) != 0 {
		t.Errorf("of a and b, who block each other, %v meet", games)
	}
}

// BenchmarkWave pairs the first wave of the largest arena.
func BenchmarkWave(b *testing.B) {
	r := &tournament.State{Form: tournament.Arena, Players: make([]tournament.Player, tournament.MaxArena)}
	rng := rand.New(rand.NewPCG(5, 5))
	var list []tournament.Waiting
	for p := range r.Players {
		r.Players[p].Rating = int(1500 + 300*rng.NormFloat64())
		list = append(list, tournament.Waiting{Player: p})
	}
	for b.Loop() {
		if n := len(r.Wave(list, unblocked)); n != len(list)/2 {
			b.Fatalf("%d pairs of %d players", n, len(list))
		}
	}
}

// TestArenaPoints checks streaks, draws, forfeits and berserk.
func TestArenaPoints(t *testing.T) {
	win := tournament.Game{Outcome: tournament.FirstWins}
	loss := tournament.Game{Outcome: tournament.SecondWins}
	draw := tournament.Game{Outcome: tournament.Drawn}
	agreed := tournament.Game{Outcome: tournament.Drawn, Agreed: true}
	forfeit := tournament.Game{Outcome: tournament.SecondAbsent}
	berserk := tournament.Game{Outcome: tournament.FirstWins, Berserk: [2]bool{true, false}}
	for _, tt := range []struct {
		name  string
		games []tournament.Game
		want  []int
	}{
		{"streak", []tournament.Game{win, win, win, win, loss, win}, []int{2, 2, 4, 4, 0, 2}},
		{"a draw ends the streak", []tournament.Game{win, win, draw, win}, []int{2, 2, 1, 2}},
		{"agreed", []tournament.Game{agreed, win, draw, draw, win, draw}, []int{0, 2, 1, 0, 2, 1}},
		{"forfeits add nothing to the streak", []tournament.Game{win, forfeit, win, win}, []int{2, 2, 2, 4}},
		{"berserk", []tournament.Game{berserk, win, berserk, loss}, []int{3, 2, 5, 0}},
	} {
		s := &tournament.State{Form: tournament.Arena, Berserk: true, Players: make([]tournament.Player, 2), Games: slices.Clone(tt.games)}
		for i := range s.Games {
			s.Games[i].Second = 1
		}
		for _, standing := range s.Standings() {
			if standing.Player == 0 && !slices.Equal(standing.Sheet, tt.want) {
				t.Errorf("%s: %v, want %v", tt.name, standing.Sheet, tt.want)
			}
		}
	}
}
