package tournament

import (
	"cmp"
	"slices"
)

// Table holds the standings of an arena and updates them after each game. A win pays two points, four from
// the third in a row. A win by forfeit pays two and does not count for the streak. A draw pays one; a draw by agreement
// pays nothing, nor does one after another draw. With berserk, a win of a game with less time pays one more.
type Table struct {
	berserk bool
	rows    []Standing // the leader first; only Standings fills in ranks
	players []ranked
}

// ranked is what a Table knows of a player besides the row.
type ranked struct {
	at     int // index of the row
	rating int
	drawn  bool // the last game
}

// Table returns the table of the games so far, which the caller updates with Join and Finish.
func (s *State) Table() *Table {
	t := &Table{berserk: s.Berserk}
	for _, p := range s.Players {
		t.add(p.Rating)
	}
	for _, g := range s.Games {
		if g.Outcome != Running && g.Second != None {
			t.count(g, 0)
			t.count(g, 1)
		}
	}
	slices.SortFunc(t.rows, func(a, b Standing) int { return t.compare(&b, &a) })
	for i, row := range t.rows {
		t.players[row.Player].at = i
	}
	return t
}

// Join adds the next player.
func (t *Table) Join(rating int) {
	t.add(rating)
	t.rise(len(t.rows) - 1)
}

// Finish adds a game of two players that is over. The games of a player come in order.
func (t *Table) Finish(g Game) {
	t.count(g, 0)
	t.rise(t.players[g.First].at) // before the other row changes: rise needs all others in order
	t.count(g, 1)
	t.rise(t.players[g.Second].at)
}

func (t *Table) add(rating int) {
	n := len(t.rows)
	t.rows, t.players = append(t.rows, Standing{Player: n}), append(t.players, ranked{n, rating, false})
}

// count adds a game to the row of the first player (0) or the second.
func (t *Table) count(g Game, side int) {
	player := &t.players[[2]int{g.First, g.Second}[side]]
	row := &t.rows[player.at]
	row.count(g.Outcome, side == 0)
	pay := row.pay(g, side == 0, player.drawn)
	if t.berserk && g.Berserk[side] && pay >= 2 && g.Outcome.Played() {
		pay++
	}
	row.Points += pay
	player.drawn = g.Outcome == Drawn
}

// rise moves a row to its place. No result moves a player down.
func (t *Table) rise(i int) {
	for ; i > 0 && t.compare(&t.rows[i], &t.rows[i-1]) > 0; i-- {
		t.rows[i], t.rows[i-1] = t.rows[i-1], t.rows[i]
		t.players[t.rows[i].Player].at, t.players[t.rows[i-1].Player].at = i, i-1
	}
}

// compare compares places: by points, wins, rating, and then who joined first.
func (t *Table) compare(a, b *Standing) int {
	rating := cmp.Compare(t.players[a.Player].rating, t.players[b.Player].rating)
	return cmp.Or(cmp.Compare(a.Points, b.Points), cmp.Compare(a.Wins, b.Wins), rating, cmp.Compare(b.Player, a.Player))
}

// Standings returns the table as [State.Standings] does. It is valid until the next call of Join or Finish.
func (t *Table) Standings() []Standing {
	setRanks(t.rows, []func(*Standing) int{points, wins})
	return t.rows
}

// pay returns the points of a game and keeps the streak.
func (t *Standing) pay(g Game, first, drawn bool) int {
	won := g.Outcome.points(first) == 2
	switch {
	case won && !g.Outcome.Played():
		return 2
	case won:
		t.Streak++
		if t.Streak >= 3 {
			return 4
		}
		return 2
	}
	t.Streak = 0
	if g.Outcome == Drawn && !g.Agreed && !drawn {
		return 1
	}
	return 0
}
