package tournaments

import (
	"cmp"
	"net/http"
	"slices"

	"quintet/people/tournament"
)

// A series is the tournaments of one organiser that have the same name of a series. Its table is a fold over their
// final standings, which their records keep.

// Limits of a series.
const (
	MaxSeries  = 52  // tournaments of a series that count: the last ones
	seriesRows = 100 // players of a tournament who count, and rows that are shown
)

// Placed is the final place of a player, in the record of a tournament of a series.
type Placed struct {
	ID     string `json:"id"`
	Rank   int    `json:"rank"`
	Points int    `json:"points"` // as package tournament counts them
}

// sharesSeries reports whether two tournaments are of one series.
func (s Settings) sharesSeries(o Settings) bool {
	return s.Series != "" && s.Series == o.Series && s.Host == o.Host
}

// sharesPoints reports whether the points of two tournaments mean the same: those of a Swiss and of a round robin do.
func (s Settings) sharesPoints(o Settings) bool {
	byRound := func(f tournament.Form) bool { return f == tournament.Swiss || f == tournament.Robin }
	return s.Form == o.Form || byRound(s.Form) && byRound(o.Form)
}

// placed returns the final standings of a tournament of a series; none of others.
func (s *State) placed(table []tournament.Standing) (list []Placed) {
	if s.Settings.Series == "" || len(s.Games) == 0 {
		return nil
	}
	for _, t := range table[:min(len(table), seriesRows)] {
		list = append(list, Placed{s.Tour.Players[t.Player].ID, t.Rank, t.Points})
	}
	return list
}

// seriesView is a series in the API.
type seriesView struct {
	Name        string      `json:"name"`
	Host        string      `json:"host"`
	Tournaments []listed    `json:"tournaments"` // the newest first
	Standings   []seriesRow `json:"standings"`
}

type seriesRow struct {
	Rank   int     `json:"rank"`
	Name   string  `json:"name"`
	Engine string  `json:"engine"`
	Points float64 `json:"points"`
	Played int     `json:"played"` // tournaments
	Won    int     `json:"won"`    // tournaments
	Best   int     `json:"best"`   // place
}

// series shows the series that a tournament belongs to, as far as the sender of the request may see its tournaments.
func (s *Service) series(w http.ResponseWriter, r *http.Request) error {
	t, ok := s.directory.get(r.PathValue("id"))
	who := s.Who(r)
	set := t.Settings
	if !ok || set.Series == "" || !s.sees(t, who) {
		return errMissing()
	}
	all := s.directory.list(func(o Record) bool {
		return set.sharesSeries(o.Settings) && s.sees(o, who)
	})
	v := seriesView{Name: set.Series, Tournaments: []listed{}, Standings: []seriesRow{}}
	v.Host, _ = s.nameOf(set.Host)
	for _, o := range all[:min(len(all), MaxSeries)] {
		v.Tournaments = append(v.Tournaments, s.listed(r, o, who.IDs()))
	}
	over := slices.DeleteFunc(all, func(o Record) bool { return o.Over == nil })
	table := s.total(over[:min(len(over), MaxSeries)])
	v.Standings = append(v.Standings, table[:min(len(table), seriesRows)]...)
	return s.OK(w, v)
}

// total folds the final standings of tournaments into a table: most points first, then most tournaments won.
func (s *Service) total(all []Record) (table []seriesRow) {
	rows := map[string]*seriesRow{}
	for _, t := range all {
		for _, p := range t.Over.Placed {
			row := rows[p.ID]
			if row == nil {
				row = &seriesRow{Best: p.Rank}
				row.Name, row.Engine = s.nameOf(p.ID)
				rows[p.ID] = row
			}
			row.Points += points(t.Settings.Form, p.Points)
			row.Played++
			row.Best = min(row.Best, p.Rank)
			if p.Rank == 1 {
				row.Won++
			}
		}
	}
	for _, row := range rows {
		table = append(table, *row)
	}
	order := func(a, b seriesRow) int { return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(b.Won, a.Won)) }
	slices.SortFunc(table, func(a, b seriesRow) int { return cmp.Or(order(a, b), cmp.Compare(a.Name, b.Name)) })
	for i := range table {
		if table[i].Rank = i + 1; i > 0 && order(table[i], table[i-1]) == 0 {
			table[i].Rank = table[i-1].Rank
		}
	}
	return table
}
