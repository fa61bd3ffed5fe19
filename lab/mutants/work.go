package mutants

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// What came of a mutant.
const (
	killed  = "killed"  // a test failed
	slow    = "slow"    // the tests did not end in time: noticed, too
	lived   = "lived"   // every test passed
	invalid = "invalid" // it does not compile; it counts nowhere
)

// score counts what came of the mutants of a target.
type score struct{ killed, slow, lived int }

func (s score) percent() float64 {
	if all := s.killed + s.slow + s.lived; all > 0 {
		return 100 * float64(s.killed+s.slow) / float64(all)
	}
	return 100
}

func (s *score) add(outcome string) {
	switch outcome {
	case killed:
		s.killed++
	case slow:
		s.slow++
	case lived:
		s.lived++
	}
}

// testTarget tests mutants one after the other, and prints survivors and score.
func testTarget(ctx context.Context, t target, mutants []mutant, done *results, o options, out io.Writer) (s score, err error) {
	dir, err := os.MkdirTemp("", "quintet-mutants-")
	if err != nil {
		return s, fmt.Errorf("making a folder for mutants: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	limit := time.Duration(0)
	for _, m := range mutants {
		outcome, known := done.get(&m)
		if !known || o.retry && outcome == lived {
			if limit == 0 {
				if limit, err = baseline(ctx, t); err != nil {
					return s, err
				}
			}
			if outcome, err = testMutant(ctx, t, &m, dir, limit); err != nil {
				return s, err
			}
			if err := done.put(&m, outcome); err != nil {
				return s, err
			}
		}
		if s.add(outcome); outcome == lived {
			_, _ = fmt.Fprintf(out, "lived: %s (line %d): %s\n", m.ID, m.line, m.change)
		}
	}
	_, _ = fmt.Fprintf(out, "%-8s %5.1f %% of %d mutants killed: %d by a failing test, %d by time; %d lived\n",
		t.name, s.percent(), s.killed+s.slow+s.lived, s.killed, s.slow, s.lived)
	return s, nil
}

// baseline runs the tests without a mistake. They must pass; it returns how
// long they may take with one.
func baseline(ctx context.Context, t target) (time.Duration, error) {
	began := time.Now()
	if text, err := goTest(ctx, t, 10*time.Minute, nil); err != nil {
		return 0, fmt.Errorf("testing %s without a mistake: %w\n%s", t.name, err, text)
	}
	return 5*time.Since(began) + 5*time.Second, nil
}

// testMutant runs the tests with a mistake.
func testMutant(ctx context.Context, t target, m *mutant, dir string, limit time.Duration) (outcome string, err error) {
	src, err := os.ReadFile(m.path)
	if err != nil {
		return "", fmt.Errorf("reading the source of a mutant: %w", err)
	}
	changed := filepath.Join(dir, "mutant.go")
	if err := os.WriteFile(changed, m.apply(src), 0o600); err != nil { //nolint:gosec // a folder of our own
		return "", fmt.Errorf("writing a mutant: %w", err)
	}
	original, err := filepath.Abs(m.path)
	if err != nil {
		return "", fmt.Errorf("finding the source of a mutant: %w", err)
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return "", fmt.Errorf("writing an overlay: %w", err)
	}
	config := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(config, overlay, 0o600); err != nil {
		return "", fmt.Errorf("writing an overlay: %w", err)
	}
	text, err := goTest(ctx, t, limit, []string{"-overlay", config})
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("testing mutants: %w", ctx.Err())
	case err == nil:
		return lived, nil
	case strings.Contains(text, "[build failed]"):
		return invalid, nil
	case strings.Contains(text, "panic: test timed out"):
		return slow, nil
	}
	return killed, nil
}

// goTest runs the tests of a target, one package after the other: what the
// first notices, the others need not.
func goTest(ctx context.Context, t target, limit time.Duration, more []string) (text string, err error) {
	for _, pkg := range t.tests {
		args := []string{"test", "-vet=off", "-ldflags=-w", "-failfast", "-timeout", limit.String()}
		if t.run != "" {
			args = append(args, "-run", t.run)
		}
		args = append(append(args, more...), pkg)
		cmd := exec.CommandContext(ctx, "go", args...) //nolint:gosec // the table of targets
		out, err := cmd.CombinedOutput()
		if text = string(out); err != nil {
			return text, fmt.Errorf("running %s: %w", cmd, err)
		}
	}
	return text, nil
}

// results are what came of mutants in this run and in earlier ones, one JSON
// object a line.
type results struct {
	file *os.File
	seen map[string]result
}

type result struct {
	ID      string `json:"id"`
	Hash    string `json:"hash"` // of the function
	Outcome string `json:"outcome"`
}

func openResults(path string) (*results, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600) //nolint:gosec // the caller's file
	if err != nil {
		return nil, fmt.Errorf("opening the results: %w", err)
	}
	r := &results{file: file, seen: map[string]result{}}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var one result
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, errors.Join(fmt.Errorf("reading %s: %w", path, err), file.Close())
		}
		r.seen[one.ID] = one
	}
	if err := lines.Err(); err != nil {
		return nil, errors.Join(fmt.Errorf("reading %s: %w", path, err), file.Close())
	}
	return r, nil
}

// get returns the outcome of a mutant, if its function is as it was then.
func (r *results) get(m *mutant) (outcome string, known bool) {
	one, ok := r.seen[m.ID]
	return one.Outcome, ok && one.Hash == m.Hash
}

func (r *results) put(m *mutant, outcome string) error {
	one := result{ID: m.ID, Hash: m.Hash, Outcome: outcome}
	r.seen[m.ID] = one
	text, err := json.Marshal(one)
	if err == nil {
		_, err = r.file.Write(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("writing a result: %w", err)
	}
	return nil
}

// close closes the file; every line was written at once.
func (r *results) close() { _ = r.file.Close() }
