package judge

import (
	"bytes"
	"cmp"
	_ "embed" // the page
	"fmt"
	"html/template"
	"net/url"
	"strings"

	"quintet/judge/class"
	"quintet/judge/dialogue"
)

// Refused returns the verdict on a program that does not compile.
func Refused(name string, o Options, said string) (Verdict, error) {
	return without(name, o, CompileError, "does not compile", "The program does not compile:\n"+Printable(said))
}

// Unjudged returns the verdict on a program that cannot be judged.
func Unjudged(name string, o Options, why string) (Verdict, error) {
	return without(name, o, CannotBeStarted, "cannot be judged: "+Printable(why), "The program cannot be judged: "+Printable(why))
}

// OfClass returns the verdict on the member functions of a class, which names the first
// failed check.
func OfClass(name string, g class.Graded) (Verdict, error) {
	k, failed := g.Failed()
	if !failed {
		v, err := without(name, Options{}, Accepted, "", "Every member function passes its checks.")
		return v, err
	}
	v, err := without(name, Options{}, WrongClass, k.Member+" fails the check: "+k.Name,
		fmt.Sprintf("The member function %s fails the check \"%s\". %s", k.Member, k.Name, unlike(k.Want, k.Got)))
	v.Input, v.Expected, v.Actual = k.Name, k.Want, k.Got
	return v, err
}

// unlike describes the first difference between two outputs.
func unlike(want, got string) string {
	if strings.Count(want, "\n") < 2 {
		return fmt.Sprintf("It should print %s but prints %s.", quoted(want), quoted(clip(got)))
	}
	a, b := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	for i, line := range a {
		if i >= len(b) || line != b[i] {
			return fmt.Sprintf("Line %d of its output should be %s but is %s.", i+1, quoted(line), quoted(clip(append(b, "")[min(i, len(b))])))
		}
	}
	return "It prints more than it should."
}

// quoted formats an output in one line with visible white space.
func quoted(text string) string {
	if text == "" {
		return "nothing"
	}
	return Visible(text)
}

func without(name string, o Options, verdict, rule, message string) (Verdict, error) {
	right, err := dialogue.New(name, o.Size)
	if err != nil {
		return Verdict{}, err //nolint:wrapcheck // it says what would be right
	}
	return Verdict{
		Game: name, Size: right.Size, Verdict: verdict, Rule: rule, Message: message,
		Mutants: []string{}, Others: []Mistake{}, Warnings: []string{}, Follows: []Follows{},
	}, nil
}

// Text formats a verdict for a terminal.
func Text(v Verdict) string {
	var w strings.Builder
	fmt.Fprintf(&w, "%s\n%s\n", strings.ToUpper(v.Verdict), v.Message)
	if v.OK() || v.Talk == "" {
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
	fmt.Fprintf(w, "\nThe conversation, with the input:\n\n%s", indented(talk))
	if input != "" {
		fmt.Fprintf(w, "\nTo see it, type:\n\n%s", indented(input))
	}
}

func writeNotes(w *strings.Builder, v Verdict) {
	for _, warning := range v.Warnings {
		fmt.Fprintf(w, "Warning: %s\n", warning)
	}
	for _, f := range v.Follows {
		if v.OK() || !f.Default {
			fmt.Fprintf(w, "%s: it %s.\n", f.ID, f.Description)
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

// Named is a verdict with the submission's name and points.
type Named struct {
	Name string
	File string // base name of its page, if it is not Name
	Verdict
	Class      *class.Graded // nil for dialogues
	Points, Of float64
}

// Title returns the title of its page.
func (n Named) Title() string {
	if n.Name == "" {
		return n.Verdict.Verdict
	}
	return n.Name + ": " + n.Verdict.Verdict
}

// Link returns the address of its page, relative to the index. Without the leading dot, a
// name with a colon would be read as another scheme.
func (n Named) Link() string { return "./" + url.PathEscape(cmp.Or(n.File, n.Name)) + ".html" }

// Failures lists the failed checks of a member function.
func (n Named) Failures(m class.Member) string { return checks(*n.Class, m, false) }

// Marked returns a conversation with its differing lines marked.
func (n Named) Marked(talk string) template.HTML {
	text := template.HTMLEscapeString(talk)
	if i := strings.LastIndex(text, "--- expected: "); i >= 0 {
		text = text[:i] + "<mark>" + strings.TrimSuffix(text[i:], "\n") + "</mark>\n"
	}
	return template.HTML(text) //nolint:gosec // escaped above
}

// Page returns a verdict as a self-contained HTML page.
func Page(n Named) string { return render(n) }

// Index returns an HTML page with a line for each verdict, links to their pages, and the
// most frequent mistakes.
func Index(all []Named) string {
	counts := map[string]int{}
	for _, n := range all {
		counts[n.Verdict.Verdict]++
	}
	sum := 0.0
	for _, n := range all {
		sum += n.Points
	}
	return render(struct {
		All    []Named
		Counts map[string]int
		Mean   float64
	}{all, counts, sum / float64(max(len(all), 1))})
}

func render(data any) string {
	t := template.Must(template.New("page").Parse(page))
	name := "one"
	if _, ok := data.(Named); !ok {
		name = "all"
	}
	var w bytes.Buffer
	if err := t.ExecuteTemplate(&w, name, data); err != nil {
		return err.Error() // only if the template is broken
	}
	return w.String()
}
