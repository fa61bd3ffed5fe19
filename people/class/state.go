package class

import (
	"encoding/json"
	"fmt"
	"slices"

	"quintet/live"
)

// The kinds of events of a class.
const (
	Assigned   live.Kind = "assigned"   // Assignment, which replaces one with the same identifier
	Submitted  live.Kind = "submitted"  // a student handed in a submission
	Judged     live.Kind = "judged"     // a submission has a verdict
	Failed     live.Kind = "failed"     // the server could not judge a submission
	Overridden live.Kind = "overridden" // the teacher set the mark of a submission, with a reason
	Asked      live.Kind = "asked"      // a student asked for a second look
	Answered   live.Kind = "answered"   // the teacher answered
	Paired     live.Kind = "paired"     // the games of a round
	Reported   live.Kind = "reported"   // a platform has the mark of a student for an assignment
)

// Event is an event of a class. It has identifiers in place of names.
type Event struct {
	live.Envelope

	Assignment *Assignment `json:"assignment,omitempty"`
	Submission string      `json:"submission,omitempty"`
	Student    string      `json:"student,omitempty"`
	To         string      `json:"to,omitempty"` // identifier of the assignment
	Verdict    string      `json:"verdict,omitempty"`
	Rule       string      `json:"rule,omitempty"`
	Points     float64     `json:"points,omitempty"`
	Of         float64     `json:"of,omitempty"`
	Text       string      `json:"text,omitempty"`
	Games      []Game      `json:"games,omitempty"`
	Round      int         `json:"round,omitempty"`
	Results    []Result    `json:"results,omitempty"`
	Programs   []string    `json:"programs,omitempty"` // submissions
	Match      *FinalMatch `json:"match,omitempty"`
	Line       int         `json:"line,omitempty"` // index in Class.Lines; -1 if it is not known what the platform has
	Sent       int64       `json:"sent,omitempty"` // time of the report, milliseconds since 1970
}

// Game is a game of a round.
type Game struct {
	ID    string    `json:"id"`
	Seats [2]string `json:"seats"` // identifiers of students
}

// MaxFaults is how often the server tries to judge a submission.
const MaxFaults = 3

// Submission is what a student handed in.
type Submission struct {
	ID, Student, Assignment string

	At       int64 // time of day, milliseconds since 1970
	Faults   int   // failed tries of the server to judge it
	Judged   bool
	Verdict  string
	Rule     string
	Points   float64
	Of       float64
	Set      *float64 // the mark that the teacher set
	Reason   string
	Question string // of the student who asked for a second look
	Answer   string
	Asks     bool // the question awaits an answer or a new mark

	// In a league.
	Rounds   int      // played
	Results  []Result // of its rounds
	Replaced bool     // by a later program of the student
}

// Waits reports whether the submission is still to be judged.
func (n Submission) Waits() bool { return !n.Judged && n.Faults < MaxFaults }

// Failed reports whether the server could not judge the submission, which then does not count as an attempt.
func (n Submission) Failed() bool { return !n.Judged && n.Faults >= MaxFaults }

// State is the fold of the events of a class. The zero value is a class without events.
type State struct {
	Assignments []Assignment
	Submissions []Submission // in the order in which they were handed in
	Rounds      [][]Game

	finals  map[string]Final    // the last one of each assignment
	at      map[string]int      // indexes of submissions by identifier
	reports map[[2]string]Event // the last Reported of each student and assignment
}

// maxRounds is how many rounds a State remembers, to pair students with new opponents.
const maxRounds = 50

// Apply applies an encoded event. It ignores kinds that it does not know.
func (s *State) Apply(data []byte) error {
	var e Event
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf("reading an event: %w", err)
	}
	switch e.Kind {
	case Assigned:
		return s.assign(e)
	case Submitted:
		return s.submit(e)
	case FinalHeld:
		s.holdFinal(e)
		return nil
	case FinalPlayed:
		return s.playFinal(e)
	case Reported:
		if s.reports == nil {
			s.reports = map[[2]string]Event{}
		}
		s.reports[[2]string{e.Student, e.To}] = e
		return nil
	case Paired:
		s.Rounds = append(s.Rounds, e.Games)
		s.Rounds = s.Rounds[max(len(s.Rounds)-maxRounds, 0):]
		return nil
	}
	i, ok := s.at[e.Submission]
	if !ok {
		return nil // from a newer server
	}
	n := &s.Submissions[i]
	if e.Kind == Played {
		return n.play(e)
	}
	n.apply(e)
	if e.Kind == Judged {
		s.replace(*n)
	}
	return nil
}

func (s *State) assign(e Event) error {
	if e.Assignment == nil {
		return fmt.Errorf("event %d has no assignment", e.Number)
	}
	i := slices.IndexFunc(s.Assignments, func(a Assignment) bool { return a.ID == e.Assignment.ID })
	if i < 0 {
		s.Assignments = append(s.Assignments, *e.Assignment)
	} else {
		s.Assignments[i] = *e.Assignment
	}
	return nil
}

func (s *State) submit(e Event) error {
	if _, ok := s.at[e.Submission]; ok || e.Submission == "" {
		return fmt.Errorf("event %d: submission %q exists already", e.Number, e.Submission)
	}
	if s.at == nil {
		s.at = map[string]int{}
	}
	s.at[e.Submission] = len(s.Submissions)
	s.Submissions = append(s.Submissions, Submission{ID: e.Submission, Student: e.Student, Assignment: e.To, At: e.Wall})
	return nil
}

// apply applies an event to a submission. The first verdict counts.
func (n *Submission) apply(e Event) {
	switch e.Kind {
	case Judged:
		if !n.Judged {
			n.Judged, n.Verdict, n.Rule, n.Points, n.Of = true, e.Verdict, e.Rule, e.Points, e.Of
		}
	case Failed:
		n.Faults++
	case Overridden:
		n.Set, n.Reason, n.Asks = &e.Points, e.Text, false
	case Asked:
		n.Question, n.Answer, n.Asks = e.Text, "", true
	case Answered:
		n.Answer, n.Asks = e.Text, false
	}
}

// Submission returns a submission.
func (s *State) Submission(id string) (n Submission, ok bool) {
	i, ok := s.at[id]
	if !ok {
		return n, false
	}
	return s.Submissions[i], true
}

// Assignment returns an assignment.
func (s *State) Assignment(id string) (a Assignment, ok bool) {
	i := slices.IndexFunc(s.Assignments, func(a Assignment) bool { return a.ID == id })
	if i < 0 {
		return a, false
	}
	return s.Assignments[i], true
}

// Of returns the submissions of a student for an assignment, in order.
func (s *State) Of(student, assignment string) (list []Submission) {
	for _, n := range s.Submissions {
		if n.Student == student && n.Assignment == assignment {
			list = append(list, n)
		}
	}
	return list
}
