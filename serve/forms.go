package serve

import (
	"net/http"

	"quintet/record"
	"quintet/record/forms"
)

// formsView are the forms of records in which a game can be written.
type formsView struct {
	Forms []string `json:"forms"`
}

// forms answers with the forms in which the game can be downloaded. What a form cannot
// express is in the game, such as pits or where it began, so each is tried.
func (s *Server) forms(w http.ResponseWriter, r *http.Request) {
	t, p := s.seen(r)
	if p != nil {
		s.fail(w, p)
		return
	}
	rec, err := recordOf(t, s.origin(r))
	if err != nil {
		s.fail(w, s.problemOf(err))
		return
	}
	answer := formsView{Forms: []string{}}
	for _, name := range forms.Names() {
		if _, _, err := forms.Write(name, []*record.Record{rec}); err == nil {
			answer.Forms = append(answer.Forms, name)
		}
	}
	s.write(w, http.StatusOK, answer)
}
