package farm

import "time"

// ThinkRequest asks a worker for a move of a live game. It goes from a server to a worker
// without the coordinator, because somebody waits.
type ThinkRequest struct {
	Version int           `json:"version"`
	Program Program       `json:"program"`
	Game    string        `json:"game"`
	Start   string        `json:"start"`
	Moves   string        `json:"moves"`  // separated by blanks
	Player  string        `json:"player"` // built in, such as level:3
	Seed    uint64        `json:"seed"`
	Time    time.Duration `json:"time"`
}

// ThinkAnswer is an answer to ThinkRequest. A worker accepts or refuses at once, sends a
// heartbeat every ThinkBeat, and then a move or an error.
type ThinkAnswer struct {
	State string `json:"state"`
	Text  string `json:"text,omitempty"` // the move, or why there is none
}

// The states of a ThinkAnswer.
const (
	ThinkAccepted = "accepted"
	ThinkAlive    = "alive"
	ThinkMove     = "move"
	ThinkFailed   = "failed"
	ThinkBusy     = "busy"
	ThinkNobody   = "nobody" // no worker is there: NATS says so
)

// Bounds of thinking.
const (
	ThinkBeat       = 200 * time.Millisecond
	MaxThinkTime    = time.Minute
	MaxLive         = 256      // moves at a time on a worker
	MaxThinkRequest = 64 << 10 // bytes
)
