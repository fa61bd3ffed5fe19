package class

import (
	"regexp"
	"testing"

	"quintet/internal/lang"
)

// TestNamesTranslated checks that the names of all checks, and what they say after an output, are translated.
func TestNamesTranslated(t *testing.T) {
	english := regexp.MustCompile(`[A-Za-z]{4,}`)
	for _, tag := range lang.Tags()[1:] {
		l, err := lang.Open(tag)
		if err != nil {
			t.Fatal(err)
		}
		texts := map[string]bool{"crashed: SEG": true, "waits for input": true, "runs on": true, "prints on": true, "not started": true, "not run: two others like it timed out": true, "a does not compile: b": true}
		for _, game := range []string{"neighbors", "loa"} {
			c, err := of(game)
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range c.cases() {
				texts[k.name] = true
			}
		}
		for text := range texts {
			if own := l.Paragraph(text); english.MatchString(own) {
				t.Errorf("%s: %q is %q", tag, text, own)
			}
		}
	}
}
