package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// spectator watches a game by WebSocket and checks what it receives. It goes to the
// next server when its own fails.
type spectator struct {
	id      string
	urls    []string
	server  int
	clients *clients

	mu      sync.Mutex // guards the rest
	moves   []string
	seen    []time.Time    // when it received each move
	updates map[int]string // by event number: what it received
}

// update is a frame from the server, the fields that are needed here.
type update struct {
	Kind   string   `json:"kind"`
	Number int      `json:"n"`
	Ply    int      `json:"ply"`
	Move   string   `json:"move"`
	Moves  []string `json:"moves"` // of the state
}

// How a spectator notices that its server is gone.
const (
	pingEvery   = time.Second
	readTimeout = 3 * time.Second
)

func (s *spectator) run(ctx context.Context) {
	for ctx.Err() == nil {
		s.connect(ctx)
		s.server = (s.server + 1) % len(s.urls)
		time.Sleep(retryDelay)
	}
}

// connect watches through one server until that fails.
func (s *spectator) connect(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	dial, stop := context.WithTimeout(ctx, requestTimeout)
	conn, _, err := websocket.Dial(dial, s.urls[s.server]+"/api/games/"+s.id+"/socket", nil) //nolint:bodyclose // the library closes it
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
		read, stop := context.WithTimeout(ctx, readTimeout)
		_, data, err := conn.Read(read)
		stop()
		if err != nil {
			return
		}
		s.receive(data)
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

// receive checks a frame against those before and records it.
func (s *spectator) receive(data []byte) {
	var u update
	if err := json.Unmarshal(data, &u); err != nil {
		s.clients.report(&s.clients.Differ, fmt.Sprintf("game %s: decoding a frame: %v", s.id, err))
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch u.Kind {
	case "reply", "beat":
		return
	case "state":
		for i, move := range u.Moves {
			s.receiveMove(i+1, move)
		}
		return
	}
	line := fmt.Sprintf("%s %d %s", u.Kind, u.Ply, u.Move)
	if s.updates == nil {
		s.updates = map[int]string{}
	}
	if before, ok := s.updates[u.Number]; ok && before != line {
		s.clients.report(&s.clients.Differ, fmt.Sprintf("game %s, event %d: a spectator received %q, and %q before", s.id, u.Number, line, before))
	}
	s.updates[u.Number] = line
	if u.Kind == "moved" {
		s.receiveMove(u.Ply, u.Move)
	}
}

// receiveMove checks and records the move at a ply. The caller holds mu.
func (s *spectator) receiveMove(ply int, move string) {
	switch {
	case ply == len(s.moves)+1:
		s.moves, s.seen = append(s.moves, move), append(s.seen, time.Now())
	case ply < 1 || ply > len(s.moves):
		s.clients.report(&s.clients.Differ, fmt.Sprintf("game %s: a spectator received ply %d after ply %d", s.id, ply, len(s.moves)))
	case s.moves[ply-1] != move:
		s.clients.report(&s.clients.Twice, fmt.Sprintf("game %s, ply %d: a spectator received %s, and %s before", s.id, ply, move, s.moves[ply-1]))
	}
}

// saw reports whether the spectator has received exactly these moves.
func (s *spectator) saw(moves []string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Equal(s.moves, moves)
}

// sawAt returns when the spectator received the move at a ply, at the latest the
// time that is given.
func (s *spectator) sawAt(ply int, latest time.Time) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ply <= len(s.seen) && s.seen[ply-1].Before(latest) {
		return s.seen[ply-1]
	}
	return latest
}

// received returns what the spectator received, by event number.
func (s *spectator) received() map[int]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.updates
}
