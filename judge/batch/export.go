package batch

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"quintet/judge"
)

// Gradescope is the results file of that service, as its documentation of
// autograders describes it.
type Gradescope struct {
	Score      float64          `json:"score"`
	Output     string           `json:"output"`
	Visibility string           `json:"visibility"`
	Tests      []GradescopeTest `json:"tests"`
}

// GradescopeTest is one test of a Gradescope file.
type GradescopeTest struct {
	Name     string  `json:"name"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
	Output   string  `json:"output"`
}

// ForGradescope returns the results file for a verdict, of so many points.
func ForGradescope(v judge.Verdict, points float64) Gradescope {
	score := 0.0
	if v.OK() {
		score = points
	}
	return Gradescope{
		Score: score, Output: v.Message, Visibility: "visible",
		Tests: []GradescopeTest{{Name: v.Game + ": console dialogue", Score: score, MaxScore: points, Output: judge.Text(v)}},
	}
}

// Export writes the pages, the table and the Gradescope files of results into a
// folder: NAME.html, index.html, results.csv and gradescope/NAME/results.json.
func Export(dir string, results []Result, points float64) error {
	all := make([]judge.Named, 0, len(results))
	for _, r := range results {
		all = append(all, judge.Named{Name: r.Name, Verdict: r.Verdict})
		if err := save(filepath.Join(dir, r.Name+".html"), []byte(judge.Page(r.Name, r.Verdict))); err != nil {
			return err
		}
		data, err := json.MarshalIndent(ForGradescope(r.Verdict, points), "", "  ")
		if err != nil {
			return fmt.Errorf("writing a results file: %w", err)
		}
		folder := filepath.Join(dir, "gradescope", r.Name)
		if err := os.MkdirAll(folder, 0o750); err != nil {
			return fmt.Errorf("writing a results file: %w", err)
		}
		if err := save(filepath.Join(folder, "results.json"), data); err != nil {
			return err
		}
	}
	if err := save(filepath.Join(dir, "index.html"), []byte(judge.Index(all))); err != nil {
		return err
	}
	return table(filepath.Join(dir, "results.csv"), results)
}

func save(path string, data []byte) error {
	if err := os.WriteFile(path, data, 0o644); err != nil { //nolint:gosec // to be read by others
		return fmt.Errorf("writing a report: %w", err)
	}
	return nil
}

// table writes a row for each result.
func table(path string, results []Result) error {
	f, err := os.Create(path) //nolint:gosec // the user names the folder
	if err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	w := csv.NewWriter(f)
	rows := [][]string{{"name", "game", "size", "verdict", "rule", "message", "input"}}
	for _, r := range results {
		v := r.Verdict
		rows = append(rows, []string{r.Name, v.Game, strconv.Itoa(v.Size), v.Verdict, v.Rule, v.Message, v.Input})
	}
	err = w.WriteAll(rows)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	return nil
}
