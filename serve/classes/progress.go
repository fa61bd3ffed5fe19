package classes

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"quintet/games"
	"quintet/judge/batch"
	"quintet/people"
	"quintet/people/class"
	"quintet/serve/api"
)

// This file is what students have done in lessons and puzzles. Their pages send it, as for accounts; the teacher sees
// how much it is.

// studentDone is what a student has done, by game.
type studentDone struct {
	ID    string                `json:"id"`
	Name  string                `json:"name"`
	Games map[string]class.Done `json:"games"`
}

// addProgress merges the progress that a student's browser has, and answers with all.
func (s *Service) addProgress(w http.ResponseWriter, r *http.Request, v visit) error {
	var p people.Progress
	if err := api.Read(w, r, people.MaxProgress, &p); err != nil {
		return err
	}
	if v.student == "" {
		return api.Problemf(http.StatusForbidden, "scope", "only students of this class can save progress").WithReason("class.state")
	}
	if err := s.Limited(s.Limits.Passwords, "progress "+v.student, "passwords", "changes of your progress"); err != nil {
		return err
	}
	if err := p.Check(); err != nil {
		return api.Invalid("request", "%v", err)
	}
	p, err := s.directory.AddProgress(r.Context(), class.Member{Class: v.ID, Student: v.student}, p)
	if errors.Is(err, people.ErrMany) {
		return api.Problemf(http.StatusRequestEntityTooLarge, "large", "the progress has more than %d KB", people.MaxProgress>>10)
	}
	if err != nil {
		return failed(err)
	}
	return s.OK(w, p)
}

// showProgress shows the teacher what all students have done.
func (s *Service) showProgress(w http.ResponseWriter, _ *http.Request, v visit) error {
	return s.OK(w, map[string]any{"students": s.allDone(v.Class)})
}

// allDone returns what each student has done.
func (s *Service) allDone(c class.Class) []studentDone {
	list := []studentDone{}
	for _, n := range c.Students {
		list = append(list, studentDone{n.ID, n.Name, s.directory.Done(n.ID)})
	}
	return list
}

// progressTable returns what students have done, for a spreadsheet.
func progressTable(list []studentDone) []byte {
	var out strings.Builder
	out.WriteString("Name\tGame\tLesson steps\tPuzzles solved\n")
	for _, n := range list {
		for _, name := range games.Names() {
			if d := n.Games[name]; d != (class.Done{}) {
				fmt.Fprintf(&out, "%s\t%s\t%d\t%d\n", batch.Cell(n.Name), name, d.Lessons, d.Puzzles)
			}
		}
	}
	return []byte(out.String())
}
