// Package report presents verdicts of the judge: as text for a terminal, as a page of HTML
// for the author of a submission, and as a page with all submissions for the teacher.
package report

import (
	"bytes"
	"cmp"
	_ "embed" // the page
	"fmt"
	"html/template"
	"net/url"
	"strings"
	"unicode/utf8"

	"quintet/judge"
	"quintet/judge/marks"
)

// Text formats a verdict for a terminal.
func Text(v judge.Verdict) string {
	var w strings.Builder
	fmt.Fprintf(&w, "%s\n%s\n", strings.ToUpper(v.Verdict), v.Message)
	if v.OK() || v.Talk == "" {
		w.WriteString(points(v))
		writeNotes(&w, v)
		return w.String()
	}
	writeMistake(&w, v.Talk, v.Input)
	for _, m := range v.Others {
		fmt.Fprintf(&w, "\nAND: %s\n%s\n", m.Verdict, m.Message)
		writeMistake(&w, m.Talk, m.Input)
	}
	w.WriteString(points(v))
	writeNotes(&w, v)
	return w.String()
}

func writeMistake(w *strings.Builder, talk, input string) {
	fmt.Fprintf(w, "\nThe conversation, with the input:\n\n%s", indented(talk))
	if input != "" {
		fmt.Fprintf(w, "\nTo see it, type:\n\n%s", indented(input))
	}
}

func writeNotes(w *strings.Builder, v judge.Verdict) {
	for _, warning := range v.Warnings {
		fmt.Fprintf(w, "Warning: %s\n", warning)
	}
	for _, f := range v.Follows {
		if v.OK() || !f.Default {
			fmt.Fprintf(w, "%s: it %s.\n", cmp.Or(f.ID, f.Decision), f.Description)
		}
	}
	switch v.Games {
	case 0:
	case 1:
		w.WriteString("1 game was played.\n")
	default:
		fmt.Fprintf(w, "%d games were played.\n", v.Games)
	}
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n"
}

//go:embed page.html
var page string

// Submission is a verdict with the submission's name.
type Submission struct {
	Name string
	File string // base name of its page, if it is not Name
	judge.Verdict
}

// Title returns the title of its page.
func (s Submission) Title() string {
	if s.Name == "" {
		return s.Verdict.Verdict
	}
	return s.Name + ": " + s.Verdict.Verdict
}

// Link returns the address of its page, relative to the index. Without the leading dot, a
// name with a colon would be read as another scheme.
func (s Submission) Link() string { return "./" + url.PathEscape(cmp.Or(s.File, s.Name)) + ".html" }

// Failures lists the failed checks of a member function.
func (s Submission) Failures(f marks.Feature) string { return checks(s.Verdict, f, false) }

// Broken says what broke a feature, and with which input.
func (s Submission) Broken(f marks.Feature) string { return strings.TrimSpace(broken(s.Verdict, f)) }

// Marked returns a conversation as HTML. It marks the expected and the printed line, and in the printed
// line the first character that differs.
func (s Submission) Marked(talk string) template.HTML {
	i := strings.LastIndex(talk, "--- expected: ")
	if i < 0 {
		return template.HTML(template.HTMLEscapeString(talk)) //nolint:gosec // escaped
	}
	lines := strings.SplitN(strings.TrimSuffix(talk[i:], "\n"), "\n", 3)
	text := template.HTMLEscapeString(talk[:i]) + "<mark>" + template.HTMLEscapeString(lines[0])
	if len(lines) == 3 {
		before, at, after := split(lines[1], strings.IndexByte(lines[2], '^'))
		text += "\n" + template.HTMLEscapeString(before) + "<strong>" + template.HTMLEscapeString(at) + "</strong>" + template.HTMLEscapeString(after) +
			"\n" + template.HTMLEscapeString(lines[2])
	}
	return template.HTML(text + "</mark>\n") //nolint:gosec // escaped above
}

// split splits a line around the character at a column of a terminal.
func split(line string, column int) (before, at, after string) {
	for i, r := range line {
		if judge.Width(line[:i]) >= column {
			return line[:i], string(r), line[i+utf8.RuneLen(r):]
		}
	}
	return line, "", ""
}

// Page returns a verdict as a self-contained HTML page.
func Page(s Submission) string { return render("one", s) }

// Body returns a verdict as HTML for a page of another program.
func Body(s Submission) string { return render("body", s) }

// Index returns an HTML page with a line for each verdict, links to their pages, and the
// most frequent mistakes.
func Index(all []Submission) string {
	counts := map[string]int{}
	sum := 0.0
	for _, s := range all {
		counts[s.Verdict.Verdict]++
		sum += s.Points
	}
	return render("all", struct {
		All    []Submission
		Counts map[string]int
		Mean   float64
	}{all, counts, sum / float64(max(len(all), 1))})
}

func render(name string, data any) string {
	t := template.Must(template.New("page").Parse(page))
	var w bytes.Buffer
	if err := t.ExecuteTemplate(&w, name, data); err != nil {
		return err.Error() // only if the template is broken
	}
	return w.String()
}
