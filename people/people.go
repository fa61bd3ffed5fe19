// Package people keeps accounts: names, passwords, sessions, tokens and roles.
//
// A person is a guest or has an account. Both have an opaque identifier, which game events store with
// the seats. A guest's identifier is a hash of the secret in a cookie, so the server stores nothing
// about guests. A new account takes the identifier of the guest who creates it, and so has the guest's
// games at once. It takes over the games of other guests by listing their identifiers.
//
// Personal data is kept in records that can be erased (live.Records), never in events. Start with
// Open and Store.Run.
package people

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// Role says what an account may do beyond playing.
type Role string

// The roles. Guests have none.
const (
	Owner     Role = "owner"
	Moderator Role = "moderator"
	Teacher   Role = "teacher"
	Member    Role = "person"
	Bot       Role = "bot"
)

// Roles returns all roles.
func Roles() []Role { return []Role{Owner, Moderator, Teacher, Member, Bot} }

// Scope is something that a token allows.
type Scope string

// The scopes. Sessions have all of them.
const (
	Play   Scope = "play"    // take seats and give commands
	Manage Scope = "account" // change the account
)

// Limits of an account.
const (
	MaxGrants   = 16      // sessions and tokens; one more session ends the least recently used one
	MaxGuests   = 16      // guests whose games the account has taken over
	MaxAccounts = 200_000 // on a server, which keeps them all in memory
	SessionDays = 365     // after signing in
	IdleDays    = 90      // without use
	MaxLabel    = 40      // characters of the label of a token or session
)

// How long a session lasts in all, and how long without use.
const (
	SessionLife = SessionDays * 24 * time.Hour
	SessionIdle = IdleDays * 24 * time.Hour
)

// Account is a person's account as it is stored. An erased account keeps only its identifiers.
type Account struct {
	ID        string     `json:"id"`
	Name      string     `json:"name,omitempty"`
	Role      Role       `json:"role,omitempty"`
	Created   int64      `json:"created,omitempty"`  // time of day, milliseconds since 1970
	Password  string     `json:"password,omitempty"` // see HashPassword; "" if there are only passkeys
	Recovery  string     `json:"recovery,omitempty"` // hash of the recovery code
	Guests    []string   `json:"guests,omitempty"`   // identifiers of guests whose games the account has taken over
	Grants    []Grant    `json:"grants,omitempty"`
	Passkeys  []Passkey  `json:"passkeys,omitempty"`
	Follows   []string   `json:"follows,omitempty"` // identifiers of other accounts, see Tie
	Blocks    []string   `json:"blocks,omitempty"`
	Vacations []Vacation `json:"vacations,omitempty"` // of the last year, the oldest first
	Pushes    []Push     `json:"pushes,omitempty"`    // the oldest first
	Decisions []Decision `json:"decisions,omitempty"` // of moderators
	Closed    bool       `json:"closed,omitempty"`    // by a moderator: nobody can sign in
	Erased    bool       `json:"erased,omitempty"`
	Undone    bool       `json:"undone,omitempty"` // another server gave the name away first: there is no account

	revision uint64
}

// IDs returns the identifiers under which the account has seats.
func (a Account) IDs() []string { return append([]string{a.ID}, a.Guests...) }

// clone returns a copy that can be changed.
func (a Account) clone() Account {
	a.Guests, a.Grants, a.Passkeys = slices.Clone(a.Guests), slices.Clone(a.Grants), slices.Clone(a.Passkeys)
	a.Follows, a.Blocks, a.Decisions = slices.Clone(a.Follows), slices.Clone(a.Blocks), slices.Clone(a.Decisions)
	a.Vacations, a.Pushes = slices.Clone(a.Vacations), slices.Clone(a.Pushes)
	return a
}

// Grant is a browser's session or a program's token. Only the hash of its secret is stored.
type Grant struct {
	ID      string  `json:"id"`
	Hash    string  `json:"hash"`
	Label   string  `json:"label,omitempty"`
	Scopes  []Scope `json:"scopes,omitempty"` // of a token; none for a session
	Created int64   `json:"created"`          // time of day, milliseconds since 1970
	Seen    int64   `json:"seen"`             // last use, in the same unit; accurate to a day
}

// Session reports whether the grant is a session.
func (g Grant) Session() bool { return len(g.Scopes) == 0 }

// Allows reports whether the grant has a scope.
func (g Grant) Allows(s Scope) bool { return g.Session() || slices.Contains(g.Scopes, s) }

// expired reports whether a session has ended. Tokens last until they are revoked.
func (g Grant) expired(now time.Time) bool {
	return g.Session() && (now.Sub(time.UnixMilli(g.Created)) > SessionLife || now.Sub(time.UnixMilli(g.Seen)) > SessionIdle)
}

// Add adds a grant. If the account has MaxGrants, a new session ends the least recently used one, and
// a new token is refused with ErrMany.
func (a *Account) Add(g Grant, now time.Time) error {
	a.Grants = slices.DeleteFunc(a.Grants, func(g Grant) bool { return g.expired(now) })
	if len(a.Grants) >= MaxGrants {
		oldest := -1
		for i, o := range a.Grants {
			if o.Session() && (oldest < 0 || o.Seen < a.Grants[oldest].Seen) {
				oldest = i
			}
		}
		if oldest < 0 || !g.Session() {
			return ErrMany
		}
		a.Grants = slices.Delete(a.Grants, oldest, oldest+1)
	}
	a.Grants = append(a.Grants, g)
	return nil
}

// Revoke removes the grants that match, and reports whether there were any.
func (a *Account) Revoke(match func(Grant) bool) bool {
	n := len(a.Grants)
	a.Grants = slices.DeleteFunc(a.Grants, match)
	return len(a.Grants) < n
}

// The errors that callers handle.
var (
	ErrTaken   = errors.New("the name is taken")
	ErrMissing = errors.New("there is no such account")
	ErrMany    = errors.New("there are too many")
)

// secretBytes is the size of the secrets of sessions and tokens: 256 bits.
const secretBytes = 32

// TokenPrefix begins the secrets of sessions and tokens, to distinguish them from seat tokens.
const TokenPrefix = "qp_"

// NewSecret returns a new secret for a guest, a session or a token.
func NewSecret(random io.Reader) (string, error) {
	var b [secretBytes]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("making a secret: %w", err)
	}
	return TokenPrefix + base64.RawURLEncoding.EncodeToString(b[:]), nil
}

// NewGrant returns a grant for a secret.
func NewGrant(secret, label string, scopes []Scope, now time.Time) Grant {
	hash := hashSecret("grant", secret)
	return Grant{ID: hash[:8], Hash: hash, Label: clip(label), Scopes: scopes, Created: now.UnixMilli(), Seen: now.UnixMilli()}
}

// GuestID returns the identifier of the guest with a secret. It reveals neither the secret nor the
// hash of a session with this secret.
func GuestID(secret string) string { return hashSecret("guest", secret) }

// hashSecret returns 128 bits of a hash, enough that nobody can find a collision by trying secrets.
func hashSecret(what, secret string) string {
	sum := sha256.Sum256([]byte("quintet " + what + " " + secret))
	return hex.EncodeToString(sum[:16])
}

// clip shortens a label.
func clip(text string) string {
	if r := []rune(text); len(r) > MaxLabel {
		return string(r[:MaxLabel])
	}
	return text
}
