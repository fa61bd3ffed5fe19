package live

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ModerationStream is the identifier under which a log keeps the rulings of its
// operators, so that rebuilt lists, restored backups and all servers of a cluster apply
// them. No game has it: identifiers of games have 12 characters.
const ModerationStream = "moderation"

// Ruling hides a game, a study or a name from everybody, shows it again, or erases it, see
// EraseStream and EraseName.
type Ruling struct {
	Do     RulingVerb `json:"do"`
	Game   string     `json:"game,omitempty"`   // identifier, or the stream of a study or a review; one of Game and Name is set, or neither if names are erased
	Name   string     `json:"name,omitempty"`   // of a player, and of all names that look like it; never an erased one
	Wall   int64      `json:"time"`             // time of day, milliseconds since 1970
	Erased []Erasure  `json:"erased,omitempty"` // by this ruling
	By     string     `json:"by,omitempty"`     // identifier of the moderator's account; none for an operator
	Why    string     `json:"why,omitempty"`    // one of a few words, see people.Reasons
}

// RulingVerb is what a ruling does.
type RulingVerb string

// The verbs of rulings.
const (
	Hide  RulingVerb = "hide"
	Show  RulingVerb = "show"
	Erase RulingVerb = "erase"
	Lost  RulingVerb = "lost" // a repair lists the events that the disk has lost; this hides nothing
)

// Check returns an error if the ruling is invalid.
func (r Ruling) Check() error {
	switch {
	case r.Do == Erase && r.Name == "", r.Do == Lost: // a game, or names
		return nil
	case r.Do != Hide && r.Do != Show:
		return fmt.Errorf("ruling %q: expected hide or show", r.Do)
	case (r.Game == "") == (r.Name == ""):
		return errors.New("a ruling is on either a game or a name")
	case sameName(r.Name, Anonymous):
		return fmt.Errorf("%q cannot be hidden: it stands for hidden names", r.Name)
	case r.Name != "":
		return checkName(r.Name)
	}
	return nil
}

// Known reports whether this version knows what the ruling does.
func (r Ruling) Known() bool {
	return (r.Do == Hide || r.Do == Show) && (r.Game != "" || r.Name != "") || r.Do == Erase
}

// ReadRuling decodes a ruling of the log. Those of newer servers need not be Known, and
// may have more fields, which do not change the meaning of those below.
func ReadRuling(data []byte) (r Ruling, err error) {
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("reading a ruling: %w", err)
	}
	if !r.Known() {
		return r, nil
	}
	return r, r.Check()
}

// Encode returns the ruling in the form that logs keep.
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

// Anonymous is shown for players without a name and for hidden names.
const Anonymous = "Anonymous"

// sameName reports whether two names look alike.
func sameName(a, b string) bool { return Skeleton(a) == Skeleton(b) }

// key is the same for all rulings on one game or name.
func (r Ruling) key() string {
	if r.Game != "" {
		return "game " + r.Game
	}
	return "name " + Skeleton(r.Name)
}

// Hidden is the set of hidden games and names: the fold of all rulings. The zero value is
// empty. What is erased is hidden for good. It is not safe for concurrent use.
type Hidden struct {
	rulings map[string]Ruling
	seqs    map[uint64]string // the keys of the rulings, by their numbers in the log
}

// Apply applies the next ruling, whose sequence number is seq. It skips those that are not Known.
func (h *Hidden) Apply(r Ruling, seq uint64) {
	if h.rulings == nil {
		h.rulings, h.seqs = map[string]Ruling{}, map[uint64]string{}
	}
	for _, e := range r.Erased { // a ruling on a name that is erased
		if key, ok := h.seqs[e.Seq]; ok && e.Stream == ModerationStream {
			delete(h.rulings, key)
		}
	}
	r.Erased = nil
	key := r.key()
	switch {
	case !r.Known() || h.rulings[key].Do == Erase || r.Game == "" && r.Name == "":
	case r.Do == Show:
		delete(h.rulings, key)
	default:
		h.rulings[key] = r
		h.seqs[seq] = key
	}
}

// Has reports whether the game or name of a ruling is hidden.
func (h *Hidden) Has(r Ruling) bool {
	if len(h.rulings) == 0 {
		return false
	}
	_, ok := h.rulings[r.key()]
	return ok
}

// List returns the rulings in force, the oldest first.
func (h *Hidden) List() []Ruling {
	return slices.SortedFunc(maps.Values(h.rulings), func(a, b Ruling) int {
		return cmp.Or(cmp.Compare(a.Wall, b.Wall), cmp.Compare(a.key(), b.key()))
	})
}

// Rulings returns what a log's rulings hide, and the sequence number of the last one.
func Rulings(ctx context.Context, l Log) (h Hidden, last uint64, err error) {
	list, err := l.Read(ctx, ModerationStream)
	if err != nil {
		return h, 0, fmt.Errorf("reading the operators' rulings: %w", err)
	}
	for _, e := range list {
		r, err := ReadRuling(e.Data)
		if err != nil {
			return h, 0, fmt.Errorf("reading the operators' rulings: %w: %w", err, ErrBroken)
		}
		h.Apply(r, e.Seq)
		last = e.Seq
	}
	return h, last, nil
}

// Moderate appends a ruling unless it changes nothing, and reports whether it did. A game
// to hide must exist. It does not erase what a ruling lists, see Log.Erase.
func Moderate(ctx context.Context, l Log, r Ruling) (changed bool, err error) {
	data, err := r.Encode()
	if err != nil {
		return false, err
	}
	if r.Game != "" && r.Do == Hide {
		if list, err := l.Read(ctx, r.Game); err != nil || len(list) == 0 {
			return false, errors.Join(err, missing(r.Game))
		}
	}
	for {
		h, last, err := Rulings(ctx, l)
		switch {
		case err == nil && r.Do == Show && h.rulings[r.key()].Do == Erase:
			return false, fmt.Errorf("%s was erased: nothing is left to show", r.Game)
		case err != nil || r.Do != Erase && h.Has(r) == (r.Do == Hide):
			return false, err
		}
		if _, err = l.Append(ctx, ModerationStream, last, data); !errors.Is(err, ErrStale) {
			return err == nil, err
		}
	}
}

// missing is the error of a game, a study or a review that is not in the log.
func missing(stream string) error {
	category := CategoryOf(stream)
	return fmt.Errorf("there is no %s %q", category, strings.TrimPrefix(stream, category.Stream("")))
}

// Names decide under which names a table shows people.
type Names struct {
	Of    func(person, given string) string // returns the name of a guest or an account, given the name that a guest chose; nil shows that one
	Hides func(name string) bool            // hidden names are shown as Anonymous; nil hides none
}

// Show returns a player as the public sees them.
func (n Names) Show(p Player) Player {
	p = n.named(p)
	if n.Hides != nil && p.Engine == "" && p.Joined() && n.Hides(p.Name) {
		p.Name = Anonymous
	}
	return p
}

// named returns a player under the person's current name.
func (n Names) named(p Player) Player {
	if p.Person != "" && n.Of != nil {
		p.Name = n.Of(p.Person, p.Name)
	}
	if p.Person != "" {
		p.Name = cmp.Or(p.Name, Anonymous)
	}
	return p
}

// Mask sets how Player shows people.
func (t *Table) Mask(names Names) { t.names = names }

// Involves reports whether a ruling is about the table or one of its players.
func (t *Table) Involves(r Ruling) bool {
	if r.Name == "" {
		return r.Game == t.id || slices.ContainsFunc(r.Erased, func(e Erasure) bool { return e.Stream == t.id })
	}
	return slices.ContainsFunc(t.players[:], func(p Player) bool { return sameName(r.Name, t.names.named(p).Name) })
}

// HasPlayer reports whether one of these people has a seat.
func (t *Table) HasPlayer(people []string) bool {
	return slices.ContainsFunc(t.players[:], func(p Player) bool { return p.Person != "" && slices.Contains(people, p.Person) })
}
