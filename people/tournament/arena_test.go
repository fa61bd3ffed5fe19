package tournament_test

import (
	"cmp"
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

// TestWaveColours checks that two players who both had the same colour twice in a row meet, but not after three times.
func TestWaveColours(t *testing.T) {
	for _, first := range []bool{false, true} {
		for times, want := range []int{1, 1, 1, 0, 0} {
			s := tournament.State{Form: tournament.Arena, Players: make([]tournament.Player, 4)}
			for range times {
				for p := range 2 {
					g := tournament.Game{First: p + 2, Second: p, Outcome: tournament.FirstWins}
					if first {
						g.First, g.Second = g.Second, g.First
					}
					s.Games = append(s.Games, g)
				}
			}
			s.Games = append(s.Games, tournament.Game{First: 2, Second: 3}) // it runs: nothing stalls
			if games := s.Wave([]tournament.Waiting{{Player: 0}, {Player: 1}}, unblocked); len(games) != want {
				t.Errorf("after %d games each with the same colour (first: %t): %v, want %d", times, first, games, want)
			}
		}
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
		s := &tournament.State{Form: tournament.Arena, Berserk: true, Players: make([]tournament.Player, 2)}
		table, sum := s.Table(), 0
		var got []int
		for _, g := range tt.games {
			g.Second = 1
			table.Finish(g)
			for _, row := range table.Standings() {
				if row.Player == 0 {
					got, sum = append(got, row.Points-sum), row.Points
				}
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestTable plays random arenas. After each event, the updated table and one made from all games equal plainStandings.
func TestTable(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(44, seed))
		s := &tournament.State{Form: tournament.Arena, Berserk: seed%2 == 0}
		table := s.Table()
		var open []int
		for range 400 {
			a, b := rng.IntN(len(s.Players)+1), rng.IntN(len(s.Players)+1)
			busy := func(p int) bool {
				return slices.ContainsFunc(open, func(i int) bool { return s.Games[i].First == p || s.Games[i].Second == p })
			}
			switch {
			case max(a, b) == len(s.Players) || a == b:
				p := tournament.Player{Rating: 1500 + rng.IntN(3)}
				s.Players = append(s.Players, p)
				table.Join(p.Rating)
			case !busy(a) && !busy(b):
				open = append(open, len(s.Games))
				s.Games = append(s.Games, tournament.Game{Round: len(s.Games) + 1, First: a, Second: b})
			case len(open) > 0:
				k := rng.IntN(len(open))
				g := &s.Games[open[k]]
				g.Outcome = tournament.FirstWins + tournament.Outcome(rng.IntN(int(tournament.BothAbsent)))
				g.Agreed, g.Berserk = rng.IntN(2) == 0, [2]bool{rng.IntN(2) == 0, rng.IntN(2) == 0}
				table.Finish(*g)
				open = slices.Delete(open, k, k+1)
			}
			want := plainStandings(s)
			if got, again := table.Standings(), s.Standings(); !slices.Equal(got, want) || !slices.Equal(again, want) {
				t.Fatalf("arena %d, %d games:\n%v, and from all games\n%v, want\n%v", seed, len(s.Games), got, again, want)
			}
		}
	}
}

// plainStandings is the standings of an arena, player by player.
func plainStandings(s *tournament.State) (table []tournament.Standing) {
	for p := range s.Players {
		row, drawn := tournament.Standing{Player: p}, false
		for _, g := range s.Games {
			if g.Outcome == tournament.Running || g.First != p && g.Second != p {
				continue
			}
			first := g.First == p
			won := first && (g.Outcome == tournament.FirstWins || g.Outcome == tournament.SecondAbsent) || !first && (g.Outcome == tournament.SecondWins || g.Outcome == tournament.FirstAbsent)
			forfeit := g.Outcome > tournament.Drawn
			row.Games++
			switch {
			case won:
				row.Wins++
				row.Points += 2
				if !forfeit {
					row.Streak++
					if row.Streak > 2 {
						row.Points += 2
					}
					if s.Berserk && (first && g.Berserk[0] || !first && g.Berserk[1]) {
						row.Points++
					}
				}
			case g.Outcome == tournament.Drawn:
				row.Draws++
				row.Streak = 0
				if !g.Agreed && !drawn {
					row.Points++
				}
			default:
				row.Losses++
				row.Streak = 0
			}
			drawn = g.Outcome == tournament.Drawn
		}
		table = append(table, row)
	}
	slices.SortStableFunc(table, func(a, b tournament.Standing) int {
		return cmp.Or(b.Points-a.Points, b.Wins-a.Wins, s.Players[b.Player].Rating-s.Players[a.Player].Rating)
	})
	for i := range table {
		table[i].Rank = i + 1
		if i > 0 && table[i].Points == table[i-1].Points && table[i].Wins == table[i-1].Wins {
			table[i].Rank = table[i-1].Rank
		}
	}
	return table
}

// BenchmarkTable ends a game of the largest arena, after 5,000 others, and ranks the players.
func BenchmarkTable(b *testing.B) {
	s := &tournament.State{Form: tournament.Arena, Players: make([]tournament.Player, tournament.MaxArena)}
	rng := rand.New(rand.NewPCG(5, 5))
	for range 5000 {
		p := rng.Perm(len(s.Players))
		s.Games = append(s.Games, tournament.Game{First: p[0], Second: p[1], Outcome: tournament.FirstWins + tournament.Outcome(rng.IntN(2))})
	}
	b.Run("kept", func(b *testing.B) {
		table := s.Table()
		for i := 0; b.Loop(); i++ {
			table.Finish(s.Games[i%len(s.Games)])
			table.Standings()
		}
	})
	b.Run("anew", func(b *testing.B) {
		for b.Loop() {
			s.Standings()
		}
	})
}
