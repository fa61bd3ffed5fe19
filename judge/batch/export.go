package batch

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"quintet/internal/lang"
	"quintet/judge/report"
)

// Export writes the pages, the table and the Gradescope files of results into a
// folder: NAME.html, index.html, results.csv and gradescope/NAME/results.json.
// The pages are in a language, the files for other programs in English. The error names the files that could not be written; the others are complete.
func Export(dir string, results []Result, l *lang.Language) error {
	var failures []error
	all := make([]report.Submission, 0, len(results))
	for _, r := range results {
		n := report.Submission{Name: r.Name, File: r.file(), Verdict: r.Verdict, Language: l}
		all = append(all, n)
		failures = append(failures, save(filepath.Join(dir, r.file()+".html"), []byte(report.Page(n))), r.saveForGradescope(dir))
	}
	failures = append(failures, save(filepath.Join(dir, "index.html"), []byte(report.Index(all))), table(filepath.Join(dir, "results.csv"), results))
	return errors.Join(failures...)
}

func (r Result) saveForGradescope(dir string) error {
	data, err := report.Format("gradescope", report.Submission{Name: r.Name, Verdict: r.Verdict}, r.Mark)
	folder := filepath.Join(dir, "gradescope", r.file())
	if err == nil {
		err = os.MkdirAll(folder, 0o750)
	}
	if err != nil {
		return fmt.Errorf("writing a results file: %w", err)
	}
	return save(filepath.Join(folder, "results.json"), data)
}

func save(path string, data []byte) error {
	if err := os.WriteFile(path, data, 0o644); err != nil { //nolint:gosec // others may read it
		return fmt.Errorf("writing a report: %w", err)
	}
	return nil
}

// table writes a CSV file with a row for each result.
func table(path string, results []Result) error {
	rows := []string{"name,game,size,verdict,rule,message,input,points,of,late_days,mark\n"}
	for _, r := range results {
		v := r.Verdict
		row := []string{quote(r.Name), v.Game, strconv.Itoa(v.Size), v.Verdict, quote(v.Rule), quote(v.Message), quote(v.Input), number(v.Points), number(v.Of), strconv.Itoa(r.Days), number(r.Mark)}
		rows = append(rows, strings.Join(row, ",")+"\n")
	}
	return save(path, []byte(strings.Join(rows, "")))
}

// quote returns a text as a CSV field. encoding/csv leaves semicolons and tabs unquoted, and
// some spreadsheets split fields there.
func quote(text string) string {
	text = Cell(text)
	if !strings.ContainsAny(text, ",;\"\t\r\n") && strings.TrimSpace(text) == text {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}

// Cell escapes a text for spreadsheets: if it starts like a formula, after blanks, it gets
// an apostrophe in front.
func Cell(text string) string {
	if begin := strings.TrimLeft(text, " \u00a0"); begin != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", firstRune(begin)) {
		return "'" + text
	}
	return text
}

func firstRune(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// number formats points with at most four digits.
func number(points float64) string {
	return strconv.FormatFloat(math.Round(points*100)/100, 'f', -1, 64)
}
