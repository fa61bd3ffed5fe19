package tournaments

import (
	"net/http"
	"time"

	"quintet/game"
	"quintet/serve/api"
)

// changeLine says that a tournament has changed: at most one a second. Clients fetch what they show.
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
func (s *Service) events(w http.ResponseWriter, r *http.Request) error {
	v, err := s.enter(r)
	if err != nil {
		return err
	}
	if id := v.player(); id != "" {
		v.d.arrive(id, 1, time.Time{})
		defer func() { v.d.arrive(id, -1, s.Now().Add(graceStream)) }()
	}
	f := feed{service: s, request: r, visit: v, number: -1}
	return s.Follow(w, r, changeEvery, f.send)
}

// changeEvery is how often a stream says that a tournament has changed. A large arena changes several times a second.
const changeEvery = time.Second

// feed sends a client what happens in a tournament.
type feed struct {
	service *Service
	request *http.Request
	visit   visit
	number  int       // of the last event that the client knows of
	game    string    // the last game that it knows of
	sent    time.Time // when it was last sent something
}

// send writes what the client does not know.
func (f *feed) send(out api.Stream, _ bool) (changed <-chan struct{}, ok bool) {
	if f.visit.d.Evicted() { // the client connects again
		return nil, false
	}
	var line changeLine
	var play *gameLine
	d := f.visit.d
	d.view(func(st *State) {
		changed = d.Ask()
		line = changeLine{"change", d.Number + 1, st.Phase, st.Tour.Round()}
		play = f.next(st)
	})
	now := f.service.Now()
	idle := now.Sub(f.sent)
	var err error
	switch {
	case play != nil:
		f.game, f.sent = play.ID, now
		err = out.Send(api.Encode(play))
	case line.Events != f.number && (idle >= changeEvery || line.Phase == Over):
		f.number, f.sent = line.Events, now
		err = out.Send(api.Encode(line))
	case idle >= api.KeepAliveEvery:
		f.sent = now
		err = out.KeepAlive()
	}
	return changed, err == nil
}

// next returns the client's game, if it is a new one.
func (f *feed) next(st *State) *gameLine {
	i, ok := st.player(f.visit.who.IDs()...)
	if !ok {
		return nil
	}
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
