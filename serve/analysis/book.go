package analysis

import (
	"sync"

	"quintet/bots/othello/book"
	"quintet/game"
)

// bookMove is a move of the opening book.
type bookMove struct {
	Move  string   `json:"move"`
	Score int      `json:"score"` // in hundredths of a disc, for the side to move
	Depth int      `json:"depth"`
	Line  []string `json:"line"`
}

// openBook returns a function that loads the opening book of the program when it is first
// needed.
func (s *Service) openBook() func() *book.Book {
	return sync.OnceValue(func() *book.Book {
		b, err := book.Embedded()
		if err != nil { // it is a part of the program
			s.Log.Error("the opening book cannot be read", "error", err)
		}
		return b
	})
}

// bookMoves returns the moves of the opening book in the position of a match: none if it is
// on the board of a live game, in which they would be help.
func (s *Service) bookMoves(m *game.Match) (list []bookMove) {
	if m.Game().Name != "othello" || m.Outcome().Result.Over() || s.games.RefuseLive(m) != nil {
		return nil
	}
	b := s.book()
	if b == nil {
		return nil
	}
	p := m.Position()
	for _, found := range b.Moves(p) {
		v := bookMove{p.Format(found.Move), found.Score, found.Depth, []string{}}
		at := p.Clone()
		for _, mv := range found.Line {
			v.Line = append(v.Line, at.Format(mv))
			at.Play(mv)
		}
		list = append(list, v)
	}
	return list
}
