package serve_test

import (
	"testing"

	"quintet/live"
	"quintet/serve"
)

// TestKeyReused checks that a key is rejected if an earlier request with it was
// different: an answer of 200 says that the request has been performed. A repetition is
// answered with 200 at any time, also by a server started later and by another of the
// cluster.
func TestKeyReused(t *testing.T) {
	l := live.NewMemory()
	s := start(t, l, serve.Config{Shared: true})
	id, first, second := s.game(`{"game":"othello"}`)
	path := "/api/games/" + id
	key := []string{"Idempotency-Key", "0123456789abcdef"}
	player, other := append(bearer(first), key...), append(bearer(second), key...)
	move := `{"move":"f4","ply":0}`
	s.want(s.post(path+"/moves", move, player...), 200, "")
	for _, s := range []*site{s, start(t, l, serve.Config{Shared: true}), start(t, l, serve.Config{})} {
		s.t = t
		if d := s.want(s.post(path+"/moves", move, player...), 200, ""); d.number("ply") != 1 {
			t.Errorf("repeated: %v, want it done once", d.body)
		}
		for _, c := range []struct{ verb, body string }{
			{"moves", `{"move":"d3","ply":0}`}, {"moves", `{"move":"f4","ply":1}`}, {"moves", `{"move":"f4"}`},
			{"takeback", ``}, {"resign", ``}, {"moves", `{"move":"f4","ply":0,"side":"first"}`},
		} {
			a := s.want(s.post(path+"/"+c.verb, c.body, player...), 409, "taken")
			if a.text("reason") != "key.used" || a.text("field") != "key" {
				t.Errorf("%s %s with the key of another move: %v", c.verb, c.body, a.body)
			}
		}
	}
	s.want(s.post(path+"/moves", `{"move":"f3","ply":1}`, other...), 200, "") // everybody has keys of their own
	if v := s.get(path); v.number("ply") != 2 || v.text("state") != "live" {
		t.Errorf("in the end: %v", v.body)
	}
}

// TestKeyIsNoToken: secrets derived from an idempotency key are equal on all servers of a
// log and after a restart, and different elsewhere, so the key alone does not reveal them.
func TestKeyIsNoToken(t *testing.T) {
	l := live.NewMemory()
	var first []string
	for i, s := range []*site{start(t, l, serve.Config{Shared: true}), start(t, l, serve.Config{Shared: true}), start(t, l, serve.Config{}), open(t)} {
		made := s.want(s.post("/api/games", `{"game":"loa","as":"first","private":true}`, "Idempotency-Key", "0123456789abcdef"), 201, "")
		seat := s.want(s.post("/api/games/"+made.text("id")+"/seats/second?key="+made.text("key"), `{}`, "Idempotency-Key", "0123456789abcdef"), 200, "")
		got := []string{made.text("id"), made.text("token"), made.text("key"), seat.text("token")}
		if i == 0 {
			first = got
		}
		for j, what := range []string{"identifier", "token", "key", "token of the second seat"} {
			if same := got[j] == first[j]; same != (i < 3) {
				t.Errorf("server %d: %s %q, and %q at the first server", i, what, got[j], first[j])
			}
		}
	}
}

// TestKeyOfBothSeats checks that a player with both seats can repeat a move without
// naming the side, even if it is the other side's turn.
func TestKeyOfBothSeats(t *testing.T) {
	s := open(t)
	made := s.want(s.post("/api/games", `{"game":"othello","as":"first"}`), 201, "")
	path, key := "/api/games/"+made.text("id"), []string{"Idempotency-Key", "0123456789abcdef"}
	seat := s.want(s.post(path+"/seats/second", `{"name":"Ben"}`), 200, "")
	cookies := "quintet_" + made.text("id") + "_first=" + made.text("token") + "; quintet_" + made.text("id") + "_second=" + seat.text("token")
	for range 2 {
		d := s.want(s.post(path+"/moves", `{"move":"f4"}`, append(key, "Cookie", cookies)...), 200, "")
		if d.number("ply") != 1 {
			t.Errorf("after the move: %v", d.body)
		}
	}
}

// TestKeyOfASeat checks that taking a seat again with the same key keeps the name in the
// answer.
func TestKeyOfASeat(t *testing.T) {
	s := open(t)
	id := s.want(s.post("/api/games", `{"game":"loa"}`), 201, "").text("id")
	path, key := "/api/games/"+id+"/seats/first", []string{"Idempotency-Key", "0123456789abcdef"}
	token := s.want(s.post(path, `{"name":"Ann"}`, key...), 200, "").text("token")
	for _, name := range []string{`{"name":"Eve"}`, `{}`} {
		if a := s.want(s.post(path, name, key...), 409, "taken"); a.text("reason") != "key.used" {
			t.Errorf("%s: %v", name, a.body)
		}
	}
	if again := s.want(s.post(path, `{"name":"Ann"}`, key...), 200, "").text("token"); again != token {
		t.Errorf("the token %q, then %q", token, again)
	}
}
