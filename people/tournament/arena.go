package tournament

import (
	"cmp"
	"slices"

	"quintet/people/pairing"
)

// This file pairs and scores arenas. Weights and the rules of a pair are those of lila (AntmaPairing.scala): the
// difference of ranks, which counts most at the top, and of ratings; never the last opponent; at most
// three games in a row with the same colour.

const (
	waveSize   = 64      // players matched at once: neighbours by rank; a thousand players take milliseconds
	rankFactor = 300     // of a difference of one rank at the bottom of the table,
	topFactor  = 1700    // and how much more at the top
	waitFactor = 20_000  // of a second of waiting, when somebody has to be left out
	mostWait   = 120     // seconds that count
	pairFactor = 1 << 32 // of a pair: as many as possible
	mostInRow  = 3       // games with the same colour
)

// Waiting is a player of an arena who waits for an opponent.
type Waiting struct {
	Player  int
	Seconds int // how long the player has waited
}

// arenaPlayer is what a pairing asks of the games before.
type arenaPlayer struct {
	Waiting
	rank    int
	rating  int
	last    int // opponent
	row     int // games in a row with the first move, negative with the second
	balance int // games with the first move less those with the second
	playing bool
}

// Wave returns the games to begin now among the players of an arena who wait. Call it every few seconds with
// all who wait, in a small arena every second: those it leaves out go on waiting. apart reports whether two players
// never meet, because one of them blocks the other.
func (s *State) Wave(list []Waiting, apart func(a, b int) bool) []Game {
	players, playing := s.arenaPlayers()
	var free []*arenaPlayer
	for _, w := range list {
		if w.Player < 0 || w.Player >= len(players) || s.Players[w.Player].Withdrawn || players[w.Player].playing {
			continue
		}
		p := &players[w.Player]
		p.playing = true // so that nobody is in the list twice
		p.Waiting = w
		free = append(free, p)
	}
	slices.SortFunc(free, func(a, b *arenaPlayer) int { return cmp.Compare(a.rank, b.rank) })
	pairs := wave(free, len(players), func(a, b *arenaPlayer) bool { return allowed(a, b) && !apart(a.Player, b.Player) })
	if len(pairs) == 0 && playing == 0 { // no pair is allowed and no game is running: the arena would stall
		pairs = wave(free, len(players), func(a, b *arenaPlayer) bool {
			return (len(free) == 2 || !justMet(a, b)) && !apart(a.Player, b.Player)
		})
	}
	round := s.Round() + 1
	games := make([]Game, len(pairs))
	for i, p := range pairs {
		a, b := p[0], p[1]
		if !firstMove(a, b, round) {
			a, b = b, a
		}
		games[i] = Game{Round: round, First: a.Player, Second: b.Player}
	}
	return games
}

// arenaPlayers returns all players by index, and the number of games that go on.
func (s *State) arenaPlayers() (list []arenaPlayer, playing int) {
	list = make([]arenaPlayer, len(s.Players))
	for rank, t := range s.Standings() {
		list[t.Player] = arenaPlayer{rank: rank, rating: s.Players[t.Player].Rating, last: None}
		list[t.Player].Player = t.Player
	}
	for _, g := range s.Games {
		if g.Second == None {
			continue
		}
		a, b := &list[g.First], &list[g.Second]
		a.last, b.last = g.Second, g.First
		a.row, b.row = max(a.row, 0)+1, min(b.row, 0)-1
		a.balance++
		b.balance--
		if g.Outcome == Running {
			a.playing, b.playing = true, true
			playing++
		}
	}
	return list, playing
}

// wave matches players in the order of their ranks. Those left out of a part are in the next one.
func wave(free []*arenaPlayer, field int, may func(a, b *arenaPlayer) bool) (pairs [][2]*arenaPlayer) {
	var left []*arenaPlayer
	for len(free) > 0 {
		n := min(waveSize-len(left), len(free))
		part := slices.Concat(left, free[:n])
		free, left = free[n:], nil
		mate := pairing.MaxWeight(len(part), func(i, j int) int {
			if !may(part[i], part[j]) {
				return 0
			}
			return closeness(part[i], part[j], field)
		})
		for i, m := range mate {
			if m < 0 {
				left = append(left, part[i])
			} else if i < m {
				pairs = append(pairs, [2]*arenaPlayer{part[i], part[m]})
			}
		}
		left = left[:min(len(left), waveSize/2)]
	}
	return pairs
}

// allowed reports whether two players may meet now.
func allowed(a, b *arenaPlayer) bool {
	clash := a.row >= mostInRow && b.row >= mostInRow || a.row <= -mostInRow && b.row <= -mostInRow
	return !clash && !justMet(a, b)
}

func justMet(a, b *arenaPlayer) bool { return a.last == b.Player || b.last == a.Player }

// closeness is the weight of a pair.
func closeness(a, b *arenaPlayer, field int) int {
	factor := rankFactor + topFactor*(field-min(a.rank, b.rank))/field
	apart := abs(a.rank-b.rank)*factor + min(abs(a.rating-b.rating), 10_000)
	waited := min(max(a.Seconds, 0), mostWait) + min(max(b.Seconds, 0), mostWait)
	return pairFactor + waitFactor*waited - apart
}

// firstMove reports whether a has the first move: nobody has it more than three times in a row, and then those
// who had it less often.
func firstMove(a, b *arenaPlayer, round int) bool {
	mayA, mayB := a.row < mostInRow && b.row > -mostInRow, b.row < mostInRow && a.row > -mostInRow
	switch {
	case mayA != mayB:
		return mayA
	case a.balance != b.balance:
		return a.balance < b.balance
	case a.row != b.row:
		return a.row < b.row
	}
	return (a.Player+b.Player+round)%2 == 0
}
