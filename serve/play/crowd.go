package play

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"quintet/live"
)

// crowdEvery is the maximum age of a cached crowd.
const crowdEvery = 2 * time.Second

// crowd says who is on this server and who waits for an opponent, so that people see where they will find one.
type crowd struct {
	Here    map[string]int `json:"here"` // people who play or watch listed games, by game
	Waiting []waitingFor   `json:"waiting"`
}

// waitingFor says how many people wait for an opponent in a game: by Play now, or at a listed open seat.
type waitingFor struct {
	Game    string            `json:"game"`
	Options map[string]string `json:"options"`
	Clock   live.TimeControl  `json:"clock"`
	Rated   bool              `json:"rated"`
	People  int               `json:"people"`
}

// crowdCache caches the latest crowd, because every open first page polls it.
type crowdCache struct {
	mu  sync.Mutex // guards the rest; held while the crowd is counted, so that one request counts for all
	at  time.Time
	now *crowd
}

// showCrowd answers with the crowd.
func (s *Service) showCrowd(w http.ResponseWriter, r *http.Request) error {
	c := &s.crowd
	c.mu.Lock()
	if now := s.Now(); c.now == nil || now.Sub(c.at) >= crowdEvery {
		c.at, c.now = now, s.countCrowd(r.Context())
	}
	answer := c.now
	c.mu.Unlock()
	return s.OK(w, answer)
}

// countCrowd counts people.
func (s *Service) countCrowd(ctx context.Context) *crowd {
	count := map[string]waitingFor{}
	add := func(key string, w waitingFor) {
		w.People = count[key].People + 1
		if w.Options == nil { // the game has none
			w.Options = map[string]string{}
		}
		count[key] = w
	}
	for _, k := range s.waiting.waiting() {
		for key, set := range k.games {
			add(key, waitingFor{Game: set.Game, Options: set.Options, Clock: set.Clock, Rated: set.Rated})
		}
	}
	for _, r := range s.openSeats(ctx) {
		if s.attended(r.ID) {
			add(gameWanted(r.Game, r.Options, r.Clock, r.Rated), waitingFor{Game: r.Game, Options: r.Options, Clock: r.Clock, Rated: r.Rated})
		}
	}
	c := &crowd{Here: s.hall.Crowd(), Waiting: []waitingFor{}}
	for _, key := range slices.Sorted(maps.Keys(count)) {
		c.Waiting = append(c.Waiting, count[key])
	}
	return c
}

// attended reports whether one of the players is present in a game.
func (s *Service) attended(id string) bool {
	room := s.hall.Loaded(id)
	if room == nil {
		return false
	}
	for _, p := range room.Presence() {
		if p != nil && p.Here {
			return true
		}
	}
	return false
}
