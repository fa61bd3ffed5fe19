package serve

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"quintet/game"
	"quintet/live"
	"quintet/serve/hall"
)

// serverSecret returns the secret that the servers on a log share.
func serverSecret(ctx context.Context, l live.Log, c Config) ([]byte, error) {
	fresh := make([]byte, 32)
	if _, err := io.ReadFull(c.Random, fresh); err != nil {
		return nil, fmt.Errorf("making a secret: %w", err)
	}
	secret, err := l.Secret(ctx, fresh)
	if errors.Is(err, live.ErrFull) {
		c.Log.Warn("the secret of the server cannot be kept: a new game that is asked for again after a restart is opened twice", "error", err)
		return fresh, nil
	}
	return secret, err
}

// derived returns 32 bytes that belong to an idempotency key. Only who knows the secret
// of the servers can compute them: proxies and logs may know the key.
func (s *Server) derived(what, key string) []byte {
	mac := hmac.New(sha256.New, s.key)
	_, _ = fmt.Fprintf(mac, "%d %s %s", len(what), what, key) // never fails
	return mac.Sum(nil)
}

// secret returns a new secret. With an idempotency key it is made of that, so that
// who repeats a request gets the same.
func (s *Server) secret(key, what string) (string, error) {
	var b [24]byte
	if key != "" {
		copy(b[:], s.derived("secret "+what, key))
	} else if _, err := io.ReadFull(s.config.Random, b[:]); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(b[:]), nil
}

// alphabet has no letters that are taken for others.
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz"

// newID returns the identifier of a new game. With an idempotency key it is made
// of that.
func (s *Server) newID(key string) (string, error) {
	var b [12]byte
	if key != "" {
		copy(b[:], s.derived("game", key))
	} else if _, err := io.ReadFull(s.config.Random, b[:]); err != nil {
		return "", err
	}
	for i := range b {
		b[i] = alphabet[int(b[i])%len(alphabet)]
	}
	return string(b[:]), nil
}

// isID reports whether a text could be the identifier of a game.
func isID(text string) bool {
	return len(text) == 12 && strings.Trim(text, alphabet) == ""
}

// key returns the idempotency key of a request.
func key(r *http.Request) (string, *Problem) {
	k := r.Header.Get("Idempotency-Key")
	return k, checkKey(k)
}

func checkKey(k string) *Problem {
	if n := utf8.RuneCountInString(k); n > 0 && (n < 16 || n > 200) {
		return wrong("key", "an Idempotency-Key of %d characters: want 16 to 200 that nobody can guess", n)
	}
	return nil
}

// keyed returns what is written of the idempotency key of a command: by what it is known
// again in a game when the same player sends it, a dot, and what it was sent for. So a
// repetition is told from another command with the same key, wherever the log is read.
func keyed(key string, room *hall.Room, seats []game.Side, verb live.Verb, c commandRequest) string {
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
	return hashKey(key, who) + "." + hashKey(key, who, string(verb), c.Side, c.Move, ply, c.What)
}

// hashKey returns the hash of an idempotency key with what it belongs to.
func hashKey(key string, rest ...string) string {
	if key == "" {
		return ""
	}
	sum := sha256.Sum256([]byte("quintet key " + strings.Join(append([]string{key}, rest...), "\x00")))
	return hex.EncodeToString(sum[:12])
}

const cookiePrefix = "quintet_"

// cookie is the name of the cookie for a seat. One browser may hold both.
func cookie(id string, s game.Side) string { return cookiePrefix + id + "_" + s.String() }

// maxCookies is how many cookies of other games count: browsers keep about 180 for a
// site.
const maxCookies = 200

// secrets returns the secrets that come with a request: as a bearer token, or in
// the cookies of seats, those of the game first. Those of other games count, too:
// who plays a rematch was given theirs in the game before, and what a secret opens
// is decided by its hash alone.
func secrets(r *http.Request, id string) (list []string) {
	if scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		token = strings.TrimSpace(token)
		if token == "" {
			return nil
		}
		return []string{token} // and no cookies: who says who they are is that one
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

// sees reports whether a request may see a game.
func sees(r *http.Request, room *hall.Room, seats []game.Side) bool {
	return room.View(func(t *live.Table) bool {
		s := t.Settings()
		given := r.URL.Query().Get("key")
		return !s.Private || len(seats) > 0 || given != "" && live.HashSecret(given) == s.Secret
	})
}

// enter returns the room of the game in the address, if the request may see it,
// and the seats of who asks.
func (s *Server) enter(r *http.Request) (*hall.Room, []game.Side, *Problem) {
	id := r.PathValue("id")
	if !isID(id) || s.hall.HidesGame(id) {
		return nil, nil, s.problemOf(hall.ErrMissing)
	}
	room, err := s.hall.Room(r.Context(), id)
	if err != nil {
		return nil, nil, s.problemOf(err)
	}
	seats := room.SeatsOf(secrets(r, id))
	if !sees(r, room, seats) {
		return nil, nil, s.problemOf(hall.ErrMissing)
	}
	if len(seats) > 0 && (r.Method != http.MethodGet || r.Header.Get("Authorization") != "") { // lists of a browser's games fetch them with cookies
		room.Arrive(seats)
	}
	return room, seats, nil
}

// seatFor returns the seat for which a command is given: the one that was named,
// or the only one, or the one whose turn it is.
func seatFor(room *hall.Room, secrets []string, named string) (game.Side, *Problem) {
	if len(secrets) == 0 {
		return 0, problem(http.StatusUnauthorized, "token", "no token: want Authorization: Bearer and the token that came with the seat")
	}
	seats := room.SeatsOf(secrets)
	if len(seats) == 0 {
		return 0, problem(http.StatusForbidden, "seat", "the token is for no seat of this game: want the one that came with the seat")
	}
	if named != "" {
		side, err := live.SideNamed(named)
		if err != nil {
			return 0, wrong("side", "%v", err)
		}
		if !slices.Contains(seats, side) {
			return 0, problem(http.StatusForbidden, "seat", "the token is not for the %s seat", side)
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

// address returns the network address of who asks, for limits. A proxy adds it to the
// header or adds a line of its own: what comes before is the client's to write.
func (s *Server) address(r *http.Request) string {
	if lines := r.Header.Values("X-Forwarded-For"); s.config.TrustProxy && len(lines) > 0 {
		list := strings.Split(lines[len(lines)-1], ",")
		if last := strings.TrimSpace(list[len(list)-1]); last != "" {
			return network(last)
		}
	}
	return network(r.RemoteAddr)
}

// network returns what of an address, with a port or without, somebody cannot choose at
// will: of IPv6 that is the first half, since a network has all of the second.
func network(text string) string {
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	a, err := netip.ParseAddr(strings.Trim(text, "[]"))
	if err != nil {
		return text
	}
	if a = a.Unmap(); a.Is4() {
		return a.String()
	}
	half, _ := a.WithZone("").Prefix(64) // every address of this kind has one
	return half.String()
}
