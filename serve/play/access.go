package play

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"quintet/bots"
	"quintet/game"
	"quintet/live"
	"quintet/serve/api"
	"quintet/serve/hall"
)

// storedKey returns the form in which the log stores a command's idempotency key: a hash of the
// key and the player, a dot, and a hash of the request. Every server can thus distinguish a
// repetition from another command with the same key.
func storedKey(key string, room *hall.Room, seats []game.Side, verb live.Verb, c commandRequest) string {
	if key == "" {
		return ""
	}
	ply := ""
	if c.Ply != nil {
		ply = strconv.Itoa(*c.Ply)
	}
	who := room.ID()
	for _, s := range seats {
		who += " " + s.String()
	}
	return api.HashKey(key, who) + "." + api.HashKey(key, who, string(verb), c.Side, c.Move, ply, c.What)
}

const cookiePrefix = "quintet_"

// cookie returns the name of a seat's cookie, which earlier versions set.
func cookie(id string, s game.Side) string { return cookiePrefix + id + "_" + s.String() }

// maxCookies limits the cookies of other games that are read: browsers keep about 180 per
// site.
const maxCookies = 200

// keys returns a request's keys to seats: those of its sender, and the hashes of its secrets.
func (s *Service) keys(r *http.Request, id string) (list []string) {
	for _, id := range s.Who(r).IDs() {
		list = append(list, live.PersonKey(id))
	}
	for _, secret := range secrets(r, id) {
		list = append(list, live.HashSecret(secret))
	}
	return list
}

// secrets returns the secrets in a request: its bearer token, or else the seat cookies that servers
// before version 3 set. Those of the game come first. Cookies of other games count too, because players
// of a rematch got theirs in the previous game. The hash of a secret decides which seat it opens.
func secrets(r *http.Request, id string) (list []string) {
	if token, ok := api.BearerToken(r); ok {
		if token == "" {
			return nil
		}
		return []string{token} // a token overrides cookies
	}
	for _, s := range []game.Side{game.First, game.Second} {
		if c, err := r.Cookie(cookie(id, s)); err == nil {
			list = append(list, c.Value)
		}
	}
	for _, c := range r.Cookies() {
		if strings.HasPrefix(c.Name, cookiePrefix) && len(list) < maxCookies {
			list = append(list, c.Value)
		}
	}
	return list
}

// maySee reports whether a request may see a game.
func maySee(r *http.Request, room *hall.Room, seats []game.Side) bool {
	return room.View(func(t *live.Table) bool {
		s := t.Settings()
		given := r.URL.Query().Get("key")
		return !s.Private || len(seats) > 0 || given != "" && live.HashSecret(given) == s.Secret
	})
}

// Room returns the room of a game, if the request may see it, and the client's seats.
func (s *Service) Room(r *http.Request, id string) (*hall.Room, []game.Side, error) {
	if !api.IsID(id) || s.hall.HidesGame(id) {
		return nil, nil, hall.ErrMissing
	}
	room, err := s.obtain(r.Context(), id)
	if err != nil {
		return nil, nil, err
	}
	seats := room.SeatsOf(s.keys(r, id))
	if !maySee(r, room, seats) {
		return nil, nil, hall.ErrMissing
	}
	room.Visit(s.Address(r))
	if len(seats) > 0 && (r.Method != http.MethodGet || r.Header.Get("Authorization") != "") { // lists of a browser's games fetch them with cookies
		room.Arrive(0, seats...)
	}
	return room, seats, nil
}

// inRoom calls h with the game in the address, if the sender may see it, and the seats that are the sender's.
func (s *Service) inRoom(h func(w http.ResponseWriter, r *http.Request, room *hall.Room, seats []game.Side) error) api.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		room, seats, err := s.Room(r, r.PathValue("id"))
		if err != nil {
			return err
		}
		return h(w, r, room, seats)
	}
}

// obtain returns the room of a game. Loading a game from the log takes a slot, because a client can ask for
// many long games. The caller must hold no slot.
func (s *Service) obtain(ctx context.Context, id string) (*hall.Room, error) {
	if s.hall.Loaded(id) == nil {
		done, err := s.Slot(ctx)
		if err != nil {
			return nil, err
		}
		defer done()
	}
	return s.hall.Room(ctx, id)
}

// seatFor returns the seat for which a command is given: the named one, the only one, or
// the one whose turn it is.
func seatFor(room *hall.Room, keys []string, named string) (game.Side, error) {
	if len(keys) == 0 {
		return 0, api.Problemf(http.StatusUnauthorized, "token", "no token: send Authorization: Bearer and the token that came with the seat")
	}
	seats := room.SeatsOf(keys)
	if len(seats) == 0 {
		return 0, api.Problemf(http.StatusForbidden, "seat", "the token is for no seat of this game: use the one that came with the seat")
	}
	if named != "" {
		side, err := live.SideNamed(named)
		if err != nil {
			return 0, api.Invalid("side", "%v", err)
		}
		if !slices.Contains(seats, side) {
			return 0, api.Problemf(http.StatusForbidden, "seat", "the token is not for the %s seat", side)
		}
		return side, nil
	}
	if len(seats) == 1 {
		return seats[0], nil
	}
	side := seats[0]
	room.View(func(t *live.Table) bool { side = t.Turn(); return true })
	return side, nil
}

// player returns the player who takes a seat. Accounts play under their own names, guests and programs
// under the names that they give.
func (s *Service) player(w http.ResponseWriter, r *http.Request, given, key, token string) (p live.Player, err error) {
	p.Secret = live.HashSecret(token)
	if p.Person, err = s.Person(w, r, key); err != nil {
		return p, err
	}
	if _, signed := s.People.Account(p.Person); signed {
		return p, nil
	}
	p.Name, err = s.playerName(given)
	if p.Name == "" && p.Person == "" {
		p.Name = live.Anonymous
	}
	return p, err
}

// mayRate returns an error if a game is rated and a player has no account. Guests could lose any number of
// rated games, since a guest who deletes the cookie is somebody else.
func (s *Service) mayRate(rated bool, p live.Player) error {
	if _, signed := s.People.Account(p.Person); !rated || signed {
		return nil
	}
	return api.Problemf(http.StatusBadRequest, "invalid", "rated games are for accounts: sign in, or play an unrated game").WithReason("rated.guest").InField("rated")
}

// mayMeet returns an error if either of two people blocks the other.
func (s *Service) mayMeet(p, other live.Player) error {
	if p.Person == "" || other.Person == "" || !s.People.Apart(p.Person, other.Person) {
		return nil
	}
	return api.Problemf(http.StatusConflict, "taken", "you cannot play this person: one of you blocks the other").WithReason("person.blocked")
}

// playerName checks the name that a player without an account gave, and returns it. Names of engines
// are reserved, because lists and records could not tell such a player from an engine. Names of
// accounts belong to their owners.
func (s *Service) playerName(given string) (string, error) {
	name := strings.TrimSpace(given)
	if name == "" {
		return "", nil
	}
	if err := live.CheckName(name); err != nil {
		return "", err
	}
	if reservedForEngine(name) {
		return "", api.Invalid("name", "name %q: that name is reserved for an engine: choose another", name).WithReason("name.engine")
	}
	if s.hall.HidesName(name) {
		return "", api.Invalid("name", "name %q: it is not allowed here: choose another", name).WithReason("name.hidden")
	}
	if _, taken := s.People.Named(name); taken {
		return "", api.Invalid("name", "name %q: it belongs to an account: sign in, or choose another", name).WithReason("name.account")
	}
	return name, nil
}

// reservedForEngine reports whether a name is that of an engine, or looks like a level.
func reservedForEngine(name string) bool {
	name = live.Skeleton(name)
	return slices.Contains(bots.Names(), name) || strings.HasPrefix(name, "level:")
}
