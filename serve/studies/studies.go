// Package studies keeps studies: trees of variations with comments, which several people
// read and edit at the same time.
//
// A study is a stream of events of live.StudyCategory: it is opened with a game and the
// edits that make its first tree, and edited. An edit is appended only if the client knows
// the event before it, so none is lost; edits name nodes by identifiers, so that a client
// that was too late can usually send the same edits again.
//
// Start with New. Create makes a study, Get returns one, Study.Edit changes it.
package studies

import (
	"context"
	"net/http"
	"sync"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/serve/api"
)

// Config is what a Store needs. All fields must be set.
type Config struct {
	Log  live.Log
	Now  func() live.Stamp
	Time func() time.Time
}

// Store keeps studies. It is safe for concurrent use.
type Store struct {
	config Config

	mu      sync.Mutex // guards studies
	studies map[string]*Study
}

// The problems of a Store and its studies, besides those of edits.
var (
	ErrMissing = api.Problemf(http.StatusNotFound, "missing", "there is no such study, or it is private: use the address that you were given").WithReason("missing.study")
	ErrFull    = api.Problemf(http.StatusConflict, string(live.CodeMany), "the study is full: it may have %d nodes, %d events and %d MB", MaxNodes, MaxEvents, MaxBytes>>20).WithReason("study.full")
	ErrBusy    = api.Busy(5, "too many studies are open: try again in a moment")
)

// idleTimeout is how long a study stays in memory after it was last requested.
const idleTimeout = time.Minute

// maxWeight is how much memory studies may take, in bytes.
const maxWeight = 64 << 20

// New returns a store.
func New(c Config) *Store { return &Store{config: c, studies: map[string]*Study{}} }

// Draft is a new study.
type Draft struct {
	Game     string
	Options  game.Setup
	Position string
	Edits    []Edit // that make the first tree, title and visibility
	Key      string // that allows edits
	Request  string // hash of the request with its idempotency key; "" without one
}

// Create makes a study. The error is a *live.Error if the game or the position is invalid,
// one of Study.Edit, or wraps live.ErrStale if there is a study with this identifier.
func (s *Store) Create(ctx context.Context, id string, d Draft) (*Study, error) {
	set := live.Settings{Game: d.Game, Options: d.Options, Position: d.Position}
	m, _, err := set.Match()
	if err != nil {
		return nil, err
	}
	study := newStudy(s, id)
	study.game, study.start = m.Game(), m.Start()
	for i, e := range d.Edits {
		if err := e.check(); err != nil {
			return nil, numbered(i, err)
		}
	}
	edits, err := study.prepare(d.Edits)
	if err != nil {
		return nil, err
	}
	first := event{Game: d.Game, Options: set.Setup(), Position: m.Start().String(), Key: live.HashSecret(d.Key), Request: d.Request, Edits: edits}
	study.appending.Lock()
	defer study.appending.Unlock()
	if err := study.append(ctx, first, opened); err != nil {
		return nil, err
	}
	return s.keep(study)
}

// Get returns a study. The error is ErrMissing, ErrBusy, or one of the log.
func (s *Store) Get(ctx context.Context, id string) (*Study, error) {
	s.mu.Lock()
	study := s.studies[id]
	s.mu.Unlock()
	if study != nil {
		return study, study.catchUp(ctx)
	}
	study = newStudy(s, id)
	if err := study.reload(ctx); err != nil {
		return nil, err
	}
	if study.number < 0 {
		return nil, ErrMissing
	}
	study, err := s.keep(study)
	if err != nil {
		return nil, err
	}
	return study, study.reload(ctx) // what came before Deliver knew of it
}

// keep remembers a study, or returns the one that is remembered already. It forgets idle
// ones if they take too much memory.
func (s *Store) keep(study *Study) (*Study, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.studies[study.id]; known != nil {
		return known, nil
	}
	sum := study.weight()
	for _, old := range s.studies {
		sum += old.weight()
	}
	for id, old := range s.studies {
		if sum > maxWeight && old.idle() {
			sum -= old.weight()
			delete(s.studies, id)
		}
	}
	if sum > maxWeight {
		return nil, ErrBusy
	}
	s.studies[study.id] = study
	return study, nil
}

// Len returns how many studies are in memory.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.studies)
}

// Deliver takes an entry of the log that another server may have written. An entry that
// does not follow is left to the next reading of the log.
func (s *Store) Deliver(e live.Entry) {
	if live.CategoryOf(e.Stream) != live.StudyCategory {
		return
	}
	s.mu.Lock()
	study := s.studies[tableID(e.Stream)]
	s.mu.Unlock()
	if study != nil {
		_ = study.deliver(e)
	}
}
