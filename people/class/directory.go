package class

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"quintet/live"
)

// Directory holds the records of all classes in memory, and follows their changes. It is safe for concurrent use.
type Directory struct {
	records live.Records
	log     *slog.Logger

	mu       sync.RWMutex               // guards the rest
	classes  map[string]Class           // by identifier
	codes    map[string]Member          // by the hash of the login code
	persons  map[string]Member          // by the person
	progress map[string]studentProgress // by the identifier of the student
}

// Member is a student of a class, by identifiers.
type Member struct{ Class, Student string }

// Open reads the classes from the records. Call Run to follow changes.
func Open(ctx context.Context, records live.Records, log *slog.Logger) (*Directory, error) {
	d := &Directory{records: records, log: log, classes: map[string]Class{}, codes: map[string]Member{}, persons: map[string]Member{}, progress: map[string]studentProgress{}}
	list, err := live.ReadRecords(ctx, records)
	if err != nil {
		return nil, fmt.Errorf("reading the classes: %w", err)
	}
	for _, r := range list {
		d.apply(r)
	}
	return d, nil
}

// Run follows the records until the context ends.
func (d *Directory) Run(ctx context.Context) {
	live.ApplyRecords(ctx, d.records, "the classes", d.log, d.apply)
}

// apply applies the record of a class or of the progress of a student, and ignores others.
func (d *Directory) apply(r live.Record) {
	if strings.HasPrefix(r.Key, progressPrefix) {
		d.applyProgress(r)
		return
	}
	if live.CategoryOf(r.Key) != live.ClassCategory {
		return
	}
	var c Class
	if err := json.Unmarshal(r.Data, &c); err != nil || live.ClassCategory.Stream(c.ID) != r.Key {
		d.log.Error("a class cannot be read", "key", r.Key, "error", err)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	old := d.classes[c.ID]
	if r.Revision <= old.revision {
		return
	}
	for _, s := range old.Students {
		delete(d.codes, s.Code)
		delete(d.persons, s.Person)
	}
	c.revision = r.Revision
	d.classes[c.ID] = c
	if c.Erasing || c.Erased {
		return
	}
	for _, s := range c.Students {
		d.persons[s.Person] = Member{c.ID, s.ID}
		if s.Code != "" { // students from a platform have none
			d.codes[s.Code] = Member{c.ID, s.ID}
		}
	}
}

// Class returns a class that is not erased.
func (d *Directory) Class(id string) (c Class, ok bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	c, ok = d.classes[id]
	return c, ok && !c.Erasing && !c.Erased
}

// All returns the classes that a function selects, the newest first. It includes
// those that are being erased.
func (d *Directory) All(which func(Class) bool) (list []Class) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for _, c := range d.classes {
		if !c.Erased && which(c) {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b Class) int { return cmp.Or(cmp.Compare(b.Created, a.Created), cmp.Compare(a.ID, b.ID)) })
	return list
}

// WithCode returns the student whose login code has the given hash.
func (d *Directory) WithCode(hash string) (Member, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	m, ok := d.codes[hash]
	return m, ok
}

// WhoIs returns the student behind a person's identifier.
func (d *Directory) WhoIs(person string) (Member, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	m, ok := d.persons[person]
	return m, ok
}

// Create stores a new class. The error wraps ErrMany if there are too many.
func (d *Directory) Create(ctx context.Context, c Class) error {
	all := d.All(func(Class) bool { return true })
	taught := slices.DeleteFunc(slices.Clone(all), func(o Class) bool { return o.Teacher != c.Teacher })
	if len(all) >= MaxClasses || len(taught) >= MaxTaught {
		return ErrMany
	}
	return d.put(ctx, c)
}

// put writes the record of a class, unless it has changed since it was read.
func (d *Directory) put(ctx context.Context, c Class) error {
	data, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("writing a class: %w", err)
	}
	key := live.ClassCategory.Stream(c.ID)
	revision, err := d.records.PutRecord(ctx, key, c.revision, data)
	if err != nil {
		return fmt.Errorf("writing a class: %w", err)
	}
	d.apply(live.Record{Key: key, Revision: revision, Data: data})
	return nil
}

// maxTries is how often Update tries while others change the class.
const maxTries = 20

// Update changes a class, unless change returns an error. It may call change several times. The error
// wraps ErrMissing if there is no such class.
func (d *Directory) Update(ctx context.Context, id string, change func(*Class) error) (err error) {
	for range maxTries {
		d.mu.RLock()
		c, ok := d.classes[id]
		d.mu.RUnlock()
		if !ok || c.Erased {
			return ErrMissing
		}
		c = c.clone()
		if err := change(&c); err != nil {
			return err
		}
		if err = d.put(ctx, c); !errors.Is(err, live.ErrStale) {
			return err
		}
		select { // the other change is being applied
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return err
}

// Part is a kind of record that belongs to a submission.
type Part live.Category

// The parts of a submission.
const (
	Files   Part = "files"   // as they were handed in
	Verdict Part = "verdict" // its existence means that the submission is judged
	Games   Part = "games"   // of a round of a league, see RoundID
)

// RoundID returns the identifier of a round of a submission.
func RoundID(submission string, round int) string { return fmt.Sprintf("%s_%d", submission, round) }

// Put writes a part of a submission once. The error wraps live.ErrStale if it exists already.
func (d *Directory) Put(ctx context.Context, p Part, submission string, data []byte) error {
	_, err := d.records.PutRecord(ctx, live.Category(p).Stream(submission), 0, data)
	return err //nolint:wrapcheck // it names the record
}

// Get returns a part of a submission; nil if there is none.
func (d *Directory) Get(ctx context.Context, p Part, submission string) ([]byte, error) {
	r, err := d.records.GetRecord(ctx, live.Category(p).Stream(submission))
	return r.Data, err //nolint:wrapcheck // it names the record
}

// Erase erases the parts of a submission: their records become empty.
func (d *Directory) Erase(ctx context.Context, n Submission) error {
	return errors.Join(d.erase(ctx, Files, n.ID), d.erase(ctx, Verdict, n.ID), d.EraseGames(ctx, n))
}

// EraseGames erases the games of the rounds of a submission, with one that the server may just have stored.
func (d *Directory) EraseGames(ctx context.Context, n Submission) (err error) {
	for round := 0; round <= n.Rounds && err == nil; round++ {
		err = d.erase(ctx, Games, RoundID(n.ID, round))
	}
	return err
}

func (d *Directory) erase(ctx context.Context, p Part, id string) error {
	key := live.Category(p).Stream(id)
	r, err := d.records.GetRecord(ctx, key)
	if err == nil && len(r.Data) > 0 {
		_, err = d.records.PutRecord(ctx, key, r.Revision, nil)
	}
	if err != nil {
		return fmt.Errorf("erasing a submission: %w", err)
	}
	return nil
}
