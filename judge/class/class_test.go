package class_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/judge/class"
	"quintet/judge/process"
	"quintet/judge/source"
)

// TestClasses wants the classes of the test programs to pass every check, and
// one with a changed rule to fail those of one member.
func TestClasses(t *testing.T) {
	for _, c := range class.Classes() {
		folder := "../testdata/" + c.Game
		files, err := filepath.Glob(folder + "/*.cpp")
		if err != nil || len(files) != 2 {
			t.Fatalf("%v %v", files, err)
		}
		if r := check(t, c.Game, files); len(r.Checks) < 40 {
			t.Errorf("%s: %d checks, want 40", c.Name, len(r.Checks))
		} else if points, all := r.Points(class.Usual(c.Game)); points != all {
			t.Errorf("%s: %v of %v points", c.Name, points, all)
			for _, k := range r.Checks {
				if !k.OK {
					t.Errorf("%+v", k)
				}
			}
		}
	}
}

func check(t *testing.T, game string, files []string) class.Report {
	t.Helper()
	r, err := class.Run(t.Context(), game, files, source.Options{}, process.Program{Limits: process.Usual()})
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
