package console

import (
	"cmp"
	"fmt"
	"slices"

	"quintet/game"
	"quintet/games/connect6"
)

func playConnect6(t *dialogue, o Options) error {
	p, err := connect6.Start(cmp.Or(o.Size, 19))
	if err != nil {
		return &UsageError{err}
	}
	t.show(p.Board())
	for !p.Result().Over() {
		if err := placeStone(t, p); err != nil {
			return err
		}
		t.show(p.Board())
	}
	t.printResult(p.Result(), "%s wins!\n", connect6.Game.Sides)
	return nil
}

func placeStone(t *dialogue, p *connect6.Position) error {
	const invalid = "Invalid move. Enter again!\n"
	q := question{prompt: fmt.Sprintf("%c's turn: ", "BW"[p.Turn()]), invalid: invalid, notNumber: invalid}
	return t.askUntilValid(q, func() (bool, error) {
		letter, row, err := t.cell()
		col := int(letter) - 'A'
		if err != nil || row < 0 || row >= p.Size() || col < 0 || col >= p.Size() {
			return false, err
		}
		m := game.Put(game.Cell(row*p.Size() + col))
		if !slices.Contains(p.Moves(nil), m) {
			return false, nil
		}
		p.Play(m)
		return true, nil
	})
}
