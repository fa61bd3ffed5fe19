package connect6

import (
	"math/rand/v2"
	"testing"

	"quintet/game"
	rules "quintet/games/connect6"
)

// cluster returns a position with stones near each other, with White or Black to place two.
func cluster(t testing.TB, r *rand.PCG, size, stones int) *rules.Position {
	t.Helper()
	p, err := rules.Start(size)
	if err != nil {
		t.Fatal(err)
	}
	for range stones {
		q := *p
		m := q.Sample(r)
		for range 3 {
			if next := q.Sample(r); middle(next.To(), size) < middle(m.To(), size) {
				m = next
			}
		}
		if q.Play(m); q.Result().Over() {
			break
		}
		p = &q
	}
	if p.Left() == 1 {
		return cluster(t, r, size, stones+1)
	}
	return p
}

func middle(c game.Cell, size int) int {
	row, col := 2*(int(c)/size)+1-size, 2*(int(c)%size)+1-size
	return row*row + col*col
}

// winsNow reports whether a side has a window that two stones complete, by checking all
// windows.
func winsNow(p *rules.Position, s game.Side) bool {
	_, hot := plainWindows(p, s)
	return hot > 0
}

// checkWin plays a win that was found against every answer that there is, by the
// rules of the game alone.
func checkWin(t *testing.T, th *threats, p *rules.Position, turns int) {
	t.Helper()
	s := p.Turn()
	if winsNow(p, s) {
		return
	}
	if turns == 0 || winsNow(p, s^1) && turns < 0 {
		t.Fatalf("%s: no win in one turn", p)
	}
	th.b.reset(p)
	turn := th.winning(s, 2, turns)
	if turn.first == none {
		t.Fatalf("%s: the win in %d turns is not found again", p, turns)
	}
	after := *p
	after.Play(game.Put(game.Cell(turn.first)))
	after.Play(game.Put(game.Cell(turn.second)))
	moves := after.Moves(nil)
	for i, m := range moves {
		for _, m2 := range moves[:i] {
			q := after
			if q.Play(m); !q.Result().Over() {
				q.Play(m2)
			}
			if q.Result().Over() {
				t.Fatalf("%s: after %v the other side wins", p, turn)
			}
			if !winsNow(&q, s) {
				checkWin(t, th, &q, turns-1)
			}
		}
	}
}

// TestWinsAreProved looks for wins in random positions, and plays each against
// all answers.
func TestWinsAreProved(t *testing.T) {
	r := rand.NewPCG(1, 1)
	var b board
	th := newThreats(&b, make(threatTable, 1<<14))
	found := [6]int{}
	for i := range 250 {
		p := cluster(t, r, 7+i%4, 9+game.IntN(r, 18))
		b.reset(p)
		th.clear()
		turns := th.find(p.Turn(), 2, 5, 3000)
		if turns < 0 {
			continue
		}
		if found[turns]++; turns > 0 && found[turns] < 60 {
			checkWin(t, th, p, turns)
		}
	}
	t.Log(found)
}
