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

// cookie returns the name of the cookie for a seat. One browser may hold both seats.
func cookie(id string, s game.Side) string { return cookiePrefix + id + "_" + s.String() }

// maxCookies limits the cookies of other games that are read: browsers keep about 180 per
// site.
const maxCookies = 200

// secrets returns the secrets in a request: its bearer token, or its seat cookies, those of
// the game first. Cookies of other games count too: players of a rematch got theirs in the
// game before. The hash of a secret decides which seat it opens.
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
	seats := room.SeatsOf(secrets(r, id))
	if !maySee(r, room, seats) {
		return nil, nil, hall.ErrMissing
	}
	room.Visit(s.Address(r))
	if len(seats) > 0 && (r.Method != http.MethodGet || r.Header.Get("Authorization") != "") { // lists of a browser's games fetch them with cookies
		room.Arrive(0, seats...)
	}
	return room, seats, nil
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
func seatFor(room *hall.Room, secrets []string, named string) (game.Side, error) {
	if len(secrets) == 0 {
		return 0, api.Problemf(http.StatusUnauthorized, "token", "no token: send Authorization: Bearer and the token that came with the seat")
	}
	seats := room.SeatsOf(secrets)
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

// playerName returns the name of a player who gave this one. Names of engines are
// reserved, because lists and records could not tell a player from an engine.
func (s *Service) playerName(given string) (string, error) {
	name := strings.TrimSpace(given)
	if name == "" {
		return live.Anonymous, nil
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
	return name, nil
}

// reservedForEngine reports whether a name is that of an engine, or looks like a level.
func reservedForEngine(name string) bool {
	name = live.Skeleton(name)
	return slices.Contains(bots.Names(), name) || strings.HasPrefix(name, "level:")
}

// A browser sends the cookies of all its seats with every request, and proxies reject
// headers over 8 KB, so the server evicts cookies before a header grows that large.
const (
	maxSeatCookies = 64  // that a browser keeps: about 4 KB
	maxEvicted     = 16  // in one response, whose header must stay small, too
	maxExamined    = 200 // cookies of a request: more than browsers keep
)

// evictSeatCookies deletes seat cookies of a browser that is given another one, if it
// then holds too many. It evicts those of finished games (and of finished rematches of
// them) first, then others, the oldest first, which is the order in which browsers send
// them.
func (s *Service) evictSeatCookies(w http.ResponseWriter, r *http.Request, given string) {
	names := seatCookieNames(r, given)
	many := min(len(names)+1-maxSeatCookies, maxEvicted)
	if many <= 0 || !s.Ready.Load() { // only the index knows which games are over
		return
	}
	ids := make([]string, len(names))
	for i, name := range names {
		ids[i] = gameOfCookie(name)
	}
	over, err := s.index.Ended(r.Context(), ids)
	if err != nil {
		s.Log.Warn("evicting seat cookies", "error", err)
		return
	}
	slices.SortStableFunc(names, func(a, b string) int {
		switch x, y := over[gameOfCookie(a)], over[gameOfCookie(b)]; {
		case x && !y:
			return -1
		case y && !x:
			return 1
		}
		return 0
	})
	for _, name := range names[:many] {
		http.SetCookie(w, &http.Cookie{Name: name, Path: "/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: s.Secure(r)}) //nolint:gosec // as it was given
	}
}

// seatCookieNames returns the names of the seat cookies of a request, except one.
func seatCookieNames(r *http.Request, but string) (names []string) {
	for _, c := range r.Cookies() {
		if id := gameOfCookie(c.Name); id != "" && c.Name != but && !slices.Contains(names, c.Name) && len(names) < maxExamined {
			names = append(names, c.Name)
		}
	}
	return names
}

// gameOfCookie returns the game of a seat cookie, or "" for any other cookie.
func gameOfCookie(name string) string {
	parts := strings.Split(name, "_")
	if len(parts) == 3 && api.IsID(parts[1]) && (name == cookie(parts[1], game.First) || name == cookie(parts[1], game.Second)) {
		return parts[1]
	}
	return ""
}
