package live

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"quintet/game"
)

// Kind is what an event says has happened.
type Kind string

// The kinds of events.
const (
	Opened    Kind = "opened"    // a table, with Settings
	Sat       Kind = "sat"       // a Player on a seat
	Moved     Kind = "moved"     // a side played Move
	Resigned  Kind = "resigned"  // a side gave up
	Offered   Kind = "offered"   // a side asked for Request
	Declined  Kind = "declined"  // a side said no to Request
	Drawn     Kind = "drawn"     // a side agreed to a draw
	TakenBack Kind = "takenback" // the game went back to Ply
	Halted    Kind = "halted"    // a side halted the game, or agreed to that
	OutOfTime Kind = "flagged"   // a side ran out of time
	CalledOff Kind = "aborted"   // a side left before the other had come
	Rematched Kind = "rematched" // the game goes on in Next
)

// Request is what one side may ask of the other.
type Request string

// The requests.
const (
	Draw     Request = "draw"
	Takeback Request = "takeback"
	Rematch  Request = "rematch"
	Halt     Request = "halt"
)

// Event is something that has happened at a table. It is written once, as a line
// of JSON, and never changed.
type Event struct {
	Kind   Kind   `json:"kind"`
	Number int    `json:"n"`              // the events of a table are counted from 0
	Prev   string `json:"prev,omitempty"` // hash of the event before
	At     int64  `json:"at"`             // service time in milliseconds
	Wall   int64  `json:"time"`           // time of day, milliseconds since 1970, for people to read
	Ply    int    `json:"ply"`            // moves played, after the event

	Side   *game.Side `json:"-"`              // who did it; nil if nobody did
	Move   string     `json:"move,omitempty"` // in the notation of the library
	Lag    int64      `json:"lag,omitempty"`  // milliseconds of the move that cost nothing, for its way
	Clocks *[2]int64  `json:"clocks,omitempty"`

	// Result and Reason are there when the event ends the game.
	Result string `json:"result,omitempty"`
	Reason Reason `json:"reason,omitempty"`

	Request  Request   `json:"request,omitempty"`
	Back     int       `json:"back,omitempty"` // the ply that a take-back is asked for
	Player   *Player   `json:"player,omitempty"`
	Settings *Settings `json:"settings,omitempty"`
	Next     string    `json:"next,omitempty"`
	Key      string    `json:"key,omitempty"` // hash of the idempotency key of the command
}

// plain is an Event as it is written.
type plain struct {
	*alias
	SideName string `json:"side,omitempty"`
}

type alias Event

// MarshalJSON implements json.Marshaler: sides are written by name.
func (e Event) MarshalJSON() ([]byte, error) {
	p := plain{alias: (*alias)(&e)}
	if e.Side != nil {
		p.SideName = e.Side.String()
	}
	return json.Marshal(p)
}

// UnmarshalJSON implements json.Unmarshaler.
func (e *Event) UnmarshalJSON(data []byte) error {
	p := plain{alias: (*alias)(e)}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return fmt.Errorf("reading an event: %w", err)
	}
	e.Side = nil
	if p.SideName == "" {
		return nil
	}
	s, err := SideNamed(p.SideName)
	e.Side = &s
	return err
}

// SideNamed returns the side of a name, "first" or "second".
func SideNamed(name string) (game.Side, error) {
	for _, s := range []game.Side{game.First, game.Second} {
		if s.String() == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("side %q: want first or second", name)
}

// Encode writes an event as the log has it.
func (e Event) Encode() ([]byte, error) {
	data, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("writing an event: %w", err)
	}
	return data, nil
}

// Hash returns the hash by which the next event of a table names this one.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:12])
}

// ErrBroken says that a log does not hold together: an event is missing, was
// changed, or cannot have happened.
var ErrBroken = errors.New("the log of the game is broken")

// Load takes in an event as the log has it. It checks that the event follows the
// one before; the error wraps ErrBroken, and the table is then not to be used.
func (t *Table) Load(data []byte) (Event, error) {
	var e Event
	if err := json.Unmarshal(data, &e); err != nil {
		return e, t.broken(e, err.Error())
	}
	if err := t.apply(e); err != nil {
		return e, err
	}
	t.hash = Hash(data)
	return e, nil
}

func (t *Table) broken(e Event, why string) error {
	return fmt.Errorf("game %s, event %d: %s: %w", t.id, e.Number, why, ErrBroken)
}
