package report

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math"
	"strings"

	"quintet/game"
	"quintet/judge/marks"
)

// formats write a verdict, and its mark, for other graders.
var formats = []struct {
	name  string
	write func(s Submission, mark float64) ([]byte, error)
}{
	{"check50", check50},
	{"classroom50", classroom50},
	{"coderunner", codeRunner},
	{"gradescope", gradescope},
	{"junit", junit},
	{"vpl", vpl},
}

// Formats lists the names of the formats.
func Formats() (list []string) {
	for _, f := range formats {
		list = append(list, f.name)
	}
	return list
}

// Format writes a verdict in the format of another grader. mark is the points less the
// penalty for a late submission.
func Format(name string, s Submission, mark float64) ([]byte, error) {
	for _, f := range formats {
		if f.name == name {
			return f.write(s, mark)
		}
	}
	return nil, fmt.Errorf("format %q: give %s", name, game.Alternatives(Formats()))
}

// counted lists the features that earn points, with their names as tests. A program that was not
// tested has one that stands for all.
func (s Submission) counted() (list []marks.Feature) {
	if len(s.Features) == 0 {
		return []marks.Feature{{Name: "program", Checks: 1, Of: s.Of, Why: s.Rule}}
	}
	for _, f := range s.Features {
		if f.Of > 0 {
			if s.Class != "" {
				f.Name = s.Class + "::" + f.Name
			}
			list = append(list, f)
		}
	}
	return list
}

// text says how a feature of counted was tested.
func (s Submission) text(f marks.Feature) string {
	if len(s.Features) == 0 {
		return s.Message + "\n"
	}
	f.Name = strings.TrimPrefix(f.Name, s.Class+"::")
	return FeatureText(s.Verdict, f)
}

func indentedJSON(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	return append(data, '\n'), err //nolint:wrapcheck // the values are ours
}

// gradescope writes results.json of gradescope-autograders.readthedocs.io/en/latest/specs.
func gradescope(s Submission, mark float64) ([]byte, error) {
	type test struct {
		Name     string  `json:"name"`
		Score    float64 `json:"score"`
		MaxScore float64 `json:"max_score"`
		Status   string  `json:"status"`
		Output   string  `json:"output"`
		Format   string  `json:"output_format"`
	}
	results := struct {
		Score      float64 `json:"score"`
		Output     string  `json:"output"`
		Format     string  `json:"output_format"`
		Visibility string  `json:"visibility"`
		Tests      []test  `json:"tests"`
	}{mark, Body(s), "html", "visible", []test{}}
	for _, f := range s.counted() {
		status := "failed"
		if f.Points == f.Of {
			status = "passed"
		}
		results.Tests = append(results.Tests, test{f.Name, f.Points, f.Of, status, s.text(f), "text"})
	}
	return indentedJSON(results)
}

// check50 writes the JSON of cs50.readthedocs.io/projects/check50/en/latest/json_specification.
// The first check is the verdict.
func check50(s Submission, _ float64) ([]byte, error) {
	type cause struct {
		Rationale string `json:"rationale"`
		Help      string `json:"help"`
	}
	type check struct {
		Name        string         `json:"name"`
		Description string         `json:"description"`
		Passed      *bool          `json:"passed"`
		Log         []string       `json:"log"`
		Cause       *cause         `json:"cause"`
		Data        map[string]any `json:"data"`
		Dependency  *string        `json:"dependency"`
	}
	add := func(list []check, name, description, why, help string, tested bool, data map[string]any) []check {
		c := check{name, description, nil, []string{}, nil, data, nil}
		if passed := why == ""; tested {
			c.Passed = &passed
		}
		if why != "" {
			c.Cause = &cause{why, help}
		}
		return append(list, c)
	}
	list := add(nil, "verdict", "follows the specification", s.Rule, s.typed(), true, map[string]any{"verdict": s.Verdict.Verdict})
	for _, f := range s.counted() {
		why := f.Why
		switch {
		case f.Checks == 0:
			why = "not tested"
		case why == "" && f.Points < f.Of:
			why = s.text(f)
		}
		list = add(list, f.Name, f.Name, why, s.text(f), f.Checks > 0, map[string]any{"points": f.Points, "of": f.Of})
	}
	return indentedJSON(struct {
		Slug    string  `json:"slug"`
		Results []check `json:"results"`
		Version string  `json:"version"`
	}{"quintet/" + s.Game, list, "3.0.0"})
}

// typed says what to type to see the mistake.
func (s Submission) typed() string {
	if s.Input == "" {
		return ""
	}
	return "To see it, type:\n" + s.Input
}

// classroom50 writes the part of result.json (schema classroom50/result/v1) that depends on the
// verdict. Its scores are whole numbers.
func classroom50(s Submission, _ float64) ([]byte, error) {
	type test struct {
		Name     string `json:"test-name"`
		Passed   bool   `json:"passed"`
		Score    int    `json:"score"`
		MaxScore int    `json:"max-score"`
		Output   string `json:"output"`
	}
	result := struct {
		Score    int    `json:"score"`
		MaxScore int    `json:"max-score"`
		Tests    []test `json:"tests"`
	}{Tests: []test{}}
	for _, f := range s.counted() {
		t := test{f.Name, f.Points == f.Of, int(math.Floor(f.Points)), int(math.Ceil(f.Of)), s.text(f)}
		if t.Passed {
			t.Score = t.MaxScore
		}
		result.Tests = append(result.Tests, t)
		result.Score, result.MaxScore = result.Score+t.Score, result.MaxScore+t.MaxScore
	}
	return indentedJSON(result)
}

// codeRunner writes what a combinator template grader of CodeRunner prints.
func codeRunner(s Submission, mark float64) ([]byte, error) {
	fraction := 0.0
	if s.Of > 0 {
		fraction = mark / s.Of
	}
	table := [][]any{{"iscorrect", "Feature", "Points"}}
	for _, f := range s.counted() {
		right := 0
		if f.Points == f.Of {
			right = 1
		}
		table = append(table, []any{right, f.Name, fmt.Sprintf("%.4g of %.4g", f.Points, f.Of)})
	}
	return indentedJSON(struct {
		Fraction float64 `json:"fraction"`
		Prologue string  `json:"prologuehtml"`
		Results  [][]any `json:"testresults"`
	}{fraction, Body(s), table})
}

// vpl writes the comment and the grade that Moodle's VPL looks for in the output. Lines that begin
// with ">" are shown as they are, so no line of a program can end the comment or give a grade.
func vpl(s Submission, mark float64) ([]byte, error) {
	var w strings.Builder
	fmt.Fprintf(&w, "<|--\n-%s\n", s.Verdict.Verdict)
	for line := range strings.Lines(Text(s.Verdict)) {
		w.WriteString(">" + strings.TrimSuffix(line, "\n") + "\n")
	}
	fmt.Fprintf(&w, "--|>\nGrade :=>> %.4g\n", mark)
	return []byte(w.String()), nil
}

// junit writes JUnit XML, which Jenkins, GitLab and Artemis read.
func junit(s Submission, _ float64) ([]byte, error) {
	type failure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
	type testCase struct {
		Class   string    `xml:"classname,attr"`
		Name    string    `xml:"name,attr"`
		Time    string    `xml:"time,attr"`
		Skipped *struct{} `xml:"skipped"`
		Failure *failure  `xml:"failure"`
	}
	type suite struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Time     string     `xml:"time,attr"`
		Cases    []testCase `xml:"testcase"`
	}
	name := "quintet." + s.Game
	verdict := testCase{Class: name, Name: "verdict", Time: "0"}
	if !s.OK() {
		verdict.Failure = &failure{s.Rule, s.Verdict.Verdict, Text(s.Verdict)}
	}
	all := suite{Name: name, Time: "0", Cases: []testCase{verdict}}
	for _, f := range s.counted() {
		c := testCase{Class: name, Name: f.Name, Time: "0"}
		switch {
		case f.Checks == 0:
			c.Skipped = &struct{}{}
			all.Skipped++
		case f.Points < f.Of:
			c.Failure = &failure{f.Why, "points", s.text(f)}
		}
		all.Cases = append(all.Cases, c)
	}
	for _, c := range all.Cases {
		if all.Tests++; c.Failure != nil {
			all.Failures++
		}
	}
	data, err := xml.MarshalIndent(struct {
		XMLName xml.Name `xml:"testsuites"`
		Suite   suite
	}{Suite: all}, "", "  ")
	return append([]byte(xml.Header), append(data, '\n')...), err //nolint:wrapcheck // the values are ours
}
