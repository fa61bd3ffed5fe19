// Quintet is board games in one program: it plays them in the terminal and in browsers, lets
// engines compete, and judges students' programs.
//
//	quintet play othello
//	quintet serve
//	quintet judge othello PROGRAM
//
// Each command is a file of this package; newRoot lists them. Errors are one
// line on standard error, and the exit status says what kind they are: see
// status.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"quintet/internal/cli"
	"quintet/internal/platform"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == platform.KeeperCommand {
		os.Exit(platform.RunKeeper(os.Args[2:]))
	}
	_ = os.Setenv(platform.Keeper, "1") // if this fails, engines run without keepers
	os.Exit(execute(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// execute runs a command line and returns the exit status.
func execute(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	root := newRoot()
	out, errs = cli.Safe(out), cli.Safe(errs)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	if err != nil {
		_, _ = fmt.Fprintf(errs, "quintet: %v\n", err)
	}
	return status(err)
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "quintet",
		Short: "Board games for two: play, analyse, let engines compete, serve and grade",
		Long: `Quintet plays board games for two, which "quintet games" lists.

Exit status: 0 on success, 1 if the input ended early or the run failed, 2 if the
command line is wrong.`,
		Example:       "  quintet console othello\n  quintet games",
		Version:       thisBuild().String(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case !cli.Interactive(c):
				return c.Help()
			case cli.Dumb(os.Getenv):
				return playLines(c, nil)
			}
			return openTerminal(c, false, nil)
		},
	}
	addLanguage(root, screens)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(cli.FlagError)
	for _, g := range groups() {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.id
			root.AddCommand(c)
		}
	}
	root.AddCommand(newMan(), newEngineProcessCommand())
	return root
}

// group is a heading of --help with the commands for one kind of user.
type group struct {
	id, title string
	commands  []*cobra.Command
}

func groups() []group {
	return []group{
		{"play", "Play:", []*cobra.Command{newPlay(), newTournament(), newConsole(), newGames()}},
		{"analyse", "Analyse:", []*cobra.Command{newAnalyze(), newReview(), newSolve(), newPuzzles(), newConvert(), newShow()}},
		{"engines", "Engines:", []*cobra.Command{newEngine(), newArena(), newEnv(), newBench(), newPerft(), newPlayout()}},
		{"farm", "Share work:", []*cobra.Command{newCoordinator(), newWorker(), newJobs()}},
		{"grade", "Grade:", []*cobra.Command{newJudge()}},
		{"serve", "Serve:", []*cobra.Command{newServe(), newSite(), newNATS(), newAdmin(), newBackup(), newRestore(), newVerify(), newRepair()}},
	}
}

// failure marks an error of the run, as opposed to one of its command line.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// status returns the exit status for the error of a command: 0 for none, 1 for a failed
// run, and 2 for a wrong command line.
func status(err error) int {
	var failed failure
	switch {
	case err == nil:
		return 0
	case errors.As(err, &failed):
		return 1
	}
	return 2
}
