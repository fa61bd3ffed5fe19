package jobtypes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"time"

	"quintet/bots"
	"quintet/farm"
	"quintet/game"
	"quintet/games"
	"quintet/games/connect6"
	"quintet/games/othello"
)

// SolveName is the name of the kind.
const SolveName = "solve"

// SolveSettings are the settings of a job of Solve.
type SolveSettings struct {
	Game      string   `json:"game"`
	Nodes     uint64   `json:"nodes"` // for each position, where the solver has a limit
	Positions []string `json:"positions"`
}

// Solution is what a solver found of a position.
type Solution struct {
	Proved bool   `json:"proved"`
	Value  int    `json:"value"` // as in bots.Solution
	Line   string `json:"line"`  // moves, separated by blanks
	Nodes  uint64 `json:"nodes"`
}

// SolvePosition solves a position. The result depends on the position and the limit
// alone.
func SolvePosition(ctx context.Context, s *bots.Solver, g game.Game, p game.Position, nodes uint64) (Solution, error) {
	found, err := s.Solve(ctx, g, p, bots.SolveLimit{Nodes: nodes})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return Solution{}, fmt.Errorf("solving: %w", err)
	}
	return Solution{found.Proved, found.Value, FormatLine(p, found.Line), found.Nodes}, nil
}

// Limits of solving.
const (
	maxSolveNodes = 1_000_000_000
	maxEmptyCells = 30 // of a position of Othello: more would take a day
	solveTime     = 30 * time.Minute
)

func decodeSolve(text []byte) (*SolveSettings, game.Game, []game.Position, error) {
	s := &SolveSettings{}
	if err := farm.DecodeJSON(text, s); err != nil {
		return nil, game.Game{}, nil, err
	}
	if s.Nodes < 1 || s.Nodes > maxSolveNodes || len(s.Positions) < 1 {
		return nil, game.Game{}, nil, fmt.Errorf("%d positions, %d nodes for each: expected at least one, and 1 to %d nodes", len(s.Positions), s.Nodes, maxSolveNodes)
	}
	g, err := games.ByName(s.Game)
	if err != nil {
		return nil, g, nil, err
	}
	list := make([]game.Position, len(s.Positions))
	for i, text := range s.Positions {
		if list[i], err = g.Read(text); err != nil {
			return nil, g, nil, fmt.Errorf("position %d: %w", i+1, err)
		}
		if err := solvable(g, list[i]); err != nil {
			return nil, g, nil, fmt.Errorf("position %d: %w", i+1, err)
		}
	}
	return s, g, list, nil
}

// solvable returns an error for a position that a solver without limits, that of Othello,
// does not take or takes too long for.
func solvable(g game.Game, p game.Position) error {
	if g.Name != othello.Game.Name {
		return nil
	}
	small, ok := p.(*othello.Small)
	if !ok {
		return errors.New("expected a board up to 8x8")
	}
	if n := bits.OnesCount64(small.Bitboards().Empty()); n > maxEmptyCells {
		return fmt.Errorf("%d cells are empty: expected at most %d on a farm", n, maxEmptyCells)
	}
	return nil
}

// Solve finds exact values. A unit is a position; its payload is a Solution.
func Solve(settings []byte) (farm.Task, error) {
	s, g, list, err := decodeSolve(settings)
	if err != nil {
		return nil, err
	}
	step := stepTime(s.Nodes)
	if g.Name == othello.Game.Name {
		step = solveTime
	}
	return &farm.ListTask{
		Job: farm.About{Game: g.Name, Units: len(list), Counts: "positions", Deterministic: true, Step: step, Memory: solveMemory(g)},
		Valid: func(unit int, payload []byte) error {
			var r Solution
			if err := farm.DecodeJSON(payload, &r); err != nil {
				return err
			}
			_, err := ReadLine(list[unit], r.Line)
			return err
		},
		Runner: func() (farm.RunnerFunc, error) {
			solver := new(bots.Solver)
			return func(ctx context.Context, unit int, progress func()) ([]byte, error) {
				found, err := SolvePosition(ctx, solver, g, list[unit], s.Nodes)
				progress()
				if err != nil {
					return nil, err
				}
				return json.Marshal(found)
			}, nil
		},
	}, nil
}

// solveMemory is what a slot needs, in megabytes: mostly the table of the solver.
func solveMemory(g game.Game) int {
	if g.Name == othello.Game.Name || g.Name == connect6.Game.Name {
		return 256 + 2*memoryOfSearch
	}
	return 64 + memoryOfSearch
}

// DecodeSolution parses the payload of a unit.
func DecodeSolution(payload []byte) (s Solution, err error) { return s, farm.DecodeJSON(payload, &s) }
