package live_test

import (
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"quintet/live"
)

// TestSkeleton checks which names count as one.
func TestSkeleton(t *testing.T) {
	for _, test := range []struct {
		name, a, b string
		same       bool
	}{
		{"case", "Rude NAME", "rude name", true},
		{"composed", "M\u00fcller", "Mu\u0308ller", true},
		{"full width", "Ｒｕｄｅ\u3000Ｎａｍｅ", "Rude Name", true},
		{"mathematical letters", "𝐑𝓊𝖉𝚎 Name", "Rude Name", true},
		{"Cyrillic letters", "Rud\u0435 N\u0430m\u0435", "Rude Name", true},
		{"Cyrillic capitals", "\u0412\u0415\u041d\u0422", "bent", false},
		{"Cyrillic capitals that look so", "\u0421\u041e\u0422", "cot", true},
		{"Greek letters", "R\u03c5de N\u03b1me", "Rude Name", true},
		{"a dotless i with a dot", "r\u0131\u0307de", "ride", true},
		{"a dotless i", "r\u0131de", "ride", true},
		{"invisible letters between accents", "o\u0301\u034f\u0323", "o\u0323\u0301", true},
		{"invisible letters", "Ru\u034fde\u3164 Na\ufe0fme", "Rude Name", true},
		{"wide blanks", "Rude\u00a0\u2003Name", "Rude Name", true},
		{"a sharp s", "gro\u00df", "GROSS", false},
		{"accents", "Ren\u00e9", "Rene", false},
		{"others", "Ian", "Lan", false},
		{"Chinese names", "\u674e\u660e", "\u738b\u660e", false},
	} {
		if got := live.Skeleton(test.a) == live.Skeleton(test.b); got != test.same {
			t.Errorf("%s: %q and %q: the same is %t (%q, %q)", test.name, test.a, test.b, got, live.Skeleton(test.a), live.Skeleton(test.b))
		}
	}
}

// TestSkeletonForms checks that no form of a name has another skeleton, and that a skeleton is its own.
func TestSkeletonForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.RuneFrom(nil, unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Mn, unicode.Han)).Draw(t, "name")
		want := live.Skeleton(name)
		for _, other := range []string{norm.NFC.String(name), norm.NFD.String(name), norm.NFKC.String(name), strings.ToUpper(norm.NFKD.String(name)), want, " " + name + "\u200b"} {
			if got := live.Skeleton(other); got != want {
				t.Fatalf("%q has the skeleton %q, and %q has %q", name, want, other, got)
			}
		}
	})
}
