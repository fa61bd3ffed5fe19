package live

import (
	"context"
	"errors"
	"iter"
	"time"
)

// Log keeps the events of all tables, each as Event.Encode wrote it. Package
// livetest has the tests that every Log passes.
type Log interface {
	// Append writes the next event of a table if the table's last one has the
	// sequence number after; 0 if the table is new. When it returns, the event
	// outlives the loss of power. The error wraps ErrStale if another event came
	// first, ErrUnknown if it cannot be told whether the event was written, and
	// ErrFull if it was not because there is no room.
	Append(ctx context.Context, table string, after uint64, data []byte) (seq uint64, err error)

	// Read returns the events of a table, none if it is new.
	Read(ctx context.Context, table string) ([]Entry, error)

	// Follow yields the events of all tables whose sequence numbers are greater
	// than after, in order; those that there are, and then those that come, until
	// the context ends. It ends with an error if it cannot go on.
	Follow(ctx context.Context, after uint64) iter.Seq2[Entry, error]

	// Last returns the sequence number of the last event; 0 if there is none.
	Last(ctx context.Context) (uint64, error)

	// WriteHeartbeat writes a heartbeat if the last one has the sequence number after; 0 if
	// there is none. The error wraps ErrStale if another heartbeat came first, and ErrFull
	// as long as Append fails for that reason.
	WriteHeartbeat(ctx context.Context, after uint64, h Heartbeat) (seq uint64, err error)

	// LastHeartbeat returns the last one; the zero Heartbeat if there is none.
	LastHeartbeat(ctx context.Context) (Heartbeat, error)

	// Secret returns the secret that all servers on the log share, and that nobody else
	// knows. It outlives restarts. If there is none yet, fresh becomes it. The error wraps
	// ErrFull if there is none and it cannot be kept.
	Secret(ctx context.Context, fresh []byte) ([]byte, error)
}

// Heartbeat is a reading of the service clock in the log. All servers on a log write
// heartbeats, each only after the last one that it knows, so they agree on the order.
type Heartbeat struct {
	Service int64  // milliseconds
	Epoch   uint64 // how often the time has gone back to an earlier heartbeat, after an outage
	By      string // the server that wrote it
	Seq     uint64 // in the order of heartbeats; 0 until it is written
}

// ClockReading is a reading of the service clock that a server sends its peers.
type ClockReading struct {
	Service int64         `json:"service"` // milliseconds
	Epoch   uint64        `json:"epoch"`   // of the heartbeats that it follows
	Hold    time.Duration `json:"stand"`   // how long the time still holds there
	Lease   time.Duration `json:"sure"`    // how long no server can begin another epoch
}

// Entry is an event in a log. Sequence numbers grow through the log of all tables,
// not by one.
type Entry struct {
	Table string
	Seq   uint64
	Data  []byte
}

// The errors of a Log that callers tell apart.
var (
	ErrStale   = errors.New("another event came first")
	ErrUnknown = errors.New("it is not known whether the event was written")
	ErrFull    = errors.New("the disk is full")
)
