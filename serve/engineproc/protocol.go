package engineproc

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"quintet/engine"
	"quintet/game"
)

// maxMessage is the largest message, in bytes. The largest of all is a search after 20,000
// plies, whose history takes 400 kB.
const maxMessage = 1 << 20

// command is what a request asks for.
type command string

// The commands. A session is a searcher with its tables.
const (
	doSearch  command = "search"  // search a position; opens the session if there is none
	doResume  command = "resume"  // continue with a parked search
	doRelease command = "release" // end the session, and a search in progress without an answer
)

// request is a message to the engine process, a line of JSON.
type request struct {
	Do      command       `json:"do"`
	Session uint64        `json:"session"`
	Search  uint64        `json:"search,omitempty"`
	Slice   time.Duration `json:"slice,omitempty"` // of a search or resume: it parks afterwards; 0 for never
	Job     *job          `json:"job,omitempty"`   // of a search
}

// job is what a search needs.
type job struct {
	Game      string        `json:"game"`
	Megabytes int           `json:"megabytes"` // of the session's transposition table
	Position  string        `json:"position"`
	History   []uint64      `json:"history,omitempty"`
	Skip      []game.Move   `json:"skip,omitempty"`
	Depth     int           `json:"depth,omitempty"`
	Nodes     uint64        `json:"nodes,omitempty"`
	Time      time.Duration `json:"time,omitempty"`  // processor time
	Reset     bool          `json:"reset,omitempty"` // begin with empty tables
}

// reply is a message of the engine process, a line of JSON. A search gets any number of
// replies that are alive or parked, and then one with a line, an error or a panic.
type reply struct {
	Build  string       `json:"build,omitempty"` // in the first message only
	Search uint64       `json:"search,omitempty"`
	Alive  bool         `json:"alive,omitempty"`  // the search is running
	Parked bool         `json:"parked,omitempty"` // the search waits for doResume
	Line   *engine.Line `json:"line,omitempty"`
	Error  string       `json:"error,omitempty"`
	Panic  string       `json:"panic,omitempty"` // with its stack
}

// readMessages calls handle for each message until the input ends.
func readMessages[T any](in io.Reader, handle func(T) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxMessage)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return fmt.Errorf("reading a message %.100q: %w", lines.Bytes(), err)
		}
		if err := handle(v); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading messages: %w", err)
	}
	return nil
}

// encode returns a message.
func encode(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err == nil && len(data) >= maxMessage {
		err = errors.New("it is too long")
	}
	if err != nil {
		return nil, fmt.Errorf("writing a message: %w", err)
	}
	return append(data, '\n'), nil
}
