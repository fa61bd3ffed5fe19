package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"quintet/game"
	"quintet/games/connect6"
	"quintet/serve/api"
)

// opens opens a socket of a game, by a proxy that names an address.
func (r *ran) opens(from string) (*websocket.Conn, *http.Response, error) {
	client := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return r.dial(), nil }}}
	return websocket.Dial(r.t.Context(), "ws://x/api/games/"+r.id+"/socket", &websocket.DialOptions{HTTPClient: client, HTTPHeader: http.Header{"X-Forwarded-For": {from}}})
}

// TestTooManySockets limits the sockets and event streams of an address, without effect on
// other addresses, and accepts new ones when one closes.
func TestTooManySockets(t *testing.T) {
	running(t, Config{MaxConns: 2, TrustProxy: true}, func(r *ran) {
		const ann, ben = "192.0.2.1", "192.0.2.2"
		first, _, err := r.opens(ann) //nolint:bodyclose // the library closes it
		if err != nil {
			r.t.Fatal(err)
		}
		stream := strings.Replace(get("/api/games/"+r.id+"/events"), "\n\n", "\nX-Forwarded-For: "+ann+"\n\n", 1)
		lines := r.says(stream)
		if text, err := bufio.NewReader(lines).ReadString('\n'); err != nil || !strings.Contains(text, "200") {
			r.t.Errorf("the second: %q, %v", text, err)
		}
		refused := func() bool {
			c, got, err := r.opens(ann) //nolint:bodyclose // the library closes it
			if err == nil {
				_ = c.CloseNow()
				return false
			}
			var p Problem
			if got == nil || got.StatusCode != http.StatusTooManyRequests || json.NewDecoder(got.Body).Decode(&p) != nil || p.Reason != "limited.requests" || p.Until == "" || p.After == 0 {
				r.t.Errorf("the third socket: %v, %+v", err, p)
			}
			return true
		}
		if !refused() {
			r.t.Error("an address gets a third")
		}
		if status, _, err := r.answered(r.says(stream), 1<<10, 0); status != http.StatusTooManyRequests || err != nil {
			r.t.Errorf("the third stream of events: status %d, %v", status, err)
		}
		other, _, err := r.opens(ben) //nolint:bodyclose // the library closes it
		if err != nil {
			r.t.Fatalf("another address: %v", err)
		}
		_, _ = first.CloseNow(), other.CloseNow()
		time.Sleep(2 * pingOthers)
		if refused() {
			r.t.Error("there is no room when one has ended")
		}
		_ = lines.Close()
		time.Sleep(2 * api.KeepAliveEvery)
		for range 5 {
			if refused() {
				r.t.Error("sockets that have ended count")
			}
			time.Sleep(2 * pingOthers)
		}
	})
}

// TestTooManyFrames counts all frames of an address, and stops reading for a while when
// there are too many.
func TestTooManyFrames(t *testing.T) {
	for name, text := range map[string]string{"pings": `{"do":"ping","ref":"7"}`, "frames that cannot be read": `nonsense`, "commands without a seat": `{"do":"resign","ref":"7"}`} {
		running(t, Config{RequestRate: Rate{Burst: 10, Second: 1}}, func(r *ran) {
			c, _, err := r.opens("") //nolint:bodyclose // the library closes it
			if err != nil {
				r.t.Fatal(err)
			}
			defer func() { _ = c.CloseNow() }()
			if _, _, err := c.Read(r.t.Context()); err != nil { // the game
				r.t.Fatal(err)
			}
			began := time.Now()
			answers := map[int]int{}
			for time.Since(began) < pingOthers-5*time.Second { // these connections keep nothing: a ping and a frame would wait for each other
				time.Sleep(10 * time.Millisecond)
				if err := c.Write(r.t.Context(), websocket.MessageText, []byte(text)); err != nil {
					r.t.Fatal(err)
				}
				_, data, err := c.Read(r.t.Context())
				if err != nil {
					r.t.Fatal(err)
				}
				var a reply
				if err := json.Unmarshal(data, &a); err != nil {
					r.t.Fatal(err)
				}
				if a.Status == http.StatusTooManyRequests && (a.Problem.Until == "" || text != "nonsense" && a.Ref != "7") {
					r.t.Errorf("%s: the answer is %s", name, data)
				}
				answers[a.Status]++
			}
			if n := answers[http.StatusTooManyRequests]; n < 1 || n > 60 || len(answers) < 2 {
				r.t.Errorf("%s: answers by status: %v, want some that are done, and one a second at most that says that they are too many", name, answers)
			}
		})
	}
}

// TestTooManyPings answers a burst of pings, then one a second, and keeps the socket open.
func TestTooManyPings(t *testing.T) {
	running(t, Config{}, func(r *ran) {
		c, _, err := r.opens("") //nolint:bodyclose // the library closes it
		if err != nil {
			r.t.Fatal(err)
		}
		defer func() { _ = c.CloseNow() }()
		if _, _, err := c.Read(r.t.Context()); err != nil { // the game
			r.t.Fatal(err)
		}
		gone := c.CloseRead(r.t.Context())
		answered, began := 0, time.Now()
		for time.Since(began) < 30*time.Second {
			ctx, cancel := context.WithTimeout(r.t.Context(), 2*throttlePause)
			if c.Ping(ctx) == nil {
				answered++
			}
			cancel()
		}
		if rate := controlRate(); answered < int(rate.Burst) || answered > int(rate.Burst+30*rate.Second) || gone.Err() != nil {
			r.t.Errorf("%d pings are answered in 30 s, %v, want %v and then %v a second", answered, gone.Err(), rate.Burst, rate.Second)
		}
	})
}

// post is a request with a body.
func post(path, body string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\nHost: x\nContent-Type: application/json\nContent-Length: %d\n\n%s", path, len(body), body)
}

// randomMoves returns random moves from a position, at most n.
func randomMoves(p game.Position, n int) (moves []string) {
	random := rand.NewPCG(1, 1)
	for len(moves) < n && !p.Result().Over() {
		m := game.Sample(p, random, nil)
		moves = append(moves, p.Format(m))
		p.Play(m)
	}
	return moves
}

// TestTooManyRenderings checks that an address which does not read its pictures, replays and
// studies gets no more of them: each is kept until it is read.
func TestTooManyRenderings(t *testing.T) {
	start, err := connect6.Start(19)
	if err != nil {
		t.Fatal(err)
	}
	request, err := json.Marshal(map[string]any{"game": "connect6", "moves": randomMoves(start, 200)}) // too large for buffers
	if err != nil {
		t.Fatal(err)
	}
	text := string(request)
	for name, ask := range map[string]func(*ran) string{
		"picture": func(r *ran) string { return get("/api/games/" + r.id + "/board.svg") },
		"replay":  func(*ran) string { return post("/api/replay", text) },
		"studies": func(*ran) string { return post("/api/studies", text) },
		"study": func(r *ran) string {
			_, body, err := r.answered(r.says(post("/api/studies", text)), 64<<10, 0)
			var made struct {
				ID string `json:"id"`
			}
			if err == nil {
				err = json.Unmarshal(body, &made)
			}
			if err != nil || made.ID == "" {
				r.t.Fatalf("%s, %v", body, err)
			}
			return get("/api/studies/" + made.ID)
		},
	} {
		t.Run(name, func(t *testing.T) {
			running(t, Config{}, func(r *ran) {
				request := ask(r)
				for range api.RenderEach { // each is a connection that fills up
					r.says(request)
				}
				synctest.Wait()
				if status, _, err := r.answered(r.says(request), 1<<10, 0); status != http.StatusTooManyRequests || err != nil {
					r.t.Errorf("one more: status %d, %v", status, err)
				}
				time.Sleep(3 * api.StallTimeout)
				if status, body, err := r.answered(r.says(request), 64<<10, 0); status != http.StatusOK && status != http.StatusCreated || err != nil {
					r.t.Errorf("when they are given up: status %d, %s, %v", status, body, err)
				}
			})
		})
	}
}

// TestDearRequestsHaveSlots checks that requests which are expensive to answer wait for a slot, so that an
// address cannot keep all processors busy with them, and that not too many of an address wait.
func TestDearRequestsHaveSlots(t *testing.T) {
	running(t, Config{}, func(r *ran) {
		time.Sleep(time.Second) // until the server knows all games in progress
		made := func(path string) (answer struct{ ID, Key string }) {
			_, body, err := r.answered(r.says(post(path, `{"game":"chess","moves":["g1f3"]}`)), 64<<10, 0)
			if err := errors.Join(err, json.Unmarshal(body, &answer)); err != nil {
				r.t.Fatal(err)
			}
			return answer
		}
		study, review := made("/api/studies"), made("/api/reviews")
		for range max(1, runtime.GOMAXPROCS(0)/2) {
			done, err := r.server.Slot(r.t.Context())
			if err != nil {
				r.t.Fatal(err)
			}
			defer done()
		}
		for name, request := range map[string]string{
			"study": get("/api/studies/" + study.ID), "review": get("/api/reviews/" + review.ID),
			"edits":  post("/api/studies/"+study.ID+"/edits?key="+study.Key, `{"after":0,"edits":[{"do":"title","text":"x"}]}`),
			"record": post("/api/reviews", `{"record":"[Game \"chess\"]\n\n1. g1f3"}`),
			"lines":  post("/api/analysis/lines", `{"game":"chess","moves":["g1f3"]}`),
		} {
			for range api.RenderEach - 1 {
				_ = r.says(request)
			}
			last := r.says(request)
			synctest.Wait()
			if status, body, err := r.answered(r.says(request), 1<<10, 0); status != http.StatusTooManyRequests || err != nil {
				r.t.Errorf("%s: %d %s, %v, want 429 when %d wait", name, status, body, err, api.RenderEach)
			}
			if status, _, err := r.answered(last, 1<<10, 0); status != http.StatusServiceUnavailable || err != nil {
				r.t.Errorf("%s: status %d, %v, want 503 because no slot becomes free", name, status, err)
			}
			synctest.Wait() // until the others have been answered
		}
	})
}
