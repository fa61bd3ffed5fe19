// Package classes serves the HTTP API of classes: rosters and login codes, assignments, submissions and their
// verdicts, marks, and rounds of games.
//
// A class is a record with names (class.Directory) and a stream of events (class.State). Submissions
// without a verdict are the queue of the judge. So a killed server loses no submission, and none gets two
// verdicts. See judging.go.
package classes

import (
	"context"
	"errors"
	"net/http"
	"time"

	"golang.org/x/time/rate"

	"quintet/judge"
	"quintet/judge/league"
	"quintet/live"
	"quintet/people"
	"quintet/people/class"
	"quintet/serve/api"
	"quintet/serve/fair"
	"quintet/serve/hall"
	"quintet/serve/lti"
)

// Judge judges submissions, and plays the matches of leagues. Errors are those of the server, not of programs.
type Judge interface {
	Judge(ctx context.Context, w Work) (judge.Verdict, error)
	Play(ctx context.Context, m Match) (league.Match, error)
}

// Work is a submission to be judged. A program for a league plays itself.
type Work struct {
	Assignment class.Assignment `json:"assignment"`
	Files      []File           `json:"files"`
}

// File is a submitted file: a source or a zip archive.
type File struct {
	Name string `json:"name"`
	Text string `json:"text,omitempty"`
	Data []byte `json:"data,omitempty"` // of an archive, in place of Text
}

// Config is what a Service needs.
type Config struct {
	Log       api.StoreConfig
	Directory *class.Directory
	Hall      *hall.Hall
	Tool      *lti.Tool                                      // talks to learning platforms
	Judge     Judge                                          // nil if the server does not judge
	Shared    bool                                           // other servers use the log, too
	Open      bool                                           // everybody with an account may make a class
	Erase     func(ctx context.Context, stream string) error // erases a stream from the log
}

// Service answers the requests about classes.
type Service struct {
	*api.Base

	config    Config
	directory *class.Directory
	store     *api.Store[*document]
	line      *fair.Line[entry]
	queue     queue
	launches  launches
	reports   reports
	warnings  rate.Sometimes // about launches, which every request may cause
	visits    people.Visits  // of students
}

// document is a class in memory.
type document struct {
	*api.Document

	state class.State // guarded by Mu
}

// NewService returns a Service.
func NewService(b *api.Base, c Config) *Service {
	embed := func(d *api.Document) (*document, func([]byte) error) {
		n := &document{Document: d}
		return n, n.state.Apply
	}
	began := b.Now().Unix()
	if c.Shared { // another server may have made a state before this one began
		began = 0
	}
	return &Service{
		Base: b, config: c, directory: c.Directory, store: api.NewStore(c.Log, live.ClassCategory, errNoEvents, embed),
		line: fair.NewLine[entry](maxOfEach, maxWaiting), queue: queue{entries: map[string]entry{}},
		launches: launches{began: began, held: fair.NewCounter(maxLaunches), gate: fair.NewGate(), used: map[string]usedState{}},
		reports:  reports{line: fair.NewLine[string](0, class.MaxClasses), classes: map[string]*reporting{}}, warnings: rate.Sometimes{Interval: time.Second},
	}
}

// Routes returns the routes of the subject.
func (s *Service) Routes() api.Routes {
	const one, submission = "/api/classes/{id}", "/api/classes/{id}/submissions/{submission}"
	return api.Routes{
		"POST /api/classes":                        s.Handle(s.create),
		"GET /api/classes":                         s.Handle(s.list),
		"POST /api/codes":                          s.Handle(s.signIn),
		"GET " + one:                               s.visited(s.show),
		"DELETE " + one:                            s.owned(s.erase),
		"POST " + one + "/archive":                 s.owned(s.archive),
		"GET " + one + "/export":                   s.taught(s.export),
		"GET " + one + "/progress":                 s.taught(s.showProgress),
		"POST " + one + "/progress":                s.visited(s.addProgress),
		"GET " + one + "/platforms":                s.taught(s.showPlatforms),
		"POST " + one + "/platforms":               s.taught(s.setPlatform),
		"DELETE " + one + "/platforms/{platform}":  s.taught(s.removePlatform),
		"POST " + one + "/students":                s.owned(s.addStudents),
		"DELETE " + one + "/students/{student}":    s.taught(s.removeStudent),
		"POST " + one + "/students/{student}/code": s.owned(s.renewCode),
		"POST " + one + "/assignments":             s.taught(s.assign),
		"GET " + one + "/assignments/{to}/marks":   s.taught(s.marks),
		"GET " + one + "/assignments/{to}/league":  s.visited(s.league),
		"GET " + one + "/assignments/{to}/final":   s.visited(s.showFinal),
		"POST " + one + "/assignments/{to}/final":  s.taught(s.holdFinal),
		"GET " + one + "/assignments/{to}/similar": s.taught(s.similar),
		"GET " + one + "/assignments/{to}/dolos":   s.taught(s.dolos),
		"GET " + one + "/templates/{name}":         s.visited(s.template),
		"POST " + one + "/rounds":                  s.taught(s.pair),
		"POST " + one + "/submissions":             s.visited(s.handIn),
		"GET " + submission:                        s.visited(s.submission),
		"GET " + submission + "/rounds/{round}":    s.visited(s.roundGames),
		"POST " + submission + "/question":         s.visited(s.question),
		"POST " + submission + "/answer":           s.taught(s.answer),
		"POST " + submission + "/mark":             s.taught(s.override),

		"GET " + one + "/assignments/{to}/similar/{a}/{b}": s.taught(s.similarPair),

		"GET /lti/{id}/login":    s.fromPlatform(s.login),
		"POST /lti/{id}/login":   s.fromPlatform(s.login),
		"POST /lti/{id}/launch":  s.fromPlatform(s.launch),
		"GET /lti/{id}/enter":    s.Handle(s.showEntry),
		"POST /lti/{id}/enter":   s.Handle(s.redeem),
		"DELETE /lti/{id}/enter": s.Handle(s.decline),
		"GET /lti/{id}/keys":     s.Handle(s.keySet),
	}
}

// errMissing is the problem of a class that does not exist, or that the sender of a request is not in.
func errMissing(what string) error {
	return api.Problemf(http.StatusNotFound, "missing", "there is no such %s, or you may not see it", what).WithReason("class.missing")
}

// visit is a request about a class.
type visit struct {
	class.Class

	student string    // who sends it; "" for the teacher
	d       *document // the events of the class; nil in owned
}

// visited is Handle for requests that the teacher and the students of a class may send.
func (s *Service) visited(h func(w http.ResponseWriter, r *http.Request, v visit) error) http.Handler {
	return s.Handle(func(w http.ResponseWriter, r *http.Request) error {
		v, err := s.enter(r)
		if err != nil {
			return err
		}
		if v.d, err = s.document(r.Context(), v.ID); err != nil {
			return err
		}
		return h(w, r, v)
	})
}

// owned is taught for requests that do not need the events of the class: they work also if those cannot be read.
func (s *Service) owned(h func(w http.ResponseWriter, r *http.Request, v visit) error) http.Handler {
	return s.Handle(func(w http.ResponseWriter, r *http.Request) error {
		v, err := s.enter(r)
		if err == nil && v.student != "" {
			err = errMissing("class")
		}
		if err != nil {
			return err
		}
		return h(w, r, v)
	})
}

// taught is Handle for requests that only the teacher of a class may send.
func (s *Service) taught(h func(w http.ResponseWriter, r *http.Request, v visit) error) http.Handler {
	return s.visited(func(w http.ResponseWriter, r *http.Request, v visit) error {
		if v.student != "" {
			return errMissing("class")
		}
		return h(w, r, v)
	})
}

// enter returns the class of a request, and who sends it.
func (s *Service) enter(r *http.Request) (v visit, err error) {
	c, ok := s.directory.Class(r.PathValue("id"))
	who := s.Who(r)
	m, member := s.member(who)
	switch {
	case !ok:
		return v, errMissing("class")
	case who.Signed && who.ID == c.Teacher:
		if !who.Grant.Allows(people.Manage) {
			return v, api.Problemf(http.StatusForbidden, "scope", "the token does not allow this: its scopes lack %q", people.Manage)
		}
	case member && m.Class == c.ID:
		s.visits.Add(m.Student, s.Now())
		v.student = m.Student
	default:
		return v, errMissing("class")
	}
	v.Class = c
	return v, nil
}

// assignment calls f with the assignment in the address. It returns a problem if the class does not have it.
func (v visit) assignment(r *http.Request, f func(st *class.State, a class.Assignment)) error {
	found := false
	v.d.view(func(st *class.State) {
		var a class.Assignment
		if a, found = st.Assignment(r.PathValue("to")); found {
			f(st, a)
		}
	})
	if !found {
		return errMissing("assignment")
	}
	return nil
}

// member returns the student behind a person.
func (s *Service) member(who people.Who) (class.Member, bool) {
	for _, id := range who.IDs() {
		if m, ok := s.directory.WhoIs(id); ok {
			return m, true
		}
	}
	return class.Member{}, false
}

// hereFor is how long a student counts as here after a request. Pages ask every few seconds.
const hereFor = 30 * time.Second

// here reports whether a student is here.
func (s *Service) here(student string) bool { return s.visits.Since(student, s.Now().Add(-hereFor)) }

// errNoEvents is the error of the store for a class without events.
var errNoEvents = errors.New("the class has no events")

// document returns the events of a class, which may have none yet.
func (s *Service) document(ctx context.Context, id string) (*document, error) {
	d, err := s.store.Get(ctx, id)
	if errors.Is(err, errNoEvents) {
		return s.store.Keep(ctx, s.store.New(ctx, id))
	}
	return d, err
}

// Limits of the events of a class. The last ones are reserved for verdicts, marks and answers.
const (
	maxEvents = 40_000
	maxBytes  = 32 << 20
	reserved  = 4000
)

// append appends an event to a class, unless check refuses it. check sees the state that the event follows.
func (s *Service) append(ctx context.Context, d *document, kind live.Kind, e class.Event, check func(*class.State) error) error {
	d.Appending.Lock()
	defer d.Appending.Unlock()
	for {
		err := d.check(check)
		if err == nil {
			err = d.Append(ctx, kind, func(envelope live.Envelope) ([]byte, error) {
				last := kind == class.Judged || kind == class.Failed || kind == class.Overridden || kind == class.Answered || kind == class.Reported
				if envelope.Number >= maxEvents || envelope.Number >= maxEvents-reserved && !last || d.Bytes > maxBytes {
					return nil, api.Problemf(http.StatusConflict, string(live.CodeMany), "the class is full: export it, and make a new one").WithReason("class.state")
				}
				e.Envelope = envelope
				return api.Encode(e), nil
			})
		}
		if err == nil && kind != class.Reported { // a mark may have changed
			s.report(d.ID())
		}
		if !errors.Is(err, live.ErrStale) { // another server was first, and its event is applied
			return err
		}
	}
}

// check calls check with the state.
func (d *document) check(check func(*class.State) error) error {
	if check == nil {
		return nil
	}
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Ask()
	return check(&d.state)
}

// view calls f with the state.
func (d *document) view(f func(*class.State)) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Ask()
	f(&d.state)
}
