package serve

import (
	"encoding/json"
	"net/http"
	"time"

	"quintet/game"
	"quintet/serve/analysis"
	"quintet/serve/jobs"
)

// linesFeed sends a client what the analysis of a position finds. Another machine analyzes it
// if one is there; when that is lost, this server continues.
type linesFeed struct {
	server  *Server
	out     ndjson
	match   *game.Match
	options analysis.Options

	source analysis.Source
	place  *jobs.Reservation   // nil if this server analyzes from the start
	remote analysis.RemoteTask // nil if this server analyzes
	ticket *jobs.Ticket        // nil if another machine analyzes

	sent   analysis.Result // the last, as it was sent
	before analysis.Result // its nodes and time were taken by a machine that was lost
	waits  int             // the place in the queue that was sent last
	wrote  time.Time       // the last line
}

// begin begins the analysis for an address. The caller ends it, unless there is an error.
func (f *linesFeed) begin(address string) (err error) {
	s := f.server
	if s.config.Analyses != nil {
		if f.place, err = s.jobs.Reserve(address); err != nil {
			return err
		}
		var ok bool
		if f.remote, ok = s.config.Analyses.Analyze(f.match, f.options); ok {
			f.source = f.remote
			s.count.remoteAnalyses.Add(1)
			return nil
		}
		f.place.Release()
		f.remote = nil
	}
	task := s.analyzer.Task(f.match, f.options)
	f.source = task
	f.ticket, err = s.jobs.Submit(address, task)
	return err
}

// takeOver lets this server analyze the position in place of a machine that was lost.
func (f *linesFeed) takeOver() {
	f.endRemote()
	f.server.count.analysesTakenOver.Add(1)
	f.before = f.sent
	task := f.server.analyzer.Task(f.match, f.options)
	f.source, f.ticket = task, f.place.Submit(task)
}

func (f *linesFeed) endRemote() {
	f.remote.Close()
	f.remote = nil
	f.server.count.remoteAnalyses.Add(-1)
}

// end ends the analysis.
func (f *linesFeed) end() {
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

func (f *linesFeed) stream(r *http.Request) {
	defer f.out.wait() // the end of the stream needs a deadline, too
	tick := time.NewTicker(linesTick)
	defer tick.Stop()
	for f.send() {
		select {
		case <-f.source.Changed():
		case <-tick.C:
		case <-r.Context().Done():
			return
		case <-f.server.stopping:
			return
		}
	}
}

// send writes what is new, and reports whether the stream continues.
func (f *linesFeed) send() (more bool) {
	result, reason := f.source.Latest()
	if f.server.refuseLive(f.match) != nil { // a live game has come to this position meanwhile
		return f.write(doneView{true, "running"}) && false
	}
	ok := true
	if result.Depth > f.sent.Depth {
		result.Nodes += f.before.Nodes
		result.Time += f.before.Time
		f.sent = result
		ok = f.write(viewLines(result))
	}
	switch {
	case !ok:
	case reason == analysis.Lost:
		f.takeOver()
	case reason != "":
		return f.write(doneView{true, string(reason)}) && false
	}
	return ok && f.sendPlace()
}

// sendPlace writes the place in the queue if it has changed, and a line now and then for
// proxies that end idle streams.
func (f *linesFeed) sendPlace() (ok bool) {
	place, last := 0, f.waits
	if f.ticket != nil {
		place = f.ticket.Place()
	}
	f.waits = place
	switch {
	case place > 0 && place != last:
		return f.write(placeView{place})
	case time.Since(f.wrote) > keepAliveEvery:
		return f.write(json.RawMessage(keepAliveLine))
	}
	return true
}

func (f *linesFeed) write(v any) bool {
	f.wrote = time.Now()
	return f.out.write(encode(v), true) == nil
}
