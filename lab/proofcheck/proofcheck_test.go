package proofcheck_test

import (
	"strings"
	"testing"

	"quintet/bots/connect6/certificate"
	rules "quintet/games/connect6"
	"quintet/lab/proofcheck"
)

func read(t testing.TB, text string) *rules.Position {
	t.Helper()
	p, err := rules.Game.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*rules.Position)
}

// Positions with their wins.
const (
	four    = "9/9/1BBBB4/9/9/WWW6/9/9/9 B 2"
	crossed = "13/13/13/4BBB6/13/13/3B9/3B9/3B9/13/13/13/13 B 2"
	single  = "11/11/11/1WBBB6/11/4B6/4B6/11/11/11/11 B 2"
)

// TestVerify accepts what wins and refuses what does not, with the reason.
func TestVerify(t *testing.T) {
	for name, test := range map[string]struct {
		position, certificate, want string
		turns                       int
	}{
		"completes six":        {four, "F2 G2", "", 1},
		"threats in two lines": {crossed, "H3 D9", "", 2},
		"stones taken":         {four, "B2 G2", "B2 is not empty", 0},
		"one stone twice":      {four, "G2 G2", "G2 is not empty", 0},
		"one stone of two":     {crossed, "H3", "has 1 stones, expected 2", 0},
		"no threat":            {crossed, "A0 A12", "makes no threat", 0},
		"six of the other":     {"9/9/9/2WWWW3/9/2BBB4/9/9/9 B 2", "F5 G5", "the other side completes six", 0},
		"a missing reply":      {crossed, "H3 A0", "no reply to", 0},
		"a reply on a stone":   {crossed, "H3 A0 {E3 D3: A1 A2}", "E3 is not empty", 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := read(t, test.position)
			tree, err := proofcheck.Parse(p.Size(), test.certificate)
			if err != nil {
				t.Fatal(err)
			}
			got, err := proofcheck.Verify(p, tree)
			switch {
			case test.want == "" && (err != nil || got.Turns != test.turns):
				t.Errorf("%+v, %v, want a win in %d turns", got, err, test.turns)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// TestVerifyFinished refuses a position whose game is over.
func TestVerifyFinished(t *testing.T) {
	if _, err := proofcheck.Verify(read(t, "BBBBBB/6/6/6/6/6 W 2"), &certificate.Tree{}); err == nil {
		t.Error("a win was proved after the end")
	}
}

// TestParse reads what Format writes, and names what is wrong elsewhere.
func TestParse(t *testing.T) {
	deep := strings.Repeat("A0 {A1:", 70) + "A0" + strings.Repeat("}", 70)
	for _, test := range []struct{ text, want string }{
		{"H9 I9 {J9 K9: L9 M9; G9 K9: E9 F9 {A0: B0}}", ""},
		{"H9", ""},
		{"", `byte 1: expected a stone`},
		{"H9 {", `expected a stone`},
		{"H9 {J9}", `expected ":"`},
		{"H9 {J9: K9", `expected ";" or "}"`},
		{"H9 I9} A1", `expected the end, found "} A1"`},
		{"Z99", `stone:`},
		{deep, "at most 64 turns"},
	} {
		tree, err := proofcheck.Parse(19, test.text)
		switch {
		case test.want != "":
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%.40q: error %v, want %q", test.text, err, test.want)
			}
		case err != nil:
			t.Errorf("%q: %v", test.text, err)
		default:
			if got := certificate.Format(19, tree); got != test.text {
				t.Errorf("%q became %q", test.text, got)
			}
		}
	}
}

// FuzzParse never panics, neither does Verify, and Format writes what Parse reads.
func FuzzParse(f *testing.F) {
	f.Add("H9 I9 {J9 K9: L9 M9; G9 K9: E9 F9}")
	f.Add("F2 G2")
	p := read(f, crossed)
	f.Fuzz(func(t *testing.T, text string) {
		tree, err := proofcheck.Parse(p.Size(), text)
		if err != nil {
			return
		}
		again, err := proofcheck.Parse(p.Size(), certificate.Format(p.Size(), tree))
		if err != nil || again.Nodes() != tree.Nodes() || again.Turns() != tree.Turns() {
			t.Errorf("%q: %v", text, err)
		}
		_, _ = proofcheck.Verify(p, tree) // it must not panic
	})
}
