package class_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quintet/judge/class"
	"quintet/judge/marks"
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
		} else if points, of := marks.Sum(r.Grade(game, marks.Even(class.Members(game)))); points != of || of < 7 {
			t.Errorf("%s: %v of %v points", game, points, of)
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
	r, err := class.Run(t.Context(), game, files, run.Options{Flags: []string{"-O0"}}, run.DefaultLimits(), strings.Clone)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestWrong changes three functions of a class: the checks of the others pass.
func TestWrong(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"Neighbors.h", "Neighbors.cpp"} {
		data, err := os.ReadFile("../testdata/neighbors/" + name)
		if err != nil {
			t.Fatal(err)
		}
		wrong := strings.Replace(string(data), "if (b && w) return 'D';", "", 1)
		wrong = strings.Replace(wrong, "board[y1][x1] = '.';", "board[y1][x1] = '.'; swapPlayer();", 1)
		wrong = strings.ReplaceAll(wrong, "cout << endl;", "cout << ' ' << endl;")
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
	if len(failed) != 3 || !failed["move"] || !failed["gameOver"] || !failed["printGame"] {
		t.Errorf("failed: %v, want move, gameOver and printGame", failed)
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
	r := check(t, "loa", []string{filepath.Join(folder, "LinesOfAction.cpp")})
	for _, m := range r.Grade("loa", marks.Rubric{"hasConnected": 2, "gameOver": 3, "constructor": 1, "swapPlayer": 1, "printGame": 1}) {
		switch m.Name {
		case "constructor", "printGame", "hasConnected": // the data is private, and the driver places the pieces
			if m.Right != m.Checks || m.Points != m.Of {
				t.Errorf("%+v: want all", m)
			}
		case "gameOver", "swapPlayer":
			if m.Right != 0 {
				t.Errorf("%+v: want none", m)
			}
		}
	}
	if c, failed := r.Failed(); !failed || !strings.Contains(c.Got, "does not compile: ") {
		t.Errorf("%+v", c)
	}
}

// TestStubs gives no points to constant answers, and at most half of move to a class without
// the rule of distance. Every stub is a driver's argument of one program.
func TestStubs(t *testing.T) {
	skipRaced(t)
	data, err := os.ReadFile("../testdata/neighbors/Neighbors.cpp")
	header, err2 := os.ReadFile("../testdata/neighbors/Neighbors.h")
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	const empty = `#include "Neighbors.h"
#include <iostream>
Neighbors::Neighbors() {}
void Neighbors::printGame() const {}
char Neighbors::getCurrentPlayer() const { return 'B'; }
void Neighbors::swapPlayer() {}
bool Neighbors::move(string, string) { return MOVES; }
bool Neighbors::isIsolated(char) const { return false; }
bool Neighbors::hasConnected(char) const { return false; }
char Neighbors::gameOver() const { return '-'; }
`
	for name, test := range map[string]struct {
		text        string
		most, least float64 // of move
		all         float64
	}{
		"empty":              {strings.Replace(empty, "MOVES", "false", 1), 0, 0, 0},
		"no distance":        {strings.Replace(string(data), "if (max(dx, dy) != around(board, y1, x1)) return false;", "", 1), .5, .3, 7.5},
		"counts no captures": {strings.Replace(strings.Replace(string(data), "blacks--;", ";", 1), "whites--;", ";", 1), 1, 1, 7.9},
		"no move leftward":   {strings.Replace(string(data), "if (max(dx, dy) !=", "if (dy == 0 && x2 < x1) return false;\n    if (max(dx, dy) !=", 1), .95, .5, 8},
	} {
		folder := t.TempDir()
		file := filepath.Join(folder, "Neighbors.cpp")
		if err := errors.Join(os.WriteFile(file, []byte(test.text), 0o600), os.WriteFile(filepath.Join(folder, "Neighbors.h"), header, 0o600)); err != nil {
			t.Fatal(err)
		}
		list := check(t, "neighbors", []string{file}).Grade("neighbors", marks.Even(class.Members("neighbors")))
		for _, f := range list {
			if f.Name == "move" && (f.Points > test.most || f.Points < test.least) {
				t.Errorf("%s: move earns %v, want %v to %v", name, f.Points, test.least, test.most)
			}
		}
		if points, _ := marks.Sum(list); points > test.all {
			t.Errorf("%s: %v points, want at most %v: %+v", name, points, test.all, list)
		}
	}
}

// TestStuck checks that after two checks of a member function time out, the rest of them are skipped.
func TestStuck(t *testing.T) {
	skipRaced(t)
	folder := t.TempDir()
	for _, name := range []string{"LinesOfAction.h", "LinesOfAction.cpp"} {
		data, err := os.ReadFile("../testdata/loa/" + name)
		text := strings.Replace(string(data), "::gameOver() {", "::gameOver() { while (true);", 1)
		if err := errors.Join(err, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	limits := run.DefaultLimits()
	limits.Wall = time.Second / 4
	r, err := class.Run(t.Context(), "loa", []string{filepath.Join(folder, "LinesOfAction.cpp")}, run.Options{Flags: []string{"-O0"}}, limits, strings.Clone)
	if err != nil {
		t.Fatal(err)
	}
	stuck, skipped := map[string]int{}, false
	for _, k := range r.Checks {
		if strings.Contains(k.Got, string(run.TimedOut)) {
			stuck[k.Member]++
		}
		skipped = skipped || strings.Contains(k.Got, "not run")
	}
	if stuck["gameOver"] != 2 || !skipped {
		t.Errorf("stuck: %v, others left out: %t", stuck, skipped)
	}
}
