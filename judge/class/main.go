package class

import (
	"regexp"
	"strings"
)

// mainFunction is a definition of main as C++ programs have it.
var mainFunction = regexp.MustCompile(`\b(?:int|signed|auto|void)\s+main\s*\(`)

// hasMain reports whether a source has a main function, and not only speaks of
// one.
func hasMain(text string) bool { return mainFunction.MatchString(code(text)) }

// notCode is what is no code: comments, strings in both forms, and characters.
// An apostrophe in a number comes first, as it begins no character.
var notCode = regexp.MustCompile(`(?s)//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|$)|\b[0-9](?:'?[0-9A-Za-z.])*|` +
	`R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`)

// code returns a source in which blanks stand for comments, strings and
// characters.
func code(text string) string {
	return notCode.ReplaceAllStringFunc(text, func(s string) string {
		if strings.ContainsAny(s[:1], `/"'R`) {
			return " "
		}
		return s
	})
}
