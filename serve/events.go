package serve

import (
	"net/http"
	"strconv"
	"time"

	"quintet/serve/hall"
)

// keepAliveLine tells clients of an event stream that the connection is alive.
const (
	keepAliveLine  = `{"kind":"beat"}`
	keepAliveEvery = 15 * time.Second
)

// events streams the events of a game, a JSON object on each line, until the game is over
// or the client leaves or falls behind.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	room, seats, p := s.requestedRoom(r)
	var from, next int
	if p == nil {
		from, next, p = parseResume(r)
	}
	if p != nil {
		s.fail(w, p)
		return
	}
	q := r.URL.Query()
	watcher := &hall.Watcher{Seats: seats, Board: q.Get("board") == "1", Presence: q.Get("presence") == "1", Next: next}
	missed, over := room.Watch(watcher, from)
	defer room.Leave(watcher)
	out := startNDJSON(w)
	defer out.wait() // the end of the stream needs a deadline, too
	for _, l := range missed {
		if out.write(l.For(watcher), false) != nil {
			return
		}
	}
	if out.flush() != nil || over {
		return
	}
	s.stream(r, out, watcher)
}

func (s *Server) stream(r *http.Request, out ndjson, w *hall.Watcher) {
	beat := time.NewTicker(keepAliveEvery)
	defer beat.Stop()
	for {
		select {
		case l, ok := <-w.Messages():
			if !ok || out.write(l.For(w), true) != nil || l.Over && len(w.Messages()) == 0 {
				return
			}
		case <-beat.C:
			if out.write([]byte(keepAliveLine), true) != nil {
				return
			}
		case <-r.Context().Done():
			return
		case <-s.stopping:
			return
		}
	}
}

// startNDJSON begins a response that is a stream of JSON objects.
func startNDJSON(w http.ResponseWriter) ndjson {
	w.Header().Set("Content-Type", "application/x-ndjson; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // proxies must not buffer lines
	w.WriteHeader(http.StatusOK)              // out writes past w, which must know that the response has begun
	return ndjson{underlying(w), http.NewResponseController(w)}
}

// ndjson writes lines with a deadline for each.
type ndjson struct {
	w  http.ResponseWriter
	rc *http.ResponseController
}

const writeTime = 10 * time.Second

func (n ndjson) wait() { _ = n.rc.SetWriteDeadline(time.Now().Add(writeTime)) } // not every writer has one

func (n ndjson) write(data []byte, flush bool) error {
	n.wait()
	if _, err := n.w.Write(append(data[:len(data):len(data)], '\n')); err != nil { // JSON with nosniff
		return err
	}
	if flush {
		return n.rc.Flush()
	}
	return nil
}

func (n ndjson) flush() error { return n.rc.Flush() }

// parseResume reads what a client has seen: the game up to a ply, or all events before
// number next.
func parseResume(r *http.Request) (from, next int, p *Problem) {
	q, p := parameters(r, "from", "after", "board", "presence", "key")
	if p != nil {
		return 0, 0, p
	}
	if text := q.Get("after"); text != "" {
		n, err := strconv.ParseUint(text, 10, 30)
		switch {
		case err != nil:
			return 0, 0, fieldProblem("after", "after %q: expected the number of an event, 0 or more", text)
		case q.Get("from") != "":
			return 0, 0, fieldProblem("after", "after, and from, too: expected one of them")
		}
		return 0, int(n) + 1, nil
	}
	text := q.Get("from")
	if text == "" {
		return 0, 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, 0, fieldProblem("from", "from %q: expected a ply, 0 or more", text)
	}
	return n, 0, nil
}
