package smallboards

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// certificate4 is the certificate of 4x4 without pits.
const certificate4 = "4 - -10 5\nCALMMNHMAONLMBPIEOAIHP\nDBLOLLBLNBLIDLBLBMEOHEOCEOLOOMOEOE\n"

// TestCertificate4 checks all of a certificate.
func TestCertificate4(t *testing.T) {
	c, err := parseCertificate(certificate4)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := c.verify(-1, 1); err != nil || v.claims == 0 || v.proved != v.claims {
		t.Errorf("%+v (%v)", v, err)
	}
}

// TestWrongCertificate checks that a value that is off by one, a move that is missing, one
// too many and each move that is another are found.
func TestWrongCertificate(t *testing.T) {
	c, err := parseCertificate(certificate4)
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []int{-1, 1} {
		wrong := c
		wrong.value += by
		if _, err := wrong.verify(-1, 1); err == nil {
			t.Errorf("value %d was proved", wrong.value)
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
		v, err := c.verify(1, 1)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		t.Logf("%s: %+v", file, v)
	}
}
