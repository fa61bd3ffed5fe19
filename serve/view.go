package serve

import (
	"encoding/json"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/serve/hall"
	"quintet/web"
)

// View is a game in the API. docs/api.md and the OpenAPI document describe its JSON.
type View struct {
	ID      string            `json:"id"`
	URL     string            `json:"url"`
	Game    string            `json:"game"`
	Title   string            `json:"title"`
	Sides   Both[string]      `json:"sides"` // the names of the sides: Black, White
	Options map[string]string `json:"options"`
	State   live.State        `json:"state"`

	Ply      int        `json:"ply"`
	Turn     *string    `json:"turn"` // null when the game is over
	Moves    []string   `json:"moves"`
	Start    string     `json:"start"`    // the position before the first move
	Position string     `json:"position"` // the position now, as text
	Board    BoardView  `json:"board"`
	Legal    []MoveView `json:"legal"`
	Last     *MoveView  `json:"last,omitempty"`

	Clock   *live.TimeControl `json:"clock"`   // null without a clock
	Clocks  *Both[int64]      `json:"clocks"`  // milliseconds left; null without a clock
	Running bool              `json:"running"` // the clock of the side to move is running
	Free    int64             `json:"free"`    // milliseconds before the clock of the side to move starts to run

	Seats  Both[*SeatView]      `json:"seats"` // null where the seat is open
	Asked  Both[[]live.Request] `json:"asked"` // pending requests of each side
	Here   Both[*PresenceView]  `json:"presence"`
	Result string               `json:"result"`
	Reason live.Reason          `json:"reason"`
	Next   string               `json:"next,omitempty"`   // the rematch
	Before string               `json:"before,omitempty"` // the game of which this is the rematch

	Private  bool     `json:"private"`
	Unlisted bool     `json:"unlisted"` // not in any list
	Delay    int64    `json:"delay"`    // delay for spectators in seconds
	Watching int      `json:"watching"` // spectators
	You      []string `json:"you"`      // the client's seats
	Created  string   `json:"created"`
	Updated  string   `json:"updated"`
	Events   int      `json:"events"` // number of events
}

// Both holds a value for each side.
type Both[T any] struct {
	First  T `json:"first"`
	Second T `json:"second"`
}

func both[T any](two [2]T) Both[T] { return Both[T]{two[0], two[1]} }

// SeatView is the player of a seat.
type SeatView struct {
	Name   string `json:"name"`
	Engine string `json:"engine,omitempty"`
}

// PresenceView is whether a player is connected. ClaimWin and CallOff are in how many
// milliseconds the opponent may give these commands, if it is the player's turn by then and
// nothing else happens; nil for never.
type PresenceView struct {
	Here     bool   `json:"here"`
	Away     int64  `json:"away"` // milliseconds
	ClaimWin *int64 `json:"claimwin"`
	CallOff  *int64 `json:"calloff"`
}

func viewPresence(players [2]*hall.Presence) Both[*PresenceView] {
	var list [2]*PresenceView
	for i, p := range players {
		if p != nil {
			list[i] = &PresenceView{p.Here, p.Away, orNil(p.Win), orNil(p.Off)}
		}
	}
	return both(list)
}

// orNil returns nil for times below 0.
func orNil(ms int64) *int64 {
	if ms < 0 {
		return nil
	}
	return &ms
}

// presenceLine tells watchers of the presence of players.
type presenceLine struct {
	Kind string              `json:"kind"` // "presence"
	Here Both[*PresenceView] `json:"presence"`
}

// MoveView is a move with the indexes of its cells on the board. A pass has none; a placed
// stone has only To.
type MoveView struct {
	Move string `json:"move"`
	From *int   `json:"from,omitempty"`
	To   *int   `json:"to,omitempty"`
}

// BoardView is the board of a position.
type BoardView = web.Board

func viewMove(text string, m game.Move) MoveView {
	v := MoveView{Move: text}
	if m == game.Pass {
		return v
	}
	if from, ok := m.From(); ok {
		n := int(from)
		v.From = &n
	}
	to := int(m.To())
	v.To = &to
	return v
}

func viewMoves(p game.Position, moves []game.Move) []MoveView {
	list := make([]MoveView, 0, len(moves))
	for _, m := range moves {
		list = append(list, viewMove(p.Format(m), m))
	}
	return list
}

// viewTable returns the part of a View that depends only on the table; free is the time
// before the running clock goes down.
func viewTable(t *live.Table, now, free int64) View {
	s, g := t.Settings(), t.Game()
	first, last := t.Updated()
	v := View{
		ID: t.ID(), URL: "/g/" + t.ID(), Game: g.Name, Title: g.Title, Sides: both(g.Sides), State: t.State(),
		Options: s.Setup(), Ply: t.Ply(), Turn: turn(t), Moves: t.Moves(), Start: t.Start().String(),
		Position: t.Position().String(), Board: web.BoardOf(t.Position().Board()), Legal: viewMoves(t.Position(), t.Legal()),
		Clocks: clocks(t, now), Running: t.Running(), Free: free, Reason: t.Ending().Reason, Result: resultText(t),
		Next: t.Rematch(), Before: s.RematchOf, Private: s.Private, Unlisted: s.Unlisted, Delay: s.Delay, You: []string{},
		Created: timeText(first), Updated: timeText(last), Events: t.EventCount(),
		Asked: viewAsked(t),
		Seats: viewSeats(t),
	}
	if v.Moves == nil {
		v.Moves = []string{}
	}
	if s.Clock != (live.TimeControl{}) {
		v.Clock = &s.Clock
	}
	if m, ok := t.LastMove(); ok {
		last := viewMove(v.Moves[len(v.Moves)-1], m)
		v.Last = &last
	}
	return v
}

// viewAsked returns the pending requests of each side.
func viewAsked(t *live.Table) Both[[]live.Request] {
	return both([2][]live.Request{t.Asked(game.First), t.Asked(game.Second)})
}

func viewSeats(t *live.Table) Both[*SeatView] {
	return both([2]*SeatView{viewSeat(t.Player(game.First)), viewSeat(t.Player(game.Second))})
}

func viewSeat(p live.Player) *SeatView {
	if !p.Joined() {
		return nil
	}
	return &SeatView{Name: p.Name, Engine: p.Engine}
}

func turn(t *live.Table) *string {
	if t.Over() {
		return nil
	}
	s := t.Turn().String()
	return &s
}

func clocks(t *live.Table, now int64) *Both[int64] {
	left, ok := t.TimeLeft(now)
	if !ok {
		return nil
	}
	b := both(left)
	return &b
}

func timeText(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z") }

// EventView is an event in the API. Omitted fields belong to other kinds of events.
type EventView struct {
	Kind    live.Kind    `json:"kind"`
	Number  int          `json:"n"`
	Ply     int          `json:"ply"`
	Side    string       `json:"side,omitempty"`
	Move    string       `json:"move,omitempty"`
	From    *int         `json:"from,omitempty"`
	To      *int         `json:"to,omitempty"`
	Turn    *string      `json:"turn"`
	Clocks  *Both[int64] `json:"clocks"` // null without a clock
	Running bool         `json:"running"`
	Free    int64        `json:"free"`
	Lag     int64        `json:"lag,omitempty"`
	Request live.Request `json:"request,omitempty"`
	Name    string       `json:"name,omitempty"`
	Engine  string       `json:"engine,omitempty"`
	Game    string       `json:"game,omitempty"`
	Next    string       `json:"next,omitempty"`
	State   live.State   `json:"state"`
	Result  string       `json:"result"`
	Reason  live.Reason  `json:"reason"`
	Time    string       `json:"time"`

	Asked Both[[]live.Request] `json:"asked"`           // pending requests of each side
	Seats *Both[*SeatView]     `json:"seats,omitempty"` // opened and sat: the current players
	Last  *MoveView            `json:"last,omitempty"`  // takenback: the new last move, if there is one

	// Only for clients that asked for boards.
	Position string     `json:"position,omitempty"`
	Board    *BoardView `json:"board,omitempty"`
	Legal    []MoveView `json:"legal,omitzero"`
}

// encoder implements hall.Encoder with the JSON of the API.
type encoder struct{}

func (encoder) Event(t *live.Table, e live.Event, free int64, board bool) []byte {
	h := EventView{
		Kind: e.Kind, Number: e.Number, Ply: e.Ply, Turn: turn(t), Clocks: clocks(t, e.At), Running: t.Running(), Free: free, Lag: e.Lag,
		Request: e.Request, Next: e.Next, State: t.State(), Result: resultText(t), Reason: t.Ending().Reason, Time: timeText(e.Wall),
	}
	if e.Side != nil {
		h.Side = e.Side.String()
	}
	if e.Player != nil && e.Side != nil {
		p := t.Player(*e.Side)
		h.Name, h.Engine = p.Name, p.Engine
	}
	if e.Settings != nil {
		h.Game = e.Settings.Game
	}
	h.addChanges(t, e)
	if board {
		b := web.BoardOf(t.Position().Board())
		h.Position, h.Board, h.Legal = t.Position().String(), &b, viewMoves(t.Position(), t.Legal())
	}
	return encode(h)
}

// addChanges adds what an event changed, so that watchers need not fetch the game.
func (h *EventView) addChanges(t *live.Table, e live.Event) {
	h.Asked = viewAsked(t)
	m, moved := t.LastMove()
	switch e.Kind {
	case live.Opened, live.Sat:
		seats := viewSeats(t)
		h.Seats = &seats
	case live.Moved:
		v := viewMove(e.Move, m)
		h.Move, h.From, h.To = v.Move, v.From, v.To
	case live.TakenBack:
		if moves := t.Moves(); moved {
			v := viewMove(moves[len(moves)-1], m)
			h.Last = &v
		}
	}
}

func (encoder) Presence(players [2]*hall.Presence) []byte {
	return encode(presenceLine{"presence", viewPresence(players)})
}

func (encoder) Fault(reason, text string) []byte { return encode(faultLine{"fault", reason, text}) }

// encode encodes a value of a type that cannot fail.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // one of our types is not encodable
	}
	return data
}

// faultLine is the line sent to watchers after a fault.
type faultLine struct {
	Kind   string `json:"kind"` // "fault"
	Reason string `json:"reason"`
	Error  string `json:"error"`
}
