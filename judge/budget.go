package judge

import (
	"cmp"
	"math"
	"time"
)

// Budget limits the work spent on a program with mistakes, beyond the games of the suite. Zero
// fields mean the defaults.
type Budget struct {
	Runs  int // runs of the program to distinguish mistakes, to shrink games, and to play games that suit it
	Bytes int // bytes of dialogues compared with the program's output

	// Time limits the runs that shrink games, measured by Now. It does not affect which
	// mistake a verdict names, only the length of the game that shows it.
	Time time.Duration
	Now  func() time.Time // the clock; if nil, only runs and bytes are limited
}

// The defaults. The known mistakes take at most 126 runs and 27 MB.
const (
	defaultRuns  = 200
	defaultBytes = 128 << 20
	defaultTime  = 4 * time.Second
)

// forAdapted is the part of the runs that is kept for games that suit the program, which its points need.
const forAdapted = 50

// orDefaults returns the budget without zero fields.
func (b Budget) orDefaults() Budget {
	b.Runs, b.Bytes, b.Time = cmp.Or(b.Runs, defaultRuns), cmp.Or(b.Bytes, defaultBytes), cmp.Or(b.Time, defaultTime)
	if b.Now == nil {
		b.Now, b.Time = func() time.Time { return time.Time{} }, math.MaxInt64
	}
	return b
}

// What stopped early, and why, in sentences for the verdict.
const (
	earlyNames = "The judge stopped looking for known mistakes early, because the games of this program are long."
	earlyRuns  = "The judge stopped choosing among known mistakes early, because it had used up its runs."
	earlyGame  = "The judge stopped looking for a shorter game early, because it had used up its runs."
	earlyTime  = "The judge stopped looking for a shorter game early, because it had used up its time."
)
