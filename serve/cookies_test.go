package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"quintet/live"
)

// browser keeps cookies and sends them, the oldest first.
type browser struct {
	t      *testing.T
	server *Server
	url    *url.URL
	client *http.Client
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	s := beside(t, live.NewMemory())
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		h.Close()
		_ = s.Close()
	})
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	at, err := url.Parse(h.URL)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t, s, at, &http.Client{Jar: jar}}
}

// post sends a request and returns a field of the answer, and its headers.
func (b *browser) post(path, body, field string) (string, http.Header) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.url.String()+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	got, err := b.client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	var fields map[string]any
	if err := json.NewDecoder(got.Body).Decode(&fields); err != nil || got.StatusCode > 201 {
		b.t.Fatalf("%s: %d, %v, %v", path, got.StatusCode, fields, err)
	}
	text, _ := fields[field].(string)
	return text, got.Header
}

// play opens a game against an engine that is never woken, and returns its name.
func (b *browser) play() string {
	b.t.Helper()
	id, _ := b.post("/api/games", `{"game":"loa","as":"first","seats":{"second":"random"}}`, "id")
	return id
}

func (b *browser) over() string {
	b.t.Helper()
	id := b.play()
	b.post("/api/games/"+id+"/resign", "", "id")
	return id
}

// listed waits until the list has a number of finished games.
func (b *browser) listed(over int) {
	b.t.Helper()
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		n, err := b.server.index.Count(b.t.Context())
		if err == nil && n[live.Finished] == over && b.server.Ready.Load() {
			return
		}
		if time.Since(began) > time.Minute {
			b.t.Fatalf("the list has %v, %v; want %d games that are over", n, err, over)
		}
	}
}

// held returns the games whose seats the browser holds.
func (b *browser) held() map[string]bool {
	held := map[string]bool{}
	for _, c := range b.client.Jar.Cookies(b.url) {
		held[gameOfCookie(c.Name)] = true
	}
	return held
}

// TestSeatsOfABrowser limits the seat cookies of a browser without evicting those of running
// games or rematches.
func TestSeatsOfABrowser(t *testing.T) {
	b := newBrowser(t)
	b.listed(0)
	running, mother := b.play(), b.over()
	next, _ := b.post("/api/games/"+mother+"/rematch", "", "next")
	var ended []string
	for range maxSeatCookies - 2 {
		ended = append(ended, b.over())
	}
	if n := len(b.held()); n != maxSeatCookies {
		t.Errorf("%d seats, want none dropped of %d", n, maxSeatCookies)
	}
	b.listed(len(ended) + 1)
	latest := []string{b.play(), b.play(), b.play()}
	held := b.held()
	if len(held) != maxSeatCookies {
		t.Errorf("%d seats are held, want %d", len(held), maxSeatCookies)
	}
	for _, id := range append(latest, running, mother) {
		if !held[id] {
			t.Errorf("game %s is lost, though it, or its rematch %s, goes on", id, next)
		}
	}
	if held[ended[0]] || held[ended[1]] || held[ended[2]] || !held[ended[3]] {
		t.Errorf("of those that are over it is not the oldest three that are dropped: %v", slices.Sorted(maps.Keys(held)))
	}
	for id := range held { // the oldest of all, if none is over
		if slices.Contains(ended, id) {
			b.play()
		}
	}
	if held := b.held(); len(held) != maxSeatCookies || !held[running] {
		t.Errorf("%d seats, of the first game %t: want %d, and all that go on", len(held), held[running], maxSeatCookies)
	}
	b.play()
	if held := b.held(); len(held) != maxSeatCookies || held[running] {
		t.Errorf("%d seats, of the first game %t: want %d, without the oldest", len(held), held[running], maxSeatCookies)
	}
}

// TestEvictionIsGradual checks that a browser with too many seats gets a header of
// moderate length, and that no other cookies are dropped.
func TestEvictionIsGradual(t *testing.T) {
	b := newBrowser(t)
	b.listed(0)
	var cookies []*http.Cookie
	for i := range 2 * maxSeatCookies {
		cookies = append(cookies, &http.Cookie{Name: fmt.Sprintf("quintet_%s_second", strings.Repeat(string(alphabet[i%31]), 10)+string(alphabet[i/31])+"a"), Value: "x", Path: "/"})
	}
	for _, name := range []string{"quintet", "quintet_aaaaaaaaaaaa", "quintet_aaaaaaaaaaaa_third", "quintet_x_first", "other_aaaaaaaaaaaa_first", "quintet_AAAAAAAAAAAA_first"} {
		cookies = append(cookies, &http.Cookie{Name: name, Value: "x", Path: "/"})
	}
	b.client.Jar.SetCookies(b.url, cookies)
	_, header := b.post("/api/games", `{"game":"loa","as":"first"}`, "id")
	if n := len(header.Values("Set-Cookie")); n != maxEvicted+1 {
		t.Errorf("%d cookies are set, want the new one, and %d dropped", n, maxEvicted)
	}
	for range 10 {
		b.play()
	}
	seats, others := 0, 0
	for _, c := range b.client.Jar.Cookies(b.url) {
		if gameOfCookie(c.Name) != "" {
			seats++
		} else {
			others++
		}
	}
	if seats != maxSeatCookies || others != 6 {
		t.Errorf("in the end %d seats and %d other cookies, want %d and 6", seats, others, maxSeatCookies)
	}
}
