package serve

import (
	"net/http"
	"slices"
	"strings"

	"quintet/game"
)

// A browser sends the cookies of all its seats with every request, and proxies refuse
// headers of more than 8 KB: nobody may get so many that they are refused everywhere.
const (
	maxSeatCookies = 64  // that a browser keeps: 4 KB
	maxEvicted     = 16  // of those that are dropped with one answer, whose header is not to be too long either
	maxExamined    = 200 // cookies that are looked at: more than browsers keep
)

// evictSeatCookies drops cookies of a browser that is given the one of a seat, if it has too many
// then: those of games that are over, with the rematches that went on from them, and if
// these are too few, others; of each the oldest first, as browsers send them.
func (s *Server) evictSeatCookies(w http.ResponseWriter, r *http.Request, given string) {
	names := seatCookieNames(r, given)
	many := min(len(names)+1-maxSeatCookies, maxEvicted)
	if many <= 0 || !s.ready.Load() { // until the list is there, it is not known which games are over
		return
	}
	ids := make([]string, len(names))
	for i, name := range names {
		ids[i] = gameOfCookie(name)
	}
	over, err := s.index.Ended(r.Context(), ids)
	if err != nil {
		s.config.Log.Warn("a browser keeps too many seats", "error", err)
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
		http.SetCookie(w, &http.Cookie{Name: name, Path: "/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: s.secure(r)}) //nolint:gosec // as it was given
	}
}

// seatCookieNames returns the names of the cookies of seats that come with a request, but for
// one.
func seatCookieNames(r *http.Request, but string) (names []string) {
	for _, c := range r.Cookies() {
		if id := gameOfCookie(c.Name); id != "" && c.Name != but && !slices.Contains(names, c.Name) && len(names) < maxExamined {
			names = append(names, c.Name)
		}
	}
	return names
}

// gameOfCookie returns the game of the cookie of a seat; "" if it is another cookie.
func gameOfCookie(name string) string {
	parts := strings.Split(name, "_")
	if len(parts) == 3 && isID(parts[1]) && (name == cookie(parts[1], game.First) || name == cookie(parts[1], game.Second)) {
		return parts[1]
	}
	return ""
}

// secure reports whether who asks does so by TLS, as far as is known here.
func (s *Server) secure(r *http.Request) bool {
	return r.TLS != nil || s.config.TrustProxy && r.Header.Get("X-Forwarded-Proto") == "https"
}
