package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"quintet/lab/await"
	"quintet/live"
	"quintet/serve"
)

const (
	blitz   = `{"main":180,"increment":2}`
	loaSeek = `{"name":"%s","wants":[{"game":"chess","clock":{"main":60}},{"game":"loa","clock":` + blitz + `}]}`
)

// seeking is a request for an opponent.
type seeking struct {
	site  *site
	key   string
	name  string
	as    []string // headers of the account
	lines chan map[string]any
	leave context.CancelFunc
}

// seek begins a request for an opponent, whose key ends with the name.
func (s *site) seek(name, body string, headers ...string) *seeking {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	s.t.Cleanup(cancel)
	k := &seeking{s, "0123456789abcdef-" + name, name, headers, make(chan map[string]any, 100), cancel}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/api/seeks", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Idempotency-Key", k.key)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	got, err := http.DefaultClient.Do(r) //nolint:bodyclose // the goroutine below closes it
	if err != nil || got.StatusCode != http.StatusOK {
		s.t.Fatalf("%s seeks: %v, %v", name, got, err)
	}
	go func() {
		defer close(k.lines)
		defer func() { _ = got.Body.Close() }()
		for in := bufio.NewScanner(got.Body); in.Scan(); {
			var v map[string]any
			if json.Unmarshal(bytes.TrimSpace(in.Bytes()), &v) == nil {
				described(s.t, http.MethodPost, "/api/seeks", http.StatusOK, in.Bytes())
				k.lines <- v
			}
		}
	}()
	return k
}

// next returns the next line of a kind.
func (k *seeking) next(kind string) map[string]any {
	k.site.t.Helper()
	var got map[string]any
	await.Until(k.site.t, k.name+" hears "+kind, func() bool {
		got = k.heard(kind)
		return got != nil
	})
	return got
}

// heard returns the next line if it has come and is of a kind; nil otherwise.
func (k *seeking) heard(kind string) map[string]any {
	k.site.t.Helper()
	select {
	case v, ok := <-k.lines:
		if !ok {
			k.site.t.Fatalf("%s: the stream ended before %q", k.name, kind)
		}
		if v["kind"] == kind {
			return v
		}
	default:
	}
	return nil
}

// sit takes the seat named in a line, and returns the game and the token.
func (k *seeking) sit(line map[string]any) (id, token string) {
	k.site.t.Helper()
	id = line["id"].(string)
	body := `{"name":"` + k.name + `"}`
	if len(k.as) > 0 {
		body = `{}`
	}
	seat := k.site.want(k.site.post(fmt.Sprintf("/api/games/%s/seats/%s", id, line["side"]), body, append([]string{"Idempotency-Key", k.key}, k.as...)...), 200, "")
	return id, seat.text("token")
}

// TestPlayNow pairs two people, who can then both move. A third has left.
func TestPlayNow(t *testing.T) {
	s := open(t)
	gone := s.seek("Cid", `{"wants":[{"game":"othello","clock":`+blitz+`}]}`)
	gone.next("waiting")
	gone.leave()
	ann := s.seek("Ann", `{"name":"Ann","wants":[{"game":"loa","clock":`+blitz+`,"as":"second"},{"game":"othello","clock":`+blitz+`}]}`)
	if n := ann.next("waiting")["others"].(float64); n > 1 {
		t.Errorf("%v others wait", n)
	}
	ben := s.seek("Ben", fmt.Sprintf(loaSeek, "Ben"))
	line := ben.next("paired")
	if line["side"] != "first" {
		t.Errorf("Ben has the side %v, but Ann wanted the second", line["side"])
	}
	id, first := ben.sit(line)
	same, _ := ann.sit(ann.next("paired"))
	if same != id {
		t.Fatalf("Ann plays %s, Ben %s", same, id)
	}
	s.want(s.post("/api/games/"+id+"/moves", `{"move":"a1c1"}`, bearer(first)...), 200, "")
	if got := s.get("/api/games/" + id); got.text("game") != "loa" || got.body["clock"].(map[string]any)["main"].(float64) != 180 {
		t.Errorf("the game is %v", got.body)
	}
}

// TestRatedSeeks pairs two accounts in a rated game: both ratings change, and the winner is then too strong
// for the loser.
func TestRatedSeeks(t *testing.T) {
	s := open(t)
	body := `{"wants":[{"game":"loa","clock":` + blitz + `}],"rated":true,"apart":%d}`
	casual := strings.Replace(body, "true", "false", 1)
	account := map[string][]string{}
	for _, name := range []string{"Ann", "Ben"} {
		account[name] = bearer(s.want(s.post("/api/accounts", `{"name":"`+name+`",`+password+`}`), 201, "").text("token"))
	}
	first := strings.Replace(body, `"clock"`, `"as":"first","clock"`, 1)
	ann, ben := s.seek("Ann", fmt.Sprintf(first, 150), account["Ann"]...), s.seek("Ben", fmt.Sprintf(body, 150), account["Ben"]...)
	id, token := ann.sit(ann.next("paired"))
	ben.sit(ben.next("paired"))
	s.want(s.post("/api/games/"+id+"/moves", `{"move":"a1c1"}`, bearer(token)...), 200, "")
	s.want(s.post("/api/games/"+id+"/resign", `{}`, bearer(token)...), 200, "")
	points := func(name string) (points float64) {
		await.Until(t, name+" is rated", func() bool {
			list := s.get("/api/people/" + name).body["ratings"].([]any)
			if len(list) == 0 {
				return false
			}
			r := list[0].(map[string]any)
			points = r["rating"].(float64)
			return r["board"] == "loa" && r["games"].(float64) == 1 && r["provisional"] == true
		})
		return points
	}
	if a, b := points("Ann"), points("Ben"); a >= 1500 || b <= 1500 {
		t.Errorf("Ann, who resigned, has %v points, and Ben %v", a, b)
	}
	for name, seat := range map[string]string{"Ann": "first", "Ben": "second"} {
		game := s.get("/api/people/" + name + "/games").body["games"].([]any)[0].(map[string]any)
		curve := s.get("/api/people/" + name + "/ratings").body["ratings"].([]any)[0].(map[string]any)["points"].([]any)
		begin, end := curve[0].(map[string]any), curve[len(curve)-1].(map[string]any)
		if begin["rating"] != 1500.0 || len(curve) != 2 || end["rating"] != points(name) || end["games"] != 1.0 {
			t.Errorf("%s's curve is %v", name, curve)
		}
		if changes, _ := game["changes"].(map[string]any); game["side"] != seat || changes[seat] != points(name)-1500 {
			t.Errorf("%s's game is %v", name, game)
		}
	}
	ann = s.seek("Ann2", fmt.Sprintf(body, 1), account["Ann"]...)
	s.seek("Ben2", fmt.Sprintf(body, 1), account["Ben"]...)
	for i := range 2 { // after two more waves with a pair, Ann and Ben would have been one
		one, two := s.seek(fmt.Sprintf("Cid%d", i), fmt.Sprintf(casual, 0)), s.seek(fmt.Sprintf("Dan%d", i), fmt.Sprintf(casual, 0))
		one.next("paired")
		two.next("paired")
	}
	for len(ann.lines) > 0 {
		if v := <-ann.lines; v["kind"] == "paired" {
			t.Errorf("Ann is paired with Ben, whose rating is far from hers: %v", v)
		}
	}
	want, _ := s.openSeat(`"name":"Dee"`), s.openSeat(`"name":""`, account["Ben"]...)
	rated := s.openSeat(`"rated":true,"name":""`, account["Ben"]...)
	if line := s.seek("Eve", fmt.Sprintf(casual, 1)).next("paired"); line["id"] != want {
		t.Errorf("Eve, who is new, got the seat opposite Ben: %v", line)
	}
	eve := bearer(s.want(s.post("/api/accounts", `{"name":"Eve",`+password+`}`), 201, "").text("token"))
	if line := s.seek("Eve2", fmt.Sprintf(body, 2000), eve...).next("paired"); line["id"] != rated {
		t.Errorf("Eve, who wants a rated game, got the seat of %v, want the rated %s", line, rated)
	}
}

// openSeat opens a game whose creator waits there for an opponent.
func (s *site) openSeat(name string, headers ...string) (id string) {
	s.t.Helper()
	made := s.want(s.post("/api/games", `{"game":"loa","clock":`+blitz+`,"as":"first",`+name+`}`, headers...), 201, "")
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+"/api/games/"+made.text("id")+"/events", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+made.text("token"))
	here, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = here.Body.Close() })
	return made.text("id")
}

// TestOpenSeatOnce checks that each of two open seats goes to only one of three seeks on three servers.
func TestOpenSeatOnce(t *testing.T) {
	l, net := live.NewMemory(), &peers{} // only who is there is paired, also on another server
	var sites []*site
	for i := range 3 {
		sites = append(sites, start(t, l, serve.Config{Shared: true, Presence: peer{net, i}}))
	}
	seats := []string{sites[0].openSeat(`"name":"Dee"`)}
	var all []*seeking
	for i, s := range sites {
		name := fmt.Sprint("Person", i) // all ask for the second side, so that they are not paired with each other
		all = append(all, s.seek(name, fmt.Sprintf(`{"name":"%s","wants":[{"game":"loa","clock":%s,"as":"second"}]}`, name, blitz)))
	}
	var got []string
	paired := func() bool {
		for _, k := range all {
			select {
			case v := <-k.lines:
				if v["kind"] == "paired" {
					id, _ := k.sit(v)
					got = append(got, id)
				}
			default:
			}
		}
		return len(got) >= len(seats)
	}
	await.Until(t, "one takes the seat", paired)
	seats = append(seats, sites[0].openSeat(`"name":"Dee"`))
	await.Until(t, "another takes the second seat", paired)
	if !slices.Equal(got, seats) {
		t.Errorf("seats taken: %v, want %v", got, seats)
	}
}

// TestSeekOffersLevel offers a level after 10 seconds, while the search goes on.
func TestSeekOffersLevel(t *testing.T) {
	c := newClock()
	s := start(t, live.NewMemory(), serve.Config{Now: c.Now})
	k := s.seek("Ann", `{"wants":[{"game":"othello","options":{"size":"6"},"clock":`+blitz+`},{"game":"loa","clock":`+blitz+`}]}`)
	k.next("waiting")
	c.add(11 * time.Second)
	if line := k.next("level"); line["level"] != "level:3" || line["want"].(float64) != 1 {
		t.Errorf("offered %v, want level:3 of Lines of Action: there are no distances for Othello 6x6", line)
	}
	s.seek("Ben", fmt.Sprintf(loaSeek, "Ben"))
	k.next("paired")
}

// TestSeekRefused checks invalid requests for an opponent.
func TestSeekRefused(t *testing.T) {
	s := open(t)
	key := []string{"Idempotency-Key", "0123456789abcdef"}
	for _, body := range []string{
		`{}`, `{"wants":[{"game":"loa"}]}`, `{"wants":[{"game":"go","clock":{"main":60}}]}`,
		`{"wants":[{"game":"loa","clock":{"main":60},"as":"third"}]}`, `{"wants":[{"game":"loa","clock":{"main":60}}],"apart":-1}`,
		`{"wants":[{"game":"connect6","options":{"size":"9"},"clock":{"main":60}}],"rated":true}`, `{"wants":[{"game":"loa","clock":{"main":60}}],"name":"level:3"}`,
		`{"wants":[{"game":"loa","clock":{"main":60}}],"rated":true}`,
	} {
		s.want(s.post("/api/seeks", body, key...), 400, "invalid")
	}
	s.want(s.post("/api/seeks", `{"wants":[{"game":"loa","clock":{"main":60}}]}`), 400, "invalid")
	for i := range 8 {
		s.seek(fmt.Sprint("Person", i), fmt.Sprintf(`{"wants":[{"game":"loa","clock":{"main":%d}}]}`, 60+i))
	}
	s.want(s.post("/api/seeks", `{"wants":[{"game":"loa","clock":{"main":60}}]}`, "Idempotency-Key", "fedcba9876543210"), 429, "limited")
}

// TestRatedGuest checks that guests cannot open rated games, nor sit down there.
func TestRatedGuest(t *testing.T) {
	s := open(t)
	body := `{"game":"loa","as":"first","rated":true,"clock":{"main":300}}`
	s.want(s.post("/api/games", body), 400, "invalid")
	ann := bearer(s.want(s.post("/api/accounts", `{"name":"Ann",`+password+`}`), 201, "").text("token"))
	id := s.want(s.post("/api/games", body, ann...), 201, "").text("id")
	if a := s.want(s.visitor().do("POST", "/api/games/"+id+"/seats/second", "", 400, "invalid"), 400, ""); a.text("reason") != "rated.guest" {
		t.Errorf("a guest who sits down is told %v", a.body)
	}
}

// TestWithdrawnSeekIsFree checks that a seek counts as a new game, but not if it opens none.
func TestWithdrawnSeekIsFree(t *testing.T) {
	s := start(t, live.NewMemory(), serve.Config{CreateRate: serve.Rate{Burst: 1, Second: 1e-6}})
	k := s.seek("Ann", fmt.Sprintf(loaSeek, "Ann"))
	k.next("waiting")
	s.want(s.post("/api/games", `{"game":"loa"}`), 429, "limited")
	k.leave()
	await.Until(t, "another game may be opened", func() bool { return s.post("/api/games", `{"game":"loa"}`).status == 201 })
}

// TestShareOfAccount checks that accounts at one address do not share the limit of a guest, and that five of them have
// four shares.
func TestShareOfAccount(t *testing.T) {
	s := start(t, live.NewMemory(), serve.Config{CreateRate: serve.Rate{Burst: 1, Second: 1e-6}})
	game := func(v visitor, status int, code string) {
		t.Helper()
		v.do("POST", "/api/games", `{"game":"loa"}`, status, code)
	}
	for i := range 5 {
		v := s.signUp(fmt.Sprint("Person ", i))
		if i == 4 {
			game(v, 429, "limited")
			break
		}
		game(v, 201, "")
		game(v, 429, "limited")
	}
	game(s.visitor(), 201, "")
	game(s.visitor(), 429, "limited")
}
