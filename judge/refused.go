package judge

import (
	"fmt"
	"math"
	"strings"

	"quintet/internal/escape"
	"quintet/judge/class"
	"quintet/judge/dialogue"
	"quintet/judge/marks"
)

// Refused returns the verdict on a program that does not compile.
func Refused(name string, o Options, said string) (Verdict, error) {
	return without(name, o, CompileError, "does not compile: "+escape.Controls(clip(class.FirstError(said))), "The program does not compile:\n"+escape.Controls(said))
}

// Unjudged returns the verdict on a program that cannot be judged.
func Unjudged(name string, o Options, why string) (Verdict, error) {
	return without(name, o, CannotBeStarted, "cannot be judged: "+escape.Controls(why), "The program cannot be judged: "+escape.Controls(why))
}

// OfClass returns the verdict on the member functions of a class, which names the first
// failed check. The rubric of the options gives the points.
func OfClass(name string, o Options, r class.Report) (Verdict, error) {
	v, err := without(name, o, Accepted, "", "Every member function passes its checks.")
	if k, failed := r.Failed(); failed {
		v.Verdict, v.Rule = WrongClass, k.Member+" fails the check: "+k.Name
		v.Message = fmt.Sprintf("The member function %s fails the check \"%s\". %s", k.Member, k.Name, unlike(k))
		v.Input, v.Expected, v.Actual = k.Input, k.Want, k.Got
	}
	v.Class, v.Checks, v.Features = r.Class, r.Checks, r.Grade(name, o.Rubric)
	v.Points, v.Of = marks.Sum(v.Features)
	return v, err
}

// unlike describes the first difference between the outputs of a check.
func unlike(k class.Check) string {
	want, got := k.Want, k.Got
	if strings.Count(want, "\n") < 2 {
		return fmt.Sprintf("It should return %s but returns %s.", values(want), values(got))
	}
	a, b := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	for i, line := range a {
		if i >= len(b) || line != b[i] {
			return fmt.Sprintf("Line %d of the output should be %s but is %s.", i+1, escape.Quoted(line), escape.Quoted(clip(append(b, "")[min(i, len(b))])))
		}
	}
	return "It prints more than it should."
}

// values formats the values that calls returned, each one character, or what else happened.
func values(text string) string {
	if strings.ContainsAny(text, "(\n") || text == "" {
		return escape.Quoted(clip(text))
	}
	return escape.Space(clip(strings.Join(strings.Split(text, ""), ", ")))
}

// without returns a verdict for which no game was played.
func without(name string, o Options, verdict, rule, message string) (Verdict, error) {
	right, err := dialogue.New(name, o.Size)
	if err != nil {
		return Verdict{}, err //nolint:wrapcheck // it says what would be right
	}
	v := Verdict{
		Game: name, Size: right.Size, Verdict: verdict, Rule: rule, Message: message,
		Mutants: []string{}, Others: []Mistake{}, Warnings: []string{}, Follows: []Follows{}, Features: []marks.Feature{},
	}
	for _, points := range o.rubric(name) {
		v.Of += points
	}
	v.Of = math.Round(v.Of*100) / 100
	return v, nil
}
