package bots

import (
	"context"

	"quintet/bots/othello/book"
	"quintet/engine"
)

// bookSearch answers from an opening book while it has the position.
type bookSearch struct {
	engine.Searcher
	book *book.Book
}

// WithBook returns a search that plays the best move of the book where the book has the
// position. A search without a limit, or one that skips moves, is an analysis and does not
// use the book.
func WithBook(s engine.Searcher, b *book.Book) engine.Searcher { return &bookSearch{s, b} }

// Search implements engine.Searcher.
func (s *bookSearch) Search(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) engine.Line {
	if l == (engine.Limit{Pacer: l.Pacer}) || len(p.Skip) > 0 {
		return s.Searcher.Search(ctx, p, l, report)
	}
	moves := s.book.Moves(p.Position)
	if len(moves) == 0 {
		return s.Searcher.Search(ctx, p, l, report)
	}
	best := moves[0]
	line := engine.Line{Score: best.Score, Depth: best.Depth, Moves: best.Line}
	if report != nil {
		report(line)
	}
	return line
}
