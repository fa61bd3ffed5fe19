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
	var before *View
	return s.Follow(w, r, reviewTick, func(out api.Stream, _ bool) (<-chan struct{}, bool) {
		v, changed := review.View()
		if before == nil {
			err = out.Send(api.Encode(s.view(r, v)))
		} else {
			err = s.sendProgress(r, out, review, *before, v)
		}
		before = &v
		return changed, err == nil && v.State != Done && !review.Evicted()
	})
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
