package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"quintet/internal/cli"
	"quintet/live"
	"quintet/live/index"
	"quintet/live/jet"
)

func newVerify() *cobra.Command {
	var data, member string
	asJSON := false
	c := &cobra.Command{
		Use:   "verify [FILE]",
		Short: "Check the log of live games, or a backup, for damage",
		Long: `Verify reads every event of a log, or of a file of quintet backup, and checks it
against its digest and the event before it. In a folder it also compares about 1,000 games
of the list with their events. It changes nothing, and the server may run. It prints a line
for each damaged game, study or review, and exits with 1 if there is one.`,
		Example: "  quintet verify --data /var/lib/quintet\n  quintet verify games.ndjson",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case member != "":
				return failed(verifyMember(c.OutOrStdout(), member, asJSON))
			case len(args) > 0:
				return failed(verifyBackup(c.Context(), c.OutOrStdout(), args[0]))
			}
			folder, err := dataFolder(data)
			if err != nil {
				return err
			}
			return failed(verifyFolder(c.Context(), c.OutOrStdout(), folder, asJSON))
		},
	}
	c.Flags().StringVar(&data, "data", "", "the `folder` of the games (default "+shownFolder+")")
	c.Flags().StringVar(&member, "member", "", "check the events of a NATS server of a cluster in this `folder`, its store_dir")
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func verifyFolder(ctx context.Context, out io.Writer, data string, asJSON bool) error {
	began := time.Now()
	var r verified
	err := r.read(ctx, data)
	if err != nil {
		return err
	}
	return r.report(out, data, time.Since(began), asJSON)
}

// verifyMember verifies the events of a NATS server.
func verifyMember(out io.Writer, store string, asJSON bool) (err error) {
	began := time.Now()
	var r verified
	if r.Verified, err = jet.VerifyMember(store); err != nil {
		return err
	}
	return r.report(out, store, time.Since(began), asJSON)
}

// report prints the result. The error says that there is damage.
func (r *verified) report(out io.Writer, folder string, took time.Duration, asJSON bool) (err error) {
	if asJSON {
		err = json.NewEncoder(out).Encode(r)
	} else {
		err = r.print(out, folder, took)
	}
	switch {
	case err != nil:
		return err
	case r.Problem != "":
		return errors.New(r.Problem)
	case len(r.Damaged) > 0:
		return fmt.Errorf("%d games, studies, reviews or accounts are damaged: see quintet repair", len(r.Damaged))
	case r.List != nil && (r.List.Problem != "" || len(r.List.Differ) > 0):
		return errors.New("the list of games does not match the log: stop the server and remove list.sqlite; the next start builds it again")
	}
	return nil
}

// verified is what quintet verify finds in a folder.
type verified struct {
	jet.Verified

	List *listed `json:"list,omitempty"` // nil if there is none
}

type listed struct {
	index.Comparison

	Problem string `json:"problem,omitempty"`
}

// read reads the log, and the list if there is one.
func (r *verified) read(ctx context.Context, data string) error {
	log, list := filepath.Join(data, "log"), filepath.Join(data, indexName)
	if _, err := os.Stat(list); errors.Is(err, os.ErrNotExist) {
		r.Verified, err = jet.VerifyFolder(log)
		return err
	}
	r.List = &listed{}
	read := false
	c, err := index.Compare(ctx, list, func(keep func([]byte) bool) (sample []live.Entry, err error) {
		read = true
		r.Verified, sample, err = jet.VerifySample(log, keep)
		return sample, err
	})
	r.List.Comparison = c
	if err != nil && !read { // the list is damaged
		r.List.Problem = err.Error()
		r.Verified, err = jet.VerifyFolder(log)
	}
	return err
}

func (r *verified) print(out io.Writer, data string, took time.Duration) error {
	text := ""
	for _, d := range r.Damaged {
		text += fmt.Sprintf("%s: %d intact events; %d are missing, altered or follow a damaged one\n", d.Stream, d.Kept, d.Lost)
	}
	if r.List != nil {
		for _, id := range r.List.Differ {
			text += id + ": the list of games does not show it as the log has it\n"
		}
		if r.List.Problem != "" {
			text += r.List.Problem + "\n"
		}
		text += fmt.Sprintf("%s: %d games, of which %d were compared with the log\n", indexName, r.List.Games, r.List.Sampled)
	}
	_, err := fmt.Fprintf(out, "%s%s: %d events, %d MB, read in %.1f s\n", text, data, r.Events, r.Bytes>>20, took.Seconds())
	return err
}

func verifyBackup(ctx context.Context, out io.Writer, path string) error {
	file, err := os.Open(path) //nolint:gosec // the user names it
	if err != nil {
		return fmt.Errorf("verifying a backup: %w", err)
	}
	defer func() { _ = file.Close() }() // only read
	n, err := jet.Verify(ctx, file)
	if err == nil {
		_, err = fmt.Fprintf(out, "%s: %d events\n", path, n)
	}
	return err
}

func newRepair() *cobra.Command {
	var data, backup string
	yes := false
	c := &cobra.Command{
		Use:   "repair",
		Short: "Repair a damaged log of live games",
		Long: `Repair restores events that the disk has lost from a backup. A game, study or review with
events that are still missing ends before the first of them: later events are dropped, and a
game that had not ended is called off. A ruling in the log lists the lost events.

Stop the server first. Without --yes the command only prints what it would do. The damaged files
stay in the folder log/damaged.`,
		Example: "  quintet repair --data /var/lib/quintet --backup games.ndjson\n  quintet repair --data /var/lib/quintet --backup games.ndjson --yes",
		Args:    cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			folder, err := dataFolder(data)
			if err != nil {
				return err
			}
			ctx, stop := interruptible(c)
			defer stop()
			return failed(repair(ctx, c, folder, backup, yes))
		},
	}
	c.Flags().StringVar(&data, "data", "", "the `folder` of the games (default "+shownFolder+")")
	c.Flags().StringVar(&backup, "backup", "", "restore lost events from this `file` of quintet backup")
	c.Flags().BoolVar(&yes, "yes", false, "repair; without it, only print what would be done")
	return c
}

// removeFile removes a file that may be missing.
func removeFile(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func repair(ctx context.Context, c *cobra.Command, data, backup string, yes bool) error {
	var from io.ReadSeeker
	if backup != "" {
		file, err := os.Open(backup) //nolint:gosec // the user names it
		if err != nil {
			return fmt.Errorf("repairing the log: %w", err)
		}
		defer func() { _ = file.Close() }() // only read
		from = file
	}
	list, err := jet.Repair(ctx, filepath.Join(data, "log"), from, time.Now(), yes, slog.New(slog.NewTextHandler(c.ErrOrStderr(), nil)))
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	for _, r := range list {
		if _, err := fmt.Fprintf(out, "%s: %d events kept, %d restored, %d lost\n", r.Stream, r.Kept, r.Restored, r.Lost); err != nil {
			return err
		}
	}
	switch {
	case len(list) == 0:
		_, err = fmt.Fprintln(out, "no event is lost")
	case !yes:
		_, err = fmt.Fprintln(out, "nothing was changed: give --yes to repair")
	}
	if err == nil && yes {
		err = errors.Join(removeIndex(data), removeFile(filepath.Join(data, checkpointName))) // the server makes them again
	}
	return err
}
