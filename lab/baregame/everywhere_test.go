package baregame_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quintet/lab/baregame"
)

// root is the folder of the project.
const root = "../.."

// everywhere lists tests that go through all games, by package.
var everywhere = [][2]string{
	{"./serve", "^(TestEveryGame|TestDownloads|TestPuzzles|TestPuzzlesToday|TestLessons)$"},
	{"./serve/analysis", "^(TestLines|TestSuspended)$"},
	{"./tui", "^TestEveryGame$"},
	{"./web", "."},
	{"./record", "."},
	{"./record/formats", "^TestIdentity"},
	{"./picture", "."},
}

// TestEverywhere runs tests of the product with the bare game on the list of games: the server
// and its pages, the terminal, records and pictures.
func TestEverywhere(t *testing.T) {
	overlay := baregame.Overlay(t, root)
	for _, test := range everywhere {
		out := command(t, "go", "test", "-vet=off", "-overlay", overlay, "-run", test[1], test[0])
		if !strings.HasPrefix(out, "ok") || strings.Contains(out, "no tests to run") {
			t.Errorf("%s %s:\n%s", test[0], test[1], out)
		}
	}
}

// TestProgram uses the commands for the bare game.
func TestProgram(t *testing.T) {
	dir := t.TempDir()
	program, games := filepath.Join(dir, "quintet"), filepath.Join(dir, "games.jsonl")
	command(t, "go", "build", "-ldflags=-s -w", "-overlay", baregame.Overlay(t, root), "-o", program, "./cmd/quintet")
	for _, test := range []struct{ args, want string }{
		{"games bare", "White and Black put stones"},
		{"perft bare --depth 3", "3 504 "},
		{"arena bare --a engine --b level:1 --games 2 --nodes 200 --record " + games, "level:1"},
		{"analyze bare --nodes 200", "depth"},
		{"bench bare", "bare"},
	} {
		if out := command(t, program, strings.Fields(test.args)...); !strings.Contains(out, test.want) {
			t.Errorf("quintet %s: want %q in\n%s", test.args, test.want, out)
		}
	}
}

// command runs a command in the folder of the project.
func command(t *testing.T, name string, args ...string) (out string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), name, args...)
	c.Dir = root
	data, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("%s %s: %v\n%s", name, strings.Join(args, " "), err, data)
	}
	return string(data)
}
