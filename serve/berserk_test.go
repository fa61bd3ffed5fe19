package serve_test

import (
	"fmt"
	"testing"

	"quintet/lab/await"
)

// TestTournamentBerserk checks that a player of an arena that allows it goes berserk, and that a win without moves pays
// nothing for it.
func TestTournamentBerserk(t *testing.T) {
	s := open(t)
	s.ready()
	c := s.newClub("arena", `,"berserk":true`)
	c.host.do("POST", "/api/tournaments", fmt.Sprintf(tiny, "swiss", `,"berserk":true`), 400, "invalid")
	ann := s.visitor()
	ann.do("POST", c.path+"/players", `{}`, 200, "")
	c.host.do("POST", c.path+"/players", `{}`, 200, "")
	c.host.do("POST", c.path+"/start", "", 200, "")
	var id, side string
	await.Until(t, "the first game of an arena", func() bool { c.game(c.host); id, side = c.game(ann); return id != "" })
	if a := ann.do("POST", "/api/games/"+id+"/berserk", "", 200, ""); a.body["clocks"].(map[string]any)[side].(float64) > 30_000 {
		t.Errorf("berserk leaves %v", a.body["clocks"])
	}
	if a := ann.do("POST", "/api/games/"+id+"/berserk", "", 409, "nothing"); a.text("reason") != "berserk" {
		t.Errorf("twice: %v", a.body)
	}
	if got := s.get("/api/games/" + id).body["berserk"].(map[string]any); got[side] != true {
		t.Errorf("the game says %v", got)
	}
	c.host.do("POST", "/api/games/"+id+"/resign", "", 200, "")
	await.Until(t, "the result", func() bool {
		you := ann.do("GET", c.path, "", 200, "").body["you"].(map[string]any)
		return you["wins"] == 1.0 && you["points"] == 2.0
	})
	c.host.do("DELETE", c.path, "", 200, "")
}
