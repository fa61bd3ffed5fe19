// Package remote searches in another process or on another machine.
//
// [New] returns a [Searcher], which is an engine.Searcher: a hall, a review or an analysis need not
// know where it searches. It sends each search over a [Transport] to a [Server], and searches in
// this process when that fails, if it can. There are two transports: package pipe, to a child
// process that has the lowest priority, and package workers, to the workers of a farm.
//
// A session is a search with its tables at a server. It begins with the first search, and ends
// when the client releases it, or with the connection. Neither side waits for the other: a
// server that dies, hangs or answers nonsense costs the client a bounded time, and a client
// that dies costs the server a search of a few seconds.
//
// The name of an engine is opaque to this package: only those who make clients and servers read
// it.
package remote

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"quintet/engine"
	"quintet/game"
)

// Command is what a request asks for.
type Command string

// The commands. Transports may have others of their own.
const (
	Search  Command = "search"  // search a position
	Resume  Command = "resume"  // continue with a parked search
	Release Command = "release" // end the session, and a search in progress without an answer
)

// Request is a message to a server.
type Request struct {
	Do      Command         `json:"do"`
	Session uint64          `json:"session,omitempty"` // for transports that carry several in one stream
	Search  uint64          `json:"search,omitempty"`
	Slice   time.Duration   `json:"slice,omitempty"` // of a search or resume: it parks afterwards; 0 for never
	Build   string          `json:"build,omitempty"` // of the client's program
	Engine  json.RawMessage `json:"engine,omitempty"`
	Job     *Job            `json:"job,omitempty"`
}

// Job is the position and the limit of a search.
type Job struct {
	Position string        `json:"position"`
	History  []uint64      `json:"history,omitempty"`
	Skip     []game.Move   `json:"skip,omitempty"`
	Depth    int           `json:"depth,omitempty"`
	Nodes    uint64        `json:"nodes,omitempty"`
	Time     time.Duration `json:"time,omitempty"`
	Reset    bool          `json:"reset,omitempty"` // begin with empty tables
}

// Reply is a message of a server. A search gets any number of replies that it runs or is
// parked, and then one with a line, an error or a panic.
type Reply struct {
	Session uint64       `json:"session,omitempty"`
	Search  uint64       `json:"search,omitempty"`
	Beat    uint64       `json:"beat,omitempty"`   // the search runs; it has made progress if the number is another one than before
	Parked  bool         `json:"parked,omitempty"` // the search waits for Resume
	Line    *engine.Line `json:"line,omitempty"`
	Error   string       `json:"error,omitempty"`
	Panic   string       `json:"panic,omitempty"` // with its stack
}

// MaxMessage is the largest message, in bytes. The largest of all is a search after 20,000
// plies, whose history takes 400 kB.
const MaxMessage = 1 << 20

// Transport carries sessions. It is safe for concurrent use.
type Transport interface {
	// Open begins a session at a server. Its replies are delivered from another goroutine, which
	// deliver must not block. The error wraps ErrNone if no server is free, which is not a fault.
	Open(ctx context.Context, deliver func(Reply)) (Link, error)

	// Terms returns what clients expect of the servers that Open finds now.
	Terms() Terms
}

// Link is the client's end of a session.
type Link interface {
	// Send sends a request. It does not block. An error is a fault of the request.
	Send(r Request) error

	// Lost returns a channel that is closed when the server has gone.
	Lost() <-chan struct{}

	// Fail gives up a server that hangs or answers nonsense.
	Fail(why error)

	// Close ends the session. Nothing is delivered afterwards.
	Close()
}

// Terms are what clients expect of the servers of a transport.
type Terms struct {
	Build string // of this program: a server refuses searches of another

	Silence  time.Duration // a running search is lost if nothing is heard of it for so long
	Stall    time.Duration // or if it makes no progress
	Overtime time.Duration // or if it takes so much longer than Limit.Time; 0 if that is processor time

	Tries int  // how many servers may be lost in a search before it fails: perhaps it is the reason
	Parks bool // servers share the processors of this machine: they park searches that their pacer suspends
}

// Errors of transports and searches.
var (
	ErrNone  = errors.New("no search server is free")
	errLost  = errors.New("the search server ended during the search")
	errLeft  = errors.New("the search server ended while the search was suspended")
	errMute  = errors.New("the search server does not answer")
	errStuck = errors.New("the search makes no progress")
	errSlow  = errors.New("the search takes longer than its time")
)
