package live_test

import (
	"fmt"
	"strings"
	"testing"

	"quintet/game"
	"quintet/live"
)

// TestPlan checks what conditional moves are accepted, and what they answer after takebacks and other moves.
func TestPlan(t *testing.T) {
	days := live.TimeControl{Days: 1}
	d := sit(t, live.Settings{Game: "othello", Clock: days})
	for _, c := range []struct {
		lines string
		want  live.Code
	}{
		{"f4 f3", ""}, {"f4 f3 e3 d3,f4 f3 e3 d3,e3 f3", ""}, {"", ""},
		{"f4", live.CodeIllegal}, {"f4 f3 e3", live.CodeIllegal}, {"f4 a1", live.CodeIllegal}, {"f4 f3,f4 f5", live.CodeIllegal}, {"f4 x", live.CodeIllegal}, {" ", live.CodeIllegal},
		{strings.Repeat("f4 f3,", live.MaxPlanLines) + "f4 f3", live.CodeInvalid}, {strings.Repeat("f4 ", live.MaxPlanMoves) + "f3", live.CodeIllegal},
	} {
		var lines [][]string
		for _, line := range strings.Split(c.lines, ",") {
			if c.lines != "" {
				lines = append(lines, strings.Fields(line))
			}
		}
		if _, err := d.Plan(game.Second, lines); c.want == "" && err != nil || c.want != "" && !live.IsCode(err, c.want) {
			t.Errorf("%q gives %v, want %q", c.lines, err, c.want)
		}
	}
	if _, err := d.Plan(game.First, nil); !live.IsCode(err, live.CodeTurn) {
		t.Errorf("the side to move gets %v", err)
	}
	if _, err := sit(t, live.Settings{Game: "othello"}).Plan(game.Second, nil); !live.IsCode(err, live.CodeNothing) {
		t.Errorf("a game without days gives %v", err)
	}
	plan, err := d.Plan(game.Second, [][]string{{"f4", "f3", "e3", "d3"}, {"e3", "f3"}})
	if err != nil {
		t.Fatal(err)
	}
	answers := func(want string) {
		t.Helper()
		if move, more := d.Answer(plan); fmt.Sprint(move, " ", more) != want {
			t.Errorf("after %v the answer is %s %t, want %s", d.Moves(), move, more, want)
		}
	}
	d.move(t, 0, "f4")
	answers("f3 true")
	d.must(t, live.Command{Do: live.GoBack, Side: game.First, Ply: -1})
	d.must(t, live.Command{Do: live.Accept, Side: game.Second})
	d.move(t, 0, "e3")
	answers("f3 false")
	d.move(t, 0, "d3")
	answers(" false")
}
