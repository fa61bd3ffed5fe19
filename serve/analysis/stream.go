package analysis

import (
	"net/http"
	"time"

	"quintet/game"
	"quintet/serve/api"
	"quintet/serve/jobs"
)

// feed sends a client what the analysis of a position finds. Another machine analyzes it
// if one is there; when that is lost, this server continues.
type feed struct {
	service *Service
	out     api.Stream
	match   *game.Match
	options Options

	source Source
	place  *jobs.Reservation // nil if this server analyzes from the start
	remote RemoteTask        // nil if this server analyzes
	ticket *jobs.Ticket      // nil if another machine analyzes

	sent   Result    // the last, as it was sent
	before Result    // its nodes and time were taken by a machine that was lost
	waits  int       // the place in the queue that was sent last
	wrote  time.Time // the last line
}

// begin begins the analysis for an address. The caller ends it, unless there is an error.
func (f *feed) begin(address string) (err error) {
	s := f.service
	if s.remote != nil {
		if f.place, err = s.queue.Reserve(address); err != nil {
			return err
		}
		var ok bool
		if f.remote, ok = s.remote.Analyze(f.match, f.options); ok {
			f.source = f.remote
			s.Count.RemoteAnalyses.Add(1)
			return nil
		}
		f.place.Release()
		f.remote = nil
	}
	task := s.analyzer.Task(f.match, f.options)
	f.source = task
	f.ticket, err = s.queue.Submit(address, task)
	return err
}

// takeOver lets this server analyze the position in place of a machine that was lost.
func (f *feed) takeOver() {
	f.endRemote()
	f.service.Count.TakenOver.Add(1)
	f.before = f.sent
	task := f.service.analyzer.Task(f.match, f.options)
	f.source, f.ticket = task, f.place.Submit(task)
}

func (f *feed) endRemote() {
	f.remote.Close()
	f.remote = nil
	f.service.Count.RemoteAnalyses.Add(-1)
}

// end ends the
func (f *feed) end() {
	if f.remote != nil {
		f.endRemote()
		f.place.Release()
	}
	if f.ticket != nil {
		f.ticket.Cancel()
	}
}

// linesTick is how often a stream looks at the place in the queue and at live games.
const linesTick = 500 * time.Millisecond

func (f *feed) stream(r *http.Request) {
	defer f.out.End()
	tick := time.NewTicker(linesTick)
	defer tick.Stop()
	for f.send() {
		select {
		case <-f.source.Changed():
		case <-tick.C:
		case <-r.Context().Done():
			return
		case <-f.service.Stopping:
			return
		}
	}
}

// send writes what is new, and reports whether the stream continues.
func (f *feed) send() (more bool) {
	result, reason := f.source.Latest()
	if f.service.games.RefuseLive(f.match) != nil { // a live game has come to this position meanwhile
		return f.write(doneView{true, "running"}) && false
	}
	ok := true
	if result.Depth > f.sent.Depth {
		result.Nodes += f.before.Nodes
		result.Time += f.before.Time
		f.sent = result
		ok = f.write(viewResult(result))
	}
	switch {
	case !ok:
	case reason == Lost:
		f.takeOver()
	case reason != "":
		return f.write(doneView{true, string(reason)}) && false
	}
	return ok && f.sendPlace()
}

// sendPlace writes the place in the queue if it has changed, and a line now and then for
// proxies that end idle streams.
func (f *feed) sendPlace() (ok bool) {
	place, last := 0, f.waits
	if f.ticket != nil {
		place = f.ticket.Place()
	}
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
