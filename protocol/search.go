package protocol

import (
	"context"

	"quintet/engine"
)

// startSearch begins a search as the words after "go" say. Its best move is said when
// it ends: not before "stop" if it is to be infinite, and not before "stop" or
// "ponderhit" if it is to ponder.
func (s *server) startSearch(ctx context.Context, words []string) {
	s.stop()
	r, wrong := s.dialect.request(words, s.match.Position())
	for _, err := range wrong {
		s.report(err)
	}
	keys := s.match.Keys()
	t := searchTask{
		request: r, over: s.match.Outcome().Result.Over(),
		at: engine.Position{Position: s.match.Position(), History: keys[:len(keys)-1], Repeat: s.config.Game.Repeat, Skip: r.skip},
	}
	ctx, s.cancel = context.WithCancel(ctx)
	pondering, hit := context.WithCancel(ctx)
	s.ponderHit = hit
	s.done.Go(func() {
		defer hit()
		best := s.runSearch(ctx, pondering, t)
		s.say("bestmove %s", s.dialect.format(t.at, best.Best()))
	})
}

// searchTask is what a search is to think about.
type searchTask struct {
	request
	at   engine.Position
	over bool // there is nothing to think about
}

// runSearch searches without a limit while it ponders, and then with that of the
// request, for which the table has what was found before.
func (s *server) runSearch(ctx, pondering context.Context, t searchTask) (line engine.Line) {
	search := func(ctx context.Context, l engine.Limit) {
		if !t.over {
			line = s.search.Search(ctx, t.at, l, func(line engine.Line) { s.say("%s", s.dialect.info(t.at, line)) })
		}
	}
	if t.ponder {
		search(pondering, engine.Limit{})
		<-pondering.Done()
	}
	if !t.ponder || ctx.Err() == nil {
		search(ctx, t.limit)
	}
	if t.infinite {
		<-ctx.Done()
	}
	return line
}

// ponderhit says that the move was played about which a search ponders.
func (s *server) ponderhit() {
	if s.ponderHit != nil {
		s.ponderHit()
	}
}
