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

// AnalysisRequest asks a worker to analyze a position, deeper and deeper, and to send what it
// finds. The worker continues as long as the server renews its lease.
type AnalysisRequest struct {
	Version int     `json:"version"`
	Program Program `json:"program"`
	Game    string  `json:"game"`
	Start   string  `json:"start"`
	Moves   string  `json:"moves"`            // separated by blanks
	Lines   int     `json:"lines"`            // best lines wanted
	Values  bool    `json:"values,omitempty"` // a line for every legal move instead
}

// AnalysisLease renews the lease of an analysis, or releases it.
type AnalysisLease struct {
	ID      string `json:"id"` // what follows the key in the subject to which the answers go
	Release bool   `json:"release,omitempty"`
}

// AnalysisResult is what an analysis has found at a depth.
type AnalysisResult struct {
	Depth int            `json:"depth"`
	Nodes uint64         `json:"nodes"`
	Time  time.Duration  `json:"time"` // of search
	Lines []AnalyzedLine `json:"lines"`
}

// AnalyzedLine is a line of moves and its score.
type AnalyzedLine struct {
	Score int    `json:"score"`
	Depth int    `json:"depth"`
	Moves string `json:"moves"` // separated by blanks
}

// ThinkAnswer is an answer to ThinkRequest or AnalysisRequest. A worker accepts or refuses at
// once, sends a heartbeat every ThinkBeat, and then a move or an error. Of an analysis it
// sends results, each deeper than the last, and at last why it has ended.
type ThinkAnswer struct {
	State  string          `json:"state"`
	Text   string          `json:"text,omitempty"` // the move, why there is none, why an analysis has ended; or the worker's address for leases, if it accepts one
	Result *AnalysisResult `json:"result,omitempty"`
}

// The states of a ThinkAnswer.
const (
	ThinkAccepted = "accepted"
	ThinkAlive    = "alive"
	ThinkMove     = "move"
	ThinkResult   = "result" // of an analysis
	ThinkDone     = "done"   // the analysis has ended
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
	MaxThinkAnswer  = 64 << 10 // bytes
)

// Bounds of analyses.
const (
	AnalysisRenewal = time.Second         // how often a server renews a lease
	AnalysisLeased  = 3 * AnalysisRenewal // how long a lease lasts after a renewal
	MaxAnalysisTime = 75 * time.Second    // a minute of search, and what is lost on a slow machine
)

// AnalysesOf returns how many analyses a worker takes at a time that chooses the given number
// of moves of live games: half, so that moves always find a worker.
func AnalysesOf(live int) int { return live / 2 }
