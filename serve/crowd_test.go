package serve_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"quintet/lab/await"
	"quintet/live"
	"quintet/serve"
)

// TestCrowd checks who is counted as here and who as waiting.
func TestCrowd(t *testing.T) {
	c := newClock()
	s := start(t, live.NewMemory(), serve.Config{Now: c.Now})
	has := func(what string, want ...string) {
		t.Helper()
		await.Until(t, what, func() bool {
			c.add(3 * time.Second) // what was counted before is too old
			got := string(mustJSON(t, s.get("/api/seeks").body))
			return !slices.ContainsFunc(want, func(w string) bool { return !strings.Contains(got, w) })
		})
	}
	has("an empty server", `{"here":{},"waiting":[]}`)
	ann := s.seek("Ann", fmt.Sprintf(loaSeek, "Ann"))
	ann.next("waiting")
	chess := `"game":"chess","options":{"halt":"none"},"people":1,"rated":false}`
	has("Ann waits", `"here":{},`, chess)
	s.post("/api/games", `{"game":"loa","unlisted":true,"as":"first","name":"Cyd"}`)
	c.add(3 * time.Second) // Cyd is here for five
	if got := string(mustJSON(t, s.get("/api/seeks").body)); !strings.HasPrefix(got, `{"here":{},`) {
		t.Errorf("with Cyd in an unlisted game: %s", got)
	}
	s.seek("Ben", fmt.Sprintf(loaSeek, "Ben"))
	ann.next("paired")
	has("nobody waits", `"waiting":[]}`)
	s.openSeat(`"name":"Dan"`)
	has("Dan waits at an open seat", `"here":{"loa":`, `"game":"loa","options":{},"people":1,"rated":false}`)
}
