package serve_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"quintet/games"
	"quintet/record"
	"quintet/record/formats"
)

// TestDownloads checks that a finished game is available as a record that reads back, and
// as pictures.
func TestDownloads(t *testing.T) {
	s := open(t)
	for _, game := range games.Names() {
		id, first, _ := s.game(`{"game":"` + game + `","clock":{"main":60}}`)
		legal, _ := s.get("/api/games/" + id).body["legal"].([]any)
		move := legal[0].(map[string]any)["move"].(string)
		s.want(s.post("/api/games/"+id+"/moves", `{"move":"`+move+`","ply":0}`, bearer(first)...), 200, "")
		s.want(s.post("/api/games/"+id+"/resign", "", bearer(first)...), 200, "")
		list, form, _, err := formats.Read([]byte(s.page("/api/games/"+id+"/record")), formats.Hint{})
		if err != nil || len(list) != 1 || form != "quintet" || list[0].Moves() != move || list[0].End != record.Resigned || list[0].Players != [2]string{"Ann", "Ben"} || list[0].Last().Clock == nil {
			t.Errorf("%s: the record is %v, %v", game, list, err)
		}
		if svg := s.page("/api/games/" + id + "/board.svg?ply=1"); !strings.HasPrefix(svg, "<svg") || strings.Contains(svg, "<title>") { // which would be English for every reader
			t.Errorf("%s: the picture begins with %.40q", game, svg)
		}
		if png := s.page("/api/games/" + id + "/board.png"); !strings.HasPrefix(png, "\x89PNG") {
			t.Errorf("%s: the picture begins with %.10q", game, png)
		}
		if animation := s.page("/api/games/" + id + "/game.gif"); !strings.HasPrefix(animation, "GIF8") {
			t.Errorf("%s: the animation begins with %.10q", game, animation)
		}
		s.downloads(id)
		s.want(s.get("/api/games/"+id+"/record?form=doc"), 400, "invalid")
		s.want(s.get("/api/games/"+id+"/board.svg?ply=2"), 400, "invalid")
	}
}

// TestForms offers exactly the formats that can express a game.
func TestForms(t *testing.T) {
	s := open(t)
	for _, c := range []struct{ setup, want string }{
		{`"game":"chess"`, "quintet pgn moves"},
		{`"game":"chess","options":{"halt":"claim"}`, "quintet pgn console moves"},
		{`"game":"othello"`, "quintet ggf sgf console moves transcript"},
		{`"game":"othello","options":{"pits":"a1"}`, "quintet console moves"},
		{`"game":"loa"`, "quintet sgf console moves"},
		{`"game":"loa","position":"BW6/WW6/8/8/8/8/6WW/6WB B"`, "quintet sgf"},
	} {
		id, first, _ := s.game("{" + c.setup + "}")
		s.want(s.post("/api/games/"+id+"/resign", "", bearer(first)...), 200, "")
		if got := s.downloads(id); got != c.want {
			t.Errorf("%s: offered are %s, want %s", c.setup, got, c.want)
		}
	}
}

// downloads checks that a game is available in exactly the formats that are offered, and
// returns those. The pages have words for each.
func (s *site) downloads(id string) (offered string) {
	s.t.Helper()
	words, err := os.ReadFile("../web/strings/en.game.json")
	if err != nil {
		s.t.Fatal(err)
	}
	list, _ := s.want(s.get("/api/games/"+id+"/forms"), 200, "").body["forms"].([]any)
	for _, form := range formats.Names() {
		is := slices.Contains(list, any(form))
		if is {
			offered += " " + form
		}
		text := s.page("/api/games/" + id + "/record?form=" + form)
		if written := !strings.HasPrefix(text, `{"code":"form"`); written != is {
			s.t.Errorf("%s: offered %v, and the server answers %.60q", form, is, text)
		}
		if !strings.Contains(string(words), `"form.`+form+`":`) {
			s.t.Errorf("the pages have no word for the form %s", form)
		}
	}
	return strings.TrimSpace(offered)
}
