package serve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/live"
	"quintet/serve/api"
)

// pipes is a listener whose connections are in memory and keep nothing: what is
// written waits until it is read. Their time is that of the test.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error {
	select {
	case <-p.closed:
	default:
		close(p.closed)
	}
	return nil
}

func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes", Net: "unix"} }

// dial connects a client, which gives up after some hours.
func (p pipes) dial() net.Conn {
	client, server := net.Pipe()
	_ = client.SetDeadline(time.Now().Add(10 * time.Hour))
	p.conns <- server
	return client
}

// ran is a server that runs on pipes, with a game.
type ran struct {
	t *testing.T
	pipes
	server *Server
	log    *fullLog
	id     string
	stop   func() error // and the error of Run
}

// running lets a test use a server that runs, in the test's own time.
func running(t *testing.T, c Config, test func(*ran)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c.Hold = -1
		l := &fullLog{Log: live.NewMemory()}
		s, err := New(t.Context(), l, c.SharePages())
		if err != nil {
			t.Fatal(err)
		}
		r := &ran{t, pipes{make(chan net.Conn), make(chan struct{})}, s, l, "abcdefgh234f", nil}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Run(ctx, r.pipes) }()
		r.stop = func() error {
			cancel()
			err := <-ended
			ended <- err
			return err
		}
		players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}
		if err := s.hall.Open(t.Context(), r.id, live.Settings{Game: "othello", Seats: players}, ""); err != nil {
			t.Fatal(err)
		}
		test(r)
		_ = r.stop()
	})
}

// says sends a request, or the beginning of one, and does not read the answer.
func (r *ran) says(text string) net.Conn {
	r.t.Helper()
	c := r.dial()
	if _, err := io.WriteString(c, strings.ReplaceAll(text, "\n", "\r\n")); err != nil {
		r.t.Fatal(err)
	}
	return c
}

func get(path string) string { return "GET " + path + " HTTP/1.1\nHost: x\n\n" }

// answered reads an answer in pieces of a size, with a pause between them.
func (r *ran) answered(c net.Conn, at int, wait time.Duration) (status int, body []byte, err error) {
	in := bufio.NewReader(&slowly{c, at, wait})
	got, err := http.ReadResponse(in, nil)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = got.Body.Close() }()
	body, err = io.ReadAll(got.Body)
	return got.StatusCode, body, err
}

type slowly struct {
	from io.Reader
	at   int
	wait time.Duration
}

func (s *slowly) Read(p []byte) (int, error) {
	time.Sleep(s.wait)
	return s.from.Read(p[:min(len(p), s.at)])
}

// TestStalledReaders checks that clients that do not read their answers do not keep others
// from playing moves through: there is a slot or two for that.
func TestStalledReaders(t *testing.T) {
	for path, body := range map[string]string{
		"/api/replay":            `{"game":"connect6","moves":["J9"],"list":true}`,
		"/api/analysis/position": `{"game":"connect6","moves":["J9"]}`,
	} {
		post := fmt.Sprintf("POST %s HTTP/1.1\nHost: x\nContent-Length: %d\n\n%s", path, len(body), body)
		running(t, Config{}, func(r *ran) {
			for range max(1, runtime.GOMAXPROCS(0)/2) { // slots
				stalled := r.says(post)
				defer func() { _ = stalled.Close() }()
			}
			synctest.Wait()
			c := r.says(post)
			defer func() { _ = c.Close() }()
			if status, answer, err := r.answered(c, 1<<16, 0); status != http.StatusOK || len(answer) < 2*4096 || err != nil {
				t.Errorf("%s: %d with %d bytes, %.200s, %v: want 200 and more than the server buffers", path, status, len(answer), answer, err)
			}
		})
	}
}

// TestStalledBody checks that a request whose body stalls is answered after a minute and
// its connection closed, whether a handler reads the rest or not.
func TestStalledBody(t *testing.T) {
	for path, status := range map[string]int{"/api/games": 400, "/api/games/aaaaaaaaaaaa/moves": 404, "/api/replay": 400} {
		running(t, Config{}, func(r *ran) {
			began := time.Now()
			c := r.says("POST " + path + " HTTP/1.1\nHost: x\nContent-Length: 500\n\n{")
			got, body, err := r.answered(c, 1<<10, 0)
			if err != nil || got != status {
				r.t.Errorf("%s: status %d, %s, %v; want %d", path, got, body, err, status)
			}
			if _, err := c.Read(make([]byte, 1)); !errors.Is(err, io.EOF) || time.Since(began) > api.StallTimeout+time.Second {
				r.t.Errorf("%s: %v after %s, want the connection closed after %s", path, err, time.Since(began), api.StallTimeout)
			}
		})
	}
}

// TestSlowLines checks that requests and answers of 100 KB a minute succeed, although in
// all they take longer than a piece may.
func TestSlowLines(t *testing.T) {
	running(t, Config{}, func(r *ran) {
		quick := r.says(get("/api/openapi.json"))
		_, want, err := r.answered(quick, 1<<20, 0)
		if err != nil || len(want) < 2*16<<10 {
			r.t.Fatalf("%d bytes, %v; want an answer of several pieces", len(want), err)
		}
		began := time.Now()
		_, got, err := r.answered(r.says(get("/api/openapi.json")), 500, time.Second)
		if err != nil || len(got) != len(want) || time.Since(began) < 2*api.StallTimeout {
			r.t.Errorf("at 500 bytes a second: %d bytes in %s, %v; want %d", len(got), time.Since(began), err, len(want))
		}
		body := `{"game":"othello"}`
		r.log.slow.Store(int64(10 * time.Second)) // what it comes to takes longer than the rest of the minute
		c := r.says(fmt.Sprintf("POST /api/games HTTP/1.1\nHost: x\nContent-Length: %d\n\n", len(body)))
		for i := range body {
			time.Sleep(3 * time.Second)
			_, _ = io.WriteString(c, body[i:i+1])
		}
		if status, answer, err := r.answered(c, 1<<10, 0); status != 201 || err != nil {
			r.t.Errorf("a request of %d bytes at one in three seconds: %d, %s, %v", len(body), status, answer, err)
		}
	})
}

// TestWhoDoesNotRead: a client that does not read its animation does not block others, and
// is disconnected.
func TestWhoDoesNotRead(t *testing.T) {
	running(t, Config{}, func(r *ran) {
		if _, err := r.server.hall.Do(r.t.Context(), r.id, live.Command{Do: live.Resign, Side: game.First}); err != nil {
			r.t.Fatal(err)
		}
		stalled := r.says(get("/api/games/" + r.id + "/game.gif"))
		time.Sleep(time.Second)
		began := time.Now()
		status, _, err := r.answered(r.says(get("/api/games/"+r.id+"/game.gif")), 64<<10, 0)
		if status != 200 || err != nil || time.Since(began) > time.Second {
			r.t.Errorf("beside a response that is not read: status %d, %v, after %s", status, err, time.Since(began))
		}
		time.Sleep(api.StallTimeout)
		if status, _, err := r.answered(stalled, 64<<10, 0); err == nil {
			r.t.Errorf("it is read after %s: status %d, want it given up", api.StallTimeout, status)
		}
	})
}

// sluggish is an engine that takes a long time for each move, whatever its limit.
type sluggish struct {
	engine.Player
	takes time.Duration
}

func (s sluggish) Choose(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error) {
	time.Sleep(s.takes)
	return s.Player.Choose(ctx, m, l)
}

// TestStopsBesideStalled checks that a server stops in time and without an error although
// one client does not send and another does not read, and that its engines answer first.
func TestStopsBesideStalled(t *testing.T) {
	const thinks = 12 * time.Second
	slow := func(name string, g game.Game, o bots.Options) (engine.Player, error) {
		p, err := bots.NewPlayer(name, g, o)
		return sluggish{p, thinks}, err
	}
	running(t, Config{Shared: true, newPlayer: slow}, func(r *ran) {
		r.says("POST /api/games HTTP/1.1\nHost: x\nContent-Length: 500\n\n")
		r.says(get("/api/openapi.json"))
		synctest.Wait()
		began := time.Now()
		players := [2]live.Player{{Name: "random", Engine: "random"}, {Name: "b", Secret: "b"}}
		if err := r.server.hall.Open(r.t.Context(), "abcdefgh2399", live.Settings{Game: "othello", Seats: players}, ""); err != nil {
			r.t.Fatal(err)
		}
		synctest.Wait() // the engine thinks while those two have all the time of requests
		if err := r.stop(); err != nil {
			r.t.Errorf("it stops with %v", err)
		}
		if took := time.Since(began); took < thinks || took > thinks+time.Second {
			r.t.Errorf("it stops after %s, want it when the engine has answered, after %s", took, thinks)
		}
	})
}

// TestStreamsLast checks that the deadline of an answer does not apply to sockets and
// event streams, which last longer than all of them.
func TestStreamsLast(t *testing.T) {
	running(t, Config{}, func(r *ran) {
		lines := bufio.NewScanner(r.says(get("/api/games/" + r.id + "/events")))
		client := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return r.dial(), nil }}}
		socket, _, err := websocket.Dial(r.t.Context(), "ws://x/api/games/"+r.id+"/socket", &websocket.DialOptions{HTTPClient: client}) //nolint:bodyclose // the library closes it
		if err != nil {
			r.t.Fatal(err)
		}
		defer func() { _ = socket.CloseNow() }()
		go func() {
			time.Sleep(10 * time.Minute)
			_, _ = r.server.hall.Do(r.t.Context(), r.id, live.Command{Do: live.Move, Move: "f4", Ply: 0})
		}()
		told := make(chan bool)
		go func() {
			for lines.Scan() && !strings.Contains(lines.Text(), "f4") {
			}
			told <- strings.Contains(lines.Text(), "f4")
		}()
		for data := []byte(nil); err == nil && !strings.Contains(string(data), `"move":"f4"`); {
			_, data, err = socket.Read(r.t.Context())
		}
		if err != nil {
			r.t.Errorf("after ten minutes the socket says %v", err)
		}
		if !<-told {
			r.t.Errorf("after ten minutes the lines of events end: %v", lines.Err())
		}
	})
}
