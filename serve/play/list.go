package play

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"quintet/bots"
	"quintet/game"
	"quintet/games"
	"quintet/live"
	"quintet/live/index"
	"quintet/serve/api"
	"quintet/serve/hall"
)

func (s *Service) show(w http.ResponseWriter, r *http.Request, room *hall.Room, seats []game.Side) error {
	v, err := s.viewFor(r, room, seats)
	if err != nil {
		return err
	}
	return s.OK(w, v)
}

// viewFor returns a game as the holder of some seats sees it: spectators see games with a
// delay later.
func (s *Service) viewFor(r *http.Request, room *hall.Room, seats []game.Side) (v View, err error) {
	all := room.SeesAll(seats)
	err = room.ViewAs(seats, func(t *live.Table) {
		now := s.hall.Now().Service
		if !all {
			now = max(now-t.Settings().Delay*1000, t.LastEventTime())
		}
		v = viewTable(t, s.hall.ShownTime(t, now), s.hall.FreeTime(t, now))
		v.Vacation = s.vacations(t)
	})
	if err != nil {
		return v, err
	}
	if all {
		v.Here = api.BothOf(room.Presence())
	} else {
		room.View(func(t *live.Table) bool { v.addUndelayed(t); return true })
	}
	v.URL, v.Watching = s.Origin(r)+v.URL, room.Spectators()
	for _, side := range seats {
		v.You = append(v.You, side.String())
	}
	return v, nil
}

// addUndelayed adds to a delayed view what lists show without delay: the players, and that a game
// was called off. People who look for an opponent must know.
func (v *View) addUndelayed(now *live.Table) {
	v.Seats = viewSeats(now)
	switch {
	case now.Ending().Reason.CalledOff():
		v.State, v.Result, v.Reason, v.Turn, v.Legal = live.Finished, string(live.ReasonAborted), now.Ending().Reason, nil, []api.Move{}
	case v.State == live.Open && v.Seats.First != nil && v.Seats.Second != nil:
		v.State = live.Live
	}
}

// listEntry is a game in a list.
type listEntry struct {
	ID       string              `json:"id"`
	URL      string              `json:"url"`
	Game     string              `json:"game"`
	Options  map[string]string   `json:"options"`
	State    live.State          `json:"state"`
	Clock    *live.TimeControl   `json:"clock"`
	Seats    api.Both[*SeatView] `json:"seats"`
	Ply      int                 `json:"ply"`
	Result   string              `json:"result"`
	Reason   live.Reason         `json:"reason"`
	Rated    bool                `json:"rated,omitempty"`
	Changes  *api.Both[int]      `json:"changes,omitempty"` // of the players' ratings, once the game has counted
	Side     string              `json:"side,omitempty"`    // of the person whose games were asked for, unless both are
	Watching int                 `json:"watching"`
	Created  string              `json:"created"`
	Updated  string              `json:"updated"`
}

// listResponse is the answer to a request for games.
type listResponse struct {
	Games []listEntry `json:"games"`
	Next  string      `json:"next,omitempty"` // the value of before for those that follow
}

func (s *Service) games(w http.ResponseWriter, r *http.Request) error {
	q, err := s.Query(r, "state", "game", "player", "limit", "before")
	if err != nil {
		return err
	}
	if s.hall.HidesName(q.Player) {
		return s.OK(w, listResponse{Games: []listEntry{}})
	}
	if a, ok := s.People.Named(q.Player); ok {
		q.People, q.Player = a.IDs(), ""
	}
	return s.List(w, r, q)
}

// List answers with the games of a query.
func (s *Service) List(w http.ResponseWriter, r *http.Request, q index.Query) error {
	q.Now = s.hall.Now().Wall
	rows, next, err := s.index.List(r.Context(), q)
	if err != nil {
		return s.ListProblem(err)
	}
	answer := listResponse{Games: []listEntry{}}
	for _, row := range rows {
		l := s.listEntry(r, row)
		if one := slices.Contains(q.People, row.Seats[0].Person); one != slices.Contains(q.People, row.Seats[1].Person) {
			l.Side = game.First.String()
			if !one {
				l.Side = game.Second.String()
			}
		}
		answer.Games = append(answer.Games, l)
	}
	if next != (index.Cursor{}) {
		answer.Next = strconv.FormatInt(next.Created, 10) + "." + next.ID
	}
	return s.OK(w, answer)
}

// ListProblem returns the problem of an error of the index.
func (s *Service) ListProblem(err error) error {
	if errors.Is(err, index.ErrRebuilding) {
		return api.Busy(5, "the list of games was damaged and is being rebuilt; the games themselves are safe: try again in a moment")
	}
	return err
}

func (s *Service) listEntry(from *http.Request, r index.Row) listEntry {
	l := listEntry{
		ID: r.ID, URL: s.Origin(from) + "/g/" + r.ID, Game: r.Game, Options: r.Options, State: r.State, Ply: r.Ply, Result: r.Result, Reason: r.Reason, Rated: r.Rated,
		Seats: api.BothOf([2]*SeatView{s.seatListed(r.Seats[0]), s.seatListed(r.Seats[1])}), Created: api.TimeText(r.Created), Updated: api.TimeText(r.Updated),
	}
	if r.Clock != (live.TimeControl{}) {
		l.Clock = &r.Clock
	}
	switch {
	case l.Reason.CalledOff():
		l.Result = string(live.ReasonAborted)
	case r.Changes != nil:
		changes := api.BothOf(*r.Changes)
		l.Changes = &changes
	}
	if room := s.hall.Loaded(r.ID); room != nil {
		l.Watching = room.Spectators()
	}
	return l
}

// seatListed returns the player of a seat as lists show it.
func (s *Service) seatListed(p live.Player) *SeatView {
	return viewSeat(s.hall.Names().Show(p))
}

// Query parses the filters of a list. The caller uses those parameters that other lists do not have.
func (s *Service) Query(r *http.Request, parameters ...string) (q index.Query, err error) {
	v, err := api.Parameters(r, parameters...)
	if err != nil {
		return q, err
	}
	q = index.Query{State: live.State(v.Get("state")), Game: v.Get("game"), Player: v.Get("player"), Limit: 50}
	switch q.State {
	case "", live.Open, live.Live, live.Finished:
	default:
		return q, api.Invalid("state", "state %q: expected open, live or over", q.State)
	}
	if q.Game != "" {
		if _, err := games.ByName(q.Game); err != nil {
			return q, api.Invalid("game", "%v", err)
		}
	}
	if text := v.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > index.MaxLimit {
			return q, api.Invalid("limit", "limit %q: expected 1 to %d", text, index.MaxLimit)
		}
		q.Limit = n
	}
	if text := v.Get("before"); text != "" {
		var ok bool
		if q.After, ok = after(text); !ok {
			return q, api.Invalid("before", "before %q: expected what next said in the list before, or milliseconds since 1970", text)
		}
	}
	return q, nil
}

// after parses a cursor. A time alone selects older games.
func after(text string) (c index.Cursor, ok bool) {
	at, id, both := strings.Cut(text, ".")
	created, err := strconv.ParseInt(at, 10, 64)
	return index.Cursor{Created: created, ID: id}, err == nil && created > 0 && (!both || api.IsID(id))
}

// setupView describes a game that can be played.
type setupView struct {
	Name     string           `json:"name"`
	Title    string           `json:"title"`
	Sides    api.Both[string] `json:"sides"`
	Notation string           `json:"notation"`
	Options  []game.Option    `json:"options"`
}

// setup answers with the games, their options, and the players for seats.
func (s *Service) setup(w http.ResponseWriter, _ *http.Request) error {
	answer := struct {
		Games   []setupView `json:"games"`
		Players []string    `json:"players"`
	}{Players: bots.Names()}
	for _, g := range games.All() {
		answer.Games = append(answer.Games, setupView{g.Name, g.Title, api.BothOf(g.Sides), g.Notation, g.NewOptions()})
	}
	return s.OK(w, answer)
}
