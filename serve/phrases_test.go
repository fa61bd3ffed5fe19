package serve_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"quintet/lab/await"
	"quintet/live"
	"quintet/serve"
)

// peers is a network of servers.
type peers struct {
	mu    sync.Mutex // guards hears
	hears [3]func(seats []string)
}

// peer is the network as one server sees it.
type peer struct {
	net *peers
	i   int
}

func (p peer) AnnouncePresence(seats []string) error {
	p.net.mu.Lock()
	defer p.net.mu.Unlock()
	for i, hear := range p.net.hears {
		if i != p.i && hear != nil {
			hear(seats)
		}
	}
	return nil
}

func (p peer) SubscribePresence(hear func(seats []string)) (stop func(), err error) {
	p.net.mu.Lock()
	defer p.net.mu.Unlock()
	p.net.hears[p.i] = hear
	return func() {}, nil
}

// TestPhrases checks that a phrase reaches the players on both servers and no spectator, that the list is fixed, and that
// phrases are limited and stop between people who block each other. Spectators do not count themselves.
func TestPhrases(t *testing.T) {
	l, net := live.NewMemory(), &peers{}
	one := start(t, l, serve.Config{Shared: true, Presence: peer{net, 0}})
	two := start(t, l, serve.Config{Shared: true, Presence: peer{net, 1}})
	one.ready()
	two.ready()
	ann, ben := one.signUp("Ann"), two.signUp("Ben")
	await.Until(t, "the servers know both", func() bool { // rooms of people with a new name are closed
		return one.get("/api/people/Ben").status == 200 && two.get("/api/people/Ann").status == 200
	})
	id := ann.id()
	ben.do("POST", "/api/games/"+id+"/seats/second", "", 200, "")
	dial := func(s *site, headers ...string) *websocket.Conn {
		t.Helper()
		h := http.Header{}
		for i := 0; i < len(headers); i += 2 {
			h.Add(headers[i], headers[i+1])
		}
		c, _, err := websocket.Dial(t.Context(), s.url+"/api/games/"+id+"/socket?presence=1", &websocket.DialOptions{HTTPHeader: h}) //nolint:bodyclose // the library closes it
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.CloseNow() })
		return c
	}
	a, b, spectator := dial(one, ann.cookies()...), dial(two, ben.cookies()...), dial(one)
	receive(t, spectator, `"watching":0`)
	say := func(what string) {
		t.Helper()
		if err := a.Write(t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"do":"say","what":%q}`, what)); err != nil {
			t.Fatal(err)
		}
	}
	await.Until(t, "the servers hear each other", func() bool {
		net.mu.Lock()
		defer net.mu.Unlock()
		return net.hears[1] != nil
	})
	say("luck")
	receive(t, a, `{"kind":"said","phrase":"luck","side":"first"}`)
	receive(t, b, `{"kind":"said","phrase":"luck","side":"first"}`)
	say("you fool")
	receive(t, a, `"field":"what"`)
	ben.do("POST", "/api/games/"+id+"/say", `{"what":"fun"}`, 200, "")
	receive(t, a, `{"kind":"said","phrase":"fun","side":"second"}`)
	if err := spectator.Write(t.Context(), websocket.MessageText, []byte(`{"do":"ping"}`)); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		_, data, err := spectator.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if text := string(data); text[:14] == `{"kind":"said"` {
			t.Errorf("a spectator gets %s", text)
		} else if text[:15] == `{"kind":"reply"` {
			break
		}
	}
	for range 4 {
		ann.do("POST", "/api/games/"+id+"/say", `{"what":"oops"}`, 200, "")
	}
	if got := ann.do("POST", "/api/games/"+id+"/say", `{"what":"oops"}`, 429, "limited"); got.text("reason") != "limited.phrases" {
		t.Errorf("one phrase too many: %v", got.body)
	}
	ben.do("POST", "/api/people/Ann/block", "", 200, "")
	ben.do("POST", "/api/games/"+id+"/say", `{"what":"fun"}`, 409, "taken")
}
