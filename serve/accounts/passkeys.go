package accounts

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"quintet/people"
	"quintet/serve/api"
)

// Signing in with a passkey, adding one, and creating an account with one take two requests: the server issues a challenge, and the browser
// answers with a signature. The challenge has a MAC with the secret that the servers share, so that
// servers store nothing for it and any of them can verify the answer.

// challengeLife is how long a challenge is valid.
const challengeLife = 5 * time.Minute

// challengeBytes is the length of a challenge without its MAC: the time, and random bytes.
const challengeBytes = 8 + 16

// holder is an account as the WebAuthn library sees it.
type holder struct{ people.Account }

// WebAuthnID implements webauthn.User.
func (h holder) WebAuthnID() []byte { return []byte(h.ID) }

// WebAuthnName implements webauthn.User.
func (h holder) WebAuthnName() string { return h.Name }

// WebAuthnDisplayName implements webauthn.User.
func (h holder) WebAuthnDisplayName() string { return h.Name }

// WebAuthnCredentials implements webauthn.User.
func (h holder) WebAuthnCredentials() (list []webauthn.Credential) {
	for _, p := range h.Passkeys {
		list = append(list, webauthn.Credential{
			ID: p.Credential, PublicKey: p.Key, Flags: webauthn.NewCredentialFlags(protocol.AuthenticatorFlags(p.Flags)),
			Authenticator: webauthn.Authenticator{SignCount: p.Count},
		})
	}
	return list
}

// relyingParty returns this server as the relying party of WebAuthn, with the host name that the browser uses.
// Browsers offer passkeys only on https pages and on localhost.
func (s *Service) relyingParty(r *http.Request) (*webauthn.WebAuthn, error) {
	host := (&url.URL{Host: r.Host}).Hostname()
	if !s.Secure(r) && host != "localhost" || protocol.ValidateRPID(host) != nil {
		return nil, api.Problemf(http.StatusForbidden, "scope", "passkeys need https, or localhost: use the password here").WithReason("passkey.https")
	}
	w, err := webauthn.New(&webauthn.Config{
		RPID: host, RPDisplayName: "Quintet", RPOrigins: []string{s.Origin(r)}, AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: new(true), UserVerification: protocol.VerificationRequired,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("preparing a passkey: %w", err)
	}
	return w, nil
}

// newChallenge returns a challenge for a purpose.
func (s *Service) newChallenge(purpose string) (protocol.URLEncodedBase64, error) {
	c := binary.BigEndian.AppendUint64(nil, uint64(s.Now().UnixMilli()))
	c = append(c, make([]byte, challengeBytes-len(c))...)
	if _, err := io.ReadFull(s.Random, c[8:]); err != nil {
		return nil, fmt.Errorf("making a challenge: %w", err)
	}
	return append(c, s.MAC("passkey "+purpose, string(c))...), nil
}

// challengeTime returns when a challenge for a purpose was issued. ok is false if this cluster did not issue it, or
// if it has expired.
func (s *Service) challengeTime(purpose, challenge string) (at time.Time, ok bool) {
	c, err := base64.RawURLEncoding.DecodeString(challenge)
	if err != nil || len(c) <= challengeBytes {
		return at, false
	}
	at = time.UnixMilli(int64(binary.BigEndian.Uint64(c)))
	age := s.Now().Sub(at)
	return at, hmac.Equal(s.MAC("passkey "+purpose, string(c[:challengeBytes])), c[challengeBytes:]) && age < challengeLife && age > -challengeLife
}

// wrongPasskey is the problem of an answer that could not be verified.
func wrongPasskey() error {
	return api.Problemf(http.StatusForbidden, "password", "the passkey is not one of this account, or the answer came too late: try again").WithReason("passkey")
}

// The changes of an account that a passkey confirms. A challenge is for one of them, so that a page cannot pass the answer
// that somebody gave to sign in, or to change a password, to a request that erases the account.
const (
	toErase  = "erase"
	toChange = "password"
	toAdd    = "passkey"
)

// confirmation returns the purpose of a challenge that confirms a change of the sender's account in the same session.
func confirmation(change string, who people.Who) string {
	return "confirm " + change + " " + who.ID + " " + who.Grant.ID
}

// signingIn is the purpose of a challenge for signing in.
const signingIn = "sign in"

// purposeOf returns the purpose of a challenge: to confirm a change, or to sign in if there is none.
func (s *Service) purposeOf(r *http.Request, change string) (string, error) {
	switch change {
	case "":
		return signingIn, nil
	case toErase, toChange, toAdd:
		who, err := s.signed(r)
		return confirmation(change, who), err
	}
	return "", api.Invalid("do", "do %.20q: expected erase, password or passkey, or nothing to sign in", change)
}

// askPasskey issues a challenge for signing in, or for confirming a change of the account.
func (s *Service) askPasskey(w http.ResponseWriter, r *http.Request) error {
	var q request
	if err := api.Read(w, r, api.SmallBody, &q, "do"); err != nil {
		return err
	}
	if err := s.limitAccountChanges(r); err != nil {
		return err
	}
	party, err := s.relyingParty(r)
	if err != nil {
		return err
	}
	purpose, err := s.purposeOf(r, q.Do)
	if err != nil {
		return err
	}
	c, err := s.newChallenge(purpose)
	if err != nil {
		return err
	}
	options, _, err := party.BeginDiscoverableLogin(func(o *protocol.PublicKeyCredentialRequestOptions) error { o.Challenge = c; return nil })
	if err != nil {
		return fmt.Errorf("preparing a passkey: %w", err)
	}
	return s.OK(w, options)
}

// signInWithPasskey starts a session for the answer to a challenge.
func (s *Service) signInWithPasskey(w http.ResponseWriter, r *http.Request) error {
	var q request
	if err := api.Read(w, r, api.LargeBody, &q, "credential", "keep"); err != nil {
		return err
	}
	if err := s.limitAccountChanges(r); err != nil {
		return err
	}
	party, err := s.relyingParty(r)
	if err != nil {
		return err
	}
	a, used, ok := s.verifyPasskey(party, q.Credential, signingIn)
	if !ok {
		return wrongPasskey()
	}
	return s.startSession(w, r, a, q.Keep, func(a *people.Account, g people.Grant) error {
		if err := a.UsePasskey(used); err != nil {
			return wrongPasskey()
		}
		return a.Begin(g, s.Now())
	})
}

// verifyPasskey returns the account that has signed a challenge for a purpose, and its passkey, updated by the signature.
func (s *Service) verifyPasskey(party *webauthn.WebAuthn, credential json.RawMessage, purpose string) (a people.Account, used people.Passkey, ok bool) {
	answer, err := protocol.ParseCredentialRequestResponseBytes(credential)
	if err != nil {
		return a, used, false
	}
	challenge := answer.Response.CollectedClientData.Challenge
	at, ok := s.challengeTime(purpose, challenge)
	if !ok {
		return a, used, false
	}
	find := func(_, handle []byte) (webauthn.User, error) {
		if a, ok = s.People.Account(string(handle)); !ok || a.ID != string(handle) || a.Closed {
			return nil, people.ErrMissing
		}
		return holder{a}, nil
	}
	got, err := party.ValidateDiscoverableLogin(find, webauthn.SessionData{Challenge: challenge, RelyingPartyID: party.Config.RPID, UserVerification: protocol.VerificationRequired}, answer)
	if err != nil || got.Authenticator.CloneWarning {
		return a, used, false
	}
	return a, people.Passkey{Credential: got.ID, Flags: byte(got.Flags.ProtocolValue()), Count: got.Authenticator.SignCount, Seen: at.UnixMilli()}, true
}

// confirmPasskey returns an error unless the sender's passkey has signed a challenge for confirming a change.
func (s *Service) confirmPasskey(r *http.Request, who people.Who, credential json.RawMessage, change string) error {
	party, err := s.relyingParty(r)
	if err != nil {
		return err
	}
	a, used, ok := s.verifyPasskey(party, credential, confirmation(change, who))
	if !ok || a.ID != who.ID {
		return wrongPasskey()
	}
	_, err = s.update(r, who, func(a *people.Account) error {
		if a.UsePasskey(used) != nil {
			return wrongPasskey()
		}
		return nil
	})
	if err != nil {
		return failed(err)
	}
	return nil
}

// askFirstPasskey issues a challenge for creating an account with a passkey. The account's identifier follows from the
// challenge.
func (s *Service) askFirstPasskey(w http.ResponseWriter, r *http.Request) error {
	var q request
	if err := api.Read(w, r, api.SmallBody, &q, "name"); err != nil {
		return err
	}
	if err := s.limitAccountChanges(r); err != nil {
		return err
	}
	if err := s.checkName(q.Name); err != nil {
		return err
	}
	c, err := s.newChallenge("create " + q.Name)
	if err != nil {
		return err
	}
	return s.askToCreate(w, r, people.Account{ID: idOf(c.String()), Name: q.Name}, c)
}

// idOf returns the identifier of the account that is created with the answer to a challenge.
func idOf(challenge string) string { return people.GuestID("passkey " + challenge) }

// askNewPasskey verifies the password, or another passkey, and issues a challenge for a new passkey. A stolen session
// must not be able to add a passkey, which outlasts it.
func (s *Service) askNewPasskey(w http.ResponseWriter, r *http.Request) error {
	var q request
	if err := api.Read(w, r, api.LargeBody, &q, "password", "credential"); err != nil {
		return err
	}
	who, err := s.confirmed(r, q, toAdd)
	if err != nil {
		return err
	}
	c, err := s.newChallenge("add " + who.ID + " " + who.Grant.ID)
	if err != nil {
		return err
	}
	return s.askToCreate(w, r, who.Account, c)
}

// askToCreate answers with a challenge for a new passkey of an account.
func (s *Service) askToCreate(w http.ResponseWriter, r *http.Request, a people.Account, challenge protocol.URLEncodedBase64) error {
	party, err := s.relyingParty(r)
	if err != nil {
		return err
	}
	options, _, err := party.BeginRegistration(holder{a}, func(o *protocol.PublicKeyCredentialCreationOptions) error {
		o.Challenge = challenge
		for _, known := range (holder{a}).WebAuthnCredentials() {
			o.CredentialExcludeList = append(o.CredentialExcludeList, known.Descriptor())
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("preparing a passkey: %w", err)
	}
	return s.OK(w, options)
}

// newPasskey verifies the answer to a challenge for a new passkey. idFor returns the account's identifier.
func (s *Service) newPasskey(r *http.Request, credential json.RawMessage, purpose string, idFor func(challenge string) string) (p people.Passkey, id string, err error) {
	party, err := s.relyingParty(r)
	if err != nil {
		return p, "", err
	}
	answer, err := protocol.ParseCredentialCreationResponseBytes(credential)
	if err != nil {
		return p, "", wrongPasskey()
	}
	challenge := answer.Response.CollectedClientData.Challenge
	if _, ok := s.challengeTime(purpose, challenge); !ok {
		return p, "", wrongPasskey()
	}
	id = idFor(challenge)
	made, err := party.CreateCredential(holder{people.Account{ID: id}}, webauthn.SessionData{
		Challenge: challenge, RelyingPartyID: party.Config.RPID, UserID: []byte(id), UserVerification: protocol.VerificationRequired, CredParams: webauthn.CredentialParametersDefault(),
	}, answer)
	if err != nil {
		return p, "", wrongPasskey()
	}
	return people.Passkey{
		Credential: made.ID, Key: made.PublicKey, Flags: byte(made.Flags.ProtocolValue()), Count: made.Authenticator.SignCount,
		Label: device(r.UserAgent()), Created: s.Now().UnixMilli(),
	}, id, nil
}

// addPasskey adds the passkey that answers a challenge.
func (s *Service) addPasskey(w http.ResponseWriter, r *http.Request) error {
	var q request
	if err := api.Read(w, r, api.LargeBody, &q, "credential"); err != nil {
		return err
	}
	who, err := s.signedForChange(r)
	if err != nil {
		return err
	}
	p, _, err := s.newPasskey(r, q.Credential, "add "+who.ID+" "+who.Grant.ID, func(string) string { return who.ID })
	if err != nil {
		return err
	}
	if _, err := s.update(r, who, func(a *people.Account) error { return a.AddPasskey(p) }); err != nil {
		return failed(err)
	}
	s.Write(w, http.StatusCreated, viewPasskey(p))
	return nil
}

// passkey is a passkey in the API.
type passkey struct {
	ID      string `json:"id"`
	Label   string `json:"label"`
	Created string `json:"created"`
	Seen    string `json:"seen,omitempty"`
}

func viewPasskey(p people.Passkey) passkey {
	v := passkey{p.ID(), p.Label, api.TimeText(p.Created), ""}
	if p.Seen > 0 {
		v.Seen = api.TimeText(p.Seen)
	}
	return v
}

func viewPasskeys(a people.Account) []passkey {
	list := []passkey{}
	for _, p := range a.Passkeys {
		list = append(list, viewPasskey(p))
	}
	return list
}

// passkeys lists the passkeys of an account.
func (s *Service) passkeys(w http.ResponseWriter, r *http.Request) error {
	who, err := s.signed(r)
	if err != nil {
		return err
	}
	return s.OK(w, map[string][]passkey{"passkeys": viewPasskeys(who.Account)})
}

// removePasskey removes a passkey.
func (s *Service) removePasskey(w http.ResponseWriter, r *http.Request) error {
	who, err := s.signed(r)
	if err != nil {
		return err
	}
	_, err = s.update(r, who, func(a *people.Account) error { return a.RemovePasskey(r.PathValue("id")) })
	return s.done(w, err)
}
