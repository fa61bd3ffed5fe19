package baregame

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Overlay writes a file for the -overlay flag of go build and go test: with it, games.All has the
// bare game, too. So the real lists are tested with one line more, and no list is passed through
// packages for the sake of tests. root is the folder of the project.
func Overlay(t testing.TB, root string) (file string) {
	list, noRoot := filepath.Abs(filepath.Join(root, "games", "games.go"))
	source, err := os.ReadFile(list) //nolint:gosec // a file of the project
	if err := errors.Join(noRoot, err); err != nil {
		t.Fatal(err)
	}
	more := strings.Replace(string(source), "import (\n", "import (\n\t\"quintet/lab/baregame\"\n", 1)
	more = strings.Replace(more, "\n\t}\n}", "\n\t\tbaregame.Game,\n\t}\n}", 1) // the list comes first
	replaced, file := filepath.Join(t.TempDir(), "games.go"), filepath.Join(t.TempDir(), "overlay.json")
	for name, text := range map[string]string{replaced: more, file: fmt.Sprintf(`{"Replace": {%q: %q}}`, list, replaced)} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file
}
