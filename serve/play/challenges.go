package play

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"

	"quintet/game"
	"quintet/games"
	"quintet/live"
	"quintet/people"
	"quintet/people/rating"
	"quintet/serve/api"
	"quintet/serve/fair"
	"quintet/web/body"
)

// People with accounts challenge each other by name, or everybody with a rating in a range. A challenge is a record
// that all servers follow (people.Challenge). Who accepts it replaces the record on condition that nobody else has,
// and opens the game; so a challenge leads to one game, whatever is repeated or raced.

// challengeRequest is the body of a challenge.
type challengeRequest struct {
	To      string            `json:"to"` // name; "" for everybody
	Game    string            `json:"game"`
	Options body.Options      `json:"options"`
	Clock   *live.TimeControl `json:"clock"`
	Rated   bool              `json:"rated"`
	As      string            `json:"as"`  // side of the challenger; either if not given
	Low     int               `json:"low"` // accepted ratings of an open challenge
	High    int               `json:"high"`
}

// challengeView is a challenge as one of the two people sees it.
type challengeView struct {
	ID          string            `json:"id"`
	From        string            `json:"from"`
	To          string            `json:"to,omitempty"`
	Mine        bool              `json:"mine"`
	Game        string            `json:"game"`
	Options     map[string]string `json:"options"`
	Clock       *live.TimeControl `json:"clock"`
	Rated       bool              `json:"rated"`
	Side        string            `json:"side,omitempty"` // of who accepts it
	Rating      int               `json:"rating"`         // of the challenger
	Provisional bool              `json:"provisional"`
	Low         int               `json:"low,omitempty"`
	High        int               `json:"high,omitempty"`
	Expires     string            `json:"expires"`
	URL         string            `json:"url,omitempty"` // of the game, once it is accepted
}

// challengeRoutes returns the routes of challenges.
func (s *Service) challengeRoutes() api.Routes {
	return api.Routes{
		"GET /api/challenges":              s.Handle(s.listChallenges),
		"POST /api/challenges":             s.Handle(s.challenge),
		"POST /api/challenges/{id}/accept": s.Handle(s.acceptChallenge),
		"DELETE /api/challenges/{id}":      s.Handle(s.endChallenge),
	}
}

// challenger returns the sender of a request about challenges, who needs an account.
func (s *Service) challenger(r *http.Request) (people.Who, error) {
	who := s.Who(r)
	switch {
	case !who.Signed:
		return who, api.Problemf(http.StatusUnauthorized, "token", "challenges are for accounts: sign in").WithReason("account.none")
	case len(who.IDs()) == 0:
		return who, api.Problemf(http.StatusForbidden, "scope", "the token does not allow this: its scopes lack %q", people.Play)
	}
	return who, nil
}

// ratingOf returns the rating of an account in a game.
func (s *Service) ratingOf(ctx context.Context, person string, set live.Settings) (rating.Rating, error) {
	list, err := s.index.Ratings(ctx, person)
	if err != nil {
		return rating.Rating{}, s.ListProblem(err)
	}
	return ratingIn(list, set), nil
}

// challenge stores a challenge.
func (s *Service) challenge(w http.ResponseWriter, r *http.Request) error {
	var q challengeRequest
	if err := api.Read(w, r, api.LargeBody, &q); err != nil {
		return err
	}
	who, err := s.challenger(r)
	if err == nil {
		err = s.LimitCreates(s.Address(r)) // it may open a game
	}
	if err != nil {
		return err
	}
	c, err := s.newChallenge(who, q)
	if err != nil {
		return err
	}
	if c, err = s.People.Challenge(r.Context(), c); errors.Is(err, people.ErrMany) {
		return api.Problemf(http.StatusConflict, "taken", "there are too many open challenges: withdraw one, or try again later").WithReason("account.many")
	} else if err != nil {
		return err
	}
	s.config.Challenged(c)
	v, err := s.viewChallenge(r, who, c)
	if err != nil {
		return err
	}
	s.Write(w, http.StatusCreated, v)
	return nil
}

// newChallenge checks a challenge.
func (s *Service) newChallenge(who people.Who, q challengeRequest) (c people.Challenge, err error) {
	c = people.Challenge{From: who.ID, Settings: live.Settings{Game: q.Game, Options: game.Setup(q.Options), Rated: q.Rated}, At: s.hall.Now().Service}
	if g, err := games.ByName(q.Game); err == nil {
		c.Settings.Options = g.NewSetup(c.Settings.Options)
	}
	if q.Clock != nil {
		c.Settings.Clock = *q.Clock
	}
	if q.As != "" {
		side, err := live.SideNamed(q.As)
		if err != nil {
			return c, api.Invalid("as", "as: %v", err)
		}
		c.Side = (*live.Seat)(&side)
	}
	if err := c.Settings.Check(); err != nil {
		return c, err
	}
	if q.To == "" {
		if c.Low, c.High = q.Low, q.High; c.High == 0 {
			c.High = rating.Max
		}
		if c.Low < 0 || c.High > rating.Max || c.Low > c.High {
			return c, api.Invalid("request", "ratings %d to %d: expected a range within 0 to %d", c.Low, c.High, rating.Max)
		}
		return c, nil
	}
	a, ok := s.People.Named(q.To)
	switch {
	case !ok || a.Closed || s.hall.HidesName(a.Name):
		return c, api.Problemf(http.StatusNotFound, "missing", "no account is named %.60q", q.To).WithReason("account.missing")
	case a.ID == who.ID:
		return c, api.Invalid("name", "that is you").InField("to")
	}
	c.To = a.ID
	return c, s.mayMeet(live.Player{Person: who.ID}, live.Player{Person: a.ID})
}

// seesChallenge reports whether a person may see a challenge.
func (s *Service) seesChallenge(ctx context.Context, who people.Who, c people.Challenge) bool {
	from, ok := s.People.Account(c.From)
	switch {
	case c.From == who.ID:
		return true
	case !ok || from.Erased || from.Closed || s.hall.HidesName(from.Name) || c.Game != "" && c.By != who.ID || s.People.Apart(c.From, who.ID):
		return false
	case c.To != "":
		return c.To == who.ID
	}
	mine, err := s.ratingOf(ctx, who.ID, c.Settings)
	return err == nil && mine.Rounded() >= c.Low && mine.Rounded() <= c.High
}

// maxListed is how many challenges a list shows.
const maxListed = 50

// listChallenges lists the challenges of and to the sender, and the open ones that fit.
func (s *Service) listChallenges(w http.ResponseWriter, r *http.Request) error {
	who, err := s.challenger(r)
	if err != nil {
		return err
	}
	list := []challengeView{}
	for _, c := range s.People.Challenges(s.hall.Now().Service) {
		if len(list) == maxListed || !s.seesChallenge(r.Context(), who, c) {
			continue
		}
		if c.Game != "" {
			if err := s.openChallenge(r.Context(), c); err != nil { // the server may have stopped before it was opened
				return err
			}
		}
		v, err := s.viewChallenge(r, who, c)
		if err != nil {
			return err
		}
		list = append(list, v)
	}
	return s.OK(w, map[string][]challengeView{"challenges": list})
}

// ChallengesWaiting counts what waits for a person: challenges to them, and their own that were accepted.
func (s *Service) ChallengesWaiting(person string) (n int) {
	for _, c := range s.People.Challenges(s.hall.Now().Service) {
		if c.To == person && c.Game == "" && !s.People.Apart(c.From, person) || c.From == person && c.Game != "" {
			n++
		}
	}
	return n
}

func (s *Service) viewChallenge(r *http.Request, who people.Who, c people.Challenge) (v challengeView, err error) {
	points, err := s.ratingOf(r.Context(), c.From, c.Settings)
	if err != nil {
		return v, err
	}
	now := s.hall.Now()
	v = challengeView{
		ID: c.ID, From: s.People.NameOf(c.From, ""), Mine: c.From == who.ID, Game: c.Settings.Game, Options: c.Settings.Setup(), Rated: c.Settings.Rated,
		Rating: points.Rounded(), Provisional: points.Provisional(now.Wall), Low: c.Low, High: c.High, Expires: api.TimeText(now.Wall + c.Expires() - now.Service),
	}
	if c.To != "" {
		v.To = s.People.NameOf(c.To, "")
	}
	if c.Settings.Clock != (live.TimeControl{}) {
		v.Clock = &c.Settings.Clock
	}
	if c.Side != nil {
		v.Side = game.Side(*c.Side).Other().String()
	}
	if c.Game != "" {
		v.URL = s.Origin(r) + "/g/" + c.Game
	}
	return v, nil
}

// namedChallenge returns the challenge in the path of a request, if the sender may see it.
func (s *Service) namedChallenge(r *http.Request) (who people.Who, c people.Challenge, err error) {
	if who, err = s.challenger(r); err != nil {
		return who, c, err
	}
	list := s.People.Challenges(s.hall.Now().Service)
	i := slices.IndexFunc(list, func(c people.Challenge) bool { return c.ID == r.PathValue("id") })
	if i < 0 || !s.seesChallenge(r.Context(), who, list[i]) {
		return who, c, challengeGone()
	}
	return who, list[i], nil
}

func challengeGone() error {
	return api.Problemf(http.StatusNotFound, "missing", "the challenge was withdrawn, has expired, or was accepted by somebody else").WithReason("challenge.gone")
}

// acceptedChallenge is the answer to accepting a challenge.
type acceptedChallenge struct {
	ID   string `json:"id"` // of the game
	URL  string `json:"url"`
	Side string `json:"side"`
}

// acceptChallenge opens the game of a challenge.
func (s *Service) acceptChallenge(w http.ResponseWriter, r *http.Request) error {
	who, c, err := s.namedChallenge(r)
	switch {
	case err != nil:
		return err
	case c.From == who.ID:
		return api.Invalid("request", "this is your own challenge")
	}
	if c.Game == "" { // else the request is repeated
		side := game.Side(rand.IntN(2))
		if c.Side == nil {
			c.Side = (*live.Seat)(&side)
		}
		if c.Game, err = s.NewID(""); err != nil {
			return err
		}
		c.By, c.At = who.ID, s.hall.Now().Service
		if err := s.People.PutChallenge(r.Context(), c); errors.Is(err, live.ErrStale) {
			return challengeGone()
		} else if err != nil {
			return err
		}
	}
	if err := s.openChallenge(fair.WithClient(r.Context(), s.Address(r)), c); err != nil {
		return err
	}
	return s.OK(w, acceptedChallenge{c.Game, s.Origin(r) + "/g/" + c.Game, game.Side(*c.Side).Other().String()})
}

// openChallenge opens the game of an accepted challenge, unless it exists.
func (s *Service) openChallenge(ctx context.Context, c people.Challenge) error {
	if s.hall.Loaded(c.Game) != nil {
		return nil
	}
	set, side := c.Settings, game.Side(*c.Side)
	set.Seats[side], set.Seats[side.Other()] = live.Player{Person: c.From}, live.Player{Person: c.By}
	return s.hall.Open(ctx, c.Game, set, api.HashKey("a challenge", c.Game))
}

// endChallenge withdraws a challenge, declines it, or removes one that was accepted from the challenger's list.
func (s *Service) endChallenge(w http.ResponseWriter, r *http.Request) error {
	who, c, err := s.namedChallenge(r)
	if err == nil && c.From != who.ID && c.To != who.ID {
		err = challengeGone() // an open challenge of somebody else
	}
	if err == nil {
		err = s.People.EndChallenge(r.Context(), c)
	}
	if errors.Is(err, live.ErrStale) {
		err = challengeGone()
	}
	if err != nil {
		return err
	}
	return s.OK(w, map[string]bool{"done": true})
}
