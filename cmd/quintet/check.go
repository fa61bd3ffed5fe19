package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintet/game"
	"quintet/internal/cli"
	"quintet/protocol"
	"quintet/protocol/check"
	"quintet/protocol/program"
	"quintet/protocol/reversi"
)

// checkFlags are the flags of "engine --check".
type checkFlags struct {
	command   string
	tolerance time.Duration
	patience  time.Duration
	seed      uint64
	json      bool
}

func (f *checkFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.command, "check", "", "check that the program started by `COMMAND` follows the protocol")
	cli.Time(c, &f.tolerance, "tolerance", 250*time.Millisecond, "by how much a checked program may exceed its time")
	cli.Time(c, &f.patience, "patience", program.StartTimeout, "how long a checked program may take to answer where the protocol sets no time")
	cli.Number(c, &f.seed, "seed", 1, "random seed of the positions")
	addJSON(c, &f.json)
}

// checkReport is the JSON report of a check.
type checkReport struct {
	Command  string          `json:"command"`
	Protocol string          `json:"protocol"`
	Game     string          `json:"game"`
	OK       bool            `json:"ok"`
	Broken   int             `json:"broken"`
	Clauses  []check.Finding `json:"clauses"`
}

// protocolNames are the protocols that --check supports.
func protocolNames() []string { return []string{"ugi", "uci", "gtp", "nboard"} }

// spec returns the protocol and the program. The command may name the protocol and
// options as a player does, such as "uci:COMMAND".
func (f *checkFlags) spec(otherwise string) (string, program.Spec, error) {
	kind, spec, named, err := program.ParsePlayer(f.command, protocolNames())
	switch {
	case err != nil:
		return "", spec, fmt.Errorf("check %w", err)
	case !named:
		return otherwise, program.Spec{Command: f.command}, nil
	case len(spec.Options) > 0 && kind != protocol.UGI.Name && kind != protocol.UCI.Name:
		return "", spec, fmt.Errorf("--check %q: only ugi and uci have options; give no other than dir", f.command)
	}
	return kind, spec, nil
}

// clauses returns the clauses of a protocol.
func (f *checkFlags) clauses(kind string, options []program.Option, g game.Game, p game.Position) ([]check.Clause, error) {
	tell, clauses := reversi.CheckGTP, reversi.GTPClauses
	switch kind {
	case protocol.UGI.Name:
		return protocol.Clauses(protocol.UGI, g, p, options, f.seed), nil
	case protocol.UCI.Name:
		return protocol.Clauses(protocol.UCI, g, p, options, f.seed), nil
	case "nboard":
		tell, clauses = reversi.CheckNBoard, reversi.NBoardClauses
	}
	if err := tell(g, p); err != nil {
		return nil, fmt.Errorf("protocol %s: %w", kind, err)
	}
	return clauses(g, p, f.seed)
}

// run checks a program, and fails if a clause is broken.
func (f *checkFlags) run(ctx context.Context, out io.Writer, kind string, g game.Game, p game.Position) error {
	kind, spec, err := f.spec(kind)
	if err != nil {
		return err
	}
	clauses, err := f.clauses(kind, spec.Options, g, p)
	if err != nil {
		return err
	}
	r := checkReport{Command: spec.Command, Protocol: kind, Game: g.Name}
	var written error
	start := func() (*program.Program, error) { return program.Start(ctx, spec) }
	l := check.Limits{Timeout: f.patience, Tolerance: f.tolerance, Pause: 300 * time.Millisecond}
	err = check.Run(ctx, l, start, clauses, func(found check.Finding) {
		r.Clauses = append(r.Clauses, found)
		if found.Status == check.Broken {
			r.Broken++
		}
		if !f.json {
			_, err := fmt.Fprintln(out, findingLine(found))
			written = errors.Join(written, err)
		}
	})
	if err := errors.Join(err, written); err != nil {
		return failed(err)
	}
	r.OK = r.Broken == 0
	if f.json {
		if err := writeJSON(out, r); err != nil {
			return err
		}
	}
	if !r.OK {
		return failed(fmt.Errorf("%s: %d of %d clauses of %s are broken", spec.Command, r.Broken, len(r.Clauses), kind))
	}
	return nil
}

// findingLine formats the result of a clause: "broken  stop  CLAUSE: DETAIL".
func findingLine(f check.Finding) string {
	line := fmt.Sprintf("%-8s %-10s %s", f.Status, f.Name, f.Text)
	if f.Detail != "" {
		line += ": " + strings.ReplaceAll(f.Detail, "\n", "; ")
	}
	return line
}

// gameName returns the name of the game, which is optional with --check.
func (f *checkFlags) gameName(kind string, args []string) (string, error) {
	if len(args) == 1 || f.command == "" {
		if err := cli.OneGame(nil, args); err != nil {
			return "", err
		}
		return args[0], nil
	}
	if len(args) > 1 {
		return "", fmt.Errorf("%d arguments instead of one game, or none with --check", len(args))
	}
	if kind, _, err := f.spec(kind); err != nil || kind == protocol.UCI.Name {
		return "chess", err
	}
	return "othello", nil
}
