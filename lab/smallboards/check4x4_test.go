package smallboards

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quintet/bots/othello/solved"
)

// TestCheck4x4 lets the checker in Python check the table of all maps of pits on 4x4, and every hundredth
// value; wrong tables are refused. It needs python3; QUINTET_NO_PYTHON=1 goes without.
func TestCheck4x4(t *testing.T) {
	if os.Getenv("QUINTET_NO_PYTHON") != "" {
		t.Skip("QUINTET_NO_PYTHON is set")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Fatalf("looking for python3: %v: make tools installs it", err)
	}
	text, err := os.ReadFile("testdata/4x4.txt")
	if err != nil {
		t.Fatal(err)
	}
	whole := string(text)
	lines := strings.SplitAfter(whole, "\n")
	for _, test := range []struct{ table, every, want string }{
		{whole, "100", "1018 boards for 3797 maps: Black wins 634, White 312, 72 are drawn\n11 values proved by "},
		{strings.Join(lines[1:], ""), "2000", "1 maps have no entry"},
		{strings.Join(lines[:7], "") + lines[5], "2000", "another entry has this map"},
		{strings.Replace(whole, "4 - -10 ", "4 - -8 ", 1), "2000", "-: the line does not end with -8"},
		{strings.Replace(whole, lines[0], "4 - 8 1 b4 c4 d4 a4 a3 a2 d1 d3 d2 pass b1 c1 a1\n", 1), "2000", "-: the value is -10, not 8"},
	} {
		file := filepath.Join(t.TempDir(), "table")
		if err := os.WriteFile(file, []byte(test.table), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), "python3", "check4x4.py", file, test.every).CombinedOutput()
		if !strings.Contains(string(out), test.want) || (err == nil) != (test.table == whole) {
			t.Errorf("%s (%v), want %q", out, err, test.want)
		}
	}
}

// TestTables4 checks that the table of all maps and the one that comes with the program agree.
func TestTables4(t *testing.T) {
	file, err := os.Open("testdata/4x4.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	all, err := solved.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]int{}
	for _, e := range all.Entries() {
		values[e.Pits] = e.Value
	}
	if list := classes(4, 8); len(list) != len(values) {
		t.Errorf("%d entries, want %d", len(values), len(list))
	}
	for _, e := range entries(t, 4) {
		if v, ok := values[e.Pits]; !ok || v != e.Value {
			t.Errorf("4 %s: %d, want %d", e.Pits, v, e.Value)
		}
	}
}
