package chaos

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"

	"quintet/lab/load"
)

// TestRefusedMove checks that a server is reported if it shows all acknowledged moves and refuses a valid move twice. One
// refusal is not reported, because the server may have lagged.
func TestRefusedMove(t *testing.T) {
	for refusals, findings := range []int{0, 0, 1, 1} {
		asked := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method == http.MethodGet:
				_, _ = fmt.Fprint(w, `{"moves":[]}`)
			case r.URL.Path == "/api/games":
				_, _ = fmt.Fprint(w, `{"id":"abcdefgh2345"}`)
			case r.URL.Path != "/api/games/abcdefgh2345/moves":
				_, _ = fmt.Fprint(w, `{}`)
			default:
				if asked++; asked <= refusals {
					w.WriteHeader(http.StatusConflict)
				}
				_, _ = fmt.Fprint(w, `{"ply":1}`)
			}
		}))
		c := &clients{urls: []string{s.URL}, client: load.NewClient(1, requestTimeout)}
		p := newPlayer(c, 0, rand.New(rand.NewPCG(1, 2)))
		p.spectator = &spectator{}
		if err := p.open(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := p.retry(t.Context(), p.attempt(p.Match.Legal()[0]), nil); err != nil || len(p.acknowledged) != 1 {
			t.Errorf("after %d refusals: %v, %d moves", refusals, err, len(p.acknowledged))
		}
		if len(c.Refused) != findings {
			t.Errorf("after %d refusals: %q, want %d findings", refusals, c.Refused, findings)
		}
		c.client.Close()
		s.Close()
	}
}
