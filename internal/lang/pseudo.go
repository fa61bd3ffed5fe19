package lang

import (
	"regexp"
	"strings"
)

// filled are the parts of a text that stay as they are: {names} and verbs.
var filled = regexp.MustCompile(`\{\w+\}|%(?:\[\d\])?[sdq]`)

var accents = strings.NewReplacer("a", "á", "e", "é", "i", "í", "o", "ó", "u", "ú", "y", "ý", "A", "Á", "E", "É", "I", "Í", "O", "Ó", "U", "Ú", "n", "ñ")

// PseudoText returns a text of the pseudo-language: accented, in brackets, and 40 % longer.
func PseudoText(text string) string {
	if text == "" {
		return ""
	}
	var out strings.Builder
	at, letters := 0, 0
	for _, m := range append(filled.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		letters += m[0] - at
		out.WriteString(accents.Replace(text[at:m[0]]))
		out.WriteString(text[m[0]:m[1]])
		at = m[1]
	}
	for n := 0; n < letters*2/5; n++ { // words of four letters, so that lines can break
		if n%5 == 0 {
			out.WriteByte(' ')
			continue
		}
		out.WriteByte('x')
	}
	return "⟦" + out.String() + "⟧"
}
