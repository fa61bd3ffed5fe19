package serve_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"quintet/live"
	"quintet/live/index"
)

// bounds are the documented bounds of a value.
type bounds struct {
	Minimum, Maximum, Default                *int
	MinLength, MaxLength, MinItems, MaxItems *int
}

// TestBounds compares the documented minima and maxima with what the server accepts.
func TestBounds(t *testing.T) {
	s := open(t)
	data, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name   string
				Schema bounds
			}
		}
		Components struct {
			Schemas map[string]struct{ Properties map[string]bounds }
		}
	}
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	list := map[string]bounds{}
	for _, p := range append(d.Paths["/api/games"]["get"].Parameters, d.Paths["/api/games"]["post"].Parameters...) {
		list[p.Name] = p.Schema
	}
	game, seat, clock := d.Components.Schemas["NewGame"].Properties, d.Components.Schemas["Name"].Properties, d.Components.Schemas["Control"].Properties
	for _, c := range []struct {
		name string
		got  *int
		want int
	}{
		{"limit, most", list["limit"].Maximum, index.MaxLimit}, {"limit, least", list["limit"].Minimum, 1}, {"limit, default", list["limit"].Default, 50},
		{"delay, most", game["delay"].Maximum, live.MaxDelay}, {"delay, least", game["delay"].Minimum, 0}, {"moves, most", game["moves"].MaxItems, live.MaxMoves},
		{"name, longest", game["name"].MaxLength, live.MaxName}, {"name of a seat, longest", seat["name"].MaxLength, live.MaxName},
		{"key, shortest", list["Idempotency-Key"].MinLength, 16}, {"key, longest", list["Idempotency-Key"].MaxLength, 200},
	} {
		if c.got == nil || *c.got != c.want {
			t.Errorf("%s: the document has %v, want %d", c.name, c.got, c.want)
		}
	}
	for n, status := range map[int]int{0: 400, 1: 200, index.MaxLimit: 200, index.MaxLimit + 1: 400} {
		s.want(s.get(fmt.Sprintf("/api/games?limit=%d", n)), status, "")
	}
	for n, status := range map[int]int{15: 400, 16: 201, 200: 201, 201: 400} {
		s.want(s.post("/api/games", `{"game":"loa"}`, "Idempotency-Key", strings.Repeat("k", n)), status, "")
	}
	for n, status := range map[int]int{-1: 400, 0: 201, live.MaxDelay: 201, live.MaxDelay + 1: 400} {
		s.want(s.post("/api/games", fmt.Sprintf(`{"game":"loa","delay":%d}`, n)), status, "")
	}
	for n, status := range map[int]int{0: 201, live.MaxName: 201, live.MaxName + 1: 400} {
		s.want(s.post("/api/games", `{"game":"loa","as":"first","name":"`+strings.Repeat("ä", n)+`"}`), status, "")
	}
	for name, least := range map[string]int{"main": 1, "days": 1} { // 0 is for who names the other
		for n, status := range map[int]int{least: 201, *clock[name].Maximum: 201, *clock[name].Maximum + 1: 400, -1: 400} {
			s.want(s.post("/api/games", fmt.Sprintf(`{"game":"loa","clock":{"%s":%d}}`, name, n)), status, "")
		}
	}
}

// TestHeaders checks that a request without a token is told how to send one, that the
// answer to a new game has its address, and that pages of other sites are granted
// nothing.
func TestHeaders(t *testing.T) {
	s := open(t)
	id := s.want(s.post("/api/games", `{"game":"loa"}`), 201, "").text("id")
	if got := s.raw("POST", "/api/games/"+id+"/resign"); got.status != 401 || got.header.Get("WWW-Authenticate") != "Bearer" {
		t.Errorf("without a token: %d %v", got.status, got.header)
	}
	for _, body := range []string{`{"game":"loa"}`, `{"game":"loa","private":true}`} {
		r := s.send("POST", "/api/games", body)
		if at := r.header.Get("Location"); r.status != 201 || s.raw("GET", at).status != 200 {
			t.Errorf("%s: it is said to be at %q, and is not", body, at)
		}
	}
	got := s.raw("GET", "/api/games/"+id, "Origin", "http://other.example")
	for name := range got.header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("another site is given %s", name)
		}
	}
}
