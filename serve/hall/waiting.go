package hall

import (
	"slices"

	"quintet/game"
	"quintet/live"
)

// Waiting is a game that waits for a person since an event that this server has written.
type Waiting struct {
	Game   string
	Side   game.Side
	Person string
	Ply    int
	Begins bool // the game begins; otherwise it is the person's turn in a correspondence game
}

// OnWaiting sets a function that is told whom this server's events make a game wait for. It must not block. Call OnWaiting
// before Start.
func (h *Hall) OnWaiting(tell func(Waiting)) { h.waiting = tell }

// tellWaiting tells whom an event that this server has written makes its game wait for. Only the server whose event the log
// accepted knows of it, and it tells once.
func (h *Hall) tellWaiting(t *live.Table, e live.Event) {
	if h.waiting == nil || t.State() != live.Live {
		return
	}
	tell := func(s game.Side, begins bool) {
		if p, o := t.Player(s), t.Player(s.Other()); p.Person != "" && o.Engine == "" && p.Person != o.Person {
			h.waiting(Waiting{t.ID(), s, p.Person, t.Ply(), begins})
		}
	}
	switch e.Kind {
	case live.Opened, live.Sat:
		tell(game.First, true)
		tell(game.Second, true)
	case live.Moved:
		if t.Settings().Clock.Days > 0 {
			tell(t.Turn(), false)
		}
	}
}

// Follows reports whether a player has a WebSocket or an event stream of the game on any server.
func (r *Room) Follows(s game.Side) bool {
	l := r.lock()
	defer l.unlock()
	return l.follows(s)
}

func (r lockedRoom) follows(s game.Side) bool {
	return r.presence.connected[s] > 0 || r.presence.seenUntil[s] > r.hall.Now().Service
}

// Follows reports whether a person, who may have several identifiers, has a WebSocket or an event stream of a game that they
// play.
func (h *Hall) Follows(person []string) bool {
	return slices.ContainsFunc(h.all(), func(r *Room) bool {
		l := r.lock()
		defer l.unlock()
		for s := range game.Side(2) {
			if slices.Contains(person, l.table.Player(s).Person) && l.follows(s) {
				return true
			}
		}
		return false
	})
}
