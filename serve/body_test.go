package serve_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// given are fields that some requests take, each with a value of its type.
var given = map[string]string{"name": `"Ann"`, "move": `"f4"`, "ply": `0`, "what": `"draw"`, "side": `"first"`, "game": `"othello"`, "do": `"move"`, "x": `1`}

// takes are the fields that the commands take, by the last part of the address.
var takes = map[string][]string{
	"moves": {"move", "ply", "side"}, "resign": {"side"}, "offer": {"side"}, "accept": {"what", "side"}, "decline": {"what", "side"},
	"takeback": {"ply", "side"}, "claim": {"side"}, "rematch": {"side"}, "seats/second": {"name"},
}

// TestForeignFields sends each field to each address, and checks that fields without a
// meaning there are rejected: they would be silently ignored.
func TestForeignFields(t *testing.T) {
	s := open(t)
	id := s.want(s.post("/api/games", `{"game":"loa","as":"first"}`), 201, "").text("id")
	for verb, fields := range takes {
		for name, value := range given {
			body := `{"` + name + `":` + value + `}`
			a := s.post("/api/games/"+id+"/"+verb, body)
			refused := a.status == 400 && a.text("reason") == "request" && a.text("field") == name && strings.Contains(a.text("error"), strings.Join(fields, ", "))
			if refused == slices.Contains(fields, name) {
				t.Errorf("%s %s: %d %v", verb, body, a.status, a.body)
			}
		}
	}
	if v := s.get("/api/games/" + id); v.text("state") == "over" {
		t.Errorf("the game is %v", v.body)
	}
}

// TestForeignFieldsOfFrames checks the same for frames.
func TestForeignFieldsOfFrames(t *testing.T) {
	s := open(t)
	id := s.want(s.post("/api/games", `{"game":"loa","as":"first"}`), 201, "").text("id")
	c, _, err := websocket.Dial(t.Context(), s.url+"/api/games/"+id+"/socket", nil) //nolint:bodyclose // the library closes it
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.CloseNow() }()
	frames := map[string][]string{"ping": nil, "move": takes["moves"]}
	for verb, fields := range takes {
		if verb != "moves" && verb != "seats/second" {
			frames[verb] = fields
		}
	}
	for verb, fields := range frames {
		for name, value := range given {
			if name == "do" || slices.Contains(fields, name) {
				continue
			}
			frame := `{"do":"` + verb + `","ref":"7","` + name + `":` + value + `}`
			if err := c.Write(t.Context(), websocket.MessageText, []byte(frame)); err != nil {
				t.Fatal(err)
			}
			receive(t, c, `"ref":"7","status":400,"problem":{"code":"invalid","reason":"request","field":"`+name+`"`)
		}
	}
}

// TestWrongTypes checks that errors name the field with a wrong type, without Go terms.
// Options may also be numbers and booleans.
func TestWrongTypes(t *testing.T) {
	s := open(t)
	made := s.want(s.post("/api/games", `{"game":"othello","options":{"size":10},"as":"first"}`), 201, "")
	view, _ := made.body["view"].(map[string]any)
	if options, _ := view["options"].(map[string]any); options["size"] != "10" {
		t.Errorf("the size 10 is shown as %v", options)
	}
	path := "/api/games/" + made.text("id")
	for _, c := range []struct{ path, body, field string }{
		{"/api/games", `{"game":"othello","options":{"size":[10]}}`, "options.size"},
		{"/api/games", `{"game":"othello","options":"10"}`, "options"},
		{"/api/games", `{"game":7}`, "game"},
		{"/api/games", `{"game":"loa","seats":{"first":3}}`, "seats.first"},
		{"/api/games", `{"game":"loa","seats":{"third":"open"}}`, "seats.third"},
		{"/api/games", `{"game":"loa","clock":{"main":"5"}}`, "clock.main"},
		{"/api/games", `{"game":"loa","clock":"5"}`, "clock"},
		{"/api/games", `{"game":"loa","moves":"a1"}`, "moves"},
		{"/api/games", `{"game":"loa","private":"yes"}`, "private"},
		{"/api/games", `{"from":{"id":"x","ply":"2"}}`, "from.ply"},
		{"/api/games", `{"game":"loa","color":"red"}`, "color"},
		{path + "/moves", `{"move":"f4","ply":"0"}`, "ply"},
		{path + "/moves", `{"move":1}`, "move"},
		{path + "/accept", `{"what":true}`, "what"},
		{path + "/seats/second", `{"name":7}`, "name"},
		{path + "/resign", `[]`, "request"},
		{path + "/resign", `{"`, "request"},
	} {
		a := s.want(s.post(c.path, c.body, bearer(made.text("token"))...), 400, "invalid")
		if a.text("field") != c.field || a.text("reason") != "request" || strings.Contains(a.text("error"), "json") || strings.Contains(a.text("error"), "Go ") {
			t.Errorf("%s: %v, want the field %s", c.body, a.body, c.field)
		}
	}
}

// TestParameters rejects unknown query parameters: a typo would otherwise silently disable
// a filter.
func TestParameters(t *testing.T) {
	s := open(t)
	id := s.want(s.post("/api/games", `{"game":"loa"}`), 201, "").text("id")
	for path, field := range map[string]string{
		"/api/games?stat=live": "stat", "/api/games?state=live&limit=3&sort=ply": "sort", "/api/games?key=x": "key", "/api/games?limit=3;x": "request", "/api/games?State=live": "State",
		"/api/games/" + id + "/events?form=0": "form", "/api/games/" + id + "/events?from=0&ply=3": "ply",
	} {
		if a := s.want(s.ask(http.MethodGet, path, ""), 400, "invalid"); a.text("field") != field || a.text("reason") != "request" {
			t.Errorf("%s: %v, want the field %s", path, a.body, field)
		}
	}
}
