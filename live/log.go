package live

import (
	"context"
	"errors"
	"iter"
	"time"
)

// Log stores the encoded events of streams (games, reviews, studies, rulings), and the heartbeats of the service clock.
// Every Log passes the conformance tests of package livetest.
type Log interface {
	Records

	// Append writes the next event of a stream if the stream's last one has the
	// sequence number after; 0 if the stream is new. When it returns, the event
	// survives a power cut. The error wraps ErrStale if another event came first,
	// ErrUnknown if the event may or may not have been written, and ErrFull if it was
	// not written for lack of disk space.
	Append(ctx context.Context, stream string, after uint64, data []byte) (seq uint64, err error)

	// Read returns the events of a stream, none if it is new.
	Read(ctx context.Context, stream string) ([]Entry, error)

	// Follow yields the events of all streams with sequence numbers greater than after,
	// in order: first the existing ones, then new ones, until the context ends. If it
	// cannot continue, it yields an error and ends.
	Follow(ctx context.Context, after uint64) iter.Seq2[Entry, error]

	// Last returns the sequence number of the last event; 0 if there is none.
	Last(ctx context.Context) (uint64, error)

	// Erase removes from memory and from the disk what rulings of the log list as erased. From
	// the ruling on, Read and Follow return the replacement of each erased event, or nothing. The
	// error is ErrKept if the bytes of many events stay on the disk until the log is opened again.
	Erase(ctx context.Context) error

	// WriteHeartbeat writes a heartbeat if the last one has the sequence number after; 0 if
	// there is none. The error wraps ErrStale if another heartbeat came first, and ErrFull
	// as long as Append fails for that reason.
	WriteHeartbeat(ctx context.Context, after uint64, h Heartbeat) (seq uint64, err error)

	// LastHeartbeat returns the last one; the zero Heartbeat if there is none.
	LastHeartbeat(ctx context.Context) (Heartbeat, error)

	// Secret returns a secret that all servers on the log share. It survives restarts.
	// If there is none yet, Secret stores fresh. The error wraps ErrFull if it cannot.
	Secret(ctx context.Context, which SecretName, fresh []byte) ([]byte, error)
}

// Heartbeat is a reading of the service clock in the log. All servers on a log write
// heartbeats, each only after the last one that it knows, so they agree on the order.
type Heartbeat struct {
	Service int64  `json:"service"` // milliseconds
	Epoch   uint64 `json:"epoch"`   // how many times the clock went back to an earlier heartbeat, after an outage
	By      string `json:"by"`      // the server that wrote it
	Seq     uint64 `json:"-"`       // in the order of heartbeats; 0 until it is written
}

// ClockReading is a reading of the service clock that a server sends its peers.
type ClockReading struct {
	Service int64         `json:"service"` // milliseconds
	Epoch   uint64        `json:"epoch"`   // of the heartbeats that it follows
	Hold    time.Duration `json:"hold"`    // how long the time still holds there
	Lease   time.Duration `json:"lease"`   // how long no server can begin another epoch
}

// Entry is an event in a log. Sequence numbers increase across all streams, with gaps.
type Entry struct {
	Stream string
	Seq    uint64
	Data   []byte
}

// The errors of a Log.
var (
	ErrStale   = errors.New("another event came first")
	ErrUnknown = errors.New("the event may or may not have been written")
	ErrFull    = errors.New("the disk is full")
	ErrKept    = errors.New("erased events are on the disk until the log is opened again")
)

// SecretName names a secret of the servers on a log.
type SecretName string

// The secrets.
const (
	ServerSecret SecretName = ""     // for what servers derive and sign
	PushSecret   SecretName = "push" // the private key by which push services recognize the servers
)

// SecretNames returns all secrets.
func SecretNames() []SecretName { return []SecretName{ServerSecret, PushSecret} }
