package class

import (
	"errors"
	"fmt"
	"time"

	"quintet/judge/marks"
)

// Assignment is a task: a program for a game, and the rules for handing it in.
type Assignment struct {
	ID      string  `json:"id"`
	Title   string  `json:"title"`
	Game    string  `json:"game"`
	Class   bool    `json:"class,omitempty"`   // member functions are judged, not a console program
	Size    int     `json:"size,omitempty"`    // of the board; 0 is the usual one
	Profile string  `json:"profile,omitempty"` // the text of a profile file of the judge
	Points  float64 `json:"points"`            // of an accepted program

	Attempts int     `json:"attempts"`          // per student
	Wait     int64   `json:"wait,omitempty"`    // seconds between attempts
	Due      int64   `json:"due,omitempty"`     // time of day, milliseconds since 1970; 0 for none
	Penalty  float64 `json:"penalty,omitempty"` // percent of the points, for each day begun after Due
	Closes   bool    `json:"closes,omitempty"`  // nothing is accepted after Due
	Last     bool    `json:"last,omitempty"`    // the last attempt counts, not the best
	Hidden   bool    `json:"hidden,omitempty"`  // until Due, students see only the points of features

	League *League `json:"league,omitempty"` // programs that choose moves play against each other; nil for a judged program
}

// Limits of assignments.
const (
	MaxAttempts = 100
	MaxWait     = 7 * 24 * 60 * 60 // seconds
	MaxProfile  = 4 << 10          // bytes
	MaxPoints   = 1000
)

// Check returns an error if a setting is invalid. It does not check the game and the profile.
func (a Assignment) Check() error {
	switch {
	case a.Attempts < 1 || a.Attempts > MaxAttempts:
		return fmt.Errorf("an assignment has 1 to %d attempts", MaxAttempts)
	case a.Wait < 0 || a.Wait > MaxWait:
		return fmt.Errorf("the wait between attempts is 0 to %d seconds", MaxWait)
	case !(a.Points > 0 && a.Points <= MaxPoints):
		return fmt.Errorf("an assignment has at most %d points, and more than 0", MaxPoints)
	case !(a.Penalty >= 0 && a.Penalty <= 100):
		return errors.New("the penalty is 0 to 100 percent for each day")
	case a.Due < 0 || a.Due == 0 && (a.Closes || a.Hidden || a.Penalty > 0):
		return errors.New("an assignment that closes, hides verdicts or has a penalty needs a due date")
	case len(a.Profile) > MaxProfile:
		return fmt.Errorf("a profile has at most %d bytes", MaxProfile)
	}
	return CheckText("the title", a.Title, MaxTitle)
}

// RefusedError says why a student cannot hand in now.
type RefusedError struct {
	Reason string
	Until  time.Time // when it is possible; zero for never
}

// Error implements error.
func (e *RefusedError) Error() string { return e.Reason }

// MayHandIn returns a *RefusedError unless a student may hand in now. A submission that the server could not
// judge does not count as an attempt.
func (s *State) MayHandIn(student string, a Assignment, now time.Time) error {
	if a.Closes && now.UnixMilli() > a.Due {
		return &RefusedError{Reason: "the assignment is closed: its due date has passed"}
	}
	used, last := 0, int64(0)
	for _, n := range s.Of(student, a.ID) {
		switch {
		case n.Failed():
			continue
		case n.Waits():
			return &RefusedError{Reason: "your last submission is still waiting for its verdict"}
		}
		used, last = used+1, n.At
	}
	next := time.UnixMilli(last).Add(time.Duration(a.Wait) * time.Second)
	switch {
	case used >= a.Attempts:
		return &RefusedError{Reason: "you have used all your attempts"}
	case used > 0 && now.Before(next):
		return &RefusedError{Reason: "wait between attempts", Until: next}
	}
	return nil
}

// Mark is a student's mark for an assignment.
type Mark struct {
	Mark, Of   float64
	Submission string // the one that counts; "" if none is judged
	Verdict    string
	Rule       string
	Days       int // late
	Attempts   int // used
}

// Mark returns the mark of a student: that of the best or the last judged attempt, less the penalty for late days.
// A mark that the teacher set replaces those of the attempts up to its own.
func (s *State) Mark(student string, a Assignment) (m Mark) {
	m.Of = a.Points
	for _, n := range s.Of(student, a.ID) {
		if !n.Failed() {
			m.Attempts++
		}
		if !n.Judged && n.Set == nil {
			continue
		}
		mark, days := a.mark(n)
		if m.Submission == "" || a.Last || n.Set != nil || mark > m.Mark {
			m.Mark, m.Days, m.Submission, m.Verdict, m.Rule = mark, days, n.ID, n.Verdict, n.Rule
		}
	}
	return m
}

// mark returns the mark of one submission.
func (a Assignment) mark(n Submission) (mark float64, days int) {
	late := marks.Late{Penalty: a.Penalty, Percent: true}
	if a.Due > 0 {
		late.Due = time.UnixMilli(a.Due)
	}
	days = late.Days(time.UnixMilli(n.At), false)
	if n.Set != nil {
		return *n.Set, days
	}
	return late.Mark(n.Points, a.Points, days), days
}

// Missed returns the students who have not handed in although the assignment is due. A submission that the server
// could not judge counts: its student has done what was asked.
func (s *State) Missed(students []Student, a Assignment, now time.Time) (missed []string) {
	if a.Due == 0 || now.UnixMilli() <= a.Due {
		return nil
	}
	done := map[string]bool{}
	for _, n := range s.Submissions {
		done[n.Student] = done[n.Student] || n.Assignment == a.ID
	}
	for _, n := range students {
		if !done[n.ID] {
			missed = append(missed, n.ID)
		}
	}
	return missed
}

// Shows reports whether students see more of a verdict than its points.
func (a Assignment) Shows(now time.Time) bool { return !a.Hidden || now.UnixMilli() > a.Due }
