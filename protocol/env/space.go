package env

import (
	"slices"

	"quintet/game"
)

// space numbers the moves of a game and the planes of its positions.
type space struct {
	rows, cols int
	shifts     bool       // moves go from one cell to another
	kinds      []byte     // of pieces, one plane each for the side to move and for its opponent
	pits       bool       // there is a plane for pits
	plane      [256]uint8 // the index of a kind in kinds
}

// newSpace returns the space of the games that begin with a position.
func newSpace(g game.Game, start game.Position) (*space, error) {
	usual, err := g.Start(nil)
	if err != nil {
		return nil, err
	}
	board := start.Board()
	s := &space{rows: len(board.Rows), cols: len(board.Cols)}
	for _, m := range usual.Moves(nil) {
		_, shifts := m.From()
		s.shifts = s.shifts || shifts
	}
	for _, p := range slices.Concat(board.Cells, usual.Board().Cells) {
		s.pits = s.pits || p.Kind == game.Pit
		if p.Kind != game.Pit && p.Kind != game.Empty && !slices.Contains(s.kinds, p.Kind) {
			s.kinds = append(s.kinds, p.Kind)
		}
	}
	if len(s.kinds) == 0 { // an empty board
		s.kinds = []byte{game.Stone}
	}
	slices.Sort(s.kinds)
	for i, kind := range s.kinds {
		s.plane[kind] = uint8(i)
	}
	return s, nil
}

func (s *space) cells() int { return s.rows * s.cols }

// actions returns the number of actions. The last is the pass.
func (s *space) actions() int {
	if s.shifts {
		return s.cells()*s.cells() + 1
	}
	return s.cells() + 1
}

// action returns the number of a move.
func (s *space) action(m game.Move) int {
	switch from, shifts := m.From(); {
	case m == game.Pass:
		return s.actions() - 1
	case shifts:
		return int(from)*s.cells() + int(m.To())
	}
	return int(m.To())
}

// move returns the move of an action, which need not be legal; 0 if there is no such action.
func (s *space) move(action int) game.Move {
	switch {
	case action < 0 || action >= s.actions():
		return 0
	case action == s.actions()-1:
		return game.Pass
	case s.shifts:
		return game.Shift(game.Cell(action/s.cells()), game.Cell(action%s.cells()))
	}
	return game.Put(game.Cell(action))
}

// planes returns the names of the planes of an observation.
func (s *space) planes() (names []string) {
	for _, whose := range []string{"own ", "opponent's "} {
		for _, kind := range s.kinds {
			if kind == game.Stone {
				names = append(names, whose+"stones")
			} else {
				names = append(names, whose+string(kind))
			}
		}
	}
	if s.pits {
		names = append(names, "pits")
	}
	return append(names, "first to move")
}

// observe writes the planes of a position, as the side to move sees it. pieces is a buffer.
func (s *space) observe(p game.Position, pieces []game.Piece, planes []byte) {
	clear(planes)
	if q, ok := p.(game.Placer); ok {
		q.Place(pieces)
	} else {
		copy(pieces, p.Board().Cells)
	}
	n, turn := s.cells(), p.Turn()
	for cell, piece := range pieces {
		switch {
		case piece.Kind == game.Empty:
		case piece.Kind == game.Pit:
			planes[2*len(s.kinds)*n+cell] = 1
		case piece.Side == turn:
			planes[int(s.plane[piece.Kind])*n+cell] = 1
		default:
			planes[(len(s.kinds)+int(s.plane[piece.Kind]))*n+cell] = 1
		}
	}
	if turn == game.First {
		last := planes[len(planes)-n:]
		for i := range last {
			last[i] = 1
		}
	}
}
