package report

import (
	"fmt"
	"strings"

	"quintet/internal/escape"
	"quintet/judge/class"
)

// ClassText formats the points and checks of a class for a terminal.
func ClassText(g class.Graded) string {
	var w strings.Builder
	for _, m := range g.Members {
		fmt.Fprintf(&w, "%-18s %d of %d checks, %.4g of %.4g points\n", m.Name, m.Right, m.Checks, m.Points, m.Of)
		w.WriteString(checks(g, m, false))
	}
	fmt.Fprintf(&w, "%-18s %.4g of %.4g points\n", "Total", g.Points, g.Of)
	return w.String()
}

// MemberText formats the checks of one member function.
func MemberText(g class.Graded, m class.Member) string {
	if m.Checks == 0 {
		return "The class does not compile.\n"
	}
	return fmt.Sprintf("%d of %d checks are right.\n", m.Right, m.Checks) + checks(g, m, true)
}

// checks lists the checks of a member function, failed ones with the expected output.
func checks(g class.Graded, m class.Member, right bool) string {
	var w strings.Builder
	for _, k := range g.Checks {
		switch {
		case k.Member != m.Name:
		case !k.OK:
			fmt.Fprintf(&w, "  WRONG  %s\n    should give %s\n    but gives   %s\n", k.Name, strings.TrimSuffix(shown(k.Want), "\n"), strings.TrimSuffix(shown(k.Got), "\n"))
		case right:
			fmt.Fprintf(&w, "  ok     %s\n", k.Name)
		}
	}
	return w.String()
}

// shown formats the output of a check with visible white space and indented lines.
func shown(text string) string {
	if !strings.Contains(strings.TrimSuffix(text, "\n"), "\n") {
		return escape.Quoted(text)
	}
	return "\n" + indented(indented(strings.ReplaceAll(escape.Space(text), "⏎", "⏎\n")))
}
