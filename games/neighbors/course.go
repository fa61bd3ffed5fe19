package neighbors

import "quintet/game/board8"

// Course implements the operations that the course document lists.
type Course struct{ board8.Course }

// NewCourse returns a new game with Black to move.
func NewCourse() *Course { return NewCourseAt(Start()) }

// NewCourseAt returns a game that continues from a position.
func NewCourseAt(p *Position) *Course {
	return &Course{board8.NewCourse(p.Placement, targets)}
}

// Isolated reports whether no piece of a player has a neighbour.
func (c *Course) Isolated(player byte) bool {
	return c.PieceSet(player)&board8.Around(c.PieceSet('B')|c.PieceSet('W')) == 0
}

// GameOver returns 'D' if the pieces of both players form one group, 'B' or 'W' if
// only that player's do, 'I' if neither's do and both players are isolated, and '-'
// otherwise.
func (c *Course) GameOver() byte {
	if over := c.Course.GameOver(); over != '-' {
		return over
	}
	if c.Isolated('B') && c.Isolated('W') {
		return 'I'
	}
	return '-'
}
