package tournaments

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"

	"quintet/live"
	"quintet/serve/api"
)

// Record is the record of a tournament: its title, which must be erasable, and what the lobby shows when the
// tournament is over. The record of a tournament that has left the list keeps only its identifier.
type Record struct {
	ID       string   `json:"id"`
	Title    string   `json:"title,omitempty"`
	Made     int64    `json:"made,omitempty"` // time of day, milliseconds since 1970
	Settings Settings `json:"settings,omitzero"`
	Over     *Summary `json:"over,omitempty"` // nil until it is over
	Gone     bool     `json:"gone,omitempty"`

	revision uint64
}

// Summary is how a tournament ended.
type Summary struct {
	At      int64    `json:"at"`
	Why     string   `json:"why"`
	Players int      `json:"players"`
	Podium  []string `json:"podium,omitempty"` // identifiers of the first three
	Placed  []Placed `json:"placed,omitempty"` // of a tournament of a series
}

// Directory holds the records of all tournaments in memory, and follows their changes. It is safe for concurrent use.
type Directory struct {
	records live.Records
	log     *slog.Logger

	mu  sync.RWMutex // guards all
	all map[string]Record
}

// Open reads the records. Call Run to follow changes.
func Open(ctx context.Context, records live.Records, log *slog.Logger) (*Directory, error) {
	d := &Directory{records: records, log: log, all: map[string]Record{}}
	list, err := live.ReadRecords(ctx, records)
	if err != nil {
		return nil, fmt.Errorf("reading the tournaments: %w", err)
	}
	for _, r := range list {
		d.apply(r)
	}
	return d, nil
}

// Run follows the records until the context ends.
func (d *Directory) Run(ctx context.Context) {
	live.ApplyRecords(ctx, d.records, "the tournaments", d.log, d.apply)
}

// apply applies the record of a tournament, and ignores others.
func (d *Directory) apply(r live.Record) {
	if live.CategoryOf(r.Key) != live.TournamentCategory {
		return
	}
	var t Record
	if err := json.Unmarshal(r.Data, &t); err != nil || live.TournamentCategory.Stream(t.ID) != r.Key {
		d.log.Error("a tournament cannot be read", "key", r.Key, "error", err)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if t.revision = r.Revision; t.revision > d.all[t.ID].revision {
		d.all[t.ID] = t
	}
}

// get returns a tournament that is shown.
func (d *Directory) get(id string) (t Record, ok bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	t, ok = d.all[id]
	return t, ok && !t.Gone
}

// list returns the tournaments that a function selects, the newest first.
func (d *Directory) list(which func(Record) bool) (list []Record) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for _, t := range d.all {
		if !t.Gone && which(t) {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b Record) int { return cmp.Or(cmp.Compare(b.Made, a.Made), cmp.Compare(a.ID, b.ID)) })
	return list
}

// create stores a new tournament, unless there are too many. If MaxKept are shown, the oldest that is over leaves.
func (d *Directory) create(ctx context.Context, t Record) error {
	all := d.list(func(Record) bool { return true })
	open, hosted := 0, 0
	var oldest *Record
	latest := slices.IndexFunc(all, func(o Record) bool { return t.Settings.sharesSeries(o.Settings) }) // earlier versions mixed forms
	if latest >= 0 && !t.Settings.sharesPoints(all[latest].Settings) {
		return invalid("series", fmt.Errorf("the latest tournament of the series %q has the form %q, which awards other points: choose that form, or another name", t.Settings.Series, all[latest].Settings.Form))
	}
	for i, o := range all {
		switch {
		case o.Over != nil:
			oldest = &all[i]
		case o.Settings.Host == t.Settings.Host:
			hosted++
			fallthrough
		default:
			open++
		}
	}
	switch {
	case hosted >= MaxHosted:
		return many("you already have %d open tournaments: end one of them first", hosted)
	case open >= MaxOpen:
		return many("this server has too many open tournaments: try again later")
	case len(all) >= MaxKept && oldest != nil:
		if err := d.put(ctx, Record{ID: oldest.ID, Gone: true, revision: oldest.revision}); err != nil && !errors.Is(err, live.ErrStale) {
			return err
		}
	}
	return d.put(ctx, t)
}

func many(format string, args ...any) error {
	return api.Problemf(http.StatusConflict, string(live.CodeMany), format, args...).WithReason("tournament.state")
}

// put writes a record, unless it has changed since it was read: then the error wraps live.ErrStale.
func (d *Directory) put(ctx context.Context, t Record) error {
	data, err := json.Marshal(t)
	if err != nil {
		return fmt.Errorf("writing a tournament: %w", err)
	}
	key := live.TournamentCategory.Stream(t.ID)
	revision, err := d.records.PutRecord(ctx, key, t.revision, data)
	if err != nil {
		return fmt.Errorf("writing a tournament: %w", err)
	}
	d.apply(live.Record{Key: key, Revision: revision, Data: data})
	return nil
}
