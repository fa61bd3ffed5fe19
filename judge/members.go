package judge

import (
	"fmt"
	"strings"

	"quintet/judge/class"
)

// ClassText returns the points and checks of a class for a terminal, member by
// member.
func ClassText(g class.Graded) string {
	var w strings.Builder
	for _, m := range g.Members {
		fmt.Fprintf(&w, "%-18s %d of %d checks, %.4g of %.4g points\n", m.Name, m.Right, m.Checks, m.Points, m.Of)
		w.WriteString(checks(g, m, false))
	}
	fmt.Fprintf(&w, "%-18s %.4g of %.4g points\n", "All together", g.Points, g.Of)
	return w.String()
}

// MemberText returns the checks of one member function, for a report of it
// alone.
func MemberText(g class.Graded, m class.Member) string {
	if m.Checks == 0 {
		return "The class does not compile.\n"
	}
	return fmt.Sprintf("%d of %d checks are right.\n", m.Right, m.Checks) + checks(g, m, true)
}

// checks lists the checks of a member function: those that failed with what
// they should give.
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

// shown returns what a check printed: white space visible, lines below each
// other.
func shown(text string) string {
	if !strings.Contains(strings.TrimSuffix(text, "\n"), "\n") {
		return quoted(text)
	}
	return "\n" + indented(indented(strings.ReplaceAll(Visible(text), "⏎", "⏎\n")))
}
