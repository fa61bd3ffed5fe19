package serve_test

import "testing"

// TestNamesOfEngines reserves the names of engines, but not names that merely contain one.
func TestNamesOfEngines(t *testing.T) {
	s := open(t)
	id := s.want(s.post("/api/games", `{"game":"loa"}`), 201, "").text("id")
	for _, name := range []string{"level:9", "Level:10", "level:99", " random ", "MCTS", "engine", "ｌｅｖｅｌ：９", "r\u0430ndom"} {
		for path, body := range map[string]string{
			"/api/games/" + id + "/seats/first": `{"name":"` + name + `"}`,
			"/api/games":                        `{"game":"loa","as":"first","name":"` + name + `"}`,
		} {
			a := s.want(s.post(path, body), 400, "invalid")
			if a.text("reason") != "name.engine" || a.text("field") != "name" {
				t.Errorf("%s with %s: %v, want the name refused", path, body, a.body)
			}
		}
	}
	for _, name := range []string{"", "Anonymous", "engineer", "Mr. Random", "level 9", "bot.py", "load 7"} {
		s.want(s.post("/api/games", `{"game":"loa","as":"first","name":"`+name+`"}`), 201, "")
	}
	s.want(s.post("/api/games", `{"game":"loa","seats":{"first":"level:9"}}`), 201, "")
}
