package serve

import (
	"errors"
	"fmt"
	"net/http"

	"quintet/live"
	"quintet/record"
	"quintet/record/formats"
	"quintet/serve/studies"
)

// studyProblem returns the problem for an error of a study.
func (s *Server) studyProblem(err error) *Problem {
	var edit *studies.EditError
	var move studies.MoveError
	switch {
	case errors.Is(err, studies.ErrMissing):
		return problem(http.StatusNotFound, "missing", "there is no such study, or it is private: expected the address that you were given").withReason("missing.study")
	case errors.As(err, &edit):
		p := problem(http.StatusBadRequest, "invalid", "%v", err).withReason("study.edit")
		p.Field = "edits"
		return p
	case errors.As(err, &move):
		p := problem(http.StatusUnprocessableEntity, "illegal", "%v", err).withReason("replay")
		p.Field = "edits"
		return p
	case errors.Is(err, studies.ErrFull):
		return problem(http.StatusConflict, string(live.CodeMany), "the study is full: it may have %d nodes, %d events and %d MB", studies.MaxNodes, studies.MaxEvents, studies.MaxBytes>>20).withReason("study.full")
	case errors.Is(err, studies.ErrBusy):
		p := problem(http.StatusServiceUnavailable, "unavailable", "too many studies are open: try again in a moment").withReason("busy")
		p.After = 5
		return p
	}
	return s.problemOf(err)
}

// studyKey returns the key in a request; "" for none.
func studyKey(r *http.Request) string {
	if token, ok := bearerToken(r); ok {
		return token
	}
	return r.URL.Query().Get("key")
}

// enterStudy returns the study in the address, if the request may read it.
func (s *Server) enterStudy(r *http.Request, names ...string) (*studies.Study, *Problem) {
	if _, p := parameters(r, append(names, "key")...); p != nil {
		return nil, p
	}
	id := r.PathValue("id")
	if !isID(id) || s.hall.HidesGame(live.StudyCategory.Table(id)) {
		return nil, s.studyProblem(studies.ErrMissing)
	}
	study, err := s.studies.Get(r.Context(), id)
	if err == nil && !study.Readable(studyKey(r)) {
		err = studies.ErrMissing
	}
	if err != nil {
		return nil, s.studyProblem(err)
	}
	return study, nil
}

// showStudy shows a study.
func (s *Server) showStudy(w http.ResponseWriter, r *http.Request) {
	study, p := s.enterStudy(r)
	if p != nil {
		s.fail(w, p)
		return
	}
	s.write(w, http.StatusOK, s.viewStudy(r, study, study.Allows(studyKey(r))))
}

// editsRequest edits a study whose last event is After.
type editsRequest struct {
	After *int           `json:"after"`
	Edits []studies.Edit `json:"edits"`
	Ref   string         `json:"ref"`
}

// editsBody is the largest request to edit a study, in bytes.
const editsBody = 64 << 10

// editStudy edits a study.
func (s *Server) editStudy(w http.ResponseWriter, r *http.Request) {
	if p := s.limited(s.limits.edits, s.address(r), "edits", "edits of studies from your address"); p != nil {
		s.fail(w, p)
		return
	}
	var q editsRequest
	study, p := s.enterStudy(r)
	if p == nil {
		p = s.refuseEditor(r, study)
	}
	if p == nil {
		p = read(w, r, editsBody, &q)
	}
	if p == nil && q.After == nil {
		p = fieldProblem("after", "no after: expected the number of the last event that you know")
	}
	if p != nil {
		s.fail(w, p)
		return
	}
	done, err := s.replayTurn(r.Context()) // moves are played from the start
	if err != nil {
		s.fail(w, s.renderer.busy())
		return
	}
	e, err := study.Edit(r.Context(), *q.After, q.Edits, q.Ref)
	done()
	var conflict *studies.ConflictError
	switch {
	case errors.As(err, &conflict):
		s.count.refused("stale")
		s.write(w, http.StatusConflict, viewConflict(conflict))
	case err != nil:
		s.fail(w, s.studyProblem(err))
	default:
		s.write(w, http.StatusOK, viewStudyEvent(e))
	}
}

// refuseEditor returns a problem unless the request has the key of a study.
func (s *Server) refuseEditor(r *http.Request, study *studies.Study) *Problem {
	k := studyKey(r)
	switch {
	case k == "":
		return problem(http.StatusUnauthorized, "token", "no key: expected Authorization: Bearer and the key that came with the study").withReason("study.key")
	case !study.Allows(k):
		return problem(http.StatusForbidden, "token", "the key is not that of this study: expected the one that came with it").withReason("study.key")
	}
	return nil
}

// downloadStudy answers with the study in a record format.
func (s *Server) downloadStudy(w http.ResponseWriter, r *http.Request) {
	study, p := s.enterStudy(r, "form")
	name := r.URL.Query().Get("form")
	if name == "" {
		name = "quintet"
	}
	form, err := formats.ByName(name)
	if p == nil && err != nil {
		p = fieldProblem("form", "%v", err).withReason("form.unknown")
	}
	var data []byte
	if p == nil {
		data, p = s.studyText(r, study, form)
	}
	if p != nil {
		s.fail(w, p)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=\"study-%s.%s\"", study.ID(), name))
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(data) //nolint:gosec // plain text with nosniff; the client may have left
}

func (s *Server) studyText(r *http.Request, study *studies.Study, form formats.Format) ([]byte, *Problem) {
	done, err := s.replayTurn(r.Context()) // writing a record takes time
	if err != nil {
		return nil, s.renderer.busy()
	}
	defer done()
	rec, err := s.studyRecord(r, study)
	if err != nil {
		return nil, s.problemOf(err)
	}
	text, err := writeStudy(form, rec)
	if err != nil {
		return nil, problem(http.StatusConflict, "form", "this study in this format: %v", err)
	}
	return text, nil
}

// writeStudy writes the record of a study: the main line alone in a form that cannot hold a
// tree.
func writeStudy(form formats.Format, rec *record.Record) ([]byte, error) {
	if !form.Tree {
		rec = formats.Plain(rec)
	}
	text, _, err := formats.Write(form.Name, []*record.Record{rec})
	return text, err
}

// studyForms lists the formats in which a study can be written.
func (s *Server) studyForms(w http.ResponseWriter, r *http.Request) {
	study, p := s.enterStudy(r)
	if p != nil {
		s.fail(w, p)
		return
	}
	s.answerReplay(w, r, func() (any, *Problem) { // writing records takes time
		rec, err := s.studyRecord(r, study)
		if err != nil {
			return nil, s.problemOf(err)
		}
		answer := formsView{Forms: []string{}}
		for _, f := range formats.All() {
			if _, err := writeStudy(f, rec); err == nil {
				answer.Forms = append(answer.Forms, f.Name)
			}
		}
		return answer, nil
	})
}
