package tournament_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quintet/people/tournament"
)

// arenaRun simulates an arena: games of 20 s to two minutes, a wave every few seconds, and a share of
// players who leave at any time, also in the middle of a game.
type arenaRun struct {
	*tournament.State
	rng           *rand.Rand
	ends          []int // the second in which each game ends
	since         []int // when each player began to wait, -1 if not waiting
	leaves        []int
	last          []int
	row           []int
	idle          []int // seconds of all waits
	again, colour int   // rematches, and games of a player with one colour too often
	longest       int
}

func newArena(rng *rand.Rand, n, seconds int, leaving float64) *arenaRun {
	r := &arenaRun{State: &tournament.State{Form: tournament.Arena, Players: make([]tournament.Player, n)}, rng: rng}
	for i := range n {
		r.Players[i].Rating = int(1500 + 300*rng.NormFloat64())
		r.since = append(r.since, rng.IntN(10))
		leave := 2 * seconds
		if rng.Float64() < leaving {
			leave = rng.IntN(seconds)
		}
		r.leaves, r.last, r.row = append(r.leaves, leave), append(r.last, -1), append(r.row, 0)
	}
	return r
}

// second plays one second.
func (r *arenaRun) second(t testing.TB, now, wave int) {
	for i, end := range r.ends {
		if end != now {
			continue
		}
		g := &r.Games[i]
		g.Outcome = outcome(r.rng, r.Players[g.First].Rating-r.Players[g.Second].Rating)
		for _, p := range [2]int{g.First, g.Second} {
			r.since[p] = now
		}
	}
	var list []tournament.Waiting
	for p, since := range r.since {
		if r.leaves[p] <= now {
			r.Players[p].Withdrawn = true
		} else if since >= 0 && since <= now {
			list = append(list, tournament.Waiting{Player: p, Seconds: now - since})
			r.longest = max(r.longest, now-since)
		}
	}
	if now%wave != 0 {
		return
	}
	for _, g := range r.Wave(list, unblocked) {
		r.begin(t, g, now)
	}
}

func (r *arenaRun) begin(t testing.TB, g tournament.Game, now int) {
	if r.last[g.First] == g.Second || r.last[g.Second] == g.First {
		r.again++
	}
	r.last[g.First], r.last[g.Second] = g.Second, g.First
	r.row[g.First], r.row[g.Second] = max(r.row[g.First], 0)+1, min(r.row[g.Second], 0)-1
	if r.row[g.First] > 3 || r.row[g.Second] < -3 {
		r.colour++
	}
	for _, p := range [2]int{g.First, g.Second} {
		if r.since[p] < 0 || r.Players[p].Withdrawn {
			t.Fatalf("second %d: player %d is paired twice or after leaving", now, p)
		}
		r.idle = append(r.idle, now-r.since[p])
		r.since[p] = -1
	}
	r.ends = append(r.ends, now+20+r.rng.IntN(100))
	r.Games = append(r.Games, g)
}

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
		r := newArena(rand.New(rand.NewPCG(5, uint64(tt.n))), tt.n, tt.seconds, tt.leaving)
		for now := range tt.seconds {
			r.second(t, now, tt.wave)
		}
		slices.Sort(r.idle)
		median := r.idle[len(r.idle)/2]
		t.Logf("%d players: %d games, idle %d s (median), %d s (99 %%), longest %d s; %d rematches, %d colours", tt.n, len(r.Games), median, r.idle[len(r.idle)*99/100], r.longest, r.again, r.colour)
		if median > tt.idle {
			t.Errorf("%d players: idle for %d s (median), want at most %d s", tt.n, median, tt.idle)
		}
		if !tt.few && (r.again > 0 || r.colour > 0 || r.longest > 120) {
			t.Errorf("%d players: %d rematches, %d times a colour too often, somebody waited %d s", tt.n, r.again, r.colour, r.longest)
		}
		if games := tt.seconds / 90 * min(tt.n/2, 1+tt.n/8); len(r.Games) < games {
			t.Errorf("%d players: %d games, want at least %d: somebody is stuck", tt.n, len(r.Games), games)
		}
	}
}

// BenchmarkArena simulates 500 players for 45 minutes, of whom every fifth leaves.
func BenchmarkArena(b *testing.B) {
	for b.Loop() {
		r := newArena(rand.New(rand.NewPCG(5, 5)), 500, 2700, 0.2)
		for now := range 2700 {
			r.second(b, now, 4)
		}
		slices.Sort(r.idle)
		b.ReportMetric(float64(len(r.Games)), "games")
		b.ReportMetric(float64(r.idle[len(r.idle)/2]), "idle-s")
		b.ReportMetric(float64(r.longest), "longest-s")
		b.ReportMetric(float64(r.again), "rematches")
		b.ReportMetric(float64(r.colour), "colours")
	}
}

// BenchmarkWave pairs the first wave of the largest arena.
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

func BenchmarkWave(b *testing.B) {
	r := newArena(rand.New(rand.NewPCG(5, 5)), tournament.MaxArena, 2700, 0)
	var list []tournament.Waiting
	for p := range r.Players {
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
