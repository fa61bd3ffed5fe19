package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintet/farm"
	"quintet/farm/coordinator"
	"quintet/farm/jobtypes"
	"quintet/farm/natsrpc"
	"quintet/farm/scheduler"
	"quintet/internal/cli"
)

// farmVariable names a farm in the environment.
const farmVariable = "QUINTET_FARM"

func newJobs() *cobra.Command {
	c := &cobra.Command{
		Use:   "jobs",
		Short: "List, watch, stop and remove the jobs of a farm",
		Long: `Jobs lists the jobs of a farm and changes them. A job is named by the beginning of its
identifier. The farm is --farm, or $QUINTET_FARM, or that of this machine.`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return failed(c.Help()) },
	}
	c.AddCommand(
		newJobsCommand("list", "List the jobs, the newest first", 0, listOf("jobs", jobsHeading, jobRow)),
		newJobsCommand("show JOB", "Show a job", 1, askJob("show")),
		newJobsCommand("watch JOB", "Follow a job until it ends", 1, watchJob),
		newJobsCommand("stop JOB", "Stop a job; submitting it again resumes it", 1, askJob("stop")),
		newJobsCommand("remove JOB", "Stop a job, and delete it with its results", 1, removeJob),
		newJobsCommand("priority JOB PRIORITY", "Change a job's share of the slots, 1 to 100", 2, askJob("priority")),
		newJobsCommand("workers", "List the workers", 0, listOf("workers", workersHeading, workerRow)),
	)
	return c
}

// jobsCommand does what a command of jobs is for.
type jobsCommand func(ctx context.Context, conn *natsrpc.Conn, out io.Writer, asJSON bool, args []string) error

func newJobsCommand(use, short string, args int, do jobsCommand) *cobra.Command {
	at := farmAt{role: natsrpc.RoleClient}
	var url string
	var asJSON bool
	c := &cobra.Command{
		Use: use, Short: short, Args: cli.Exactly(args),
		RunE: func(c *cobra.Command, args []string) error {
			ctx, stop := interruptible(c)
			defer stop()
			address, err := farmFolder(cmp.Or(url, os.Getenv(farmVariable)))
			if err != nil {
				return err
			}
			conn, err := at.dial(address)
			if err != nil {
				return failed(err)
			}
			defer conn.Close()
			return failed(do(ctx, conn, c.OutOrStdout(), asJSON, args))
		},
	}
	c.Flags().StringVar(&url, "farm", "", "the `URL` of the coordinator, or its folder on this machine")
	at.add(c)
	addJSON(c, &asJSON)
	return c
}

// listOf returns a command that asks for a list and prints it as a table.
func listOf[T any](what, heading string, row func(T) string) jobsCommand {
	return func(ctx context.Context, conn *natsrpc.Conn, out io.Writer, asJSON bool, _ []string) error {
		var list []T
		if err := conn.Ask(ctx, what, struct{}{}, &list); err != nil {
			return err
		}
		text := heading
		for _, v := range list {
			text += row(v)
		}
		return writeResult(out, asJSON, list, text)
	}
}

const (
	jobsHeading    = "job          state    priority game       kind              done slots  result\n"
	workersHeading = "worker       slots  busy    pairs confirmed residual  machines\n"
)

func jobRow(v scheduler.JobView) string {
	done := fmt.Sprintf("%d/%d", v.Counted, v.Planned)
	return fmt.Sprintf("%.12s %-8s %8d %-10s %-8s %13s %5d  %s\n", v.ID, v.Status, v.Priority, v.Game, v.Kind, done, v.Slots, resultLine(v))
}

func workerRow(v scheduler.WorkerView) string {
	row := fmt.Sprintf("%-12.12s %5d %5d %8d %9d %8.1f  %s", v.Key, v.Slots, v.Busy, v.Pairs, v.Confirmed, v.Residual, strings.Join(v.Hosts, ", "))
	if v.Quarantined {
		row += "quarantined: " + v.Reason
	}
	return row + "\n"
}

// resultLine is the state of a match in words, or what another job is about.
func resultLine(v scheduler.JobView) string {
	if v.Kind != jobtypes.MatchName {
		return strings.Join(v.Players, ", ")
	}
	line := strings.Join(v.Players, " - ")
	if v.Point == nil || len(v.Players) > 2 {
		return line
	}
	line += ": " + v.Point.Text
	if v.SPRT {
		line += fmt.Sprintf(", LLR %.2f (%s)", v.Point.LLR, v.Outcome())
	}
	return line
}

// jobLine is a job in words.
func jobLine(v scheduler.JobView) string {
	line := fmt.Sprintf("%.12s %s, %d of %d %s, %d slots", v.ID, v.Status, v.Counted, v.Planned, v.Counts, v.Slots)
	if result := resultLine(v); result != "" {
		line += ", " + result
	}
	if v.Failure != "" {
		line += ", " + v.Failure
	}
	return line
}

// writeJob writes a job.
func writeJob(out io.Writer, asJSON bool, v scheduler.JobView) error {
	text := jobLine(v) + "\n"
	for _, u := range v.Trouble {
		text += fmt.Sprintf("  unit %d: attempts without a result: %d, the last: %s\n", u.Unit, u.Attempts, u.Reason)
	}
	return writeResult(out, asJSON, v, text)
}

// askJob returns a command that sends a request about a job, perhaps with a priority, and prints
// the job.
func askJob(verb string) jobsCommand {
	return func(ctx context.Context, conn *natsrpc.Conn, out io.Writer, asJSON bool, args []string) error {
		request := farm.JobRequest{Job: args[0]}
		if len(args) > 1 {
			var err error
			if request.Priority, err = strconv.Atoi(args[1]); err != nil {
				return fmt.Errorf("priority %q: give 1 to %d", args[1], farm.MaxPriority)
			}
		}
		var v scheduler.JobView
		if err := conn.Ask(ctx, verb, request, &v); err != nil {
			return err
		}
		return writeJob(out, asJSON, v)
	}
}

// watchInterval is the time between two looks at a job.
const watchInterval = time.Second

func watchJob(ctx context.Context, conn *natsrpc.Conn, out io.Writer, asJSON bool, args []string) error {
	for shown := ""; ; {
		var v scheduler.JobView
		if err := conn.Persist(ctx, "show", farm.JobRequest{Job: args[0]}, &v, nil); err != nil {
			return err
		}
		ended := v.Status != "open"
		if line := jobLine(v); ended || line != shown && !asJSON {
			shown = line
			if err := writeJob(out, asJSON, v); err != nil {
				return err
			}
			if v.Status == "failed" {
				return fmt.Errorf("job %.12s: %w: %s", v.ID, coordinator.ErrFailed, v.Failure)
			}
			if ended {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(watchInterval):
		}
	}
}

func removeJob(ctx context.Context, conn *natsrpc.Conn, out io.Writer, asJSON bool, args []string) error {
	var v scheduler.JobView
	if err := conn.Ask(ctx, "remove", farm.JobRequest{Job: args[0]}, &v); err != nil {
		return err
	}
	return writeResult(out, asJSON, v, "removed: "+jobLine(v)+"\n")
}
