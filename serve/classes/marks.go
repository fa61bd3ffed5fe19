package classes

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
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

// export sends everything about a class as a zip archive: the roster, the events, what students have
// done in lessons and puzzles, and the marks of each assignment.
func (s *Service) export(w http.ResponseWriter, r *http.Request, v visit) error {
	events, err := s.config.Log.Log.Read(r.Context(), live.ClassCategory.Stream(v.ID))
	if err != nil {
		return fmt.Errorf("reading a class: %w", err)
	}
	files := map[string][]byte{}
	var lines [][]byte
	for _, e := range events {
		lines = append(lines, e.Data)
	}
	files["events.jsonl"] = bytes.Join(lines, []byte("\n"))
	files["progress.tsv"] = progressTable(s.allDone(v.Class))
	names := []string{}
	for _, n := range v.Students {
		names = append(names, n.ID+"\t"+n.Name+"\t"+n.Key)
	}
	files["roster.tsv"] = []byte(strings.Join(names, "\n"))
	v.d.view(func(st *class.State) {
		for i, a := range st.Assignments {
			if data, failed := table(v.Class, a, resultsOf(st, v.Class, a)); failed == nil {
				files[fmt.Sprintf("marks-%d.csv", i+1)] = data
			}
		}
	})
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, data := range files {
		f, err := z.Create(name)
		if err == nil {
			_, err = f.Write(data)
		}
		if err != nil {
			return fmt.Errorf("exporting a class: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("exporting a class: %w", err)
	}
	api.Send(w, "application/zip", "class.zip", out.Bytes())
	return nil
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
