// Package play is live play by HTTP: games, their seats, commands, sockets, streams of
// events, lists, records and pictures. The games themselves are in package hall.
package play

import (
	"sync"
	"time"

	"quintet/live"
	"quintet/live/index"
	"quintet/people"
	"quintet/serve/api"
	"quintet/serve/hall"
	"quintet/web"
)

// Config is what a Service needs. All fields must be set.
type Config struct {
	Log          live.Log
	Hall         *hall.Hall
	Index        *index.Index
	DeliverAfter uint64 // Deliver takes the entries of the log after this one

	Challenged func(people.Challenge) // is told of new challenges

	Shared                       bool          // other servers write to the log, too
	OpenRetention, IdleRetention time.Duration // after which games that never began, and games without a clock, are ended; never if 0
}

// Service answers the requests about games, and keeps their index.
type Service struct {
	*api.Base

	config    Config
	hall      *hall.Hall
	index     *index.Index
	projected *inbox // events that the index lacks
	live      *livePositions
	waiting   *waitingRoom
	shared    shared
	crowd     crowdCache
	frames    sync.Pool // of *[]byte: what sockets send
}

// NewService returns a Service.
func NewService(b *api.Base, c Config) *Service {
	return &Service{Base: b, config: c, hall: c.Hall, index: c.Index, projected: newInbox(c.DeliverAfter), live: newLivePositions(c.Log, c.DeliverAfter), waiting: newWaitingRoom(), shared: shared{map[*seek]sharedSeek{}, map[*seek]sharedSeek{}, map[*seek]opening{}}, frames: sync.Pool{New: newFrame}}
}

// Routes returns the routes of the subject.
func (s *Service) Routes() api.Routes {
	list := api.Routes{
		"POST /api/games":                   s.Handle(s.create),
		"GET /api/games":                    s.Handle(s.games),
		"GET /api/games/{id}":               web.Compress(s.Handle(s.inRoom(s.show))),
		"POST /api/games/{id}/seats/{side}": s.Handle(s.inRoom(s.takeSeat)),
		"GET /api/games/{id}/events":        s.HandleStream(s.inRoom(s.events)),
		"GET /api/games/{id}/socket":        s.Handle(s.inRoom(s.socket)),
		"GET /api/games/{id}/record":        s.HandleRendering(s.seen(s.download)),
		"GET /api/games/{id}/forms":         s.HandleRendering(s.seen(s.forms)),
		"GET /api/games/{id}/board.svg":     web.Compress(s.HandleRendering(s.seen(s.svg))),
		"GET /api/games/{id}/board.png":     s.HandleRendering(s.seen(s.png)),
		"GET /api/games/{id}/game.gif":      s.HandleRendering(s.seen(s.gif)),
		"GET /api/games/{id}/conditional":   s.Handle(s.inRoom(s.showPlan)),
		"POST /api/games/{id}/conditional":  s.Handle(s.inRoom(s.setPlan)),
		"GET /api/account/turns":            s.Handle(s.turns),
		"GET /api/setup":                    s.Handle(s.setup),
		"GET /api/seeks":                    s.Handle(s.showCrowd),
		"POST /api/seeks":                   s.HandleStream(s.seek),
	}
	list.Add(s.challengeRoutes())
	for path, verb := range verbs {
		list["POST /api/games/{id}/"+path] = s.command(verb)
	}
	return list
}
