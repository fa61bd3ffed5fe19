package tournaments

import (
	"net/http"
	"time"

	"quintet/game"
	"quintet/serve/api"
)

// changeLine says that a tournament has changed. Clients fetch what they show.
type changeLine struct {
	Kind   string `json:"kind"` // "change"
	Events int    `json:"events"`
	Phase  Phase  `json:"phase"`
	Round  int    `json:"round"`
}

// gameLine says that the client's next game has begun.
type gameLine struct {
	Kind  string `json:"kind"` // "game"
	ID    string `json:"id"`
	URL   string `json:"url"`
	Side  string `json:"side"`
	Round int    `json:"round"`
	Game  string `json:"game"`
}

// events streams lines of JSON until the client leaves: that the tournament has changed, and the client's next game.
func (s *Service) events(w http.ResponseWriter, r *http.Request, v visit) error {
	if id := v.player(); id != "" {
		v.d.arrive(id, 1, time.Time{})
		defer func() { v.d.arrive(id, -1, s.Now().Add(graceStream)) }()
	}
	f := feed{service: s, request: r, visit: v, number: -1}
	return s.Follow(w, r, changeEvery, f.send)
}

// changeEvery is how often a stream says that a tournament has changed. A large arena changes several times a second.
// Ticks of streams that were opened at different times differ, so that not all pages fetch the tournament at once.
const changeEvery = 750 * time.Millisecond

// feed sends a client what happens in a tournament.
type feed struct {
	service *Service
	request *http.Request
	visit   visit
	number  int       // of the last event that the client knows of
	game    string    // the last game that it knows of
	sent    time.Time // when it was last sent something
}

// send writes what the client does not know. Only players learn of something between two ticks: that their game has begun.
func (f *feed) send(out api.Stream, ticked bool) (changed <-chan struct{}, ok bool) {
	if f.visit.d.Evicted() { // the client connects again
		return nil, false
	}
	var line changeLine
	var play *gameLine
	d := f.visit.d
	d.view(func(st *State) {
		line = changeLine{"change", d.Number + 1, st.Phase, st.Tour.Round()}
		if i, ok := st.player(f.visit.who.IDs()...); ok {
			changed, play = d.begun, f.next(st, i)
		}
	})
	now := f.service.Now()
	var err error
	switch {
	case play != nil:
		f.game, f.sent = play.ID, now
		err = out.Send(api.Encode(play))
	case line.Events != f.number && (ticked || f.number < 0):
		f.number, f.sent = line.Events, now
		err = out.Send(api.Encode(line))
	case now.Sub(f.sent) >= api.KeepAliveEvery:
		f.sent = now
		err = out.KeepAlive()
	}
	return changed, err == nil
}

// next returns the game of a player, if the client does not know it.
func (f *feed) next(st *State, i int) *gameLine {
	k, ok := st.playing(i)
	if !ok || st.Games[k].ID == f.game {
		return nil
	}
	g := st.Games[k]
	side := game.First
	if g.Second == i {
		side = game.Second
	}
	return &gameLine{"game", g.ID, f.service.Origin(f.request) + "/g/" + g.ID, side.String(), g.Round, st.Settings.variant(g.Round).Game}
}
