package mutants

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// What came of a mutant.
const (
	killed   = "killed"   // a test failed
	slow     = "slow"     // the tests did not end in time, which counts as noticed
	lived    = "lived"    // every test passed
	invalid  = "invalid"  // it does not compile; not counted
	untested = "untested" // the tests fail without the mistake; not counted
)

// score counts mutants by outcome.
type score map[string]int

func (s score) all() int { return s[killed] + s[slow] + s[lived] }

func (s score) percent() float64 { return 100 * float64(s[killed]+s[slow]) / float64(max(s.all(), 1)) }

// tester tests mutants one after the other.
type tester struct {
	dir   string        // for the files of a mutant
	limit time.Duration // of the tests of a package
	out   io.Writer
	sound map[*pkg]bool // whether the tests of a package pass without a mistake, once tried
}

// test runs the tests of a mutant's package with the mistake.
func (t *tester) test(ctx context.Context, m *mutant) (outcome string, err error) {
	if !t.passes(ctx, m.pkg) {
		return untested, nil
	}
	src, err := os.ReadFile(m.path)
	if err != nil {
		return "", fmt.Errorf("reading the source of a mutant: %w", err)
	}
	changed, config := filepath.Join(t.dir, "mutant.go"), filepath.Join(t.dir, "overlay.json")
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {m.path: changed}})
	if err == nil {
		err = errors.Join(os.WriteFile(changed, m.apply(src), 0o600), os.WriteFile(config, overlay, 0o600)) //nolint:gosec // a folder of our own
	}
	if err != nil {
		return "", fmt.Errorf("writing a mutant: %w", err)
	}
	text, err := t.goTest(ctx, m.pkg, "-overlay", config)
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

// passes reports whether the tests of a package pass without a mistake.
func (t *tester) passes(ctx context.Context, p *pkg) bool {
	sound, tried := t.sound[p]
	if !tried {
		text, err := t.goTest(ctx, p)
		if sound = err == nil; !sound {
			_, _ = fmt.Fprintf(t.out, "not tested: %s, whose tests fail without a mistake: %.1000s\n", p.ImportPath, text)
		}
		t.sound[p] = sound
	}
	return sound
}

// goTest runs the tests for a package.
func (t *tester) goTest(ctx context.Context, p *pkg, more ...string) (text string, err error) {
	args := append([]string{"test", "-vet=off", "-ldflags=-w", "-failfast", "-timeout", t.limit.String()}, more...)
	cmd := exec.CommandContext(ctx, "go", append(args, p.tests...)...) //nolint:gosec // packages of the tree
	out, err := cmd.CombinedOutput()
	return string(out), err
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
	r := &results{seen: map[string]result{}}
	text, err := os.ReadFile(path) //nolint:gosec // the caller's file
	for line := range bytes.Lines(text) {
		var one result
		if err := json.Unmarshal(line, &one); err != nil {
			return nil, fmt.Errorf("reading %s: %w", path, err)
		}
		r.seen[one.ID] = one
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		r.file, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600) //nolint:gosec // the caller's file
	}
	if err != nil {
		return nil, fmt.Errorf("opening the results: %w", err)
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
