package paint

import (
	"strings"

	"charm.land/lipgloss/v2"
)

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
