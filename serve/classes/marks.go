package classes

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"quintet/judge"
	"quintet/judge/batch"
	"quintet/live"
	"quintet/people/class"
	"quintet/serve/api"
)

// marks sends the marks for an assignment: in the table of grades that the roster came from, or in a table of names.
func (s *Service) marks(w http.ResponseWriter, r *http.Request, v visit) error {
	var of class.Assignment
	var results []batch.Result
	if err := v.assignment(r, func(st *class.State, a class.Assignment) { of, results = a, resultsOf(st, v.Class, a) }); err != nil {
		return err
	}
	data, err := table(v.Class, of, results)
	if err != nil {
		return err
	}
	api.Send(w, "text/csv; charset=utf-8", "marks.csv", data)
	return nil
}

// resultsOf returns the marks of all students who have one.
func resultsOf(st *class.State, c class.Class, a class.Assignment) (list []batch.Result) {
	for _, n := range c.Students {
		if m := st.Mark(n.ID, a); m.Submission != "" {
			list = append(list, batch.Result{Name: batch.Cell(n.Name), ID: n.Key, Mark: m.Mark, Days: m.Days, Verdict: judge.Verdict{Verdict: m.Verdict, Rule: m.Rule, Of: a.Points}})
		}
	}
	return list
}

// table returns a table of grades with marks.
func table(c class.Class, a class.Assignment, results []batch.Result) ([]byte, error) {
	text := c.Table
	if text == nil {
		var out bytes.Buffer
		w := csv.NewWriter(&out)
		_ = w.Write([]string{"Name", "Grade", "Maximum", "Feedback"}) // to memory
		for _, n := range c.Students {
			_ = w.Write([]string{batch.Cell(n.Name), "", fmt.Sprint(a.Points), ""})
		}
		w.Flush()
		text = out.Bytes()
	}
	sheet, err := batch.ParseSheet(text, "")
	if err != nil {
		return nil, fmt.Errorf("reading the table of a class: %w", err)
	}
	sheet.Fill(results)
	return sheet.Encode() //nolint:wrapcheck // it says what failed
}

// export sends everything about a class as a zip archive: the roster, the events, what students have done in lessons
// and puzzles, the marks of each assignment, and the submissions with their verdicts.
func (s *Service) export(w http.ResponseWriter, r *http.Request, v visit) error {
	release, err := s.Acquire(s.Limits.Renders, r)
	if err != nil {
		return err
	}
	defer release()
	events, err := s.config.Log.Log.Read(r.Context(), live.ClassCategory.Stream(v.ID))
	if err != nil {
		return fmt.Errorf("reading a class: %w", err)
	}
	var lines, marks [][]byte
	for _, e := range events {
		lines = append(lines, e.Data)
	}
	var names []string
	for _, n := range v.Students {
		names = append(names, n.ID+"\t"+n.Name+"\t"+n.Key)
	}
	var submissions []class.Submission
	v.d.view(func(st *class.State) {
		for _, a := range st.Assignments {
			data, failed := table(v.Class, a, resultsOf(st, v.Class, a))
			if failed != nil {
				data = []byte(failed.Error())
			}
			marks = append(marks, data)
		}
		submissions = slices.Clone(st.Submissions)
	})
	s.SendZip(w, "class.zip", func(add func(string, []byte) error) error {
		err := errors.Join(add("events.jsonl", bytes.Join(lines, []byte("\n"))), add("roster.tsv", []byte(strings.Join(names, "\n"))), add("progress.tsv", progressTable(s.allDone(v.Class))))
		for i, data := range marks {
			err = errors.Join(err, add(fmt.Sprintf("marks-%d.csv", i+1), data))
		}
		for _, n := range submissions {
			if student, ok := v.Student(n.Student); ok && err == nil {
				err = s.exportSubmission(r.Context(), "submissions/"+noPath.Replace(student.Name)+" "+n.ID+"/", n, add)
			}
		}
		return err
	})
	return nil
}

// noPath replaces what the name of a folder cannot have everywhere.
var noPath = strings.NewReplacer("/", "_", "\\", "_", ":", "_", "*", "_", "?", "_", `"`, "_", "<", "_", ">", "_", "|", "_", "\n", " ", "\r", " ", "\t", " ")

// exportSubmission adds the files of a submission, its verdict, and the games of its rounds in a league.
func (s *Service) exportSubmission(ctx context.Context, folder string, n class.Submission, add func(name string, data []byte) error) error {
	list, err := s.files(ctx, n.ID)
	for _, f := range list {
		err = errors.Join(err, add(folder+f.Name, append([]byte(f.Text), f.Data...)))
	}
	keep := func(name string, part class.Part, id string) {
		if data, failed := s.directory.Get(ctx, part, id); failed != nil || len(data) > 0 {
			err = errors.Join(err, failed, add(folder+name, data))
		}
	}
	keep("verdict.json", class.Verdict, n.ID)
	for round := range n.Rounds {
		keep(fmt.Sprintf("round-%d.json", round+1), class.Games, class.RoundID(n.ID, round))
	}
	return err
}

// pair opens the games of a round between the students who are here, or between all if the request says so.
func (s *Service) pair(w http.ResponseWriter, r *http.Request, v visit) error {
	var q struct {
		Game  string            `json:"game"`
		Clock *live.TimeControl `json:"clock"`
		All   bool              `json:"all"`
	}
	if err := api.Read(w, r, api.SmallBody, &q); err != nil {
		return err
	}
	var who []string
	for _, n := range v.Students {
		if q.All || s.here(n.ID) {
			who = append(who, n.ID)
		}
	}
	if len(who) < 2 {
		return api.Problemf(http.StatusConflict, string(live.CodeNothing), "fewer than two students are here").WithReason("class.state")
	}
	if err := s.LimitCreates(s.Address(r)); err != nil { // a round counts once: it has a game for every two students
		return err
	}
	var round []class.Game
	pairs := [][2]string{}
	v.d.view(func(st *class.State) { pairs = st.Pair(who) })
	for _, p := range pairs {
		set := live.Settings{Game: q.Game, Unlisted: true}
		if q.Clock != nil {
			set.Clock = *q.Clock
		}
		for side, id := range p {
			n, _ := v.Student(id)
			set.Seats[side] = live.Player{Person: n.Person}
		}
		id, err := s.NewID("")
		if err == nil {
			err = s.config.Hall.Open(r.Context(), id, set, "")
		}
		if err != nil {
			return err
		}
		round = append(round, class.Game{ID: id, Seats: p})
	}
	if err := s.append(r.Context(), v.d, class.Paired, class.Event{Games: round}, nil); err != nil {
		return err
	}
	return s.OK(w, map[string]any{"games": s.gamesOf(round, v.Class, "")})
}
