package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"quintet/game"
	"quintet/internal/cli"
	"quintet/live"
	"quintet/people"
)

func newAccounts() *cobra.Command {
	c := &cobra.Command{
		Use:   "account",
		Short: "List, rename, close or erase accounts, and set their roles",
		Long: `Account manages the accounts of a server, which may be running. A closed account keeps
its games, and nobody can sign in to it until it is opened again. An erased account is
gone for good: its games show "deleted" in place of the name.`,
	}
	c.AddCommand(
		newAccountChange("list", "List all accounts", 0),
		newAccountChange("rename NAME NEW", "Give an account another name", 2),
		newAccountChange("role NAME ROLE", "Make an account owner, moderator, teacher, person or bot", 2),
		newAccountChange("close NAME", "Let nobody sign in to an account, and end its sessions", 1),
		newAccountChange("open NAME", "Open a closed account again", 1),
		newAccountChange("erase NAME", "Erase an account", 1),
	)
	return c
}

// accountChange is a request to change an account, or to list all.
type accountChange struct {
	Do   string `json:"do"`
	Name string `json:"name,omitempty"`
	To   string `json:"to,omitempty"` // the new name or role
}

// accountLine is an account in a list.
type accountLine struct {
	Name    string      `json:"name"`
	Role    people.Role `json:"role"`
	Created int64       `json:"created"`
	Closed  bool        `json:"closed"`
}

func newAccountChange(use, short string, arguments int) *cobra.Command {
	var at logLocation
	c := &cobra.Command{Use: use, Short: short, Args: cli.Exactly(arguments)}
	if arguments == 0 {
		c.Args = cli.NoArgs
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		change := accountChange{Do: c.Name()}
		if arguments > 0 {
			change.Name = args[0]
		}
		if arguments > 1 {
			change.To = args[1]
		}
		return at.run(c, func(ctx context.Context) error { return changeAccount(ctx, c.OutOrStdout(), &at, change) })
	}
	at.add(c, "of the games")
	return c
}

// changeAccount changes an account in the log, through the folder's server if one is running, and prints
// the accounts that the change concerns.
func changeAccount(ctx context.Context, out io.Writer, at *logLocation, change accountChange) error {
	list, err := perform(ctx, at, "/accounts", change, changeAccounts)
	for _, a := range list {
		closed := ""
		if a.Closed {
			closed = "  closed"
		}
		if _, err := fmt.Fprintf(out, "%s  %-9s  %s%s\n", time.UnixMilli(a.Created).UTC().Format(time.DateOnly), a.Role, a.Name, closed); err != nil {
			return err
		}
	}
	return err
}

// changeAccounts makes a change in a log, and returns the accounts that it concerns. Servers on the log follow.
func changeAccounts(ctx context.Context, l live.Log, c accountChange) (list []accountLine, err error) {
	s, err := people.Open(ctx, l, time.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var follower sync.WaitGroup
	follower.Go(func() { s.Run(ctx, func(people.Account, people.Change) {}) })
	defer follower.Wait()
	defer cancel()
	accounts := s.List()
	if c.Do != "list" {
		a, ok := s.Named(c.Name)
		if !ok {
			return nil, fmt.Errorf("%q: %w", c.Name, people.ErrMissing)
		}
		if err := c.change(ctx, s, a.ID); err != nil {
			return nil, fmt.Errorf("account %s: %w", a.Name, err)
		}
		a, _ = s.Account(a.ID)
		accounts = slices.DeleteFunc([]people.Account{a}, func(a people.Account) bool { return a.Erased })
	}
	for _, a := range accounts {
		list = append(list, accountLine{a.Name, a.Role, a.Created, a.Closed})
	}
	return list, nil
}

// change changes the account with an identifier.
func (c accountChange) change(ctx context.Context, s *people.Store, id string) (err error) {
	switch c.Do {
	case "rename":
		if err := people.CheckName(c.To); err != nil {
			return err
		}
		return s.Rename(ctx, id, c.To)
	case "erase":
		return s.Erase(ctx, id)
	case "role":
		if !slices.Contains(people.Roles(), people.Role(c.To)) {
			names := []string{}
			for _, r := range people.Roles() {
				names = append(names, string(r))
			}
			return fmt.Errorf("unknown role %q: expected %s", c.To, game.Alternatives(names))
		}
		_, err = s.Update(ctx, id, func(a *people.Account) error { a.Role = people.Role(c.To); return nil })
	case "close", "open":
		_, err = s.Update(ctx, id, func(a *people.Account) error {
			if a.Closed = false; c.Do == "close" {
				a.Close()
			}
			return nil
		})
	default:
		err = fmt.Errorf("unknown command %q: give list, rename, role, close, open or erase", c.Do)
	}
	return err
}
