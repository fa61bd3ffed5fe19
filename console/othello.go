package console

import (
	"fmt"

	"quintet/games/othello"
)

func playOthello(t *talk, o Options) error {
	g, err := othello.NewCourse(o.sizeOr(8))
	if err != nil {
		return &UsageError{err}
	}
	if err := digPits(t, g); err != nil {
		return err
	}
	if err := fillBoard(t, g); err != nil {
		return err
	}
	t.say("Game over:\n")
	t.show(g.Board(), pitBoard)
	switch x, o := g.Count('X'), g.Count('O'); {
	case x > o:
		t.say("Player X wins!\n")
	case o > x:
		t.say("Player O wins!\n")
	default:
		t.say("Draw game!\n")
	}
	return nil
}

// digPits asks for the number of pits and then for each.
func digPits(t *talk, g *othello.Course) error {
	var pits int
	q := question{prompt: "Enter number of pits: ", refused: "Too many pits!\n"}
	err := t.insist(q, func() (bool, error) {
		var err error
		pits, err = t.integer()
		return pits <= g.Size()*g.Size()/2, err
	})
	for i := 1; i <= pits && err == nil; i++ {
		q := question{prompt: fmt.Sprintf("Enter position for pit %d: ", i), refused: "Invalid position!\n"}
		err = t.insist(q, func() (bool, error) {
			row, col, err := othelloCell(t)
			return err == nil && g.AddPit(row, col), err
		})
	}
	return err
}

// fillBoard plays rounds until the board is full or both players have passed.
func fillBoard(t *talk, g *othello.Course) error {
	player, other := byte('X'), byte('O')
	for round, passes := 1, 0; g.HasEmpty() && passes < 2; round++ {
		t.say("Round %d:\n", round)
		t.show(g.Board(), pitBoard)
		if g.HasMove(player) {
			passes = 0
			if err := othelloTurn(t, g, player); err != nil {
				return err
			}
		} else {
			passes++
			t.say("Player %c has no valid moves! Pass!\n", player)
		}
		player, other = other, player
	}
	return nil
}

func othelloTurn(t *talk, g *othello.Course, player byte) error {
	q := question{prompt: fmt.Sprintf("Player %c's turn: ", player), refused: "Invalid move!\n"}
	return t.insist(q, func() (bool, error) {
		row, col, err := othelloCell(t)
		return err == nil && g.Place(player, row, col), err
	})
}

func othelloCell(t *talk) (row, col int, err error) {
	letter, number, err := t.cell()
	return number - 1, column(letter), err
}
