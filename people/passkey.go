package people

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"time"
)

// MaxPasskeys is how many passkeys an account may have.
const MaxPasskeys = 8

// Passkey is a WebAuthn credential of an account: a public key whose private key is in a device or a
// password manager.
type Passkey struct {
	Credential []byte `json:"credential"` // identifier
	Key        []byte `json:"key"`        // public key, as COSE encodes it
	Flags      byte   `json:"flags"`      // of the authenticator
	Count      uint32 `json:"count"`      // of signatures, 0 if the authenticator does not count
	Label      string `json:"label,omitempty"`
	Created    int64  `json:"created"`        // time of day, milliseconds since 1970
	Seen       int64  `json:"seen,omitempty"` // when the challenge of the last sign-in was issued, in the same unit
}

// ID returns the identifier of a passkey in the API.
func (p Passkey) ID() string {
	sum := sha256.Sum256(p.Credential)
	return hex.EncodeToString(sum[:4])
}

// ErrLast says that an account without a password would lose its last passkey.
var ErrLast = errors.New("the account has no password, and this is its last passkey")

// ErrChanged says that an account has changed since the sender of a request was verified.
var ErrChanged = errors.New("the account has changed meanwhile")

// AddPasskey adds a passkey. The error wraps ErrMany if the account has MaxPasskeys.
func (a *Account) AddPasskey(p Passkey) error {
	a.Passkeys = slices.DeleteFunc(a.Passkeys, func(o Passkey) bool { return bytes.Equal(o.Credential, p.Credential) })
	if len(a.Passkeys) >= MaxPasskeys {
		return ErrMany
	}
	p.Label = clip(p.Label)
	a.Passkeys = append(a.Passkeys, p)
	return nil
}

// RemovePasskey removes a passkey. The error is ErrMissing or ErrLast.
func (a *Account) RemovePasskey(id string) error {
	i := slices.IndexFunc(a.Passkeys, func(p Passkey) bool { return p.ID() == id })
	switch {
	case i < 0:
		return ErrMissing
	case a.Password == "" && len(a.Passkeys) == 1:
		return ErrLast
	}
	a.Passkeys = slices.Delete(a.Passkeys, i, i+1)
	return nil
}

// UsePasskey records a sign-in with a verified passkey. It rejects a challenge that is not newer than that of
// the last sign-in, so that no answer can be replayed, on any server.
func (a *Account) UsePasskey(verified Passkey) error {
	for i, p := range a.Passkeys {
		if bytes.Equal(p.Credential, verified.Credential) && verified.Seen > p.Seen {
			a.Passkeys[i].Seen, a.Passkeys[i].Flags, a.Passkeys[i].Count = verified.Seen, verified.Flags, verified.Count
			return nil
		}
	}
	return ErrChanged
}

// SignIn adds a session to an account whose password was verified against this hash. If the password has changed
// since, it returns ErrChanged, because the change may be meant to lock this person out.
func (a *Account) SignIn(g Grant, verified string, now time.Time) error {
	if a.Password != verified {
		return ErrChanged
	}
	return a.Begin(g, now)
}

// Begin adds a session to an account unless it is closed.
func (a *Account) Begin(g Grant, now time.Time) error {
	if a.Closed {
		return ErrChanged
	}
	return a.Add(g, now)
}

// Has reports whether an account still has a grant.
func (a *Account) Has(g Grant) bool {
	return slices.ContainsFunc(a.Grants, func(o Grant) bool { return o.Hash == g.Hash })
}
