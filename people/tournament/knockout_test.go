package tournament_test

import (
	"math/rand/v2"
	"testing"

	"quintet/people/tournament"
)

// TestKnockout plays knockouts of all sizes in which half of the games are drawn and some players do not come: one
// player is left, the draws are replayed with the sides changed, and each round has half the players.
func TestKnockout(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for n := 1; n <= tournament.MaxKnockout; n += 1 + n/9 {
		s := &tournament.State{Form: tournament.Knockout, Replays: n % 3, Players: make([]tournament.Player, n)}
		for i := range s.Players {
			s.Players[i].Rating = 2000 - i
		}
		for begun := 0; !s.Over(); {
			games, err := s.Pair()
			if err != nil {
				t.Fatal(err)
			}
			again, _ := s.Pair()
			if len(again) != len(games) {
				t.Fatalf("%d players: pairing is not a function of the state", n)
			}
			s.Games = append(s.Games, games...)
			if begun == len(s.Games) && len(games) == 0 && !ended(s, rng) {
				t.Fatalf("%d players: stuck after %d games", n, begun)
			}
			begun = len(s.Games)
			ended(s, rng)
		}
		checkKnockout(t, s)
	}
}

// ended ends one running game, and reports whether there was one.
func ended(s *tournament.State, rng *rand.Rand) bool {
	for i := range s.Games {
		if g := &s.Games[i]; g.Outcome == tournament.Running {
			g.Outcome = []tournament.Outcome{
				tournament.Drawn, tournament.Drawn, tournament.Drawn, tournament.FirstWins, tournament.SecondWins, tournament.FirstAbsent, tournament.BothAbsent,
			}[rng.IntN(7)]
			return true
		}
	}
	return false
}

func checkKnockout(t *testing.T, s *tournament.State) {
	t.Helper()
	n := len(s.Players)
	matches := map[[3]int][]tournament.Game{}
	for _, g := range s.Games {
		key := [3]int{g.Round, min(g.First, g.Second), max(g.First, g.Second)}
		if list := matches[key]; len(list) > 0 {
			last := list[len(list)-1]
			if last.Outcome != tournament.Drawn || g.Leg != last.Leg+1 || !g.Decider && g.First != last.Second || last.Decider {
				t.Errorf("%d players: %+v follows %+v", n, g, last)
			}
		}
		if g.Leg > s.Replays+1 || g.Decider != (g.Leg == s.Replays+1) {
			t.Errorf("%d players, %d replays: %+v", n, s.Replays, g)
		}
		matches[key] = append(matches[key], g)
	}
	byes := 0
	for key := range matches {
		if key[1] == tournament.None {
			byes++
		}
	}
	if len(matches)-byes != n-1 {
		t.Errorf("%d players: %d matches, want %d", n, len(matches)-byes, n-1)
	}
	if table := s.Standings(); n > 1 && (table[0].Rank != 1 || table[1].Rank != 2) {
		t.Errorf("%d players: the first two are %+v", n, table[:2])
	}
	rounds, champion := s.Bracket()
	games := 0
	for r, round := range rounds {
		for i, m := range round {
			games += len(m.Games)
			switch {
			case r+1 == len(rounds) && m.Winner != champion:
				t.Errorf("%d players: %+v, but %d has won", n, m, champion)
			case r+1 < len(rounds) && m.Winner != rounds[r+1][i/2].High && m.Winner != rounds[r+1][i/2].Low:
				t.Errorf("%d players: the winner of %+v is not in %+v", n, m, rounds[r+1][i/2])
			}
		}
	}
	if games != len(s.Games) {
		t.Errorf("%d players: %d games in the bracket, want %d", n, games, len(s.Games))
	}
}

// TestBracket checks that the better seed of each match goes to the final if nobody surprises.
func TestBracket(t *testing.T) {
	s := &tournament.State{Form: tournament.Knockout, Players: make([]tournament.Player, 11)}
	for i := range s.Players {
		s.Players[i].Rating = 2000 - i
	}
	for !s.Over() {
		games, _ := s.Pair()
		for _, g := range games {
			if g.Second != tournament.None {
				g.Outcome = tournament.SecondWins
				if g.First < g.Second {
					g.Outcome = tournament.FirstWins
				}
			}
			s.Games = append(s.Games, g)
		}
	}
	for i, standing := range s.Standings()[:4] {
		if standing.Player != i {
			t.Errorf("place %d: player %d", i+1, standing.Player)
		}
	}
	if last := s.Games[len(s.Games)-1]; last.Round != 4 || last.First+last.Second != 1 {
		t.Errorf("the final is %+v", last)
	}
}

// TestDrawnDecider plays a match without replays: its second game decides, and if that is drawn, too, the better seed
// goes through.
func TestDrawnDecider(t *testing.T) {
	s := &tournament.State{Form: tournament.Knockout, Players: []tournament.Player{{Rating: 1000}, {Rating: 2000}}}
	for range 2 {
		games, err := s.Pair()
		if err != nil || len(games) != 1 {
			t.Fatalf("games %+v, %v, want one", games, err)
		}
		games[0].Outcome = tournament.Drawn
		s.Games = append(s.Games, games...)
	}
	if last := s.Games[1]; !last.Decider || last.First != 0 || last.Second != 1 {
		t.Errorf("the second game is %+v, want the deciding one, which the better seed does not begin", last)
	}
	if rounds, champion := s.Bracket(); champion != 1 || rounds[0][0].Winner != 1 || !s.Over() {
		t.Errorf("player %d has won %+v, want player 1, the better seed", champion, rounds)
	}
}
