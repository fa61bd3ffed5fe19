package live

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
)

// Memory is a Log in memory, for tests and servers without a disk.
type Memory struct {
	mu        sync.Mutex // guards all below
	entries   []Entry    // one without a stream is erased
	streams   map[string][]Entry
	heartbeat Heartbeat
	secrets   map[SecretName][]byte
	records   []Record      // the latest of each key, by revision
	revision  uint64        // of the latest record
	grown     chan struct{} // closed and replaced when entries or records are added
}

var _ Log = (*Memory)(nil)

// NewMemory returns an empty log.
func NewMemory() *Memory {
	return &Memory{streams: map[string][]Entry{}, secrets: map[SecretName][]byte{}, grown: make(chan struct{})}
}

// Append implements Log.
func (m *Memory) Append(ctx context.Context, stream string, after uint64, data []byte) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("appending to %s: %w", stream, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if last := m.last(stream); last != after {
		return 0, fmt.Errorf("appending to %s after %d, where the last is %d: %w", stream, after, last, ErrStale)
	}
	e := Entry{Stream: stream, Seq: uint64(len(m.entries)) + 1, Data: bytes.Clone(data)}
	m.entries, m.streams[stream] = append(m.entries, e), append(m.streams[stream], e)
	close(m.grown)
	m.grown = make(chan struct{})
	return e.Seq, nil
}

// last returns the number of the last event of a stream. The caller holds mu.
func (m *Memory) last(stream string) uint64 {
	list := m.streams[stream]
	if len(list) == 0 {
		return 0
	}
	return list[len(list)-1].Seq
}

// Read implements Log. The caller must not change the list.
func (m *Memory) Read(_ context.Context, stream string) (list []Entry, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clip(m.streams[stream]), nil
}

// Follow implements Log.
func (m *Memory) Follow(ctx context.Context, after uint64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for {
			list, grown := m.since(after)
			for _, e := range list {
				if ctx.Err() != nil || e.Stream != "" && !yield(e, nil) {
					return
				}
				after = e.Seq
			}
			select {
			case <-ctx.Done():
				return
			case <-grown:
			}
		}
	}
}

func (m *Memory) since(after uint64) ([]Entry, chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	after = min(after, uint64(len(m.entries)))
	return m.entries[after:], m.grown
}

// Last implements Log.
func (m *Memory) Last(context.Context) (uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return uint64(len(m.entries)), nil
}

// Erase implements Log.
func (m *Memory) Erase(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	entries := slices.Clone(m.entries) // a follower may have the slice
	for _, e := range m.entries {
		if e.Stream != ModerationStream {
			continue
		}
		r, err := ReadRuling(e.Data)
		if err != nil {
			return err
		}
		for _, x := range r.Erased {
			entries[x.Seq-1] = Entry{Seq: x.Seq}
			if x.Event != nil {
				entries[x.Seq-1] = Entry{x.Stream, x.Seq, x.Event}
			}
		}
	}
	m.entries = entries
	clear(m.streams)
	for _, e := range entries {
		m.streams[e.Stream] = append(m.streams[e.Stream], e)
	}
	return nil
}

// WriteHeartbeat implements Log.
func (m *Memory) WriteHeartbeat(_ context.Context, after uint64, b Heartbeat) (uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if after != m.heartbeat.Seq {
		return 0, fmt.Errorf("writing a heartbeat after %d: %w: it has %d", after, ErrStale, m.heartbeat.Seq)
	}
	m.heartbeat = b
	m.heartbeat.Seq = after + 1
	return m.heartbeat.Seq, nil
}

// LastHeartbeat implements Log.
func (m *Memory) LastHeartbeat(context.Context) (Heartbeat, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.heartbeat, nil
}

// Secret implements Log.
func (m *Memory) Secret(_ context.Context, which SecretName, fresh []byte) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.secrets[which] == nil {
		m.secrets[which] = bytes.Clone(fresh)
	}
	return m.secrets[which], nil
}

// PutRecord implements Log.
func (m *Memory) PutRecord(ctx context.Context, key string, after uint64, data []byte) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("writing record %s: %w", key, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	at := slices.IndexFunc(m.records, func(r Record) bool { return r.Key == key })
	last := uint64(0)
	if at >= 0 {
		last = m.records[at].Revision
	}
	if last != after {
		return 0, fmt.Errorf("writing record %s after %d, where the last is %d: %w", key, after, last, ErrStale)
	}
	kept := slices.Clone(m.records) // a follower may be reading the slice
	if at >= 0 {
		kept = slices.Delete(kept, at, at+1)
	}
	m.revision++
	kept = append(kept, Record{key, m.revision, bytes.Clone(data)})
	m.records = kept
	close(m.grown)
	m.grown = make(chan struct{})
	return m.revision, nil
}

// GetRecord implements Log.
func (m *Memory) GetRecord(_ context.Context, key string) (r Record, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if at := slices.IndexFunc(m.records, func(r Record) bool { return r.Key == key }); at >= 0 {
		r = m.records[at]
	}
	return r, nil
}

// FollowRecords implements Log.
func (m *Memory) FollowRecords(ctx context.Context) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		after := uint64(0)
		for first := true; ; first = false {
			m.mu.Lock()
			list, grown := m.records, m.grown
			m.mu.Unlock()
			for _, r := range list {
				if r.Revision > after && !yield(r, nil) {
					return
				}
				after = max(after, r.Revision)
			}
			if first && !yield(Record{}, nil) {
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-grown:
			}
		}
	}
}
