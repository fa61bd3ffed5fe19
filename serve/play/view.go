package play

import (
	"quintet/game"
	"quintet/live"
	"quintet/serve/api"
	"quintet/serve/hall"
	"quintet/web"
)

// Standing is how a game stands: what the game, each of its events and the answer to a command
// show. A request that needs the other side's consent is in Asked until it took effect.
type Standing struct {
	Ply    int                      `json:"ply"`
	Turn   *string                  `json:"turn"`   // null when the game is over
	Clocks *api.Both[int64]         `json:"clocks"` // milliseconds left; null without a clock
	State  live.State               `json:"state"`
	Result string                   `json:"result"`
	Reason live.Reason              `json:"reason"`
	Asked  api.Both[[]live.Request] `json:"asked"` // what each side has asked of the other
}

// standing returns how a game stands at a service time.
func standing(t *live.Table, at int64) Standing {
	s := Standing{
		Ply: t.Ply(), State: t.State(), Result: t.Ending().Result.String(), Reason: t.Ending().Reason,
		Asked: api.BothOf([2][]live.Request{t.Asked(game.First), t.Asked(game.Second)}),
	}
	if s.Reason.CalledOff() {
		s.Result = string(live.ReasonAborted)
	}
	if !t.Over() {
		side := t.Turn().String()
		s.Turn = &side
	}
	if left, ok := t.TimeLeft(at); ok {
		clocks := api.BothOf(left)
		s.Clocks = &clocks
	}
	return s
}

// View is a game in the API. docs/api.md and the OpenAPI document describe its JSON.
type View struct {
	ID      string            `json:"id"`
	URL     string            `json:"url"`
	Game    string            `json:"game"`
	Title   string            `json:"title"`
	Sides   api.Both[string]  `json:"sides"` // the names of the sides: Black, White
	Options map[string]string `json:"options"`
	Standing

	Moves    []string   `json:"moves"`
	Start    string     `json:"start"`    // the position before the first move
	Position string     `json:"position"` // the position now, as text
	Board    web.Board  `json:"board"`
	Legal    []api.Move `json:"legal"`
	Last     *api.Move  `json:"last,omitempty"`

	Clock   *live.TimeControl `json:"clock"`   // null without a clock
	Running bool              `json:"running"` // the clock of the side to move is running
	Free    int64             `json:"free"`    // milliseconds before the clock of the side to move starts to run

	Seats  api.Both[*SeatView]      `json:"seats"` // null where the seat is open
	Here   api.Both[*hall.Presence] `json:"presence"`
	Next   string                   `json:"next,omitempty"`   // the rematch
	Before string                   `json:"before,omitempty"` // the game of which this is the rematch

	Tournament string            `json:"tournament,omitempty"` // that the game belongs to
	Berserk    *api.Both[bool]   `json:"berserk,omitempty"`    // who plays with less time; nil in a game that does not allow it
	Vacation   *api.Both[string] `json:"vacation,omitempty"`   // until when each player is on vacation; nil if none is

	Private  bool     `json:"private"`
	Unlisted bool     `json:"unlisted"` // not in any list
	Rated    bool     `json:"rated,omitempty"`
	Delay    int64    `json:"delay"`    // delay for spectators in seconds
	Watching int      `json:"watching"` // spectators
	You      []string `json:"you"`      // the client's seats
	Created  string   `json:"created"`
	Updated  string   `json:"updated"`
	Events   int      `json:"events"` // number of events
}

// vacations returns until when the players of a correspondence game are on vacation; nil if none is.
func (s *Service) vacations(t *live.Table) *api.Both[string] {
	if t.Settings().Clock.Days == 0 || t.Over() {
		return nil
	}
	one, other := s.vacation(t.Player(game.First).Person), s.vacation(t.Player(game.Second).Person)
	if one == "" && other == "" {
		return nil
	}
	return &api.Both[string]{First: one, Second: other}
}

// vacation returns until when a person is on vacation; "" if not.
func (s *Service) vacation(person string) string {
	now := s.hall.Now()
	if _, until := s.People.Vacation(person, now.Service, now.Service); until > 0 {
		return api.TimeText(now.Wall + until - now.Service)
	}
	return ""
}

// SeatView is the player of a seat.
type SeatView struct {
	Name   string `json:"name"`
	Engine string `json:"engine,omitempty"`
}

// presenceLine tells watchers of the presence of players.
type presenceLine struct {
	Kind string                   `json:"kind"` // "presence"
	Here api.Both[*hall.Presence] `json:"presence"`
}

// viewTable returns the part of a View that depends only on the table; free is the time
// before the running clock goes down.
func viewTable(t *live.Table, now, free int64) View {
	s, g := t.Settings(), t.Game()
	first, last := t.Updated()
	v := View{
		ID: t.ID(), URL: "/g/" + t.ID(), Game: g.Name, Title: g.Title, Sides: api.BothOf(g.Sides), Options: s.Setup(), Standing: standing(t, now),
		Moves: t.Moves(), Start: t.Start().String(), Position: t.Position().String(), Board: web.BoardOf(t.Position().Board()), Legal: api.MovesOf(t.Position(), t.Legal()),
		Running: t.Running(), Free: free, Seats: viewSeats(t), Next: t.Rematch(), Before: s.RematchOf, Tournament: s.Tournament, Private: s.Private, Unlisted: s.Unlisted, Rated: s.Rated, Delay: s.Delay,
		You: []string{}, Created: api.TimeText(first), Updated: api.TimeText(last), Events: t.EventCount(),
	}
	if v.Moves == nil {
		v.Moves = []string{}
	}
	if s.Clock != (live.TimeControl{}) {
		v.Clock = &s.Clock
	}
	if s.Berserk {
		v.Berserk = &api.Both[bool]{First: t.WentBerserk(game.First), Second: t.WentBerserk(game.Second)}
	}
	v.Last = lastMove(t)
	return v
}

// lastMove returns the last move; nil before the first.
func lastMove(t *live.Table) *api.Move {
	m, ok := t.LastMove()
	if !ok {
		return nil
	}
	moves := t.Moves()
	v := api.MoveOf(moves[len(moves)-1], m)
	return &v
}

func viewSeats(t *live.Table) api.Both[*SeatView] {
	return api.BothOf([2]*SeatView{viewSeat(t.Player(game.First)), viewSeat(t.Player(game.Second))})
}

func viewSeat(p live.Player) *SeatView {
	if !p.Joined() {
		return nil
	}
	return &SeatView{Name: p.Name, Engine: p.Engine}
}

// EventView is an event in the API, and how the game stands after it. Omitted fields belong to
// other kinds of events.
type EventView struct {
	Kind   live.Kind `json:"kind"`
	Number int       `json:"n"`
	Standing

	Side    string       `json:"side,omitempty"`
	Move    string       `json:"move,omitempty"`
	From    *int         `json:"from,omitempty"`
	To      *int         `json:"to,omitempty"`
	Running bool         `json:"running"`
	Free    int64        `json:"free"`
	Lag     int64        `json:"lag,omitempty"`
	Request live.Request `json:"request,omitempty"`
	Name    string       `json:"name,omitempty"`
	Engine  string       `json:"engine,omitempty"`
	Game    string       `json:"game,omitempty"`
	Next    string       `json:"next,omitempty"`
	Time    string       `json:"time"`

	Seats *api.Both[*SeatView] `json:"seats,omitempty"` // opened and sat: the current players
	Last  *api.Move            `json:"last,omitempty"`  // takenback: the new last move, if there is one

	// Only for clients that asked for boards.
	Position string     `json:"position,omitempty"`
	Board    *web.Board `json:"board,omitempty"`
	Legal    []api.Move `json:"legal,omitzero"`
}

// Encoder implements hall.Encoder with the JSON of the API.
type Encoder struct{}

// Event encodes an event that a table has just applied.
func (Encoder) Event(t *live.Table, e live.Event, free int64, board bool) []byte {
	v := EventView{
		Kind: e.Kind, Number: e.Number, Standing: standing(t, e.At), Running: t.Running(), Free: free, Lag: e.Lag,
		Request: e.Request, Next: e.Next, Time: api.TimeText(e.Wall),
	}
	if e.Side != nil {
		v.Side = e.By().String()
	}
	if e.Player != nil && e.Side != nil {
		p := t.Player(e.By())
		v.Name, v.Engine = p.Name, p.Engine
	}
	if e.Settings != nil {
		v.Game = e.Settings.Game
	}
	switch e.Kind { // what it changed, so that watchers need not fetch the game
	case live.Opened, live.Sat:
		seats := viewSeats(t)
		v.Seats = &seats
	case live.Moved:
		m, _ := t.LastMove()
		last := api.MoveOf(e.Move, m)
		v.Move, v.From, v.To = last.Move, last.From, last.To
	case live.TakenBack:
		v.Last = lastMove(t)
	}
	if board {
		b := web.BoardOf(t.Position().Board())
		v.Position, v.Board, v.Legal = t.Position().String(), &b, api.MovesOf(t.Position(), t.Legal())
	}
	return api.Encode(v)
}

// Presence encodes who of the players is there.
func (Encoder) Presence(players [2]*hall.Presence) []byte {
	return api.Encode(presenceLine{"presence", api.BothOf(players)})
}

// Said encodes a phrase of a player.
func (Encoder) Said(s game.Side, p hall.Phrase) []byte {
	return api.Encode(map[string]string{"kind": "said", "side": s.String(), "phrase": string(p)})
}

// Fault encodes the message that a panic stopped the game or its engine.
func (Encoder) Fault(reason, text string) []byte { return api.Encode(faultLine{"fault", reason, text}) }

// faultLine is the line sent to watchers after a fault.
type faultLine struct {
	Kind   string `json:"kind"` // "fault"
	Reason string `json:"reason"`
	Error  string `json:"error"`
}
