package reviews

import (
	"net/http"
	"time"

	"quintet/serve/api"
)

// reviewTick is how often a stream checks the place in the queue.
const reviewTick = time.Second

// events streams a review: a JSON object on each line, the first with the game, then what has
// changed, until the review is done or the client leaves.
func (s *Service) events(w http.ResponseWriter, r *http.Request) error {
	review, err := s.enter(r)
	if err != nil {
		return err
	}
	out := api.StartStream(w)
	defer out.End()
	v, changed := review.View()
	if out.Send(api.Encode(s.view(r, v))) != nil {
		return nil
	}
	tick := time.NewTicker(reviewTick)
	defer tick.Stop()
	for v.State != Done {
		select {
		case <-changed:
		case <-tick.C:
		case <-r.Context().Done():
			return nil
		case <-s.Stopping:
			return nil
		}
		before := v
		v, changed = review.View()
		if s.sendProgress(r, out, review, before, v) != nil {
			return nil
		}
	}
	return nil
}

// sendProgress writes the changes of a review, or a keep-alive line. It resumes the work
// if it has stopped.
func (s *Service) sendProgress(r *http.Request, out api.Stream, review *Review, before, v View) error {
	if v.State == Queued && v.Place == 0 {
		if _, err := s.store.Get(r.Context(), review.ID(), s.Address(r)); err != nil {
			return err
		}
	}
	from := len(before.Plies)
	if len(v.Plies) < from { // another server has taken over
		from = 0
	}
	if v.State == before.State && v.Place == before.Place && len(v.Plies) == len(before.Plies) {
		return out.KeepAlive()
	}
	return out.Send(api.Encode(v.from(from)))
}
