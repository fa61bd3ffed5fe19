package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// A log holds streams of several categories. The category of a stream is the part of its
// name before the first hyphen; games have none. Readers skip entries of categories that
// they do not know, so that a newer server can write them during a rolling upgrade.

// Category is what the entries of a stream are events of.
type Category string

// The categories.
const (
	GameCategory       Category = "game"
	ModerationCategory Category = ModerationStream
	ReviewCategory     Category = "review"
	StudyCategory      Category = "study"
	ClassCategory      Category = "class"
	TournamentCategory Category = "tournament"
)

// Stream returns the name of a stream of the category.
func (c Category) Stream(id string) string {
	if c == GameCategory {
		return id
	}
	return string(c) + "-" + id
}

// CategoryOf returns the category of a stream by its name.
func CategoryOf(stream string) Category {
	if stream == ModerationStream {
		return ModerationCategory
	}
	if category, _, ok := strings.Cut(stream, "-"); ok {
		return Category(category)
	}
	return GameCategory
}

// Envelope is what events of all categories but rulings have in common: its fields come first
// in their JSON.
type Envelope struct {
	Kind   Kind   `json:"kind"`
	Number int    `json:"n"`              // number of the event in its stream, from 0
	Prev   string `json:"prev,omitempty"` // hash of the event before
	At     int64  `json:"at"`             // service time in milliseconds
	Wall   int64  `json:"time"`           // time of day, milliseconds since 1970, for people to read
}

// Chain checks that the events of a stream follow from one another, whatever their kinds.
// The zero value is ready for the first event of a stream.
type Chain struct {
	number int
	hash   string
}

// Next returns the envelope of the next event.
func (c *Chain) Next(kind Kind, now Stamp) Envelope {
	return Envelope{Kind: kind, Number: c.number, Prev: c.hash, At: now.Service, Wall: now.Wall}
}

// Load checks an encoded event and takes it as the last one. The error wraps ErrBroken.
func (c *Chain) Load(stream string, data []byte) (e Envelope, err error) {
	if err := json.Unmarshal(data, &e); err != nil {
		return e, fmt.Errorf("%s, event %d: %w: %w", stream, c.number, err, ErrBroken)
	}
	if e.Number != c.number || e.Prev != c.hash || e.Kind == "" {
		return e, fmt.Errorf("%s: event %d of kind %q follows %q, expected event %d after %q: %w", stream, e.Number, e.Kind, e.Prev, c.number, c.hash, ErrBroken)
	}
	c.Skip(HashOf(data))
	return e, nil
}

// Skip takes an erased event, of which only the hash is left, as the last one.
func (c *Chain) Skip(hash string) {
	c.number++
	c.hash = hash
}

// ParseLink parses the number of an encoded event and the hash of the event before it without decoding the
// JSON. ok is false if they are not where Event.Encode puts them; then decode the Envelope.
func ParseLink(data []byte) (number int, prev []byte, ok bool) {
	rest, ok := bytes.CutPrefix(data, []byte(`{"kind":"`))
	if !ok {
		return 0, nil, false
	}
	kind, rest, ok := bytes.Cut(rest, []byte(`","n":`))
	if !ok || len(kind) == 0 || bytes.ContainsAny(kind, `"\\`) {
		return 0, nil, false
	}
	digits := 0
	for ; digits < len(rest) && digits < 9 && rest[digits] >= '0' && rest[digits] <= '9'; digits++ {
		number = 10*number + int(rest[digits]-'0')
	}
	rest, ok = bytes.CutPrefix(rest[digits:], []byte(`,"`))
	if !ok || digits == 0 {
		return 0, nil, false
	}
	if after, has := bytes.CutPrefix(rest, []byte(`prev":"`)); has {
		prev, _, ok = bytes.Cut(after, []byte(`","`))
		return number, prev, ok
	}
	return number, nil, bytes.HasPrefix(rest, []byte(`at":`))
}
