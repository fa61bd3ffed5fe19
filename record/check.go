package record

import (
	"errors"
	"fmt"
	"slices"

	"quintet/game"
)

// Check validates a record: it returns an error for an illegal move in any line, and
// for a result that contradicts the main line or the end.
func (r *Record) Check() error {
	if err := r.checkTags(); err != nil {
		return err
	}
	if len(r.Root.Marks) > 0 {
		return errors.New("a mark before the first move: put it after a move")
	}
	if err := r.checkLegal(); err != nil {
		return err
	}
	main := NewCursor(r.Game, r.Start)
	for _, n := range r.Main() {
		if err := main.Play(n.Move); err != nil {
			return fmt.Errorf("replaying %s: %w", r.Game.Name, err)
		}
	}
	return r.checkResult(main.outcome, main.pos)
}

// checkLegal checks every line. It branches positions at variations instead of
// replaying each line.
func (r *Record) checkLegal() error {
	type task struct {
		at  *Node
		pos game.Position
	}
	var legal []game.Move
	for todo := []task{{r.Root, r.Start.Clone()}}; len(todo) > 0; {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		legal = t.pos.Moves(legal[:0])
		for i, n := range t.at.Next {
			if slices.ContainsFunc(t.at.Next[:i], func(m *Node) bool { return m.Move == n.Move }) {
				return fmt.Errorf("move %d: two lines begin with %s, expected one", len(n.Path()), t.pos.Format(n.Move))
			}
			if !slices.Contains(legal, n.Move) {
				return fmt.Errorf("move %d: %w", len(n.Path()), game.ErrIllegal)
			}
			p := t.pos
			if i < len(t.at.Next)-1 {
				p = p.Clone()
			}
			p.Play(n.Move)
			todo = append(todo, task{n, p})
		}
	}
	return nil
}

// checkResult checks the result and the end against the outcome of the main line.
func (r *Record) checkResult(o game.Outcome, last game.Position) error {
	switch {
	case o.Result.Over() && (r.Result != o.Result || r.End != End(o.Reason)):
		return fmt.Errorf("the result is given as %s (%s), but after the last move it is %s (%s)", r.Result, r.End, o.Result, o.Reason)
	case o.Result.Over():
		return nil
	case r.Result.Over() != (r.End != NotOver):
		return errors.New("a result needs an end, and an end a result")
	case r.End == ByRules || r.End == Repetition:
		return fmt.Errorf("the game is said to have ended by %s, but it is not over after the last move", r.End)
	case r.End != NotOver && !slices.Contains(Ends(), r.End):
		return fmt.Errorf("end %q: expected one of %v", r.End, Ends())
	case r.End == Halted:
		return r.checkHalted(last)
	}
	return nil
}

// checkHalted checks the result of a halted game.
func (r *Record) checkHalted(p game.Position) error {
	if _, ok := p.(game.Stopper); !ok {
		return fmt.Errorf("%s cannot be halted", r.Game.Name)
	}
	if want := game.StoppedResult(p); r.Result != want {
		return fmt.Errorf("the result is given as %s, but halted there the game is: %s", r.Result, want)
	}
	return nil
}
