package serve

import (
	"net/http"
	"strconv"
	"time"
)

// beatLine tells a reader of events that the connection is there.
const (
	beatLine  = `{"kind":"beat"}`
	beatAfter = 15 * time.Second
)

// events streams what happens in a game, a JSON object on a line, until the game
// is over, the reader goes, or falls behind.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	room, seats, p := s.enter(r)
	from := 0
	if p == nil {
		from, p = fromPly(r)
	}
	if p != nil {
		s.fail(w, p)
		return
	}
	watcher := &watcher{seated: len(seats) > 0, full: r.URL.Query().Get("board") == "1"}
	missed, over := room.watch(watcher, from)
	defer room.leave(watcher)
	w.Header().Set("Content-Type", "application/x-ndjson; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // proxies shall not hold lines back
	out := ndjson{bare(w), http.NewResponseController(w)}
	defer out.wait() // the end of it is written, too
	for _, l := range missed {
		if out.write(l.plain, false) != nil {
			return
		}
	}
	if out.flush() != nil || over {
		return
	}
	s.stream(r, out, watcher)
}

func (s *Server) stream(r *http.Request, out ndjson, w *watcher) {
	beat := time.NewTicker(beatAfter)
	defer beat.Stop()
	for {
		select {
		case l, ok := <-w.lines:
			if !ok || out.write(l.form(w), true) != nil || l.over && len(w.lines) == 0 {
				return
			}
		case <-beat.C:
			if out.write([]byte(beatLine), true) != nil {
				return
			}
		case <-r.Context().Done():
			return
		case <-s.stopping:
			return
		}
	}
}

// ndjson writes lines, and gives up on who does not read them.
type ndjson struct {
	w  http.ResponseWriter
	rc *http.ResponseController
}

const writeTime = 10 * time.Second

func (n ndjson) wait() { _ = n.rc.SetWriteDeadline(time.Now().Add(writeTime)) } // not every writer has one

func (n ndjson) write(data []byte, flush bool) error {
	n.wait()
	if _, err := n.w.Write(append(data[:len(data):len(data)], '\n')); err != nil { //nolint:gosec // JSON, and nobody may sniff it
		return err
	}
	if flush {
		return n.rc.Flush()
	}
	return nil
}

func (n ndjson) flush() error { return n.rc.Flush() }

// form returns the form of a line that a watcher wants.
func (l *line) form(w *watcher) []byte {
	if w.full && l.full != nil {
		return l.full
	}
	return l.plain
}

func fromPly(r *http.Request) (int, *Problem) {
	text := r.URL.Query().Get("from")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, wrong("from", "from %q: want a ply, 0 or more", text)
	}
	return n, nil
}
