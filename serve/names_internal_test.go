package serve

import (
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
