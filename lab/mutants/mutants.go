// Package mutants runs mutation tests: it puts one small mistake at a time into
// the code of a package, runs the package's tests, and counts the mistakes that
// no test notices.
package mutants

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
)

// goal is the share of mutants, in percent, that tests must notice.
const goal = 90

// options are the settings of a run.
type options struct {
	sample  int           // mutants to test; 0 for all
	seed    uint64        // chooses the sample
	limit   time.Duration // how long the tests of a package may take
	results string        // the file of results
	retry   bool          // test survivors of earlier runs again
}

// Command returns the command.
func Command() *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "mutants [FOLDER...]",
		Short: "Put small mistakes into the code: tests must notice 90 %",
		Long: `Mutants draws a sample of small mistakes over all packages that ship, or over those in some folders:
a statement, an early return or a case dropped, a branch never or always taken, a comparison, sign or
number changed. It puts in one at a time, runs the tests of its package, and counts the mistakes
that no test notices. Where a package has no tests, those of the packages that import it must.
Lines that only write a log are left alone.

The source tree is never written to: go test gets each mutant as an overlay. Results are kept in
a file, so a run that was broken off continues where it stopped, and a later run tests only what
has changed. A mutant that does not compile is replaced by the next one. A mutant can do anything
that the program can: on a machine that others use, bound its memory, and give it a PID
namespace (ulimit -v, unshare -p).`,
		Example: `  lab mutants                              # a sample of all packages
  lab mutants --sample 0 game/playout      # every mutant of one
  lab mutants --retry serve live           # the survivors once more`,
		RunE: func(c *cobra.Command, args []string) error { return run(c.Context(), o, args, c.OutOrStdout()) },
	}
	f := c.Flags()
	f.IntVar(&o.sample, "sample", 400, "test this many `mutants`; 0 for all")
	f.Uint64Var(&o.seed, "seed", 1, "choose the sample by this `number`")
	f.DurationVar(&o.limit, "limit", 2*time.Minute, "the tests of a package fail after this `time`")
	f.StringVar(&o.results, "results", ".mutants.jsonl", "keep results in this `file`")
	f.BoolVar(&o.retry, "retry", false, "test the survivors of earlier runs again")
	return c
}

// run tests a sample of the mutants of packages, and fails if it misses the goal.
func run(ctx context.Context, o options, folders []string, out io.Writer) error {
	list, err := packages(ctx, folders)
	if err != nil {
		return err
	}
	all, err := draw(list, o.seed)
	if err != nil {
		return err
	}
	if o.sample == 0 {
		o.sample = len(all)
	}
	s, err := testSample(ctx, o, all, out)
	if err != nil {
		return err
	}
	if s.percent() < goal {
		return fmt.Errorf("%.1f %% of the mutants are noticed: expected at least %d %%", s.percent(), goal)
	}
	return nil
}

// testSample tests mutants in their order until the sample is complete, and prints survivors and score.
func testSample(ctx context.Context, o options, all []mutant, out io.Writer) (s score, err error) {
	done, err := openResults(o.results)
	if err != nil {
		return s, err
	}
	defer done.file.Close() //nolint:errcheck // every line was written at once
	s = score{}
	dir, err := os.MkdirTemp("", "quintet-mutants-")
	if err != nil {
		return s, fmt.Errorf("making a folder for mutants: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	t := tester{dir: dir, limit: o.limit, out: out, sound: map[*pkg]bool{}}
	for _, m := range all {
		if _, same := equivalents()[m.ID]; same {
			continue
		}
		if s.all() == o.sample {
			break
		}
		outcome, known := done.get(&m)
		if !known || o.retry && outcome == lived {
			if outcome, err = t.test(ctx, &m); err == nil && outcome != untested {
				err = done.put(&m, outcome)
			}
			if err != nil {
				return s, err
			}
		}
		if s[outcome]++; outcome == lived {
			_, _ = fmt.Fprintf(out, "lived: %s (line %d): %s\n", m.ID, m.line, m.change)
		}
	}
	_, _ = fmt.Fprintf(out, "%.1f %% of %d mutants noticed: %d by a failing test, %d by time; %d lived, %d not tested\n",
		s.percent(), s.all(), s[killed], s[slow], s[lived], s[untested])
	return s, nil
}
