package judge

import (
	"testing"

	"quintet/internal/lang"
)

// TestChoicesTranslated checks that every language names the choices that a program may make.
func TestChoicesTranslated(t *testing.T) {
	for _, tag := range lang.Tags()[1:] {
		l, err := lang.Open(tag)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"neighbors", "othello", "loa", "connect6", "chess"} {
			for _, d := range decisionsOf(name) {
				for _, c := range d.Choices {
					if l.Sentence(c.Description) == c.Description {
						t.Errorf("%s: %q is not translated", tag, c.Description)
					}
				}
			}
		}
	}
}
