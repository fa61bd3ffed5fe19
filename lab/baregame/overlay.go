package baregame

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Overlay writes a file for the -overlay flag of go build and go test, in a folder. It adds the
// bare game to games.All; root is the folder of the project. So the real lists are tested with one
// line more, and no list must be passed through packages for the sake of tests.
func Overlay(root, folder string) (file string, err error) {
	list, err := filepath.Abs(filepath.Join(root, "games", "games.go"))
	if err != nil {
		return "", fmt.Errorf("finding the list of games: %w", err)
	}
	source, err := os.ReadFile(list) //nolint:gosec // a file of the project
	if err != nil {
		return "", fmt.Errorf("reading the list of games: %w", err)
	}
	const imports, end = "import (\n", "\n\t}\n}" // of the list, which comes first
	if !strings.Contains(string(source), imports) || !strings.Contains(string(source), end) {
		return "", fmt.Errorf("%s: no list of games found", list)
	}
	more := strings.Replace(string(source), imports, imports+"\t\"quintet/lab/baregame\"\n", 1)
	more = strings.Replace(more, end, "\n\t\tbaregame.Game,"+end, 1)
	replaced := filepath.Join(folder, "games.go")
	if err := os.WriteFile(replaced, []byte(more), 0o600); err != nil { //nolint:gosec // in a folder of the test
		return "", fmt.Errorf("writing the longer list of games: %w", err)
	}
	data, err := json.Marshal(map[string]any{"Replace": map[string]string{list: replaced}})
	if err != nil {
		return "", fmt.Errorf("writing the overlay: %w", err)
	}
	file = filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return "", fmt.Errorf("writing the overlay: %w", err)
	}
	return file, nil
}
