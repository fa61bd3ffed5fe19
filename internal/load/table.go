package load

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"quintet/game"
	"quintet/games"
)

// table is a game that the load plays, both sides of it.
type table struct {
	run     *run
	number  int
	sockets int
	random  *rand.Rand

	id     string
	tokens [2]string
	match  *game.Match
	seats  [2]*websocket.Conn
	others []*websocket.Conn
	reply  chan answer // of the move that is on its way
	cancel context.CancelFunc
	all    sync.WaitGroup

	mu  sync.Mutex // guards the rest
	due time.Time  // when the move on its way was due
	ply int        // after it
	by  game.Side  // who sends it
}

// answer is what comes by a socket, as far as it matters here.
type answer struct {
	Kind    string `json:"kind"`
	Ply     int    `json:"ply"`
	Status  int    `json:"status"`
	Problem struct {
		Error string `json:"error"`
	} `json:"problem"`
}

// post sends a request and reads the answer into out.
func post(ctx context.Context, c *http.Client, url, token string, in, out any) error {
	r, err := request(ctx, url, in)
	if err != nil {
		return err
	}
	return send(c, r, token, out)
}

func request(ctx context.Context, url string, in any) (*http.Request, error) {
	data, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	return http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(data))
}

func get(ctx context.Context, c *http.Client, url string, out any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	return send(c, r, "", out)
}

func send(c *http.Client, r *http.Request, token string, out any) error {
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	got, err := c.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = got.Body.Close() }()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		return err
	}
	if got.StatusCode >= 300 {
		return &refusal{got.StatusCode, fmt.Sprintf("%s %s: %s: %s", r.Method, r.URL.Path, got.Status, bytes.TrimSpace(body))}
	}
	return json.Unmarshal(body, out)
}

// refusal is an answer that says no.
type refusal struct {
	status int
	text   string
}

// Error returns the answer.
func (r *refusal) Error() string { return r.text }

type object map[string]any

// begin opens a game of the next kind and takes both seats.
func (t *table) begin(ctx context.Context) error {
	all := games.All()
	g := all[t.number%len(all)]
	start, err := g.Start(nil)
	if err != nil {
		return err
	}
	t.match = game.NewMatch(g, start)
	base := t.run.config.URL + "/api/games"
	var made struct {
		ID, Token string
	}
	in := object{"game": g.Name, "as": "first", "name": fmt.Sprintf("load %d", t.number), "clock": object{"main": 3600, "increment": 5}}
	if err := post(ctx, t.run.client, base, "", in, &made); err != nil {
		return err
	}
	t.id, t.tokens[0] = made.ID, made.Token
	var sat struct{ Token string }
	if err := post(ctx, t.run.client, base+"/"+t.id+"/seats/second", "", object{"name": "load"}, &sat); err != nil {
		return err
	}
	t.tokens[1] = sat.Token
	return nil
}

// open begins a game and connects its sockets.
func (t *table) open(ctx context.Context) error {
	if err := t.begin(ctx); err != nil {
		return err
	}
	ctx, t.cancel = context.WithCancel(ctx)
	t.reply = make(chan answer, 1)
	t.others = nil
	for i := range t.sockets {
		header := http.Header{}
		if i < 2 {
			header.Set("Authorization", "Bearer "+t.tokens[i])
		}
		conn, _, err := websocket.Dial(ctx, t.run.config.URL+"/api/games/"+t.id+"/socket", &websocket.DialOptions{HTTPHeader: header}) //nolint:bodyclose // the library closes it
		if err != nil {
			return fmt.Errorf("connecting a socket: %w", err)
		}
		conn.SetReadLimit(1 << 20)
		if i >= 2 {
			t.others = append(t.others, conn)
			t.all.Go(func() { skip(ctx, conn) })
			continue
		}
		t.seats[i] = conn
		t.all.Go(func() { t.read(ctx, conn, game.Side(i)) })
	}
	t.run.idle <- t
	return nil
}

// skip reads what a spectator is told.
func skip(ctx context.Context, conn *websocket.Conn) {
	for {
		if _, r, err := conn.Reader(ctx); err != nil {
			return
		} else if _, err := io.Copy(io.Discard, r); err != nil {
			return
		}
	}
}

// read takes note of what a player is told.
func (t *table) read(ctx context.Context, conn *websocket.Conn, side game.Side) {
	for {
		_, data, err := conn.Read(ctx)
		if err != nil {
			return
		}
		var a answer
		if err := json.Unmarshal(data, &a); err != nil {
			t.run.fault(fmt.Errorf("a frame that cannot be read: %w", err))
			return
		}
		switch a.Kind {
		case "reply":
			t.reply <- a
		case "moved":
			t.saw(a.Ply, side)
		}
	}
}

// saw notes that a player has seen a move; that of the other side counts.
func (t *table) saw(ply int, side game.Side) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if ply == t.ply && t.run.measuring.Load() && side != t.by {
		t.run.seen.add(time.Since(t.due))
	}
}

// move plays a random move, and waits until it is acknowledged.
func (t *table) move(ctx context.Context, due time.Time) {
	legal := t.match.Legal()
	mv := legal[t.random.IntN(len(legal))]
	p := t.match.Position()
	side, ply := p.Turn(), len(t.match.Moves())
	t.mu.Lock()
	t.due, t.ply, t.by = due, ply+1, side
	t.mu.Unlock()
	frame := `{"do":"move","move":` + strconv.Quote(p.Format(mv)) + `,"ply":` + strconv.Itoa(ply) + `}`
	if err := t.exchange(ctx, t.seats[side], frame); err != nil {
		if ctx.Err() == nil {
			t.run.fault(fmt.Errorf("game %s, ply %d: %w", t.id, ply, err))
			t.again(ctx)
		}
		return
	}
	t.run.ack.add(time.Since(due))
	t.run.moves.Add(1)
	if err := t.match.Play(mv); err != nil {
		t.run.fault(err)
	}
	if t.match.Outcome().Result.Over() {
		t.again(ctx)
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
		return fmt.Errorf("no answer: %w", ctx.Err())
	}
}

// again goes on with another game.
func (t *table) again(ctx context.Context) {
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
	in := object{"game": all[r.random.IntN(len(all))], "seats": object{"first": "level:5", "second": "level:5"}}
	var made struct{ ID string }
	return post(ctx, r.client, r.config.URL+"/api/games", "", in, &made)
}

// watchMemory asks for the server's memory now and then. It returns a function
// that tells the most.
func (r *run) watchMemory(ctx context.Context) func() uint64 {
	var mu sync.Mutex
	most := uint64(0)
	ask := func() {
		n := r.memory(ctx)
		mu.Lock()
		defer mu.Unlock()
		most = max(most, n)
	}
	r.all.Go(func() {
		for ctx.Err() == nil {
			ask()
			select {
			case <-ctx.Done():
			case <-time.After(5 * time.Second):
			}
		}
	})
	return func() uint64 {
		mu.Lock()
		defer mu.Unlock()
		return most
	}
}

func (r *run) memory(ctx context.Context) uint64 {
	return uint64(r.metric(ctx, "process_resident_memory_bytes"))
}

// metric asks the server for a number; 0 if it does not tell.
func (r *run) metric(ctx context.Context, name string) float64 {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, r.config.URL+"/metrics", nil)
	if err != nil {
		return 0
	}
	got, err := r.client.Do(q)
	if err != nil {
		return 0
	}
	defer func() { _ = got.Body.Close() }()
	data, _ := io.ReadAll(got.Body) // a part of it does, too
	for line := range strings.Lines(string(data)) {
		if text, ok := strings.CutPrefix(line, name+" "); ok {
			n, _ := strconv.ParseFloat(strings.TrimSpace(text), 64) // 0 if it cannot be read
			return n
		}
	}
	return 0
}
