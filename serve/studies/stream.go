package studies

import (
	"net/http"

	"quintet/serve/api"
)

// events streams a study: a JSON object on each line, the first with all of it unless the
// client knows it already, then each edit, until the client leaves.
func (s *Service) events(w http.ResponseWriter, r *http.Request) error {
	study, err := s.enter(r, "after")
	if err != nil {
		return err
	}
	after, err := api.EventNumber(r.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	f := feed{service: s, request: r, study: study, number: after, whole: after < 0}
	return s.Follow(w, r, api.KeepAliveEvery, f.send)
}

// feed sends a client what happens to a study.
type feed struct {
	service *Service
	request *http.Request
	study   *Study
	number  int  // of the last event that the client knows
	whole   bool // the client needs all of the study
}

// send writes what the client does not know.
func (f *feed) send(out api.Stream, ticked bool) (changed <-chan struct{}, ok bool) {
	if ticked && out.KeepAlive() != nil {
		return nil, false
	}
	if f.study.Evicted() { // the client connects again
		return nil, false
	}
	if _, err := f.service.enter(f.request, "after"); err != nil { // hidden or private now
		return nil, false
	}
	list, changed, remembered := f.study.Since(f.number)
	if f.whole || !remembered {
		data, err := f.state()
		return changed, err == nil && out.Send(data) == nil
	}
	for _, e := range list {
		if out.Line(api.Encode(e)) != nil {
			return changed, false
		}
		f.number = e.Number
	}
	return changed, out.Flush() == nil
}

// state encodes the whole study in a slot.
func (f *feed) state() ([]byte, error) {
	done, err := f.service.Slot(f.request.Context())
	if err != nil { // the client connects again
		return nil, err
	}
	defer done()
	v := f.service.view(f.request, f.study, f.study.Allows(keyOf(f.request)))
	f.number, f.whole = v.Number, false
	return api.Encode(stateView{"state", v}), nil
}
