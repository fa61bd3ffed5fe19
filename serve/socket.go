package serve

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"quintet/game"
	"quintet/live"
)

const (
	frameBytes = 1 << 10          // the most that a frame to the server has
	pingEvery  = 20 * time.Second // how often the way is measured
	closeSlow  = websocket.StatusCode(4008)
)

// socket is the same as events for browsers: first the game as it is, then every
// event. Commands may be sent the other way.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	room, seats, p := s.enter(r)
	if p != nil {
		s.fail(w, p)
		return
	}
	c, err := websocket.Accept(w, r, nil) // refuses pages of other sites
	if err != nil {
		return // it has answered
	}
	defer func() { _ = c.CloseNow() }()
	c.SetReadLimit(frameBytes)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	s.count.sockets.Add(1)
	defer s.count.sockets.Add(-1)
	f := &frames{server: s, conn: c, room: room, seats: seats, request: r}
	go func() {
		defer cancel()
		f.read(ctx)
	}()
	f.write(ctx)
}

// frames is one socket.
type frames struct {
	server  *Server
	conn    *websocket.Conn
	room    *room
	seats   []game.Side
	request *http.Request
	lag     atomic.Int64 // milliseconds of the way there and back
}

func (f *frames) send(ctx context.Context, data []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	return f.conn.Write(ctx, websocket.MessageText, data)
}

// write tells of events until the context ends or the reader falls behind.
func (f *frames) write(ctx context.Context) {
	w := &watcher{seated: len(f.seats) > 0, full: f.request.URL.Query().Get("board") == "1"}
	f.room.watch(w, -1)
	defer f.room.leave(w)
	v, p := f.server.viewFor(f.request, f.room, f.seats)
	if p != nil || f.send(ctx, encode(struct {
		Kind string `json:"kind"`
		View
	}{"state", v})) != nil {
		return
	}
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	if len(f.seats) > 0 && f.ping(ctx) != nil {
		return
	}
	for {
		select {
		case l, ok := <-w.lines:
			if !ok {
				_ = f.conn.Close(closeSlow, "too slow: connect again")
				return
			}
			if f.send(ctx, l.form(w)) != nil {
				return
			}
		case <-ping.C:
			if f.ping(ctx) != nil {
				return
			}
		case <-ctx.Done():
			return
		case <-f.server.stopping:
			_ = f.conn.Close(websocket.StatusServiceRestart, "the server stops: connect again")
			return
		}
	}
}

// ping measures the way.
func (f *frames) ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	began := time.Now()
	err := f.conn.Ping(ctx)
	f.lag.Store(time.Since(began).Milliseconds())
	return err
}

// frame is a command that comes by socket.
type frame struct {
	Do   live.Verb `json:"do"`
	Ref  string    `json:"ref"` // comes back with the answer
	Move string    `json:"move"`
	Ply  *int      `json:"ply"`
	What string    `json:"what"`
	Side string    `json:"side"`
	Key  string    `json:"key"` // of idempotency
}

// reply is the answer to a frame.
type reply struct {
	Kind    string   `json:"kind"` // "reply"
	Ref     string   `json:"ref"`
	Status  int      `json:"status"`
	Done    *done    `json:"done,omitempty"`
	Problem *Problem `json:"problem,omitempty"`
}

// read does what frames ask for until one cannot be read.
func (f *frames) read(ctx context.Context) {
	for {
		kind, data, err := f.conn.Read(ctx)
		if err != nil {
			return
		}
		if kind != websocket.MessageText {
			_ = f.conn.Close(websocket.StatusUnsupportedData, "want text")
			return
		}
		if f.send(ctx, encode(f.answer(ctx, data))) != nil {
			return
		}
	}
}

func (f *frames) answer(ctx context.Context, data []byte) reply {
	var in frame
	if p := decode(data, &in); p != nil {
		return reply{Kind: "reply", Status: p.status, Problem: p}
	}
	d, p := f.do(ctx, in)
	if p != nil {
		f.server.count.refused(p.Code)
		return reply{Kind: "reply", Ref: in.Ref, Status: p.status, Problem: p}
	}
	return reply{Kind: "reply", Ref: in.Ref, Status: http.StatusOK, Done: d}
}

func (f *frames) do(ctx context.Context, in frame) (*done, *Problem) {
	if _, ok := verbs()[string(in.Do)]; !ok && in.Do != live.Move || in.Do == "moves" {
		return nil, problem(http.StatusBadRequest, "invalid", "do %q: want move, resign, offer, accept, decline, takeback, claim or rematch", in.Do)
	}
	seats := f.room.seat(secrets(f.request, f.room.id)) // a seat may have been taken since
	c, p := f.server.check(f.request, f.room, seats, in.Do, command{Move: in.Move, Ply: in.Ply, What: in.What, Side: in.Side}, in.Key)
	if p != nil {
		return nil, p
	}
	c.Lag = f.lag.Load()
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	return f.server.perform(ctx, f.room, c)
}
