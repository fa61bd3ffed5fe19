package push_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quintet/live"
	"quintet/serve"
)

// world is servers on one log, and the browsers to which they send.
type world struct {
	t        *testing.T
	servers  []*serve.Server
	browsers []*browser
}

// RoundTrip implements http.RoundTripper.
func (w *world) RoundTrip(r *http.Request) (*http.Response, error) {
	for _, b := range w.browsers {
		if b.endpoint == r.URL.String() {
			select {
			case <-r.Context().Done():
				return nil, r.Context().Err()
			case <-time.After(b.latency()):
			}
			return &http.Response{StatusCode: b.take(r), Body: io.NopCloser(strings.NewReader(""))}, nil
		}
	}
	w.t.Errorf("a message to %s", r.URL)
	return nil, io.ErrUnexpectedEOF
}

func newWorld(t *testing.T, servers int, client *http.Client) *world {
	t.Helper()
	w, l := &world{t: t}, live.NewMemory()
	if client == nil {
		client = &http.Client{Transport: w, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	for range servers {
		s, err := serve.New(t.Context(), l, serve.Config{Hold: -1, Shared: servers > 1, PushClient: client})
		if err != nil {
			t.Fatal(err)
		}
		s.Start(context.Background())
		w.servers = append(w.servers, s)
	}
	if servers > 1 {
		time.Sleep(3 * time.Second) // until their clocks run
	}
	return w
}

func (w *world) close() {
	for _, s := range w.servers {
		if err := s.Close(); err != nil {
			w.t.Error(err)
		}
	}
}

// settle waits until all servers know what one has written.
func (w *world) settle() {
	if len(w.servers) > 1 {
		synctest.Wait()
	}
}

// player is somebody with an account.
type player struct {
	*world
	token string
}

// do sends a request to a server, by its number, and returns the answer.
func (p player) do(server int, method, path, body string, status int) map[string]any {
	p.t.Helper()
	r := httptest.NewRequestWithContext(p.t.Context(), method, "https://quintet.example"+path, strings.NewReader(body))
	if p.token != "" {
		r.Header.Set("Authorization", "Bearer "+p.token)
	}
	a := httptest.NewRecorder()
	p.servers[server].Handler().ServeHTTP(a, r)
	v := map[string]any{}
	if err := json.Unmarshal(a.Body.Bytes(), &v); err != nil || a.Code != status {
		p.t.Fatalf("%s %s: %d %s, want %d", method, path, a.Code, a.Body, status)
	}
	return v
}

func (w *world) player(name string) player {
	v := player{world: w}.do(0, "POST", "/api/accounts", `{"name":"`+name+`","password":"correct horse"}`, 201)
	w.settle()
	return player{w, v["token"].(string)}
}

// subscribe subscribes a new browser.
func (p player) subscribe(endpoint, language string) *browser {
	p.t.Helper()
	b := newBrowser(p.t, endpoint)
	p.browsers = append(p.browsers, b)
	v := p.do(0, "POST", "/api/account/push", b.subscription(language), 200)
	b.server = v["key"].(string)
	p.settle()
	return b
}

// want fails unless a browser has got one message with some words, or none for "", a while later.
func (b *browser) want(words ...string) {
	b.t.Helper()
	time.Sleep(11 * time.Second)
	synctest.Wait()
	got := b.messages()
	for _, text := range words {
		if !strings.Contains(got, text) || strings.Contains(got, "\n") {
			b.t.Errorf("%s got %q, want one message with %q", b.endpoint, got, text)
		}
	}
	if len(words) == 0 && got != "" {
		b.t.Errorf("%s got %q, want nothing", b.endpoint, got)
	}
}

// TestPush plays a correspondence game on two servers: each message comes once, to who is not there, in the language of
// the browser.
func TestPush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 2, nil)
		defer w.close()
		ann, ben := w.player("Ann"), w.player("Ben")
		phone, laptop := ann.subscribe("https://push.example/a", "ja"), ben.subscribe("https://push.example/b", "en-GB")

		v := ben.do(0, "POST", "/api/challenges", `{"to":"Ann","game":"othello","clock":{"days":2},"as":"second"}`, 201)
		phone.want("Ben さんから", `"path":"/challenges"`)
		id := ann.do(1, "POST", "/api/challenges/"+v["id"].(string)+"/accept", "", 200)["id"].(string)
		laptop.want("Your game against Ann begins.", `"title":"Othello with pits"`, `"path":"/g/`+id+`"`)
		phone.messages() // as well
		move := func(p player, server int, text string) {
			t.Helper()
			p.do(server, "POST", "/api/games/"+id+"/moves", `{"move":"`+text+`"}`, 200)
		}
		move(ann, 1, "f4")
		laptop.want("It is your turn against Ann.", `"tag":"`+id+`"`)
		phone.want()
		move(ben, 0, "f3")
		phone.want("Ben さんとの対局で、あなたの番です")

		move(ann, 0, "e3")
		move(ben, 1, "f5") // at once: nobody waits any more
		laptop.want()
		phone.want("Ben")

		watch, leave := context.WithCancel(t.Context())
		stream := httptest.NewRequestWithContext(watch, "GET", "https://quintet.example/api/games/"+id+"/events", nil)
		stream.Header.Set("Authorization", "Bearer "+ben.token)
		done := make(chan struct{})
		go func() { defer close(done); w.servers[0].Handler().ServeHTTP(httptest.NewRecorder(), stream) }()
		synctest.Wait()
		legal := ann.do(0, "GET", "/api/games/"+id, "", 200)["legal"].([]any)
		move(ann, 0, legal[0].(map[string]any)["move"].(string))
		laptop.want() // it follows the game
		leave()
		<-done
	})
}

// TestFaults gives the answers of push services: messages are tried again a few times, and subscriptions that are gone
// are removed, as are those of sessions that have ended.
func TestFaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, nil)
		defer w.close()
		ann, ben := w.player("Ann"), w.player("Ben")
		phone := ann.subscribe("https://push.example/a", "en")
		count := func() int { return len(ann.do(0, "GET", "/api/account/push", "", 200)["endpoints"].([]any)) }
		challenge := func() {
			t.Helper()
			ben.do(0, "POST", "/api/challenges", `{"to":"Ann","game":"othello","clock":{"days":2}}`, 201)
		}
		for status, times := range map[int]int{201: 1, 500: 3, 429: 3, 307: 1, 400: 1} {
			phone.answer(status)
			challenge()
			time.Sleep(5 * time.Minute)
			if got := strings.Count(phone.messages(), "Ben"); got != times || count() != 1 {
				t.Errorf("after %d it was sent %d times, want %d, and there are %d subscriptions", status, got, times, count())
			}
		}
		phone.answer(410)
		challenge()
		time.Sleep(5 * time.Minute)
		if got := strings.Count(phone.messages(), "Ben"); got != 1 || count() != 0 {
			t.Errorf("after 410 it was sent %d times, and there are %d subscriptions", got, count())
		}

		a := httptest.NewRecorder()
		w.servers[0].Handler().ServeHTTP(a, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil))
		for _, want := range []string{"\nquintet_push_failed_total 8\n", "\nquintet_push_dropped_total 2\n"} {
			if !strings.Contains(a.Body.String(), want) {
				t.Errorf("the metrics lack %q", want)
			}
		}

		for _, end := range []string{"a", "b", "c", "d", "e", "f"} {
			ann.subscribe("https://push.example/many/"+end, "en")
		}
		list := ann.do(0, "GET", "/api/account/push", "", 200)["endpoints"].([]any)
		if len(list) != 5 || list[0] != "https://push.example/many/b" {
			t.Errorf("of six subscriptions there are %v", list)
		}
		ann.do(0, "DELETE", "/api/account/push", `{"endpoint":"https://push.example/many/f"}`, 200)
		for _, body := range []string{
			`{}`, strings.Replace(phone.subscription("en"), "https:", "http:", 1), strings.Replace(phone.subscription("en"), "push.example", "u:p@push.example", 1),
			strings.Replace(phone.subscription("en"), `"p256dh":"`, `"p256dh":"AA`, 1), strings.Replace(phone.subscription("en"), `"auth":"`, `"auth":"AA`, 1),
			strings.Replace(phone.subscription("en"), "/a", "/"+strings.Repeat("a", 1000), 1), phone.subscription(strings.Repeat("e", 36)),
		} {
			ann.do(0, "POST", "/api/account/push", body, 400)
		}
		other := player{w, ann.do(0, "POST", "/api/sessions", `{"name":"Ann","password":"correct horse"}`, 200)["token"].(string)}
		last := other.subscribe("https://push.example/other", "en")
		ann.do(0, "DELETE", "/api/sessions/current", "", 200)
		challenge()
		last.want("Ben")
		for _, b := range w.browsers {
			b.want() // its session has ended
		}
		other.do(0, "DELETE", "/api/account", `{"password":"correct horse"}`, 200)
		player{world: w}.do(0, "GET", "/api/account/push", "", 401)
	})
}
