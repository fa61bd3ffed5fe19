// Package mutants runs mutation tests: it puts one small mistake at a time into
// the code of a target, runs the target's tests, and counts the mistakes that
// no test notices.
package mutants

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
)

// goal is the share of mutants, in percent, that tests must notice.
const goal = 90

// options are the settings of a run.
type options struct {
	sample  int    // mutants of each target; 0 for all
	seed    uint64 // chooses the sample
	results string // the file of results
	retry   bool   // test survivors of earlier runs again
	list    bool   // print the mutants, and run nothing
}

// Command returns the command.
func Command() *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "mutants [TARGET...]",
		Short: "Put small mistakes into the code: tests must notice 90 %",
		Long: `Mutants puts one small mistake at a time into the code of a target, runs the target's tests, and
counts the mistakes that no test notices.

The source tree is never written to: go test gets each mutant as an overlay. Results are kept in
a file, so a run that was broken off continues where it stopped, and a later run tests only what
has changed.`,
		Example: `  lab mutants                    # a sample of every target
  lab mutants --sample 0 engine  # every mutant of package engine
  lab mutants --retry engine     # the survivors once more`,
		RunE: func(c *cobra.Command, args []string) error { return run(c.Context(), o, args, c.OutOrStdout()) },
	}
	f := c.Flags()
	f.IntVar(&o.sample, "sample", 60, "test this many `mutants` of each target; 0 for all")
	f.Uint64Var(&o.seed, "seed", 1, "choose the sample by this `number`")
	f.StringVar(&o.results, "results", ".mutants.jsonl", "keep results in this `file`")
	f.BoolVar(&o.retry, "retry", false, "test the survivors of earlier runs again")
	f.BoolVar(&o.list, "list", false, "print the mutants of the sample, and test none")
	return c
}

// run tests the targets of the given names, or all, and fails if one of them
// misses the goal.
func run(ctx context.Context, o options, names []string, out io.Writer) error {
	chosen, err := choose(names)
	if err != nil {
		return err
	}
	done, err := openResults(o.results)
	if err != nil {
		return err
	}
	defer done.close()
	missed := 0
	for _, t := range chosen {
		mutants, err := sample(t, o)
		if err != nil {
			return err
		}
		if o.list {
			for _, m := range mutants {
				_, _ = fmt.Fprintf(out, "%s:%d %s\n", m.ID, m.line, m.change)
			}
			continue
		}
		score, err := testTarget(ctx, t, mutants, done, o, out)
		if err != nil {
			return err
		}
		if score.percent() < goal {
			missed++
		}
	}
	if missed > 0 {
		return fmt.Errorf("%d of %d targets kill less than %d %% of their mutants", missed, len(chosen), goal)
	}
	return nil
}

// choose returns the targets of the given names, or all.
func choose(names []string) ([]target, error) {
	if len(names) == 0 {
		return targets(), nil
	}
	var chosen []target
	for _, name := range names {
		i := slices.IndexFunc(targets(), func(t target) bool { return t.name == name })
		if i < 0 {
			return nil, fmt.Errorf("target %q: expected one of %v", name, targetNames())
		}
		chosen = append(chosen, targets()[i])
	}
	return chosen, nil
}
