package live

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ModerationTable is the table of a log that keeps the rulings of its operators. It is
// in the log so that a rebuilt list, a restored backup and every server of a cluster
// apply them. No game can have this identifier: games have 12 characters.
const ModerationTable = "moderation"

// Ruling hides a game or a name from everybody, or shows it again.
type Ruling struct {
	Do   RulingVerb `json:"do"`
	Game string     `json:"game,omitempty"` // identifier; either Game or Name is set
	Name string     `json:"name,omitempty"` // of a player, in any case of letters
	Wall int64      `json:"time"`           // time of day, milliseconds since 1970
}

// RulingVerb is what a ruling does.
type RulingVerb string

// The verbs of rulings.
const (
	Hide RulingVerb = "hide"
	Show RulingVerb = "show"
)

// Check returns an error that says what would be right, if there is no such ruling.
func (r Ruling) Check() error {
	switch {
	case r.Do != Hide && r.Do != Show:
		return fmt.Errorf("ruling %q: want hide or show", r.Do)
	case (r.Game == "") == (r.Name == ""):
		return errors.New("a ruling: want either a game or a name")
	case r.Name != "":
		return checkName(r.Name)
	}
	return nil
}

// ReadRuling reads a ruling as the log has it.
func ReadRuling(data []byte) (r Ruling, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return r, fmt.Errorf("reading a ruling: %w", err)
	}
	return r, r.Check()
}

// Encode writes a ruling as the log has it.
func (r Ruling) Encode() ([]byte, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	data, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("writing a ruling: %w", err)
	}
	return data, nil
}

// key is the same for all rulings on one game or name.
func (r Ruling) key() string {
	if r.Game != "" {
		return "game " + r.Game
	}
	return "name " + strings.ToLower(r.Name)
}

// Hidden is what is hidden now: the fold of all rulings. Its zero value hides nothing.
// It is not safe for concurrent use.
type Hidden struct{ rulings map[string]Ruling }

// Apply takes in the next ruling.
func (h *Hidden) Apply(r Ruling) {
	if h.rulings == nil {
		h.rulings = map[string]Ruling{}
	}
	if r.Do == Hide {
		h.rulings[r.key()] = r
	} else {
		delete(h.rulings, r.key())
	}
}

// Has reports whether what a ruling is about is hidden.
func (h *Hidden) Has(r Ruling) bool {
	_, ok := h.rulings[r.key()]
	return ok
}

// List returns the rulings that hold, the oldest first.
func (h *Hidden) List() []Ruling {
	return slices.SortedFunc(maps.Values(h.rulings), func(a, b Ruling) int {
		return cmp.Or(cmp.Compare(a.Wall, b.Wall), cmp.Compare(a.key(), b.key()))
	})
}
