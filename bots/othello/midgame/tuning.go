package midgame

import (
	"quintet/bots/othello/pattern"
	"quintet/engine"
)

// Tuning holds the constants by which a search orders and prunes moves. SPSA found Width,
// Static and Table, the time to a depth SortFrom and SortEach, matches the others but Ending
// (docs/internals/experiments.md). Widths and margins are in hundredths of a standard error, or of the
// margin that they say; a disc is 100 points.
type Tuning struct {
	Aspiration int // half the width of the first aspiration window, in points

	// ProbCut: a shallow search must lie Width outside the window. WidthDepth is more for each ply
	// beyond eight, in tenths. The evaluation alone cuts at Static times that, searches to the end
	// of the game at Ending times that; a bound in the table of a shallower search at Table.
	Width, WidthDepth     int
	Static, Ending, Table int

	// Moves are ordered by searches of (10*depth-SortFrom)/SortEach plies, or by the evaluation if
	// that is not positive, less Replies points for each reply that a move leaves.
	SortFrom, SortEach, Replies int

	// In endings, by searches of (10*empty-EndFrom)/EndEach plies, less EndReplies for a reply.
	EndFrom, EndEach, EndReplies int

	// With a clock, moves with at least 45, 37, 16 and 13 empty cells get time in these proportions,
	// where those with 23 to 36 get 100, and TimeSoft hundredths of the usual soft limit. More nodes
	// prevent few errors in the opening, and many where the outcome can nearly be solved.
	TimeOpening, TimeEarly, TimeEnd, TimeLate int
	TimeSoft                                  int
}

// timeWeight is how much time a move with a number of empty cells gets, relative to others.
func (t *Tuning) timeWeight(empty int) float64 {
	switch {
	case empty >= 45:
		return float64(t.TimeOpening)
	case empty >= 37:
		return float64(t.TimeEarly)
	case empty >= 23:
		return 100
	case empty >= 16:
		return float64(t.TimeEnd)
	case empty >= 13:
		return float64(t.TimeLate)
	}
	return 10 // played out at once
}

// movesLeft returns the time of the moves from the given number of empty cells on, relative to
// that of the first of them.
func (t *Tuning) movesLeft(empty int) float64 {
	sum := 0.0
	for e := empty; e > 0; e -= 2 {
		sum += t.timeWeight(e)
	}
	return sum / t.timeWeight(empty)
}

// DefaultTuning returns the constants of the engine.
func DefaultTuning() Tuning {
	return Tuning{
		Aspiration: 3 * pattern.Unit,
		Width:      102, Static: 105, Ending: 80, Table: 63,
		SortFrom: 90, SortEach: 40,
		EndFrom: 140, EndEach: 40, EndReplies: 300,
		TimeOpening: 40, TimeEarly: 75, TimeEnd: 200, TimeLate: 100, TimeSoft: 150,
	}
}

// proofTuning returns the constants of proofs, which were chosen by the positions that FFO 40 to 44
// take (docs/internals/experiments.md).
func proofTuning() Tuning {
	return Tuning{
		Aspiration: pattern.Unit,
		Width:      102,
		SortFrom:   70, SortEach: 30,
		EndFrom: 120, EndEach: 40, EndReplies: 350,
	}
}

// Constants returns the constants by name, for changes.
func (t *Tuning) Constants() engine.Constants {
	const most = 1_000
	return engine.Constants{
		engine.NewConstant("Aspiration", &t.Aspiration, 1, most, 40),
		engine.NewConstant("Width", &t.Width, 1, most, 5),
		engine.NewConstant("WidthDepth", &t.WidthDepth, -100, 100, 6),
		engine.NewConstant("Static", &t.Static, 1, most, 8),
		engine.NewConstant("Ending", &t.Ending, 1, most, 7),
		engine.NewConstant("Table", &t.Table, 1, most, 6),
		engine.NewConstant("SortFrom", &t.SortFrom, 0, most, 6),
		engine.NewConstant("SortEach", &t.SortEach, 5, most, 4),
		engine.NewConstant("Replies", &t.Replies, -most, most, 15),
		engine.NewConstant("EndFrom", &t.EndFrom, 0, most, 12),
		engine.NewConstant("EndEach", &t.EndEach, 5, most, 5),
		engine.NewConstant("EndReplies", &t.EndReplies, -most, most, 40),
		engine.NewConstant("TimeOpening", &t.TimeOpening, 1, most, 0),
		engine.NewConstant("TimeEarly", &t.TimeEarly, 1, most, 0),
		engine.NewConstant("TimeEnd", &t.TimeEnd, 1, most, 0),
		engine.NewConstant("TimeLate", &t.TimeLate, 1, most, 0),
		engine.NewConstant("TimeSoft", &t.TimeSoft, 1, most, 0),
	}
}
