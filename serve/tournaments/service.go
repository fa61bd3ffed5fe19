// Package tournaments serves the HTTP API of tournaments, and runs them.
//
// A tournament is a record with its title ([Record]) and a stream of events ([State] is their fold). Every server
// looks every second what is due ([Service.Run]) and appends it: the start, a round with the identifiers of its
// games, results, the end. The log accepts one event at each number, so a round is paired once, whichever server
// dies. The games of a round are opened after the event that pairs it: a server that finds one missing opens
// it under the same identifier. Package people/tournament has the rules of pairing and the standings.
package tournaments

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"quintet/live"
	"quintet/live/index"
	"quintet/people"
	"quintet/people/class"
	"quintet/people/tournament"
	"quintet/serve/api"
	"quintet/serve/fair"
	"quintet/serve/hall"
)

// Config is what a Service needs.
type Config struct {
	Log       api.StoreConfig
	Directory *Directory
	Classes   *class.Directory
	Hall      *hall.Hall
	Index     *index.Index // of ratings
	Shared    bool         // other servers write to the log, too

	// RecordText returns the record of a game that a request may see.
	RecordText func(r *http.Request, game string) ([]byte, error)
}

// Service answers the requests about tournaments, and runs them.
type Service struct {
	*api.Base

	config    Config
	directory *Directory
	store     *api.Store[*document]
	due       *fair.Line[string] // identifiers of tournaments to be looked at, each once
}

// document is a tournament in memory.
type document struct {
	*api.Document

	working sync.Mutex // held while the server does what is due
	tried   time.Time  // when this server, which does not lead, last looked; guarded by working
	public  publicView

	state      State                 // guarded by Mu
	attendance                       // guarded by Mu
	begun      chan struct{}         // closed and replaced when games have begun; guarded by Mu
	wrote      int                   // number of the last event that this server wrote; guarded by Mu
	table      []tournament.Standing // of the event tabled; guarded by Mu
	tabled     int                   // guarded by Mu
	organiser  string                // client of the organiser's latest request to this server; guarded by Mu
}

// client returns the client whose turns the games between levels take: the organiser, or if this server does not know the
// address, a part of all such organisers.
func (d *document) client() string {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return cmp.Or(d.organiser, "tournaments"+fair.Part+d.state.Settings.Host)
}

// came notes the client of a request of the organiser.
func (d *document) came(client string) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.organiser = client
}

// apply applies an event, and wakes the players who follow the tournament if games begin. The caller holds Mu.
func (d *document) apply(data []byte) error {
	before := d.state.begun
	err := d.state.Apply(data)
	if d.state.begun > before {
		close(d.begun)
		d.begun = make(chan struct{})
	}
	return err
}

// Busy implements api.Kept: tournaments that are not over stay in memory. The caller holds Mu.
func (d *document) Busy() bool { return d.state.Phase != Over }

// NewService returns a Service.
func NewService(b *api.Base, c Config) *Service {
	embed := func(d *api.Document) (*document, func([]byte) error) {
		n := &document{Document: d, wrote: -1, tabled: -1, begun: make(chan struct{}), public: publicView{turn: make(chan struct{}, 1)}}
		return n, n.apply
	}
	return &Service{
		Base: b, config: c, directory: c.Directory, store: api.NewStore(c.Log, live.TournamentCategory, errMissing(), embed),
		due: fair.NewLine[string](1, 2*MaxOpen),
	}
}

// Routes returns the routes of the subject.
func (s *Service) Routes() api.Routes {
	const one = "/api/tournaments/{id}"
	return api.Routes{
		"POST /api/tournaments":               s.Handle(s.create),
		"GET /api/tournaments":                s.Handle(s.list),
		"GET " + one:                          s.Handle(s.visited(s.show)),
		"DELETE " + one:                       s.hosted(s.cancel),
		"POST " + one + "/start":              s.hosted(s.start),
		"POST " + one + "/players":            s.Handle(s.visited(s.join)),
		"POST " + one + "/levels":             s.hosted(s.addLevel),
		"DELETE " + one + "/players/{player}": s.Handle(s.visited(s.withdraw)),
		"GET " + one + "/standings":           s.Handle(s.visited(s.standings)),
		"GET " + one + "/rounds/{round}":      s.Handle(s.visited(s.round)),
		"GET " + one + "/series":              s.Handle(s.series),
		"GET " + one + "/events":              s.HandleStream(s.visited(s.events)),
		"GET " + one + "/files/{name}":        s.HandleRendering(s.visited(s.file)),
	}
}

// errMissing is the problem of a tournament that does not exist, or that the sender of a request may not see.
func errMissing() *api.Problem {
	return api.Problemf(http.StatusNotFound, "missing", "there is no such tournament, or you may not see it").WithReason("tournament.missing")
}

// refused is the problem of a request that the state of a tournament does not allow.
func refused(format string, args ...any) error {
	return api.Problemf(http.StatusConflict, string(live.CodeNothing), format, args...).WithReason("tournament.state")
}

// visit is a request about a tournament that its sender may see.
type visit struct {
	record Record
	d      *document
	who    people.Who
}

// host reports whether the sender is the organiser.
func (v visit) host() bool { return v.who.Signed && v.who.ID == v.record.Settings.Host }

// enter returns the tournament of a request. That of a class is for its students and its teacher.
func (s *Service) enter(r *http.Request) (v visit, err error) {
	t, ok := s.directory.get(r.PathValue("id"))
	v = visit{record: t, who: s.Who(r)}
	if !ok || !s.sees(t, v.who) {
		return v, errMissing()
	}
	v.d, err = s.store.Get(r.Context(), t.ID)
	if v.d != nil { // it is shown as far as it is known
		err = nil
		if v.host() {
			v.d.came(s.Address(r))
		}
	}
	return v, err
}

// sees reports whether somebody may see a tournament.
func (s *Service) sees(t Record, who people.Who) bool {
	if t.Settings.Class == "" || who.Signed && who.ID == t.Settings.Host {
		return true
	}
	for _, id := range who.IDs() {
		if m, ok := s.config.Classes.WhoIs(id); ok && m.Class == t.Settings.Class {
			return true
		}
	}
	return false
}

// visitor answers a request about a tournament that its sender may see.
type visitor func(w http.ResponseWriter, r *http.Request, v visit) error

// visited returns the handler of such requests.
func (s *Service) visited(h visitor) api.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		v, err := s.enter(r)
		if err != nil {
			return err
		}
		return h(w, r, v)
	}
}

// hosted answers requests that only the organiser may send.
func (s *Service) hosted(h visitor) http.Handler {
	return s.Handle(s.visited(func(w http.ResponseWriter, r *http.Request, v visit) error {
		if !v.host() || !v.who.Grant.Allows(people.Manage) {
			return api.Problemf(http.StatusForbidden, "scope", "only the organiser can do this").WithReason("tournament.host")
		}
		return h(w, r, v)
	}))
}

// Limits of the events of a tournament.
const (
	maxEvents = 40_000
	maxBytes  = 16 << 20
)

// errAgain says that the event that was decided no longer follows the last one.
var errAgain = errors.New("the tournament has changed")

// write appends an event that was decided after the event with a number. The error wraps errAgain or live.ErrStale
// if another one came first.
func (s *Service) write(ctx context.Context, d *document, number int, e Event) error {
	d.Appending.Lock()
	defer d.Appending.Unlock()
	err := d.Append(ctx, e.Kind, func(envelope live.Envelope) ([]byte, error) {
		if envelope.Number != number+1 {
			return nil, errAgain
		}
		if e.Kind != Ended && (envelope.Number >= maxEvents || d.size() >= maxBytes) {
			return nil, many("the tournament has too many events")
		}
		e.Envelope = envelope
		return api.Encode(e), nil
	})
	if err != nil {
		return err
	}
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.wrote = max(d.wrote, number+1)
	return nil
}

// change appends the event that decide returns, again when another event came first.
func (s *Service) change(ctx context.Context, d *document, decide func(*State) (Event, error)) error {
	for {
		var e Event
		var err error
		number := d.view(func(st *State) { e, err = decide(st) })
		if err != nil || e.Kind == "" {
			return err
		}
		if err = s.write(ctx, d, number, e); !errors.Is(err, errAgain) && !errors.Is(err, live.ErrStale) {
			s.wake(d.ID())
			return err
		}
	}
}

// view calls f with the state, and returns the number of its last event.
func (d *document) view(f func(*State)) (number int) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.Ask()
	f(&d.state)
	return d.Number
}

// size returns the size of all events in bytes.
func (d *document) size() int {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return d.Bytes
}
