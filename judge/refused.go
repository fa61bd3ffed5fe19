package judge

import (
	"fmt"
	"strings"

	"quintet/internal/escape"
	"quintet/judge/class"
	"quintet/judge/dialogue"
)

// Refused returns the verdict on a program that does not compile.
func Refused(name string, o Options, said string) (Verdict, error) {
	return without(name, o, CompileError, "does not compile", "The program does not compile:\n"+escape.Controls(said))
}

// Unjudged returns the verdict on a program that cannot be judged.
func Unjudged(name string, o Options, why string) (Verdict, error) {
	return without(name, o, CannotBeStarted, "cannot be judged: "+escape.Controls(why), "The program cannot be judged: "+escape.Controls(why))
}

// OfClass returns the verdict on the member functions of a class, which names the first
// failed check.
func OfClass(name string, g class.Graded) (Verdict, error) {
	k, failed := g.Failed()
	if !failed {
		return without(name, Options{}, Accepted, "", "Every member function passes its checks.")
	}
	v, err := without(name, Options{}, WrongClass, k.Member+" fails the check: "+k.Name,
		fmt.Sprintf("The member function %s fails the check \"%s\". %s", k.Member, k.Name, unlike(k.Want, k.Got)))
	v.Input, v.Expected, v.Actual = k.Name, k.Want, k.Got
	return v, err
}

// unlike describes the first difference between two outputs.
func unlike(want, got string) string {
	if strings.Count(want, "\n") < 2 {
		return fmt.Sprintf("It should print %s but prints %s.", escape.Quoted(want), escape.Quoted(clip(got)))
	}
	a, b := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	for i, line := range a {
		if i >= len(b) || line != b[i] {
			return fmt.Sprintf("Line %d of its output should be %s but is %s.", i+1, escape.Quoted(line), escape.Quoted(clip(append(b, "")[min(i, len(b))])))
		}
	}
	return "It prints more than it should."
}

// without returns a verdict for which no game was played.
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
