package loa

import "quintet/game/board8"

// Course is Lines of Action by the operations that its course document lists.
// Its methods are those of board8.Course: GameOver returns 'D', 'B', 'W' or
// '-', and knows no other end.
type Course struct{ board8.Course }

// NewCourse returns a game that begins, Black's turn.
func NewCourse() *Course { return NewCourseAt(Start()) }

// NewCourseAt returns a game that goes on from a position.
func NewCourseAt(p *Position) *Course {
	return &Course{board8.NewCourse(p.Placement, targets)}
}
