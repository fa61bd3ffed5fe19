package game_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quintet/game"
)

// twoBanks is a rowGame between two cells in which the second side must always pass:
// a position repeats after four plies, two of them passes.
type twoBanks struct{ rowGame }

func (f *twoBanks) Clone() game.Position { c := *f; return &c }

func (f *twoBanks) Moves(buf []game.Move) []game.Move {
	if f.turn == game.Second {
		return append(buf, game.Pass)
	}
	return append(buf, game.Put(game.Cell(3-f.at)))
}

func (f *twoBanks) Play(m game.Move) {
	if m == game.Pass {
		f.turn = f.turn.Other()
		return
	}
	f.rowGame.Play(m)
}

func (f *twoBanks) Parse(s string) (game.Move, error) {
	m, ok := f.Moves(nil)[0], game.IsPass(s)
	if ok != (m == game.Pass) || !ok && s != f.Format(m) {
		return 0, game.ErrIllegal
	}
	return m, nil
}

// TestPassIsAMove checks that passes are recorded, counted and taken back like other
// moves, and change the position.
func TestPassIsAMove(t *testing.T) {
	m := game.NewMatch(game.Game{Repeat: 2}, &twoBanks{rowGame{at: 1}})
	if err := m.PlayText("pass"); !errors.Is(err, game.ErrIllegal) {
		t.Errorf("passing where another move can be played: %v, want %v", err, game.ErrIllegal)
	}
	play(t, m, "2 PASS 1 pass")
	if diff := cmp.Diff([]game.Move{game.Put(2), game.Pass, game.Put(1), game.Pass}, m.Moves()); diff != "" {
		t.Errorf("moves (-want +got):\n%s", diff)
	}
	if want := (game.Outcome{Result: game.Draw, Reason: game.Repetition}); m.Outcome() != want {
		t.Errorf("the start came twice: %v, want %v", m.Outcome(), want)
	}
	if !m.Undo() || m.Position().String() != "1 second" || !game.Legal(m.Position(), game.Pass) {
		t.Errorf("a pass taken back: %s", m.Position())
	}
}

// TestRepetitionAfterBack checks that repetition ignores moves that were taken back.
func TestRepetitionAfterBack(t *testing.T) {
	m := newMatch(3)
	play(t, m, "3 2 3")
	m.Undo()
	play(t, m, "1 2")
	thrice := game.Outcome{Result: game.Draw, Reason: game.Repetition}
	if m.Outcome() != thrice {
		t.Errorf("the start came after 0, 2 and 4 plies: %v, want %v", m.Outcome(), thrice)
	}
	for range 3 {
		m.Undo()
	}
	play(t, m, "2 1")
	if m.Outcome() != (game.Outcome{}) {
		t.Errorf("the start came after 0 and 2 plies: %v", m.Outcome())
	}
	play(t, m, "2")
	if m.Outcome() != thrice {
		t.Errorf("the start came after 0, 2 and 4 plies again: %v, want %v", m.Outcome(), thrice)
	}
}

// TestBackEqualsNeverPlayed compares a match after Back with one that never played
// the move.
func TestBackEqualsNeverPlayed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		repeat := rapid.IntRange(2, 4).Draw(t, "repeat")
		one, other := newMatch(repeat), newMatch(repeat)
		for {
			if diff := cmp.Diff(state(other), state(one)); diff != "" {
				t.Fatalf("after Back (-want +got):\n%s", diff)
			}
			legal := one.Legal()
			if len(legal) == 0 || rapid.IntRange(0, 9).Draw(t, "stop") == 0 {
				return
			}
			first, second := rapid.SampledFrom(legal).Draw(t, "taken back"), rapid.SampledFrom(legal).Draw(t, "played")
			if err := errors.Join(one.Play(first)); err != nil || !one.Undo() {
				t.Fatal(err)
			}
			if err := errors.Join(one.Play(second), other.Play(second)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// state returns everything observable of a match.
func state(m *game.Match) any {
	return []any{m.Start().String(), m.Position().String(), m.Moves(), m.Keys(), m.Legal(), m.Outcome()}
}

// TestUndoTo checks that taking back several moves at once equals taking them back one by one.
func TestUndoTo(t *testing.T) {
	for n := range 4 {
		all, each := game.NewMatch(game.Game{}, &rowGame{at: 2}), game.NewMatch(game.Game{}, &rowGame{at: 2})
		play(t, all, "3 2 1")
		play(t, each, "3 2 1")
		for _, m := range []*game.Match{all, each} {
			if err := m.Resign(game.First); err != nil {
				t.Fatal(err)
			}
		}
		all.UndoTo(n)
		for range 3 - n {
			each.Undo()
		}
		if n < 3 && !reflect.DeepEqual(state(all), state(each)) || len(all.Moves()) != n || all.Outcome() != (game.Outcome{}) {
			t.Errorf("to %d moves: %v, want %v", n, state(all), state(each))
		}
	}
}

// TestBackWithdrawsOffers takes a move back after a halt was offered.
func TestBackWithdrawsOffers(t *testing.T) {
	m := game.NewMatch(game.Game{}, &haltingGame{rowGame{at: 2}})
	play(t, m, "3")
	for _, back := range []bool{true, false} { // with a move to take back, and without
		if over, err := m.Halt(game.First, game.HaltAgreed); over || err != nil {
			t.Fatalf("offered: %t, %v", over, err)
		}
		if m.Undo() != back {
			t.Fatalf("Back() = %t, want %t", !back, back)
		}
		if over, err := m.Halt(game.Second, game.HaltAgreed); over || err != nil {
			t.Errorf("taking back has withdrawn the offer: %t, %v", over, err)
		}
		m.Undo()
	}
}

// TestMatchErrors checks the texts of errors.
func TestMatchErrors(t *testing.T) {
	m := game.NewMatch(game.Game{Name: "walk"}, &haltingGame{rowGame{at: 2}})
	play(t, m, "3")
	halt := func(s game.Side, rule game.HaltRule) error { _, err := m.Halt(s, rule); return err }
	for want, err := range map[string]error{
		`move 2: not a legal move`:                                             m.Play(game.Pass),
		`move 2: move "3": not a legal move`:                                   m.PlayText("3"),
		`move 2: move "x": expected a number`:                                  m.PlayText("x"),
		`it is not the turn of the first side: the game cannot be halted here`: halt(game.First, game.HaltClaim),
		`halting is switched off: the game cannot be halted here`:              halt(game.Second, game.HaltNone),
		`walk: the game cannot be halted here`:                                 second(newMatch(0).Halt(game.First, game.HaltAgreed)),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	play(t, m, "4")
	for want, err := range map[string]error{
		`move 3: the game is over`:      m.Play(game.Put(3)),
		`move 3, "3": the game is over`: m.PlayText("3"),
		`resigning: the game is over`:   m.Resign(game.First),
		`halting: the game is over`:     halt(game.First, game.HaltClaim),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func second(_ bool, err error) error { return err }
