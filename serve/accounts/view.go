package accounts

import (
	"context"
	"errors"
	"net/http"
	"time"

	"quintet/live/index"
	"quintet/people"
	"quintet/people/rating"
	"quintet/serve/api"
)

// view is the account or the guest that sent a request.
type view struct {
	Name    string      `json:"name"`
	Guest   bool        `json:"guest"`
	Role    people.Role `json:"role,omitempty"`
	Created string      `json:"created,omitempty"`
	Keyed   bool        `json:"keyed,omitempty"` // the account has passkeys and no password

	Challenges int           `json:"challenges,omitempty"` // that wait for an answer, or were accepted
	Vacation   *vacationView `json:"vacation,omitempty"`   // of an account
}

// day is how often the last use of a session is stored.
const day = 24 * time.Hour

// show returns who sent the request. A browser without a cookie becomes a guest.
func (s *Service) show(w http.ResponseWriter, r *http.Request) error {
	who := s.Who(r)
	if who.Signed {
		if now := s.Now(); now.Sub(time.UnixMilli(who.Grant.Seen)) > day {
			_, err := s.People.Update(r.Context(), who.ID, func(a *people.Account) error {
				for i := range a.Grants {
					if a.Grants[i].ID == who.Grant.ID {
						a.Grants[i].Seen = now.UnixMilli()
					}
				}
				return nil
			})
			if err != nil {
				s.Log.Warn("a session's use is not stored", "error", err)
			}
		}
		return s.OK(w, view{Name: who.Account.Name, Role: who.Account.Role, Created: api.TimeText(who.Account.Created), Keyed: who.Account.Password == "", Challenges: s.games.ChallengesWaiting(who.ID), Vacation: s.vacationOf(who.Account)})
	}
	id, err := s.Person(w, r, "")
	if err != nil {
		return err
	}
	return s.OK(w, view{Name: s.People.NameOf(id, ""), Guest: true})
}

// grant is a session or a token.
type grant struct {
	ID      string         `json:"id"`
	Label   string         `json:"label"`
	Scopes  []people.Scope `json:"scopes"` // none for a session
	Created string         `json:"created"`
	Seen    string         `json:"seen"`
	Current bool           `json:"current"` // the request uses it
}

func viewGrant(g people.Grant, who people.Who) grant {
	return grant{g.ID, g.Label, append([]people.Scope{}, g.Scopes...), api.TimeText(g.Created), api.TimeText(g.Seen), g.ID == who.Grant.ID}
}

// sessions lists the sessions and tokens of an account.
func (s *Service) sessions(w http.ResponseWriter, r *http.Request) error {
	who, err := s.signed(r)
	if err != nil {
		return err
	}
	return s.OK(w, map[string][]grant{"sessions": grants(who)})
}

func grants(who people.Who) []grant {
	list := []grant{}
	for _, g := range who.Account.Grants {
		list = append(list, viewGrant(g, who))
	}
	return list
}

// personView is a person as everybody sees them.
type personView struct {
	Name    string      `json:"name"`
	Role    people.Role `json:"role"`
	Created string      `json:"created"`
	Games   index.Tally `json:"games"` // finished and listed
	Ratings []standing  `json:"ratings"`

	Vacation string `json:"vacation,omitempty"` // until when it lasts
}

// standing is a rating of a person.
type standing struct {
	Board       string `json:"board"` // a game, or a class of its boards
	Speed       string `json:"speed"`
	Rating      int    `json:"rating"`
	Deviation   int    `json:"deviation"` // as of today: it grows while the person is away
	Games       int    `json:"games"`
	Provisional bool   `json:"provisional"`
}

// standings returns the ratings of a person.
func (s *Service) standings(ctx context.Context, id string) ([]standing, error) {
	ratings, err := s.index.Ratings(ctx, id)
	list, now := []standing{}, s.hall.Now().Wall
	for _, r := range ratings {
		list = append(list, viewStanding(r, now))
	}
	return list, err
}

func viewStanding(r index.PoolRating, now int64) standing {
	return standing{r.Board, r.Speed, r.Rounded(), int(r.DeviationAt(now) + 0.5), r.Games, r.Provisional(now)}
}

// curve is a standing and how it came about, see index.Curve.
type curve struct {
	standing
	Points []curvePoint `json:"points"`
}

// curvePoint is a rating after a number of rated games.
type curvePoint struct {
	Games     int    `json:"games"`
	Time      string `json:"time"`
	Rating    int    `json:"rating"`
	Deviation int    `json:"deviation"`
}

// curves returns the curves of a person's ratings.
func (s *Service) curves(ctx context.Context, id string) ([]curve, error) {
	ratings, err := s.index.Ratings(ctx, id)
	list, now := []curve{}, s.hall.Now().Wall
	for i := 0; i < len(ratings) && err == nil; i++ {
		c := curve{standing: viewStanding(ratings[i], now)}
		var points []rating.Rating
		points, err = s.index.Curve(ctx, id, ratings[i])
		for _, p := range points {
			c.Points = append(c.Points, curvePoint{p.Games, api.TimeText(p.At), p.Rounded(), int(p.RD + 0.5)})
		}
		list = append(list, c)
	}
	return list, err
}

// ratings sends the curves of a person's ratings.
func (s *Service) ratings(w http.ResponseWriter, r *http.Request) error {
	a, err := s.named(r)
	if err != nil {
		return err
	}
	list, err := s.curves(r.Context(), a.ID)
	if err != nil {
		return s.games.ListProblem(err)
	}
	return s.OK(w, map[string][]curve{"ratings": list})
}

// named returns the account whose name is in the path of a request.
func (s *Service) named(r *http.Request) (people.Account, error) { return s.find(r.PathValue("name")) }

// find returns the account with a name, unless it is hidden.
func (s *Service) find(name string) (people.Account, error) {
	a, ok := s.People.Named(name)
	if !ok || s.hall.HidesName(a.Name) {
		return a, api.Problemf(http.StatusNotFound, "missing", "no account is named %.60q", name).WithReason("account.missing")
	}
	return a, nil
}

// person returns a person's public page.
func (s *Service) person(w http.ResponseWriter, r *http.Request) error {
	a, err := s.named(r)
	if err != nil {
		return err
	}
	n, err := s.index.Tally(r.Context(), a.IDs())
	if err != nil {
		return s.games.ListProblem(err)
	}
	list, err := s.standings(r.Context(), a.ID)
	if err != nil {
		return s.games.ListProblem(err)
	}
	return s.OK(w, personView{a.Name, a.Role, api.TimeText(a.Created), n, list, s.vacationOf(a).Until})
}

// gamesOf lists the games of a person.
func (s *Service) gamesOf(w http.ResponseWriter, r *http.Request) error {
	a, err := s.named(r)
	if err != nil {
		return err
	}
	q, err := s.games.Query(r, "state", "game", "result", "opponent", "limit", "before")
	if err != nil {
		return err
	}
	q.People, q.Own = a.IDs(), s.Who(r).ID == a.ID
	v := r.URL.Query()
	switch q.Score = v.Get("result"); q.Score {
	case "", index.Won, index.Lost, index.Drawn:
	default:
		return api.Invalid("result", "result %.20q: expected won, lost or drawn", q.Score)
	}
	if name := v.Get("opponent"); name != "" {
		rival, _ := s.People.Named(name)
		q.Rivals = rival.IDs()
	}
	return s.games.List(w, r, q)
}

// maxExported is the most games in an export: the latest ones.
const maxExported = 10_000

// export sends a zip of all data of an account: the account itself and the records of its games. Each
// game waits for a slot, so that a long export does not delay other requests.
func (s *Service) export(w http.ResponseWriter, r *http.Request) error {
	who, err := s.signed(r)
	if err != nil {
		return err
	}
	ids, err := s.index.GamesOf(r.Context(), who.Account.IDs(), maxExported)
	if err != nil {
		return s.games.ListProblem(err)
	}
	done, _, err := s.People.Progress(r.Context(), who.ID)
	if err != nil {
		return err //nolint:wrapcheck // it says what was read
	}
	ratings, err := s.curves(r.Context(), who.ID)
	if err != nil {
		return s.games.ListProblem(err)
	}
	s.SendZip(w, "quintet-"+who.ID[:8]+".zip", func(add func(string, []byte) error) error {
		a := who.Account
		err := add("account.json", api.Encode(map[string]any{
			"name": a.Name, "role": a.Role, "created": api.TimeText(a.Created), "ids": a.IDs(), "sessions": grants(who), "passkeys": viewPasskeys(a), "follows": a.Follows, "blocks": a.Blocks, "vacations": a.Vacations, "pushes": a.Pushes, "games": len(ids),
		}))
		err = errors.Join(err, add("progress.json", api.Encode(done)), add("ratings.json", api.Encode(ratings)))
		for _, id := range ids {
			if err == nil {
				err = s.exportGame(r, id, add)
			}
		}
		return err
	})
	return nil
}

// exportGame adds the record of a game, and the conditional moves that the sender has in it.
func (s *Service) exportGame(r *http.Request, id string, add func(name string, data []byte) error) error {
	text, err := s.games.RecordText(r, id)
	if err != nil { // hidden or erased, for example
		return nil //nolint:nilerr // the export goes on without it
	}
	plan, err := s.games.PlanText(r, id)
	if err == nil {
		err = add("games/"+id+".txt", text)
	}
	if err == nil && plan != nil {
		err = add("conditional/"+id+".json", plan)
	}
	return err //nolint:wrapcheck // it aborts the export
}
