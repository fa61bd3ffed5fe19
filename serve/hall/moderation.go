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

	renamed uint64 // how often an account has changed its name, or the guests whose games it has
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

// NamesVersion returns a number that changes whenever people may be shown under other names.
func (m *moderation) NamesVersion() uint64 {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.seq + m.renamed
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

// Names returns how people are shown.
func (h *Hall) Names() live.Names { return live.Names{Of: h.config.NameOf, Hides: h.HidesName} }

// NewTable returns an empty table that shows the names of accounts and does not show hidden names.
func (h *Hall) NewTable(id string) *live.Table {
	t := live.New(id)
	t.Mask(h.Names())
	return t
}

// moderate applies a ruling. It closes the rooms that the ruling concerns, because their
// messages contain names; their watchers reconnect and receive what may be shown.
func (h *Hall) moderate(e live.Entry) {
	ruling, is := h.apply(e)
	if !is {
		return
	}
	h.closeRooms(func(t *live.Table) bool { return t.Involves(ruling) })
}

// Renamed closes the rooms of people who have another name now, because messages contain names.
func (h *Hall) Renamed(people []string) {
	h.moderation.mu.Lock()
	h.renamed++
	h.moderation.mu.Unlock()
	h.closeRooms(func(t *live.Table) bool { return t.HasPlayer(people) })
}

// closeRooms closes the rooms with some tables. Their watchers reconnect.
func (h *Hall) closeRooms(with func(*live.Table) bool) {
	for _, r := range h.all() {
		if r.View(with) {
			h.remove(r.id, r)
			r.close()
		}
	}
}
