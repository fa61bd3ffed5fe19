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
		return nil, fmt.Errorf("creating a secret: %w", err)
	}
	secret, err := l.Secret(ctx, fresh)
	if errors.Is(err, live.ErrFull) {
		c.Log.Warn("the server's secret cannot be stored: a request for a new game that is repeated after a restart opens a second game", "error", err)
		return fresh, nil
	}
	return secret, err
}

// keyMAC returns a MAC of an idempotency key with the servers' secret. Proxies and logs may
// know the key, but cannot compute the MAC.
func (s *Server) keyMAC(what, key string) []byte {
	mac := hmac.New(sha256.New, s.key)
	_, _ = fmt.Fprintf(mac, "%d %s %s", len(what), what, key) // never fails
	return mac.Sum(nil)
}

// secret returns a new secret. With an idempotency key it is derived from the key, so that
// a repeated request gets the same one.
func (s *Server) secret(key, what string) (string, error) {
	var b [24]byte
	if key != "" {
		copy(b[:], s.keyMAC("secret "+what, key))
	} else if _, err := io.ReadFull(s.config.Random, b[:]); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(b[:]), nil
}

// alphabet has no characters that are easily confused.
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz"

// newID returns the identifier of a new game, derived from the idempotency key if there is
// one.
func (s *Server) newID(key string) (string, error) {
	var b [12]byte
	if key != "" {
		copy(b[:], s.keyMAC("game", key))
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
		return fieldProblem("key", "an Idempotency-Key of %d characters: expected 16 to 200 that cannot be guessed", n)
	}
	return nil
}

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
	return hashKey(key, who) + "." + hashKey(key, who, string(verb), c.Side, c.Move, ply, c.What)
}

// hashKey returns the hash of an idempotency key and its context.
func hashKey(key string, rest ...string) string {
	if key == "" {
		return ""
	}
	sum := sha256.Sum256([]byte("quintet key " + strings.Join(append([]string{key}, rest...), "\x00")))
	return hex.EncodeToString(sum[:12])
}

const cookiePrefix = "quintet_"

// cookie returns the name of the cookie for a seat. One browser may hold both seats.
func cookie(id string, s game.Side) string { return cookiePrefix + id + "_" + s.String() }

// bearerToken returns the token in the Authorization header; ok is false without one.
func bearerToken(r *http.Request) (token string, ok bool) {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), ok && strings.EqualFold(scheme, "Bearer")
}

// maxCookies limits the cookies of other games that are read: browsers keep about 180 per
// site.
const maxCookies = 200

// secrets returns the secrets in a request: its bearer token, or its seat cookies, those of
// the game first. Cookies of other games count too: players of a rematch got theirs in the
// game before. The hash of a secret decides which seat it opens.
func secrets(r *http.Request, id string) (list []string) {
	if token, ok := bearerToken(r); ok {
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

// requestedRoom returns the room of the game in the address, if the request may see it, and the
// client's seats.
func (s *Server) requestedRoom(r *http.Request) (*hall.Room, []game.Side, *Problem) {
	id := r.PathValue("id")
	if !isID(id) || s.hall.HidesGame(id) {
		return nil, nil, s.problemOf(hall.ErrMissing)
	}
	room, err := s.hall.Room(r.Context(), id)
	if err != nil {
		return nil, nil, s.problemOf(err)
	}
	seats := room.SeatsOf(secrets(r, id))
	if !maySee(r, room, seats) {
		return nil, nil, s.problemOf(hall.ErrMissing)
	}
	if len(seats) > 0 && (r.Method != http.MethodGet || r.Header.Get("Authorization") != "") { // lists of a browser's games fetch them with cookies
		room.Arrive(seats)
	}
	return room, seats, nil
}

// seatFor returns the seat for which a command is given: the named one, the only one, or
// the one whose turn it is.
func seatFor(room *hall.Room, secrets []string, named string) (game.Side, *Problem) {
	if len(secrets) == 0 {
		return 0, problem(http.StatusUnauthorized, "token", "no token: expected Authorization: Bearer and the token that came with the seat")
	}
	seats := room.SeatsOf(secrets)
	if len(seats) == 0 {
		return 0, problem(http.StatusForbidden, "seat", "the token is for no seat of this game: expected the one that came with the seat")
	}
	if named != "" {
		side, err := live.SideNamed(named)
		if err != nil {
			return 0, fieldProblem("side", "%v", err)
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

// address returns the client's network address, for limits. A proxy appends it to the
// header, or adds a header line; the client controls everything before that.
func (s *Server) address(r *http.Request) string {
	if lines := r.Header.Values("X-Forwarded-For"); s.config.TrustProxy && len(lines) > 0 {
		list := strings.Split(lines[len(lines)-1], ",")
		if last := strings.TrimSpace(list[len(list)-1]); last != "" {
			return network(last)
		}
	}
	return network(r.RemoteAddr)
}

// network returns the part of an address, with or without a port, that a client cannot
// choose freely: for IPv6 the first half, because a network owns all of the second.
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
	half, _ := a.WithZone("").Prefix(64) // IPv6 addresses always have this prefix
	return half.String()
}
