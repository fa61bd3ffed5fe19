// Package lesson teaches the rules of each game by playing: short steps, each with a
// position and a goal that the rules check.
//
// Start with [For], which returns the steps of a game, and [NewChecker], whose
// [Checker.Turns] are the turns that reach the goal of a step. Lessons are data, in the
// folder steps; the package knows no game.
package lesson

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"quintet/bots"
	"quintet/game"
	"quintet/games"
)

//go:embed steps/*.json
var files embed.FS

// MaxSteps is the largest number of steps of a game: they take about two minutes.
const MaxSteps = 8

// Step is a position and the goal of one turn in it.
type Step struct {
	Title    string `json:"title"`
	Text     string `json:"text"` // what the rules say
	Position string `json:"position"`
	Goal     Goal   `json:"goal"`
	Task     string `json:"task"` // what to do
	Hint     string `json:"hint"` // after a legal turn that misses the goal
	Done     string `json:"done"` // after one that reaches it

	// Illegal lists moves that learners may try here, and why they are illegal.
	Illegal []Illegal `json:"illegal,omitempty"`
}

// Illegal is a move that is not legal.
type Illegal struct {
	Move string `json:"move"`
	Why  string `json:"why"`
}

// Goal is the properties that a turn must have to be accepted.
type Goal struct {
	Result   string `json:"result,omitempty"` // Wins, Safe, Threat or Pass
	Captures bool   `json:"captures,omitempty"`
	Turns    int    `json:"turns,omitempty"` // pieces that change sides, at least
	From     string `json:"from,omitempty"`  // origin of the first move, in notation
	To       string `json:"to,omitempty"`    // target of a move
}

// The results of a turn.
const (
	Wins   = "win"    // the side to move wins
	Safe   = "safe"   // the opponent cannot win in its turn
	Threat = "threat" // the opponent cannot stop a win in the next turn
	Pass   = "pass"   // the opponent has to pass
)

// For returns the steps of a game; none for a game without lessons.
func For(name string) ([]Step, error) {
	data, err := files.ReadFile("steps/" + name + ".json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("lessons of %s: %w", name, err)
	}
	var list []Step
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("lessons of %s: %w", name, err)
	}
	return list, nil
}

// Checker checks turns of a step.
type Checker struct {
	game   game.Game
	step   *Step
	start  game.Position
	prover bots.Prover
}

// NewChecker returns the checker of a step of a game.
func NewChecker(name string, s *Step) (*Checker, error) {
	g, err := games.ByName(name)
	if err != nil {
		return nil, fmt.Errorf("lesson: %w", err)
	}
	p, err := g.Read(s.Position)
	if err != nil {
		return nil, fmt.Errorf("lesson of %s, %q: %w", name, s.Title, err)
	}
	prover, err := bots.NewProver(g, 1)
	if err != nil {
		return nil, fmt.Errorf("lesson of %s, %q: %w", name, s.Title, err)
	}
	return &Checker{g, s, p, prover}, nil
}

// Start returns the position of the step.
func (c *Checker) Start() game.Position { return c.start.Clone() }

// Turns returns all turns of the side to move that reach the goal, in the order of the
// game's moves.
func (c *Checker) Turns(ctx context.Context) (list [][]game.Move, err error) {
	threat := c.step.Goal.Result == Threat
	if !threat {
		list = c.turns()
	} else if list, err = c.prover.Winning(ctx, c.start, 2); err != nil {
		return nil, fmt.Errorf("lesson, %q: %w", c.step.Title, err)
	}
	return slices.DeleteFunc(list, func(turn []game.Move) bool { return !c.matches(turn) || !threat && !c.brings(ctx, turn) }), nil
}

// turns returns every turn of the side to move: one move, or two in a row, in one order.
func (c *Checker) turns() (list [][]game.Move) {
	moves := c.start.Moves(nil)
	for i, m := range moves {
		after := play(c.start, m)
		if after.Result().Over() || after.Turn() != c.start.Turn() {
			list = append(list, []game.Move{m})
			continue
		}
		for _, second := range moves[i+1:] {
			list = append(list, []game.Move{m, second})
		}
	}
	return list
}

func play(p game.Position, turn ...game.Move) game.Position {
	after := p.Clone()
	for _, m := range turn {
		after.Play(m)
	}
	return after
}

// matches reports whether a turn has the goal's properties other than the result.
func (c *Checker) matches(turn []game.Move) bool {
	goal, before := &c.step.Goal, c.start.Board()
	if goal.From != "" && !strings.HasPrefix(c.start.Format(turn[0]), goal.From) {
		return false
	}
	if goal.To != "" && !strings.HasSuffix(c.start.Format(turn[0]), goal.To) {
		return false
	}
	target := before.Cells[turn[0].To()]
	if goal.Captures && (turn[0] == game.Pass || target.Kind == game.Empty || target.Side == c.start.Turn()) {
		return false
	}
	return goal.Turns == 0 || c.turned(before, turn) >= goal.Turns
}

// turned counts the pieces that change sides.
func (c *Checker) turned(before game.Board, turn []game.Move) (n int) {
	for i, piece := range play(c.start, turn...).Board().Cells {
		if old := before.Cells[i]; old.Kind != game.Empty && old.Kind == piece.Kind && old.Side != piece.Side {
			n++
		}
	}
	return n
}

// brings reports whether a turn has the result of the goal.
func (c *Checker) brings(ctx context.Context, turn []game.Move) bool {
	after, lost := play(c.start, turn...), game.Win(c.start.Turn().Other())
	switch c.step.Goal.Result {
	case Wins:
		return after.Result() == game.Win(c.start.Turn())
	case Safe:
		turns, err := c.prover.WinsIn(ctx, after, 1)
		return err == nil && turns == 0 && after.Result() != lost
	case Pass:
		moves := after.Moves(nil)
		return len(moves) == 1 && moves[0] == game.Pass
	}
	return after.Result() != lost
}
