package classes

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"reflect"
	"strings"

	"quintet/games"
	"quintet/judge"
	"quintet/judge/league"
	"quintet/live"
	"quintet/people"
	"quintet/people/class"
	"quintet/serve/api"
)

// failed turns an error of the directory into a problem.
func failed(err error) error {
	switch {
	case errors.Is(err, class.ErrMissing):
		return errMissing("class")
	case errors.Is(err, class.ErrMany):
		return api.Problemf(http.StatusConflict, string(live.CodeMany), "there are too many classes: erase one first").WithReason("class.state")
	}
	return err
}

// invalidField returns the problem of an invalid field. Pages show its text.
func invalidField(field, format string, args ...any) error {
	return api.Invalid(field, format, args...).WithReason("class.field")
}

// done answers a request whose only result is a possible error.
func (s *Service) done(w http.ResponseWriter, err error) error {
	if err != nil {
		return failed(err)
	}
	return s.OK(w, map[string]bool{"done": true})
}

// mayTeach reports whether somebody may make a class: owners, teachers, people at the server's own machine, and
// everybody if the server is open.
func (s *Service) mayTeach(r *http.Request, who people.Who) bool {
	role := who.Account.Role
	return who.Signed && (s.config.Open || role == people.Owner || role == people.Teacher || s.isLocal(r))
}

// isLocal reports whether a request comes from the server's own machine: its source is the address it was sent to.
func (s *Service) isLocal(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	forwarded := r.Header["X-Forwarded-For"] != nil || r.Header["Forwarded"] != nil // by a proxy for somebody elsewhere
	return ok && !forwarded && api.Network(local.String()) == s.Network(r) && !strings.Contains(s.Network(r), "/")
}

// created is the response to a request for a new class.
type created struct {
	ID  string `json:"id"`
	URL string `json:"url"`
}

// create makes a class.
func (s *Service) create(w http.ResponseWriter, r *http.Request) error {
	var q struct {
		Title string `json:"title"`
	}
	if err := api.Read(w, r, api.SmallBody, &q); err != nil {
		return err
	}
	who := s.Who(r)
	switch {
	case !who.Signed:
		return api.Problemf(http.StatusUnauthorized, "token", "sign in to make a class").WithReason("account.none")
	case !who.Grant.Allows(people.Manage):
		return api.Problemf(http.StatusForbidden, "scope", "the token does not allow this: its scopes lack %q", people.Manage)
	case !s.mayTeach(r, who):
		return api.Problemf(http.StatusForbidden, "scope", "only teachers can make classes: ask whoever runs this server to make you a teacher").WithReason("class.role")
	}
	if err := class.CheckText("the title", q.Title, class.MaxTitle); err != nil {
		return invalidField("title", "%v", err)
	}
	if err := s.LimitCreates(s.Address(r)); err != nil {
		return err
	}
	id, err := s.NewID("")
	if err != nil {
		return err
	}
	if err := s.directory.Create(r.Context(), class.Class{ID: id, Title: q.Title, Teacher: who.ID, Created: s.Now().UnixMilli()}); err != nil {
		return failed(err)
	}
	s.Write(w, http.StatusCreated, created{id, s.Origin(r) + "/class/" + id})
	return nil
}

// submissionsOf returns the submissions of a student; of all if student is "".
func submissionsOf(st *class.State, student string) (list []class.Submission) {
	for _, n := range st.Submissions {
		if student == "" || n.Student == student {
			list = append(list, n)
		}
	}
	return list
}

// archive archives a class, or opens it again. An archived class accepts no submissions.
func (s *Service) archive(w http.ResponseWriter, r *http.Request, v visit) error {
	var q struct {
		Archived bool `json:"archived"`
	}
	if err := api.Read(w, r, api.SmallBody, &q); err != nil {
		return err
	}
	err := s.directory.Update(r.Context(), v.ID, func(c *class.Class) error { c.Archived = q.Archived; return nil })
	if err == nil && !q.Archived {
		s.queueWaiting(r.Context(), v.ID)
	}
	return s.done(w, err)
}

// erase erases a class. The class disappears at once; the server erases the submissions in the background, and
// continues after a restart.
func (s *Service) erase(w http.ResponseWriter, r *http.Request, v visit) error {
	err := s.directory.Update(r.Context(), v.ID, func(c *class.Class) error { c.Erasing = true; return nil })
	if err == nil {
		s.Spawn("erasing a class", func() { s.finishErasing(context.WithoutCancel(r.Context()), v.ID) })
	}
	return s.done(w, err)
}

// finishErasing erases the submissions, the events, the progress of the students and the record of a class.
func (s *Service) finishErasing(ctx context.Context, id string) {
	var list []class.Submission
	c, _ := s.directory.Class(id)
	d, err := s.document(ctx, id)
	if err == nil {
		last := -1
		d.view(func(st *class.State) { list, last = submissionsOf(st, ""), d.Number })
		for _, n := range list {
			err = errors.Join(err, s.directory.Erase(ctx, n))
		}
		if err == nil && last >= 0 { // else it has no events
			err = s.config.Erase(ctx, live.ClassCategory.Stream(id))
		}
	}
	for _, n := range c.Students {
		err = errors.Join(err, s.directory.EraseProgress(ctx, n.ID))
	}
	if err == nil {
		err = s.directory.Update(ctx, id, func(c *class.Class) error { *c = c.Emptied(); return nil })
	}
	if err != nil {
		s.Log.Error("a class is not erased completely: the next start of the server tries again", "class", id, "error", err)
	}
}

// assign makes an assignment, or changes the one with its identifier.
func (s *Service) assign(w http.ResponseWriter, r *http.Request, v visit) error {
	a := class.Assignment{Attempts: 10, Points: 100}
	if err := api.Read(w, r, api.LargeBody, &a); err != nil {
		return err
	}
	if err := checkAssignment(a); err != nil {
		return err
	}
	fresh := a.ID == ""
	if fresh {
		id, err := s.NewID("")
		if err != nil {
			return err
		}
		a.ID = id
	}
	err := s.append(r.Context(), v.d, class.Assigned, class.Event{Assignment: &a}, func(st *class.State) error {
		_, known := st.Assignment(a.ID)
		switch {
		case !fresh && !known:
			return errMissing("assignment")
		case fresh && len(st.Assignments) >= class.MaxAssignments:
			return api.Problemf(http.StatusConflict, string(live.CodeMany), "a class has at most %d assignments", class.MaxAssignments).WithReason("class.state")
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.OK(w, a)
}

// checkAssignment checks an assignment with its game and profile.
func checkAssignment(a class.Assignment) error {
	if _, err := games.ByName(a.Game); err != nil {
		return invalidField("game", "%v", err)
	}
	if a.Class && a.Game != "neighbors" && a.Game != "loa" {
		return invalidField("class", "%s has no class in the course: only neighbors and loa have one", a.Game)
	}
	if err := cmp.Or(checkProfile(a.Profile, a.Game), checkLeague(a)); err != nil {
		return err
	}
	if a.Size != 0 {
		if a.Game != "othello" && a.Game != "connect6" || a.Size < 4 || a.Size > 26 {
			return invalidField("size", "size %d: othello and connect6 have other sizes", a.Size)
		}
	}
	if err := a.Check(); err != nil {
		return invalidField("assignment", "%v", err)
	}
	return nil
}

// checkLeague completes the rules of a league, and checks them.
func checkLeague(a class.Assignment) error {
	switch {
	case a.League == nil:
		return nil
	case a.Class || a.Profile != "":
		return invalidField("league", "a league assignment cannot have a class or a profile")
	case a.League.Level < 1 || a.League.Level > league.MaxLevel:
		return invalidField("league", "level %d: choose a top level from 1 to %d", a.League.Level, league.MaxLevel)
	}
	if err := a.League.Complete(); err != nil {
		return invalidField("league", "%v", err)
	}
	return nil
}

// checkProfile checks a profile. Compilers and limits belong to whoever runs the server, and an assignment has
// dates of its own.
func checkProfile(text, game string) error {
	c, err := judge.ReadCourse(strings.NewReader(text), game)
	usual := judge.DefaultCourse()
	switch {
	case err != nil:
		return invalidField("profile", "%v", err)
	case !reflect.DeepEqual(c.Build, usual.Build) || c.Compile != usual.Compile || c.Run != usual.Run:
		return invalidField("profile", "compilers and limits cannot be set here: the server's operator chooses them")
	case c.Late != usual.Late:
		return invalidField("profile", "due and late cannot be set here: set the assignment's own")
	}
	return nil
}

// override sets the mark of a submission, with a reason.
func (s *Service) override(w http.ResponseWriter, r *http.Request, v visit) error {
	var q struct {
		Mark   *float64 `json:"mark"`
		Reason string   `json:"reason"`
	}
	if err := api.Read(w, r, 4*api.SmallBody, &q); err != nil {
		return err
	}
	if q.Mark == nil || !(*q.Mark >= 0 && *q.Mark <= class.MaxPoints) {
		return invalidField("mark", "a mark is a number from 0 to %d", class.MaxPoints)
	}
	if err := class.CheckText("the reason", q.Reason, class.MaxText); err != nil {
		return invalidField("reason", "%v", err)
	}
	return s.done(w, s.change(r, v, class.Overridden, class.Event{Points: *q.Mark, Text: q.Reason}, func(class.Submission) error { return nil }))
}

// answer answers a student who asked for a second look.
func (s *Service) answer(w http.ResponseWriter, r *http.Request, v visit) error {
	text, err := readText(w, r)
	if err != nil {
		return err
	}
	return s.done(w, s.change(r, v, class.Answered, class.Event{Text: text}, func(n class.Submission) error {
		if n.Question == "" {
			return api.Problemf(http.StatusConflict, string(live.CodeNothing), "nobody asked for a second look").WithReason("class.state")
		}
		return nil
	}))
}

// readText reads a request with a text.
func readText(w http.ResponseWriter, r *http.Request) (string, error) {
	var q struct {
		Text string `json:"text"`
	}
	if err := api.Read(w, r, 4*api.SmallBody, &q); err != nil {
		return "", err
	}
	if err := class.CheckText("the text", q.Text, class.MaxText); err != nil {
		return "", invalidField("text", "%v", err)
	}
	return q.Text, nil
}

// change appends an event about the submission in the address, unless check refuses it.
func (s *Service) change(r *http.Request, v visit, kind live.Kind, e class.Event, check func(class.Submission) error) error {
	e.Submission = r.PathValue("submission")
	return s.append(r.Context(), v.d, kind, e, func(st *class.State) error {
		n, ok := st.Submission(e.Submission)
		if !ok {
			return errMissing("submission")
		}
		return check(n)
	})
}
