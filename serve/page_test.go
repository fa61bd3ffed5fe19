package serve_test

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"testing"

	"quintet/live"
	"quintet/serve"
)

// TestPages: paging through a list returns every game exactly once, even if many were opened
// in the same millisecond.
func TestPages(t *testing.T) {
	now := newClock()
	s := start(t, live.NewMemory(), serve.Config{Now: now.Now})
	want := map[string]bool{}
	for range 7 {
		want[s.want(s.post("/api/games", `{"game":"loa","as":"first","name":"Ann"}`), 201, "").text("id")] = true
	}
	ids := slices.Sorted(maps.Keys(want))
	s.eventually(func() string { return strconv.Itoa(len(s.listed("").games)) }, "7", "games in the list")
	for _, query := range []string{"", "&state=open", "&game=loa", "&player=Ann", "&player=Ann&state=open"} {
		for _, limit := range []string{"1", "2", "3", "7"} {
			var got []string
			for next := ""; ; {
				page := s.listed("?limit=" + limit + query + next)
				got = append(got, page.games...)
				if next = page.next; next == "" || len(got) > 2*len(ids) {
					break
				}
				next = "&before=" + url.QueryEscape(next)
			}
			if !slices.Equal(got, ids) {
				t.Errorf("limit %s%s: %v, want %v", limit, query, got, ids)
			}
		}
	}
	ms := now.Now().UnixMilli()
	for before, want := range map[string]int{strconv.FormatInt(ms, 10): 0, strconv.FormatInt(ms+1, 10): 7} {
		if got := s.listed("?before=" + before).games; len(got) != want {
			t.Errorf("before the millisecond %s: %v, want %d games", before, got, want)
		}
	}
	for _, before := range []string{"0", "-1", "x", "1.", "1.x", ".abcdefgh2345", "1.abcdefgh2345.", "99999999999999999999"} {
		if a := s.want(s.get("/api/games?before="+before), 400, "invalid"); a.text("field") != "before" {
			t.Errorf("before=%s: %v", before, a.body)
		}
	}
}

// page is a page of a list.
type page struct {
	games []string
	next  string
}

func (s *site) listed(query string) (p page) {
	s.t.Helper()
	a := s.want(s.get("/api/games"+query), 200, "")
	list, _ := a.body["games"].([]any)
	for _, g := range list {
		p.games = append(p.games, g.(map[string]any)["id"].(string))
	}
	p.next = a.text("next")
	return p
}
