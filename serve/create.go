package serve

import (
	"fmt"
	"net/http"
	"slices"

	"quintet/bots"
	"quintet/game"
	"quintet/games"
	"quintet/live"
	"quintet/web/body"
)

// createRequest is the body of a request for a new game.
type createRequest struct {
	Game     string            `json:"game"`
	Options  body.Options      `json:"options"`
	Position string            `json:"position"` // start from this position
	Moves    []string          `json:"moves"`    // and from after these moves
	From     *gameRef          `json:"from"`     // continue from an existing game, instead of the four fields above
	Clock    *live.TimeControl `json:"clock"`
	Seats    Both[string]      `json:"seats"`    // "open" or an engine; open if not given
	As       string            `json:"as"`       // take this seat immediately
	Name     string            `json:"name"`     // under this name
	Private  bool              `json:"private"`  // visible only to its players and with the key
	Unlisted bool              `json:"unlisted"` // not in any list
	Delay    int64             `json:"delay"`    // delay for spectators in seconds
}

// gameRef is a ply of another game.
type gameRef struct {
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

// newGames describes what one limit counts: all new games, including rematches.
const newGames = "new games from your address"

func (s *Server) create(w http.ResponseWriter, r *http.Request) {
	if p := s.limited(s.limits.creates, s.address(r), "games", newGames); p != nil {
		s.fail(w, p)
		return
	}
	var c createRequest
	p := read(w, r, largeBody, &c)
	if p == nil {
		p = s.openGame(w, r, c)
	}
	if p != nil {
		s.fail(w, p)
	}
}

func (s *Server) openGame(w http.ResponseWriter, r *http.Request, c createRequest) *Problem {
	k, p := key(r)
	if p != nil {
		return p
	}
	asked := hashKey(k, string(encode(c)))
	if c, p = s.copyFrom(r, c); p != nil {
		return p
	}
	id, err := s.newID(k)
	if err != nil {
		return s.problemOf(err)
	}
	settings, answer, p := s.settings(c, id, k)
	if p != nil {
		return p
	}
	if err := s.hall.Open(r.Context(), id, settings, asked); err != nil {
		return s.problemOf(err)
	}
	room, err := s.hall.Room(r.Context(), id)
	if err != nil {
		return s.problemOf(err)
	}
	answer.ID, answer.URL = id, s.origin(r)+"/g/"+id
	var seats []game.Side
	if answer.Token != "" {
		side, _ := live.SideNamed(c.As) // checked before
		seats = append(seats, side)
		s.giveCookie(w, r, id, side, answer.Token)
	}
	at := "/api/games/" + id
	if answer.Key != "" {
		answer.URL += "?key=" + answer.Key
		at += "?key=" + answer.Key
	}
	if answer.Game, p = s.viewFor(r, room, seats); p != nil {
		return p
	}
	w.Header().Set("Location", at)
	s.write(w, http.StatusCreated, answer)
	return nil
}

// copyFrom fills in what a request copies from another game.
func (s *Server) copyFrom(r *http.Request, c createRequest) (createRequest, *Problem) {
	if c.From == nil {
		return c, nil
	}
	if c.Game != "" || c.Options != nil || c.Position != "" || c.Moves != nil {
		return c, fieldProblem("from", "both from and a game or position: expected one of them")
	}
	r.SetPathValue("id", c.From.ID)
	v, p := s.visibleTo(r)
	if p != nil {
		return c, p
	}
	t, p := s.table(v)
	if p != nil {
		return c, p
	}
	old := t.Settings()
	c.Game, c.Options, c.Position, c.Moves = old.Game, body.Options(old.Options), old.Position, t.Moves()
	if c.From.Ply != nil {
		if *c.From.Ply < 0 || *c.From.Ply > len(c.Moves) {
			return c, fieldProblem("from", "from ply %d: expected 0 to %d", *c.From.Ply, len(c.Moves))
		}
		c.Moves = c.Moves[:*c.From.Ply]
	}
	return c, nil
}

// settings returns the settings of a new game and its secrets.
func (s *Server) settings(c createRequest, id, k string) (live.Settings, createResponse, *Problem) {
	var answer createResponse
	if g, err := games.ByName(c.Game); err == nil && c.From == nil {
		c.Options = body.Options(g.NewSetup(game.Setup(c.Options)))
	}
	set := live.Settings{
		Game: c.Game, Options: game.Setup(c.Options), Position: c.Position, Moves: c.Moves, Private: c.Private, Unlisted: c.Unlisted, Delay: c.Delay,
	}
	if c.Clock != nil {
		if set.Clock = *c.Clock; set.Clock == (live.TimeControl{}) { // null means no clock; an empty clock is a mistake
			return set, answer, fieldProblem("clock", "a clock without any time: expected main of 1 second or more, or days of 1 or more; null for no clock")
		}
	}
	for i, text := range []string{c.Seats.First, c.Seats.Second} {
		p, err := initialSeat(text)
		if err != nil {
			return set, answer, fieldProblem("seats", "the %s seat: %v", game.Side(i), err)
		}
		set.Seats[i] = p
	}
	if p := s.seatCreator(c, id, k, &set, &answer); p != nil {
		return set, answer, p
	}
	if c.Private {
		secret, err := s.secret(k, "key "+id)
		if err != nil {
			return set, answer, s.problemOf(err)
		}
		set.Secret, answer.Key = live.HashSecret(secret), secret
	}
	return set, answer, nil
}

func (s *Server) seatCreator(c createRequest, id, k string, set *live.Settings, answer *createResponse) *Problem {
	if c.As == "" {
		return nil
	}
	side, err := live.SideNamed(c.As)
	if err != nil {
		return fieldProblem("as", "as: %v", err)
	}
	if set.Seats[side].Joined() {
		return fieldProblem("as", "as: the %s seat is for an engine: expected the other, or that one open", side)
	}
	token, err := s.secret(k, "seat "+id+" "+c.As)
	if err != nil {
		return s.problemOf(err)
	}
	name, p := s.playerName(c.Name)
	if p != nil {
		return p
	}
	set.Seats[side] = live.Player{Name: name, Secret: live.HashSecret(token)}
	answer.Token, answer.Side = token, c.As
	return nil
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
