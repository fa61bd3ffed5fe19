package play

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"quintet/game"
	"quintet/games"
	"quintet/live"
	"quintet/live/index"
	"quintet/people/pairing"
	"quintet/people/rating"
	"quintet/serve/api"
	"quintet/serve/fair"
	"quintet/web/body"
)

// seekRequest is the body of a request for an opponent.
type seekRequest struct {
	Wants []wantRequest `json:"wants"` // any of these
	Rated bool          `json:"rated"`
	Apart *int          `json:"apart"` // the most points between the ratings; 150 if not given
	Name  string        `json:"name"`
}

// wantRequest is a game that the person is willing to play.
type wantRequest struct {
	Game    string           `json:"game"`
	Options body.Options     `json:"options"`
	Clock   live.TimeControl `json:"clock"`
	As      string           `json:"as"` // the side; either if not given
}

// waitingLine says how many others want one of the games. It is sent whenever that changes.
type waitingLine struct {
	Kind   string `json:"kind"` // "waiting"
	Others int    `json:"others"`
}

// offerLine offers an engine's level while the search continues.
type offerLine struct {
	Kind  string `json:"kind"`  // "level"
	Want  int    `json:"want"`  // index of the game in the request
	Level string `json:"level"` // as a seat names it
}

// pairedLine is the last line: the game, and the seat to take.
type pairedLine struct {
	Kind string `json:"kind"` // "paired"
	ID   string `json:"id"`
	URL  string `json:"url"`
	Side string `json:"side"`
}

// usuallyApart is the default limit on the difference between the ratings.
const usuallyApart = 150

// seek waits for an opponent until there is one or the client closes the request.
func (s *Service) seek(w http.ResponseWriter, r *http.Request) error {
	if err := s.LimitCreates(s.Address(r)); err != nil { // it will open a game
		return err
	}
	var c seekRequest
	if err := api.Read(w, r, api.LargeBody, &c); err != nil {
		return err
	}
	k, err := s.newSeek(w, r, c)
	if err != nil {
		return err
	}
	switch err := s.waiting.enter(k); {
	case errors.Is(err, fair.ErrClient):
		return api.Problemf(http.StatusTooManyRequests, "limited", "%d people at your address are waiting for an opponent: end one of these requests first", seeksEach).WithReason("limited.requests")
	case err != nil:
		return api.Busy(5, "too many people are waiting for an opponent: try again in a moment")
	}
	defer s.waiting.leave(k)
	if !s.followSeek(w, r, k, s.offer(r, k)) && s.waiting.take(k) { // no game was opened
		s.Limits.Creates.GiveBack(k.client, 1)
	}
	return nil
}

// newSeek checks a request for an opponent.
func (s *Service) newSeek(w http.ResponseWriter, r *http.Request, c seekRequest) (*seek, error) {
	key, err := api.Key(r)
	switch {
	case err != nil:
		return nil, err
	case key == "":
		return nil, api.Invalid("key", "no Idempotency-Key: send one, and use it again to take the seat")
	case len(c.Wants) == 0 || len(c.Wants) > maxWants:
		return nil, api.Invalid("game", "%d wants: expected 1 to %d games", len(c.Wants), maxWants)
	case c.Apart != nil && (*c.Apart < 0 || *c.Apart > rating.Max):
		return nil, api.Invalid("request", "apart %d: expected 0 to %d points", *c.Apart, rating.Max)
	}
	p, err := s.player(w, r, c.Name, key, "")
	if err == nil {
		err = s.mayRate(c.Rated, p)
	}
	if err != nil {
		return nil, err
	}
	ratings, err := s.index.Ratings(r.Context(), p.Person)
	if err != nil {
		return nil, s.ListProblem(err)
	}
	k := &seek{
		Seek: pairing.Seek{Client: cmp.Or(p.Person, api.HashKey(key))}, games: map[string]live.Settings{}, key: key, player: p, ratings: ratings,
		client: s.Address(r), keys: s.keys(r, ""), since: s.Now(), left: r.Context().Done(), found: make(chan found, 1),
	}
	a, _ := s.People.Account(p.Person)
	k.Blocked = slices.Clone(a.Blocks) // by their accounts' identifiers, which are those of their seeks
	apart := usuallyApart
	if c.Apart != nil {
		apart = *c.Apart
	}
	for _, w := range c.Wants {
		if err := k.add(w, c.Rated, apart); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// add adds a game to a seek.
func (k *seek) add(w wantRequest, rated bool, apart int) error {
	set := live.Settings{Game: w.Game, Options: game.Setup(w.Options), Clock: w.Clock, Rated: rated}
	if g, err := games.ByName(w.Game); err == nil {
		set.Options = g.NewSetup(set.Options)
	}
	if w.Clock == (live.TimeControl{}) {
		return api.Invalid("clock", "choose a clock: games with a stranger need one")
	}
	if err := set.Check(); err != nil {
		return err
	}
	points := ratingIn(k.ratings, set).Rounded()
	want := pairing.Want{Game: gameWanted(w.Game, set.Setup(), w.Clock, rated), Rating: points, Low: points - apart, High: points + apart}
	if w.As != "" {
		side, err := live.SideNamed(w.As)
		if err != nil {
			return api.Invalid("as", "as: %v", err)
		}
		want.Side = pairing.First + pairing.Side(side)
	}
	k.Wants = append(k.Wants, want)
	k.games[want.Game] = set
	return nil
}

// ratingIn returns the rating of a person in a game; that of a new player if there is none.
func ratingIn(list []index.PoolRating, set live.Settings) rating.Rating {
	if pool, ok := set.Pool(); ok {
		for _, r := range list {
			if r.Pool == pool {
				return r.Rating
			}
		}
	}
	return rating.New()
}

// gameWanted returns a key made of a game, its options, its clock, and whether it is rated.
func gameWanted(name string, options map[string]string, c live.TimeControl, rated bool) string {
	return string(api.Encode([]any{name, options, c, rated}))
}

// offer returns the level to offer: the one nearest to the person's rating, in the first wanted game whose
// levels have ratings. It returns nil if there is no such game.
func (s *Service) offer(r *http.Request, k *seek) *offerLine {
	for i, w := range k.Wants {
		pool, _ := k.games[w.Game].Pool()
		a, err := s.index.Anchor(r.Context(), pool.Board)
		if level := a.Nearest(pool.Board, ratingIn(k.ratings, k.games[w.Game])); err == nil && level > 0 {
			return &offerLine{"level", i, fmt.Sprintf("level:%d", level)}
		}
	}
	return nil
}

// followSeek streams lines until there is a game or the client leaves. It reports whether there is a game.
func (s *Service) followSeek(w http.ResponseWriter, r *http.Request, k *seek, offer *offerLine) (paired bool) {
	out := api.StartStream(w)
	defer out.End()
	tick := time.NewTicker(waveEvery)
	defer tick.Stop()
	others, sent := -1, s.Now()
	for {
		if n := s.waiting.countFor(k); n != others {
			others, sent = n, s.Now()
			if out.Send(api.Encode(waitingLine{"waiting", n})) != nil {
				return false
			}
		}
		if now := s.Now(); offer != nil && now.Sub(k.since) >= offerAt {
			if out.Send(api.Encode(offer)) != nil {
				return false
			}
			offer = nil
		} else if now.Sub(sent) >= api.KeepAliveEvery {
			sent = now
			if out.KeepAlive() != nil {
				return false
			}
		}
		select {
		case f := <-k.found:
			_ = out.Send(api.Encode(pairedLine{"paired", f.id, s.Origin(r) + "/g/" + f.id, f.side.String()}))
			return true
		case <-tick.C:
		case <-r.Context().Done():
			return false
		case <-s.Stopping:
			return false
		}
	}
}
