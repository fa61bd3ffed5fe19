package serve

import (
	"cmp"
	"context"
	"net/http"
	"net/netip"
	"sync"

	"quintet/bots"
	"quintet/engine"
	"quintet/engine/remote"
	"quintet/game"
	"quintet/internal/platform"
	"quintet/people"
	"quintet/serve/accounts"
	"quintet/serve/analysis"
	"quintet/serve/api"
	"quintet/serve/classes"
	"quintet/serve/jobs"
	"quintet/serve/lti"
	"quintet/serve/play"
	"quintet/serve/push"
	"quintet/serve/puzzles"
	"quintet/serve/reviews"
	"quintet/serve/studies"
	"quintet/serve/tournaments"
)

// Workers search on other machines.
type Workers interface {
	// Moves carries searches for moves of live games, and Long those of reviews and analyses.
	Moves() remote.Transport
	Long() remote.Transport

	// Counts returns how many long searches workers do now, and how many they have lost.
	Counts() (open int, lost int64)
}

// jobsEach is the default of Config.MaxJobs. A classroom shares an address, and a browser
// that leaves a position takes a moment to say so.
const jobsEach = 8

// maxJobsElsewhere is how many long searches other machines do for this server at the same time.
const maxJobsElsewhere = 32

// smallSearch is the largest limit of nodes with which an engine of a live game searches in this
// process: it takes milliseconds. All levels but the last are below.
const smallSearch = 20_000

// openSubjects makes the subjects, and what does their work.
func (s *Server) openSubjects(name string) {
	queue := jobs.Config{PerClient: cmp.Or(s.config.MaxJobs, jobsEach), Report: func(v any) { s.hall.ReportPanic("engine work", v) }}
	lines := analysis.Config{Searcher: s.searcherFactory(analysis.TableMegabytes)}
	if s.config.Workers != nil {
		queue.Elsewhere = maxJobsElsewhere
	}
	if s.config.EngineProcess == nil {
		lower := func() { platform.LowerThread(platform.LeastPriority) }
		queue.Lower, lines.Lower = lower, lower
	}
	s.jobs = jobs.New(queue)
	s.reviews = reviews.New(reviews.Config{
		Log: s.log, Queue: s.jobs, Name: name, Now: s.hall.Now, Time: s.config.Now, Warn: s.Log.Warn,
		Slot: s.Slot, Cache: s.cache, Searcher: s.searcherFactory(reviews.TableMegabytes),
	})
	documents := api.StoreConfig{Log: s.log, Now: s.hall.Now, Time: s.config.Now, Slot: s.Slot}
	s.studies = studies.New(documents)
	s.classes = classes.NewService(s.Base, classes.Config{
		Log: documents, Directory: s.rosters, Hall: s.hall, Judge: s.config.Judge, Open: s.config.AnyTeacher, Shared: s.config.Shared, Tool: lti.New(s.platformClient(), s.config.Now),
		Erase: func(ctx context.Context, stream string) error {
			_, err := s.Erase(ctx, Erasing{Stream: stream})
			return err
		},
	})
	s.push = push.New(push.Config{
		Hall: s.hall, People: s.people, Log: s.config.Log, Now: s.config.Now, Key: s.pushKey, Client: s.config.PushClient, Failed: &s.Count.PushFailed, Dropped: &s.Count.PushDropped,
	})
	s.hall.OnWaiting(s.push.Waits)
	s.games = play.NewService(s.Base, play.Config{
		Log: s.log, Hall: s.hall, Index: s.index, DeliverAfter: s.last, Challenged: s.push.Challenged, Shared: s.config.Shared, OpenRetention: s.config.OpenRetention, IdleRetention: s.config.IdleRetention,
	})
	s.tours = tournaments.NewService(s.Base, tournaments.Config{
		Log: documents, Directory: s.lobby, Classes: s.rosters, Hall: s.hall, Index: s.index, Shared: s.config.Shared, RecordText: s.games.RecordText,
	})
	s.hall.Attendance(s.tours.Attending, s.tours.Attends)
	s.routes = api.Routes{}
	for _, subject := range []interface{ Routes() api.Routes }{
		s.games, puzzles.NewService(s.Base), reviews.NewService(s.Base, s.games, s.reviews),
		analysis.NewService(s.Base, s.games, analysis.New(lines), s.jobs),
		accounts.NewService(s.Base, s.games, s.hall, s.index, s.log, s.pushKey.Public()),
		studies.NewService(s.Base, s.games, s.studies, s.hall.HidesGame), s.classes, s.tours,
	} {
		s.routes.Add(subject.Routes())
	}
}

// workEngines works on the queue of engine work until the context ends.
func (s *Server) workEngines(ctx context.Context) {
	var all sync.WaitGroup
	if s.config.Workers != nil {
		for range maxJobsElsewhere {
			s.hall.Loop(ctx, &all, "engine work elsewhere", func() { s.jobs.WorkElsewhere(ctx) })
		}
	}
	s.jobs.Work(ctx)
	all.Wait()
}

// member returns the identifier of the account or the student that sends a request; "" for guests.
func (s *Server) member(who people.Who) string {
	for _, id := range who.IDs() {
		if m, ok := s.rosters.WhoIs(id); ok {
			return m.Student
		}
	}
	if who.Signed {
		return who.ID
	}
	return ""
}

// judgeNice is the nice value of judging: a busy server leaves it a tenth of a processor. With less, programs could
// miss their time, which allows for waiting nine times as long as they run.
const judgeNice = 10

// platformClient returns the client for learning platforms.
func (s *Server) platformClient() *http.Client {
	switch {
	case s.config.PlatformClient != nil:
		return s.config.PlatformClient
	case s.config.PrivatePlatforms:
		return push.Client(func(netip.Addr) bool { return true })
	}
	return push.PublicClient()
}

// startClasses starts what a server that was stopped has left, the judges, and what sends marks to learning platforms.
func (s *Server) startClasses(ctx context.Context) {
	s.hall.Loop(ctx, &s.all, "starting the classes", func() { s.classes.Start(ctx) })
	s.hall.Loop(ctx, &s.all, "looking for marks to send", func() { s.classes.Rescan(ctx) })
	for range classes.Reporters {
		s.hall.Loop(ctx, &s.all, "sending marks", func() { s.classes.Report(ctx) })
	}
	for range s.config.Judges {
		if s.config.Judge != nil {
			s.hall.Loop(ctx, &s.all, "judging", func() {
				platform.LowerThread(judgeNice) // programs inherit it
				s.classes.Work(ctx)
			})
		}
	}
}

// startTournaments starts what runs the tournaments.
func (s *Server) startTournaments(ctx context.Context) {
	s.hall.Loop(ctx, &s.all, "following the tournaments", func() { s.lobby.Run(ctx) })
	s.hall.Loop(ctx, &s.all, "tournaments", func() { s.tours.Run(ctx) })
	for range 2 { // a large Swiss takes long to pair
		s.hall.Loop(ctx, &s.all, "pairing tournaments", func() { s.tours.Work(ctx) })
	}
}

// searcherFactory returns a function that makes the searches of reviews and analyses, with
// tables of a size in megabytes: on other machines, in the engine process, or here.
func (s *Server) searcherFactory(megabytes int) func(g game.Game) (engine.Searcher, error) {
	c := s.config
	return func(g game.Game) (engine.Searcher, error) {
		name := bots.SearchName{Game: g.Name, Megabytes: megabytes}.Text()
		here := func() (engine.Searcher, error) {
			if c.EngineProcess != nil {
				return remote.New(c.EngineProcess, remote.Options{Engine: name}), nil
			}
			return bots.Searcher(g, bots.Options{Megabytes: megabytes, Cache: s.cache})
		}
		if c.Workers != nil {
			return remote.New(c.Workers.Long(), remote.Options{Engine: name, Here: here}), nil
		}
		return here()
	}
}

// moveElsewhere returns what makes the searches of engines of live games; nil without other
// machines.
func (s *Server) moveElsewhere() func(n bots.SearchName, here func() (engine.Searcher, error)) (engine.Searcher, error) {
	if s.config.Workers == nil {
		return nil
	}
	moves := s.config.Workers.Moves()
	return func(n bots.SearchName, here func() (engine.Searcher, error)) (engine.Searcher, error) {
		return remote.New(moves, remote.Options{Engine: n.Text(), Here: here, Small: smallSearch, Once: true}), nil
	}
}

// searchesElsewhere returns how many long searches other machines do now, and have lost.
func (s *Server) searchesElsewhere() (open, lost float64) {
	if s.config.Workers == nil {
		return 0, 0
	}
	now, failed := s.config.Workers.Counts()
	return float64(now), float64(failed)
}

// engineRestarts returns how many times the engine process was started again.
func (s *Server) engineRestarts() float64 {
	if s.config.EngineProcess == nil {
		return 0
	}
	return float64(s.config.EngineProcess.Restarts())
}
