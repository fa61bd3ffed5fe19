package play

import (
	"net/http"
	"strconv"
	"time"

	"quintet/game"
	"quintet/serve/api"
	"quintet/serve/hall"
)

// events streams the events of a game, a JSON object on each line, until the game is over
// or the client leaves or falls behind.
func (s *Service) events(w http.ResponseWriter, r *http.Request, room *hall.Room, seats []game.Side) error {
	from, next, err := parseResume(r)
	if err != nil {
		return err
	}
	q := r.URL.Query()
	watcher := &hall.Watcher{Client: s.Address(r), Seats: seats, Board: q.Get("board") == "1", Presence: q.Get("presence") == "1", Next: next}
	missed, over := room.Watch(watcher, from)
	defer room.Leave(watcher)
	out := api.StartStream(w)
	defer out.End()
	for _, m := range missed {
		if out.Line(m.For(watcher)) != nil {
			return nil
		}
	}
	if out.Flush() == nil && !over {
		s.stream(r, out, watcher)
	}
	return nil
}

func (s *Service) stream(r *http.Request, out api.Stream, w *hall.Watcher) {
	beat := time.NewTicker(api.KeepAliveEvery)
	defer beat.Stop()
	for {
		select {
		case m, ok := <-w.Messages():
			if !ok || out.Send(m.For(w)) != nil || m.Over && len(w.Messages()) == 0 {
				return
			}
		case <-beat.C:
			if out.KeepAlive() != nil {
				return
			}
		case <-r.Context().Done():
			return
		case <-s.Stopping:
			return
		}
	}
}

// parseResume reads what a client has seen: the game up to a ply, or all events before
// number next.
func parseResume(r *http.Request) (from, next int, err error) {
	q, err := api.Parameters(r, "from", "after", "board", "presence", "key")
	if err != nil {
		return 0, 0, err
	}
	last, err := api.EventNumber(q.Get("after"))
	switch {
	case err != nil:
		return 0, 0, err
	case last >= 0 && q.Get("from") != "":
		return 0, 0, api.Invalid("after", "after, and from, too: expected one of them")
	case last >= 0:
		return 0, last + 1, nil
	}
	text := q.Get("from")
	if text == "" {
		return 0, 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, 0, api.Invalid("from", "from %q: expected a ply, 0 or more", text)
	}
	return n, 0, nil
}
