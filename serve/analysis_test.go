package serve_test

import (
	"strings"
	"testing"
)

// TestAnalysisPosition checks the response for the position after a line of moves.
func TestAnalysisPosition(t *testing.T) {
	s := open(t)
	v := s.want(s.post("/api/analysis/position", `{"game":"chess","moves":["e2e4","d7d5","E4D5"]}`), 200, "")
	moves, _ := v.body["moves"].([]any)
	last, _ := moves[2].(map[string]any)
	if last["move"] != "e4d5" || last["san"] != "exd5" || last["from"] != 36.0 || last["to"] != 27.0 {
		t.Errorf("the last move is %v, want e4d5, exd5 from 36 to 27", last)
	}
	if v.text("turn") != "second" || v.number("ply") != 3 || v.text("result") != "ongoing" || !strings.HasSuffix(v.text("start"), " w - - 0 1") {
		t.Errorf("the position is %v", v.body)
	}
	legal, _ := v.body["legal"].([]any)
	texts := map[any]any{}
	for _, m := range legal {
		m, _ := m.(map[string]any)
		texts[m["move"]] = m["san"]
	}
	if len(legal) < 20 || texts["d8d5"] != "Qxd5" || texts["b8c6"] != "Nc6" {
		t.Errorf("the legal moves are %v", texts)
	}
	over := s.want(s.post("/api/analysis/position", `{"game":"connect6","position":"BBBBB1/6/6/6/6/6 B 1","moves":["F0"]}`), 200, "")
	legal, _ = over.body["legal"].([]any)
	if over.body["turn"] != nil || len(legal) != 0 || over.text("result") != "first wins" || over.text("reason") != "rules" {
		t.Errorf("the game is over, but %v", over.body)
	}
}

// TestAnalysisPositions checks that every game accepts the text of each of its positions
// and can be played, studied and reviewed from there.
func TestAnalysisPositions(t *testing.T) {
	s := open(t)
	for _, c := range []struct{ game, position, turn string }{
		{"othello", "4/1XO1/1OX1/3# X", "first"},
		{"othello", "6/6/2XO2/2OX2/6/6 O", "second"},
		{"othello", "8/8/8/3#O3/3OX3/3OX3/8/8 X", "first"}, // a disc starts where there is a pit
		{"loa", "8/3B4/8/3B4/4W3/8/4W3/W7 W", "second"},
		{"neighbors", "8/3B4/8/3B4/4W3/8/4W3/W7 B", "first"},
		{"connect6", "6/6/2B3/6/6/6 W 1", "second"},
		{"chess", "4k3/8/8/8/8/8/4P3/4K3 b", "second"},
	} {
		body := string(mustJSON(t, map[string]string{"game": c.game, "position": c.position}))
		v := s.want(s.post("/api/analysis/position", body), 200, "")
		if v.text("turn") != c.turn || !strings.HasPrefix(v.text("position"), c.position) {
			t.Errorf("%s %s: turn %q in %q", c.game, c.position, v.text("turn"), v.text("position"))
		}
		made := s.want(s.post("/api/games", body), 201, "")
		view, _ := made.body["view"].(map[string]any)
		if view["position"] != v.text("position") {
			t.Errorf("%s: a game from %q begins at %q", c.game, c.position, view["position"])
		}
		s.want(s.post("/api/studies", body), 201, "")
		legal, _ := v.body["legal"].([]any)
		first, _ := legal[0].(map[string]any)
		review := s.openReview("/api/reviews", string(mustJSON(t, map[string]any{"game": c.game, "position": c.position, "moves": []any{first["move"]}})))
		s.want(s.get("/api/reviews/"+review.text("id")), 200, "")
	}
}

// TestAnalysisProblems checks that each impossible position is rejected with one sentence
// that says what would be right.
func TestAnalysisProblems(t *testing.T) {
	s := open(t)
	many := strings.Repeat(`"e3",`, 2000) + `"e3"`
	for _, c := range []struct {
		body          string
		status        int
		reason, field string
		says          string
	}{
		{`{"game":"go"}`, 400, "game", "game", "expected"},
		{`{"game":"othello","options":{"size":"7"}}`, 400, "options", "options", "expected an even number"},
		{`{"game":"othello","position":"3/3/3 X"}`, 400, "position", "position", "expected an even number from 4 to 26"},
		{`{"game":"othello","position":"4/1XO1/1OX1/3# Z"}`, 400, "position", "position", "expected X or O"},
		{`{"game":"othello","position":"4/1XO1/1OX1/3#"}`, 400, "position", "position", "side to move (X or O) is missing"},
		{`{"game":"othello","position":"4/1XO1/1OX1/3# X","options":{"size":"8"}}`, 400, "options", "options", "the position has"},
		{`{"game":"loa","position":"8/3X4/8/8/8/8/8/8 B"}`, 400, "position", "position", "expected one of B W"},
		{`{"game":"loa","position":"8/9/8/8/8/8/8/8 B"}`, 400, "position", "position", "expected 8"},
		{`{"game":"neighbors","position":"4/4/4/4 B"}`, 400, "position", "position", "expected 8"},
		{`{"game":"connect6","position":"6/6/6/6/6/6 B 3"}`, 400, "position", "position", "expected 1 or 2"},
		{`{"game":"connect6","position":"BBBBBB/WWWWWW/6/6/6/6 B 1"}`, 400, "position", "position", "both sides have six"},
		{`{"game":"chess","position":"4k3/8/8/8/8/8/8/P3K3 w"}`, 400, "position", "position", "a pawn on a1"},
		{`{"game":"chess","position":"4k3/8/8/8/8/8/8/K3K3 w"}`, 400, "position", "position", "a side can have only one"},
		{`{"game":"chess","position":"8/8/8/8/8/8/8/8 w"}`, 400, "position", "position", "there is no king"},
		{`{"game":"othello","moves":["a1"]}`, 422, "replay", "moves", "move 1"},
		{`{"game":"othello","moves":["zz"]}`, 422, "replay", "moves", "move 1"},
		{`{"game":"connect6","position":"BBBBBB/6/6/6/6/6 W 2","moves":["a1"]}`, 422, "replay", "moves", "the game is over"},
		{`{"game":"othello","moves":[` + many + `]}`, 400, "moves.many", "moves", "expected at most 2000"},
		{`{"game":"othello","lines":3}`, 400, "request", "lines", "expected game, options, position, moves"},
		{`{"game":"othello","position":"` + strings.Repeat("8/", 40_000) + `"}`, 413, "large", "", "bytes"},
	} {
		a := s.post("/api/analysis/position", c.body)
		if a.status != c.status || a.text("reason") != c.reason || a.text("field") != c.field || !strings.Contains(a.text("error"), c.says) || strings.Contains(a.text("error"), "\n") {
			t.Errorf("%.90s: %d %v, want %d %s, %q", c.body, a.status, a.body, c.status, c.reason, c.says)
		}
	}
}

// TestBook checks the moves of the opening book: of both starts of Othello on 8x8, and of no
// position that the book does not have.
func TestBook(t *testing.T) {
	s := open(t)
	s.eventually(s.book(`{"game":"othello"}`), "open", "the book, once the live games are known")
	for _, body := range []string{`{"game":"othello"}`, `{"game":"othello","moves":["e3"]}`, `{"game":"othello","options":{"start":"standard"}}`} {
		v := s.want(s.post("/api/analysis/position", body), 200, "")
		list, _ := v.body["book"].([]any)
		if len(list) == 0 {
			t.Errorf("%s: no moves of the book", body)
			continue
		}
		best, _ := list[0].(map[string]any)
		line, _ := best["line"].([]any)
		if len(line) < 2 || line[0] != best["move"] || best["depth"].(float64) < 10 {
			t.Errorf("%s: the first move of the book is %v", body, best)
		}
		for i, m := range list[1:] {
			if before, _ := list[i].(map[string]any); m.(map[string]any)["score"].(float64) > before["score"].(float64) {
				t.Errorf("%s: %v after %v", body, m, before)
			}
		}
	}
	for _, body := range []string{
		`{"game":"loa"}`, `{"game":"othello","options":{"size":"10"}}`, `{"game":"othello","options":{"pits":"a1"}}`,
		`{"game":"othello","position":"XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXO/XXXXXXX1 X"}`,
	} {
		if v := s.want(s.post("/api/analysis/position", body), 200, ""); v.body["book"] != nil {
			t.Errorf("%s: the book has %v", body, v.body["book"])
		}
	}
}

// TestBookOfLiveGame checks that the book does not help in a live game.
func TestBookOfLiveGame(t *testing.T) {
	s := open(t)
	s.eventually(s.book(`{"game":"othello"}`), "open", "the book, once the live games are known")
	moves := []string{}
	for range 9 {
		v := s.want(s.post("/api/analysis/position", string(mustJSON(t, map[string]any{"game": "othello", "moves": moves}))), 200, "")
		list, _ := v.body["book"].([]any)
		if len(list) == 0 {
			t.Fatalf("the book has nothing after %v", moves)
		}
		moves = append(moves, list[0].(map[string]any)["move"].(string))
	}
	ask := string(mustJSON(t, map[string]any{"game": "othello", "moves": moves}))
	s.eventually(s.book(ask), "open", "the book before the game")
	s.played(`{"game":"othello"}`, moves...)
	s.eventually(s.book(ask), "closed", "the book for a live game")
}

// book returns a function that asks for a position and says whether the book has moves.
func (s *site) book(ask string) func() string {
	return func() string {
		if s.want(s.post("/api/analysis/position", ask), 200, "").body["book"] == nil {
			return "closed"
		}
		return "open"
	}
}
