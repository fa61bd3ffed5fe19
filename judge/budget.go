package judge

import (
	"cmp"
	"fmt"
	"time"
)

// Budget bounds the work of explaining mistakes, beyond the games of the suite.
// Zero fields have defaults.
type Budget struct {
	Runs  int // of the program, to tell mistakes apart and to shrink games
	Bytes int // of dialogues that are compared with the program's output

	// Time is for the runs that shrink games, by Now. A verdict names the same
	// mistake whatever the time is, but the game that shows it may be longer.
	Time time.Duration
	Now  func() time.Time // the clock; nil: only the work counts
}

// The defaults. The known mistakes take at most 126 runs and 27 MB.
const (
	defaultRuns  = 200
	defaultBytes = 128 << 20
	defaultTime  = 4 * time.Second
)

// spending is what is left of a budget.
type spending struct {
	runs, bytes int
	time        time.Duration
	now         func() time.Time // nil: time does not count
	early       []string         // what was stopped early, and why
}

func (b Budget) spending() spending {
	return spending{runs: cmp.Or(b.Runs, defaultRuns), bytes: cmp.Or(b.Bytes, defaultBytes), time: cmp.Or(b.Time, defaultTime), now: b.Now}
}

// clock returns the time, or a constant if time does not count.
func (s *spending) clock() (t time.Time) {
	if s.now != nil {
		t = s.now()
	}
	return t
}

// run reports whether the program may be run once more, and counts the run.
func (s *spending) run() bool {
	s.runs--
	return s.runs >= 0
}

// compare reports whether dialogues may still be compared.
func (s *spending) compare() bool { return s.bytes > 0 }

// stopped notes what was stopped early, and why.
func (s *spending) stopped(what, why string) {
	s.early = append(s.early, fmt.Sprintf("%s stopped early, %s.", what, why))
}
