package people_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quintet/live"
	"quintet/people"
)

// TestCheckName accepts names that can be part of a URL, and rejects deceptive ones.
func TestCheckName(t *testing.T) {
	for name, ok := range map[string]bool{
		"Anna": true, "Jürgen": true, "李明": true, "a-b": true, "Mr. X": false, "x2": true, "Green Door": true,
		"a": false, "": false, " anna": false, "anna ": false, "an  na": false, "an/na": false, "an\u200bna": false, "<b>": false, "@anna": false,
		strings.Repeat("x", 21): false, strings.Repeat("x", 20): true, "Admin": false, "аdmin": false, "level 3": false,
		"Green Heron": false, "green HERON": false, "GREEN Неron": false, "deleted": false, "a\xff": false,
	} {
		if err := people.CheckName(name); (err == nil) != ok {
			t.Errorf("CheckName(%q) = %v, want ok %t", name, err, ok)
		}
	}
}

// TestGuestName checks that a guest's name has two words, never changes, and usually differs from others.
func TestGuestName(t *testing.T) {
	seen := map[string]bool{}
	for i := range 1000 {
		id := people.GuestID(fmt.Sprint(i))
		name := people.GuestName(id)
		if len(strings.Fields(name)) != 2 || name != people.GuestName(id) || people.CheckName(name) == nil {
			t.Fatalf("the name of %s is %q", id, name)
		}
		seen[name] = true
	}
	if len(seen) < 800 {
		t.Errorf("1000 guests have %d names", len(seen))
	}
	id := people.GuestID("x")
	if n := testing.AllocsPerRun(100, func() { _ = people.GuestName(id) }); n > 2 { // the name itself, and the bytes of the identifier
		t.Errorf("a guest's name makes %g allocations", n)
	}
	for _, id := range []string{"", "x", "zzzz"} {
		if got := people.GuestName(id); got != live.Anonymous {
			t.Errorf("GuestName(%q) = %q", id, got)
		}
	}
}

// TestPassword checks that a hash matches its password and nothing else.
func TestPassword(t *testing.T) {
	hash, err := people.HashPassword("correct horse", rand.Reader)
	other, _ := people.HashPassword("correct horse", rand.Reader)
	if err != nil || hash == other || !strings.HasPrefix(hash, "$argon2id$v=19$m=7168,t=5,p=1$") {
		t.Errorf("hashes %q and %q, %v, want two of 7 MiB with salts", hash, other, err)
	}
	for _, c := range []struct {
		hash, password string
		want           bool
	}{{hash, "correct horse", true}, {hash, "Correct horse", false}, {"", "", false}, {"$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$rk2Mi3E4dgRMg0fHaYaptWVZRKqs//6b6k3/nntqGJk", "correct horse", true}, {hash + "x", "correct horse", false}, {strings.Replace(hash, "t=5", "t=4", 1), "correct horse", false}} {
		if got := people.VerifyPassword(c.hash, c.password); got != c.want {
			t.Errorf("VerifyPassword(%q, %q) = %t", c.hash, c.password, got)
		}
	}
	for password, ok := range map[string]bool{"1234567": false, "12345678": true, "annaanna": false, strings.Repeat("x", 201): false, "äöüäöüäö": true} {
		if err := people.CheckPassword(password, "AnnaAnna"); (err == nil) != ok {
			t.Errorf("CheckPassword(%q) = %v", password, err)
		}
	}
}

// TestRecoveryCode accepts a code in the forms in which people may type it.
func TestRecoveryCode(t *testing.T) {
	code, hash, err := people.NewRecoveryCode(bytes.NewReader([]byte("\x00\x01" + strings.Repeat("\x0a", 24))))
	if err != nil || code != "01AAA-AAAAA-AAAAA-AAAAA-AAAAA-A" {
		t.Fatal(code, err)
	}
	for typed, want := range map[string]bool{code: true, "oIaaa aaaaaaaaaaaaaaaaaaaaa": true, code[1:]: false, "": false} {
		if got := people.VerifyRecoveryCode(hash, typed); got != want {
			t.Errorf("VerifyRecoveryCode(%q) = %t, want %t", typed, got, want)
		}
	}
	if people.VerifyRecoveryCode("", "") {
		t.Error("no code opens an account without one")
	}
}

// gate blocks writes until it is opened.
type gate struct {
	live.Records
	open chan struct{}
}

// PutRecord implements live.Records.
func (g gate) PutRecord(ctx context.Context, key string, after uint64, data []byte) (uint64, error) {
	<-g.open
	return g.Records.PutRecord(ctx, key, after, data)
}

// newStores returns stores that share records.
func newStores(t *testing.T, records live.Records, n int) (list []*people.Store) {
	t.Helper()
	for range n {
		s, err := people.Open(t.Context(), records, time.Now, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		all.Go(func() { s.Run(t.Context(), func(people.Account, people.Change) {}) })
		t.Cleanup(all.Wait)
		list = append(list, s)
	}
	return list
}

// TestOneName creates many accounts with look-alike names on several servers: exactly one gets the name, and the others stay
// guests who can choose another.
func TestOneName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := make(chan struct{})
		stores := newStores(t, gate{live.NewMemory(), open}, 3)
		var all sync.WaitGroup
		errs := make(chan error, 30)
		for i := range cap(errs) {
			all.Go(func() {
				name := []string{"Anna", "anna", "Аnna"}[i%3]
				errs <- stores[i%3].Create(t.Context(), people.Account{ID: people.GuestID(fmt.Sprint(i)), Name: name})
			})
		}
		synctest.Wait() // all have seen that the name is free
		close(open)
		all.Wait()
		created := 0
		for range cap(errs) {
			if err := <-errs; err == nil {
				created++
			} else if !errors.Is(err, people.ErrTaken) {
				t.Error(err)
			}
		}
		synctest.Wait()
		a, _ := stores[0].Named("ANNA")
		b, ok := stores[2].Named("ANNA")
		if created != 1 || !ok || a.ID != b.ID || len(stores[1].List()) != 1 {
			t.Errorf("%d were created, %d are there, and servers know %q and %q", created, len(stores[1].List()), a.ID, b.ID)
		}
		for i := range cap(errs) {
			guest := fmt.Sprint(i)
			if id := people.GuestID(guest); id != a.ID {
				if got := stores[i%3].Who(guest).ID; got != id {
					t.Errorf("guest %d, whose name was taken, has become %q: the seats are lost", i, got)
				}
				if err := stores[(i+1)%3].Create(t.Context(), people.Account{ID: id, Name: fmt.Sprint("Ben ", i)}); err != nil {
					t.Errorf("guest %d chooses another name: %v", i, err)
				}
			}
		}
	})
}

// TestStore signs in, takes over a guest's games, renames and erases, on one of two servers.
func TestStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stores := newStores(t, live.NewMemory(), 2)
		s, other := stores[0], stores[1]
		ctx := t.Context()
		guest, _ := people.NewSecret(rand.Reader)
		id := s.Who(guest).ID
		if s.Who("").ID != "" || id == "" || s.NameOf(id, "") != people.GuestName(id) {
			t.Fatalf("the guest is %q", id)
		}
		secret, _ := people.NewSecret(rand.Reader)
		a := people.Account{ID: id, Name: "Anna", Grants: []people.Grant{people.NewGrant(secret, "Firefox", nil, time.Now())}}
		if err := s.Create(ctx, a); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if who := other.Who(secret); who.ID != id || !who.Signed || other.Who(guest).ID != "" || other.NameOf(id, "") != "Anna" {
			t.Errorf("the other server knows %+v, and the guest as %q", who, other.Who(guest).ID)
		}
		second := people.GuestID("second")
		for _, s := range stores {
			if _, err := s.Update(ctx, id, func(a *people.Account) error { return a.TakeOver(second) }); err != nil {
				t.Error(err)
			}
		}
		if who := s.Who(secret); len(who.IDs()) != 2 || s.NameOf(second, "") != "Anna" {
			t.Errorf("the account has the games of %v, and the second guest is %s", who.IDs(), s.NameOf(second, ""))
		}
		if err := other.Rename(ctx, id, "Berta"); err != nil || other.NameOf(id, "") != "Berta" {
			t.Error(err)
		}
		if err := other.Create(ctx, people.Account{ID: "x", Name: "ANNA"}); err != nil {
			t.Errorf("the name is free again: %v", err)
		}
		if err := s.Rename(ctx, id, "anna"); !errors.Is(err, people.ErrTaken) {
			t.Errorf("renamed to a name that is taken: %v", err)
		}
		if err := s.Erase(ctx, id); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		_, named := other.Named("Berta")
		if who := other.Who(secret); who.Signed || named || other.NameOf(id, "") != people.Deleted || other.NameOf(second, "") != people.Deleted {
			t.Errorf("erased: %+v, named %t, %s", who, named, other.NameOf(id, ""))
		}
	})
}

// staleRecords are records that somebody else has always changed before.
type staleRecords struct {
	live.Records
	changed func()
}

// PutRecord implements live.Records.
func (r staleRecords) PutRecord(context.Context, string, uint64, []byte) (uint64, error) {
	r.changed()
	return 0, live.ErrStale
}

// TestUpdateTriesAgain checks that a change that is refused is not tried again, whatever its error wraps, and that a
// change that others were faster than says so when its time is up.
func TestUpdateTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records := live.NewMemory()
		if err := newStores(t, records, 1)[0].Create(t.Context(), people.Account{ID: "a", Name: "Anna"}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		s := newStores(t, staleRecords{records, cancel}, 1)[0]
		calls := 0
		if _, err := s.Update(t.Context(), "a", func(*people.Account) error { calls++; return live.ErrStale }); calls != 1 || !errors.Is(err, live.ErrStale) {
			t.Errorf("%d calls, %v, want one that is refused", calls, err)
		}
		if _, err := s.Update(ctx, "a", func(*people.Account) error { return nil }); !errors.Is(err, live.ErrStale) || !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want that others were faster, and that the time is up", err)
		}
	})
}

// TestGrants checks that old, unused and surplus sessions end, and that tokens do not.
func TestGrants(t *testing.T) {
	now := time.UnixMilli(1e12)
	var a people.Account
	token := people.NewGrant("token", "bot", []people.Scope{people.Play}, now)
	if err := a.Add(token, now); err != nil || token.Allows(people.Manage) || !token.Allows(people.Play) {
		t.Fatal(err)
	}
	for i := range 40 {
		now = now.Add(time.Hour)
		if err := a.Add(people.NewGrant(fmt.Sprint(i), "", nil, now), now); err != nil {
			t.Fatal(err)
		}
	}
	if len(a.Grants) != people.MaxGrants || a.Grants[0].Hash != token.Hash || a.Grants[1].Hash != people.NewGrant("25", "", nil, now).Hash {
		t.Errorf("%d grants, want the token and the latest sessions: %v", len(a.Grants), a.Grants)
	}
	if err := a.Add(token, now); !errors.Is(err, people.ErrMany) {
		t.Errorf("one more token: %v", err)
	}
	now = now.Add(people.SessionIdle + time.Hour)
	if err := a.Add(token, now); err != nil || len(a.Grants) != 2 {
		t.Errorf("after months there are %d grants, %v", len(a.Grants), err)
	}
}

// TestSignInAfterChange checks that a sign-in that was verified with an old password, or to an account that has been
// closed since, gets no session.
func TestSignInAfterChange(t *testing.T) {
	a := people.Account{ID: "a", Password: "old"}
	g := people.NewGrant("secret", "", nil, time.UnixMilli(0))
	if err := a.SignIn(g, "old", time.UnixMilli(0)); err != nil || !a.Has(g) {
		t.Errorf("sign-in: %v, grants %v", err, a.Grants)
	}
	for _, a := range []people.Account{{ID: "a", Password: "new"}, {ID: "a", Password: "old", Closed: true}} {
		if err := a.SignIn(g, "old", time.UnixMilli(0)); !errors.Is(err, people.ErrChanged) || a.Has(g) {
			t.Errorf("sign-in to %+v: %v", a, err)
		}
	}
}

// TestChallengeExpires checks that a challenge ends after its time, a slow one later, and that its record is used again.
func TestChallengeExpires(t *testing.T) {
	s := newStores(t, live.NewMemory(), 1)[0]
	quick := people.Challenge{From: "a", To: "b", Settings: live.Settings{Clock: live.TimeControl{Main: 60}}, At: 1000}
	slow := people.Challenge{From: "a", To: "c", Settings: live.Settings{Clock: live.TimeControl{Days: 1}}, At: 1000}
	for _, c := range []people.Challenge{quick, slow} {
		if _, err := s.Challenge(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	for now, want := range map[int64]int{quick.Expires(): 2, quick.Expires() + 1: 1, slow.Expires() + 1: 0} {
		if list := s.Challenges(now); len(list) != want {
			t.Errorf("at %d there are %d challenges, want %d", now, len(list), want)
		}
	}
	quick.At = quick.Expires() + 1
	if c, err := s.Challenge(t.Context(), quick); err != nil || c.ID != "challenge-0" {
		t.Errorf("the next challenge has the record %q: %v", c.ID, err)
	}
}

// TestVisits checks that visits are forgotten: otherwise every student who ever came would stay in memory.
func TestVisits(t *testing.T) {
	var v people.Visits
	at := time.Unix(1000, 0)
	v.Add("ann", at)
	v.Add("bob", at.Add(2*time.Minute))
	if v.Since("ann", at) || !v.Since("bob", at) {
		t.Error("ann's visit is kept, or bob's is not")
	}
}
