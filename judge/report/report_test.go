package report_test

import (
	"testing"

	"quintet/judge/report"
)

// TestMarked marks the character above the caret, also after wide ones.
func TestMarked(t *testing.T) {
	const talk = "<b>\n--- expected: 王明·x\n--- printed:  王明·<\n                   ^ here\n"
	const want = "&lt;b&gt;\n<mark>--- expected: 王明·x\n--- printed:  王明·<strong>&lt;</strong>\n                   ^ here</mark>\n"
	if got := string(report.Submission{}.Marked(talk)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
