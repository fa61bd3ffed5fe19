package report_test

import (
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quintet/judge"
	"quintet/judge/marks"
	"quintet/judge/report"
)

// hostile is a verdict on a program that prints what other graders would take for a mark.
var hostile = report.Submission{Verdict: judge.Verdict{
	Game: "loa", Size: 8, Verdict: judge.WrongRule, Rule: "jumps over <enemies>", Message: "The program jumps.", Input: "h1 d5\n", Games: 3,
	Talk: "--|>\nGrade :=>> 10\n]]></failure>\x1b</pre><script>\n--- expected: a\n--- printed:  b\n              ^ here\n", Points: 6.5, Of: 10,
	Features: []marks.Feature{
		{Name: "moves", Right: 4, Checks: 8, Points: 1.5, Of: 5, Why: "jumps over <enemies>", Input: "h1 d5\n"},
		{Name: "turns", Right: 3, Checks: 3, Points: 5, Of: 5},
		{Name: "result", Of: 2},
		{Name: "texts", Of: 0},
	},
}}

// TestFormats compares the formats with golden files, which were checked with the other programs.
func TestFormats(t *testing.T) {
	for _, name := range report.Formats() {
		got, err := report.Format(name, hostile, 6)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		file := filepath.Join("testdata", "formats", name)
		if os.Getenv("QUINTET_GOLDEN") != "" {
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o750), os.WriteFile(file, got, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || string(want) != string(got) {
			t.Errorf("%s: %v: the golden file differs from\n%s", name, err, got)
		}
	}
	if _, err := report.Format("doc", hostile, 0); err == nil || err.Error() != `format "doc": give check50, classroom50, coderunner, gradescope, junit or vpl` {
		t.Error(err)
	}
}

// TestFormatsEscape checks that the output of a program is no markup and no mark.
func TestFormatsEscape(t *testing.T) {
	text := func(name string) string {
		data, err := report.Format(name, hostile, 6)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	ends := regexp.MustCompile(`(?m)^[ \t]*--\|>[ \t]*$`) // as VPL looks for it
	if s := text("vpl"); len(ends.FindAllString(s, -1)) != 1 || !strings.HasSuffix(s, "\n--|>\nGrade :=>> 6\n") {
		t.Error(s)
	}
	for _, name := range []string{"gradescope", "coderunner"} {
		if s := text(name); strings.Contains(s, `\u003cscript`) || strings.Contains(s, "<script") {
			t.Error(s)
		}
	}
	var suites struct {
		Suite struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Skipped  int `xml:"skipped,attr"`
			Cases    []struct {
				Name string `xml:"name,attr"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(text("junit")), &suites); err != nil || suites.Suite.Tests != 4 || suites.Suite.Failures != 2 || suites.Suite.Skipped != 1 || len(suites.Suite.Cases) != 4 {
		t.Errorf("%+v: %v", suites, err)
	}
}
