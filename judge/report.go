package judge

import (
	"bytes"
	_ "embed" // the page
	"fmt"
	"html/template"
	"strings"

	"quintet/judge/dialogue"
	"quintet/judge/profile"
)

// Refused returns the verdict on a program that does not compile: what the
// compiler said.
func Refused(name string, o Options, said string) (Verdict, error) {
	right, err := dialogue.New(name, o.Size)
	if err != nil {
		return Verdict{}, err //nolint:wrapcheck // it says what would be right
	}
	return Verdict{
		Game: name, Size: right.Size, Verdict: CompileError, Rule: "does not compile", Message: "The program does not compile:\n" + said,
		Mutants: []string{}, Others: []Mistake{}, Warnings: []string{}, Follows: []profile.Follows{},
	}, nil
}

// Text returns a verdict for a terminal.
func Text(v Verdict) string {
	var w strings.Builder
	fmt.Fprintf(&w, "%s\n%s\n", strings.ToUpper(v.Verdict), v.Message)
	if v.OK() || v.Verdict == CompileError {
		writeNotes(&w, v)
		return w.String()
	}
	writeMistake(&w, v.Talk, v.Input)
	for _, m := range v.Others {
		fmt.Fprintf(&w, "\nAND: %s\n%s\n", m.Verdict, m.Message)
		writeMistake(&w, m.Talk, m.Input)
	}
	writeNotes(&w, v)
	return w.String()
}

func writeMistake(w *strings.Builder, talk, input string) {
	fmt.Fprintf(w, "\nThe conversation, with what is typed:\n\n%s", indented(talk))
	if input != "" {
		fmt.Fprintf(w, "\nTo see it, type:\n\n%s", indented(input))
	}
}

func writeNotes(w *strings.Builder, v Verdict) {
	for _, warning := range v.Warnings {
		fmt.Fprintf(w, "Warning: %s\n", warning)
	}
	for _, f := range v.Follows {
		fmt.Fprintf(w, "%s: it %s.\n", f.ID, f.Says)
	}
	if v.Games > 0 {
		fmt.Fprintf(w, "%d games were played.\n", v.Games)
	}
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n"
}

//go:embed page.html
var page string

// Page returns a verdict as a page of HTML that needs nothing else.
func Page(verdicts ...Verdict) string {
	t := template.Must(template.New("page").Parse(page))
	var w bytes.Buffer
	if err := t.Execute(&w, verdicts); err != nil {
		return err.Error() // only for a page that is broken itself
	}
	return w.String()
}
