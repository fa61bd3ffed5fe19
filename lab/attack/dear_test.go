package attack

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quintet/game"
	"quintet/games"
	"quintet/internal/gcpace"
)

// TestHugeAndSlow sends huge bodies and requests that never end, and checks that games
// continue beside them.
func TestHugeAndSlow(t *testing.T) {
	a := begin(t)
	var slow []net.Conn
	for i := range 100 {
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", a.at)
		if err != nil {
			t.Fatal(err)
		}
		slow = append(slow, c)
		start := []string{"GET / HT", "POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: 30000\r\n\r\n{", "GET /assets/x/app.js HTTP/1.1\r\nHost: x\r\n\r\n", "POST /api/replay HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n"}[i%4]
		if _, err := io.WriteString(c, start); err != nil {
			t.Fatal(err)
		}
	}
	huge := strings.Repeat("x", 8<<20)
	a.each(func(method, path string, op operation) {
		if method == http.MethodPost {
			a.check(op, a.ask(method, a.fill(path, a.victim.id, "first"), "", `{"game":"`+huge+`"}`), "a huge body for "+path)
			a.check(op, a.ask(method, a.fill(path, a.victim.id, "first"), "", strings.Repeat("[", 32<<10)), "a deep body for "+path)
		}
	})
	a.unharmed()
	for _, c := range slow {
		_ = c.Close() // the server may have closed it
	}
}

// TestSockets sends frames of all kinds to sockets, and checks that games continue.
func TestSockets(t *testing.T) {
	a := begin(t)
	frame := func(first byte, text string) []byte { // with a mask of zeros
		if len(text) < 126 {
			return append([]byte{first, 0x80 | byte(len(text)), 0, 0, 0, 0}, text...)
		}
		return append([]byte{first, 0x80 | 126, byte(len(text) >> 8), byte(len(text)), 0, 0, 0, 0}, text...)
	}
	frames := [][]byte{
		bytes.Repeat(frame(0x89, "ping"), 5000), bytes.Repeat(frame(0x8a, "pong"), 5000), bytes.Repeat(frame(0x01, ""), 5000), frame(0x81, strings.Repeat("x", 60000)), frame(0x82, "binary"),
		{0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}, frame(0x88, "x"), {0xff, 0xff}, frame(0x81, strings.Repeat("[", 1000)),
	}
	for _, value := range hostile() {
		for _, name := range []string{"do", "ref", "move", "ply", "what", "side", "key"} {
			if body := fmt.Sprintf(`{%q:%s}`, name, value); len(body) < 1000 {
				frames = append(frames, frame(0x81, body))
			}
		}
	}
	for i := 0; i < len(frames); i += 60 {
		for _, f := range frames[i:min(i+60, len(frames))] {
			a.raw(f)
		}
	}
	if s := a.state(a.victim.id); s.Ply != 0 {
		t.Error("the game was changed")
	}
	a.unharmed()
}

// raw opens a socket to the victim's game, sends bytes, and takes a first answer.
func (a *target) raw(data []byte) {
	a.t.Helper()
	c, err := new(net.Dialer).DialContext(a.t.Context(), "tcp", a.at)
	if err != nil {
		a.t.Fatal(err)
	}
	defer func() { _ = c.Close() }() // the server may have closed it
	hello := "GET /api/games/" + a.victim.id + "/socket HTTP/1.1\r\nHost: " + a.at + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
	_, _ = io.WriteString(c, hello)
	if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, " 101 ") {
		a.t.Fatalf("a socket: %q, %v", line, err)
	}
	_ = c.SetWriteDeadline(time.Now().Add(200 * time.Millisecond)) // it may not be read
	_, _ = c.Write(data)
}

// dearest opens a game of 26x26 with the given number of plies that is over.
func (a *target) dearest(seed uint64) string {
	a.t.Helper()
	g, err := games.ByName("othello")
	if err != nil {
		a.t.Fatal(err)
	}
	p, err := g.Start(game.Setup{"size": "26"})
	if err != nil {
		a.t.Fatal(err)
	}
	r, moves := rand.New(rand.NewPCG(seed, 1)), []string{}
	for m := game.NewMatch(g, p); len(moves) < 600; {
		legal := m.Legal()
		moves = append(moves, m.Position().Format(legal[r.IntN(len(legal))]))
		if err := m.PlayText(moves[len(moves)-1]); err != nil || m.Over() {
			a.t.Fatalf("the game ends early, %v", err)
		}
	}
	body, err := json.Marshal(map[string]any{"game": "othello", "options": map[string]string{"size": "26"}, "moves": moves})
	if err != nil {
		a.t.Fatal(err)
	}
	t := a.open(string(body))
	a.ask(http.MethodPost, "/api/games/"+t.id+"/resign", t.tokens[0], "")
	return t.id
}

// clients asks for the dearest things from the given number of addresses until the context
// ends, and returns how many answers of each status there were.
func (a *target) clients(ctx context.Context, n int, ids []string) map[int]int {
	var all sync.WaitGroup
	var mu sync.Mutex // guards count
	count := map[int]int{}
	for i := range n {
		all.Go(func() {
			for k := i; ctx.Err() == nil; k++ {
				kinds := []string{"record?form=sgf", "record", "forms", "game.gif", "record?form=moves", fmt.Sprintf("board.png?ply=%d", k%600), fmt.Sprintf("board.svg?ply=%d", k%600)}
				r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+a.at+"/api/games/"+ids[k%len(ids)]+"/"+kinds[k%len(kinds)], nil)
				if err != nil {
					return
				}
				r.Header.Set("X-Forwarded-For", fmt.Sprintf("192.0.2.%d", i)) // each has an address of its own
				got := a.do(r)
				if got.status == http.StatusTooManyRequests || got.status == http.StatusServiceUnavailable {
					time.Sleep(500 * time.Millisecond) // as somebody who knows what is enough
				}
				mu.Lock()
				count[got.status]++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return count
}

// play plays moves for some time, and returns what they took.
func (a *target) play(d time.Duration) (took []time.Duration) {
	t := a.open(`{"game":"chess"}`)
	for began := time.Now(); time.Since(began) < d; {
		for i, move := range []string{"g1f3", "g8f6", "f3g1", "f6g8"} {
			due := time.Now()
			got := a.ask(http.MethodPost, "/api/games/"+t.id+"/moves", t.tokens[i%2], `{"move":"`+move+`"}`)
			if got.status != http.StatusOK { // the position has come too often
				t = a.open(`{"game":"chess"}`)
				break
			}
			took = append(took, time.Since(due))
			time.Sleep(5 * time.Millisecond)
		}
	}
	return took
}

// TestDearest requests records and pictures of long games with a hundred clients, and
// checks that moves are made all the while. The longer version measures the time of moves
// with and without them, in turn.
func TestDearest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var pace sync.WaitGroup
	pace.Go(func() { gcpace.Run(ctx, 256<<20, 50) }) // as quintet serve does
	defer pace.Wait()
	defer cancel()
	a := begin(t)
	var ids []string
	for i := range 4 {
		ids = append(ids, a.dearest(uint64(i)))
	}
	turns, each := 1, 500*time.Millisecond
	if d, err := time.ParseDuration(os.Getenv("QUINTET_ATTACK")); err == nil {
		turns, each = 8, d/16
	}
	var took [2][]time.Duration
	answers := map[int]int{}
	for range turns {
		for with := range 2 {
			stop := func() map[int]int { return nil }
			if with == 1 {
				stop = a.startClients(100, ids)
				time.Sleep(200 * time.Millisecond) // until they are there
			}
			took[with] = append(took[with], a.play(each)...)
			for status, n := range stop() {
				answers[status] += n
			}
		}
	}
	if len(took[0]) == 0 || len(took[1]) == 0 {
		t.Errorf("%d moves without, %d with a hundred clients: want some", len(took[0]), len(took[1]))
	}
	for status := range answers {
		if !slices.Contains([]int{0, 200, 409, 429, 503}, status) {
			t.Errorf("renderings are answered with %d", status)
		}
	}
	for with, list := range took {
		slices.Sort(list)
		if len(list) > 0 {
			t.Logf("%d clients: %d moves, p50 %s, p99 %s, max %s", 100*with, len(list), list[len(list)/2], list[len(list)*99/100], list[len(list)-1])
		}
	}
	t.Logf("answers by status: %v", answers)
	a.unharmed()
}
