package console

import (
	"fmt"

	"quintet/games/othello"
)

func playOthello(t *dialogue, o Options) error {
	g, err := othello.NewCourse(o.sizeOrDefault(8))
	if err != nil {
		return &UsageError{err}
	}
	if err := digPits(t, g); err != nil {
		return err
	}
	if err := fillBoard(t, g); err != nil {
		return err
	}
	t.print("Game over:\n")
	t.show(g.Board(), pitBoard)
	switch x, o := g.Count('X'), g.Count('O'); {
	case x > o:
		t.print("Player X wins!\n")
	case o > x:
		t.print("Player O wins!\n")
	default:
		t.print("Draw game!\n")
	}
	return nil
}

// digPits asks for the number of pits and for each cell.
func digPits(t *dialogue, g *othello.Course) error {
	var pits int
	q := question{prompt: "Enter number of pits: ", invalid: "Too many pits!\n"}
	err := t.askUntilValid(q, func() (bool, error) {
		var err error
		pits, err = t.integer()
		return pits <= g.Size()*g.Size()/2, err
	})
	for i := 1; i <= pits && err == nil; i++ {
		q := question{prompt: fmt.Sprintf("Enter position for pit %d: ", i), invalid: "Invalid position!\n"}
		err = t.askUntilValid(q, func() (bool, error) {
			row, col, err := othelloCell(t)
			return err == nil && g.AddPit(row, col), err
		})
	}
	return err
}

// fillBoard plays rounds until the board is full or both players have passed.
func fillBoard(t *dialogue, g *othello.Course) error {
	player, other := byte('X'), byte('O')
	for round, passes := 1, 0; g.HasEmpty() && passes < 2; round++ {
		t.print("Round %d:\n", round)
		t.show(g.Board(), pitBoard)
		if g.HasMove(player) {
			passes = 0
			if err := othelloTurn(t, g, player); err != nil {
				return err
			}
		} else {
			passes++
			t.print("Player %c has no valid moves! Pass!\n", player)
		}
		player, other = other, player
	}
	return nil
}

func othelloTurn(t *dialogue, g *othello.Course, player byte) error {
	q := question{prompt: fmt.Sprintf("Player %c's turn: ", player), invalid: "Invalid move!\n"}
	return t.askUntilValid(q, func() (bool, error) {
		row, col, err := othelloCell(t)
		return err == nil && g.Place(player, row, col), err
	})
}

func othelloCell(t *dialogue) (row, col int, err error) {
	letter, number, err := t.cell()
	return number - 1, column(letter), err
}
