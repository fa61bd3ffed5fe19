package console

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quintet/game"
	"quintet/games/othello"
)

// othelloNames are the names of the players of Othello.
var othelloNames = [2]string{game.First: "X", game.Second: "O"}

func playOthello(t *dialogue, o Options) error {
	size := cmp.Or(o.Size, 8)
	p, err := othelloStart(size, nil)
	if err != nil {
		return &UsageError{err}
	}
	if p, err = digPits(t, p, size); err != nil {
		return err
	}
	if err := fillBoard(t, p, size); err != nil {
		return err
	}
	t.print("Game over:\n")
	t.show(p.Board())
	t.printResult(p.Result(), "Player %s wins!\n", othelloNames)
	return nil
}

// othelloStart returns the start position with pits.
func othelloStart(size int, pits []string) (game.Position, error) {
	setup := game.Setup{"size": strconv.Itoa(size)}
	if len(pits) > 0 {
		setup["pits"] = strings.Join(pits, ",")
	}
	return othello.Game.Start(setup)
}

// digPits asks for the number of pits and for each cell, and returns the start position
// with them.
func digPits(t *dialogue, p game.Position, size int) (game.Position, error) {
	var number int
	q := question{prompt: "Enter number of pits: ", invalid: "Too many pits!\n"}
	err := t.askUntilValid(q, func() (bool, error) {
		var err error
		number, err = t.integer()
		return number <= size*size/2, err
	})
	var pits []string
	for i := 1; i <= number && err == nil; i++ {
		q := question{prompt: fmt.Sprintf("Enter position for pit %d: ", i), invalid: "Invalid position!\n"}
		err = t.askUntilValid(q, func() (bool, error) {
			name, cell, err := othelloCell(t, size)
			if err != nil || name == "" || p.Board().Cells[cell].Kind != game.Empty || slices.Contains(pits, name) {
				return false, err
			}
			pits = append(pits, name)
			return true, nil
		})
	}
	if err != nil {
		return nil, err
	}
	return othelloStart(size, pits)
}

// fillBoard plays rounds until the board is full or both players have passed. In the
// dialogue both pass even when the game is already over.
func fillBoard(t *dialogue, p game.Position, size int) error {
	side := p.Turn()
	for round, passes := 1, 0; hasEmpty(p.Board()) && passes < 2; round++ {
		t.print("Round %d:\n", round)
		t.show(p.Board())
		moves := p.Moves(nil)
		if len(moves) > 0 && moves[0] != game.Pass {
			passes = 0
			if err := othelloTurn(t, p, size); err != nil {
				return err
			}
		} else {
			passes++
			t.print("Player %s has no valid moves! Pass!\n", othelloNames[side])
			if len(moves) > 0 {
				p.Play(game.Pass)
			}
		}
		side = side.Other()
	}
	return nil
}

func hasEmpty(b game.Board) bool {
	return slices.ContainsFunc(b.Cells, func(c game.Piece) bool { return c.Kind == game.Empty })
}

func othelloTurn(t *dialogue, p game.Position, size int) error {
	q := question{prompt: fmt.Sprintf("Player %s's turn: ", othelloNames[p.Turn()]), invalid: "Invalid move!\n"}
	return t.askUntilValid(q, func() (bool, error) {
		name, cell, err := othelloCell(t, size)
		m := game.Put(game.Cell(cell))
		if err != nil || name == "" || !slices.Contains(p.Moves(nil), m) {
			return false, err
		}
		p.Play(m)
		return true, nil
	})
}

// othelloCell reads a cell and returns its name and index; the name is "" outside the
// board.
func othelloCell(t *dialogue, size int) (name string, cell int, err error) {
	letter, number, err := t.cell()
	row, col := number-1, column(letter)
	if err != nil || row < 0 || row >= size || col < 0 || col >= size {
		return "", 0, err
	}
	return fmt.Sprintf("%c%d", 'a'+col, number), row*size + col, nil
}
