package classes

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"quintet/examples"
	"quintet/people"
	"quintet/people/class"
	"quintet/serve/api"
)

// leagueView is a league as its teacher or a student sees it.
type leagueView struct {
	Level   int    `json:"level"` // the strongest that counts
	Rows    []row  `json:"rows"`
	Lost    []loss `json:"lost"` // by the program of the student who asks: the last ones
	Waiting int    `json:"waiting"`
	Final   bool   `json:"final"` // whether there is one to watch
}

// loss is a lost game: where it is stored, and why it was lost.
type loss struct {
	Submission string `json:"submission"` // which began the match
	Round      int    `json:"round"`
	Match      int    `json:"match"` // of the round
	Game       int    `json:"game"`  // of the match
	Opponent   string `json:"opponent"`
	End        string `json:"end"`
}

// maxLost is how many lost games a student sees.
const maxLost = 40

// league shows the table of a league. Students see no names but their own.
func (s *Service) league(w http.ResponseWriter, r *http.Request, from visit) error {
	v, who := leagueView{Rows: []row{}, Lost: []loss{}}, from.student
	err := from.league(r, func(st *class.State, a class.Assignment) {
		t := newLeagueTable(st, a, in(from.Class))
		v.Level, v.Rows = a.League.Level, t.rows(a)
		_, v.Final = st.Final(a.ID)
		names := t.names(from.Class, who)
		for i := range v.Rows {
			if n, ok := st.Submission(v.Rows[i].Submission); ok {
				v.Rows[i].Name, v.Rows[i].You = names(n.ID), n.Student == who
			}
		}
		for _, n := range t.programs {
			if len(t.next(a, n)) > 0 {
				v.Waiting++
			}
			if n.Student == who {
				v.Lost = t.lost(n.ID, names)
			}
		}
	})
	if err != nil {
		return err
	}
	return s.OK(w, v)
}

// league calls f with the league in the address. It returns a problem if the class does not have it.
func (v visit) league(r *http.Request, f func(st *class.State, a class.Assignment)) error {
	found := false
	err := v.assignment(r, func(st *class.State, a class.Assignment) {
		if found = a.League != nil; found {
			f(st, a)
		}
	})
	if err == nil && !found {
		err = errMissing("league")
	}
	return err
}

// names returns the names of players: of students for the teacher, otherwise those of guests.
func (t *leagueTable) names(c class.Class, who string) func(player string) string {
	return func(player string) string {
		i, ok := t.at[player]
		if !ok || i >= len(t.programs) {
			return player
		}
		n, _ := c.Student(t.programs[i].Student)
		if who == "" || n.ID == who {
			return n.Name
		}
		return people.GuestName(n.Person)
	}
}

// lost lists the last games that a program lost.
func (t *leagueTable) lost(me string, names func(string) string) []loss {
	list := []loss{}
	for _, n := range t.programs {
		for _, r := range n.Results {
			_, there := t.at[r.Opponent]
			if n.ID != me && r.Opponent != me || !there {
				continue
			}
			for i, g := range r.Games {
				one := loss{Submission: n.ID, Round: r.Round, Match: r.Index, Game: i, Opponent: names(r.Opponent), End: g.End}
				won := 2
				if n.ID == me {
					won = 0
				} else {
					one.Opponent = names(n.ID)
				}
				if g.Points == won {
					list = append(list, one)
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b loss) int { return a.Round - b.Round })
	return list[max(len(list)-maxLost, 0):]
}

// roundGame is a game of a round with its replay.
type roundGame struct {
	Match  int    `json:"match"`
	Game   int    `json:"game"`
	Result string `json:"result"`
	End    string `json:"end"`
	Detail string `json:"detail"` // of a fault, for the student whose program made it, and for the teacher
	Path   string `json:"path"`   // replays the game on our board
}

// roundGames shows the games of a round to the teacher, and to students those of their programs.
func (s *Service) roundGames(w http.ResponseWriter, r *http.Request, v visit) error {
	who := v.student
	round, err := strconv.Atoi(r.PathValue("round"))
	var n class.Submission
	var a class.Assignment
	mine := map[string]bool{}
	v.d.view(func(st *class.State) {
		n, _ = st.Submission(r.PathValue("submission"))
		a, _ = st.Assignment(n.Assignment)
		for _, o := range st.Of(who, a.ID) {
			mine[o.ID] = true
		}
	})
	if err != nil || n.ID == "" || round < 0 || round >= n.Rounds {
		return errMissing("round")
	}
	stored, _, err := s.storedRound(r.Context(), class.RoundID(n.ID, round))
	if err != nil {
		return err
	}
	games := []roundGame{}
	for i, m := range stored {
		if who == "" || mine[n.ID] || mine[m.Opponent] {
			games = append(games, gamesOfMatch(a, m, i, func(first bool) bool {
				return who == "" || first && mine[n.ID] || !first && mine[m.Opponent]
			})...)
		}
	}
	return s.OK(w, map[string]any{"games": games})
}

// gamesOfMatch returns the games of a match. sees reports whether the reader sees the faults of the first or of the
// second player.
func gamesOfMatch(a class.Assignment, m playedMatch, index int, sees func(first bool) bool) (list []roundGame) {
	for i, g := range m.Match {
		one := roundGame{
			Match: index, Game: i, Result: g.Result, End: g.End,
			Path: "/analysis/" + a.Game + "?" + url.Values{"position": {g.Position}, "moves": {g.Moves}}.Encode(),
		}
		if sees(g.Points == 0) {
			one.Detail = g.Detail
		}
		list = append(list, one)
	}
	return list
}

// template sends a template of a program for a league.
func (s *Service) template(w http.ResponseWriter, r *http.Request, _ visit) error {
	name := r.PathValue("name")
	data, err := examples.League.ReadFile("league/" + name)
	if err != nil || strings.Contains(name, "/") {
		return errMissing("template")
	}
	api.Send(w, "text/plain; charset=utf-8", name, data)
	return nil
}
