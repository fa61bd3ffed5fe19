package play

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"quintet/game"
	"quintet/live"
	"quintet/serve/api"
	"quintet/serve/hall"
)

// commandRequest is the body of a command. Each route accepts the fields that it uses.
type commandRequest struct {
	Name string `json:"name"` // seats
	Move string `json:"move"` // moves
	Ply  *int   `json:"ply"`  // moves, takeback
	What string `json:"what"` // accept, decline
	Side string `json:"side"` // for who holds both seats
}

// seatResponse is the response to taking a seat.
type seatResponse struct {
	ID    string `json:"id"`
	Side  string `json:"side"`
	Name  string `json:"name"`
	Token string `json:"token"`
}

// commandResponse is the response to a command: how the game stands after it.
type commandResponse struct {
	ID string `json:"id"`
	Standing
	Next   string `json:"next,omitempty"`
	Move   string `json:"move,omitempty"` // the last that was played
	Events int    `json:"events"`
}

func (s *Service) takeSeat(w http.ResponseWriter, r *http.Request, room *hall.Room, seats []game.Side) error {
	if err := s.Limited(s.Limits.Moves, "sit "+s.Address(r), "seats", "seats taken from your address"); err != nil {
		return err
	}
	var c commandRequest
	if err := api.Read(w, r, api.SmallBody, &c, "name"); err != nil {
		return err
	}
	side, err := live.SideNamed(r.PathValue("side"))
	if err != nil {
		return api.Problemf(http.StatusNotFound, "missing", "%v", err)
	}
	k, err := api.Key(r)
	if err != nil {
		return err
	}
	token, err := s.NewSecret(k, "seat "+room.ID()+" "+side.String())
	if err != nil {
		return err
	}
	player, err := s.player(w, r, c.Name, k, token)
	if err != nil { // first: the order of refusals must not leak the state of the game
		return err
	}
	var rated bool
	var other live.Player
	room.View(func(t *live.Table) bool { rated, other = t.Settings().Rated, t.Player(side.Other()); return true })
	if err := cmp.Or(s.mayRate(rated, player), s.mayMeet(player, other)); err != nil {
		return err
	}
	_, err = s.hall.Do(r.Context(), room.ID(), live.Command{Do: live.Sit, Side: side, Player: player, Client: s.Address(r)})
	var there live.Player
	room.View(func(t *live.Table) bool { there = t.Player(side); return true })
	switch {
	case err == nil:
	case there.Secret != player.Secret:
		return s.noSeat(room, seats, side, err)
	case there.Name != s.hall.Names().Show(player).Name: // the key was sent before, with that one
		return live.KeyUsed()
	}
	return s.OK(w, seatResponse{ID: room.ID(), Side: side.String(), Name: there.Name, Token: token})
}

// noSeat is the problem of a client that gets no seat. For games with a delay it does not
// say whether the game is over, which spectators must not know yet.
func (s *Service) noSeat(room *hall.Room, seats []game.Side, side game.Side, err error) error {
	later := room.View(func(t *live.Table) bool { return t.Settings().Delay > 0 })
	if later && len(seats) == 0 && (live.IsCode(err, live.CodeOver) || live.IsCode(err, live.CodeTaken)) {
		return api.Problemf(http.StatusConflict, string(live.CodeTaken), "the %s seat is not free: somebody has it, or the game is over", side)
	}
	return err
}

// verbs maps the last part of a route to its command.
var verbs = map[string]live.Verb{
	"moves": live.Move, "resign": live.Resign, "offer": live.Offer, "accept": live.Accept, "decline": live.Decline,
	"takeback": live.GoBack, "claim": live.Claim, "claimwin": live.ClaimWin, "calloff": live.CallOff, "berserk": live.Berserk, "rematch": live.AskRematch, "say": sayPhrase,
}

// sayPhrase sends a phrase. It is no command of a table, because phrases are not in the log.
const sayPhrase live.Verb = "say"

// fieldsOf returns the fields that a verb uses.
func fieldsOf(verb live.Verb) []string {
	switch verb {
	case live.Move:
		return []string{"move", "ply", "side"}
	case live.GoBack:
		return []string{"ply", "side"}
	case live.Accept, live.Decline, sayPhrase:
		return []string{"what", "side"}
	}
	return []string{"side"}
}

func (s *Service) command(verb live.Verb) http.Handler {
	return s.Handle(s.inRoom(func(w http.ResponseWriter, r *http.Request, room *hall.Room, _ []game.Side) error {
		var c commandRequest
		if err := api.Read(w, r, api.SmallBody, &c, fieldsOf(verb)...); err != nil {
			return err
		}
		k, err := api.Key(r)
		if err != nil {
			return err
		}
		do, err := s.check(room, s.keys(r, room.ID()), verb, c, k)
		if err != nil {
			return err
		}
		d, err := s.perform(r.Context(), room, do, s.Address(r))
		if err != nil {
			return err
		}
		return s.OK(w, d)
	}))
}

// check returns the command of a request, if the client may give it.
func (s *Service) check(room *hall.Room, keys []string, verb live.Verb, c commandRequest, k string) (do live.Command, err error) {
	side, err := seatFor(room, keys, c.Side)
	if err != nil {
		return do, err
	}
	if err := s.Limited(s.Limits.Moves, room.ID()+side.String(), "commands", "commands of your seat"); err != nil {
		return do, err
	}
	do = live.Command{Do: verb, Side: side, Move: c.Move, Ply: -1, Request: live.Request(c.What), Key: storedKey(k, room, room.SeatsOf(keys), verb, c)}
	if c.Ply != nil {
		if *c.Ply < 0 {
			return do, api.Invalid("ply", "ply %d: expected 0 or more", *c.Ply)
		}
		do.Ply = *c.Ply
	}
	if verb == sayPhrase {
		if !slices.Contains(hall.Phrases(), hall.Phrase(c.What)) {
			return do, api.Invalid("what", "what %.60q: expected one of %v", c.What, hall.Phrases())
		}
		return do, nil
	}
	if c.What != "" && !slices.Contains(requests(), live.Request(c.What)) {
		return do, api.Invalid("what", "what %.60q: expected draw, takeback, halt or rematch", c.What)
	}
	if verb == live.Move && c.Move == "" {
		return do, api.Invalid("move", "no move: expected {\"move\": ..., \"ply\": ...}")
	}
	return do, nil
}

// requests are what one side can ask the other for.
func requests() []live.Request {
	return []live.Request{live.Draw, live.Takeback, live.Halt, live.Rematch}
}

// perform executes a command that came from an address, and returns how the game stands.
// A rematch counts as a new game of the address. Whether a command opens one is known
// only when it is decided, so the command takes its share of the limit before, and gives
// it back if it opened none. Without a share it carries no identifier for the rematch,
// and package live refuses to open one.
func (s *Service) perform(ctx context.Context, room *hall.Room, c live.Command, from string) (*commandResponse, error) {
	if c.Do == sayPhrase {
		return s.say(room, c.Side, hall.Phrase(c.Request))
	}
	var limited error
	if c.Do == live.AskRematch || c.Do == live.Accept {
		limited = s.LimitCreates(from)
		if limited == nil {
			next, err := s.NewID("")
			if err != nil {
				return nil, err
			}
			c.Next = next
		}
	}
	c.Client = from
	began := s.Now()
	o, err := s.hall.Do(ctx, room.ID(), c)
	if c.Next != "" && (err == nil || hall.IsRefusal(err)) && o.Next != c.Next {
		s.Limits.Creates.GiveBack(from, 1)
	}
	switch {
	case limited != nil && live.IsCode(err, live.CodeLimited):
		return nil, limited
	case err != nil:
		return nil, err
	case !o.Repeated:
		s.Count.CommandTook(c.Do, s.Now().Sub(began))
	}
	return s.doneBy(room), nil
}

// say sends a phrase of a side, unless one of the players blocks the other.
func (s *Service) say(room *hall.Room, side game.Side, p hall.Phrase) (*commandResponse, error) {
	if err := s.Limited(s.Limits.Phrases, room.ID()+side.String(), "phrases", "phrases in this game"); err != nil {
		return nil, err
	}
	var me, other live.Player
	room.View(func(t *live.Table) bool { me, other = t.Player(side), t.Player(side.Other()); return true })
	if err := s.mayMeet(me, other); err != nil {
		return nil, err
	}
	room.Say(side, p)
	return s.doneBy(room), nil
}

func (s *Service) doneBy(room *hall.Room) *commandResponse {
	var d commandResponse
	now := s.hall.Now().Service
	room.View(func(t *live.Table) bool {
		d = commandResponse{ID: room.ID(), Standing: standing(t, s.hall.ShownTime(t, now)), Next: t.Rematch(), Events: t.EventCount()}
		if moves := t.Moves(); len(moves) > 0 {
			d.Move = moves[len(moves)-1]
		}
		return true
	})
	return &d
}
