package load

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// follower is a spectator: it follows a game by WebSocket, and goes to the next
// server when the one it has does not answer any more.
type follower struct {
	id     string
	urls   []string
	server int
	crowd  *crowd

	mu    sync.Mutex // guards the rest
	moves []string
	seen  []time.Time    // when it was told of each
	told  map[int]string // what it was told of each event
}

// update is what comes by the socket, as far as it matters here.
type update struct {
	Kind   string   `json:"kind"`
	Number int      `json:"n"`
	Ply    int      `json:"ply"`
	Move   string   `json:"move"`
	Moves  []string `json:"moves"` // of the state
}

// What a spectator does to know whether its server is there.
const (
	pingEvery = time.Second
	pingTime  = 3 * time.Second
)

func (f *follower) run(ctx context.Context) {
	for ctx.Err() == nil {
		f.connect(ctx)
		f.server = (f.server + 1) % len(f.urls)
		time.Sleep(waitNext)
	}
}

// connect follows through one server as long as that answers.
func (f *follower) connect(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	dial, stop := context.WithTimeout(ctx, askTime)
	conn, _, err := websocket.Dial(dial, f.urls[f.server]+"/api/games/"+f.id+"/socket", nil) //nolint:bodyclose // the library closes it
	stop()
	if err != nil {
		return
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(1 << 20)
	var pings sync.WaitGroup
	defer pings.Wait()
	defer cancel()
	pings.Go(func() { ping(ctx, conn) })
	for {
		read, stop := context.WithTimeout(ctx, pingTime)
		_, data, err := conn.Read(read)
		stop()
		if err != nil {
			return
		}
		f.take(data)
	}
}

func ping(ctx context.Context, conn *websocket.Conn) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for conn.Write(ctx, websocket.MessageText, []byte(`{"do":"ping"}`)) == nil {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// take notes what it is told, and holds it against what it was told before.
func (f *follower) take(data []byte) {
	var u update
	if err := json.Unmarshal(data, &u); err != nil {
		f.crowd.note(&f.crowd.differ, fmt.Sprintf("game %s: a frame that cannot be read: %v", f.id, err))
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch u.Kind {
	case "reply", "beat":
		return
	case "state":
		for i, move := range u.Moves {
			f.has(i+1, move)
		}
		return
	}
	line := fmt.Sprintf("%s %d %s", u.Kind, u.Ply, u.Move)
	if f.told == nil {
		f.told = map[int]string{}
	}
	if before, ok := f.told[u.Number]; ok && before != line {
		f.crowd.note(&f.crowd.differ, fmt.Sprintf("game %s, event %d: a spectator was told %q, and %q before", f.id, u.Number, line, before))
	}
	f.told[u.Number] = line
	if u.Kind == "moved" {
		f.has(u.Ply, u.Move)
	}
}

// has notes the move at a ply. The caller holds mu.
func (f *follower) has(ply int, move string) {
	switch {
	case ply == len(f.moves)+1:
		f.moves, f.seen = append(f.moves, move), append(f.seen, time.Now())
	case ply < 1 || ply > len(f.moves):
		f.crowd.note(&f.crowd.differ, fmt.Sprintf("game %s: a spectator was told of ply %d after ply %d", f.id, ply, len(f.moves)))
	case f.moves[ply-1] != move:
		f.crowd.note(&f.crowd.twice, fmt.Sprintf("game %s, ply %d: a spectator was told of %s, and of %s before", f.id, ply, move, f.moves[ply-1]))
	}
}

// saw reports whether the spectator has seen these moves.
func (f *follower) saw(moves []string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Equal(f.moves, moves)
}

// at returns when the spectator was told of the move at a ply, not after a time.
func (f *follower) at(ply int, most time.Time) time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	if ply <= len(f.seen) && f.seen[ply-1].Before(most) {
		return f.seen[ply-1]
	}
	return most
}

// heard returns what it was told of each event.
func (f *follower) heard() map[int]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.told
}
