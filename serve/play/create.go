package play

import (
	"fmt"
	"net/http"
	"slices"

	"quintet/bots"
	"quintet/game"
	"quintet/games"
	"quintet/live"
	"quintet/serve/api"
	"quintet/web/body"
)

// createRequest is the body of a request for a new game.
type createRequest struct {
	Game     string            `json:"game"`
	Options  body.Options      `json:"options"`
	Position string            `json:"position"` // start from this position
	Moves    []string          `json:"moves"`    // and from after these moves
	From     *GameRef          `json:"from"`     // continue from an existing game, instead of the four fields above
	Clock    *live.TimeControl `json:"clock"`
	Seats    api.Both[string]  `json:"seats"`    // "open" or an engine; open if not given
	As       string            `json:"as"`       // take this seat immediately
	Name     string            `json:"name"`     // under this name
	Private  bool              `json:"private"`  // visible only to its players and with the key
	Unlisted bool              `json:"unlisted"` // not in any list
	Rated    bool              `json:"rated"`    // counts for the ratings of both players
	Delay    int64             `json:"delay"`    // delay for spectators in seconds
}

// GameRef is a ply of another game.
type GameRef struct {
	ID  string `json:"id"`
	Ply *int   `json:"ply"` // its last ply if not given
}

// createResponse is the answer.
type createResponse struct {
	ID    string `json:"id"`
	URL   string `json:"url"`
	Key   string `json:"key,omitempty"`   // of a private game; also part of URL
	Token string `json:"token,omitempty"` // of the seat taken with As
	Side  string `json:"side,omitempty"`
	Game  View   `json:"view"`
}

func (s *Service) create(w http.ResponseWriter, r *http.Request) error {
	if err := s.LimitCreates(s.Address(r)); err != nil {
		return err
	}
	var c createRequest
	if err := api.Read(w, r, api.LargeBody, &c); err != nil {
		return err
	}
	k, err := api.Key(r)
	if err != nil {
		return err
	}
	asked := api.HashKey(k, string(api.Encode(c)))
	if c, err = s.copyFrom(r, c); err != nil {
		return err
	}
	id, err := s.NewID(k)
	if err != nil {
		return err
	}
	settings, answer, err := s.settings(c, id, k)
	if err == nil {
		err = s.seatCreator(w, r, c, id, k, &settings, &answer)
	}
	if err != nil {
		return err
	}
	if err := s.hall.Open(r.Context(), id, settings, asked); err != nil {
		return err
	}
	room, err := s.hall.Room(r.Context(), id)
	if err != nil {
		return err
	}
	answer.ID, answer.URL = id, s.Origin(r)+"/g/"+id
	var seats []game.Side
	if answer.Token != "" {
		side, _ := live.SideNamed(c.As) // checked before
		seats = append(seats, side)
	}
	at := "/api/games/" + id
	if answer.Key != "" {
		answer.URL += "?key=" + answer.Key
		at += "?key=" + answer.Key
	}
	if answer.Game, err = s.viewFor(r, room, seats); err != nil {
		return err
	}
	w.Header().Set("Location", at)
	s.Write(w, http.StatusCreated, answer)
	return nil
}

// copyFrom fills in what a request copies from another game.
func (s *Service) copyFrom(r *http.Request, c createRequest) (createRequest, error) {
	if c.From == nil {
		return c, nil
	}
	if c.Game != "" || c.Options != nil || c.Position != "" || c.Moves != nil {
		return c, api.Invalid("from", "both from and a game or position: expected one of them")
	}
	v, err := s.visible(r, c.From.ID)
	if err != nil {
		return c, err
	}
	t, err := s.table(v)
	if err != nil {
		return c, err
	}
	old := t.Settings()
	c.Game, c.Options, c.Position = old.Game, body.Options(old.Options), old.Position
	c.Moves, err = c.From.MovesOf(t)
	return c, err
}

// MovesOf returns the moves of the game before the ply.
func (f GameRef) MovesOf(t *live.Table) ([]string, error) {
	moves := t.Moves()
	switch {
	case f.Ply == nil:
		return moves, nil
	case *f.Ply < 0 || *f.Ply > len(moves):
		return nil, api.Invalid("from", "from ply %d: expected 0 to %d", *f.Ply, len(moves))
	}
	return moves[:*f.Ply], nil
}

// settings returns the settings of a new game and its secrets.
func (s *Service) settings(c createRequest, id, k string) (live.Settings, createResponse, error) {
	var answer createResponse
	if g, err := games.ByName(c.Game); err == nil && c.From == nil {
		c.Options = body.Options(g.NewSetup(game.Setup(c.Options)))
	}
	set := live.Settings{
		Game: c.Game, Options: game.Setup(c.Options), Position: c.Position, Moves: c.Moves, Private: c.Private, Unlisted: c.Unlisted, Rated: c.Rated, Delay: c.Delay,
	}
	if c.Clock != nil {
		if set.Clock = *c.Clock; set.Clock == (live.TimeControl{}) { // null means no clock; an empty clock is a mistake
			return set, answer, api.Invalid("clock", "a clock without any time: expected main of 1 second or more, or days of 1 or more; null for no clock")
		}
	}
	for i, text := range []string{c.Seats.First, c.Seats.Second} {
		p, err := initialSeat(text)
		if err != nil {
			return set, answer, api.Invalid("seats", "the %s seat: %v", game.Side(i), err)
		}
		set.Seats[i] = p
	}
	if c.Private {
		secret, err := s.NewSecret(k, "key "+id)
		if err != nil {
			return set, answer, err
		}
		set.Secret, answer.Key = live.HashSecret(secret), secret
	}
	return set, answer, nil
}

// seatCreator gives who creates a game the seat that the request names.
func (s *Service) seatCreator(w http.ResponseWriter, r *http.Request, c createRequest, id, k string, set *live.Settings, answer *createResponse) error {
	if c.As == "" {
		return nil
	}
	side, err := live.SideNamed(c.As)
	if err != nil {
		return api.Invalid("as", "as: %v", err)
	}
	if set.Seats[side].Joined() {
		return api.Invalid("as", "as: the %s seat is for an engine: take the other, or leave that one open", side)
	}
	token, err := s.NewSecret(k, "seat "+id+" "+c.As)
	if err != nil {
		return err
	}
	if set.Seats[side], err = s.player(w, r, c.Name, k, token); err != nil {
		return err
	}
	answer.Token, answer.Side = token, c.As
	return s.mayRate(c.Rated, set.Seats[side])
}

// initialSeat returns the initial player of a seat.
func initialSeat(text string) (live.Player, error) {
	switch {
	case text == "" || text == "open":
		return live.Player{}, nil
	case slices.Contains(bots.Names(), text):
		return live.Player{Name: text, Engine: text}, nil
	}
	return live.Player{}, fmt.Errorf("%q: expected open, or a player: random, mcts, engine, or level:1 to level:%d", text, bots.Levels)
}
