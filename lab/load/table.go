package load

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"quintet/game"
	"quintet/games"
	"quintet/serve/clock"
)

// table plays both sides of one game after the other.
type table struct {
	run     *run
	number  int
	sockets int
	random  *rand.Rand

	Game
	seats  [2]*websocket.Conn
	others []*websocket.Conn // of spectators
	reply  chan answer       // to the move in flight
	cancel context.CancelFunc
	all    sync.WaitGroup

	mu  sync.Mutex // guards the rest
	due time.Time  // when the move in flight was due
	ply int        // after it
	by  game.Side  // who plays it
}

// answer is a frame from the server, the fields that the load needs.
type answer struct {
	Kind    string `json:"kind"`
	Ply     int    `json:"ply"`
	Status  int    `json:"status"`
	Problem struct {
		Error string `json:"error"`
	} `json:"problem"`
}

// open opens a game and connects its sockets.
func (t *table) open(ctx context.Context) (err error) {
	if t.Game, err = t.run.client.OpenGame(ctx, t.run.config.URL, t.number); err != nil {
		return err
	}
	ctx, t.cancel = context.WithCancel(ctx)
	t.reply = make(chan answer, 1)
	t.others = nil
	for i := range t.sockets {
		token := ""
		if i < 2 {
			token = t.Tokens[i]
		}
		conn, err := t.run.client.Socket(ctx, t.run.config.URL+"/api/games/"+t.ID+"/socket", token)
		if err != nil {
			return err
		}
		if i >= 2 {
			t.others = append(t.others, conn)
			t.all.Go(func() { discard(ctx, conn) })
			continue
		}
		t.seats[i] = conn
		t.all.Go(func() { t.read(ctx, conn, game.Side(i)) })
	}
	t.run.idle <- t
	return nil
}

// discard reads a spectator's frames.
func discard(ctx context.Context, conn *websocket.Conn) {
	for {
		if _, r, err := conn.Reader(ctx); err != nil {
			return
		} else if _, err := io.Copy(io.Discard, r); err != nil {
			return
		}
	}
}

// read handles a player's frames.
func (t *table) read(ctx context.Context, conn *websocket.Conn, side game.Side) {
	for {
		_, data, err := conn.Read(ctx)
		if err != nil {
			return
		}
		var a answer
		if err := json.Unmarshal(data, &a); err != nil {
			t.run.fault(fmt.Errorf("decoding a frame: %w", err))
			return
		}
		switch a.Kind {
		case "reply":
			t.reply <- a
		case "moved":
			t.sawMove(a.Ply, side)
		}
	}
}

// sawMove records how late the opponent of who moved received the move.
func (t *table) sawMove(ply int, side game.Side) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if ply == t.ply && t.run.measuring.Load() && side != t.by {
		t.run.seen.Add(time.Since(t.due))
	}
}

// move plays a random move and waits for its acknowledgement. Latency counts from
// when the move was due.
func (t *table) move(ctx context.Context, due time.Time) {
	legal := t.Match.Legal()
	mv := legal[t.random.IntN(len(legal))]
	p := t.Match.Position()
	side, ply := p.Turn(), len(t.Match.Moves())
	t.mu.Lock()
	t.due, t.ply, t.by = due, ply+1, side
	t.mu.Unlock()
	frame := `{"do":"move","move":` + strconv.Quote(p.Format(mv)) + `,"ply":` + strconv.Itoa(ply) + `}`
	if err := t.exchange(ctx, t.seats[side], frame); err != nil {
		if ctx.Err() == nil {
			t.run.fault(fmt.Errorf("game %s, ply %d: %w", t.ID, ply, err))
			t.reopen(ctx)
		}
		return
	}
	t.run.ack.Add(time.Since(due))
	t.run.moves.Add(1)
	if err := t.Match.Play(mv); err != nil {
		t.run.fault(err)
	}
	if t.Match.Over() {
		t.reopen(ctx)
		return
	}
	t.run.idle <- t
}

func (t *table) exchange(ctx context.Context, conn *websocket.Conn, frame string) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	if err := conn.Write(ctx, websocket.MessageText, []byte(frame)); err != nil {
		return err
	}
	select {
	case a := <-t.reply:
		if a.Status != http.StatusOK {
			return fmt.Errorf("status %d: %s", a.Status, a.Problem.Error)
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for the answer: %w", ctx.Err())
	}
}

// reopen closes the game's sockets and opens the next game.
func (t *table) reopen(ctx context.Context) {
	t.cancel()
	for _, conn := range append(t.others, t.seats[0], t.seats[1]) {
		_ = conn.CloseNow()
	}
	t.all.Wait()
	if err := t.open(ctx); err != nil && ctx.Err() == nil {
		t.run.fault(err)
	}
}

// openEngines opens a game in which engines play each other.
func (r *run) openEngines(ctx context.Context) error {
	all := games.Names()
	in := Object{"game": all[r.random.IntN(len(all))], "seats": Object{"first": "level:5", "second": "level:5"}}
	var made struct{ ID string }
	return r.client.Post(ctx, r.config.URL+"/api/games", "", in, &made)
}

// watchMemory polls the server's resident memory. It returns a function that
// reports the maximum so far.
func (r *run) watchMemory(ctx context.Context) func() uint64 {
	var highest atomic.Uint64
	r.all.Go(func() {
		for ; ctx.Err() == nil; clock.Sleep(ctx, 5*time.Second) {
			highest.Store(max(highest.Load(), r.memory(ctx)))
		}
	})
	return highest.Load
}

func (r *run) memory(ctx context.Context) uint64 {
	return uint64(r.metric(ctx, "process_resident_memory_bytes"))
}

// metric returns a metric of the server, 0 if it cannot be read.
func (r *run) metric(ctx context.Context, name string) float64 {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, r.config.URL+"/metrics", nil)
	if err != nil {
		return 0
	}
	got, err := r.client.http.Do(q)
	if err != nil {
		return 0
	}
	defer func() { _ = got.Body.Close() }()
	data, _ := io.ReadAll(got.Body) // the metric may be in the part that was read
	for line := range strings.Lines(string(data)) {
		if text, ok := strings.CutPrefix(line, name+" "); ok {
			n, _ := strconv.ParseFloat(strings.TrimSpace(text), 64) // n is 0 then
			return n
		}
	}
	return 0
}
