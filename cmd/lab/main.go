// Lab makes and tests Quintet, and is not part of it: trainers, makers of books and puzzles,
// tuning, mutation tests, and programs that break servers under load.
//
//	go run ./cmd/lab --help
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"quintet/lab/chaos"
	"quintet/lab/fair"
	"quintet/lab/i18n"
	"quintet/lab/load"
	"quintet/lab/mutants"
	"quintet/lab/smallboards"
	"quintet/lab/spsa"
	"quintet/lab/tournaments"
	"quintet/lab/winchance"
)

func main() { os.Exit(execute(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// execute runs a command line and returns the exit status: 0 on success, 1 if the run failed, 2 if
// the command line is wrong.
func execute(args []string, in io.Reader, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	parsed := false
	root := newRoot()
	root.PersistentPreRun = func(*cobra.Command, []string) { parsed = true }
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	_, _ = fmt.Fprintf(errs, "lab: %v\n", err)
	if !parsed {
		return 2
	}
	return 1
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "lab",
		Short: "Make and test Quintet",
		Long: `Lab makes and tests Quintet: it trains evaluations, makes books and puzzles, tunes searches,
and breaks servers under load. Releases do not contain it.

Exit status: 0 on success, 1 if the run failed, 2 if the command line is wrong.`,
		Example:       "  go run ./cmd/lab train loa --help\n  go run ./cmd/lab mutants --sample 40 engine",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	for _, g := range groups() {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	return root
}

// group is a heading of --help with its commands.
type group struct {
	title    string
	commands []*cobra.Command
}

func groups() []group {
	return []group{
		{"Make:", []*cobra.Command{newTrain(), newBook(), newPuzzles(), i18n.Command()}},
		{"Tune:", []*cobra.Command{spsa.Command(), winchance.Command()}},
		{"Break:", []*cobra.Command{mutants.Command(), chaos.Command(), load.Command(), fair.Command(), tournaments.Command()}},
		{"Check:", []*cobra.Command{smallboards.Command()}},
	}
}
