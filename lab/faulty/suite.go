package faulty

import (
	"context"
	"io"
	"slices"
	"testing"
	"time"

	"quintet/protocol/check"
	"quintet/protocol/program"
)

// Suite checks one of our engines against the clauses of a protocol, without and with
// injected faults.
type Suite struct {
	// Clauses returns the clauses of the protocol.
	Clauses func() ([]check.Clause, error)

	// New returns a new engine.
	New func() Serve

	// Talkative names the clauses whose faulty engines send unsolicited lines; their
	// checks wait for those without a timeout.
	Talkative []string
}

// Serve is the server loop of an engine.
type Serve func(ctx context.Context, in io.Reader, out io.Writer) error

// CheckConforms fails the test for every clause that the engine violates. Timeouts
// are generous.
func (s Suite) CheckConforms(t *testing.T) {
	t.Helper()
	l := check.Limits{Timeout: time.Minute, Tolerance: time.Minute, Pause: 10 * time.Millisecond}
	for _, f := range s.findings(t, l, Fault{}, s.clauses(t)) {
		if f.Status == check.Broken {
			t.Errorf("%s: %s", f.Name, f.Detail)
		}
	}
}

// CheckFaults requires one fault per clause, by name, and fails unless the check
// finds the clause broken by an engine with that fault.
func (s Suite) CheckFaults(t *testing.T, faults map[string]Fault) {
	t.Helper()
	for _, clause := range s.clauses(t) {
		if _, ok := faults[clause.Name]; !ok {
			t.Errorf("no engine breaks %s", clause.Name)
		}
	}
	for name, f := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s.checkFault(t, name, f)
		})
	}
}

func (s Suite) checkFault(t *testing.T, name string, f Fault) {
	t.Helper()
	l := check.Limits{Timeout: 2 * time.Second, Tolerance: time.Second, Pause: 50 * time.Millisecond}
	if slices.Contains(s.Talkative, name) {
		l.Pause = time.Minute
	}
	only := slices.DeleteFunc(s.clauses(t), func(c check.Clause) bool { return c.Name != name })
	found := s.findings(t, l, f, only)
	if len(found) != 1 || found[0].Status != check.Broken || found[0].Detail == "" {
		t.Errorf("%+v, want it broken", found)
	}
}

func (s Suite) clauses(t *testing.T) []check.Clause {
	t.Helper()
	clauses, err := s.Clauses()
	if err != nil {
		t.Fatal(err)
	}
	return clauses
}

// findings checks the engine with a fault within limits.
func (s Suite) findings(t *testing.T, l check.Limits, f Fault, clauses []check.Clause) (found []check.Finding) {
	t.Helper()
	start := func() (*program.Program, error) {
		serve := s.New()
		return f.Start(func(in io.Reader, out io.Writer) error { return serve(context.Background(), in, out) }), nil
	}
	if err := check.Run(context.Background(), l, start, clauses, func(f check.Finding) { found = append(found, f) }); err != nil {
		t.Fatal(err)
	}
	return found
}
