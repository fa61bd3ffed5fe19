package judge

import (
	"cmp"
	"fmt"
	"time"
)

// Budget limits the work spent on explaining mistakes, beyond the games of the suite. Zero
// fields mean the defaults.
type Budget struct {
	Runs  int // runs of the program to distinguish mistakes and to shrink games
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

// spending is the remainder of a budget.
type spending struct {
	runs, bytes int
	time        time.Duration
	now         func() time.Time // nil if time is unlimited
	early       []string         // steps that stopped early, and why
}

func (b Budget) spending() spending {
	return spending{runs: cmp.Or(b.Runs, defaultRuns), bytes: cmp.Or(b.Bytes, defaultBytes), time: cmp.Or(b.Time, defaultTime), now: b.Now}
}

// clock returns the time, or a constant if time is unlimited.
func (s *spending) clock() (t time.Time) {
	if s.now != nil {
		t = s.now()
	}
	return t
}

// run reports whether the program may run once more, and counts the run.
func (s *spending) run() bool {
	s.runs--
	return s.runs >= 0
}

// compare reports whether more dialogues may be compared.
func (s *spending) compare() bool { return s.bytes > 0 }

// stopped records that a step stopped early, and why.
func (s *spending) stopped(what, why string) {
	s.early = append(s.early, fmt.Sprintf("%s stopped early, %s.", what, why))
}
