package judge

import (
	"cmp"
	"regexp"
	"slices"

	"quintet/judge/dialogue"
	"quintet/judge/marks"
)

// scorer adds up what a program earns.
type scorer struct {
	*dialogue.Examiner
	tallies map[string]*marks.Tally
	failed  map[string]marks.Feature          // the first failed check
	due     map[string]bool                   // features of unshown that the games test
	later   []check                           // checks that another mistake may explain
	causes  map[string][]dialogue.Observation // by feature, checks of which one mistake may be the cause: wrong and some right ones
	blamed  map[string]dialogue.Mutant        // by feature, the one mistake that is their cause
	names   map[string][2]int                 // for each letter and number of cells: accepted valid moves, and all

	valid, accepted int // valid moves, and those that the program accepted
}

// sharedKey is the end of keys of failed, for checks that another feature counts, too.
const sharedKey = ", shared"

// check is an observation in a game.
type check struct {
	dialogue.Observation
	lines []string
}

func (j *judgement) scorer() scorer {
	return scorer{
		Examiner: j.variant.Program.Examiner(j.prompt()), tallies: map[string]*marks.Tally{}, failed: map[string]marks.Feature{},
		causes: map[string][]dialogue.Observation{}, blamed: map[string]dialogue.Mutant{}, due: map[string]bool{}, names: map[string][2]int{},
	}
}

func (s *scorer) add(feature string, c marks.Case, ok bool, lines []string) {
	if s.tallies[feature] == nil {
		s.tallies[feature] = &marks.Tally{}
	}
	s.tallies[feature].Add(c, ok)
	key := feature
	if c.Shared {
		key += sharedKey
	}
	if _, known := s.failed[key]; !ok && !known {
		s.failed[key] = marks.Feature{Why: why(feature, c), Input: typedText(lines)}
	}
}

// hear adds a check, or keeps it until it is known whether another mistake explains it.
func (s *scorer) hear(c check) {
	accepts := c.Case.Answer == "accepts" && c.Feature != "pits" || c.Case.Answer == "reads"
	if accepts && !c.Case.Shared {
		if s.valid++; c.OK {
			s.accepted++
		}
		for _, name := range name.FindAllString(c.lines[len(c.lines)-1], -1) {
			n := s.names[name]
			n[1]++
			if c.OK {
				n[0]++
			}
			s.names[name] = n
		}
	}
	switch {
	case !c.OK && (accepts || c.Excuse != nil):
		s.later = append(s.later, c)
		return
	case c.Excuse != nil && len(s.causes[c.Feature]) < maxCauses:
		s.causes[c.Feature] = append(s.causes[c.Feature], c.Observation)
	}
	s.add(c.Feature, c.Case, c.OK, c.lines)
}

// maxCauses limits the right checks that a cause of wrong ones must explain, too.
const maxCauses = 1000

// name matches a letter or a number.
var name = regexp.MustCompile(`[A-Za-z]|\d+`)

// settle adds the checks that no other mistake explains. A letter or number of cells that the program
// never accepts is a mistake in reading them.
func (s *scorer) settle() {
	swaps, all := s.tallies["turns"].Count("swaps")
	small := func(c check) int { return map[bool]int{true: 1}[c.Case.Answer == "reads"] }
	slices.SortStableFunc(s.later, func(a, b check) int { return small(a) - small(b) }) // known only after capitals
	for _, feature := range []string{"board", "passes", "result"} {
		s.blamed[feature], _ = s.suspect(feature)
	}
	pass := s.blamed["passes"]
	for _, c := range s.later {
		if c.Feature == "passes" && all > 0 && swaps == 0 || c.Case.Answer == "reads" && s.tallies["pieces"].Never(marks.Case{Answer: "accepts", Reason: c.Case.Reason}) {
			continue // the turn never changes, or capitals do not help
		}
		switch {
		case c.Case.Answer == "accepts" && s.unreadable(c.lines[len(c.lines)-1]):
			s.add("robustness", marks.Case{Answer: "reads cells", Reason: "never accepts a row or a column"}, false, c.lines)
		case !s.Excused(c.Observation) && (c.Feature != "result" || pass.Name == "" || !c.Excuse([]dialogue.Fault{dialogue.Fault(pass.Name)})):
			s.add(c.Feature, c.Case, c.OK, c.lines)
		case c.Feature == "board":
			s.add(c.Feature, c.Case, true, c.lines)
		case c.Feature != "moves": // right for its own moves
			s.add(c.Feature, marks.Case{Answer: opposite(c.Case.Answer)}, true, c.lines)
		}
	}
	s.later = nil
	for feature, f := range s.failed {
		f.Why = cmp.Or(s.Concluded(feature), s.blamed[feature].Description, f.Why)
		s.failed[feature] = f
	}
}

// suspect returns the one wrong rule that explains all checks of a feature.
func (s *scorer) suspect(feature string) (dialogue.Mutant, bool) {
	checks := slices.Clone(s.causes[feature])
	for _, c := range s.later {
		if c.Feature == feature && c.Excuse != nil && !s.Excused(c.Observation) {
			checks = append(checks, c.Observation)
		}
	}
	return s.Blame(checks)
}

// opposite returns the other answer about passes or the end of a game.
func opposite(answer string) string {
	switch answer {
	case "passes":
		return "plays"
	case "plays":
		return "passes"
	case "goes on":
		return "ends"
	}
	return "goes on"
}

// unreadable reports whether a line has a letter or number that the program never accepts.
func (s *scorer) unreadable(line string) bool {
	return slices.ContainsFunc(name.FindAllString(line, -1), s.unread)
}

// unread reports whether the program never accepts a letter or number, and other ones mostly.
func (s *scorer) unread(name string) bool {
	var right, all int
	for other, n := range s.names {
		if other != name {
			right, all = right+n[0], all+n[1]
		}
	}
	const enough = 3
	return s.Game != "chess" && s.names[name][0] == 0 && s.names[name][1] >= enough && 4*right > all // in chess, it may be a piece
}
