package serve

import (
	"context"
	"encoding/json"
	"net/http"

	"quintet/live"
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
	v, p := s.visibleTo(r)
	if p != nil {
		s.fail(w, p)
		return
	}
	data, p := s.render(r.Context(), s.renderer, v, "forms", func(_ context.Context, t *live.Table) rendered {
		rec, err := recordOf(t, v.origin)
		if err != nil {
			return rendered{problem: s.problemOf(err)}
		}
		answer := formsView{Forms: []string{}}
		for _, name := range forms.Names() {
			if _, _, err := forms.Write(name, []*record.Record{rec}); err == nil {
				answer.Forms = append(answer.Forms, name)
			}
		}
		return rendered{data: encode(answer)}
	})
	if p != nil {
		s.fail(w, p)
		return
	}
	s.write(w, http.StatusOK, json.RawMessage(data))
}
