package class

import (
	"slices"

	"quintet/judge/marks"
)

// Grade returns the member functions as features: each earns its points in the rubric times
// the share of its checks. A class that does not compile earns none.
func (r Report) Grade(game string, rubric marks.Rubric) (list []marks.Feature) {
	for _, name := range Members(game) {
		f, tally := marks.Feature{Name: name, Of: rubric[name]}, marks.Tally{}
		for _, c := range r.Checks {
			if c.Member != name {
				continue
			}
			tally.Add(c.kind, c.OK)
			if !c.OK && f.Why == "" {
				f.Why, f.Input = c.Name, c.Input
			}
		}
		f.Right, f.Checks, f.Points = tally.Right, tally.Checks, f.Of*tally.Share()
		list = append(list, f)
	}
	return list
}

// Failed returns the first check that failed.
func (r Report) Failed() (c Check, failed bool) {
	i := slices.IndexFunc(r.Checks, func(k Check) bool { return !k.OK })
	if i < 0 {
		return Check{}, false
	}
	return r.Checks[i], true
}
