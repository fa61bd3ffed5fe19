package class

import (
	"fmt"
	"slices"
	"strings"

	"quintet/judge/dialogue"
	"quintet/judge/suite"
)

// testCase is one check: C++ statements on an object g, and their expected output.
type testCase struct {
	member, name string
	code, want   string
}

// never lists moves that are invalid at the start of either game.
var never = [][2]string{
	{"E0", "f1"}, {"k0", "k1"}, {"d8", "d4"}, {"d0", "d9"}, {"", ""}, {"a1", "a1"}, {"c3", "c4"}, {"d0", "e2"}, {"x", "y"}, {"-1", "00"},
}

// cases lists the checks of a class: simple ones, and checks of positions after moves,
// with the answers of the specification's program.
func (c class) cases() []testCase {
	start, _, _ := c.after(nil)
	list := []testCase{
		{"constructor", "the board at the start", "g.printGame();", start},
		{"printGame", "changes nothing when it is called twice", "g.printGame(); g.printGame();", start + start},
		{"getCurrentPlayer", "black begins", "cout << g.getCurrentPlayer();", "B"},
		{"swapPlayer", "white is next", "g.swapPlayer(); cout << g.getCurrentPlayer();", "W"},
		{"swapPlayer", "black is next after that", "g.swapPlayer(); g.swapPlayer(); cout << g.getCurrentPlayer();", "B"},
		{"swapPlayer", "the board stays", "g.swapPlayer(); g.printGame();", start},
		{"move", "does not swap players", "g.move(" + c.opening + "); cout << g.getCurrentPlayer();", "B"},
		{"move", "prints nothing", "g.move(" + c.opening + ");", ""},
		{"hasConnected", "neither side at the start", "cout << g.hasConnected('B') << g.hasConnected('W');", "00"},
		{"gameOver", "not at the start", "cout << g.gameOver();", "-"},
		{"isIsolated", "neither side at the start", "cout << g.isIsolated('B') << g.isIsolated('W');", "00"},
	}
	for _, m := range slices.Concat(never, c.invalid) {
		list = append(list, testCase{
			"move", "refuses " + m[0] + " " + m[1] + ", and no member changes",
			fmt.Sprintf("cout << g.move(%q, %q); g.printGame(); cout << g.getCurrentPlayer() << g.hasConnected('B') << g.hasConnected('W') << g.gameOver();", m[0], m[1]),
			"0" + start + "B00-",
		})
	}
	for _, game := range slices.Concat(c.games, c.finished()) {
		list = append(list, c.along(game)...)
	}
	return slices.DeleteFunc(list, func(k testCase) bool { return !c.has(k.member) })
}

// along compares the functions with the specification's program after the moves of a game
// in which the players take turns.
func (c class) along(game string) []testCase {
	var code strings.Builder
	var typed []string
	for _, m := range strings.Split(game, ", ") {
		typed = append(typed, m)
		from, to, _ := strings.Cut(m, " ")
		fmt.Fprintf(&code, "cout << g.move(%q, %q); g.swapPlayer(); ", from, to)
	}
	board, accepted, result := c.after(typed)
	said := map[string]string{"B": "10", "W": "01", "D": "11"}[result]
	if said == "" {
		said = "00"
	}
	silent := strings.ReplaceAll(code.String(), "cout << ", "")
	return []testCase{
		{"move", "accepts and refuses in " + game, code.String(), accepted},
		{"move", "the board after " + game, silent + "g.printGame();", board},
		{"hasConnected", "after " + game, silent + "cout << g.hasConnected('B') << g.hasConnected('W');", said},
		{"gameOver", "after " + game, silent + "cout << g.gameOver();", result},
		{"gameOver", "whoever's turn it is, after " + game, silent + "g.swapPlayer(); cout << g.gameOver();", result},
		{"isIsolated", "after " + game, silent + "cout << g.isIsolated('B') << g.isIsolated('W');", isolated(board, 'B') + isolated(board, 'W')},
	}
}

// finished returns short games for each kind of ending, without passes, because the member
// functions have none.
func (c class) finished() (list []string) {
	seen := map[string]bool{}
	var games []suite.Game
	for seed := range uint64(4) {
		games = append(games, suite.Games(c.right, suite.Options{Seed: seed})...)
	}
	slices.SortStableFunc(games, func(a, b suite.Game) int { return len(a.Lines) - len(b.Lines) })
	for _, g := range games {
		talk := c.right.Play(g.Lines, "")
		_, accepted, result := c.after(g.Lines)
		if plain := talk.Over && !strings.Contains(accepted, "0") && len(accepted) == len(g.Lines); plain && !seen[result] && !passes(talk) {
			seen[result] = true
			list = append(list, strings.Join(g.Lines, ", "))
		}
	}
	return list
}

func passes(talk dialogue.Conversation) bool {
	return slices.ContainsFunc(talk.Turns, func(t dialogue.Turn) bool {
		return slices.Contains(t.Why, "has to pass") || slices.Contains(t.Why, "leaves nobody a move")
	})
}

// isolated returns "1" if no piece of a side on a printed board has a neighbour, and
// otherwise "0".
func isolated(board string, side byte) string {
	rows := strings.Split(board, "\n")[1:]
	at := func(row, col int) byte {
		if row < 0 || row > 7 || col < 0 || col > 7 {
			return '.'
		}
		return rows[row][2+2*col]
	}
	for i := range 64 {
		for k := range 9 {
			row, col := i/8, i%8
			if k != 4 && at(row, col) == side && at(row+k/3-1, col+k%3-1) != '.' {
				return "0"
			}
		}
	}
	return "1"
}

// after returns the board after moves, which of them are valid, and the result of
// gameOver. The driver swaps players even after an invalid move.
func (c class) after(typed []string) (board, accepted, result string) {
	talk := c.right.With(dialogue.LosesTurn).Play(typed, "")
	result = "-"
	for i, t := range talk.Turns {
		valid := "1"
		for _, piece := range t.Pieces {
			switch piece.Kind {
			case dialogue.BoardText:
				board = piece.Text
			case dialogue.Refusal:
				valid = "0"
			case dialogue.ResultText:
				result = piece.Text[:1]
			}
		}
		if slices.Contains(t.Why, "isolates all pieces") {
			result = "I"
		}
		if i > 0 {
			accepted += valid
		}
	}
	return board, accepted, result
}

// driver returns a program that runs the check whose number is its argument.
func (c class) driver(cases []testCase) string {
	var w strings.Builder
	fmt.Fprintf(&w, "#include %q\n#include <cstdlib>\n#include <iostream>\n#include <string>\nusing namespace std;\n\n", c.name+".h")
	w.WriteString("int main(int argc, char **argv) {\n")
	fmt.Fprintf(&w, "    %s g;\n    switch (argc > 1 ? atoi(argv[1]) : -1) {\n", c.name)
	for i, k := range cases {
		fmt.Fprintf(&w, "    case %d: { %s break; }\n", i, k.code)
	}
	w.WriteString("    }\n    cout << flush;\n    return 0;\n}\n")
	return w.String()
}
