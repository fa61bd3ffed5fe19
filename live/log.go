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

	// WriteHeartbeat writes how far the service time has come if the last beat has the sequence
	// number after; 0 if there is none. The error wraps ErrStale if another one came
	// first, and ErrFull as long as Append would be refused for that.
	WriteHeartbeat(ctx context.Context, after uint64, h Heartbeat) (seq uint64, err error)

	// LastHeartbeat returns the last one; the zero Heartbeat if there is none.
	LastHeartbeat(ctx context.Context) (Heartbeat, error)

	// Secret returns the secret that all servers on the log share, and that nobody else
	// knows. It outlives restarts. If there is none yet, fresh becomes it. The error wraps
	// ErrFull if there is none and it cannot be kept.
	Secret(ctx context.Context, fresh []byte) ([]byte, error)
}

// Heartbeat says how far the service time has come. All servers on a log write beats, each
// only behind the last one that it knows: so they agree on the order.
type Heartbeat struct {
	Service int64  // milliseconds
	Epoch   uint64 // how often the time has gone on from an earlier beat, because nothing could be written
	By      string // the server that wrote it
	Seq     uint64 // in the order of beats; 0 until it is written
}

// ClockReading is what a server tells others of the service time, between beats.
type ClockReading struct {
	Service int64         `json:"service"` // milliseconds
	Epoch   uint64        `json:"epoch"`   // of the beats that it follows
	Hold    time.Duration `json:"stand"`   // how long it will still stand there
	Lease   time.Duration `json:"sure"`    // how long nobody can begin another epoch
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
