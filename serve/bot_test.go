package serve_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"quintet/games"
)

// TestBot lets the bot of examples/ play every game to its end against another. It
// needs python3; QUINTET_NO_PYTHON=1 goes without.
func TestBot(t *testing.T) {
	if os.Getenv("QUINTET_NO_PYTHON") != "" {
		t.Skip("QUINTET_NO_PYTHON is set")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Fatalf("looking for python3: %v: make tools installs it", err)
	}
	s := open(t)
	for _, game := range games.Names() {
		out, err := exec.CommandContext(t.Context(), "python3", "../examples/bot.py", "--server", s.url, "--game", game, "--against", "random").CombinedOutput()
		if last := lastLine(string(out)); err != nil || !strings.Contains(last, " moves: ") || strings.Contains(last, "ongoing") {
			t.Errorf("%s: %v\n%s", game, err, out)
		}
	}
	text, err := os.ReadFile("../examples/bot.py")
	if n := strings.Count(string(text), "\n"); err != nil || n > 100 {
		t.Errorf("the bot has %d lines, %v, want 100 at most", n, err)
	}
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
