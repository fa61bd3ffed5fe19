package accounts

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"quintet/people"
	"quintet/serve/api"
)

// request is the body of a request about an account. Each route accepts the fields that it uses.
type request struct {
	Name     string         `json:"name"`
	Password string         `json:"password"`
	New      string         `json:"new"`    // password
	Code     string         `json:"code"`   // for recovery
	Keep     bool           `json:"keep"`   // take over the guest's games
	Label    string         `json:"label"`  // of a token
	Scopes   []people.Scope `json:"scopes"` // of a token
	Days     int            `json:"days"`   // of a vacation
	Do       string         `json:"do"`     // the change that a passkey is to confirm; "" to sign in

	Credential json.RawMessage `json:"credential"` // a passkey's answer to a challenge; instead of the password where either will do
}

// signedIn is the response to signing up, signing in and recovering an account.
type signedIn struct {
	Name     string `json:"name"`
	Token    string `json:"token"`              // of the session, for programs; browsers get it in a cookie
	Recovery string `json:"recovery,omitempty"` // code; it is shown only once
}

// checkName returns an error unless a new account can have a name.
func (s *Service) checkName(name string) error {
	if err := people.CheckName(name); err != nil {
		return api.Invalid("name", "%v", err)
	}
	if _, taken := s.People.Named(name); taken || s.hall.HidesName(name) {
		return failed(people.ErrTaken)
	}
	return nil
}

// signUp creates an account with a password or a passkey. The account gets the games of the guest who sends the request.
func (s *Service) signUp(w http.ResponseWriter, r *http.Request) error {
	var q request
	if err := api.Read(w, r, api.LargeBody, &q, "name", "password", "credential"); err != nil {
		return err
	}
	if err := s.checkName(q.Name); err != nil {
		return err
	}
	if err := s.Limited(s.Limits.Accounts, s.Network(r), "accounts", "new accounts from your address"); err != nil {
		return err
	}
	secret, err := people.NewSecret(s.Random)
	if err != nil {
		return err
	}
	a := people.Account{Name: q.Name, Role: people.Member, Created: s.Now().UnixMilli()}
	if q.Credential != nil {
		err = s.withPasskey(r, &a, q.Credential)
	} else {
		err = s.withPassword(r, &a, q.Password, secret)
	}
	if err != nil {
		return err
	}
	answer := signedIn{Name: a.Name, Token: secret}
	if answer.Recovery, a.Recovery, err = people.NewRecoveryCode(s.Random); err != nil {
		return err
	}
	if err := a.Add(s.session(r, secret), s.Now()); err != nil {
		return failed(err)
	}
	if err := s.People.Create(r.Context(), a); err != nil {
		return failed(err)
	}
	return s.welcome(w, r, http.StatusCreated, answer)
}

// withPassword gives a new account its password, and the identifier of the guest who sends the request.
func (s *Service) withPassword(r *http.Request, a *people.Account, password, secret string) (err error) {
	if a.Password, err = s.hash(r.Context(), password, a.Name); err != nil {
		return err
	}
	a.ID = s.Who(r).ID
	if _, used := s.People.Account(a.ID); used || a.ID == "" {
		a.ID = people.GuestID(secret + " account")
	}
	return nil
}

// withPasskey gives a new account its first passkey, the identifier that the passkey was made for, and the games of the
// guest who sends the request.
func (s *Service) withPasskey(r *http.Request, a *people.Account, credential json.RawMessage) error {
	p, id, err := s.newPasskey(r, credential, "create "+a.Name, idOf)
	if err != nil {
		return err
	}
	a.ID = id
	if guest := s.Who(r).ID; guest != "" {
		if _, used := s.People.Account(guest); !used {
			a.Guests = []string{guest}
		}
	}
	return a.AddPasskey(p)
}

// session returns a new session, labelled with the device that sent the request.
func (s *Service) session(r *http.Request, secret string) people.Grant {
	return people.NewGrant(secret, device(r.UserAgent()), nil, s.Now())
}

// welcome answers a request that signed somebody in. A program that sent a token gets no cookie.
func (s *Service) welcome(w http.ResponseWriter, r *http.Request, status int, answer signedIn) error {
	if _, program := api.BearerToken(r); !program {
		s.SetSession(w, r, answer.Token)
	}
	s.Write(w, status, answer)
	return nil
}

// device names the browser and the operating system of a user agent, so that people recognize a session.
func device(agent string) string {
	find := func(words ...string) string {
		for _, w := range words {
			if strings.Contains(agent, w) {
				return w
			}
		}
		return ""
	}
	browser, system := find("Firefox", "Edg", "Chrome", "Safari"), find("Android", "iPhone", "iPad", "Windows", "Macintosh", "Linux")
	if browser == "" || system == "" {
		return "Program"
	}
	return strings.Replace(browser, "Edg", "Edge", 1) + ", " + system
}

// signIn starts a session. If the request says so, the account takes over the guest's games.
func (s *Service) signIn(w http.ResponseWriter, r *http.Request) error {
	var q request
	if err := api.Read(w, r, api.SmallBody, &q, "name", "password", "keep"); err != nil {
		return err
	}
	if err := s.limitAccountChanges(r); err != nil {
		return err
	}
	a, _ := s.People.Named(q.Name)
	if err := s.verify(r.Context(), a, q.Password); err != nil {
		return err
	}
	return s.startSession(w, r, a, q.Keep, func(now *people.Account, g people.Grant) error {
		if err := now.SignIn(g, a.Password, s.Now()); !errors.Is(err, people.ErrChanged) {
			return err
		}
		return wrongPassword()
	})
}

// startSession adds a session to an account with add, which returns an error if the account has changed since the
// sender was verified. If keep is set, the account takes over the guest's games.
func (s *Service) startSession(w http.ResponseWriter, r *http.Request, a people.Account, keep bool, add func(*people.Account, people.Grant) error) error {
	secret, err := people.NewSecret(s.Random)
	if err != nil {
		return err
	}
	guest := s.Who(r)
	a, err = s.People.Update(r.Context(), a.ID, func(a *people.Account) error {
		if keep && guest.ID != "" && !guest.Signed {
			if err := a.TakeOver(guest.ID); err != nil {
				return err
			}
		}
		return add(a, s.session(r, secret))
	})
	if err != nil {
		return failed(err)
	}
	return s.welcome(w, r, http.StatusOK, signedIn{Name: a.Name, Token: secret})
}

// changePassword changes the password, or adds one, and ends all other sessions.
func (s *Service) changePassword(w http.ResponseWriter, r *http.Request) error {
	var q request
	if err := api.Read(w, r, api.LargeBody, &q, "password", "credential", "new"); err != nil {
		return err
	}
	who, err := s.confirmed(r, q, toChange)
	if err != nil {
		return err
	}
	hash, err := s.hash(r.Context(), q.New, who.Account.Name)
	if err != nil {
		return err
	}
	_, err = s.update(r, who, func(a *people.Account) error {
		a.Password = hash
		a.Revoke(func(g people.Grant) bool { return g.Session() && g.ID != who.Grant.ID })
		return nil
	})
	return s.done(w, err)
}

// confirmed returns the sender of a request after verifying the password, or a passkey that has confirmed this change.
func (s *Service) confirmed(r *http.Request, q request, change string) (people.Who, error) {
	who, err := s.signedForChange(r)
	switch {
	case err != nil:
	case q.Credential != nil:
		err = s.confirmPasskey(r, who, q.Credential, change)
	default:
		err = s.verify(r.Context(), who.Account, q.Password)
	}
	return who, err
}

// update changes the account of a sender, unless the sender's session has ended since the request was checked.
func (s *Service) update(r *http.Request, who people.Who, change func(*people.Account) error) (people.Account, error) {
	return s.People.Update(r.Context(), who.ID, func(a *people.Account) error { //nolint:wrapcheck // callers pass it to failed
		if !a.Has(who.Grant) {
			return notSigned()
		}
		return change(a)
	})
}

// done answers a request that has no result but an error.
func (s *Service) done(w http.ResponseWriter, err error) error {
	if err != nil {
		return failed(err)
	}
	return s.OK(w, map[string]bool{"done": true})
}

// regain sets a new password with the recovery code, ends all sessions, removes all passkeys, and issues a new
// code.
func (s *Service) regain(w http.ResponseWriter, r *http.Request) error {
	var q request
	if err := api.Read(w, r, api.SmallBody, &q, "name", "code", "new"); err != nil {
		return err
	}
	if err := s.limitAccountChanges(r); err != nil {
		return err
	}
	hash, err := s.hash(r.Context(), q.New, q.Name) // first, so that the response time does not reveal which names exist
	if err != nil {
		return err
	}
	secret, err := people.NewSecret(s.Random)
	if err != nil {
		return err
	}
	code, codeHash, err := people.NewRecoveryCode(s.Random)
	if err != nil {
		return err
	}
	wrong := api.Problemf(http.StatusForbidden, "password", "the name or the recovery code is wrong").WithReason("code").InField("code")
	a, _ := s.People.Named(q.Name)
	a, err = s.People.Update(r.Context(), a.ID, func(a *people.Account) error {
		if a.Closed || !people.VerifyRecoveryCode(a.Recovery, q.Code) {
			return wrong
		}
		a.Password, a.Recovery, a.Passkeys = hash, codeHash, nil
		a.Revoke(people.Grant.Session)
		return a.Add(s.session(r, secret), s.Now())
	})
	switch {
	case a.ID == "" || errors.Is(err, wrong):
		return wrong
	case err != nil:
		return failed(err)
	}
	return s.welcome(w, r, http.StatusOK, signedIn{Name: a.Name, Token: secret, Recovery: code})
}

// newToken is the response to a request for a token. The token is shown only once.
type newToken struct {
	grant
	Token string `json:"token"`
}

// addToken creates a token for a program.
func (s *Service) addToken(w http.ResponseWriter, r *http.Request) error {
	var q request
	if err := api.Read(w, r, api.SmallBody, &q, "label", "scopes"); err != nil {
		return err
	}
	who, err := s.signedForChange(r)
	if err != nil {
		return err
	}
	slices.Sort(q.Scopes)
	q.Scopes = slices.Compact(q.Scopes)
	if len(q.Scopes) == 0 || slices.ContainsFunc(q.Scopes, func(s people.Scope) bool { return s != people.Play && s != people.Manage }) {
		return api.Invalid("scopes", "scopes %.60q: expected play, account or both", q.Scopes)
	}
	secret, err := people.NewSecret(s.Random)
	if err != nil {
		return err
	}
	g := people.NewGrant(secret, q.Label, q.Scopes, s.Now())
	if _, err := s.update(r, who, func(a *people.Account) error { return a.Add(g, s.Now()) }); err != nil {
		return failed(err)
	}
	s.Write(w, http.StatusCreated, newToken{viewGrant(g, who), secret})
	return nil
}

// revoke ends a session or a token. The id "current" means the one that the request uses.
func (s *Service) revoke(w http.ResponseWriter, r *http.Request) error {
	who, id := s.Who(r), r.PathValue("id")
	if id == "current" && !who.Signed {
		return s.done(w, nil) // it has ended already
	}
	if id != "current" {
		if _, err := s.signed(r); err != nil {
			return err
		}
	} else {
		id = who.Grant.ID
	}
	_, err := s.People.Update(r.Context(), who.ID, func(a *people.Account) error {
		if !a.Revoke(func(g people.Grant) bool { return g.ID == id }) {
			return api.Problemf(http.StatusNotFound, "missing", "there is no session or token %.20q", id).WithReason("account.missing")
		}
		return nil
	})
	return s.done(w, err)
}

// erase erases the sender's account after verifying the password, or a passkey.
func (s *Service) erase(w http.ResponseWriter, r *http.Request) error {
	var q request
	if err := api.Read(w, r, api.LargeBody, &q, "password", "credential"); err != nil {
		return err
	}
	who, err := s.confirmed(r, q, toErase)
	if err != nil {
		return err
	}
	return s.done(w, s.People.Erase(r.Context(), who.ID))
}
