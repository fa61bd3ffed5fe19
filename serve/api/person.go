package api

import (
	"net/http"
	"strings"

	"quintet/people"
)

// sessionCookie names the one cookie of a browser: the secret of a guest or of a session.
const sessionCookie = "quintet_session"

// sessionSeconds is how long browsers keep the cookie. The session itself may end before.
const sessionSeconds = int(people.SessionLife / 1e9)

// PersonSecret returns the secret by which a request says who sends it, or "": a token of an account,
// or the cookie if there is no other token.
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

// Who returns who sends a request.
func (b *Base) Who(r *http.Request) people.Who { return b.People.Who(PersonSecret(r)) }

// Person returns the identifier of who sends a request. A browser without a cookie becomes a guest,
// whose secret is derived from the idempotency key if there is one. A program with the token of a
// seat, or with a token that does not allow playing, is nobody: "".
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

// SetSession sets the cookie of a guest or a session. Scripts cannot read it; browsers send it with
// links to the server, and with no other request of another site.
func (b *Base) SetSession(w http.ResponseWriter, r *http.Request, secret string) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure where the server is reached by TLS; it need not be
		Name: sessionCookie, Value: secret, Path: "/", MaxAge: sessionSeconds, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: b.Secure(r),
	})
}
