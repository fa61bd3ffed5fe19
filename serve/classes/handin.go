package classes

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"

	"quintet/judge/run"
	"quintet/live"
	"quintet/people"
	"quintet/people/class"
	"quintet/serve/api"
)

// Limits of a submission.
const (
	maxBody  = 1 << 20   // bytes of the request
	maxFiles = 30        // files
	maxKept  = 256 << 10 // bytes, compressed
)

// studentSecret returns the secret of a student's guest, given how often the login code was renewed.
func (s *Service) studentSecret(m class.Member, renewed int) (string, error) {
	secret, err := s.NewSecret(fmt.Sprintf("%s %s %d", m.Class, m.Student, renewed), "student")
	return people.TokenPrefix + secret, err
}

// signIn signs a student in with a login code. Only wrong codes count as attempts, so a whole class can sign in
// at once.
func (s *Service) signIn(w http.ResponseWriter, r *http.Request) error {
	var q struct {
		Code string `json:"code"`
	}
	if err := api.Read(w, r, api.SmallBody, &q); err != nil {
		return err
	}
	m, ok := s.directory.WithCode(class.HashCode(s.Secret, q.Code))
	c, there := s.directory.Class(m.Class)
	n, known := c.Student(m.Student)
	if !ok || !there || !known {
		if err := s.Limited(s.Limits.Passwords, s.Address(r), "passwords", "sign-ins from your address"); err != nil {
			return err
		}
		return api.Problemf(http.StatusForbidden, "password", "no student has this code: ask your teacher for a new one").WithReason("class.code").InField("code")
	}
	secret, err := s.studentSecret(m, n.Renewed)
	if err != nil {
		return err
	}
	if _, program := api.BearerToken(r); !program {
		s.SetSession(w, r, secret)
	}
	return s.OK(w, map[string]string{"class": c.ID, "name": n.Name, "token": secret})
}

// handIn stores a submission. The verdict follows, see judging.go.
func (s *Service) handIn(w http.ResponseWriter, r *http.Request, v visit) error {
	switch {
	case v.student == "":
		return api.Problemf(http.StatusForbidden, "scope", "only students of the class hand in programs").WithReason("class.state")
	case v.Archived:
		return api.Problemf(http.StatusConflict, string(live.CodeOver), "the class is archived").WithReason("class.state")
	case s.line.Len() >= maxWaiting:
		return api.Busy(30, "too many submissions wait for their verdicts: try again in a moment")
	}
	var q struct {
		Assignment string `json:"assignment"`
		Files      []File `json:"files"`
	}
	if err := api.Read(w, r, maxBody, &q); err != nil {
		return err
	}
	kept, err := pack(q.Files)
	if err != nil {
		return err
	}
	id, err := s.submissionID(r, v.ID, v.student)
	if err != nil {
		return err
	}
	allowed := func(st *class.State) error {
		if _, again := st.Submission(id); again {
			return errRepeated
		}
		return s.mayHandIn(st, v.student, q.Assignment)
	}
	err = v.d.check(allowed)
	if err == nil {
		err = s.LimitCreates(s.Address(r))
	}
	if err == nil {
		err = s.keep(r.Context(), id, kept)
	}
	if err == nil {
		err = s.append(r.Context(), v.d, class.Submitted, class.Event{Submission: id, Student: v.student, To: q.Assignment}, allowed)
	}
	if err != nil && !errors.Is(err, errRepeated) {
		return err
	}
	s.Write(w, http.StatusCreated, map[string]string{"id": id})
	return nil
}

// errRepeated says that a request has been executed before.
var errRepeated = errors.New("the request was executed before")

// submissionID returns the identifier of a new submission, derived from the idempotency key if there is one.
func (s *Service) submissionID(r *http.Request, id, student string) (string, error) {
	key, err := api.Key(r)
	if err != nil {
		return "", err
	}
	return s.NewID(api.HashKey(key, "submission", id, student))
}

// keep stores the files of a submission, unless a request with the same key has done so.
func (s *Service) keep(ctx context.Context, id string, files []byte) error {
	err := s.directory.Put(ctx, class.Files, id, files)
	if !errors.Is(err, live.ErrStale) {
		return err
	}
	old, err := s.directory.Get(ctx, class.Files, id)
	if err == nil && !bytes.Equal(old, files) {
		err = api.Problemf(http.StatusConflict, "taken", "this Idempotency-Key belongs to another request: use a new one").WithReason("key.used")
	}
	return err
}

// mayHandIn returns a problem unless a student may hand in now.
func (s *Service) mayHandIn(st *class.State, student, assignment string) error {
	a, ok := st.Assignment(assignment)
	if !ok {
		return errMissing("assignment")
	}
	err := st.MayHandIn(student, a, s.Now())
	var refused *class.RefusedError
	if errors.As(err, &refused) {
		p := api.Problemf(http.StatusConflict, string(live.CodeLimited), "%s", refused.Reason).WithReason("class.handin")
		if !refused.Until.IsZero() {
			p.Until = api.TimeText(refused.Until.UnixMilli())
		}
		return p
	}
	return err
}

// pack checks files and returns them compressed.
func pack(list []File) ([]byte, error) {
	if len(list) == 0 || len(list) > maxFiles {
		return nil, invalidField("files", "%d files: expected 1 to %d", len(list), maxFiles)
	}
	seen := map[string]bool{}
	for _, f := range list {
		archive := strings.EqualFold(filepath.Ext(f.Name), ".zip")
		switch {
		case f.Name != filepath.Base(f.Name) || !filepath.IsLocal(f.Name) || len(f.Name) > 100 || strings.ContainsAny(f.Name, "\x00\n\\"):
			return nil, invalidField("files", "%.100q: a name of a file has at most 100 bytes and no folder", f.Name)
		case !archive && !run.IsSource(f.Name) && !run.IsHeader(f.Name):
			return nil, invalidField("files", "%.100q: hand in sources in C++, C or Python, or a zip archive", f.Name)
		case seen[f.Name]:
			return nil, invalidField("files", "%.100q is there twice", f.Name)
		}
		seen[f.Name] = true
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	err := json.NewEncoder(z).Encode(list)
	if err := errors.Join(err, z.Close()); err != nil {
		return nil, fmt.Errorf("packing a submission: %w", err)
	}
	if out.Len() > maxKept {
		return nil, api.Problemf(http.StatusRequestEntityTooLarge, "large", "the files have more than %d KB, compressed: leave out what is not source", maxKept>>10)
	}
	return out.Bytes(), nil
}

// unpack returns what pack compressed.
func unpack(data []byte) (list []File, err error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		err = json.NewDecoder(io.LimitReader(z, 2*maxBody)).Decode(&list)
	}
	if err != nil {
		return nil, fmt.Errorf("reading a submission: %w", err)
	}
	return list, nil
}

// question asks the teacher for a second look at a submission.
func (s *Service) question(w http.ResponseWriter, r *http.Request, v visit) error {
	text, err := readText(w, r)
	if err != nil {
		return err
	}
	return s.done(w, s.change(r, v, class.Asked, class.Event{Text: text}, func(n class.Submission) error {
		switch {
		case n.Student != v.student:
			return errMissing("submission")
		case n.Waits() || n.Question != "":
			return api.Problemf(http.StatusConflict, string(live.CodeNothing), "you can ask once for each submission, after its verdict").WithReason("class.state")
		}
		return nil
	}))
}
