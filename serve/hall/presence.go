package hall

import (
	"maps"
	"math"
	"slices"
	"time"

	"quintet/game"
	"quintet/live"
)

// Presence is whether a player is there: it has a WebSocket or an event stream on any
// server, or has just sent a request. It is not in the log. All times are service time, so
// that no player counts as away while no server runs.

const (
	// awayGrace is how long a player may be without a connection and still count as here:
	// pages reconnect.
	awayGrace = 5 * time.Second

	// tellInterval is the shortest time between two messages about presence in a game, so
	// that unstable connections do not flood it.
	tellInterval = 2 * time.Second
)

// presence is who of a game's two players is there, in milliseconds of service time. A
// player's absence counts against it only while the opponent is there: a network that fails
// for both is charged to neither.
type presence struct {
	connected [2]int   // watchers of this server
	seenUntil [2]int64 // otherwise the player counts as connected until then
	hereSince [2]int64
}

// newPresence treats both players as seen at a moment, when a game is loaded.
func newPresence(now int64) presence {
	return presence{seenUntil: [2]int64{now, now}, hereSince: [2]int64{now, now}}
}

// arrive notes that a player is seen, and counts as connected for the next milliseconds.
func (p *presence) arrive(s game.Side, now, lasts int64) {
	if !p.here(s, now) {
		p.hereSince[s] = now
	}
	p.seenUntil[s] = max(p.seenUntil[s], now+lasts)
}

// connect notes that a player has one connection more, or less: by is 1 or -1.
func (p *presence) connect(s game.Side, now int64, by int) {
	p.arrive(s, now, 0) // also one that goes: it was here until now
	p.connected[s] += by
}

// unseen returns for how many milliseconds a player has had no connection.
func (p *presence) unseen(s game.Side, now int64) int64 {
	if p.connected[s] > 0 {
		return 0
	}
	return max(now-p.seenUntil[s], 0)
}

func (p *presence) here(s game.Side, now int64) bool {
	return p.unseen(s, now) <= awayGrace.Milliseconds()
}

// absent returns for how many milliseconds a player has been away while the opponent was
// there, since a moment; 0 if the player is here. An absence counts from 1.
func (p *presence) absent(s game.Side, now, since int64) int64 {
	if p.here(s, now) {
		return 0
	}
	other := s.Other()
	if !p.here(other, now) {
		return 1
	}
	return max(min(p.unseen(s, now), now-p.hereSince[other], now-since), 1)
}

// changes returns the milliseconds until the next present player without a connection
// counts as away, or never.
func (p *presence) changes(now int64) int64 {
	next := int64(never)
	for s := range game.Side(2) {
		if p.connected[s] == 0 && p.here(s, now) {
			next = min(next, p.seenUntil[s]+awayGrace.Milliseconds()+1-now)
		}
	}
	return next
}

// Presence is the state of a player that watchers see. ClaimWin and CallOff are in how many
// milliseconds the opponent may give these commands (live.Table.Claimable), if it is the
// player's turn by then and nothing else happens; nil for never.
type Presence struct {
	Here     bool   `json:"here"`
	Away     int64  `json:"away"` // milliseconds that the player has been away; 0 if here
	ClaimWin *int64 `json:"claimwin"`
	CallOff  *int64 `json:"calloff"`
}

// Presence returns the presence of both players: nil for an open seat and for an engine.
func (r *Room) Presence() (list [2]*Presence) {
	l := r.lock()
	defer l.unlock()
	return l.presenceNow()
}

func (r lockedRoom) presenceNow() (list [2]*Presence) {
	now := r.hall.Now().Service
	for s := range game.Side(2) {
		if p := r.table.Player(s); !p.Joined() || p.Engine != "" {
			continue
		}
		v := &Presence{Here: r.presence.here(s, now)}
		if !v.Here {
			v.Away = r.presence.unseen(s, now)
		}
		if win, off := r.table.Claimable(s, r.presence.absent(s, now, r.hall.exchange.since(now)), now); win >= 0 {
			v.ClaimWin, v.CallOff = &win, &off
		}
		list[s] = v
	}
	return list
}

// Arrive notes that players are seen, and count as connected for a while: not at all after a
// request.
func (r *Room) Arrive(lasts time.Duration, seats ...game.Side) {
	l := r.lock()
	defer l.unlock()
	now := r.hall.Now().Service
	for _, s := range seats {
		l.presence.arrive(s, now, lasts.Milliseconds())
	}
	l.tellPresence()
}

// countPresence notes that a watcher has come or gone.
func (r lockedRoom) countPresence(w *Watcher, by int) {
	now := r.hall.Now().Service
	for _, s := range w.Seats {
		r.presence.connect(s, now, by)
	}
	r.tellPresence()
}

// presenceNews is the presence sent last, when it was sent, and the timer for the next message.
type presenceNews struct {
	here  [2]bool
	at    time.Time
	timer *time.Timer
}

// tellPresence sends changed presence to watchers, at most once per tellInterval, and sets
// the timer for the next change.
func (r lockedRoom) tellPresence() {
	stopTimer(&r.news.timer)
	if !r.active() || len(r.watchers) == 0 {
		return
	}
	now, service := r.hall.now(), r.hall.Now().Service
	here := [2]bool{}
	for s := range game.Side(2) {
		p := r.table.Player(s)
		here[s] = r.presence.here(s, service) || !p.Joined() || p.Engine != ""
	}
	wait := time.Duration(min(r.presence.changes(service), math.MaxInt32)) * time.Millisecond
	if here != r.news.here {
		if soon := r.news.at.Add(tellInterval).Sub(now); soon > 0 {
			wait = min(wait, soon)
		} else {
			r.news.here, r.news.at = here, now
			r.sendPresence()
		}
	}
	if wait < math.MaxInt32*time.Millisecond {
		r.news.timer = r.after("presence", max(wait, 10*time.Millisecond), func() {
			l := r.lock()
			defer l.unlock()
			l.tellPresence()
		})
	}
}

// sendPresence sends the presence of the players to watchers that asked for it. Delayed
// spectators get none, because a player who leaves reveals the state of the game.
func (r lockedRoom) sendPresence() {
	m := r.presenceMessage()
	for w := range r.watchers {
		if w.Presence && !w.delayed {
			r.send(w, m)
		}
	}
}

func (r lockedRoom) presenceMessage() *Message {
	return &Message{number: math.MaxInt, plain: r.hall.config.Encoder.Presence(r.presenceNow())}
}

// absence returns how long the opponent of a command's sender has been away.
func (r lockedRoom) absence(c live.Command, now int64) int64 {
	if c.Do != live.ClaimWin && c.Do != live.CallOff {
		return 0
	}
	return r.presence.absent(c.Side.Other(), now, r.hall.exchange.since(now))
}

// Crowd returns how many people play or watch listed games on this server now, by game.
func (h *Hall) Crowd() map[string]int {
	h.mu.Lock()
	rooms := slices.Collect(maps.Values(h.rooms))
	h.mu.Unlock()
	people := map[string]int{}
	for _, r := range rooms {
		if name, n := r.crowd(); n > 0 {
			people[name] += n
		}
	}
	return people
}

// crowd returns the game of a room, and how many people play or watch it; none if it is not listed.
func (r *Room) crowd() (name string, people int) {
	l := r.lock()
	defer l.unlock()
	if s := l.table.Settings(); !l.active() || s.Private || s.Unlisted {
		return "", 0
	}
	people = l.spectators
	for _, p := range l.presenceNow() {
		if p != nil && p.Here {
			people++
		}
	}
	return l.table.Settings().Game, people
}
