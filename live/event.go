package live

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"quintet/game"
)

// Kind is a kind of event of a category.
type Kind string

// The kinds of events of games.
const (
	Opened    Kind = "opened"    // a table, with Settings
	Sat       Kind = "sat"       // a Player on a seat
	Moved     Kind = "moved"     // a side played Move
	Resigned  Kind = "resigned"  // a side resigned
	Offered   Kind = "offered"   // a side asked for Request
	Declined  Kind = "declined"  // a side declined Request
	Drawn     Kind = "drawn"     // a side agreed to a draw
	TakenBack Kind = "takenback" // the game went back to Ply
	Halted    Kind = "halted"    // a side halted the game, or agreed to
	Flagged   Kind = "flagged"   // a side ran out of time
	CalledOff Kind = "aborted"   // the game was aborted
	Rematched Kind = "rematched" // the rematch is Next
	Abandoned Kind = "abandoned" // a side claimed the win, because the other had gone away
	Berserked Kind = "berserked" // a side plays with less time
)

// Request is what one side can ask of the other.
type Request string

// The requests.
const (
	Draw     Request = "draw"
	Takeback Request = "takeback"
	Rematch  Request = "rematch"
	Halt     Request = "halt"
)

// Event is a change of a table. Logs keep it as a line of JSON and never change it, unless a
// name in it is erased.
type Event struct {
	Envelope

	Ply int `json:"ply"` // moves played, after the event

	Move   string    `json:"move,omitempty"`  // in the notation of the library
	Lag    int64     `json:"lag,omitempty"`   // lag compensation of the move in milliseconds
	Pause  int64     `json:"pause,omitempty"` // milliseconds of the next turn that are free, see MovePause
	Grace  int64     `json:"grace,omitempty"` // milliseconds before the event that the side to move was on vacation: they are not charged
	Clocks *[2]int64 `json:"clocks,omitempty"`

	// Result and Reason are set if the event ends the game.
	Result string `json:"result,omitempty"`
	Reason Reason `json:"reason,omitempty"`

	Request  Request   `json:"request,omitempty"`
	Back     int       `json:"back,omitempty"` // the ply to go back to, of a requested take-back
	Player   *Player   `json:"player,omitempty"`
	Settings *Settings `json:"settings,omitempty"`
	Next     string    `json:"next,omitempty"`
	Key      string    `json:"key,omitempty"`  // hash of the idempotency key of the command
	Side     *Seat     `json:"side,omitempty"` // that caused it, or nil
	Was      string    `json:"was,omitempty"`  // hash of the event before a name in it was erased

	played *played // of a move that Decide has checked; nil in an event that was read
}

// played is what a move does, so that it is parsed and tried once.
type played struct {
	move   game.Move
	passes bool   // it gives the turn to the other side
	ends   Ending // the zero Ending if the game goes on
}

// Seat is a side that is written by its name.
type Seat game.Side

// MarshalText implements encoding.TextMarshaler.
func (s Seat) MarshalText() ([]byte, error) { return []byte(game.Side(s).String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Seat) UnmarshalText(text []byte) error {
	side, err := SideNamed(string(text))
	*s = Seat(side)
	return err
}

// By returns the side that caused the event, which must have one.
func (e Event) By() game.Side { return game.Side(*e.Side) }

// SideNamed parses the name of a side, "first" or "second".
func SideNamed(name string) (game.Side, error) {
	for _, s := range []game.Side{game.First, game.Second} {
		if s.String() == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("side %q: expected first or second", name)
}

// Encode returns the event in the form that logs keep.
func (e Event) Encode() ([]byte, error) {
	data, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("writing an event: %w", err)
	}
	return data, nil
}

// Hash returns the hash of an encoded event, which the next event of the table must
// have as Prev.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:12])
}

// ErrBroken means that a log is inconsistent: an event is missing, changed or
// impossible.
var ErrBroken = errors.New("the log of the game is broken")

// Load applies an encoded event. It checks that the event follows from those before.
// If it does not, the error wraps ErrBroken and the table must no longer be used.
func (t *Table) Load(data []byte) (Event, error) {
	var e Event
	if err := json.Unmarshal(data, &e); err != nil {
		return e, t.broken(e, err.Error())
	}
	return e, t.Apply(e, data)
}

func (t *Table) broken(e Event, why string) error {
	return fmt.Errorf("game %s, event %d: %s: %w", t.id, e.Number, why, ErrBroken)
}
