package serve_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestPublicTournament checks that who neither plays nor organises sees each change at once, compressed or not, and that
// players and the organiser see what is theirs.
func TestPublicTournament(t *testing.T) {
	s := open(t)
	s.ready()
	c := s.newClub("robin", "")
	for players := range 5 {
		for _, headers := range [][]string{nil, {"Accept-Encoding", "identity"}} { // without the header, the client asks for gzip
			a := s.ask("GET", c.path, "", headers...)
			if a.number("players") != float64(players) || len(a.body["standings"].([]any)) != players || a.body["you"] != nil || a.body["joined"] != false || a.body["yours"] != false {
				t.Errorf("%v, with %d players: %v", headers, players, a.body)
			}
		}
		v := s.visitor()
		v.do("POST", c.path+"/players", `{}`, 200, "")
		if a := v.do("GET", c.path, "", 200, ""); a.body["you"] == nil || a.body["joined"] != true {
			t.Errorf("player %d sees %v", players, a.body)
		}
	}
	if a := c.host.do("GET", c.path, "", 200, ""); a.body["yours"] != true {
		t.Errorf("the organiser sees %v", a.body)
	}
}

// BenchmarkTournament answers a spectator and a player of an arena of 500.
func BenchmarkTournament(b *testing.B) {
	s := open(b)
	c := s.newClub("arena", `,"most":500`)
	var v visitor
	for range 500 {
		v = s.visitor()
		v.do("POST", c.path+"/players", `{}`, 200, "")
	}
	for name, headers := range map[string][]string{"spectator": nil, "player": v.cookies()} {
		b.Run(name, func(b *testing.B) {
			r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, c.path, nil)
			r.Header.Set("Accept-Encoding", "gzip")
			for i := 0; i < len(headers); i += 2 {
				r.Header.Add(headers[i], headers[i+1])
			}
			for b.Loop() {
				w := httptest.NewRecorder()
				if s.server.Handler().ServeHTTP(w, r); w.Code != http.StatusOK {
					b.Fatal(w.Code)
				}
			}
		})
	}
}
