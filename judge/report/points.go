package report

import (
	"fmt"
	"strings"

	"quintet/internal/escape"
	"quintet/judge"
	"quintet/judge/class"
	"quintet/judge/marks"
)

// points lists the points for each feature, with the input that broke it.
func (s Submission) points() string {
	v := s.Verdict
	if len(v.Features) == 0 {
		return ""
	}
	var w strings.Builder
	w.WriteString("\n" + s.Say("%.4g of %.4g points", v.Points, v.Of) + "\n")
	for _, f := range v.Features {
		name := s.T(f.Name)
		fmt.Fprintf(&w, "  %s%*s %s%s\n", name, max(18-judge.Width(name), 0), "", s.Say("%5.4g of %.4g", f.Points, f.Of), s.broken(f))
		if failed := s.checks(f, false); failed != "" {
			w.WriteString(indented(failed))
		}
	}
	return w.String()
}

// broken says what broke a feature of a console program, and with which input.
func (s Submission) broken(f marks.Feature) string {
	if f.Why == "" || s.Class != "" {
		return ""
	}
	return "   " + s.T(f.Why) + s.inputOf(f)
}

// inputOf shows a short input on one line.
func (s Submission) inputOf(f marks.Feature) string {
	const most = 60
	lines := strings.Split(strings.TrimSuffix(f.Input, "\n"), "\n")
	switch text := strings.Join(lines, ", "); {
	case f.Input == "":
		return ""
	case len(text) <= most:
		return " (" + text + ")"
	default:
		return " " + s.Say("(after %d answers, the last %s)", len(lines), lines[len(lines)-1])
	}
}

// FeatureText says how a feature was tested.
func FeatureText(v judge.Verdict, f marks.Feature) string {
	switch {
	case f.Checks == 0:
		return "Not tested.\n"
	case v.Class != "":
		return fmt.Sprintf("%d of %d checks are right.\n", f.Right, f.Checks) + Submission{Verdict: v}.checks(f, true)
	case f.Why == "":
		return fmt.Sprintf("%d checks are right.\n", f.Checks)
	}
	return fmt.Sprintf("%d of %d checks are right. The program %s. To see it, type:\n\n%s", f.Right, f.Checks, f.Why, indented(f.Input))
}

// checks lists the checks of a member function, failed ones with the expected output.
func (s Submission) checks(f marks.Feature, right bool) string {
	var w strings.Builder
	for _, k := range s.Checks {
		switch {
		case k.Member != f.Name:
		case !k.OK:
			w.WriteString(s.Say("  WRONG  %s\n%s    should give %s\n    but gives   %s", s.T(k.Name), board(k), shown(k.Want), shown(s.note(k.Got))) + "\n")
		case right:
			fmt.Fprintf(&w, "  ok     %s\n", k.Name)
		}
	}
	return w.String()
}

// note translates what the judge says after the output of a check: "(crashed: SIGSEGV)".
func (s Submission) note(got string) string {
	i := strings.LastIndexByte(got, '(')
	if strings.HasPrefix(got, "(") {
		i = 0
	}
	if text, ends := strings.CutSuffix(got[i+1:], ")"); i >= 0 && ends && s.T(text) != text {
		return got[:i] + s.Say("(%s)", s.T(text))
	}
	return got
}

// board shows the board of a check whose output does not show it.
func board(k class.Check) string {
	if k.Board == "" || strings.Contains(k.Want, k.Board) {
		return ""
	}
	return indented(indented(k.Board))
}

// shown formats the output of a check with visible white space and indented lines.
func shown(text string) string {
	if !strings.Contains(strings.TrimSuffix(text, "\n"), "\n") {
		return escape.Quoted(text)
	}
	return "\n" + strings.TrimSuffix(indented(indented(strings.ReplaceAll(escape.Space(text), "⏎", "⏎\n"))), "\n")
}
