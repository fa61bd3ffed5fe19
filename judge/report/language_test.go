package report_test

import (
	"regexp"
	"strings"
	"testing"

	"quintet/internal/lang"
	"quintet/judge"
	"quintet/judge/class"
	"quintet/judge/marks"
	"quintet/judge/report"
)

// TestLanguage checks that reports in another language keep no English but what the program prints and what is typed.
func TestLanguage(t *testing.T) {
	l, err := lang.Open("zh-HK")
	if err != nil {
		t.Fatal(err)
	}
	talk := "B\n--- expected: " + "B'·\n--- printed:  (nothing: it waits for input)\n              ^ here\n"
	late := []string{"ends the game too early", "The submission is 2 days late: its mark is 1 of 3.", "a.7z was not unpacked: only zip archives are.", "a/b.c is judged; c/b.c, which has the same name, is ignored."}
	s := report.Submission{Name: "Ada", Language: l, Verdict: judge.Verdict{
		Game: "loa", Size: 8, Verdict: judge.WrongRule, Rule: "accepts a move that jumps over an enemy piece",
		Message: `The program accepts a move that jumps over an enemy piece. The answer "a1c3" jumps over an enemy piece. Its last line is "B" and the next line should be "W"`,
		Talk:    talk, Input: "1\n", Games: 1, Points: 2, Of: 3, Warnings: late,
		Follows:  []judge.Follows{{ID: "X1", Description: "does not stop"}},
		Features: []marks.Feature{{Name: "distance", Why: "accepts a move of a wrong length", Points: 1, Of: 2, Input: strings.Repeat("1\n", 40)}},
	}}
	ofClass := s
	ofClass.Class, ofClass.Talk, ofClass.Features = "A", "", []marks.Feature{{Name: "g", Of: 2}}
	ofClass.Checks = []class.Check{{Member: "g", Name: "refuses a1 a1 after a2 c2, and no member changes", Want: "0", Got: "1(crashed: SEG)"}}
	tags := regexp.MustCompile(`(?s)<style>.*?</style>|<[^>]*>`)
	english := regexp.MustCompile(`[A-Za-z]{4,}`)
	for name, text := range map[string]string{"text": s.Text(), "page": report.Page(s), "index": report.Index([]report.Submission{s}), "text of a class": ofClass.Text(), "page of a class": report.Page(ofClass)} {
		if found := english.FindAllString(tags.ReplaceAllString(text, ""), -1); found != nil {
			t.Errorf("%s: %q is English in\n%s", name, found, text)
		}
		if !strings.HasPrefix(name, "text") && !strings.Contains(text, `<html lang="zh-HK">`) {
			t.Errorf("%s has no language", name)
		}
	}
}
