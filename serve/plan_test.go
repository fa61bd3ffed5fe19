package serve

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quintet/game"
	"quintet/live"
)

// planned returns the conditional moves of a side as the log has them.
func planned(t *testing.T, s *Server, id string, side game.Side) string {
	t.Helper()
	p, _, err := s.hall.Plan(t.Context(), id, side)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ToLower(fmt.Sprint(p.Lines))
}

// plans sets conditional moves of the second side.
func plans(t *testing.T, s *Server, id string, lines ...[]string) {
	t.Helper()
	r, err := s.hall.Room(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var p live.Plan
	r.View(func(table *live.Table) bool { p, err = table.Plan(game.Second, lines); return true })
	_, revision, failed := s.hall.Plan(t.Context(), id, game.Second)
	if err == nil && failed == nil {
		err = s.hall.PutPlan(t.Context(), id, game.Second, p, revision)
	}
	if err != nil || failed != nil {
		t.Fatal(err, failed)
	}
}

// TestConditionalMoves plays the answers of a side at once, also those of the server that was killed before it played
// them, and erases them when the game departs from them, when it ends, and with the game.
func TestConditionalMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := live.NewMemory()
		one, two := beside(t, l), beside(t, l)
		const id, other, ended, erased = "abcdefgh2352", "abcdefgh2353", "abcdefgh2354", "abcdefgh2355"
		for _, id := range []string{id, other, ended, erased} {
			opens(t, one.hall, id, live.Settings{Game: "connect6", Clock: live.TimeControl{Days: 1}, Seats: [2]live.Player{{Name: "Ann", Secret: "a"}, {Name: "Ben", Secret: "b"}}})
		}
		move := func(s *Server, id, text string, side game.Side) {
			t.Helper()
			does(t, s.hall, id, live.Command{Do: live.Move, Move: text, Side: side, Ply: -1})
			synctest.Wait()
		}
		at := func(id string, want int, plan string) {
			t.Helper()
			if e, p := last(t, l, id), planned(t, one, id, game.Second); e.Ply != want || p != plan {
				t.Errorf("game %s is at ply %d with the plans %s, want %d with %s", id, e.Ply, p, want, plan)
			}
		}
		lines := [][]string{{"j10", "a1", "b1", "c1", "d1", "e1", "f1"}, {"a10", "a2", "b2"}}
		plans(t, two, id, lines...)
		move(one, id, "j10", game.First)
		at(id, 3, fmt.Sprint(lines)) // both stones
		move(one, id, "c1", game.First)
		at(id, 4, fmt.Sprint(lines))
		move(one, id, "d1", game.First)
		at(id, 7, "[]") // nothing is left of the line

		plans(t, one, other, lines...)
		move(one, other, "k10", game.First)
		at(other, 1, "[]")
		plans(t, one, ended, lines...)
		does(t, one.hall, ended, live.Command{Do: live.Resign, Side: game.First})
		synctest.Wait()
		at(ended, 0, "[]")

		plans(t, one, erased, lines...)
		if _, err := one.Erase(t.Context(), Erasing{Stream: erased}); err != nil {
			t.Fatal(err)
		}
		if got := planned(t, one, erased, game.Second); got != "[]" {
			t.Errorf("the game is erased, and its conditional moves are %s", got)
		}

		move(one, other, "a1", game.Second)
		move(one, other, "b1", game.Second)
		plans(t, one, other, []string{"c2", "d2", "e2", "f2"})
		move(two, other, "c2", game.First)
		e := moved(t, l, other, "d2") // by a server that is killed before it answers
		if err := two.Close(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		at(other, e, fmt.Sprint([][]string{{"c2", "d2", "e2", "f2"}}))
		time.Sleep(5 * time.Second)
		at(other, e+2, "[]")
		if err := one.Close(); err != nil {
			t.Error(err)
		}
	})
}

// moved appends a move to the log as a server does that is killed then, and returns the ply.
func moved(t *testing.T, l live.Log, id, text string) int {
	t.Helper()
	list, err := l.Read(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	table, seq := live.New(id), uint64(0)
	for _, e := range list {
		if _, err := table.Load(e.Data); err != nil {
			t.Fatal(err)
		}
		seq = e.Seq
	}
	e, err := table.Decide(live.Command{Do: live.Move, Side: table.Turn(), Move: text, Ply: -1}, live.Stamp{Service: table.LastEventTime() + 1})
	if err != nil {
		t.Fatal(err)
	}
	data, err := e.Encode()
	if err == nil {
		_, err = l.Append(t.Context(), id, seq, data)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e.Ply
}
