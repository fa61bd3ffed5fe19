package protocol

import (
	"context"

	"quintet/engine"
)

// startSearch starts the search of a "go" command. It sends the best move when the
// search ends: not before "stop" if infinite, and not before "stop" or "ponderhit" if
// pondering.
func (s *server) startSearch(ctx context.Context, words []string) {
	s.Stop()
	r, wrong := s.dialect.request(words, s.match.Position())
	for _, err := range wrong {
		s.report(err)
	}
	r.limit.NodesTime = s.nodesTime
	t := searchTask{request: r, over: s.match.Over(), at: engine.At(s.match)}
	t.at.Skip = r.skip
	pondering, hit := context.WithCancel(ctx)
	s.ponderHit = hit
	s.Go(ctx, func(ctx context.Context) {
		defer hit()
		defer context.AfterFunc(ctx, hit)()
		best := s.runSearch(ctx, pondering, t)
		s.Say("bestmove %s", s.dialect.format(t.at, best.Best()))
	})
}

// searchTask is the input of a search.
type searchTask struct {
	request
	at   engine.Position
	over bool // the game is over
}

// runSearch searches without a limit while pondering and then with the limit of the
// request. The second search profits from the transposition table of the first.
func (s *server) runSearch(ctx, pondering context.Context, t searchTask) (line engine.Line) {
	search := func(ctx context.Context, l engine.Limit) {
		if !t.over {
			line = s.search.Search(ctx, t.at, l, func(line engine.Line) { s.Say("%s", s.dialect.info(t.at, line)) })
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

// ponderhit ends pondering: the opponent has played the expected move.
func (s *server) ponderhit() {
	if s.ponderHit != nil {
		s.ponderHit()
	}
}
