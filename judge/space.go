package judge

import "strings"

// space describes a difference in white space.
func (f finding) space() string {
	want, got, at := f.want.Output(), f.out.Output, f.diff.at
	switch {
	case strings.ReplaceAll(got, "\r\n", "\n") == want:
		return `ends lines with \r\n instead of \n`
	case got+"\n" == want:
		return "prints no line end after the last line"
	}
	a, b := byteAt(want, at), byteAt(got, at)
	if at >= len(want) {
		return f.spaceAfter(got[min(at, len(got)):])
	}
	rest := strings.TrimLeft(got[min(at, len(got)):], " \t")
	switch {
	case a == '\n' && (b == ' ' || b == '\t') && strings.HasPrefix(rest, "\n"):
		return "prints a trailing " + named(b) + " at the end of a line"
	case at > 0 && a == ' ' && want[at-1] == ':':
		return "prints no blank after the colon of the prompt"
	case b == '\n' && strings.TrimSpace(cut(want, at, at)) == "":
		return "leaves out the blanks at the end of a line"
	case b == '\n' && at > 0 && want[at-1] == '\n':
		return "prints an extra blank line"
	case a == '\n':
		return "does not end a line where it should"
	case b == '\n':
		return "ends a line where it should not"
	case a == '\t' || b == '\t' || b == '\r':
		return "prints a " + named(b) + " instead of a " + named(a)
	case a == ' ':
		return "prints one blank too few"
	}
	return "prints one blank too many"
}

// spaceAfter describes extra white space after the expected output.
func (f finding) spaceAfter(extra string) string {
	where := "after the prompt"
	if f.want.Over {
		where = "after the last line"
	}
	return "prints an extra " + named(byteAt(extra, 0)) + " " + where
}

func byteAt(s string, at int) byte {
	if at < len(s) {
		return s[at]
	}
	return 0
}

func named(c byte) string {
	switch c {
	case ' ':
		return "blank"
	case '\t':
		return "tab"
	case '\n':
		return "line end"
	case '\r':
		return `carriage return (\r)`
	}
	return string(c)
}
