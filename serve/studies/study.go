package studies

import (
	"bytes"
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

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
	Game     string     `json:"game,omitempty"`
	Options  game.Setup `json:"options,omitempty"`
	Position string     `json:"position,omitempty"` // the start
	Key      string     `json:"key,omitempty"`      // hash of the key that allows edits
	Request  string     `json:"request,omitempty"`  // hash of the request with its idempotency key
	Ref      string     `json:"ref,omitempty"`      // of the client
	Edits    []Edit     `json:"edits,omitempty"`
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
	store *Store
	id    string

	appending sync.Mutex // held while an event is appended: the events have one order

	mu      sync.Mutex // guards the rest
	game    game.Game
	options game.Setup
	start   game.Position
	key     string // hash
	request string // hash
	tree    tree
	chain   live.Chain
	seq     uint64        // of the last event
	number  int           // of the last event; -1 for none
	behind  bool          // an event was missed: the log has it
	bytes   int           // of all events
	recent  []Event       // the last ones, at most MaxSince
	changed chan struct{} // closed and replaced at every change
	asked   time.Time     // when somebody was last interested
}

// MaxSince is how many events a study remembers for clients that missed them.
const MaxSince = 100

func newStudy(s *Store, id string) *Study {
	return &Study{store: s, id: id, tree: newTree(), number: -1, changed: make(chan struct{}), asked: s.config.Time()}
}

// ID returns the identifier.
func (s *Study) ID() string { return s.id }

// View is a study at a moment.
type View struct {
	Game       game.Game
	Options    game.Setup
	Start      game.Position
	Title      string
	Visibility Visibility
	Number     int // of the last event
	Nodes      []Node
}

// View returns the study as it is now.
func (s *Study) View() View {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = s.store.config.Time()
	return View{s.game, s.options, s.start, s.tree.title, s.tree.visibility, s.number, s.tree.list()}
}

// Since returns the events after a number, and a channel that is closed when there are
// more. ok is false if the study does not remember all of them.
func (s *Study) Since(after int) (list []Event, changed <-chan struct{}, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = s.store.config.Time()
	list, ok = s.since(after)
	return list, s.changed, ok
}

// since is Since. The caller holds mu.
func (s *Study) since(after int) (list []Event, ok bool) {
	missed := max(s.number-after, 0)
	if missed > len(s.recent) {
		return nil, false
	}
	return s.recent[len(s.recent)-missed:], true
}

// Allows reports whether a key allows edits.
func (s *Study) Allows(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return key != "" && subtle.ConstantTimeCompare([]byte(live.HashSecret(key)), []byte(s.key)) == 1
}

// Requested reports whether a request made the study: hash is that of its idempotency key.
func (s *Study) Requested(hash string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return hash != "" && s.request == hash
}

// Readable reports whether a client with a key, "" for none, may read the study.
func (s *Study) Readable(key string) bool {
	s.mu.Lock()
	public := s.tree.visibility == Link
	s.mu.Unlock()
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
// The error is an *EditError, a *ConflictError, a MoveError, ErrFull, or one of the log.
func (s *Study) Edit(ctx context.Context, after int, edits []Edit, ref string) (Event, error) {
	if err := checkRequest(edits, ref); err != nil {
		return Event{}, err
	}
	s.appending.Lock()
	defer s.appending.Unlock()
	if err := s.conflict(after); err != nil {
		return Event{}, err
	}
	applied, err := s.prepare(edits)
	if err != nil {
		return Event{}, err
	}
	err = s.append(ctx, event{Ref: ref, Edits: applied}, edited)
	if errors.Is(err, live.ErrStale) {
		err = cmp.Or(s.conflict(after), err)
	}
	if err != nil {
		return Event{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
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

// numbered adds the number of an edit to its error.
func numbered(i int, err error) error {
	var e *EditError
	if errors.As(err, &e) {
		return &EditError{Number: i + 1, Text: e.Text}
	}
	return fmt.Errorf("edit %d: %w", i+1, err)
}

// conflict returns a *ConflictError unless the last event has a number.
func (s *Study) conflict(after int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case after == s.number:
		return nil
	case after > s.number || after < 0:
		return wrong("after %d: the last event is number %d", after, s.number)
	}
	list, _ := s.since(after)
	return &ConflictError{s.number, list}
}

// append writes an event after the last one that is known, and applies it. The error wraps
// live.ErrStale if another server was first: then its events are applied. The caller holds
// appending.
func (s *Study) append(ctx context.Context, v event, kind live.Kind) error {
	s.mu.Lock()
	v.Envelope = s.chain.Next(kind, s.store.config.Now())
	after, size := s.seq, s.bytes
	s.mu.Unlock()
	data, err := encode(v)
	switch {
	case err != nil:
		return fmt.Errorf("writing a study: %w", err)
	case v.Number >= MaxEvents || size+len(data) > MaxBytes || kind == opened && len(data) > maxOpening:
		return ErrFull
	}
	table := live.StudyCategory.Stream(s.id)
	seq, err := s.store.config.Log.Append(ctx, table, after, data)
	if err != nil {
		return errors.Join(fmt.Errorf("writing a study: %w", err), s.reload(context.WithoutCancel(ctx)))
	}
	return s.deliver(live.Entry{Stream: table, Seq: seq, Data: data})
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

// reload reads the study from the log.
func (s *Study) reload(ctx context.Context) error {
	list, err := s.store.config.Log.Read(ctx, live.StudyCategory.Stream(s.id))
	if err != nil {
		return fmt.Errorf("reading a study: %w", err)
	}
	for _, e := range list {
		if err := s.deliver(e); err != nil {
			return err
		}
	}
	return nil
}

// catchUp reads the events that were missed, if any were.
func (s *Study) catchUp(ctx context.Context) error {
	s.mu.Lock()
	behind := s.behind
	s.mu.Unlock()
	if behind {
		return s.reload(ctx)
	}
	return nil
}

// deliver applies an event of the log that is not known yet.
func (s *Study) deliver(e live.Entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.Seq <= s.seq {
		return nil
	}
	var v event
	if err := json.Unmarshal(e.Data, &v); err != nil {
		return fmt.Errorf("reading a study: %w: %w", err, live.ErrBroken)
	}
	if _, err := s.chain.Load(e.Stream, e.Data); err != nil {
		s.behind = s.behind || v.Number > s.number+1
		return err
	}
	if v.Kind == opened {
		if err := s.open(v); err != nil {
			return err
		}
	}
	s.behind = false
	s.seq, s.number, s.bytes = e.Seq, v.Number, s.bytes+len(e.Data)
	s.apply(v)
	close(s.changed)
	s.changed = make(chan struct{})
	return nil
}

// apply applies an event. It skips edits of newer servers, and those that cannot be
// applied without them. The caller holds mu.
func (s *Study) apply(v event) {
	for _, e := range v.Edits {
		if known, ok := verbs()[e.Do]; ok && known.check(e) == nil {
			_ = s.tree.apply(e)
		}
	}
	s.recent = append(s.recent, Event{edited, v.Number, api.TimeText(v.Wall), v.Ref, v.Edits})
	if len(s.recent) > MaxSince {
		s.recent = s.recent[1:]
	}
}

// open applies the first event. The caller holds mu.
func (s *Study) open(v event) error {
	set := live.Settings{Game: v.Game, Options: v.Options, Position: v.Position}
	m, _, err := set.Match()
	if err != nil {
		return fmt.Errorf("reading a study: %w: %w", err, live.ErrBroken)
	}
	s.game, s.options, s.start, s.key = m.Game(), set.Setup(), m.Start(), v.Key
	s.request = v.Request
	return nil
}

// weight estimates the memory of a study in bytes.
func (s *Study) weight() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	const least = 8 << 10
	return least + 2*s.bytes
}

// idle reports whether the study can leave memory.
func (s *Study) idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.store.config.Time().Sub(s.asked) > idleTimeout
}

// tableID returns the identifier of the study that a table is of.
func tableID(table string) string { return strings.TrimPrefix(table, string(live.StudyCategory)+"-") }
