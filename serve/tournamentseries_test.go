package serve_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestTournamentSeries adds up the points of two tournaments that share a series. A third one goes on, and that of
// another organiser with the same name is none of the series.
func TestTournamentSeries(t *testing.T) {
	s := open(t)
	s.ready()
	c := s.newClub("robin", `,"series":"Fridays"`)
	other := s.visitor()
	other.do("POST", "/api/accounts", `{"name":"Piet",`+password+`}`, 201, "")
	other.do("POST", "/api/tournaments", fmt.Sprintf(tiny, "robin", `,"series":"Fridays"`), 201, "")
	ann, ben := s.visitor(), s.visitor()
	next := func() club {
		return club{c.host, "/api/tournaments/" + c.host.do("POST", "/api/tournaments", fmt.Sprintf(tiny, "robin", `,"series":" Fridays"`), 201, "").text("id")}
	}
	for _, one := range []club{c, next()} {
		for _, v := range []visitor{ann, ben, c.host} {
			v.do("POST", one.path+"/players", `{}`, 200, "")
		}
		c.host.do("POST", one.path+"/start", "", 200, "")
		one.resignAll(ben, c.host) // Ann never resigns: she wins both games
	}
	last := next()
	var a answer
	s.eventually(func() string { // the records of both are written a moment after their ends
		a = s.want(s.get(last.path+"/series"), 200, "")
		played := 0.0
		for _, row := range a.body["standings"].([]any) {
			played += row.(map[string]any)["played"].(float64)
		}
		return fmt.Sprint(len(a.body["tournaments"].([]any)), " ", played)
	}, "3 6", "the table of the series")
	top := a.body["standings"].([]any)[0].(map[string]any)
	if got := fmt.Sprint(top["rank"], top["points"], top["played"], top["won"], top["best"]); got != "1 4 2 2 1" || a.text("name") != "Fridays" || s.get(last.path).text("series") != "Fridays" {
		t.Errorf("the leader has %s: %v", got, a.body)
	}
	c.host.do("POST", "/api/tournaments", fmt.Sprintf(tiny, "robin", `,"series":"`+strings.Repeat("x", 61)+`"`), 400, "invalid")
	c.host.do("POST", "/api/tournaments", fmt.Sprintf(tiny, "arena", `,"series":"Fridays"`), 400, "invalid")
	c.host.do("POST", "/api/tournaments", fmt.Sprintf(tiny, "swiss", `,"series":"Fridays"`), 201, "")
	alone := c.host.do("POST", "/api/tournaments", fmt.Sprintf(tiny, "robin", ""), 201, "").text("id")
	s.want(s.get("/api/tournaments/"+alone+"/series"), 404, "missing")
}
