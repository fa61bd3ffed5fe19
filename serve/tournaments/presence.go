package tournaments

import (
	"strings"
	"time"

	"quintet/live"
	"quintet/people/tournament"
)

// An arena pairs only players who are there: who follow the events of the tournament on any server, as its page
// does, or have just sent a request about it. Presence is not in the log.

const (
	graceStream  = 10 * time.Second // after the end of a stream: pages connect again
	graceRequest = 20 * time.Second // after a request
	lease        = 6 * time.Second  // of what another server announces every two seconds
)

// attendance is who of the players of a tournament is there. It is guarded by Mu of its document.
type attendance struct {
	streams map[string]int       // of this server, by player
	until   map[string]time.Time // a player without a stream counts as there
}

// arrive notes that a player has opened a stream (1), closed it (-1), or sent a request (0).
func (d *document) arrive(id string, streams int, until time.Time) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if _, ok := d.state.players[id]; !ok { // only players take memory
		return
	}
	a := &d.attendance
	if a.streams == nil {
		a.streams, a.until = map[string]int{}, map[string]time.Time{}
	}
	if a.streams[id] += streams; a.streams[id] <= 0 {
		delete(a.streams, id)
	}
	if until.After(a.until[id]) {
		a.until[id] = until
	}
}

// here reports whether a player is there.
func (a *attendance) here(id string, now time.Time) bool {
	return a.streams[id] > 0 || now.Before(a.until[id])
}

// player returns the identifier under which the sender of a request plays, "" for others.
func (v visit) player() (id string) {
	v.d.view(func(st *State) {
		if i, ok := st.player(v.who.IDs()...); ok {
			id = st.Tour.Players[i].ID
		}
	})
	return id
}

// Attending returns the players who follow tournaments on this server, for the other servers: the identifiers of
// the tournament and of the player with a slash between them.
func (s *Service) Attending() (list []string) {
	if !s.config.Shared {
		return nil
	}
	for _, t := range s.directory.list(func(t Record) bool { return t.Over == nil && t.Settings.Form == tournament.Arena }) {
		d, ok := s.store.Loaded(t.ID)
		if !ok {
			continue
		}
		d.view(func(*State) {
			for id := range d.streams {
				list = append(list, t.ID+"/"+id)
			}
		})
	}
	return list
}

// Attends notes that a player follows a tournament on another server, as Attending says it there.
func (s *Service) Attends(who string) {
	id, player, _ := strings.Cut(who, "/")
	if d, ok := s.store.Loaded(id); ok {
		d.arrive(player, 0, s.Now().Add(lease))
	}
}

// waiting returns the players of an arena who wait for a game and are there.
func (s *State) waiting(now live.Stamp, here func(id string) bool) (list []tournament.Waiting) {
	for i, p := range s.Players {
		if t := s.Tour.Players[i]; p.Game == "" && !t.Withdrawn && (p.Level || here(t.ID)) {
			list = append(list, tournament.Waiting{Player: i, Seconds: int((now.Service - p.Since) / 1000)})
		}
	}
	return list
}

// apart returns which waiting players block each other, by their indexes.
func (s *Service) apart(n step) func(a, b int) bool {
	accounts, blocks := map[string]int{}, map[int][]string{}
	for _, w := range n.list {
		if a, ok := s.People.Account(n.tour.Players[w.Player].ID); ok {
			accounts[a.ID], blocks[w.Player] = w.Player, a.Blocks
		}
	}
	pairs := map[[2]int]bool{}
	for a, list := range blocks {
		for _, id := range list {
			if b, ok := accounts[id]; ok {
				pairs[[2]int{a, b}], pairs[[2]int{b, a}] = true, true
			}
		}
	}
	return func(a, b int) bool { return pairs[[2]int{a, b}] }
}
