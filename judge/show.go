package judge

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"quintet/internal/escape"
	"quintet/judge/run"
)

// Nothing stands for the line of a program that has printed none, but waits.
const Nothing = "(nothing: it waits for input)"

// talk returns the conversation as the student sees it, up to the first difference. It marks the
// difference, and makes its white space visible.
func (f finding) talk() string {
	var w strings.Builder
	turn, _ := f.want.At(f.diff.at)
	for i, t := range f.want.Turns[:turn+1] {
		if i > 0 {
			w.WriteString(t.Typed + "\n")
		}
		if i < turn {
			w.WriteString(t.Output())
		}
	}
	at, start := min(f.diff.at, len(f.out.Output)), f.want.Start(turn)
	if at > start {
		w.WriteString(f.out.Output[start : strings.LastIndexByte(f.out.Output[start:at], '\n')+1+start])
	}
	if s := w.String(); s != "" && !strings.HasSuffix(s, "\n") {
		w.WriteString("\n")
	}
	want, got, column := f.differing()
	want, _ = around(want, column)
	got, before := around(got, column)
	if got == "" && f.out.Ending == run.Waiting {
		got = Nothing
	}
	fmt.Fprintf(&w, "--- expected: %s\n--- printed:  %s\n              %s^ here\n", want, got, strings.Repeat(" ", before))
	return w.String()
}

// around returns a line with visible white space, and the terminal width of the text before a column. The
// column is an offset in bytes. Of a long line it returns the part around that column.
func around(line string, column int) (shown string, before int) {
	const most, lead = 60, 30
	column = min(max(column, 0), len(line))
	for column > 0 && column < len(line) && !utf8.RuneStart(line[column]) {
		column--
	}
	from := 0
	if len(line) > most && column > most-lead {
		for from = column - lead; from < column && !utf8.RuneStart(line[from]); {
			from++
		}
		shown = "..."
	}
	before = len(shown) + Width(escape.Space(line[from:column]))
	return shown + escape.Space(clip(line[from:])), before
}

// Width returns how many columns of a terminal a text takes.
func Width(text string) (n int) {
	for _, r := range text {
		switch kind := width.LookupRune(r).Kind(); {
		case unicode.Is(unicode.Mn, r):
		case kind == width.EastAsianWide, kind == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}
