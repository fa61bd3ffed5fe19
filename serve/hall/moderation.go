package hall

import (
	"sync"

	"quintet/live"
)

// moderation is what operators have hidden, by the rulings read from the log.
type moderation struct {
	mu     sync.RWMutex // guards the rest
	hidden live.Hidden
	seq    uint64 // of the last ruling
}

// apply applies an entry of the log, and reports whether it is a new ruling that this version
// knows.
func (m *moderation) apply(e live.Entry) (r live.Ruling, is bool) {
	r, err := live.ReadRuling(e.Data)
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil || e.Seq <= m.seq {
		return r, false
	}
	m.hidden.Apply(r, e.Seq)
	m.seq = e.Seq
	return r, r.Known()
}

// LastRuling returns the sequence number of the last ruling that was applied.
func (m *moderation) LastRuling() uint64 {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.seq
}

// HidesGame reports whether operators have hidden a game.
func (m *moderation) HidesGame(id string) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.hidden.Has(live.Ruling{Game: id})
}

// HidesName reports whether operators have hidden a name.
func (m *moderation) HidesName(name string) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.hidden.Has(live.Ruling{Name: name})
}

// NewTable returns an empty table that does not show hidden names.
func (h *Hall) NewTable(id string) *live.Table {
	t := live.New(id)
	t.Mask(h.HidesName)
	return t
}

// moderate applies a ruling. It closes the rooms that the ruling concerns, because their
// messages contain names; their watchers reconnect and receive what may be shown.
func (h *Hall) moderate(e live.Entry) {
	ruling, is := h.apply(e)
	if !is {
		return
	}
	for _, r := range h.all() {
		if r.View(func(t *live.Table) bool { return t.Involves(ruling) }) {
			h.remove(r.id, r)
			r.close()
		}
	}
}
