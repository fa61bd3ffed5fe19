// Package marks turns checks into points, for console programs and classes alike.
//
// Credit is for what works: a [Tally] groups the checks of a feature by their right answer and
// gives nothing for what a constant answer earns. [Sum] adds the points of features.
package marks

import (
	"math"
	"strings"
)

// Feature is something that a program or class gets points for.
type Feature struct {
	Name   string  `json:"name"`
	Right  int     `json:"right"` // of its checks
	Checks int     `json:"checks"`
	Points float64 `json:"points"`
	Of     float64 `json:"of"`
	Why    string  `json:"why"`   // the first failed check, in words; "" if all passed
	Input  string  `json:"input"` // what to type to see it
}

// Sum returns the points of features and their maximum, in hundredths.
func Sum(list []Feature) (points, of float64) {
	for _, f := range list {
		points += f.Points
		of += f.Of
	}
	return math.Round(points*100) / 100, math.Round(of*100) / 100
}

// Case says what a check asks for. Checks with the same right answer, such as "refuse", are
// passed together by a program that always answers so.
type Case struct {
	Answer string
	Reason string  // why that is the answer, such as "wrong distance"
	Weight float64 // of the reason among those of the answer; 0 means 1
	Shared bool    // another feature counts the check, too: it is not among Right and Checks
}

// Tally counts the checks of a feature. The zero value is ready to use.
type Tally struct {
	Right, Checks int
	cases         map[Case]*count
}

type count struct{ right, all int }

// Add counts a check.
func (t *Tally) Add(c Case, ok bool) {
	if t.cases == nil {
		t.cases = map[Case]*count{}
	}
	if t.cases[c] == nil {
		t.cases[c] = &count{}
	}
	n := t.cases[c]
	n.all++
	if ok {
		n.right++
	}
	if c.Shared {
		return
	}
	t.Checks++
	if ok {
		t.Right++
	}
}

// Count returns the checks whose answer is the given one, and how many are right. A nil tally has none.
func (t *Tally) Count(answer string) (right, all int) {
	if t == nil {
		return 0, 0
	}
	for c, n := range t.cases {
		if c.Answer == answer && !c.Shared {
			right += n.right
			all += n.all
		}
	}
	return right, all
}

// Never reports whether all checks of a case were wrong. A nil tally has none.
func (t *Tally) Never(c Case) bool { return t != nil && t.cases[c] != nil && t.cases[c].right == 0 }

// Lacks reports whether most checks of a case are wrong in another tally of which all are right here.
func (t *Tally) Lacks(other *Tally) bool {
	for c, n := range other.cases {
		if m := t.cases[c]; n.all > 1 && 2*n.right < n.all && m != nil && m.right == m.all {
			return true
		}
	}
	return false
}

// Works reports whether the feature works: it does not if all checks of a case are wrong, or at least two and more than
// 5 %. Shared cases do not matter.
func (t *Tally) Works() bool {
	for c, n := range t.cases {
		if wrong := n.all - n.right; !c.Shared && (n.right == 0 || wrong > 1 && 20*wrong > n.all) {
			return false
		}
	}
	return true
}

// Has reports whether the answer of a check began with this text.
func (t *Tally) Has(answer string) bool {
	for c := range t.cases {
		if strings.HasPrefix(c.Answer, answer) {
			return true
		}
	}
	return false
}

// Share returns the share of the points that the checks earn, 0 to 1. Every answer counts the
// same, and the reasons of an answer count by weight. If there are several answers, a constant
// one earns nothing. A quarter of the shared checks is enough.
func (t *Tally) Share() float64 {
	right, weight, shared := map[string]float64{}, map[string]float64{}, map[string]bool{}
	for c, n := range t.cases {
		w := c.Weight
		if w == 0 {
			w = 1
		}
		right[c.Answer] += w * float64(n.right) / float64(n.all)
		weight[c.Answer] += w
		shared[c.Answer] = c.Shared
	}
	sum := 0.0
	for answer, w := range weight {
		part := right[answer] / w
		if shared[answer] { // what is missing costs points elsewhere
			part = min(1, 4*part)
		}
		sum += part
	}
	if n := float64(len(weight)); n > 1 {
		sum = max(0, sum-1) / (n - 1)
	}
	const digits = 1e6 // the order of additions must not show
	return math.Round(sum*digits) / digits
}
