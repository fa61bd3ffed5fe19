package tournaments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"quintet/bots"
	"quintet/games"
	"quintet/live"
	"quintet/people"
	"quintet/people/class"
	"quintet/people/rating"
	"quintet/people/tournament"
	"quintet/serve/api"
	"quintet/web/body"
)

// createRequest is the body of a request for a new tournament.
type createRequest struct {
	Title   string            `json:"title"`
	Form    tournament.Form   `json:"form"`
	Games   []gameRequest     `json:"games"`
	Clock   *live.TimeControl `json:"clock"`
	Rated   bool              `json:"rated"`
	Rounds  int               `json:"rounds"`
	Minutes int               `json:"minutes"`
	Berserk bool              `json:"berserk"`
	Pause   int               `json:"pause"`
	Starts  string            `json:"starts"` // RFC 3339; "" if the organiser starts it
	Most    int               `json:"most"`
	Low     int               `json:"low"`
	High    int               `json:"high"`
	Code    string            `json:"code"`
	Series  string            `json:"series"`
	Class   string            `json:"class"`
}

// gameRequest is a game of a new tournament.
type gameRequest struct {
	Game    string       `json:"game"`
	Options body.Options `json:"options"`
}

// create makes a tournament.
func (s *Service) create(w http.ResponseWriter, r *http.Request) error {
	c := createRequest{Form: tournament.Arena, Pause: 10}
	if err := api.Read(w, r, api.LargeBody, &c); err != nil {
		return err
	}
	who := s.Who(r)
	switch {
	case !who.Signed:
		return api.Problemf(http.StatusUnauthorized, "token", "sign in to make a tournament").WithReason("account.none")
	case !who.Grant.Allows(people.Manage):
		return api.Problemf(http.StatusForbidden, "scope", "the token does not allow this: its scopes lack %q", people.Manage)
	}
	t := Record{Title: strings.TrimSpace(c.Title), Made: s.Now().UnixMilli()}
	if err := class.CheckText("the title", t.Title, MaxTitle); err != nil {
		return invalid("title", err)
	}
	set, err := s.settings(c, who.ID)
	if err != nil {
		return err
	}
	if err := s.LimitCreates(s.Address(r)); err != nil {
		return err
	}
	if t.ID, err = s.NewID(""); err != nil {
		return err
	}
	t.Settings = set
	if err := s.open(r.Context(), t); err != nil {
		return err
	}
	s.Write(w, http.StatusCreated, map[string]string{"id": t.ID, "url": s.Origin(r) + "/tournament/" + t.ID})
	return nil
}

// settings returns the settings of a request, with defaults.
func (s *Service) settings(c createRequest, host string) (set Settings, err error) {
	set = Settings{
		Form: c.Form, Rated: c.Rated, Rounds: c.Rounds, Minutes: c.Minutes, Berserk: c.Berserk, Pause: c.Pause, Most: cmp.Or(c.Most, min(most(c.Form), 100)),
		Low: c.Low, High: c.High, Series: strings.TrimSpace(c.Series), Class: c.Class, Host: host,
	}
	for _, q := range c.Games {
		v := Variant{Game: q.Game, Options: map[string]string(q.Options)}
		if g, err := games.ByName(q.Game); err == nil {
			v.Options = g.NewSetup(v.Options)
		}
		set.Games = append(set.Games, v)
	}
	if set.Series != "" {
		if err := class.CheckText("the series", set.Series, MaxTitle); err != nil {
			return set, invalid("series", err)
		}
	}
	if c.Clock != nil {
		set.Clock = *c.Clock
	}
	if c.Starts != "" {
		at, err := time.Parse(time.RFC3339, c.Starts)
		if err != nil {
			return set, invalid("starts", fmt.Errorf("starts %.40q: expected a time such as 2026-11-27T18:00:00Z", c.Starts))
		}
		set.Starts = at.UnixMilli()
	}
	switch {
	case utf8.RuneCountInString(c.Code) > MaxCode:
		return set, invalid("code", fmt.Errorf("a code has at most %d characters", MaxCode))
	case c.Code != "":
		set.Code = live.HashSecret(c.Code)
	}
	if taught, ok := s.config.Classes.Class(c.Class); c.Class != "" && (!ok || taught.Teacher != host) {
		return set, invalid("class", errors.New("you teach no such class"))
	}
	return set, set.check(s.Now())
}

// open stores a new tournament: the record, then the first event. A record without events is one of a server that was
// killed in between: the runner adds the event.
func (s *Service) open(ctx context.Context, t Record) error {
	if err := s.directory.create(ctx, t); err != nil {
		return err
	}
	return s.begin(ctx, t)
}

// begin appends the first event of a tournament, unless there is one.
func (s *Service) begin(ctx context.Context, t Record) error {
	d, err := s.store.Keep(ctx, s.store.New(ctx, t.ID))
	if err != nil {
		return err
	}
	return s.change(ctx, d, func(st *State) (e Event, err error) {
		if st.Phase == "" {
			e.Kind, e.Settings = Made, &t.Settings
		}
		return e, nil
	})
}

// join lets the sender of a request play.
func (s *Service) join(w http.ResponseWriter, r *http.Request, v visit) error {
	var q struct {
		Code string `json:"code"`
	}
	if err := api.Read(w, r, api.SmallBody, &q); err != nil {
		return err
	}
	person, err := s.Person(w, r, "")
	switch set := v.record.Settings; {
	case err != nil:
		return err
	case person == "":
		return api.Problemf(http.StatusForbidden, "scope", "the token does not allow this: its scopes lack %q", people.Play)
	case set.Rated && !v.who.Signed:
		return api.Problemf(http.StatusUnauthorized, "token", "the games are rated: sign in to play").WithReason("account.none")
	case set.Code != "" && !v.host():
		if err := s.checkCode(r, set, q.Code); err != nil {
			return err
		}
	}
	if !v.who.Signed { // a new guest has no cookie yet
		v.who = people.Who{ID: person}
	}
	points, err := s.ratingOf(r.Context(), person, v.record.Settings)
	if err != nil {
		return err
	}
	return s.add(w, r, v, Player{ID: person, Rating: points})
}

// checkCode returns a problem for a wrong code. Tries are counted before the code is looked at, or the limit would not
// stop whoever guesses right after it; right ones are not counted.
func (s *Service) checkCode(r *http.Request, set Settings, code string) error {
	from := s.Address(r)
	if err := s.Limited(s.Limits.Passwords, from, "codes", "codes from your address"); err != nil {
		return err
	}
	if live.HashSecret(code) != set.Code {
		return api.Problemf(http.StatusForbidden, "password", "the code is wrong: ask the organiser").WithReason("tournament.code").InField("code")
	}
	s.Limits.Passwords.GiveBack(from, 1)
	return nil
}

// ratingOf returns the rating of a person in the first game of a tournament.
func (s *Service) ratingOf(ctx context.Context, person string, set Settings) (points int, err error) {
	list, err := s.config.Index.Ratings(ctx, person)
	if err != nil {
		return 0, api.Busy(5, "the ratings are not available: try again in a moment")
	}
	pool, _ := set.table("", 1).Pool()
	for _, r := range list {
		if r.Pool == pool {
			points = r.Rounded()
		}
	}
	points = cmp.Or(points, rating.New().Rounded())
	if set.Low > 0 && points < set.Low || set.High > 0 && points > set.High {
		return points, refused("your rating is %d, and this tournament is for %d to %d", points, set.Low, cmp.Or(set.High, rating.Max))
	}
	return points, nil
}

// addLevel lets a level play along.
func (s *Service) addLevel(w http.ResponseWriter, r *http.Request, v visit) error {
	var q struct {
		Level int `json:"level"`
	}
	if err := api.Read(w, r, api.SmallBody, &q); err != nil {
		return err
	}
	if q.Level < 1 || q.Level > bots.Levels {
		return invalid("level", fmt.Errorf("level %d: expected 1 to %d", q.Level, bots.Levels))
	}
	pool, _ := v.record.Settings.table("", 1).Pool()
	anchor, err := s.config.Index.Anchor(r.Context(), pool.Board)
	if err != nil {
		return api.Busy(5, "the ratings are not available: try again in a moment")
	}
	points, ok := anchor.Level(pool.Board, q.Level)
	if !ok {
		points = rating.New()
	}
	return s.add(w, r, v, Player{ID: "level:" + strconv.Itoa(q.Level), Rating: points.Rounded(), Level: true})
}

// add appends that a player joins.
func (s *Service) add(w http.ResponseWriter, r *http.Request, v visit, p Player) error {
	if err := s.Limited(s.Limits.Edits, s.Address(r), "commands", "changes from your address"); err != nil {
		return err
	}
	ids := []string{p.ID}
	if !p.Level {
		ids = append(ids, v.who.IDs()...)
	}
	err := s.change(r.Context(), v.d, func(st *State) (e Event, err error) {
		if i, ok := st.player(ids...); ok {
			p.ID = st.Tour.Players[i].ID
			if !st.Tour.Players[i].Withdrawn {
				return e, nil
			}
		}
		e.Kind, e.Player = Joined, &p
		return e, st.mayJoin(p)
	})
	if err != nil {
		return err
	}
	v.d.arrive(p.ID, 0, s.Now().Add(graceRequest))
	return s.OK(w, s.view(r, v))
}

// mayJoin returns a problem unless a player may join now.
func (s *State) mayJoin(p Player) error {
	_, known := s.players[p.ID]
	levels := 0
	for _, o := range s.Players {
		if o.Level {
			levels++
		}
	}
	late := s.Phase == Running && (s.Settings.Form == tournament.Robin || s.Settings.Form == tournament.Knockout)
	last := s.Settings.Form == tournament.Swiss && s.Tour.Round() >= s.Settings.Rounds
	switch {
	case s.Phase == Over:
		return refused("the tournament is over")
	case late || s.Phase == Running && last:
		return refused("the tournament has begun: nobody can join it any more")
	case !known && len(s.Players) >= s.Settings.Most:
		return refused("the tournament is full: it has %d players", len(s.Players))
	case !known && p.Level && levels >= MaxLevels:
		return refused("at most %d levels can play along", MaxLevels)
	}
	return nil
}

// command appends the event that decide returns, and answers with the tournament after it.
func (s *Service) command(w http.ResponseWriter, r *http.Request, v visit, decide func(*State) (Event, error)) error {
	if err := s.change(r.Context(), v.d, decide); err != nil {
		return err
	}
	return s.OK(w, s.view(r, v))
}

// withdraw takes a player out: the sender of the request ("me"), or anybody if the organiser asks.
func (s *Service) withdraw(w http.ResponseWriter, r *http.Request, v visit) error {
	if err := s.Limited(s.Limits.Edits, s.Address(r), "commands", "changes from your address"); err != nil {
		return err
	}
	return s.command(w, r, v, func(st *State) (e Event, err error) {
		i, ok := st.player(v.who.IDs()...)
		if name := r.PathValue("player"); name != "me" && v.host() {
			n, err := strconv.Atoi(name)
			i, ok = n-1, err == nil && n >= 1 && n <= len(st.Players)
		}
		switch {
		case !ok || st.Tour.Players[i].Withdrawn:
			return e, refused("this player is not in the tournament")
		case st.Phase == Over:
			return e, refused("the tournament is over")
		}
		e.Kind, e.Who = Withdrawn, st.Tour.Players[i].ID
		return e, nil
	})
}

// start starts a tournament.
func (s *Service) start(w http.ResponseWriter, r *http.Request, v visit) error {
	return s.command(w, r, v, func(st *State) (e Event, err error) {
		all, persons := st.count()
		switch {
		case st.Phase != Waiting:
			return e, refused("the tournament has begun")
		case all < 2 || persons == 0:
			return e, refused("a tournament needs two players, and one of them must be a person")
		}
		e.Kind = Started
		return e, nil
	})
}

// cancel ends a tournament. Its games can be played on, but they do not count.
func (s *Service) cancel(w http.ResponseWriter, r *http.Request, v visit) error {
	return s.command(w, r, v, func(st *State) (e Event, err error) {
		if st.Phase == Over {
			return e, refused("the tournament is over")
		}
		return ends(whyCanceled).event, nil
	})
}

// nameOf returns the name of a player, and the level if it is one.
func (s *Service) nameOf(id string) (name, engine string) {
	if strings.HasPrefix(id, "level:") { // identifiers of people are hexadecimal
		return id, id
	}
	return s.config.Hall.Names().Show(live.Player{Person: id}).Name, ""
}
