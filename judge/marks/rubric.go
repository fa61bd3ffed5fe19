package marks

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quintet/game"
)

// MaxPoints is the maximum for the points of a feature, and for the sum of all.
const MaxPoints = 1_000_000

// Rubric maps features to points.
type Rubric map[string]float64

// ReadRubric reads lines "FEATURE = POINTS", with comments after "#". All features must be
// of one of the lists, such as the member functions of a class.
func ReadRubric(text string, lists ...[]string) (Rubric, error) {
	r, sum := Rubric{}, 0.0
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		points, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if !ok || err != nil || !(points >= 0 && points <= MaxPoints) { // nor NaN
			return nil, fmt.Errorf("rubric, line %d: %q: expected FEATURE = POINTS, with 0 to %d points", i+1, line, MaxPoints)
		}
		rest := slices.DeleteFunc(slices.Clone(lists), func(list []string) bool { return !slices.Contains(list, name) })
		if len(rest) == 0 {
			return nil, fmt.Errorf("rubric, line %d: %q: expected %s", i+1, name, game.Alternatives(slices.Concat(lists...)))
		}
		lists = rest
		r[name] = points
		sum += points
	}
	if sum == 0 {
		return nil, errors.New("rubric: expected a line FEATURE = POINTS with more than 0 points")
	}
	return r, nil
}

// Even gives each feature one point.
func Even(features []string) Rubric {
	r := Rubric{}
	for _, name := range features {
		r[name] = 1
	}
	return r
}

// Scaled returns the rubric with another sum of points.
func (r Rubric) Scaled(of float64) Rubric {
	sum, q := 0.0, Rubric{}
	for _, points := range r {
		sum += points
	}
	for name, points := range r {
		q[name] = points * of / sum
	}
	return q
}
