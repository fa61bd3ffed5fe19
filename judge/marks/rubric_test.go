package marks_test

import (
	"strings"
	"testing"

	"quintet/judge/marks"
)

// TestRubric reads rubrics, good ones and bad ones.
func TestRubric(t *testing.T) {
	lists := [][]string{{"move", "gameOver"}, {"prompts", "board"}}
	for text, want := range map[string]string{
		"move = 2 # the heart\n\ngameOver = 0.5": "",
		"board = 0\nprompts = 1":                 "",
		"board = NaN":                            "line 1",
		"board = -1":                             "0 to 1000000 points",
		"board = 1e7":                            "0 to 1000000 points",
		"board = 1 point":                        "line 1",
		"board 1":                                "line 1",
		"board = 0":                              "more than 0 points",
		"# nothing":                              "more than 0 points",
		"board = 1\nmove = 1":                    "line 2",
		"king = 1":                               "expected move, gameOver, prompts or board",
	} {
		r, err := marks.ReadRubric(text, lists...)
		if want == "" && (err != nil || len(r) != 2) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, %v; want an error with %q", text, r, err, want)
		}
	}
	if r := (marks.Rubric{"move": 1, "gameOver": 3}).Scaled(10); r["move"] != 2.5 || r["gameOver"] != 7.5 {
		t.Errorf("scaled to 10 points: %v", r)
	}
}
