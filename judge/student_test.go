package judge_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/judge"
	"quintet/judge/process"
	"quintet/judge/source"
)

// students are programs written from the specification alone, as students
// write them.
var students = map[string][]string{
	"neighbors": {"Neighbors.cpp", "playgame.cpp"}, "othello": {"othello.cpp"}, "loa": {"LinesOfAction.cpp", "gameplay.cpp"},
	"connect6": {"connect6.cpp"}, "chess": {"chess.cpp"},
}

// verdictOn compiles a student's program, with a text replaced, and judges it.
func verdictOn(t *testing.T, game string, size int, from, to string) judge.Verdict {
	t.Helper()
	handedIn, folder := t.TempDir(), t.TempDir()
	entries, err := os.ReadDir(filepath.Join("testdata", game))
	if err != nil {
		t.Fatal(err)
	}
	found := from == ""
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join("testdata", game, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		if from != "" && strings.Contains(text, from) {
			text, found = strings.ReplaceAll(text, from, to), true
		}
		if err := os.WriteFile(filepath.Join(handedIn, e.Name()), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if !found {
		t.Fatalf("%s has no %q", game, from)
	}
	var files []string
	for _, name := range students[game] {
		files = append(files, filepath.Join(handedIn, name))
	}
	build := source.Options{Size: size, Flags: []string{"-O0"}}
	if err := source.Compile(t.Context(), folder, files, build); err != nil {
		t.Fatal(err)
	}
	program := build.Program(folder, process.Usual())
	v, err := judge.Judge(t.Context(), game, &program, judge.Options{Size: size, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestStudents wants right programs to be accepted, on other boards, too.
func TestStudents(t *testing.T) {
	for _, test := range []struct {
		game string
		size int
	}{{"neighbors", 0}, {"othello", 0}, {"othello", 6}, {"loa", 0}, {"connect6", 0}, {"connect6", 6}, {"chess", 0}} {
		if v := verdictOn(t, test.game, test.size, "", ""); !v.OK() {
			t.Errorf("%s %d: %s\n%s", test.game, test.size, v.Message, v.Talk)
		}
	}
}

// TestWrong changes programs, and wants the judge to say so. It takes half of
// the changes, and all of them with QUINTET_MUTANTS=all.
func TestWrong(t *testing.T) {
	for i, test := range []struct {
		name, game, from, to, verdict, says string
	}{
		{"jumps", "loa", "if (c == nextPlayer) return false;", "(void)c;", judge.WrongRule, "jumps over an enemy piece"},
		{"trailing blank", "othello", `"Round " << round++ << ":"`, `"Round " << round++ << ": "`, judge.Whitespace, "trailing blank"},
		{"no final line end", "othello", `wins!" << endl`, `wins!"`, judge.Whitespace, "no line end after"},
		{"carriage returns", "connect6", `\n"`, `\r\n"`, judge.Whitespace, `\r\n instead of \n`},
		{"wrong prompt", "othello", `"'s turn: "`, `"'s move: "`, judge.WrongOutput, "wrong prompt"},
		{"no blank after the colon", "othello", `"'s turn: "`, `"'s turn:"`, judge.Whitespace, "no blank after the colon"},
		{"exactly six", "connect6", ">= 6) return WIN", "== 6) return WIN", judge.WrongRule, "more than six stones"},
		{"endless", "chess", "    return 0;", "    for (;;);", judge.DoesNotStop, "does not stop"},
		{"crash", "chess", "int main() {", "int main() {\n    abort();", judge.Crashed, "SIGABRT"},
		{"waits", "connect6", "\n            return 0;\n        }\n        if (--left", "\n            cin >> col;\n            return 0;\n        }\n        if (--left", judge.WaitsForInput, "waits for input"},
		{"prints too much", "othello", `cout << "Game over:" << endl;`, `cout << "Game over:" << endl; atexit([] { cout << "Bye" << endl; });`, judge.PrintsTooMuch, "too much"},
		{"wrong pass", "othello", "moves! Pass!", "moves! Pass.", judge.WrongOutput, "wrong pass message"},
		{"refuses", "othello", "if (!inBoard(y, x) ||", "if (!inBoard(y, x) || y == 0 ||", judge.WrongRule, "refuses the valid move"},
		{"passes", "othello", "k > 1", "k > 2", judge.WrongRule, "passes a player who has a move"},
		{"no pass", "neighbors", "if (game.isIsolated(p)) {", "if (false) {", judge.WrongRule, "does not pass a player without moves"},
	} {
		if often := i%2 == 0 || test.verdict == judge.Whitespace; !often && os.Getenv("QUINTET_MUTANTS") == "" {
			continue
		}
		v := verdictOn(t, test.game, map[string]int{"waits": 6}[test.name], test.from, test.to)
		if v.Verdict != test.verdict || !strings.Contains(v.Message, test.says) {
			t.Errorf("%s: %s: %s\n%s", test.name, v.Verdict, v.Message, v.Talk)
		}
	}
}
