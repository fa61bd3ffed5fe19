package play

import (
	"net/http"
	"slices"
	"strings"

	"quintet/game"
	"quintet/serve/api"
)

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
