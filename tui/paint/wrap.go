package paint

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Span returns the first visible of n lines and their number, if there is room for some of
// them and the line at must be visible.
func Span(n, room, at int) (first, shown int) {
	shown = max(min(n, room), 0)
	return min(max(at-shown/2, 0), n-shown), shown
}

// Wrap breaks a text between words into lines of at most width columns; a longer word
// gets its own line. Chinese and Japanese break between any letters, but not before punctuation.
func Wrap(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		blank := " "
		for _, part := range breakable(word) {
			if line != "" && lipgloss.Width(line)+len(blank)+lipgloss.Width(part) > width {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimSpace(line + blank + part)
			blank = ""
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// breakable returns the parts of a word between which a line may break.
func breakable(word string) (parts []string) {
	wide := true // whether a part may begin here
	for _, r := range word {
		w := r > 0x2e80
		if len(parts) == 0 || (w || wide) && !strings.ContainsRune("、。，：；！？）」”ーっゃゅょ", r) {
			parts = append(parts, "")
		}
		parts[len(parts)-1] += string(r)
		wide = w && !strings.ContainsRune("（「“", r)
	}
	return parts
}

// Right puts blanks before a text up to a width in columns.
func Right(text string, width int) string {
	return strings.Repeat(" ", max(width-lipgloss.Width(text), 0)) + text
}

// Pad fills a text up with blanks to a width in columns.
func Pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-lipgloss.Width(text), 0))
}
