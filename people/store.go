package people

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

// Store holds all accounts in memory, and follows their records. It is safe for concurrent use.
// A write returns once the Store has applied it, so that callers can read what they wrote.
type Store struct {
	records live.Records
	now     func() time.Time
	log     *slog.Logger
	visits  Visits // of accounts

	mu         sync.RWMutex       // guards the rest
	accounts   map[string]Account // by identifier
	names      map[string]string  // identifiers of accounts by the skeleton of the name
	guests     map[string]string  // identifiers of accounts by those of their guests
	grants     map[string]string  // identifiers of accounts by the hash of a session or token
	reports    map[string]Report  // by key
	notes      map[string]live.Record
	challenges map[string]Challenge // by key
	undone     map[string]uint64    // revisions of records without an account
	revision   uint64               // the latest applied
	changed    chan struct{}        // closed and replaced when a record is applied
}

// Open reads the accounts from the records. Call Run to follow changes.
func Open(ctx context.Context, records live.Records, now func() time.Time, log *slog.Logger) (*Store, error) {
	s := &Store{
		records: records, now: now, log: log, accounts: map[string]Account{}, names: map[string]string{},
		guests: map[string]string{}, grants: map[string]string{}, undone: map[string]uint64{}, changed: make(chan struct{}), reports: map[string]Report{}, notes: map[string]live.Record{}, challenges: map[string]Challenge{},
	}
	list, err := live.ReadRecords(ctx, records)
	if err != nil {
		return nil, fmt.Errorf("reading the accounts: %w", err)
	}
	for _, r := range list {
		s.apply(r)
	}
	return s, nil
}

// Change is what Run says of an account that has changed.
type Change struct {
	Shown    bool // another name or other guests, or fewer sessions or tokens
	Vacation bool // other vacations
}

// Run follows the records until the context ends. It calls changed with each account that has changed.
func (s *Store) Run(ctx context.Context, changed func(Account, Change)) {
	live.ApplyRecords(ctx, s.records, "the accounts", s.log, func(r live.Record) {
		if a, c := s.apply(r); c != (Change{}) {
			changed(a, c)
		}
	})
}

// apply applies a record, and returns what Run must announce. It ignores records
// of other categories, and the one without a key, which follows the initial ones.
func (s *Store) apply(r live.Record) (a Account, c Change) {
	if !ownKey(r.Key) {
		return a, c
	}
	if apply := s.applyOther(r.Key); apply != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		apply(r)
		s.applied(r.Revision)
		return a, c
	}
	if err := json.Unmarshal(r.Data, &a); err != nil || a.ID != r.Key {
		s.log.Error("an account cannot be read", "id", r.Key, "error", err)
		return a, c
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.accounts[a.ID]
	if r.Revision <= max(old.revision, s.undone[a.ID]) {
		return a, c
	}
	a.revision = r.Revision
	s.unlink(old)
	delete(s.undone, a.ID)
	if a.Undone {
		s.undone[a.ID] = r.Revision
	} else {
		s.link(a)
	}
	s.applied(r.Revision)
	return a, Change{
		Shown:    old.Name != a.Name || len(old.Guests) != len(a.Guests) || len(old.Grants) > len(a.Grants),
		Vacation: !slices.Equal(old.Vacations, a.Vacations),
	}
}

// applyOther returns the function that applies a record that is no account; nil for accounts.
func (s *Store) applyOther(key string) func(live.Record) {
	switch {
	case strings.HasPrefix(key, reportKey):
		return s.applyReport
	case strings.HasPrefix(key, challengeKey):
		return s.applyChallenge
	case strings.HasPrefix(key, NotePrefix):
		return s.applyNote
	}
	return nil
}

// applied wakes those who wait for a record. The caller holds mu.
func (s *Store) applied(revision uint64) {
	s.revision = max(s.revision, revision)
	close(s.changed)
	s.changed = make(chan struct{})
}

// unlink removes an account from the maps. The caller holds mu.
func (s *Store) unlink(a Account) {
	if key := live.Skeleton(a.Name); s.names[key] == a.ID {
		delete(s.names, key)
	}
	for _, g := range a.Guests {
		if s.guests[g] == a.ID {
			delete(s.guests, g)
		}
	}
	for _, g := range a.Grants {
		delete(s.grants, g.Hash)
	}
	delete(s.accounts, a.ID)
}

// link adds an account to the maps. If two accounts have the same name or guest, the one whose record
// came first keeps it, so that all servers agree. The caller holds mu.
func (s *Store) link(a Account) {
	s.accounts[a.ID] = a
	if key := live.Skeleton(a.Name); a.Name != "" && s.names[key] == "" {
		s.names[key] = a.ID
	}
	for _, g := range a.Guests {
		s.guests[g] = cmp.Or(s.guests[g], a.ID)
	}
	for _, g := range a.Grants {
		s.grants[g.Hash] = a.ID
	}
}

// wait waits until the Store has applied a revision.
func (s *Store) wait(ctx context.Context, revision uint64) error {
	for {
		s.mu.RLock()
		done, changed := s.revision >= revision, s.changed
		s.mu.RUnlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("waiting for the account to be read: %w", errors.Join(ctx.Err(), live.ErrUnknown))
		}
	}
}

// Account returns the account with an identifier, which may be that of one of its guests.
func (s *Store) Account(id string) (Account, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	a, ok := s.accounts[cmp.Or(s.guests[id], id)]
	return a, ok
}

// Named returns the account with a name, or with one that looks the same.
func (s *Store) Named(name string) (Account, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	a, ok := s.accounts[s.names[live.Skeleton(name)]]
	return a, ok
}

// List returns all accounts that are not erased, sorted by name.
func (s *Store) List() (list []Account) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, a := range s.accounts {
		if !a.Erased {
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(a, b Account) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	return list
}

// NameOf returns the name to show for a person: the account's name, or the name that the guest gave,
// or else GuestName.
func (s *Store) NameOf(id, given string) string {
	a, ok := s.Account(id)
	switch {
	case ok && a.Erased:
		return Deleted
	case ok:
		return a.Name
	}
	return cmp.Or(given, GuestName(id))
}

// Holder returns the account and the grant to which the secret of a session or token belongs.
func (s *Store) Holder(secret string) (a Account, g Grant, ok bool) {
	hash := hashSecret("grant", secret)
	s.mu.RLock()
	defer s.mu.RUnlock()
	a = s.accounts[s.grants[hash]]
	i := slices.IndexFunc(a.Grants, func(g Grant) bool { return g.Hash == hash })
	if i < 0 || a.Closed || a.Grants[i].expired(s.now()) {
		return Account{}, g, false
	}
	return a, a.Grants[i], true
}

// Create stores a new account. The error wraps ErrTaken if another account has the name or the
// identifier, and ErrMany if the server has MaxAccounts.
func (s *Store) Create(ctx context.Context, a Account) error {
	s.mu.RLock()
	_, taken := s.names[live.Skeleton(a.Name)]
	_, used := s.accounts[a.ID]
	used = used || s.guests[a.ID] != ""
	full, after := len(s.accounts) >= MaxAccounts, s.undone[a.ID]
	s.mu.RUnlock()
	switch {
	case taken || used:
		return ErrTaken
	case full:
		return ErrMany
	}
	if err := s.put(ctx, "an account", a.ID, after, a); err != nil {
		if errors.Is(err, live.ErrStale) { // a retry, or another request of the same guest
			return ErrTaken
		}
		return err
	}
	return s.keepName(ctx, a, Account{ID: a.ID, Undone: true})
}

// keepName checks that an account that was just written got its name. If another server gave the name
// away first, keepName restores the account to what it was before.
func (s *Store) keepName(ctx context.Context, a, before Account) error {
	if got, ok := s.Named(a.Name); ok && got.ID == a.ID {
		return nil
	}
	_, err := s.Update(ctx, a.ID, func(now *Account) error { *now = before; return nil })
	return errors.Join(ErrTaken, err)
}

// put writes a value as the record with a key, if the latest one has the revision after, and waits until the Store has
// applied it.
func (s *Store) put(ctx context.Context, what, key string, after uint64, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("writing %s: %w", what, err)
	}
	revision, err := s.records.PutRecord(ctx, key, after, data)
	if err != nil {
		return fmt.Errorf("writing %s: %w", what, err)
	}
	return s.wait(ctx, revision)
}

// maxTries is how often a change is tried while others change the same.
const maxTries = 20

// retry calls try until its error does not wrap live.ErrStale. Before it tries again, it waits until the Store has
// applied the other change.
func (s *Store) retry(ctx context.Context, try func() error) (err error) {
	const lost = time.Second // the other change was applied before
	for range maxTries {
		s.mu.RLock()
		changed := s.changed
		s.mu.RUnlock()
		if err = try(); !errors.Is(err, live.ErrStale) {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(lost):
		}
	}
	return err
}

// Update changes an account, unless change returns an error. It may call change several times. The
// error wraps ErrMissing if there is no such account.
func (s *Store) Update(ctx context.Context, id string, change func(*Account) error) (a Account, err error) {
	var refused error // is not tried again, whatever it wraps
	err = s.retry(ctx, func() error {
		s.mu.RLock()
		old, ok := s.accounts[id]
		s.mu.RUnlock()
		if !ok || old.Erased {
			a = Account{}
			return ErrMissing
		}
		a = old.clone()
		if refused = change(&a); refused != nil {
			a = old
			return nil //nolint:nilerr // Update returns it
		}
		return s.put(ctx, "an account", a.ID, old.revision, a)
	})
	return a, cmp.Or(err, refused)
}

// Rename changes the name of an account. The error wraps ErrTaken if another account has it.
func (s *Store) Rename(ctx context.Context, id, name string) error {
	if got, ok := s.Named(name); ok && got.ID != id {
		return ErrTaken
	}
	before := Account{}
	a, err := s.Update(ctx, id, func(a *Account) error { before = a.clone(); a.Name = name; return nil })
	if err != nil {
		return err
	}
	return s.keepName(ctx, a, before)
}

// Erase erases an account. Its identifiers remain, so that its games show Deleted.
func (s *Store) Erase(ctx context.Context, id string) error {
	if err := s.Settle(ctx, Report{Person: id}); err != nil {
		return err
	}
	_, err := s.Update(ctx, id, func(a *Account) error {
		*a = Account{ID: a.ID, Guests: a.Guests, Erased: true}
		return nil
	})
	if err != nil {
		return err
	}
	if err := EraseProgress(ctx, s.records, progressKey+id); err != nil {
		return fmt.Errorf("erasing the progress of an account: %w", err)
	}
	return nil
}
