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
	return without(name, o, CompileError, "does not compile", "The program does not compile:\n"+said)
}

// Unjudged returns the verdict on a program that cannot be judged, and why.
func Unjudged(name string, o Options, why string) (Verdict, error) {
	return without(name, o, CannotBeStarted, "cannot be judged", "The program cannot be judged: "+why)
}

func without(name string, o Options, verdict, rule, message string) (Verdict, error) {
	right, err := dialogue.New(name, o.Size)
	if err != nil {
		return Verdict{}, err //nolint:wrapcheck // it says what would be right
	}
	return Verdict{
		Game: name, Size: right.Size, Verdict: verdict, Rule: rule, Message: message,
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
		if v.OK() || !f.Usual {
			fmt.Fprintf(w, "%s: it %s.\n", f.ID, f.Says)
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

// Named is a verdict with the name of the submission.
type Named struct {
	Name string
	Verdict
}

// Page returns a verdict as a page of HTML that needs nothing else.
func Page(name string, v Verdict) string {
	return render(Named{name, v})
}

// Index returns a page with a line for each verdict, which links to the pages
// beside it, and what they say most.
func Index(all []Named) string {
	counts := map[string]int{}
	for _, n := range all {
		counts[n.Verdict.Verdict]++
	}
	return render(struct {
		All    []Named
		Counts map[string]int
	}{all, counts})
}

func render(data any) string {
	t := template.Must(template.New("page").Parse(page))
	name := "one"
	if _, ok := data.(Named); !ok {
		name = "all"
	}
	var w bytes.Buffer
	if err := t.ExecuteTemplate(&w, name, data); err != nil {
		return err.Error() // only for a page that is broken itself
	}
	return w.String()
}
