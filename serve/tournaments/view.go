package tournaments

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/people/tournament"
	"quintet/serve/api"
)

// Limits of what one answer shows.
const (
	shownRows   = 100 // of standings
	shownBoards = 50  // games of a round
	shownList   = 50  // tournaments of each phase
)

// listed is a tournament in the lobby.
type listed struct {
	ID      string           `json:"id"`
	Title   string           `json:"title"`
	Form    tournament.Form  `json:"form"`
	Games   []gameView       `json:"games"`
	Clock   live.TimeControl `json:"clock"`
	Rated   bool             `json:"rated"`
	Phase   Phase            `json:"phase"`
	Starts  string           `json:"starts"` // "" if the organiser starts it
	Ended   string           `json:"ended"`
	Players int              `json:"players"`
	Winner  string           `json:"winner"`
	Joined  bool             `json:"joined"` // the sender of the request plays
}

type gameView struct {
	Game    string     `json:"game"`
	Options game.Setup `json:"options"`
}

// list returns the lobby: the tournaments that wait, run, and are over.
func (s *Service) list(w http.ResponseWriter, r *http.Request) error {
	who := s.Who(r)
	v := map[Phase][]listed{Waiting: {}, Running: {}, Over: {}}
	for _, t := range s.directory.list(func(t Record) bool { return s.sees(t, who) }) {
		one := s.listed(r, t, who.IDs())
		if len(v[one.Phase]) < shownList {
			v[one.Phase] = append(v[one.Phase], one)
		}
	}
	slices.SortStableFunc(v[Waiting], func(a, b listed) int { return cmp.Compare(cmp.Or(a.Starts, "9"), cmp.Or(b.Starts, "9")) })
	return s.OK(w, v)
}

// listed returns a tournament for the lobby. One that is over needs only its record.
func (s *Service) listed(r *http.Request, t Record, ids []string) listed {
	set := t.Settings
	v := listed{ID: t.ID, Title: t.Title, Form: set.Form, Games: gameViews(set), Clock: set.Clock, Rated: set.Rated, Phase: Waiting, Starts: timeText(set.Starts)}
	if t.Over != nil {
		v.Phase, v.Ended, v.Players = Over, timeText(t.Over.At), t.Over.Players
		if len(t.Over.Podium) > 0 {
			v.Winner, _ = s.nameOf(t.Over.Podium[0])
		}
		return v
	}
	if d, err := s.store.Get(r.Context(), t.ID); err == nil {
		d.view(func(st *State) {
			v.Phase = st.Phase
			v.Players, _ = st.count()
			i, ok := st.player(ids...)
			v.Joined = ok && !st.Tour.Players[i].Withdrawn
		})
	}
	return v
}

func gameViews(set Settings) (list []gameView) {
	for round := range set.Games {
		v := set.variant(round + 1)
		list = append(list, gameView{v.Game, set.table("", round+1).Setup()})
	}
	return list
}

// timeText is api.TimeText; "" for no time.
func timeText(ms int64) string {
	if ms == 0 {
		return ""
	}
	return api.TimeText(ms)
}

// view is a tournament in the API.
type view struct {
	listed

	Host      string   `json:"host"` // name of the organiser
	Now       string   `json:"now"`  // time of this server, against which clients count down
	Rounds    int      `json:"rounds"`
	Minutes   int      `json:"minutes"`
	Berserk   bool     `json:"berserk"`
	Pause     int      `json:"pause"`
	Most      int      `json:"most"`
	Low       int      `json:"low"`
	High      int      `json:"high"`
	Code      bool     `json:"code"` // a code is needed to join
	Class     bool     `json:"class"`
	Series    string   `json:"series"` // that it belongs to; "" for none
	Started   string   `json:"started"`
	Why       string   `json:"why"` // it ended
	Round     int      `json:"round"`
	Next      string   `json:"next"`    // when the next round starts, or an arena ends
	Running   int      `json:"running"` // games
	Events    int      `json:"events"`
	Yours     bool     `json:"yours"` // the sender of the request is the organiser
	You       *you     `json:"you"`   // null for who does not play
	Ties      []string `json:"ties"`
	Standings []row    `json:"standings"` // the first rows
	Boards    []board  `json:"boards"`    // of the last round
}

// you is the player who asks.
type you struct {
	row

	Game *board `json:"game"` // that the player plays now; null for none
	Side string `json:"side"` // in this game
}

// row is a row of the standings.
type row struct {
	Rank      int       `json:"rank"`
	Player    int       `json:"player"` // number, from 1
	Name      string    `json:"name"`
	Engine    string    `json:"engine"`
	Rating    int       `json:"rating"`
	Points    float64   `json:"points"`
	Ties      []float64 `json:"ties"`
	Wins      int       `json:"wins"`
	Draws     int       `json:"draws"`
	Losses    int       `json:"losses"`
	Streak    int       `json:"streak"`
	Withdrawn bool      `json:"withdrawn"`
}

// board is a game of a round, or a bye.
type board struct {
	ID      string           `json:"id"` // "" for a bye, a forfeit, and a game that is not opened yet
	Round   int              `json:"round"`
	Game    string           `json:"game"`
	Players api.Both[int]    `json:"players"` // numbers, from 1; 0 for nobody
	Names   api.Both[string] `json:"names"`
	Result  string           `json:"result"` // "" while it goes on
	Ply     int              `json:"ply"`
}

// results are the texts of outcomes.
var results = map[tournament.Outcome]string{
	tournament.FirstWins: "1-0", tournament.SecondWins: "0-1", tournament.Drawn: "½-½", tournament.FirstAbsent: "0-1f", tournament.SecondAbsent: "1-0f",
	tournament.BothAbsent: "0-0f", tournament.PairingBye: "1", tournament.HalfBye: "½", tournament.ZeroBye: "0",
}

// show shows a tournament.
func (s *Service) show(w http.ResponseWriter, r *http.Request, v visit) error {
	id := v.player()
	if id == "" && !v.host() {
		shared, err := s.publicView(r, v)
		if err == nil {
			s.WriteShared(w, r, shared)
		}
		return err
	}
	if id != "" {
		v.d.arrive(id, 0, s.Now().Add(graceRequest))
	}
	return s.OK(w, s.view(r, v))
}

// publicAge is for how long the public view of a tournament can be sent without an event: it has the time, and how many moves
// games have.
const publicAge = 250 * time.Millisecond

// publicView is a tournament as everybody sees it who neither plays nor organises it. Thousands of spectators fetch it after
// each event.
type publicView struct {
	turn   chan struct{} // takes one: held while the view is made; guards the rest
	shared *api.SharedResponse
	number int // of the last event
	until  time.Time
}

// publicTimeout bounds the wait for the log while a public view is made, which then shows what is known.
const publicTimeout = 5 * time.Second

// publicView returns the tournament of a visit for all who neither play nor organise it.
func (s *Service) publicView(r *http.Request, v visit) (*api.SharedResponse, error) {
	p := &v.d.public
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	number := v.d.view(func(*State) {})
	if p.shared == nil || p.number != number || !s.Now().Before(p.until) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), publicTimeout) // others get the answer, too
		defer cancel()
		p.shared = s.Share(s.view(r.WithContext(ctx), visit{record: v.record, d: v.d}))
		p.number, p.until = number, s.Now().Add(publicAge)
	}
	return p.shared, nil
}

// view returns a tournament as the sender of a request sees it.
func (s *Service) view(r *http.Request, from visit) view {
	set, ids := from.record.Settings, from.who.IDs()
	v := view{
		listed: s.listed(r, from.record, ids), Rounds: set.Rounds, Minutes: set.Minutes, Berserk: set.Berserk, Pause: set.Pause, Most: set.Most, Low: set.Low, High: set.High,
		Code: set.Code != "", Class: set.Class != "", Series: set.Series, Yours: from.host(), Ties: tieNames(set.Form), Standings: []row{}, Boards: []board{},
	}
	v.Host, _ = s.nameOf(set.Host)
	now := s.config.Hall.Now()
	v.Now = timeText(now.Wall)
	from.d.view(func(st *State) {
		if from.record.Over == nil { // listed may not have reached it
			v.Players, _ = st.count()
		}
		v.Phase, v.Started, v.Ended, v.Why = st.Phase, timeText(st.Started.Wall), timeText(st.Ended.Wall), st.Why
		v.Round, v.Next, v.Running, v.Events = st.Tour.Round(), timeText(st.due(now)), len(st.open), from.d.Number+1
		table := from.d.standings()
		for _, row := range table[:min(len(table), shownRows)] {
			v.Standings = append(v.Standings, s.row(st, row))
		}
		v.Boards = s.boards(st, st.lastBoards())
		if i, ok := st.player(ids...); ok {
			v.You = s.you(st, table, i)
		}
	})
	for i := range v.Boards {
		v.Boards[i].Ply = s.config.Hall.Ply(v.Boards[i].ID)
	}
	return v
}

// row returns a row of the standings.
func (s *Service) row(st *State, t tournament.Standing) row {
	p := st.Tour.Players[t.Player]
	v := row{
		Rank: t.Rank, Player: t.Player + 1, Rating: p.Rating, Points: points(st.Settings.Form, t.Points), Ties: ties(st.Settings.Form, t.Tie),
		Wins: t.Wins, Draws: t.Draws, Losses: t.Losses, Streak: t.Streak, Withdrawn: p.Withdrawn,
	}
	v.Name, v.Engine = s.nameOf(p.ID)
	return v
}

// points returns points for people: package tournament counts half points, except in an arena.
func points(f tournament.Form, n int) float64 {
	if f == tournament.Arena {
		return float64(n)
	}
	return float64(n) / 2
}

// tieNames returns the names of the tie-breaks of a form, in the order of ties.
func tieNames(f tournament.Form) []string {
	switch f {
	case tournament.Swiss:
		return []string{"buchholz_cut1", "buchholz", "sonneborn_berger", "direct", "wins"}
	case tournament.Robin:
		return []string{"direct", "sonneborn_berger", "wins"}
	}
	return []string{}
}

func ties(f tournament.Form, t tournament.Tie) []float64 {
	direct, sonneborn, won := float64(t.Direct)/tournament.DirectPoint, float64(t.SonnebornBerger)/4, float64(t.Wins)
	switch f {
	case tournament.Swiss:
		return []float64{float64(t.BuchholzCut1) / 2, float64(t.Buchholz) / 2, sonneborn, direct, won}
	case tournament.Robin:
		return []float64{direct, sonneborn, won}
	}
	return []float64{}
}

// you returns the player who asks.
func (s *Service) you(st *State, table []tournament.Standing, i int) *you {
	v := &you{}
	if at := slices.IndexFunc(table, func(t tournament.Standing) bool { return t.Player == i }); at >= 0 {
		v.row = s.row(st, table[at])
	}
	if k, ok := st.playing(i); ok {
		v.Game = &s.boards(st, []int{k})[0]
		v.Side = game.First.String()
		if st.Games[k].Second == i {
			v.Side = game.Second.String()
		}
	}
	return v
}

// lastBoards returns the indexes of the games of the last round; of an arena, of those that go on.
func (s *State) lastBoards() (list []int) {
	if s.Settings.Form == tournament.Arena {
		return s.open[:min(len(s.open), shownBoards)]
	}
	return s.boardsOf(s.Tour.Round(), shownBoards)
}

// boardsOf returns the indexes of the games and byes of a round.
func (s *State) boardsOf(round, most int) (list []int) {
	for i, g := range s.Games {
		if g.Round == round && len(list) < most {
			list = append(list, i)
		}
	}
	return list
}

// boards returns games by their indexes.
func (s *Service) boards(st *State, list []int) []board {
	boards := []board{}
	for _, i := range list {
		g := st.Games[i]
		id := g.ID
		if i >= st.begun {
			id = ""
		}
		v := board{ID: id, Round: g.Round, Game: st.Settings.variant(g.Round).Game, Players: api.Both[int]{First: g.First + 1, Second: g.Second + 1}, Result: results[g.Outcome]}
		v.Names.First, _ = s.nameOf(st.Tour.Players[g.First].ID)
		if g.Second != tournament.None {
			v.Names.Second, _ = s.nameOf(st.Tour.Players[g.Second].ID)
		}
		boards = append(boards, v)
	}
	return boards
}

// standings shows the standings from a row on.
func (s *Service) standings(w http.ResponseWriter, r *http.Request, v visit) error {
	from, err := number(r.URL.Query().Get("from"))
	if err != nil {
		return err
	}
	rows := []row{}
	total := 0
	v.d.view(func(st *State) {
		table := v.d.standings()
		total = len(table)
		from = min(from, total)
		for _, t := range table[from:min(from+shownRows, total)] {
			rows = append(rows, s.row(st, t))
		}
	})
	return s.OK(w, map[string]any{"players": total, "ties": tieNames(v.record.Settings.Form), "standings": rows})
}

// round shows the games and byes of a round.
func (s *Service) round(w http.ResponseWriter, r *http.Request, v visit) error {
	n, err := number(r.PathValue("round"))
	if err != nil {
		return err
	}
	boards := []board{}
	v.d.view(func(st *State) { boards = s.boards(st, st.boardsOf(n, tournament.MaxArena)) })
	return s.OK(w, map[string]any{"round": n, "boards": boards})
}

// number parses a number of a request; "" is 0.
func number(text string) (int, error) {
	n, err := strconv.Atoi(cmp.Or(text, "0"))
	if err != nil || n < 0 {
		return 0, api.Invalid("request", "%.20q: expected a number, 0 or more", text)
	}
	return n, nil
}
