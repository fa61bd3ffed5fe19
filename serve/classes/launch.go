package classes

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"quintet/people"
	"quintet/people/class"
	"quintet/serve/fair"
	"quintet/serve/lti"
)

// A launch has four steps. The platform sends a browser to login, which sends it back with a state; the state is also in
// a cookie. The platform signs a token with the nonce that belongs to the state, and the browser posts both to launch.
// The server stores nothing before that: a state is signed by the server, for one platform of one class. The last step is in
// enter.go.
//
// Whoever registers a platform chooses where login sends browsers. LTI wants that: a tool redirects to the authorization
// endpoint that was registered, with no page between. It never redirects to an address in a request.

// Limits of launches.
const (
	stateAge    = 5 * time.Minute
	stateCookie = "quintet_lti"
	maxLaunch   = 64 << 10 // bytes of a request
	maxLaunches = 1000     // of a class in 2*stateAge
)

// launches remembers the states of launches, so that each is used once.
type launches struct {
	began int64         // seconds since 1970: states from before were perhaps used; 0 if other servers make states, too
	held  *fair.Counter // states of classes
	gate  *fair.Gate    // lets one launch of a class at a time change its record

	mu   sync.Mutex // guards used
	used map[string]usedState
}

type usedState struct {
	at     time.Time
	client string
}

// use marks a state as used. It returns false if it was used before, or if a class has used too many.
func (l *launches) use(state, client string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.DeleteFunc(l.used, func(_ string, u usedState) bool {
		old := now.Sub(u.at) > 2*stateAge
		if old {
			l.held.Release(u.client)
		}
		return old
	})
	if _, again := l.used[state]; again || !l.held.Acquire(client) {
		return false
	}
	l.used[state] = usedState{now, client}
	return true
}

// launchError is the reason why a launch is rejected.
type launchError struct {
	reason string // the page says it: again, cookie, platform, refused or full
	err    error
}

func (e *launchError) Error() string { return e.err.Error() }

func refused(reason, format string, args ...any) error {
	return &launchError{reason, fmt.Errorf(format, args...)}
}

// fromPlatform is like Handle, but on failure it redirects to the page of classes, which explains it: a person is waiting.
func (s *Service) fromPlatform(h func(w http.ResponseWriter, r *http.Request, c class.Class) (to string, err error)) http.Handler {
	return s.Handle(func(w http.ResponseWriter, r *http.Request) error {
		r.Body = http.MaxBytesReader(w, r.Body, maxLaunch)
		c, ok := s.directory.Class(r.PathValue("id"))
		var to string
		err := r.ParseForm()
		switch {
		case err != nil:
			err = refused("refused", "reading the request of a platform: %w", err)
		case !ok:
			err = refused("refused", "there is no such class")
		default:
			to, err = h(w, r, c)
		}
		var why *launchError
		if errors.As(err, &why) {
			s.warnings.Do(func() { s.Log.Warn("a launch from a platform is refused", "class", c.ID, "error", err) })
			to, err = "/class?lti="+why.reason, nil
		}
		if err != nil {
			return err
		}
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, to, http.StatusSeeOther)
		return nil
	})
}

// login sends a browser back to its platform, which says who it is.
func (s *Service) login(w http.ResponseWriter, r *http.Request, c class.Class) (to string, err error) {
	form := r.Form
	i := slices.IndexFunc(c.Platforms, func(p class.Platform) bool {
		return p.Issuer == form.Get("iss") && p.Client == cmp.Or(form.Get("client_id"), p.Client) && p.Deployment == cmp.Or(form.Get("lti_deployment_id"), p.Deployment)
	})
	if i < 0 {
		return "", refused("refused", "a launch came from a platform that is not registered: compare the platform ID, client ID and deployment ID")
	}
	p := c.Platforms[i]
	random, err := s.NewSecret("", "")
	if err != nil {
		return "", err
	}
	state := s.seal("state", c.ID, p.ID+"."+random)
	s.setState(w, r, state, int(stateAge.Seconds()))
	at, err := url.Parse(p.Auth)
	if err != nil {
		return "", fmt.Errorf("reading the address of a platform: %w", err)
	}
	q := at.Query()
	for name, value := range map[string]string{
		"scope": "openid", "response_type": "id_token", "response_mode": "form_post", "prompt": "none", "client_id": p.Client,
		"redirect_uri": s.Origin(r) + "/lti/" + c.ID + "/launch", "state": state, "nonce": s.signed("nonce", c.ID, state),
		"login_hint": form.Get("login_hint"), "lti_message_hint": form.Get("lti_message_hint"),
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	at.RawQuery = q.Encode()
	return at.String(), nil
}

// signed returns a MAC of a text for a class.
func (s *Service) signed(what, id, text string) string {
	return hex.EncodeToString(s.MAC("lti "+what+" "+id, text))
}

// seal signs a text of two parts and the time for a class.
func (s *Service) seal(what, id, text string) string {
	text = fmt.Sprintf("%s.%d", text, s.Now().Unix())
	return text + "." + s.signed(what, id, text)
}

// unseal returns the parts of a sealed text, and its time in seconds since 1970.
func (s *Service) unseal(what, id, sealed string) (parts []string, at int64, err error) {
	parts = strings.Split(sealed, ".")
	if len(parts) != 4 || !hmac.Equal([]byte(parts[3]), []byte(s.signed(what, id, strings.Join(parts[:3], ".")))) {
		return nil, 0, errors.New("it belongs to another class")
	}
	if at, err = strconv.ParseInt(parts[2], 10, 64); err == nil && s.Now().Sub(time.Unix(at, 0)) > stateAge {
		err = errors.New("it is too old")
	}
	return parts, at, err
}

// setState sets the cookie with a state. The platform's page posts to us, so the cookie must come with requests of other sites.
func (s *Service) setState(w http.ResponseWriter, r *http.Request, state string, seconds int) {
	site := http.SameSiteLaxMode // browsers accept None only with Secure
	if s.Secure(r) {
		site = http.SameSiteNoneMode
	}
	http.SetCookie(w, &http.Cookie{Name: stateCookie, Value: state, Path: "/lti/", MaxAge: seconds, HttpOnly: true, SameSite: site, Secure: s.Secure(r)}) //nolint:gosec // Secure where the server is reached by TLS
}

// checkState returns the platform of the state of a launch.
func (s *Service) checkState(r *http.Request, c class.Class) (p class.Platform, state string, err error) {
	cookie, err := r.Cookie(stateCookie)
	state = r.PostForm.Get("state")
	switch {
	case err != nil:
		return p, "", refused("cookie", "the browser has sent no cookie with a launch")
	case subtle.ConstantTimeCompare([]byte(cookie.Value), []byte(state)) != 1:
		return p, "", refused("again", "the state of a launch is that of another browser or another launch")
	}
	parts, at, err := s.unseal("state", c.ID, state)
	if err != nil || at < s.launches.began {
		return p, "", refused("again", "the state of a launch belongs to another class, or is older than 5 minutes")
	}
	i := slices.IndexFunc(c.Platforms, func(p class.Platform) bool { return p.ID == parts[0] })
	if i < 0 {
		return p, "", refused("refused", "the platform of a launch was removed")
	}
	return c.Platforms[i], state, nil
}

// launch admits a student who comes from a platform, and gives the browser a ticket to sign in with: see enter.go. Teachers
// sign in with their accounts: a platform cannot do so.
func (s *Service) launch(w http.ResponseWriter, r *http.Request, c class.Class) (to string, err error) {
	s.setState(w, r, "", -1)
	p, state, err := s.checkState(r, c)
	if err != nil {
		return "", err
	}
	if text := r.PostForm.Get("error"); text != "" {
		return "", refused("refused", "the platform refuses a launch: %.100q", text)
	}
	l, err := s.config.Tool.Verify(r.Context(), p, r.PostForm.Get("id_token"), s.signed("nonce", c.ID, state))
	stranger := errors.Is(err, lti.ErrUnsigned) // the teacher sees nothing that everybody can cause
	defer func() {
		if err != nil && !stranger {
			s.note(c.ID, err)
		}
	}()
	switch {
	case errors.Is(err, lti.ErrUnavailable):
		return "", &launchError{"platform", err}
	case err != nil:
		return "", &launchError{"refused", err}
	case !s.launches.use(state, clientOf(c), s.Now()):
		return "", refused("again", "the state of a launch was used before, or the class has too many launches")
	case !l.Student:
		return "/class/" + c.ID, nil
	}
	if err := s.checkLink(r.Context(), c.ID, &l); err != nil {
		return "", err
	}
	n, err := s.admit(r.Context(), c.ID, l)
	if err != nil {
		return "", err
	}
	s.setTicket(w, r, c.ID, s.seal("ticket", c.ID, n.ID+"."+l.Assignment), int(stateAge.Seconds()))
	s.reports.change(c.ID, func(r *reporting) { r.retry(n.ID) })
	s.report(c.ID)
	return "/class?enter=" + c.ID, nil
}

// checkLink checks that the class has the assignment that a launch is for.
func (s *Service) checkLink(ctx context.Context, id string, l *class.Launch) error {
	if l.Assignment == "" {
		l.Line = ""
		return nil
	}
	d, err := s.document(ctx, id)
	if err != nil {
		return err
	}
	found := false
	d.view(func(st *class.State) { _, found = st.Assignment(l.Assignment) })
	if !found {
		return refused("refused", "a course links to an assignment that the class does not have")
	}
	return nil
}

// errSame says that a launch changes nothing.
var errSame = errors.New("the class is as it was")

// admit returns the student of a launch, whom it adds to the class if needed.
func (s *Service) admit(ctx context.Context, id string, l class.Launch) (n class.Student, err error) {
	if class.CheckText("a name", l.Name, class.MaxName) != nil {
		l.Name = ""
	}
	if err := s.launches.gate.Enter(ctx, id); err != nil {
		return n, err
	}
	defer s.launches.gate.Leave(id)
	err = s.directory.Update(ctx, id, func(c *class.Class) error {
		in, changed, err := c.Enter(l, func() (n class.Student, err error) {
			if n.ID, err = s.NewID(""); err != nil {
				return n, err
			}
			secret, err := s.studentSecret(class.Member{Class: id, Student: n.ID}, 0)
			n.Person = people.GuestID(secret)
			n.Name = people.GuestName(n.Person)
			return n, err
		})
		if err != nil {
			return err
		}
		if n = *in; !changed {
			return errSame
		}
		return nil
	})
	switch {
	case errors.Is(err, class.ErrMany):
		return n, refused("full", "the class has %d students", class.MaxStudents)
	case errors.Is(err, errSame):
		return n, nil
	}
	return n, err
}
