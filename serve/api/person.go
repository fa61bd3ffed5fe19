package api

import (
	"net/http"
	"strings"

	"quintet/people"
)

// sessionCookie names a browser's only cookie. It holds the secret of a guest or of a session.
const sessionCookie = "quintet_session"

// sessionSeconds is how long browsers keep the cookie. The session itself may end earlier.
const sessionSeconds = int(people.SessionLife / 1e9)

// PersonSecret returns the secret that identifies the sender of a request: the token of an account, or
// the cookie if there is no bearer token. Other bearer tokens identify nobody: "".
func PersonSecret(r *http.Request) string {
	if token, ok := BearerToken(r); ok {
		if strings.HasPrefix(token, people.TokenPrefix) {
			return token
		}
		return ""
	}
	if c, err := r.Cookie(sessionCookie); err == nil {
		return c.Value
	}
	return ""
}

// Who returns the sender of a request.
func (b *Base) Who(r *http.Request) people.Who { return b.People.Who(PersonSecret(r)) }

// Person returns the identifier of a request's sender. A browser without a valid cookie becomes a guest,
// whose secret is derived from the idempotency key if there is one. A program whose token is for a
// seat, or does not allow playing, has no identifier: "".
func (b *Base) Person(w http.ResponseWriter, r *http.Request, key string) (string, error) {
	who := b.Who(r)
	if ids := who.IDs(); len(ids) > 0 {
		return ids[0], nil
	}
	if _, ok := BearerToken(r); ok {
		return "", nil
	}
	secret, err := b.NewSecret(key, "guest")
	if err != nil {
		return "", err
	}
	b.SetSession(w, r, secret)
	return people.GuestID(secret), nil
}

// SetSession sets the cookie of a guest or a session. Scripts cannot read it. From other sites, browsers
// send it only when somebody follows a link.
func (b *Base) SetSession(w http.ResponseWriter, r *http.Request, secret string) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure where the server is reached by TLS; it need not be
		Name: sessionCookie, Value: secret, Path: "/", MaxAge: sessionSeconds, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: b.Secure(r),
	})
}
