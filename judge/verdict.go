package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quintet/judge/class"
	"quintet/judge/dialogue"
	"quintet/judge/marks"
	"quintet/judge/run"
)

// The verdicts, most severe last.
const (
	Accepted        = "accepted"
	Whitespace      = "whitespace"        // differs only in white space
	WrongOutput     = "wrong-output"      // wrong texts, or right texts at the wrong time
	PrintsTooMuch   = "prints-too-much"   // prints more than the right output
	WrongRule       = "wrong-rule"        // breaks a rule of the game
	WaitsForInput   = "waits-for-input"   // waits for input that never comes
	StopsEarly      = "stops-early"       // ends before the game does
	DoesNotStop     = "does-not-stop"     // keeps running after the end
	TooSlow         = "too-slow"          // does not finish in time
	Crashed         = "crashed"           // killed by a signal
	WrongClass      = "wrong-class"       // a member function fails a check
	CompileError    = "compile-error"     // does not compile
	CannotBeStarted = "cannot-be-started" // no such program
)

// severity orders the verdicts.
var severity = []string{
	Accepted, Whitespace, WrongOutput, PrintsTooMuch, WaitsForInput, StopsEarly, WrongRule, TooSlow, DoesNotStop, Crashed, WrongClass, CompileError, CannotBeStarted,
}

// Verdict is the result of judging a program.
type Verdict struct {
	Game     string    `json:"game"`
	Size     int       `json:"size"`
	Verdict  string    `json:"verdict"`
	Rule     string    `json:"rule"`    // what the program does wrong, in words; "" if accepted
	Message  string    `json:"message"` // the whole explanation, in a few sentences
	Input    string    `json:"input"`   // the shortest game that shows it, ready to be typed in
	Expected string    `json:"expected"`
	Actual   string    `json:"actual"`
	Talk     string    `json:"conversation"` // as the student sees it, the first difference marked
	Mutants  []string  `json:"mutants"`      // the names of known mistakes that explain it
	Others   []Mistake `json:"others"`       // further mistakes
	Warnings []string  `json:"warnings"`
	Follows  []Follows `json:"follows"`       // its choices where the documents leave a question open
	Games    int       `json:"games"`         // games that were played
	Runs     int       `json:"runs"`          // starts of the program
	Early    bool      `json:"stopped_early"` // whether the search for names or shorter games stopped early; a warning says which

	Points   float64         `json:"points"`
	Of       float64         `json:"of"`
	Features []marks.Feature `json:"features"`         // what the points are for: features of a game, or member functions
	Class    string          `json:"class,omitempty"`  // the name of the class, if member functions are graded
	Checks   []class.Check   `json:"checks,omitempty"` // of its members
}

// Mistake is one of the less severe mistakes.
type Mistake struct {
	Verdict string `json:"verdict"`
	Rule    string `json:"rule"`
	Message string `json:"message"`
	Input   string `json:"input"`
	Talk    string `json:"conversation"`
}

// OK reports whether the program is accepted.
func (v Verdict) OK() bool { return v.Verdict == Accepted }

func (j *judgement) verdict() Verdict {
	v := Verdict{
		Game: j.right.Game, Size: j.right.Size, Verdict: Accepted, Games: len(j.played), Runs: j.runs,
		Mutants: []string{}, Others: []Mistake{}, Warnings: append([]string{}, j.early...), Follows: j.follows(), Early: len(j.early) > 0,
	}
	slices.SortStableFunc(j.findings, func(a, b finding) int { return slices.Index(severity, b.Kind) - slices.Index(severity, a.Kind) })
	for _, f := range j.findings {
		f.seen = j.score
		m := f.mistake()
		switch {
		case f.Kind == Whitespace && j.options.Lenient:
			v.Warnings = append(v.Warnings, m.Message)
		case v.Verdict == Accepted:
			v.Verdict, v.Rule, v.Message, v.Input, v.Talk = m.Verdict, m.Rule, m.Message, m.Input, m.Talk
			v.Expected, v.Actual = f.want.Output(), f.raw
			for _, known := range f.Mutants {
				v.Mutants = append(v.Mutants, known.Name)
			}
		default:
			v.Others = append(v.Others, m)
		}
	}
	v.judgeSizes(j)
	v.Features = agreeing(j.points(), v.OK())
	v.Points, v.Of = marks.Sum(v.Features)
	if v.Verdict == Accepted {
		v.Message = "The program follows the specification." + j.departures()
	}
	return v
}

// agreeing makes points agree with a verdict: only an accepted program has all of them. A mistake costs the same
// however few checks show it. One that no check shows, such as how lines are read, costs points of robustness.
func agreeing(list []marks.Feature, accepted bool) []marks.Feature {
	points, of := marks.Sum(list)
	worst := -1
	for i, f := range list {
		if accepted {
			list[i].Points, list[i].Why, list[i].Input = f.Of, "", ""
		}
		if lost := f.Of - f.Points; f.Name == "robustness" && f.Of > 0 && worst < 0 || lost > 0 && (worst < 0 || lost > list[worst].Of-list[worst].Points) {
			worst = i
		}
	}
	const least = 0.95
	if !accepted && worst >= 0 && points > least*of {
		list[worst].Points = min(list[worst].Points, list[worst].Of*credit(0.9, false))
	}
	return list
}

// follows returns the choices that the games revealed.
func (j *judgement) follows() []Follows {
	list := []Follows{}
	for _, f := range j.variant.Follows {
		if !f.Default || j.shown(f) {
			list = append(list, f)
		}
	}
	return list
}

// shown reports whether the games would have revealed another choice of a decision.
func (j *judgement) shown(f Follows) bool {
	if f.ID == "" { // an accepted difference, not an open point
		return false
	}
	for _, v := range j.options.Profile.near(j.spec, j.variant) {
		if v.chosen[f.Decision] == j.variant.chosen[f.Decision] || v.Program.Tolerates != j.variant.Program.Tolerates {
			continue // a program that is right without a tolerance is so with it
		}
		q := withMutants(v.Program, j.adopted)
		short := j.record[:min(len(j.record), 80)]
		return slices.ContainsFunc(short, func(p played) bool { return !j.fits(q, p) })
	}
	return true
}

// departures describes where the program differs from our choices.
func (j *judgement) departures() string {
	var list []string
	for _, f := range j.variant.Follows {
		if !f.Default {
			list = append(list, fmt.Sprintf("It %s (%s), which is accepted.", f.Description, cmp.Or(f.ID, f.Decision)))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " " + strings.Join(list, " ")
}

// kind returns the verdict of a finding.
func (f finding) kind() string {
	if len(f.Mutants) > 0 {
		return f.knownKind()
	}
	switch f.diff.kind {
	case crashes, crashesAtEnd:
		return Crashed
	case runsOn:
		return DoesNotStop
	case runsShort:
		if f.out.Last > f.out.Elapsed/2 { // it printed until the end
			return TooSlow
		}
		return DoesNotStop
	case waitsAtEnd:
		return WaitsForInput
	}
	switch {
	case f.out.Ending == run.Failed:
		return CannotBeStarted
	case f.out.Ending == run.Crashed && !f.out.EOF:
		return Crashed
	case f.diff.kind == printsOn && f.out.Ending != run.OutputExceeded && onlySpace(f.want.Output(), f.out.Output),
		f.diff.kind != printsOn && onlySpace(f.want.Output(), f.printed()):
		return Whitespace
	case f.out.Ending == run.OutputExceeded && !f.out.EOF:
		return DoesNotStop
	case f.ruling() != "":
		return WrongRule
	}
	switch f.diff.kind {
	case printsOn:
		return PrintsTooMuch
	case waitsShort:
		return WaitsForInput
	case stopsShort:
		return StopsEarly
	}
	return WrongOutput
}

// printed returns the program's output up to the end of the input.
func (f finding) printed() string {
	if want := f.want.Output(); f.out.EOF && strings.HasPrefix(squeeze(f.out.Output), squeeze(want)) {
		return want
	}
	return f.out.Output
}

func (f finding) knownKind() string {
	kind := Whitespace
	for _, m := range f.Mutants {
		switch m.Kind {
		case dialogue.RuleMutant:
			return WrongRule
		case dialogue.TextMutant:
			kind = WrongOutput
		}
	}
	return kind
}

// mistake describes a finding.
func (f finding) mistake() Mistake {
	rule := f.rule()
	input := strings.Join(f.lines, "\n")
	if len(f.lines) > 0 {
		input += "\n"
	}
	return Mistake{Verdict: f.Kind, Rule: rule, Message: f.message(rule), Input: input, Talk: f.talk()}
}
