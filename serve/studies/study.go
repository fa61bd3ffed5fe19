package studies

import (
	"bytes"
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"

	"quintet/game"
	"quintet/live"
	"quintet/serve/api"
)

// The kinds of events of a study.
const (
	opened = "opened" // with the game, and the edits that make the first tree
	edited = "edited"
)

// event is an event of a study.
type event struct {
	live.Envelope
	Draft
}

// Draft is the content of an event. The first has all but Ref; later ones have only Ref and Edits.
type Draft struct {
	Game     string     `json:"game,omitempty"`
	Options  game.Setup `json:"options,omitempty"`
	Position string     `json:"position,omitempty"` // the start
	Key      string     `json:"key,omitempty"`      // hash of the key that allows edits
	Request  string     `json:"request,omitempty"`  // hash of the request with its idempotency key; "" without one
	Ref      string     `json:"ref,omitempty"`      // of the client
	Edits    []Edit     `json:"edits,omitempty"`    // of the first event: they make the tree, the title and the visibility
}

// Event is an event as clients see it.
type Event struct {
	Kind   live.Kind `json:"kind"` // "edited"
	Number int       `json:"n"`
	Time   string    `json:"time"`
	Ref    string    `json:"ref,omitempty"`
	Edits  []Edit    `json:"edits"`
}

// Study is a study. It is safe for concurrent use.
type Study struct {
	*api.Document

	// Mu of the document guards these.
	game    game.Game
	options game.Setup
	start   game.Position
	key     string // hash
	request string // hash
	tree    tree
	recent  []Event // the last events, at most MaxSince
}

// MaxSince is how many events a study remembers for clients that missed them.
const MaxSince = 100

func newStudy(d *api.Document) (*Study, func([]byte) error) {
	s := &Study{Document: d, tree: newTree()}
	return s, s.apply
}

// View returns the study as it is now.
func (s *Study) View() View {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.Ask()
	return View{
		ID: s.ID(), Game: s.game.Name, Sides: api.BothOf(s.game.Sides), Options: s.options, Position: s.start.String(), Title: s.tree.title,
		Visibility: s.tree.visibility, Number: s.Number, Nodes: s.tree.list(), game: s.game, start: s.start,
	}
}

// Since returns the events after a number, and a channel that is closed when there are
// more. ok is false if the study does not remember all of them.
func (s *Study) Since(after int) (list []Event, changed <-chan struct{}, ok bool) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	list, ok = s.since(after)
	return list, s.Ask(), ok
}

// since is Since. The caller holds Mu.
func (s *Study) since(after int) (list []Event, ok bool) {
	missed := max(s.Number-after, 0)
	if missed > len(s.recent) {
		return nil, false
	}
	return s.recent[len(s.recent)-missed:], true
}

// Allows reports whether a key allows edits.
func (s *Study) Allows(key string) bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return key != "" && subtle.ConstantTimeCompare([]byte(live.HashSecret(key)), []byte(s.key)) == 1
}

// Requested reports whether a request made the study: hash is that of its idempotency key.
func (s *Study) Requested(hash string) bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return hash != "" && s.request == hash
}

// Readable reports whether a client with a key, "" for none, may read the study.
func (s *Study) Readable(key string) bool {
	s.Mu.Lock()
	public := s.tree.visibility == Link
	s.Mu.Unlock()
	return public || s.Allows(key)
}

// ConflictError says that others have edited a study since the client last knew it.
type ConflictError struct {
	Number int     `json:"n"`               // of the last event
	Since  []Event `json:"since,omitempty"` // those that the client does not know; nil if there are too many
}

// Error implements error.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("the study has changed: its last event is number %d", e.Number)
}

// Edit appends edits to a study whose last event has the number after. All happen or none.
// The error is a problem of the edits, a *ConflictError, ErrFull, or one of the log.
func (s *Study) Edit(ctx context.Context, after int, edits []Edit, ref string) (Event, error) {
	if err := checkRequest(edits, ref); err != nil {
		return Event{}, err
	}
	s.Appending.Lock()
	defer s.Appending.Unlock()
	if err := s.conflict(after); err != nil {
		return Event{}, err
	}
	applied, err := s.prepare(edits, numbered)
	if err != nil {
		return Event{}, err
	}
	err = s.append(ctx, edited, Draft{Ref: ref, Edits: applied})
	if errors.Is(err, live.ErrStale) {
		err = cmp.Or(s.conflict(after), err)
	}
	if err != nil {
		return Event{}, err
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.recent[len(s.recent)-1], nil
}

func checkRequest(edits []Edit, ref string) error {
	switch {
	case len(edits) == 0 || len(edits) > MaxEdits:
		return wrong("%d edits: expected 1 to %d", len(edits), MaxEdits)
	case len(ref) > 32:
		return wrong("ref of %d bytes: expected at most 32", len(ref))
	}
	if err := checkText("ref", ref, 32); err != nil {
		return err
	}
	for i, e := range edits {
		if err := e.check(); err != nil {
			return numbered(i, err)
		}
	}
	return nil
}

// numbered adds the number of an edit to its problem.
func numbered(i int, err error) error {
	p, ok := errors.AsType[*api.Problem](err)
	if !ok || p == ErrFull {
		return err
	}
	p.Text = fmt.Sprintf("edit %d: %s", i+1, p.Text)
	return p.InField("edits")
}

// conflict returns a *ConflictError unless the last event has a number.
func (s *Study) conflict(after int) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	switch {
	case after == s.Number:
		return nil
	case after > s.Number || after < 0:
		return wrong("after %d: the last event is number %d", after, s.Number)
	}
	list, _ := s.since(after)
	return &ConflictError{s.Number, list}
}

// append writes an event, and applies it. The caller holds Appending.
func (s *Study) append(ctx context.Context, kind live.Kind, d Draft) error {
	return s.Append(ctx, kind, func(e live.Envelope) ([]byte, error) {
		data, err := encode(event{e, d})
		s.Mu.Lock()
		defer s.Mu.Unlock()
		if e.Number >= MaxEvents || s.Bytes+len(data) > MaxBytes || kind == opened && len(data) > maxOpening {
			return nil, ErrFull
		}
		return data, err
	})
}

// encode encodes an event without the escapes for HTML, which would make texts up to six
// times as long.
func encode(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimRight(out.Bytes(), "\n"), err
}

// apply applies an event. It skips edits of newer servers, and those that cannot be applied
// without them. The caller holds Mu.
func (s *Study) apply(data []byte) error {
	var v event
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	if v.Kind == opened {
		if err := s.open(v); err != nil {
			return err
		}
	}
	for _, e := range v.Edits {
		if known, ok := verbs()[e.Do]; ok && known.check(e) == nil {
			_ = s.tree.apply(e)
		}
	}
	s.recent = append(s.recent, Event{edited, v.Number, api.TimeText(v.Wall), v.Ref, v.Edits})
	if len(s.recent) > MaxSince {
		s.recent = s.recent[1:]
	}
	return nil
}

// open applies the first event. The caller holds Mu.
func (s *Study) open(v event) error {
	set := live.Settings{Game: v.Game, Options: v.Options, Position: v.Position}
	m, _, err := set.Match()
	if err != nil {
		return err
	}
	s.game, s.options, s.start, s.key = m.Game(), set.Setup(), m.Start(), v.Key
	s.request = v.Request
	return nil
}
