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
	"errors"
	"net/http"

	"quintet/live"
	"quintet/serve/api"
)

// Store keeps studies. It is safe for concurrent use.
type Store struct{ *api.Store[*Study] }

// The problems of a Store and its studies, besides those of edits.
var (
	ErrMissing = api.Problemf(http.StatusNotFound, "missing", "there is no such study, or it is private: use the address that you were given").WithReason("missing.study")
	ErrFull    = api.Problemf(http.StatusConflict, string(live.CodeMany), "the study is full: it may have %d nodes, %d events and %d MB: download it, and make a new study of what you need", MaxNodes, MaxEvents, MaxBytes>>20).WithReason("study.full")
)

// New returns a store.
func New(c api.StoreConfig) Store {
	return Store{api.NewStore(c, live.StudyCategory, ErrMissing, newStudy)}
}

// Create makes a study. The error is a *live.Error if the game or the position is invalid,
// one of Study.Edit, or wraps live.ErrStale if there is a study with this identifier.
func (s Store) Create(ctx context.Context, id string, d Draft) (*Study, error) {
	set := live.Settings{Game: d.Game, Options: d.Options, Position: d.Position}
	m, _, err := set.Match()
	if err != nil {
		return nil, err
	}
	study := s.New(ctx, id)
	study.game, study.start = m.Game(), m.Start()
	for i, e := range d.Edits {
		if err := e.check(); err != nil {
			return nil, drafted(i, err)
		}
	}
	edits, err := study.prepare(d.Edits, drafted)
	if err != nil {
		return nil, err
	}
	d.Options, d.Position, d.Edits = set.Setup(), m.Start().String(), edits
	study.Appending.Lock()
	defer study.Appending.Unlock()
	if err := study.append(ctx, opened, d); err != nil {
		return nil, err
	}
	return s.Keep(ctx, study)
}

// drafted removes the field from the problem of an edit of a draft: the client has sent no edits.
func drafted(_ int, err error) error {
	if p, ok := errors.AsType[*api.Problem](err); ok && p.Field == "edits" {
		return p.InField("")
	}
	return err
}
