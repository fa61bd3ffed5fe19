package play

import (
	"context"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"quintet/game"
	"quintet/live"
	"quintet/serve/api"
	"quintet/serve/clock"
	"quintet/serve/fair"
	"quintet/serve/hall"
	"quintet/web/body"
)

const (
	frameBytes = 1 << 10          // maximum bytes of a frame to the server
	pingSeats  = 20 * time.Second // ping interval of players
	pingOthers = time.Minute      // ping interval of spectators
	closeSlow  = websocket.StatusCode(4008)
)

// socket opens a WebSocket: the server sends the game and then every event; the client may
// send commands. The goroutine of the request ends here, because its stack has grown, and
// thousands of sockets would keep theirs.
func (s *Service) socket(w http.ResponseWriter, r *http.Request, room *hall.Room, seats []game.Side) error {
	release, err := s.Acquire(s.Limits.Conns, r)
	if err != nil {
		return err
	}
	q := r.URL.Query()
	answer := &handshakeWriter{smallBuffers: smallBuffers{ResponseWriter: w}}
	f := &socketConn{server: s, room: room, from: s.Address(r), release: release, keys: seatKeys(room, s.keys(r, room.ID())), watcher: &hall.Watcher{Client: s.Address(r), Seats: seats, Board: q.Get("board") == "1", Presence: q.Get("presence") == "1"}}
	f.controls = controlRate().Bucket()
	c, err := websocket.Accept(answer, r, &websocket.AcceptOptions{ // refuses pages of other sites
		OnPingReceived: func(ctx context.Context, _ []byte) bool { return f.control(ctx) },
		OnPongReceived: func(ctx context.Context, _ []byte) { f.control(ctx) },
	})
	if err != nil {
		release()
		return answer.problem(r)
	}
	c.SetReadLimit(frameBytes)
	f.conn, f.out = c, answer.conn
	room.Watch(f.watcher, -1)
	v, err := s.viewFor(r, room, seats)
	v.Watching = f.others()
	if err == nil {
		err = f.send(api.Encode(state{"state", v}))
	}
	if err != nil {
		f.end()
		return nil //nolint:nilerr // it is too late for a response
	}
	s.Count.Sockets.Add(1)
	ctx, cancel := context.WithCancel(fair.WithClient(context.Background(), f.from))
	if !s.Spawn("socket", func() { defer cancel(); f.read(ctx) }, func() { defer cancel(); f.write(ctx) }) {
		s.Count.Sockets.Add(-1)
		f.end()
	}
	return nil
}

// handshakeWriter suppresses the responses by which package websocket rejects a handshake,
// because docs/api.md promises a Problem.
type handshakeWriter struct {
	smallBuffers
	status int // of that; 0 if it has accepted
}

// WriteHeader implements http.ResponseWriter.
func (a *handshakeWriter) WriteHeader(status int) {
	if status < http.StatusBadRequest {
		a.smallBuffers.WriteHeader(status)
		return
	}
	a.status = status
}

// Write implements http.ResponseWriter.
func (a *handshakeWriter) Write(data []byte) (int, error) {
	if a.status == 0 {
		return a.smallBuffers.Write(data)
	}
	return len(data), nil
}

// problem says why a handshake was rejected.
func (a *handshakeWriter) problem(r *http.Request) error {
	switch a.status {
	case http.StatusUpgradeRequired, http.StatusMethodNotAllowed: // HEAD, that is
		return api.Problemf(http.StatusUpgradeRequired, "upgrade", "this address is a WebSocket: expected a request that asks for one (Connection: Upgrade, Upgrade: websocket), or events in place of socket")
	case http.StatusForbidden:
		return api.Problemf(http.StatusForbidden, "origin", "the request comes from a page of another site, %.100q: expected one of %s", r.Header.Get("Origin"), r.Host)
	case http.StatusBadRequest:
		return api.Invalid("request", "the request for a WebSocket is invalid: expected Sec-WebSocket-Version: 13, and one Sec-WebSocket-Key of 16 bytes in base64")
	}
	return api.Problemf(http.StatusInternalServerError, "internal", "the connection cannot be made a WebSocket: expected HTTP/1.1")
}

// seatKeys returns the keys that a socket keeps: those of seats, and those of the person, who may
// take one. Without any it keeps one that is wrong, so that commands are refused for that reason.
func seatKeys(room *hall.Room, keys []string) (held []string) {
	for _, k := range keys {
		if (strings.HasPrefix(k, live.PersonKey("")) || len(room.SeatsOf([]string{k})) > 0) && !slices.Contains(held, k) {
			held = append(held, k)
		}
	}
	if held == nil && len(keys) > 0 {
		held = []string{keys[0]}
	}
	return held
}

// state is the first message to a client.
type state struct {
	Kind string `json:"kind"`
	View
}

// socketConn is one socket.
type socketConn struct {
	server  *Service
	from    string // the address
	release func() // of its connection
	conn    *websocket.Conn
	out     net.Conn // the same: what send writes to
	closing atomic.Bool
	room    *hall.Room
	keys    []string
	watcher *hall.Watcher
	lag     atomic.Int64 // round-trip time in milliseconds

	controls *rate.Limiter // of pings and pongs; only the reader uses it
}

// controlRate is how many pings and pongs a socket may send: the server answers the
// first, and asks for less than one pong in ten seconds.
func controlRate() api.Rate { return api.Rate{Burst: 20, Second: 1} }

// others returns how many spectators the game has besides this client.
func (f *socketConn) others() int {
	n := f.room.Spectators()
	if len(f.watcher.Seats) == 0 {
		n--
	}
	return max(n, 0)
}

// control counts a ping or a pong, and reports whether it is within the limit. Beyond it,
// the socket is not read for a while: backpressure holds the sender.
func (f *socketConn) control(ctx context.Context) bool {
	if f.controls.AllowN(f.server.Now(), 1) {
		return true
	}
	f.server.Count.Refused("control")
	clock.Sleep(ctx, throttlePause)
	return false
}

// end leaves the room and closes the connection.
func (f *socketConn) end() {
	f.room.Leave(f.watcher)
	f.release()
	_ = f.conn.CloseNow()
}

func newFrame() any { return new([]byte) }

// send sends a message. It writes the frame itself, all at once: package websocket makes several writes of a message that is
// longer than its buffer, and several objects for the timeout.
func (f *socketConn) send(data []byte) error {
	if f.closing.Load() {
		return net.ErrClosed // no frame may follow a close frame
	}
	frame, _ := f.server.frames.Get().(*[]byte) // it has no other type
	*frame = append(frameHeader((*frame)[:0], len(data)), data...)
	_, err := f.out.Write(*frame)
	if cap(*frame) <= keptFrame {
		f.server.frames.Put(frame)
	}
	return err
}

// keptFrame is the most bytes of a frame that is used again.
const keptFrame = 16 << 10

// close sends a close frame, and waits for that of the client.
func (f *socketConn) close(status websocket.StatusCode, reason string) {
	f.closing.Store(true)
	_ = f.conn.Close(status, reason)
}

// write sends events until the context ends or the client falls behind.
func (f *socketConn) write(ctx context.Context) {
	defer f.server.Count.Sockets.Add(-1)
	defer f.end()
	every := pingOthers
	if len(f.watcher.Seats) > 0 {
		every = pingSeats
	}
	ping := time.NewTicker(every)
	defer ping.Stop()
	if len(f.watcher.Seats) > 0 && f.ping(ctx) != nil {
		return
	}
	for {
		select {
		case m, ok := <-f.watcher.Messages():
			if !ok {
				f.dropped()
				return
			}
			if f.send(m.For(f.watcher)) != nil {
				return
			}
		case <-ping.C:
			if f.ping(ctx) != nil {
				return
			}
		case <-ctx.Done():
			return
		case <-f.server.Stopping:
			f.close(websocket.StatusServiceRestart, "the server stops: connect again")
			return
		}
	}
}

// dropped closes the connection of a watcher that the room has dropped.
func (f *socketConn) dropped() {
	switch {
	case f.server.hall.Faulted(f.room.ID()):
		f.close(websocket.StatusInternalError, "a fault of the server stopped this game")
	case f.room.Closed():
		f.close(websocket.StatusServiceRestart, "the server reloaded this game: connect again")
	default:
		f.close(closeSlow, "too slow: connect again")
	}
}

// ping measures the round-trip time.
func (f *socketConn) ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, api.WriteTime)
	defer cancel()
	began := time.Now()
	err := f.conn.Ping(ctx)
	f.lag.Store(time.Since(began).Milliseconds())
	return err
}

// frame is a command over a socket.
type frame struct {
	Do   live.Verb `json:"do"`
	Ref  string    `json:"ref"` // comes back with the answer
	Move string    `json:"move"`
	Ply  *int      `json:"ply"`
	What string    `json:"what"`
	Side string    `json:"side"`
	Key  string    `json:"key"` // of idempotency
}

// ping asks for the number of spectators and the service time, by which pages stop their
// clocks when it stops. Scripts cannot see the pings of the protocol, so pages use this one
// to notice a dead connection.
const ping live.Verb = "ping"

// reply is the response to a frame.
type reply struct {
	Kind     string           `json:"kind"` // "reply"
	Ref      string           `json:"ref"`
	Status   int              `json:"status"`
	Done     *commandResponse `json:"done,omitempty"`
	Watching *int             `json:"watching,omitempty"` // to a ping
	Service  *int64           `json:"service,omitempty"`  // to a ping: the service time, less what it will still stand
	Problem  *api.Problem     `json:"problem,omitempty"`
}

// read executes frames until the connection fails.
func (f *socketConn) read(ctx context.Context) {
	for {
		kind, data, err := f.conn.Read(ctx)
		if err != nil {
			return
		}
		if kind != websocket.MessageText {
			f.close(websocket.StatusUnsupportedData, "expected text")
			return
		}
		a := reply{Kind: "reply", Status: http.StatusInternalServerError, Problem: api.FaultProblem()} // unless there is an answer
		f.server.hall.Contain("frame", func() { a = f.answer(ctx, data) }, "game", f.room.ID(), "frame", string(data))
		if f.send(api.Encode(a)) != nil {
			return
		}
		if a.Status == http.StatusTooManyRequests {
			clock.Sleep(ctx, throttlePause) // backpressure: the rest waits at the client
		}
	}
}

// throttlePause is how long a socket is not read after a frame beyond the limit.
const throttlePause = time.Second

// answer executes a frame.
func (f *socketConn) answer(ctx context.Context, data []byte) reply {
	in, err := f.parse(data)
	if err != nil {
		return f.refused(in, err)
	}
	if in.Do == ping {
		watching, service := f.others(), f.server.hall.ClientTime()
		return reply{Kind: "reply", Ref: in.Ref, Status: http.StatusOK, Watching: &watching, Service: &service}
	}
	c, err := f.server.check(f.room, f.keys, in.Do, commandRequest{Move: in.Move, Ply: in.Ply, What: in.What, Side: in.Side}, in.Key)
	if err != nil {
		return f.refused(in, err)
	}
	c.Lag = f.lag.Load()
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	d, err := f.server.perform(ctx, f.room, c, f.from)
	if err != nil {
		return f.refused(in, err)
	}
	return reply{Kind: "reply", Ref: in.Ref, Status: http.StatusOK, Done: d}
}

// commandTime is how long a command may take. The hall gives up sooner (hall.Hall.Do), so
// that the client learns what became of it.
const commandTime = 20 * time.Second

// parse decodes a frame, counts it against the limit of its address, and checks its fields.
func (f *socketConn) parse(data []byte) (in frame, err error) {
	err = body.Decode(data, &in)
	if many := f.server.Limited(f.server.Limits.Requests, f.from, "requests", "requests and frames from your address"); many != nil {
		err = many
	}
	if err == nil {
		err = in.only(data)
	}
	if err == nil {
		err = api.CheckKey(in.Key)
	}
	return in, err
}

// only rejects a frame with an unknown verb, or with fields that its verb does not use.
func (in frame) only(data []byte) error {
	names := []string{"do", "ref"}
	if in.Do != ping {
		if _, ok := verbs[string(in.Do)]; !ok && in.Do != live.Move || in.Do == "moves" {
			return api.Invalid("do", "do %q: expected move, resign, offer, accept, decline, takeback, claim, claimwin, calloff, berserk, rematch, say or ping", in.Do)
		}
		names = append(append(names, "key"), fieldsOf(in.Do)...)
	}
	return body.Only(data, names...)
}

func (f *socketConn) refused(in frame, err error) reply {
	p := f.server.Problem(err)
	f.server.Count.Refused(p.Code)
	return reply{Kind: "reply", Ref: in.Ref, Status: p.Status, Problem: p}
}
