package studies

import (
	"net/http"
	"time"

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
	f := feed{service: s, request: r, out: api.StartStream(w), study: study, number: after, whole: after < 0}
	f.stream()
	return nil
}

// feed sends a client what happens to a study.
type feed struct {
	service *Service
	request *http.Request
	out     api.Stream
	study   *Study
	number  int  // of the last event that the client knows
	whole   bool // the client needs all of the study
}

func (f *feed) stream() {
	defer f.out.End()
	beat := time.NewTicker(api.KeepAliveEvery)
	defer beat.Stop()
	for {
		changed, ok := f.send()
		if !ok {
			return
		}
		select {
		case <-changed:
		case <-beat.C:
			if f.out.KeepAlive() != nil {
				return
			}
		case <-f.request.Context().Done():
			return
		case <-f.service.Stopping:
			return
		}
		if _, err := f.service.enter(f.request, "after"); err != nil { // hidden or private now
			return
		}
	}
}

// send writes what the client does not know.
func (f *feed) send() (changed <-chan struct{}, ok bool) {
	list, changed, remembered := f.study.Since(f.number)
	if f.whole || !remembered {
		v := f.service.view(f.request, f.study, f.study.Allows(keyOf(f.request)))
		f.number, f.whole = v.Number, false
		return changed, f.out.Send(api.Encode(stateView{"state", v})) == nil
	}
	for _, e := range list {
		if f.out.Line(api.Encode(e)) != nil {
			return changed, false
		}
		f.number = e.Number
	}
	return changed, f.out.Flush() == nil
}
