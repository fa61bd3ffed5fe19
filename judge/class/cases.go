package class

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quintet/judge/dialogue"
	"quintet/judge/marks"
	"quintet/judge/suite"
)

// testCase is one check: C++ statements on an object g, and their expected output.
type testCase struct {
	member, name string
	code, want   string
	kind         marks.Case
	typed        []string // the moves before the check
	board        string   // after those moves
}

// never lists moves that are invalid at the start of either game.
var never = [][2]string{
	{"E0", "f1"}, {"k0", "k1"}, {"d8", "d4"}, {"d0", "d9"}, {"", ""}, {"a0", "a1"}, {"c3", "c4"}, {"x", "y"}, {"-1", "00"},
}

// cases lists the checks of a class: simple ones, and checks of positions after moves,
// with the answers of the specification's program. Its variants without one rule show which
// moves are invalid for one reason only.
func (c class) cases() []testCase {
	start, _, _ := c.after(nil)
	moved, _, _ := c.after([]string{c.opening})
	open := call(c.opening)
	is := func(answer string) marks.Case { return marks.Case{Answer: answer} }
	list := []testCase{
		{"constructor", "the board at the start", "g.printGame();", start, is("start"), nil, ""},
		{"printGame", "changes nothing when it is called twice", "g.printGame(); g.printGame();", start + start, is("start"), nil, ""},
		{"printGame", "the board after a move", played([]string{c.opening}) + "g.printGame();", moved, is("moved"), []string{c.opening}, moved},
		{"getCurrentPlayer", "black begins", "cout << g.getCurrentPlayer();", "B", is("B"), nil, ""},
		{"getCurrentPlayer", "white is next", "g.swapPlayer(); cout << g.getCurrentPlayer();", "W", is("W"), nil, ""},
		{"swapPlayer", "white is next, and the board stays", "g.swapPlayer(); cout << g.getCurrentPlayer() << endl; g.printGame();", "W\n" + start, is("W"), nil, ""},
		{"swapPlayer", "black is next after that", "g.swapPlayer(); g.swapPlayer(); cout << g.getCurrentPlayer();", "B", is("B"), nil, ""},
		{"move", "accepts " + c.opening + ", does not swap players, and prints nothing", "cout << " + open + " << g.getCurrentPlayer();", "1B", marks.Case{Answer: "accepts", Reason: "first"}, nil, start},
		{"hasConnected", "neither side at the start", "cout << g.hasConnected('B') << g.hasConnected('W');", "00", is("00"), nil, start},
		{"gameOver", "not at the start", "cout << g.gameOver();", "-", is("-"), nil, start},
		{"isIsolated", "neither side at the start", "cout << g.isIsolated('B') << g.isIsolated('W');", "00", is("00"), nil, start},
	}
	for _, m := range never {
		list = append(list, c.refuses(nil, []string{m[0] + " " + m[1]}, marks.Case{Answer: "refuses", Reason: "cells"}))
	}
	list = append(list, c.accepts()...)
	for _, game := range slices.Concat(c.games, c.endings, c.finished()) {
		list = append(list, c.along(game)...)
	}
	list = append(list, c.wrongMoves()...)
	return slices.DeleteFunc(list, func(k testCase) bool { return !c.has(k.member) })
}

func moves(game string) []string {
	if game == "" {
		return nil
	}
	return strings.Split(game, ", ")
}

// call returns the C++ call of a move.
func call(line string) string {
	from, to, _ := strings.Cut(line, " ")
	return fmt.Sprintf("g.move(%q, %q)", from, to)
}

// played returns the C++ statements for moves in which the players take turns.
func played(typed []string) string {
	var w strings.Builder
	for _, line := range typed {
		w.WriteString(call(line) + "; g.swapPlayer(); ")
	}
	return w.String()
}

// refuses returns a check that move refuses some moves after others, and changes no member.
func (c class) refuses(typed, wrong []string, kind marks.Case) testCase {
	code := played(typed)
	for _, line := range wrong {
		code += "cout << " + call(line) + "; "
	}
	board, _, _ := c.after(typed)
	return testCase{
		"move", "refuses " + strings.Join(wrong, ", ") + after(typed) + ", and no member changes",
		code + "cout << endl; g.printGame(); cout << g.getCurrentPlayer();", strings.Repeat("0", len(wrong)) + "\n" + board + "BW"[len(typed)%2:][:1], kind, typed, board,
	}
}

// after says in words which moves were made.
func after(typed []string) string {
	switch n := len(typed); {
	case n == 0:
		return ""
	case n <= 6:
		return " after " + strings.Join(typed, ", ")
	default:
		return fmt.Sprintf(" after the %d moves from %s to %s", n, typed[0], typed[n-1])
	}
}

// distanceWeight makes distance, the core rule of both games, about half of what move must refuse.
const distanceWeight = 6

// wrongMoves checks moves that are invalid for one reason only: a program that lacks just
// this rule accepts them. It prefers moves at the start, because later ones need a program
// that makes the moves before them.
func (c class) wrongMoves() (list []testCase) {
	for _, lacks := range []struct {
		rule   dialogue.Fault
		weight float64
	}{{"any-length", distanceWeight}, {"any-direction", 1}, {"own-target", 1}, {"enemy-piece", 1}, {"jumps-enemy", 1}} {
		for _, game := range append([]string{""}, c.games...) {
			typed := moves(game)
			legal := c.legal(c.right, typed)
			wrong := slices.DeleteFunc(c.legal(c.right.With(lacks.rule), typed), func(line string) bool { return slices.Contains(legal, line) })
			if some := spread(wrong, 6); len(some) > 0 {
				list = append(list, c.refuses(typed, some, marks.Case{Answer: "refuses", Reason: string(lacks.rule), Weight: lacks.weight}))
				break
			}
		}
	}
	return list
}

// spread returns n elements of a list at equal distances.
func spread(list []string, n int) (some []string) {
	n = min(n, len(list))
	for i := range n {
		some = append(some, list[i*len(list)/n])
	}
	return some
}

// legal lists the valid moves of a program after others.
func (c class) legal(p dialogue.Program, typed []string) (list []string) {
	p.Lead(func(choice dialogue.Choice) (string, bool) {
		if len(typed) == 0 {
			list = choice.Legal()
			return "", false
		}
		line := typed[0]
		typed = typed[1:]
		return line, true
	})
	return list
}

// accepts checks a first move of either side in each direction.
func (c class) accepts() (list []testCase) {
	for side, right := range []dialogue.Program{c.right, c.right.With("second-first")} {
		seen := map[string]bool{}
		for _, line := range c.legal(right, nil) {
			way := direction(line)
			if seen[way] {
				continue
			}
			seen[way] = true
			talk := right.Play([]string{line}, "")
			list = append(list, testCase{
				"move", "accepts " + line + " at the start" + []string{"", ", if white begins"}[side],
				[]string{"", "g.swapPlayer(); "}[side] + "cout << " + call(line) + " << endl; g.printGame();",
				"1\n" + talk.Turns[1].Pieces[0].Text, marks.Case{Answer: "accepts", Reason: way}, nil, talk.Turns[0].Pieces[0].Text,
			})
		}
	}
	return list
}

// direction returns the direction of a move: "-1 1".
func direction(line string) string {
	return fmt.Sprint(cmp.Compare(line[3], line[0]), cmp.Compare(line[4], line[1]))
}

// along compares the functions with the specification's program after the moves of a game
// in which the players take turns.
func (c class) along(game string) []testCase {
	typed := moves(game)
	board, accepted, result := c.after(typed)
	said := map[string]string{"B": "10", "W": "01", "D": "11"}[result]
	if said == "" {
		said = "00"
	}
	code, name := played(typed), strings.TrimSpace(after(typed))
	bits := strings.ReplaceAll(code, "g.move(", "cout << g.move(")
	alone := isolated(board, 'B') + isolated(board, 'W')
	is := func(answer string) marks.Case { return marks.Case{Answer: answer} }
	return []testCase{
		{"move", "the moves accepted and the board " + name, bits + "cout << endl; g.printGame();", accepted + "\n" + board, marks.Case{Answer: "accepts", Reason: "game"}, typed, board},
		{"hasConnected", name, code + "cout << g.hasConnected('B') << g.hasConnected('W');", said, is(said), typed, board},
		{"gameOver", name, code + "cout << g.gameOver();", result, is(result), typed, board},
		{"gameOver", "whoever's turn it is, " + name, code + "g.swapPlayer(); cout << g.gameOver();", result, is(result), typed, board},
		{"isIsolated", name, code + "cout << g.isIsolated('B') << g.isIsolated('W');", alone, is(alone), typed, board},
	}
}

// finished returns short games for each kind of ending, without passes, because the member
// functions have none.
func (c class) finished() (list []string) {
	seen := map[string]bool{}
	games := suite.Games(c.right, suite.Options{})
	for seed := range uint64(3) {
		games = append(games, suite.Random(c.right, seed+1)...)
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
func (c class) driver(cases []testCase, more string) string {
	var w strings.Builder
	fmt.Fprintf(&w, "#include %q\n#include <cstdlib>\n#include <iostream>\n#include <string>\nusing namespace std;\n%s\n", c.name+".h", more)
	w.WriteString("int main(int argc, char **argv) {\n")
	fmt.Fprintf(&w, "    %s g;\n    switch (argc > 1 ? atoi(argv[1]) : -1) {\n", c.name)
	for i, k := range cases {
		fmt.Fprintf(&w, "    case %d: { %s break; }\n", i, k.code)
	}
	w.WriteString("    }\n    cout << flush;\n    return 0;\n}\n")
	return w.String()
}
