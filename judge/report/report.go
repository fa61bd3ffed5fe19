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
	"regexp"
	"strings"
	"unicode/utf8"

	"quintet/internal/lang"
	"quintet/judge"
	"quintet/judge/marks"
)

// Text formats a verdict for a terminal, in English.
func Text(v judge.Verdict) string { return Submission{Verdict: v}.Text() }

// Text formats the verdict for a terminal.
func (s Submission) Text() string {
	var w strings.Builder
	v := s.Verdict
	fmt.Fprintf(&w, "%s\n%s\n", strings.ToUpper(s.T(v.Verdict)), s.T(v.Message))
	if v.OK() || v.Talk == "" {
		w.WriteString(s.points())
		s.writeNotes(&w)
		return w.String()
	}
	s.writeMistake(&w, v.Talk, v.Input)
	for _, m := range v.Others {
		w.WriteString("\n" + s.Say("AND: %s\n%s", s.T(m.Verdict), s.T(m.Message)) + "\n")
		s.writeMistake(&w, m.Talk, m.Input)
	}
	w.WriteString(s.points())
	s.writeNotes(&w)
	return w.String()
}

func (s Submission) writeMistake(w *strings.Builder, talk, input string) {
	fmt.Fprintf(w, "\n%s\n\n%s", s.Say("The conversation, with the input:"), indented(s.conversation(talk)))
	if input != "" {
		fmt.Fprintf(w, "\n%s\n\n%s", s.Say("To see it, type:"), indented(input))
	}
}

func (s Submission) writeNotes(w *strings.Builder) {
	for _, warning := range s.Warnings {
		w.WriteString(s.Say("Warning: %s", s.T(warning)) + "\n")
	}
	for _, f := range s.Follows {
		if s.OK() || !f.Default {
			w.WriteString(s.Say("%s: it %s.", cmp.Or(f.ID, f.Decision), s.T(f.Description)) + "\n")
		}
	}
	if s.Games > 0 {
		w.WriteString(s.Played() + "\n")
	}
}

// Played says how many games were played.
func (s Submission) Played() string {
	return s.Language.Count(s.Games, "%d game was played.", "%d games were played.")
}

// Say returns an English text in the language of the report, and T the English sentences of a verdict.
func (s Submission) Say(text string, args ...any) string { return s.Language.Say(text, args...) }

// T returns sentences that the judge says in English in the language of the report.
func (s Submission) T(text string) string { return s.Language.Paragraph(text) }

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
	Language *lang.Language // of the report; nil is English
}

// Title returns the title of its page.
func (s Submission) Title() string {
	if s.Name == "" {
		return s.T(s.Verdict.Verdict)
	}
	return s.Name + ": " + s.T(s.Verdict.Verdict)
}

// Link returns the address of its page, relative to the index. Without the leading dot, a
// name with a colon would be read as another scheme.
func (s Submission) Link() string { return "./" + url.PathEscape(cmp.Or(s.File, s.Name)) + ".html" }

// Failures lists the failed checks of a member function.
func (s Submission) Failures(f marks.Feature) string { return s.checks(f, false) }

// Broken says what broke a feature, and with which input.
func (s Submission) Broken(f marks.Feature) string { return strings.TrimSpace(s.broken(f)) }

// difference matches the end of a conversation, which marks the first difference.
var difference = regexp.MustCompile(`--- expected: ([^\n]*)\n--- printed:  ([^\n]*)\n {14}( *)\^ here\n?$`)

// conversation returns a conversation with its marks in the language of the report.
func (s Submission) conversation(talk string) string {
	m := difference.FindStringSubmatch(talk)
	if m == nil {
		return talk
	}
	return strings.TrimSuffix(talk, m[0]) + s.differs(m[1], s.printed(m[2]), m[3])
}

// differs marks the column in which two lines differ.
func (s Submission) differs(want, got, before string) string {
	return s.Say("--- expected: %s\n--- printed:  %s\n              %s^ here", want, got, before)
}

// printed returns what a program printed, or that it printed nothing.
func (s Submission) printed(got string) string {
	if got == judge.Nothing {
		return s.Say("(nothing: it waits for input)")
	}
	return got
}

// Marked returns a conversation as HTML. It marks the expected and the printed line, and in the printed
// line the first character that differs.
func (s Submission) Marked(talk string) template.HTML {
	m := difference.FindStringSubmatch(talk)
	if m == nil {
		return template.HTML(template.HTMLEscapeString(talk)) //nolint:gosec // escaped
	}
	escaped := template.HTMLEscapeString
	before, at, after := split(s.printed(m[2]), len(m[3]))
	got := escaped(before) + "<strong>" + escaped(at) + "</strong>" + escaped(after)
	return template.HTML(escaped(strings.TrimSuffix(talk, m[0])) + "<mark>" + s.differs(escaped(m[1]), got, m[3]) + "</mark>\n") //nolint:gosec // escaped above
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
func Page(s Submission) string { return render(s.Language, "one", s) }

// Body returns a verdict as HTML for a page of another program.
func Body(s Submission) string { return render(s.Language, "body", s) }

// Index returns an HTML page with a line for each verdict, links to their pages, and the
// most frequent mistakes.
func Index(all []Submission) string {
	counts := map[string]int{}
	sum := 0.0
	var l *lang.Language
	for _, s := range all {
		l = s.Language
		counts[s.T(s.Verdict.Verdict)]++
		sum += s.Points
	}
	return render(l, "all", struct {
		All    []Submission
		Counts map[string]int
		Mean   float64
	}{all, counts, sum / float64(max(len(all), 1))})
}

func render(l *lang.Language, name string, data any) string {
	tag := lang.Source
	if l != nil {
		tag = l.Tag
	}
	t := template.Must(template.New("page").Funcs(template.FuncMap{"say": l.Say, "count": l.Count, "language": func() string { return tag }}).Parse(page))
	var w bytes.Buffer
	if err := t.ExecuteTemplate(&w, name, data); err != nil {
		return err.Error() // only if the template is broken
	}
	return w.String()
}
