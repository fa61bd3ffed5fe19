package serve

import (
	"cmp"

	"quintet/engine"
	"quintet/game"
	"quintet/internal/platform"
	"quintet/serve/analysis"
	"quintet/serve/jobs"
	"quintet/serve/reviews"
)

// jobsEach is the default of Config.MaxJobs. A classroom shares an address, and a browser
// that leaves a position takes a moment to say so.
const jobsEach = 8

// openEngineWork makes the queue of engine work, the store of reviews and the analyzer.
func (s *Server) openEngineWork(name string) {
	queue := jobs.Config{PerClient: cmp.Or(s.config.MaxJobs, jobsEach), Report: func(v any) { s.hall.ReportPanic("engine work", v) }}
	lines := analysis.Config{Searcher: s.searcherFactory(analysis.TableMegabytes)}
	if s.config.EngineProcess == nil {
		lower := func() { platform.LowerThread(platform.LeastPriority) }
		queue.Lower, lines.Lower = lower, lower
	}
	s.jobs = jobs.New(queue)
	s.analyzer = analysis.New(lines)
	s.reviews = reviews.New(reviews.Config{
		Log: s.log, Queue: s.jobs, Name: name, Now: s.hall.Now, Time: s.config.Now, Warn: s.config.Log.Warn,
		Helper: s.config.Helper, Searcher: s.searcherFactory(reviews.TableMegabytes),
	})
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
