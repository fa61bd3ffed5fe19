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
// gets its own line.
func Wrap(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && lipgloss.Width(line)+1+lipgloss.Width(word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
