package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"quintet/bots"
	"quintet/farm/jobtypes"
	"quintet/game"
	"quintet/games"
)

// solvedPosition is the JSON report of a position of a list. It has no times, so that it
// is the same on all machines.
type solvedPosition struct {
	Game     string   `json:"game"`
	Position string   `json:"position"`
	Proved   bool     `json:"proved"`
	Value    int      `json:"value"` // as in solveReport
	PV       []string `json:"pv"`
	Nodes    uint64   `json:"nodes"`
}

// checkOne refuses flags that go with a list only.
func (f *solveFlags) checkOne() error {
	if f.farm.wanted() {
		return errors.New("--farm: name a file of positions with --list")
	}
	return f.farm.check()
}

// maxSolveThreads is how many threads may solve a position: each has a table of its own.
const maxSolveThreads = 256

// checkList refuses flags that do not go with a list.
func (f *solveFlags) checkList(c *cobra.Command) error {
	for _, name := range []string{"position", "moves", "size", "pits", "start", "search", "threads", "progress"} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s cannot be combined with --list", name)
		}
	}
	if c.Flags().Changed("movetime") {
		return errors.New("--movetime: use --nodes with --list: results of timed searches depend on the machine")
	}
	return f.farm.check()
}

// solveList solves the positions of a file, here or on a farm.
func (f *solveFlags) solveList(c *cobra.Command, name string) error {
	g, err := games.ByName(name)
	if err == nil {
		err = f.checkList(c)
	}
	if err != nil {
		return err
	}
	list, err := readPositions(c.InOrStdin(), f.list, g)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(c)
	defer stop()
	if f.farm.wanted() {
		return f.solveOnFarm(ctx, c, g, list)
	}
	solver := new(bots.Solver)
	for _, p := range list {
		r, err := jobtypes.SolvePosition(ctx, solver, g, p, f.nodes)
		var refused bots.PositionError
		switch {
		case errors.As(err, &refused):
			return refused
		case err != nil:
			return failed(err)
		}
		if err := f.write(c.OutOrStdout(), g, p, r); err != nil {
			return failed(err)
		}
	}
	return nil
}

// solveOnFarm lets a farm solve positions.
func (f *solveFlags) solveOnFarm(ctx context.Context, c *cobra.Command, g game.Game, list []game.Position) error {
	var jobs []*jobtypes.SolveSettings
	for _, part := range portions(list, func(p game.Position) int { return len(p.String()) + 3 }) {
		s := &jobtypes.SolveSettings{Game: g.Name, Nodes: f.nodes}
		for _, p := range part {
			s.Positions = append(s.Positions, p.String())
		}
		jobs = append(jobs, s)
	}
	return runJobs(ctx, c, &f.farm, jobtypes.SolveName, jobs, func(payload []byte) error {
		r, err := jobtypes.DecodeSolution(payload)
		if err != nil {
			return err
		}
		p := list[0]
		list = list[1:]
		return f.write(c.OutOrStdout(), g, p, r)
	})
}

// write writes the solution of a position of a list.
func (f *solveFlags) write(out io.Writer, g game.Game, p game.Position, s jobtypes.Solution) error {
	if f.json {
		return json.NewEncoder(out).Encode(solvedPosition{g.Name, p.String(), s.Proved, s.Value, strings.Fields(s.Line), s.Nodes})
	}
	value := solveReport{Proved: s.Proved, Value: s.Value}.value()
	_, err := fmt.Fprintf(out, "%s  %s  %d nodes\n", value, s.Line, s.Nodes)
	return err
}

// maxLine bounds a line of a list, in bytes.
const maxLine = 1 << 16

// readPositions reads positions of a game, one a line. Empty lines are left out.
func readPositions(stdin io.Reader, path string, g game.Game) (list []game.Position, err error) {
	name, text, err := input(stdin, []string{path})
	if err != nil {
		return nil, failed(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		p, err := g.Read(fromSquares(line))
		if err != nil {
			return nil, failed(fmt.Errorf("%s, line %d: %w", name, n, err))
		}
		list = append(list, p)
	}
	if err := lines.Err(); err != nil {
		return nil, failed(fmt.Errorf("%s: %w", name, err))
	}
	if len(list) == 0 {
		return nil, failed(fmt.Errorf("%s has no positions: write one a line", name))
	}
	return list, nil
}
