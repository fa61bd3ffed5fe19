// Package reviews computes reviews of games and keeps them in the log.
//
// A review is a stream of events of live.ReviewCategory: it is opened with the game, a
// server claims it, and appends the assessed moves in batches. Appends are conditional, so
// one of several servers does the work; if it falls silent, another claims the review
// and continues after the last batch. A review is computed once, and again only when
// the fingerprint of the engine has changed.
//
// Start with New. Open opens a review, and Get returns one. A jobs.Queue does the work
// while clients ask for the review, and at most a minute longer.
package reviews

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/live"
	"quintet/review"
	"quintet/serve/api"
	"quintet/serve/jobs"
)

// Config is what a Store needs. All fields but Cache must be set.
type Config struct {
	Log   live.Log
	Queue *jobs.Queue
	Name  string // of this server among those that share the log
	Now   func() live.Stamp
	Time  func() time.Time
	Warn  func(text string, about ...any)

	Cache *bots.Cache // shared with other engines; nil for none

	// Slot waits for a slot to replay the moves of a game, see api.Base.
	Slot func(ctx context.Context) (done func(), err error)

	// Searcher makes the search of a game.
	Searcher func(g game.Game) (engine.Searcher, error)
}

// Store keeps reviews. It is safe for concurrent use.
type Store struct {
	*api.Store[*Review]
	config Config

	mu      sync.Mutex        // guards engines
	engines map[string]string // fingerprints, by game
}

// The problems of a Store.
var (
	ErrMissing = api.Problemf(http.StatusNotFound, "missing", "there is no such review: use the address that you were given").WithReason("missing.review")
	ErrEmpty   = api.Invalid("moves", "the game has no moves to review").WithReason("review.empty")
)

// New returns a store.
func New(c Config) *Store {
	s := &Store{config: c, engines: map[string]string{}}
	s.Store = api.NewStore(api.StoreConfig{Log: c.Log, Now: c.Now, Time: c.Time, Slot: c.Slot}, live.ReviewCategory, ErrMissing, func(d *api.Document) (*Review, func([]byte) error) {
		r := &Review{Document: d, store: s}
		return r, r.apply
	})
	return s
}

// Open returns the review of a game for a client, and begins it if it is not done. If refuse is not
// nil, it may refuse the game. The error is a *live.Error if the game is invalid, ErrEmpty, or that
// of refuse, the slots, the queue or the log.
func (s *Store) Open(ctx context.Context, spec Spec, client string, refuse func(*game.Match) error) (*Review, error) {
	m, texts, err := s.replay(ctx, spec)
	switch {
	case err != nil:
		return nil, err
	case len(texts) == 0:
		return nil, ErrEmpty
	case refuse != nil:
		if err := refuse(m); err != nil {
			return nil, err
		}
	}
	spec = spec.normal(m, texts)
	id := spec.id()
	r, err := s.Store.Get(ctx, id)
	if errors.Is(err, ErrMissing) {
		if r, err = s.create(ctx, id, spec); errors.Is(err, live.ErrStale) { // another server was first
			r, err = s.Store.Get(ctx, id)
		}
	}
	if err != nil {
		return nil, err
	}
	return r, r.begin(ctx, client)
}

// replay plays the moves of a game for a request. They are returned in the notation of the library.
func (s *Store) replay(ctx context.Context, spec Spec) (m *game.Match, texts []string, err error) {
	if err := (api.Line{Moves: spec.Moves}).CheckLength(); err != nil {
		return nil, nil, err
	}
	done, err := s.config.Slot(ctx) // many moves take time
	if err != nil {
		return nil, nil, err
	}
	defer done()
	return spec.settings().Match()
}

// Get returns a review, and resumes it if it is not done.
func (s *Store) Get(ctx context.Context, id, client string) (*Review, error) {
	if len(id) != identifierLength {
		return nil, ErrMissing
	}
	r, err := s.Store.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if err = r.begin(ctx, client); errors.Is(err, jobs.ErrFull) || errors.Is(err, jobs.ErrClient) {
		err = nil // it stays as it is
	}
	return r, err
}

// create writes the first event of a review.
func (s *Store) create(ctx context.Context, id string, spec Spec) (*Review, error) {
	fingerprint, err := s.fingerprint(ctx, spec.Game)
	if err != nil {
		return nil, err
	}
	r := s.New(ctx, id)
	if err := r.append(ctx, opened, event{Spec: &spec, Engine: fingerprint}); err != nil {
		return nil, err
	}
	return s.Keep(ctx, r)
}

// fingerprint returns the fingerprint of a game's search and of the limits of reviews.
func (s *Store) fingerprint(ctx context.Context, name string) (string, error) {
	s.mu.Lock()
	known := s.engines[name]
	s.mu.Unlock()
	if known != "" {
		return known, nil
	}
	g, err := games.ByName(name)
	if err != nil {
		return "", err
	}
	text, err := bots.Fingerprint(ctx, g, s.config.Cache)
	if err != nil {
		return "", fmt.Errorf("reading the fingerprint of the engine: %w", err)
	}
	text += fmt.Sprintf(" %d %.6f", limit(name).Nodes, review.Chance(name, 100)) // marks depend on them
	s.mu.Lock()
	defer s.mu.Unlock()
	s.engines[name] = text
	return text, nil
}
