package smallboards

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/bots/othello/solved"
)

// certified returns the certificate of a board of 4x4.
func certified(t *testing.T, text string) certificate {
	t.Helper()
	table, err := solved.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c, err := certify(t.Context(), table.Entries()[0], 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCertify makes certificates of boards of 4x4 and checks all of each.
func TestCertify(t *testing.T) {
	for _, e := range entries(t, 4) {
		c := certified(t, e.Text())
		again, err := parseCertificate(c.text())
		if err != nil || again != c {
			t.Fatalf("%s was read as %+v (%v)", c.text(), again, err)
		}
		v, err := c.verify(-1, 1)
		if err != nil || v.claims == 0 || v.proved != v.claims {
			t.Errorf("4 %s: %+v (%v)", e.Pits, v, err)
		}
	}
}

// TestWrongCertificate checks that a value that is off by one, a move that is missing, one
// too many and each move that is another are found.
func TestWrongCertificate(t *testing.T) {
	c := certified(t, "4 - -10 1")
	for _, by := range []int{-1, 1} {
		wrong := c
		wrong.value += by
		if _, err := wrong.verify(-1, 1); err == nil {
			t.Errorf("value %d was proved", wrong.value)
		}
		text := strings.Replace("4 - -10 1", "-10", map[int]string{-1: "-11", 1: "-9"}[by], 1)
		table, err := solved.Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := certify(t.Context(), table.Entries()[0], 5, 1); err == nil {
			t.Errorf("value %d was certified", wrong.value)
		}
	}
	for side := range 2 {
		wrong := c
		wrong.moves[side] = wrong.moves[side][:len(wrong.moves[side])-1]
		if _, err := wrong.verify(-1, 1); err == nil || !strings.HasSuffix(err.Error(), "the certificate has no more moves") {
			t.Errorf("a move is missing: %v", err)
		}
		wrong.moves[side] = c.moves[side] + "A"
		if _, err := wrong.verify(-1, 1); err == nil || err.Error() != "1 moves are left of the certificate" {
			t.Errorf("a move too many: %v", err)
		}
		for i := range c.moves[side] {
			wrong.moves[side] = c.moves[side][:i] + "F" + c.moves[side][i+1:] // a disc is there
			if _, err := wrong.verify(-1, 1); err == nil {
				t.Errorf("move %d of side %d: no error", i, side)
			}
		}
	}
	for _, text := range []string{"", "6 - 1 1\n\n", "6 - x 1\n\n\n", "6 - 1 1\nA\nB\nC\n"} {
		if _, err := parseCertificate(text); err == nil {
			t.Errorf("%q was parsed", text)
		}
	}
}

// TestCertificates checks the trees of the certificates of 6x6, and some of their claims.
func TestCertificates(t *testing.T) {
	files, err := filepath.Glob("testdata/*.proof")
	if err != nil || len(files) == 0 {
		t.Fatalf("no certificates (%v)", err)
	}
	values := map[string]int{}
	for _, e := range entries(t, 6) {
		values[e.Pits] = e.Value
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := parseCertificate(string(text))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if value, ok := values[c.pits]; !ok || value != c.value || c.size != 6 {
			t.Errorf("%s is of a board of value %d, want %d", file, c.value, value)
		}
		v, err := c.verify(2, 1)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		t.Logf("%s: %+v", file, v)
	}
}
