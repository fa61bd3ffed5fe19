package serve

import (
	"cmp"

	"quintet/engine"
	"quintet/game"
	"quintet/internal/platform"
	"quintet/serve/analysis"
	"quintet/serve/api"
	"quintet/serve/jobs"
	"quintet/serve/play"
	"quintet/serve/puzzles"
	"quintet/serve/reviews"
	"quintet/serve/studies"
)

// jobsEach is the default of Config.MaxJobs. A classroom shares an address, and a browser
// that leaves a position takes a moment to say so.
const jobsEach = 8

// openSubjects makes the subjects, and what does their work.
func (s *Server) openSubjects(name string) {
	queue := jobs.Config{PerClient: cmp.Or(s.config.MaxJobs, jobsEach), Report: func(v any) { s.hall.ReportPanic("engine work", v) }}
	lines := analysis.Config{Searcher: s.searcherFactory(analysis.TableMegabytes)}
	if s.config.EngineProcess == nil {
		lower := func() { platform.LowerThread(platform.LeastPriority) }
		queue.Lower, lines.Lower = lower, lower
	}
	s.jobs = jobs.New(queue)
	s.reviews = reviews.New(reviews.Config{
		Log: s.log, Queue: s.jobs, Name: name, Now: s.hall.Now, Time: s.config.Now, Warn: s.Log.Warn,
		Helper: s.config.Helper, Searcher: s.searcherFactory(reviews.TableMegabytes),
	})
	s.studies = studies.New(studies.Config{Log: s.log, Now: s.hall.Now, Time: s.config.Now})
	s.games = play.NewService(s.Base, play.Config{
		Log: s.log, Hall: s.hall, Index: s.index, Shared: s.config.Shared, OpenRetention: s.config.OpenRetention, IdleRetention: s.config.IdleRetention,
	})
	s.routes = api.Routes{}
	for _, subject := range []interface{ Routes() api.Routes }{
		s.games, puzzles.NewService(s.Base), reviews.NewService(s.Base, s.games, s.reviews),
		analysis.NewService(s.Base, s.games, analysis.New(lines), s.jobs, s.config.Analyses),
		studies.NewService(s.Base, s.games, s.studies, s.hall.HidesGame),
	} {
		s.routes.Add(subject.Routes())
	}
}

// searcherFactory returns a function that makes searches in the engine process, with tables
// of a size in megabytes; nil, for the default, if there is no engine process.
func (s *Server) searcherFactory(megabytes int) func(g game.Game) (engine.Searcher, error) {
	process := s.config.EngineProcess
	if process == nil {
		return nil
	}
	return func(g game.Game) (engine.Searcher, error) { return process.Searcher(g, megabytes), nil }
}

// engineRestarts returns how many times the engine process was started again.
func (s *Server) engineRestarts() float64 {
	if s.config.EngineProcess == nil {
		return 0
	}
	return float64(s.config.EngineProcess.Restarts())
}
