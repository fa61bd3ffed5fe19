package forcedwins

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSet makes a small set twice: it is the same, and every certificate of it holds.
func TestSet(t *testing.T) {
	m := maker{seed: 3, count: 1, nodes: 5_000, fewest: [2]int{3, 3}}
	var first, second bytes.Buffer
	for _, out := range []io.Writer{&first, &second} {
		if err := m.run(t.Context(), out, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	if first.String() != second.String() {
		t.Errorf("%s, and then %s", &first, &second)
	}
	name := filepath.Join(t.TempDir(), "set.jsonl")
	check := func(set string) error {
		if err := os.WriteFile(name, []byte(set), 0o600); err != nil {
			t.Fatal(err)
		}
		return checkFile(name, io.Discard)
	}
	if err := check(first.String()); err != nil {
		t.Error(err)
	}
	for _, wrong := range [][2]string{{`"turns":`, `"turns":1`}, {"certificate", "proof"}, {": ", ": A0 "}} {
		if err := check(strings.Replace(first.String(), wrong[0], wrong[1], 1)); err == nil {
			t.Errorf("%s for %s is not noticed", wrong[1], wrong[0])
		}
	}
}

// TestPositions proves a position of the set of wins again, and names the position that has no
// win and the line that is no position.
func TestPositions(t *testing.T) {
	set, err := os.ReadFile("../../bots/connect6/testdata/forcedwins.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	want, _, _ := strings.Cut(string(set), "\n")
	_, position, _ := strings.Cut(want, `{"position":"`)
	position, _, _ = strings.Cut(position, `"`)
	m := maker{nodes: 100_000}
	var out bytes.Buffer
	if err := m.proveAll(t.Context(), position+"\n", &out); err != nil || out.String() != want+"\n" {
		t.Errorf("%s: %v, %s, want %s", position, err, &out, want)
	}
	for text, wrong := range map[string]string{
		position + "\n3/3/3 B 1\n": "position 2: no win is proved within 100000 positions",
		"nothing\n":                "position 1: ",
	} {
		if err := m.proveAll(t.Context(), text, io.Discard); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%q gives %v, want %s", text, err, wrong)
		}
	}
}
