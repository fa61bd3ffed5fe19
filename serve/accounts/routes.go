// Package accounts serves the HTTP API of accounts: signing up, signing in and out, sessions and tokens,
// the sender's account, and people's public pages.
//
// At most Slots passwords are hashed at a time. The first password of an address is hashed before later ones, and the newest
// first password before older ones. Addresses that send more take turns. So other people can sign in during a
// flood of attempts, from one address or from many.
package accounts

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"quintet/live"
	"quintet/live/index"
	"quintet/people"
	"quintet/serve/api"
	"quintet/serve/fair"
	"quintet/serve/hall"
	"quintet/serve/play"
	"quintet/web"
)

// Service handles the requests about accounts.
type Service struct {
	*api.Base

	games  *play.Service
	hall   *hall.Hall
	index  *index.Index
	log    live.Log
	hashes *fair.Queue // slots for hashing passwords
	second *fair.Queue // clients that have used up their first hashes wait here before they wait for a slot

	pushKey string // public key for Web Push
}

// Limits on hashing passwords.
const (
	hashQueue = 256             // requests that may wait in each queue
	hashWait  = 5 * time.Second // for a slot
)

// NewService returns a Service. pushKey is the server's public key for Web Push.
func NewService(b *api.Base, games *play.Service, h *hall.Hall, x *index.Index, l live.Log, pushKey string) *Service {
	return &Service{b, games, h, x, l, fair.NewQueue(b.Slots, hashQueue), fair.NewQueue(max(1, b.Slots/2), hashQueue), pushKey}
}

// Routes returns the routes of the subject.
func (s *Service) Routes() api.Routes {
	return api.Routes{
		"POST /api/accounts":         s.Handle(s.signUp),
		"POST /api/sessions":         s.Handle(s.signIn),
		"GET /api/sessions":          s.Handle(s.sessions),
		"DELETE /api/sessions/{id}":  s.Handle(s.revoke),
		"GET /api/account":           s.Handle(s.show),
		"DELETE /api/account":        s.Handle(s.erase),
		"POST /api/account/password": s.Handle(s.changePassword),
		"POST /api/account/recover":  s.Handle(s.regain),
		"POST /api/account/tokens":   s.Handle(s.addToken),

		"GET /api/account/progress":    s.Handle(s.progress),
		"POST /api/account/progress":   s.Handle(s.addProgress),
		"POST /api/account/vacation":   s.Handle(s.takeVacation),
		"DELETE /api/account/vacation": s.Handle(s.endVacation),

		"GET /api/account/push":    s.Handle(s.pushes),
		"POST /api/account/push":   s.Handle(s.addPush),
		"DELETE /api/account/push": s.Handle(s.removePush),

		"POST /api/reports":                 s.Handle(s.report),
		"GET /api/moderation/reports":       s.Handle(s.reports),
		"POST /api/moderation/reports/{id}": s.Handle(s.settle),

		"GET /api/account/people":          s.Handle(s.circle),
		"POST /api/people/{name}/follow":   s.tie(people.Follow, false),
		"DELETE /api/people/{name}/follow": s.tie(people.Follow, true),
		"POST /api/people/{name}/block":    s.tie(people.Block, false),
		"DELETE /api/people/{name}/block":  s.tie(people.Block, true),

		"POST /api/accounts/passkey/challenge": s.Handle(s.askFirstPasskey),
		"POST /api/sessions/passkey/challenge": s.Handle(s.askPasskey),
		"POST /api/sessions/passkey":           s.Handle(s.signInWithPasskey),
		"POST /api/account/passkeys/challenge": s.Handle(s.askNewPasskey),
		"POST /api/account/passkeys":           s.Handle(s.addPasskey),
		"GET /api/account/passkeys":            s.Handle(s.passkeys),
		"DELETE /api/account/passkeys/{id}":    s.Handle(s.removePasskey),

		"GET /api/account/export":        s.HandleRendering(s.export),
		"GET /api/people/{name}":         s.Handle(s.person),
		"GET /api/people/{name}/games":   web.Compress(s.Handle(s.gamesOf)),
		"GET /api/people/{name}/ratings": web.Compress(s.Handle(s.ratings)),
	}
}

// signed returns the sender of a request, or an error unless they have signed in and may change the
// account.
func (s *Service) signed(r *http.Request) (people.Who, error) {
	who := s.Who(r)
	switch {
	case !who.Signed:
		return who, notSigned()
	case !who.Grant.Allows(people.Manage):
		return who, api.Problemf(http.StatusForbidden, "scope", "the token does not allow this: its scopes lack %q", people.Manage)
	}
	return who, nil
}

// notSigned is the problem of a sender who has not signed in.
func notSigned() error {
	return api.Problemf(http.StatusUnauthorized, "token", "you are not signed in").WithReason("account.none")
}

// signedForChange returns the signed-in sender of a request that changes an account, and counts it like limitAccountChanges.
func (s *Service) signedForChange(r *http.Request) (people.Who, error) {
	who, err := s.signed(r)
	if err == nil {
		err = s.limitAccountChanges(r)
	}
	return who, err
}

// limitAccountChanges counts a request that hashes a password or changes an account.
func (s *Service) limitAccountChanges(r *http.Request) error {
	return s.Limited(s.Limits.Passwords, s.Address(r), "passwords", "sign-ins from your address")
}

// hashing waits for a slot, for a time at most, and calls a function that hashes a password.
func (s *Service) hashing(ctx context.Context, wait time.Duration, hash func()) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	client, acquire, leave := fair.ClientOf(ctx), s.hashes.AcquireUrgent, func() {}
	first := s.Limits.FirstHashes.Take(client)
	if !first {
		if s.second.Acquire(ctx) != nil {
			return busyHashing()
		}
		acquire, leave = s.hashes.Acquire, s.second.Release
	}
	defer func() { leave() }()
	if acquire(ctx) != nil {
		if first {
			s.Limits.FirstHashes.GiveBack(client, 1)
		}
		return busyHashing()
	}
	defer s.hashes.Release()
	if !first {
		leave = s.Resting(2, s.second.Release) // a flood works a third of the time at most
	}
	done, hashed := make(chan struct{}), false
	work := func() { defer close(done); hash(); hashed = true }
	if !s.Spawn("hashing a password", work) {
		return busyHashing() // the server is closed
	}
	if <-done; !hashed {
		return errors.New("hashing a password failed") // it panicked
	}
	return nil
}

func busyHashing() error {
	return api.Busy(5, "too many people are signing in: try again in a moment")
}

// hash returns the hash of a new password.
func (s *Service) hash(ctx context.Context, password, name string) (hash string, err error) {
	if err := people.CheckPassword(password, name); err != nil {
		return "", api.Invalid("password", "%v", err)
	}
	if busy := s.hashing(ctx, hashWait, func() { hash, err = people.HashPassword(password, s.Random) }); busy != nil {
		return "", busy
	}
	return hash, err
}

// verify returns an error unless a password is that of an account. The zero Account has no password, but
// takes as long.
func (s *Service) verify(ctx context.Context, a people.Account, password string) error {
	ok := false
	if len(password) <= people.MaxPassword {
		if err := s.hashing(ctx, hashWait, func() { ok = people.VerifyPassword(a.Password, password) }); err != nil {
			return err
		}
	}
	if !ok || a.Closed {
		return wrongPassword()
	}
	return nil
}

func wrongPassword() error {
	return api.Problemf(http.StatusForbidden, "password", "the name or the password is wrong").InField("password")
}

// failed turns an error of the store into a problem for the client.
func failed(err error) error {
	var p *api.Problem
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, people.ErrChanged):
		return notSigned()
	case errors.Is(err, people.ErrTaken):
		return api.Problemf(http.StatusConflict, "taken", "the name is taken, or looks like one that is: choose another").WithReason("name.taken").InField("name")
	case errors.Is(err, people.ErrMissing):
		return api.Problemf(http.StatusNotFound, "missing", "there is no such account").WithReason("account.missing")
	case errors.Is(err, people.ErrLast):
		return api.Problemf(http.StatusConflict, "taken", "%v: set a password or add another passkey first", err).WithReason("passkey.last")
	case errors.Is(err, people.ErrMany):
		return api.Problemf(http.StatusConflict, "taken", "%v: remove some first", err).WithReason("account.many")
	}
	return fmt.Errorf("changing an account: %w", err)
}
