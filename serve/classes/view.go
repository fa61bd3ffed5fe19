package classes

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"quintet/game"
	"quintet/games"
	"quintet/judge"
	"quintet/people/class"
	"quintet/record/formats"
	"quintet/serve/api"
)

// listed is a class in a list.
type listed struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Students int    `json:"students"`
	Archived bool   `json:"archived"`
	Created  string `json:"created"`
}

// list returns the classes that the sender of a request teaches, and the one that the sender attends.
func (s *Service) list(w http.ResponseWriter, r *http.Request) error {
	who := s.Who(r)
	teaching, attending := []listed{}, ""
	if who.Signed {
		for _, c := range s.directory.All(func(c class.Class) bool { return c.Teacher == who.ID && !c.Erasing }) {
			teaching = append(teaching, listed{c.ID, c.Title, len(c.Students), c.Archived, api.TimeText(c.Created)})
		}
	}
	if m, ok := s.member(who); ok {
		attending = m.Class
	}
	return s.OK(w, map[string]any{"teaching": teaching, "attending": attending, "teacher": s.mayTeach(r, who), "judges": s.config.Judge != nil})
}

// view is a class as its teacher or a student sees it.
type view struct {
	ID          string            `json:"id"`
	Title       string            `json:"title"`
	Teacher     bool              `json:"teacher"` // whether the teacher asks
	You         string            `json:"you"`     // the name of the student who asks
	Archived    bool              `json:"archived"`
	Judges      bool              `json:"judges"`
	Students    []student         `json:"students"` // for the teacher
	Assignments []assignment      `json:"assignments"`
	Games       []round           `json:"games"` // of the last round: all, or those of the student who asks
	Questions   []submissionShort `json:"questions"`
}

type student struct {
	ID    string  `json:"id"`
	Name  string  `json:"name"`
	Here  bool    `json:"here"`
	Marks []*mark `json:"marks"` // for each assignment; null without a verdict
}

type mark struct {
	Mark       float64 `json:"mark"`
	Submission string  `json:"submission"`
	Verdict    string  `json:"verdict"`
	Rule       string  `json:"rule"`
	Late       int     `json:"late_days"`
	Attempts   int     `json:"attempts"`
}

type assignment struct {
	class.Assignment
	DueText     string            `json:"due_time"`
	Waiting     int               `json:"waiting"`
	Mark        *mark             `json:"mark"` // of the student who asks
	Submissions []submissionShort `json:"submissions"`
	Missed      []string          `json:"missed"` // for the teacher: students who have not handed in when it is due
}

// submissionShort is a submission in a list.
type submissionShort struct {
	ID         string   `json:"id"`
	Assignment string   `json:"assignment"`
	Student    string   `json:"student"` // the name, for the teacher
	Time       string   `json:"time"`
	State      string   `json:"state"` // waiting, judged or failed
	Place      int      `json:"place"`
	Verdict    string   `json:"verdict"`
	Rule       string   `json:"rule"`
	Points     float64  `json:"points"`
	Of         float64  `json:"of"`
	Mark       *float64 `json:"mark"`
	Reason     string   `json:"reason"`
	Question   string   `json:"question"`
	Answer     string   `json:"answer"`
}

// round is a game of a round.
type round struct {
	ID    string    `json:"id"`
	Ply   int       `json:"ply"`
	Names [2]string `json:"names"`
	You   string    `json:"you"` // the side of the student who asks
}

// show shows a class.
func (s *Service) show(w http.ResponseWriter, _ *http.Request, from visit) error {
	v := view{ID: from.ID, Title: from.Title, Teacher: from.student == "", Archived: from.Archived, Judges: s.config.Judge != nil, Students: []student{}, Assignments: []assignment{}, Games: []round{}, Questions: []submissionShort{}}
	from.d.view(func(st *class.State) { s.fill(&v, st, from.Class, from.student) })
	return s.OK(w, v)
}

// fill fills a view from the state.
func (s *Service) fill(v *view, st *class.State, c class.Class, who string) {
	for _, a := range st.Assignments {
		one := s.assignment(st, a, who)
		if who == "" {
			one.Missed = orEmpty(st.Missed(c.Students, a, s.Now()))
		}
		v.Assignments = append(v.Assignments, one)
	}
	if len(st.Rounds) > 0 {
		v.Games = s.gamesOf(st.Rounds[len(st.Rounds)-1], c, who)
	}
	if who != "" {
		n, _ := c.Student(who)
		v.You = n.Name
		return
	}
	for _, n := range c.Students {
		one := student{ID: n.ID, Name: n.Name, Here: s.here(n.ID), Marks: []*mark{}}
		for _, a := range st.Assignments {
			one.Marks = append(one.Marks, markOf(st, n.ID, a))
		}
		v.Students = append(v.Students, one)
	}
	for _, n := range st.Submissions {
		if o, ok := c.Student(n.Student); ok && n.Asks {
			v.Questions = append(v.Questions, s.short(n, o.Name))
		}
	}
}

// assignment returns an assignment with the submissions of a student.
func (s *Service) assignment(st *class.State, a class.Assignment, who string) assignment {
	v := assignment{Assignment: a, Submissions: []submissionShort{}, Missed: []string{}}
	if a.Due > 0 {
		v.DueText = api.TimeText(a.Due)
	}
	for _, n := range st.Submissions {
		if n.Assignment == a.ID && n.Waits() {
			v.Waiting++
		}
	}
	if who == "" {
		return v
	}
	v.Profile, v.Mark = "", markOf(st, who, a)
	for _, n := range st.Of(who, a.ID) {
		one := s.short(n, "")
		if !a.Shows(s.Now()) {
			one.Verdict, one.Rule = "", ""
		}
		v.Submissions = append(v.Submissions, one)
	}
	if v.Mark != nil && !a.Shows(s.Now()) {
		v.Mark.Verdict, v.Mark.Rule = "", ""
	}
	return v
}

// markOf returns the mark of a student; nil without a verdict.
func markOf(st *class.State, student string, a class.Assignment) *mark {
	m := st.Mark(student, a)
	if m.Submission == "" {
		return nil
	}
	return &mark{m.Mark, m.Submission, m.Verdict, m.Rule, m.Days, m.Attempts}
}

// gamesOf returns the games of a round; only those of a student unless the teacher asks. Students see no names.
func (s *Service) gamesOf(list []class.Game, c class.Class, who string) []round {
	games := []round{}
	for _, g := range list {
		one := round{ID: g.ID, Ply: s.config.Hall.Ply(g.ID)}
		for side, id := range g.Seats {
			if n, ok := c.Student(id); ok && who == "" {
				one.Names[side] = n.Name
			}
			if id == who {
				one.You = [2]string{"first", "second"}[side]
			}
		}
		if who == "" || one.You != "" {
			games = append(games, one)
		}
	}
	return games
}

// short returns a submission for a list.
func (s *Service) short(n class.Submission, name string) submissionShort {
	state := "judged"
	switch {
	case n.Waits() && s.queue.runs(n.ID):
		state = "judging"
	case n.Waits():
		state = "waiting"
	case n.Failed():
		state = "failed"
	}
	return submissionShort{
		ID: n.ID, Assignment: n.Assignment, Student: name, Time: api.TimeText(n.At), State: state, Place: s.queue.place(n.ID), Verdict: n.Verdict, Rule: n.Rule,
		Points: n.Points, Of: n.Of, Mark: n.Set, Reason: n.Reason, Question: n.Question, Answer: n.Answer,
	}
}

// full is a submission with its verdict and, for the teacher and its student, its files.
type full struct {
	submissionShort
	Result *judge.Verdict `json:"result"`
	Files  []File         `json:"files"`
	Replay *replay        `json:"replay"`
}

// replay is the shortest game that shows a mistake, and the address that replays it on our board: "" if the game
// has no moves that are legal.
type replay struct {
	Game string `json:"game"`
	Size int    `json:"size"`
	Text string `json:"text"`
	Path string `json:"path"`
}

// replayOf returns the replay of what is typed into a program.
func replayOf(name string, size int, text string) *replay {
	p := &replay{Game: name, Size: size, Text: text}
	hint := formats.Hint{Format: "console", Game: name, MaxGames: 1}
	if g, err := games.ByName(name); err == nil && size > 0 && (name == "othello" || name == "connect6") {
		hint.Setup = g.NewSetup(game.Setup{"size": strconv.Itoa(size)})
	}
	list, _, _, err := formats.Read([]byte(text), hint)
	if err != nil || len(list) == 0 {
		return p
	}
	m, err := list[0].Match(list[0].Last())
	if err == nil && list[0].Moves() != "" {
		p.Path = "/analysis/" + name + "?" + url.Values{"position": {m.Start().String()}, "moves": {list[0].Moves()}}.Encode()
	}
	return p
}

// submission shows a submission to the teacher and to its student.
func (s *Service) submission(w http.ResponseWriter, r *http.Request, from visit) error {
	var n class.Submission
	var a class.Assignment
	from.d.view(func(st *class.State) {
		n, _ = st.Submission(r.PathValue("submission"))
		a, _ = st.Assignment(n.Assignment)
	})
	name, there := from.Student(n.Student)
	if !there || from.student != "" && n.Student != from.student {
		return errMissing("submission")
	}
	files, err := s.files(r.Context(), n.ID)
	if err != nil {
		return err
	}
	v := full{submissionShort: s.short(n, name.Name), Files: orEmpty(files)}
	result, ok, err := s.stored(r.Context(), n.ID)
	if err != nil {
		return err
	}
	if ok && n.Judged {
		v.show(result, from.student == "" || a.Shows(s.Now()))
	}
	return s.OK(w, v)
}

// show adds a verdict, or only its points.
func (v *full) show(result judge.Verdict, all bool) {
	if !all {
		result = judge.Verdict{Game: result.Game, Size: result.Size, Points: result.Points, Of: result.Of, Features: slices.Clone(result.Features)}
		for i := range result.Features {
			result.Features[i].Why, result.Features[i].Input = "", ""
		}
		v.Verdict, v.Rule = "", ""
	}
	if strings.TrimSpace(result.Input) != "" {
		v.Replay = replayOf(result.Game, result.Size, result.Input)
	}
	result.Mutants, result.Others, result.Warnings, result.Follows = orEmpty(result.Mutants), orEmpty(result.Others), orEmpty(result.Warnings), orEmpty(result.Follows)
	v.Result = &result
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
