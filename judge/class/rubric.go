package class

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Rubric maps member functions to points.
type Rubric map[string]float64

// ReadRubric reads lines "MEMBER = POINTS", with comments after "#".
func ReadRubric(text string, game string) (Rubric, error) {
	r := Rubric{}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		member, value, ok := strings.Cut(line, "=")
		member = strings.TrimSpace(member)
		var points float64
		_, err := fmt.Sscan(value, &points)
		if !ok || err != nil || points < 0 {
			return nil, fmt.Errorf("rubric, line %d: %q: expected MEMBER = POINTS", i+1, line)
		}
		if !slices.Contains(Members(game), member) {
			return nil, fmt.Errorf("rubric, line %d: member %q: expected one of %s", i+1, member, strings.Join(Members(game), ", "))
		}
		r[member] = points
	}
	if len(r) == 0 {
		return nil, errors.New("rubric: expected a line MEMBER = POINTS")
	}
	return r, nil
}

// DefaultRubric gives one point for each member.
func DefaultRubric(game string) Rubric {
	r := Rubric{}
	for _, m := range Members(game) {
		r[m] = 1
	}
	return r
}

// Member is a member function with its points.
type Member struct {
	Name   string  `json:"name"`
	Right  int     `json:"right"` // of its checks
	Checks int     `json:"checks"`
	Points float64 `json:"points"`
	Of     float64 `json:"of"`
}

// Graded is a report with points.
type Graded struct {
	Report
	Members []Member `json:"members"`
	Points  float64  `json:"points"`
	Of      float64  `json:"of"`
}

// Grade adds points to the report: for each member function its points in the rubric times
// the share of passed checks. A class that does not compile gets none.
func (r Report) Grade(game string, rubric Rubric) Graded {
	g := Graded{Report: r, Members: []Member{}}
	if g.Checks == nil {
		g.Checks = []Check{}
	}
	for _, name := range Members(game) {
		m := Member{Name: name, Of: rubric[name]}
		for _, c := range r.Checks {
			if c.Member == name {
				m.Checks++
				if c.OK {
					m.Right++
				}
			}
		}
		if m.Checks > 0 {
			m.Points = m.Of * float64(m.Right) / float64(m.Checks)
		}
		g.Members = append(g.Members, m)
		g.Points += m.Points
		g.Of += m.Of
	}
	return g
}

// Failed returns the first check that failed.
func (r Report) Failed() (c Check, failed bool) {
	i := slices.IndexFunc(r.Checks, func(k Check) bool { return !k.OK })
	if i < 0 {
		return Check{}, false
	}
	return r.Checks[i], true
}
