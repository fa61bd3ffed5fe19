package classes

import (
	"net/http"

	"quintet/live"
	"quintet/people"
	"quintet/people/class"
	"quintet/serve/api"
)

// The last step of a launch signs the student in. A platform can start a launch in any browser and
// name any student. A malicious teacher could thus sign somebody in as a student of the class, and read what they hand in. So
// a verified launch only gives the browser a ticket, a cookie that the page of classes redeems. The page asks first if
// somebody else is signed in. The launch cannot see that: browsers send no session with requests of other sites.

const ticketCookie = "quintet_ticket"

// ticket says whom a browser may sign in as.
type ticket struct {
	member     class.Member
	class      class.Class
	student    class.Student
	assignment string // to show first; "" for none
}

func (s *Service) setTicket(w http.ResponseWriter, r *http.Request, id, ticket string, seconds int) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure where the server is reached by TLS
		Name: ticketCookie, Value: ticket, Path: "/lti/" + id + "/", MaxAge: seconds, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: s.Secure(r),
	})
}

// readTicket returns the ticket of a request.
func (s *Service) readTicket(r *http.Request) (t ticket, err error) {
	missing := api.Problemf(http.StatusNotFound, "missing", "the launch belongs to another browser, or has expired: follow the link in your course again").WithReason("class.missing")
	c, ok := s.directory.Class(r.PathValue("id"))
	cookie, err := r.Cookie(ticketCookie)
	if !ok || err != nil {
		return t, missing
	}
	parts, _, err := s.unseal("ticket", c.ID, cookie.Value)
	if err != nil {
		return t, missing
	}
	n, ok := c.Student(parts[0])
	if !ok {
		return t, missing
	}
	return ticket{class.Member{Class: c.ID, Student: n.ID}, c, n, parts[1]}, nil
}

// other returns the name of the account or the student that signing in with a ticket would sign out; "" for guests. same
// reports whether the sender is the student already.
func (s *Service) other(who people.Who, t ticket) (name string, same bool) {
	m, student := s.member(who)
	switch {
	case m == t.member:
		return "", true
	case who.Signed:
		return who.Account.Name, false
	case student:
		c, _ := s.directory.Class(m.Class)
		n, _ := c.Student(m.Student)
		return n.Name, false
	}
	return "", false
}

// showEntry names the student whom a launch would sign in, and who would be signed out.
func (s *Service) showEntry(w http.ResponseWriter, r *http.Request) error {
	t, err := s.readTicket(r)
	if err != nil {
		return err
	}
	you, _ := s.other(s.Who(r), t)
	return s.OK(w, map[string]string{"class": t.class.Title, "student": t.student.Name, "you": you})
}

// redeem signs a student in with a ticket, if nothing has changed since the page asked.
func (s *Service) redeem(w http.ResponseWriter, r *http.Request) error {
	t, err := s.readTicket(r)
	if err != nil {
		return err
	}
	var asked struct {
		Student string `json:"student"`
		You     string `json:"you"`
	}
	if err := api.Read(w, r, api.SmallBody, &asked); err != nil {
		return err
	}
	you, same := s.other(s.Who(r), t)
	if asked.Student != t.student.Name || asked.You != you {
		return api.Problemf(http.StatusConflict, string(live.CodeStale), "the launch would sign in %q and sign out %q, not %q and %q: ask again", t.student.Name, you, asked.Student, asked.You).WithReason("class.state")
	}
	if !same {
		secret, err := s.studentSecret(t.member, t.student.Renewed)
		if err != nil {
			return err
		}
		s.SetSession(w, r, secret)
	}
	s.setTicket(w, r, t.class.ID, "", -1)
	return s.OK(w, map[string]string{"url": "/class/" + t.class.ID + "#" + t.assignment})
}

// decline takes the ticket from the browser, so that nobody who uses it later can redeem it.
func (s *Service) decline(w http.ResponseWriter, r *http.Request) error {
	s.setTicket(w, r, r.PathValue("id"), "", -1)
	return s.done(w, nil)
}
