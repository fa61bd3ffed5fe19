package loa

import "quintet/game/board8"

// Course implements the operations that the course document lists. GameOver returns
// 'D', 'B', 'W' or '-'.
type Course struct{ board8.Course }

// NewCourse returns a new game with Black to move.
func NewCourse() *Course { return NewCourseAt(Start()) }

// NewCourseAt returns a game that continues from a position.
func NewCourseAt(p *Position) *Course {
	return &Course{board8.NewCourse(p.Placement, targets)}
}
