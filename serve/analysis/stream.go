package analysis

import (
	"net/http"
	"time"

	"quintet/game"
	"quintet/serve/api"
	"quintet/serve/jobs"
)

// feed sends a client what the analysis of a position finds.
type feed struct {
	service *Service
	request *http.Request
	out     api.Stream
	match   *game.Match
	task    *Task
	ticket  *jobs.Ticket

	depth int       // of the last lines that were sent
	waits int       // the place in the queue that was sent last
	wrote time.Time // the last line
}

// linesTick is how often a stream looks at the place in the queue and at live games.
const linesTick = 500 * time.Millisecond

// send writes what is new, and reports whether the stream continues.
func (f *feed) send(out api.Stream, _ bool) (changed <-chan struct{}, more bool) {
	f.out = out
	return f.task.Changed(), f.sendNew()
}

func (f *feed) sendNew() (more bool) {
	result, reason := f.task.Latest()
	if f.service.games.RefuseLive(f.request, f.match) != nil { // a live game has come to this position meanwhile
		return f.write(doneView{true, "running"}) && false
	}
	ok := true
	if result.Depth > f.depth {
		f.depth = result.Depth
		ok = f.write(result)
	}
	if ok && reason != "" {
		return f.write(doneView{true, string(reason)}) && false
	}
	return ok && f.sendPlace()
}

// sendPlace writes the place in the queue if it has changed, and a line now and then for
// proxies that end idle streams.
func (f *feed) sendPlace() (ok bool) {
	place, last := f.ticket.Place(), f.waits
	f.waits = place
	switch {
	case place > 0 && place != last:
		return f.write(placeView{place})
	case time.Since(f.wrote) > api.KeepAliveEvery:
		f.wrote = time.Now()
		return f.out.KeepAlive() == nil
	}
	return true
}

func (f *feed) write(v any) bool {
	f.wrote = time.Now()
	return f.out.Send(api.Encode(v)) == nil
}
