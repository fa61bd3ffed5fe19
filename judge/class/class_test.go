package class_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/judge/class"
	"quintet/judge/run"
)

// TestClasses checks that the classes of the test programs pass every check, and that one
// with a changed rule fails those of one member.
func TestClasses(t *testing.T) {
	skipRaced(t)
	for _, game := range []string{"neighbors", "loa"} {
		folder := "../testdata/" + game
		files, err := filepath.Glob(folder + "/*.cpp")
		if err != nil || len(files) != 2 {
			t.Fatalf("%v %v", files, err)
		}
		if r := check(t, game, files); len(r.Checks) < 40 {
			t.Errorf("%s: %d checks, want 40", game, len(r.Checks))
		} else if g := r.Grade(game, class.DefaultRubric(game)); g.Points != g.Of || g.Of < 7 {
			t.Errorf("%s: %v of %v points", game, g.Points, g.Of)
			for _, k := range r.Checks {
				if !k.OK {
					t.Errorf("%+v", k)
				}
			}
		}
	}
}

// skipRaced skips a test that mostly runs compilers and programs, which the race detector
// does not see; TestWrong covers the same goroutines.
func skipRaced(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("runs without the race detector only")
	}
}

func check(t *testing.T, game string, files []string) class.Report {
	t.Helper()
	r, err := class.Run(t.Context(), game, files, run.Options{Flags: []string{"-O0"}}, run.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestWrong changes one function of a class.
func TestWrong(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"Neighbors.h", "Neighbors.cpp"} {
		data, err := os.ReadFile("../testdata/neighbors/" + name)
		if err != nil {
			t.Fatal(err)
		}
		wrong := strings.Replace(string(data), "if (b && w) return 'D';", "", 1)
		wrong = strings.Replace(wrong, "board[y1][x1] = '.';", "board[y1][x1] = '.'; swapPlayer();", 1)
		if err := os.WriteFile(filepath.Join(folder, name), []byte(wrong), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	failed := map[string]bool{}
	for _, k := range check(t, "neighbors", []string{filepath.Join(folder, "Neighbors.cpp")}).Checks {
		if !k.OK {
			failed[k.Member] = true
		}
	}
	if !failed["move"] || failed["constructor"] || failed["swapPlayer"] {
		t.Errorf("failed: %v, want move", failed)
	}
}

// TestMissing leaves out a member function and gives another one other
// parameters: what needs neither of them still counts.
func TestMissing(t *testing.T) {
	skipRaced(t)
	folder := t.TempDir()
	for _, name := range []string{"LinesOfAction.h", "LinesOfAction.cpp"} {
		data, err := os.ReadFile("../testdata/loa/" + name)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.NewReplacer("char gameOver();", "", "char LinesOfAction::gameOver()", "static char gameOver(LinesOfAction &g)",
			"= hasConnected(", "= g.hasConnected(", "void swapPlayer()", "void swapPlayer(char p)", "::swapPlayer()", "::swapPlayer(char)").Replace(string(data))
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g := check(t, "loa", []string{filepath.Join(folder, "LinesOfAction.cpp")}).Grade("loa", class.Rubric{"hasConnected": 2, "gameOver": 3, "constructor": 1, "swapPlayer": 1})
	for _, m := range g.Members {
		switch m.Name {
		case "constructor", "printGame", "getCurrentPlayer":
			if m.Right != m.Checks || m.Points != m.Of {
				t.Errorf("%+v: want all", m)
			}
		case "hasConnected": // the start needs no other
			if m.Right != 1 || m.Points <= 0 || m.Points >= 2 {
				t.Errorf("%+v: want some", m)
			}
		case "gameOver", "swapPlayer":
			if m.Right != 0 {
				t.Errorf("%+v: want none", m)
			}
		}
	}
	if c, failed := g.Failed(); !failed || !strings.Contains(c.Got, "does not compile: ") || g.Of != 7 {
		t.Errorf("%+v, of %v", c, g.Of)
	}
}
