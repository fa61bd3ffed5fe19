package hall

import (
	"fmt"
	"testing"

	"quintet/live"
)

// BenchmarkMove plays games of Othello with a clock and two watchers on a log in memory: what
// a move costs from the command to its message, without the disk and the network.
func BenchmarkMove(b *testing.B) {
	var s *server
	var r *Room
	games := 0
	for b.Loop() {
		if r == nil || r.View(func(t *live.Table) bool { return t.Over() }) {
			b.StopTimer()
			if games%20 == 0 { // a new log: reading one in memory takes longer with each game
				s = unstarted(b, live.NewMemory(), false)
			}
			games++
			r = watchedGame(b, s, fmt.Sprintf("game%d", games))
			b.StartTimer()
		}
		c := live.Command{Do: live.Move, Ply: -1}
		r.View(func(t *live.Table) bool {
			legal := t.Legal()
			c.Side, c.Move = t.Turn(), t.Position().Format(legal[t.Ply()%len(legal)])
			return true
		})
		if _, err := s.Do(b.Context(), r.ID(), c); err != nil {
			b.Fatal(err)
		}
	}
}

func watchedGame(b *testing.B, s *server, id string) *Room {
	b.Helper()
	settings := live.Settings{Game: "othello", Clock: live.TimeControl{Main: 600, Increment: 5}, Seats: [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}}
	if err := s.Open(b.Context(), id, settings, ""); err != nil {
		b.Fatal(err)
	}
	r, err := s.Room(b.Context(), id)
	if err != nil {
		b.Fatal(err)
	}
	for range 2 {
		w := &Watcher{}
		r.Watch(w, -1)
		go func() {
			for range w.Messages() { // until the room closes
			}
		}()
	}
	return r
}
