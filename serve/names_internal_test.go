package serve

import (
	"strings"
	"time"

	"quintet/serve/api"
	"quintet/serve/play"
	"quintet/web"
)

// The types of the interface that tests decode.
type (
	Problem   = api.Problem //nolint:errname // the name of its JSON in the API
	BoardView = web.Board
	View      = play.View
)

// expiryEvery is how often package play ends games that were left.
const expiryEvery = 10 * time.Minute

// orphanEvery is how often package play looks for games of stopped servers, and batchDelay how
// long it waits between transactions of the index.
const (
	orphanEvery = 15 * time.Second
	batchDelay  = 100 * time.Millisecond
)

// pingOthers is the ping interval of spectators in package play.
const pingOthers = time.Minute

// The answer to a frame, and limits of sockets, as package play has them.
type reply struct {
	Kind, Ref string
	Status    int
	Problem   *Problem
}

const throttlePause = time.Second

func controlRate() Rate { return Rate{Burst: 20, Second: 1} }

// Limits of seat cookies, as package play has them.
const (
	maxSeatCookies = 64
	maxEvicted     = 16
)

// alphabet is that of identifiers.
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz"

// gameOfCookie returns the game of a seat cookie, or "" for any other cookie.
func gameOfCookie(name string) string {
	parts := strings.Split(name, "_")
	if len(parts) == 3 && parts[0] == "quintet" && api.IsID(parts[1]) && (parts[2] == "first" || parts[2] == "second") {
		return parts[1]
	}
	return ""
}
