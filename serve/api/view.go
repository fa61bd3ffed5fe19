package api

import (
	"time"

	"quintet/game"
	"quintet/web"
)

// The parts of games that several subjects show.

// Both holds a value for each side.
type Both[T any] struct {
	First  T `json:"first"`
	Second T `json:"second"`
}

// BothOf returns the values of two sides.
func BothOf[T any](two [2]T) Both[T] { return Both[T]{two[0], two[1]} }

// Move is a move with the indexes of its cells on the board. A pass has none; a placed
// stone has only To.
type Move struct {
	Move string `json:"move"`
	From *int   `json:"from,omitempty"`
	To   *int   `json:"to,omitempty"`
}

// Board is the board of a position.
type Board = web.Board

// MoveOf returns a move that has a text.
func MoveOf(text string, m game.Move) Move {
	v := Move{Move: text}
	if m == game.Pass {
		return v
	}
	if from, ok := m.From(); ok {
		n := int(from)
		v.From = &n
	}
	to := int(m.To())
	v.To = &to
	return v
}

// MovesOf returns the moves in a position.
func MovesOf(p game.Position, moves []game.Move) []Move {
	list := make([]Move, 0, len(moves))
	for _, m := range moves {
		list = append(list, MoveOf(p.Format(m), m))
	}
	return list
}

// TimeText writes milliseconds since 1970.
func TimeText(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z") }
