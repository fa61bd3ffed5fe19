package quintet_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// TestProgramSize checks that the program stays below the limit that make release has for it.
func TestProgramSize(t *testing.T) {
	text, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	limit := regexp.MustCompile(`(?m)^MAX_BYTES \?= (\d+)$`).FindSubmatch(text)
	if limit == nil {
		t.Fatal("the Makefile has no MAX_BYTES")
	}
	most, err := strconv.ParseInt(string(limit[1]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "quintet")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-s -w", "-o", program, "./cmd/quintet").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > most {
		t.Errorf("the program has %d bytes: expected at most %d", info.Size(), most)
	}
}
