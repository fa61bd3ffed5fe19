package class

import (
	"regexp"
	"strings"
)

// mainFunction matches the definition of main in C++.
var mainFunction = regexp.MustCompile(`\b(?:int|signed|auto|void)\s+main\s*\(`)

// hasMain reports whether a source defines main; comments and strings do not count.
func hasMain(text string) bool { return mainFunction.MatchString(code(text)) }

// notCode matches comments, strings (plain and raw) and character literals. It matches
// numbers first, because an apostrophe in a number does not start a character.
var notCode = regexp.MustCompile(`(?s)//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|$)|\b[0-9](?:'?[0-9A-Za-z.])*|` +
	`R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`)

// code replaces comments, strings and character literals with blanks.
func code(text string) string {
	return notCode.ReplaceAllStringFunc(text, func(s string) string {
		if strings.ContainsAny(s[:1], `/"'R`) {
			return " "
		}
		return s
	})
}
