package hall

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"testing"
	"time"

	"quintet/live"
	"quintet/serve/clock"
)

// What must hold in a simulation.

// simLogger reports logged errors: there is nothing to log one about.
type simLogger struct {
	slog.Handler

	world *simWorld
}

func (simLogger) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelError }

func (l simLogger) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool { text += fmt.Sprint(" ", a); return true })
	l.world.fail("an error was logged: %s", text)
	return nil
}

// simEncoder encodes nothing: watchers check the numbers of events.
type simEncoder struct{ plainEncoder }

func (simEncoder) Event(*live.Table, live.Event, int64, bool) []byte { return nil }

// Times after which a server that is connected must have answered, shown an event or let a flag fall.
const (
	simSettled = 4 * time.Second // since a server was last cut off or connected
	simSoon    = 1500 * time.Millisecond
	simFlag    = 4 * time.Second // of service time, which may go back as far after an outage
)

// settled reports whether all servers have been connected for a while.
func (w *simWorld) settled(now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cut == [simServers]bool{} && now.Sub(w.changed) > simSettled
}

// simFold is the fold of a game's log, whatever the servers make of it.
type simFold struct {
	table  *live.Table
	list   []live.Entry
	events []live.Event
	keys   map[string]bool
}

// fold folds the events that the log of a game has got since the last call, and shows the fold to a function.
func (w *simWorld) fold(id string, see func(f *simFold)) {
	w.folding.Lock()
	defer w.folding.Unlock()
	f := w.folds[id]
	if f == nil {
		f = &simFold{table: live.New(id), keys: map[string]bool{}}
		w.folds[id] = f
	}
	f.list, _ = w.memory.Read(context.Background(), id) // never fails
	for _, entry := range f.list[len(f.events):] {
		claim, runs := f.table.FlagClaimAt()
		e, err := f.table.Load(entry.Data)
		if err != nil {
			w.fail("game %s, event %d: %v", id, len(f.events), err)
		}
		if late := e.At - claim; runs && late > simFlag.Milliseconds() {
			w.fail("game %s, event %d: %s %d ms after the flag could be claimed", id, len(f.events), e.Kind, late)
		}
		f.events, f.keys[e.Key] = append(f.events, e), true
	}
	see(f)
}

// simCall is a command on its way.
type simCall struct {
	world   *simWorld
	id      string
	command live.Command
	try     int
	began   time.Time
	events  int  // in the log when it began
	written bool // its event was among them
}

func (w *simWorld) call(id string, c live.Command, try int) simCall {
	call := simCall{world: w, id: id, command: c, try: try, began: time.Now()}
	w.fold(id, func(f *simFold) {
		call.events, call.written = len(f.events), f.keys[c.Key]
	})
	return call
}

// check checks the answer to a command.
func (c simCall) check(o Outcome, err error) {
	w, took := c.world, time.Since(c.began)
	fail := func(text string) {
		w.fail("game %s, %s at %d, try %d: %s (%v, %v)", c.id, c.command.Move, c.command.Ply, c.try, text, o, err)
	}
	switch {
	case IsRefusal(err):
		w.mu.Lock()
		w.refused[c.id+" "+c.command.Key] = err
		w.mu.Unlock()
		w.fold(c.id, func(f *simFold) {
			if len(f.events) == c.events && c.allowed(f.table) {
				fail("refused, although the log allows it")
			}
		})
	case err == nil && c.written && !o.Repeated, err == nil && c.try == 0 && o.Repeated:
		fail("it is reported as repeated or new, and was not")
	case w.settled(c.began) && w.settled(time.Now()) && (err != nil || took > simSoon):
		fail(fmt.Sprintf("no answer after %s", took))
	}
}

// allowed reports whether a table takes the move.
func (c simCall) allowed(t *live.Table) bool {
	if t.Over() || t.Turn() != c.command.Side || t.Ply() != c.command.Ply {
		return false
	}
	for _, m := range t.Legal() {
		if t.Position().Format(m) == c.command.Move {
			return true
		}
	}
	return false
}

// checkLease checks that an event was decided within a lease: at most two intervals after a heartbeat in the log.
func (w *simWorld) checkLease(log *live.Memory, id string, seq uint64) {
	h, _ := log.LastHeartbeat(context.Background()) // never fails
	w.fold(id, func(f *simFold) {
		i := slices.IndexFunc(f.list, func(e live.Entry) bool { return e.Seq == seq })
		if most := h.Service + 2*clock.HeartbeatInterval.Milliseconds(); f.events[i].At > most {
			w.fail("%s was decided without a lease, after %d ms", f.list[i].Data, most)
		}
	})
}

// beat writes a heartbeat. A new epoch continues where the last heartbeat was: what came after it was an outage.
func (w *simWorld) beat(log *live.Memory, after uint64, h live.Heartbeat) (uint64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	last, _ := log.LastHeartbeat(context.Background()) // never fails
	seq, err := log.WriteHeartbeat(context.Background(), after, h)
	if err == nil && (h.Service < last.Service || h.Epoch > last.Epoch && h.Service > last.Service) {
		w.findings = append(w.findings, fmt.Sprintf("heartbeat %+v came after %+v", h, last))
	}
	return seq, err
}

// checkFresh checks that a connected server shows every event within simSoon of its being written.
func (w *simWorld) checkFresh(id string, server, shown int) {
	now := time.Now()
	list, _ := w.memory.Read(context.Background(), id) // never fails
	if shown >= len(list) || !w.settled(now) {
		return
	}
	w.mu.Lock()
	wrote := w.wrote[list[shown].Seq]
	w.mu.Unlock()
	if age := now.Sub(wrote); age > simSoon {
		w.fail("game %s: server %d does not show event %d after %s", id, server, shown, age)
	}
}

// watch watches a game at a server. It must get each event once, in order.
func (w *simWorld) watch(ctx context.Context, id string, at int) {
	next := 0
	take := func(m *Message) {
		if m.number != next {
			w.fail("game %s: a watcher at server %d got event %d, want %d", id, at, m.number, next)
		}
		next = m.number + 1
	}
	for ; ctx.Err() == nil; clock.Sleep(ctx, 100*time.Millisecond) {
		r, err := w.servers[at].Room(ctx, id)
		if err != nil {
			continue
		}
		x := &Watcher{Next: next}
		missed, _ := r.Watch(x, 0)
		for _, m := range missed {
			take(m)
		}
		for open := true; open; {
			var m *Message
			select {
			case m, open = <-x.Messages():
				if open {
					take(m)
				}
			case <-ctx.Done():
				r.Leave(x)
				open = false
			}
		}
	}
	if list, _ := w.memory.Read(context.Background(), id); next != len(list) { // never fails
		w.fail("game %s: a watcher at server %d got %d events of %d", id, at, next, len(list))
	}
}

// compare compares the log of a game with what was acknowledged and refused, and with all servers.
func (w *simWorld) compare(ctx context.Context, t *testing.T, id string) {
	var table *live.Table
	var list []live.Entry
	var events []live.Event
	w.fold(id, func(f *simFold) { table, list, events = f.table, f.list, f.events }) // nothing is written any more
	w.mu.Lock()
	acked, refused, wrote := maps.Clone(w.acked), maps.Clone(w.refused), maps.Clone(w.wrote)
	w.mu.Unlock()
	moves := table.Moves()
	for at, m := range acked {
		var game string
		var ply int
		if _, err := fmt.Sscan(at, &game, &ply); err != nil {
			t.Fatal(err)
		}
		if game == id && (ply >= len(moves) || moves[ply] != m.move) {
			w.fail("game %s: %s at ply %d was acknowledged, and the log has %v", id, m.move, ply, moves)
		}
	}
	w.checkKeys(id, events, refused)
	if !table.Over() {
		w.fail("game %s: no flag has fallen", id)
	}
	first, last := events[0], events[len(events)-1]
	w.checkClocks(id, time.Duration(last.At-first.At)*time.Millisecond, wrote[list[0].Seq], wrote[list[len(list)-1].Seq])
	for i, s := range w.servers {
		r, err := s.Room(ctx, id)
		if err != nil {
			w.fail("game %s, server %d: %v", id, i, err)
			continue
		}
		if !r.View(func(got *live.Table) bool { return simState(got) == simState(table) }) {
			w.fail("game %s: server %d does not show what the log folds to: %s", id, i, simState(table))
		}
	}
	w.note("%s: %s", id, simState(table))
}

// checkKeys checks that no command was executed twice, or executed and refused.
func (w *simWorld) checkKeys(id string, events []live.Event, refused map[string]error) {
	for i, e := range events {
		if e.Key == "" {
			continue
		}
		if slices.ContainsFunc(events[:i], func(b live.Event) bool { return b.Key == e.Key }) {
			w.fail("game %s: %s was executed twice", id, e.Move)
		}
		if err, ok := refused[id+" "+e.Key]; ok {
			w.fail("game %s: %s at ply %d was refused (%v), and the log has it", id, e.Move, e.Ply-1, err)
		}
	}
}

// simState describes a table.
func simState(t *live.Table) string {
	left, _ := t.TimeLeft(t.LastEventTime())
	return fmt.Sprint(t.EventCount(), t.Moves(), t.Ending(), left, t.Settings().Clock)
}

// checkClocks checks that no more service time has passed than real time without outages. An event may be decided up to
// slack before it is written.
func (w *simWorld) checkClocks(id string, charged time.Duration, from, to time.Time) {
	const slack = 2500 * time.Millisecond
	most := to.Sub(from) + slack
	for _, o := range w.outages {
		if o[0].After(from) && o[1].Before(to) {
			most -= o[1].Sub(o[0]) - slack/2
		}
	}
	if charged > most {
		w.fail("game %s: clocks ran for %s, want at most %s; outages %v", id, charged, most, w.outages)
	}
}
