package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintet/internal/cli"
	"quintet/live"
	"quintet/live/jet"
	"quintet/serve"
)

func newErase() *cobra.Command {
	var at logLocation
	yes := false
	c := &cobra.Command{
		Use:   "erase game|study|review|name WHAT",
		Short: "Erase a game, a study, a review or a name for good",
		Long: `Erase removes a game with its review, a study, a review or a name for good: from
the pages, the API, the log, the lists and later backups. Games with an erased name stay,
and show Anonymous in its place. The server can keep running, and players can keep playing.

Earlier backups keep what is erased. Erasing cannot be undone, so the command asks first.
After many events it may ask you to restart the server, which removes their bytes. If it is
interrupted, run it again or restart the server.`,
		Example:   "  quintet admin erase game abcdefgh2345\n  quintet admin erase name \"Rude Name\" --data /var/lib/quintet --yes",
		Args:      cli.Exactly(2),
		ValidArgs: []string{"game", "study", "review", "name"},
		RunE: func(c *cobra.Command, args []string) (err error) {
			var what serve.Erasing
			if what.Stream, what.Name, err = named(c.ValidArgs, args); err != nil {
				return err
			}
			if !yes {
				if err := confirm(c, what); err != nil {
					return err
				}
			}
			return at.run(c, func(ctx context.Context) error { return erase(ctx, c.OutOrStdout(), &at, what) })
		},
	}
	at.add(c, "of the games")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask first")
	return c
}

// confirm asks on the terminal whether to erase.
func confirm(c *cobra.Command, what serve.Erasing) error {
	if !cli.Interactive(c) {
		return errors.New("erasing cannot be undone: run the command on a terminal to confirm it, or give --yes")
	}
	_, err := fmt.Fprintf(c.OutOrStdout(), "Erase %s for good? Type yes: ", subject(what.Stream, what.Name, "%q"))
	if err != nil {
		return err
	}
	answer, err := bufio.NewReader(io.LimitReader(c.InOrStdin(), 100)).ReadString('\n')
	if strings.TrimSpace(answer) != "yes" {
		return errors.Join(errors.New("nothing was erased"), err)
	}
	return nil
}

// erase lets the folder's server erase if one is running, and prints what was erased.
func erase(ctx context.Context, out io.Writer, at *logLocation, what serve.Erasing) error {
	again := false
	done, err := perform(ctx, at, "/erase", what, func(ctx context.Context, l live.Log, what serve.Erasing) (done serve.Erased, err error) {
		if done, err = serve.Erase(ctx, l, what, time.Now()); err != nil || at.cluster.URL != "" {
			return done, err
		}
		again = done.Kept
		return done, removeIndex(at.data)
	})
	if err == nil && again { // opening the log removes the bytes
		var l *jet.Log
		if l, err = at.open(ctx); err == nil {
			err = l.Close()
		}
		done.Kept = false
	}
	if err != nil {
		return err
	}
	return printErased(out, what, done)
}

// keptText says what serve.Erased.Kept means.
const keptText = "The bytes of so many events stay in the files of the log until you restart the server."

// printErased prints what was erased.
func printErased(out io.Writer, what serve.Erasing, done serve.Erased) error {
	text := fmt.Sprintf("%d events erased", done.Events)
	switch {
	case what.Name != "":
		text = fmt.Sprintf("erased in %d games", done.Games)
	case done.Events == 0:
		text = "already erased"
	}
	if done.Kept {
		text += "\n" + keptText
	}
	_, err := fmt.Fprintf(out, "%s: %s\n", subject(what.Stream, what.Name, "%q"), text)
	return err
}

// indexName is the file of the list of games in the data folder.
const indexName = "list.sqlite"

// removeIndex removes the list of games of a folder, which still has what was erased. The server
// rebuilds it when it starts.
func removeIndex(data string) error {
	list, err := os.ReadDir(data)
	for _, file := range list {
		if strings.HasPrefix(file.Name(), indexName) {
			err = errors.Join(err, os.Remove(filepath.Join(data, file.Name())))
		}
	}
	return err
}
