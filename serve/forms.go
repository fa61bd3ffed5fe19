package serve

import (
	"context"
	"encoding/json"
	"net/http"

	"quintet/live"
	"quintet/record"
	"quintet/record/formats"
)

// formsView lists the record formats in which a game can be written.
type formsView struct {
	Forms []string `json:"forms"`
}

// forms answers with the formats in which the game can be downloaded. Whether a format can
// express a game depends on its pits, start position and so on, so it tries each.
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
		for _, name := range formats.Names() {
			if _, _, err := formats.Write(name, []*record.Record{rec}); err == nil {
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
