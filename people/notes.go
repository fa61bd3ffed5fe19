package people

import (
	"context"
	"fmt"
	"strings"

	"quintet/live"
)

// NotePrefix begins the keys of records that are not about people: the Store keeps them for other packages.
const NotePrefix = "seek"

// applyNote applies such a record. The caller holds mu.
func (s *Store) applyNote(r live.Record) {
	if r.Revision > s.notes[r.Key].Revision {
		s.notes[r.Key] = r
	}
}

// Notes returns the latest record of each key that begins with NotePrefix.
func (s *Store) Notes() map[string]live.Record {
	s.mu.RLock()
	defer s.mu.RUnlock()
	list := make(map[string]live.Record, len(s.notes))
	for key, r := range s.notes {
		list[key] = r
	}
	return list
}

// PutNote writes a record whose key begins with NotePrefix, on the conditions of live.Records, and waits until the
// Store has applied it.
func (s *Store) PutNote(ctx context.Context, key string, after uint64, data []byte) (revision uint64, err error) {
	if !strings.HasPrefix(key, NotePrefix) {
		return 0, fmt.Errorf("writing record %s: expected a key that begins with %s", key, NotePrefix)
	}
	if revision, err = s.records.PutRecord(ctx, key, after, data); err != nil {
		return 0, fmt.Errorf("writing record %s: %w", key, err)
	}
	return revision, s.wait(ctx, revision)
}
