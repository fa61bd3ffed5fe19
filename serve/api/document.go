package api

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"quintet/live"
	"quintet/serve/fair"
)

// Document is the fold of the events of a stream of the log. Studies and reviews embed it, and guard
// their own fields with its Mu.
type Document struct {
	config   StoreConfig
	category live.Category
	id       string
	apply    func(data []byte) error // applies an event that follows the last one

	Appending sync.Mutex // held while an event is appended: the events have one order

	Mu      sync.Mutex // guards the rest, and is held while apply is called
	Number  int        // of the last event; -1 for none
	Bytes   int        // of all events
	chain   live.Chain
	seq     uint64        // of the last event
	behind  bool          // an event was missed: the log has it
	changed chan struct{} // closed and replaced at every change
	asked   time.Time     // when Ask was last called
	client  string        // who caused it to be in memory
	evicted bool
}

// ID returns the identifier.
func (d *Document) ID() string { return d.id }

func (d *Document) document() *Document { return d }

// Ask notes that the document is in use, and returns a channel that is closed at the next
// change. The caller holds Mu.
func (d *Document) Ask() (changed <-chan struct{}) {
	d.asked = d.config.Time()
	return d.changed
}

// Idle reports whether nobody has asked for the document for a minute. The caller holds Mu.
func (d *Document) Idle() bool { return d.config.Time().Sub(d.asked) >= time.Minute }

// Evicted reports whether the document has left memory: then nobody learns of its changes.
func (d *Document) Evicted() bool {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return d.evicted
}

// Busy implements Kept: a document without work is not busy.
func (d *Document) Busy() bool { return false }

// Change wakes all who wait for a change. The caller holds Mu.
func (d *Document) Change() {
	close(d.changed)
	d.changed = make(chan struct{})
}

// Append writes an event after the last one that is known, and applies it. The error wraps
// live.ErrStale if another server was first; its events are then applied. The caller holds
// Appending.
func (d *Document) Append(ctx context.Context, kind live.Kind, encode func(live.Envelope) ([]byte, error)) error {
	d.Mu.Lock()
	envelope, after := d.chain.Next(kind, d.config.Now()), d.seq
	d.Mu.Unlock()
	data, err := encode(envelope)
	if err != nil {
		return fmt.Errorf("writing a %s: %w", d.category, err)
	}
	stream := d.category.Stream(d.id)
	seq, err := d.config.Log.Append(ctx, stream, after, data)
	if err != nil {
		return errors.Join(fmt.Errorf("writing a %s: %w", d.category, err), d.reload(context.WithoutCancel(ctx)))
	}
	return d.deliver(live.Entry{Stream: stream, Seq: seq, Data: data})
}

// reload reads the document from the log.
func (d *Document) reload(ctx context.Context) error {
	list, err := d.config.Log.Read(ctx, d.category.Stream(d.id))
	if err != nil {
		return fmt.Errorf("reading a %s: %w", d.category, err)
	}
	for _, e := range list {
		if err := d.deliver(e); err != nil {
			return err
		}
	}
	return nil
}

// catchUp reads the log if it has events that the document lacks.
func (d *Document) catchUp(ctx context.Context) error {
	d.Mu.Lock()
	behind := d.behind
	d.Mu.Unlock()
	if !behind {
		return nil
	}
	return d.reload(ctx)
}

// deliver applies an event of the log that is not known yet.
func (d *Document) deliver(e live.Entry) error {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if e.Seq <= d.seq {
		return nil
	}
	chain := d.chain
	envelope, err := chain.Load(e.Stream, e.Data)
	if err != nil {
		d.behind = d.behind || envelope.Number > d.Number+1
		return err
	}
	if err := d.apply(e.Data); err != nil {
		return fmt.Errorf("reading a %s: %w: %w", d.category, err, live.ErrBroken)
	}
	d.behind, d.chain, d.seq = false, chain, e.Seq
	d.Number, d.Bytes = envelope.Number, d.Bytes+len(e.Data)
	d.Change()
	return nil
}

// StoreConfig is what a Store needs. All fields must be set.
type StoreConfig struct {
	Log  live.Log
	Now  func() live.Stamp
	Time func() time.Time
	Slot func(ctx context.Context) (done func(), err error) // waits for a slot to replay events, see Base
}

// Kept is a type that embeds a Document.
type Kept interface {
	// Busy reports whether the document must stay in memory. The caller holds Mu.
	Busy() bool

	document() *Document
}

// Store keeps the documents of a category that are in use in memory. It is safe for concurrent
// use.
type Store[T Kept] struct {
	config   StoreConfig
	category live.Category
	missing  error
	embed    func(*Document) (t T, apply func(data []byte) error)

	mu   sync.Mutex // guards open
	open map[string]T
}

// maxWeight is how much memory the documents of a Store may take, in bytes.
const maxWeight = 64 << 20

// NewStore returns a Store. missing is the error for a document that does not exist. embed makes a
// document, and returns the function that applies its events.
func NewStore[T Kept](c StoreConfig, of live.Category, missing error, embed func(*Document) (T, func([]byte) error)) *Store[T] {
	return &Store[T]{config: c, category: of, missing: missing, embed: embed, open: map[string]T{}}
}

// New returns a document without events for the client of a context. It is not kept yet.
func (s *Store[T]) New(ctx context.Context, id string) (t T) {
	d := &Document{client: fair.ClientOf(ctx), config: s.config, category: s.category, id: id, Number: -1, changed: make(chan struct{}), asked: s.config.Time()}
	t, d.apply = s.embed(d)
	return t
}

// Get returns a document from memory or the log. The caller holds no slot.
func (s *Store[T]) Get(ctx context.Context, id string) (T, error) {
	t, ok := s.Loaded(id)
	if !ok {
		return s.load(ctx, id)
	}
	return t, t.document().catchUp(ctx)
}

// load loads a document from the log. It takes a slot, because loading a large document costs as much as
// answering its readers, and a client can ask for more documents than fit in memory.
func (s *Store[T]) load(ctx context.Context, id string) (t T, err error) {
	done, err := s.config.Slot(ctx)
	if err != nil {
		return t, err
	}
	defer done()
	if t, ok := s.Loaded(id); ok { // another request has loaded it
		return t, t.document().catchUp(ctx)
	}
	t = s.New(ctx, id)
	if err := t.document().reload(ctx); err != nil {
		return t, err
	}
	if t.document().Number < 0 {
		return t, s.missing
	}
	return s.Keep(ctx, t)
}

// Loaded returns a document from memory.
func (s *Store[T]) Loaded(id string) (t T, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok = s.open[id]
	return t, ok
}

// Keep keeps a document, or returns the one that is kept already. It then reads the events that
// came before Deliver knew of the document.
func (s *Store[T]) Keep(ctx context.Context, t T) (T, error) {
	t = s.add(t)
	return t, t.document().reload(ctx)
}

// add adds a document to those that are kept, unless it is there, and evicts others if they take too
// much memory.
func (s *Store[T]) add(t T) (same T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := t.document().id
	if known, ok := s.open[id]; ok {
		return known
	}
	s.open[id] = t
	s.evict(id)
	return t
}

// evict evicts documents until the rest fits into memory: of the client that has most there, the one
// that nobody was interested in for longest. It spares a new document. The caller holds mu.
func (s *Store[T]) evict(spared string) {
	sum, of := 0, map[string]int{} // by the widest network
	var list []weighed
	for id, t := range s.open {
		w := weigh(t)
		sum += w.bytes
		of[w.client] += w.bytes
		if id != spared && !w.busy {
			list = append(list, w)
		}
	}
	slices.SortFunc(list, func(a, b weighed) int { return a.asked.Compare(b.asked) })
	for sum > maxWeight && len(list) > 0 {
		i := 0
		for k, w := range list {
			if of[w.client] > of[list[i].client] {
				i = k
			}
		}
		w := list[i]
		list = slices.Delete(list, i, i+1)
		sum -= w.bytes
		of[w.client] -= w.bytes
		delete(s.open, w.document.id)
		w.document.evict()
	}
}

// evict tells those who follow the document that it has left memory.
func (d *Document) evict() {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.evicted = true
	d.Change()
}

// weighed is a document that may be evicted.
type weighed struct {
	document *Document
	bytes    int    // of memory, estimated
	client   string // the widest network of the client
	asked    time.Time
	busy     bool
}

// weigh estimates the memory of a document.
func weigh(t Kept) weighed {
	d := t.document()
	d.Mu.Lock()
	defer d.Mu.Unlock()
	const least = 8 << 10
	networks := fair.Networks(d.client)
	return weighed{d, least + 2*d.Bytes, networks[len(networks)-1], d.asked, t.Busy()}
}

// Len returns how many documents are in memory.
func (s *Store[T]) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

// Moderate evicts the document that a ruling hides or erases, so that streams of it end.
func (s *Store[T]) Moderate(r live.Ruling) {
	id, ok := strings.CutPrefix(r.Game, s.category.Stream(""))
	if !ok || r.Do == live.Show {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if t, ok := s.open[id]; ok {
		delete(s.open, id)
		t.document().evict()
	}
}

// Deliver applies an entry of the log, which another server may have written, to a document in
// memory. If entries before it are missing, the next Get reads the log.
func (s *Store[T]) Deliver(e live.Entry) {
	id, ok := strings.CutPrefix(e.Stream, s.category.Stream(""))
	if !ok {
		return
	}
	if t, ok := s.Loaded(id); ok {
		_ = t.document().deliver(e)
	}
}
